//! Bytes of one input file, as a window that grows at the end and is consumed from the front.

use crate::report::Stop;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// What a file holds, as far as its first line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Stream,
    Jsonl,
    Canonical,
}

/// How much is asked of the system at a time.
const CHUNK: usize = 256 * 1024;

/// How much white space detection looks behind; after that it is a stream like anything else.
const MAX_BLANK: usize = 1024 * 1024;

pub(crate) struct Source {
    name: String,
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Where the window begins; what is before has been consumed.
    start: usize,
    /// Bytes of the file before the window.
    offset: u64,
    ended: bool,
}

impl Source {
    /// `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Source, Stop> {
        let (name, reader): (_, Box<dyn Read>) = if path == Path::new("-") {
            ("<stdin>".to_owned(), Box::new(io::stdin().lock()))
        } else {
            // A line end in a file name must not begin a new message.
            let name = path.display().to_string().replace(char::is_control, "\u{fffd}");
            match File::open(path) {
                Ok(file) => (name, Box::new(file)),
                Err(error) => return Err(Stop::Input { file: name, error }),
            }
        };
        Ok(Source { name, reader, buffer: Vec::new(), start: 0, offset: 0, ended: false })
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The window: what was read and not yet consumed.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Where in the file the window begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// There is nothing behind the window.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        let bytes = bytes.min(self.pending().len());
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Makes the window longer; false at the end of the input.
    ///
    /// A short window takes what one read gives, so that a live pipe is answered at once. A long one grows by half at
    /// least: its reader may begin again at its front each time, and the sum of that must stay linear.
    pub(crate) fn fill(&mut self) -> Result<bool, Stop> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let before = self.buffer.len();
        let at_least = if before < CHUNK { 1 } else { before / 2 };
        while !self.ended && self.buffer.len() - before < at_least {
            let filled = self.buffer.len();
            self.buffer.resize(filled + CHUNK.max(at_least), 0);
            match self.reader.read(&mut self.buffer[filled..]) {
                Ok(count) => {
                    self.buffer.truncate(filled + count);
                    self.ended = count == 0;
                }
                Err(error) => {
                    self.buffer.truncate(filled);
                    if error.kind() != ErrorKind::Interrupted {
                        return Err(Stop::Input { file: self.name.clone(), error });
                    }
                }
            }
        }
        Ok(self.buffer.len() > before)
    }

    /// Looks at the first line that is not blank, without consuming it.
    pub(crate) fn detect(&mut self) -> Result<Kind, Stop> {
        loop {
            if let Some(kind) = kind_of(self.pending(), self.ended || self.pending().len() > MAX_BLANK) {
                return Ok(kind);
            }
            self.fill()?;
        }
    }
}

/// What the beginning of a file tells; nothing while the bytes that decide are missing and there may be more.
pub(crate) fn kind_of(bytes: &[u8], complete: bool) -> Option<Kind> {
    let text = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    // `M:` begins its line; a JSON object may be indented.
    let begins_line = text == 0 || bytes[text - 1] == b'\n';
    match &bytes[text..] {
        [b'{', ..] => Some(Kind::Jsonl),
        [b'M', b':', ..] if begins_line => Some(Kind::Canonical),
        [] | [b'M'] if !complete => None,
        _ => Some(Kind::Stream),
    }
}
