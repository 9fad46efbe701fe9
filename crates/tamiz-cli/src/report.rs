//! What goes to standard error, and the exit status that follows from it.
//!
//! No message here may contain a byte of a request: logs of the command are kept by people who must not see secrets.
//! Callers give a place and a fixed reason.

use std::fmt::{self, Display};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Why the work on one file, or all of it, ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// This file cannot be read; others may be.
    Input { file: String, error: io::Error },
    /// Nothing more can be written.
    Output(io::Error),
    /// The arguments, the configuration or an argument file are wrong; it has been said.
    Said,
}

/// Every `?` on an `io::Result` in this crate is a write; reads name their file.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

/// A path as messages name it.
pub(crate) fn shown(path: &Path) -> String {
    shown_word(&path.display().to_string())
}

/// A word of the command line as messages repeat it: a line end in it must not begin a new message.
pub(crate) fn shown_word(word: &str) -> String {
    word.replace(char::is_control, "\u{fffd}")
}

/// A place in an input file, printed as compilers do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
    pub(crate) column: Option<usize>,
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// The voice of the command, and its memory of what went wrong.
#[derive(Debug, Default)]
pub(crate) struct Report {
    status: u8,
    progress: Option<Progress>,
}

impl Report {
    /// A record that could not be read. The rest is processed.
    pub(crate) fn record(&mut self, place: Place<'_>, reason: impl Display) {
        self.raise(1);
        self.say(format_args!("{place}: {reason}"));
    }

    /// A usage, configuration or input/output error.
    pub(crate) fn failure(&mut self, what: impl Display) {
        self.raise(2);
        self.say(what);
    }

    /// Something worth knowing that is no error.
    pub(crate) fn note(&mut self, what: impl Display) {
        self.say(what);
    }

    /// Two documents differ: status 1, as with diff(1).
    pub(crate) fn differs(&mut self) {
        self.raise(1);
    }

    /// Says why the work on a file ended, if it is only that file.
    pub(crate) fn file_done(&mut self, done: Result<(), Stop>) -> Result<(), Stop> {
        match done {
            Err(Stop::Input { file, error }) => {
                self.failure(format_args!("{file}: {error}"));
                Ok(())
            }
            other => other,
        }
    }

    /// The exit status of the whole run.
    pub(crate) fn close(mut self, done: Result<(), Stop>) -> ExitCode {
        self.clear_progress();
        match self.file_done(done) {
            // The reader has seen enough (`| head`): what was found so far still decides the status.
            Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {}
            Err(Stop::Output(error)) => self.failure(format_args!("standard output: {error}")),
            Ok(()) | Err(Stop::Input { .. }) => {}
            Err(Stop::Said) => self.raise(2),
        }
        ExitCode::from(self.status)
    }

    /// Shows progress from now on, where somebody looks at it and the documents go elsewhere.
    pub(crate) fn watch(&mut self) {
        if io::stderr().is_terminal() && !io::stdout().is_terminal() {
            self.progress = Some(Progress::new());
        }
    }

    /// Counts work done, and renews the progress line when it is due.
    pub(crate) fn advance(&mut self, documents: u64, bytes: usize) {
        if let Some(progress) = &mut self.progress {
            progress.advance(documents, bytes);
        }
    }

    fn raise(&mut self, status: u8) {
        self.status = self.status.max(status);
    }

    fn say(&mut self, what: impl Display) {
        self.clear_progress();
        // There is nobody left to tell when standard error itself is gone.
        let _ = writeln!(io::stderr().lock(), "tamiz: {what}");
    }

    fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }
}

/// A line on the terminal that is rewritten in place.
#[derive(Debug)]
struct Progress {
    began: Instant,
    due: Duration,
    shown: bool,
    documents: u64,
    bytes: u64,
}

impl Progress {
    /// Short runs end before this and show nothing.
    const FIRST: Duration = Duration::from_secs(2);
    const EVERY: Duration = Duration::from_millis(250);

    fn new() -> Progress {
        Progress { began: Instant::now(), due: Progress::FIRST, shown: false, documents: 0, bytes: 0 }
    }

    fn advance(&mut self, documents: u64, bytes: usize) {
        self.documents += documents;
        self.bytes += bytes as u64;
        let elapsed = self.began.elapsed();
        if elapsed < self.due {
            return;
        }
        self.due = elapsed + Progress::EVERY;
        self.shown = true;
        let megabytes = self.bytes as f64 / 1e6;
        let rate = megabytes / elapsed.as_secs_f64();
        let _ = write!(io::stderr().lock(), "\r\x1b[K{} documents, {megabytes:.0} MB, {rate:.1} MB/s", self.documents);
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
