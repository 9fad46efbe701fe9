//! Bytes of one input file, as a window that grows at the end and is consumed from the front.

use crate::report::{Stop, shown};
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

/// U+FEFF, as some editors put it before text.
pub(crate) const BOM: &[u8] = "\u{feff}".as_bytes();

pub(crate) struct Source {
    name: String,
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    /// What one read gives, on its way into the buffer.
    chunk: Box<[u8]>,
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
            let name = shown(path);
            match File::open(path) {
                Ok(file) => (name, Box::new(file)),
                Err(error) => return Err(Stop::Input { file: name, error }),
            }
        };
        Ok(Source::new(name, reader))
    }

    fn new(name: String, reader: Box<dyn Read>) -> Source {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Source { name, reader, buffer: Vec::new(), chunk, start: 0, offset: 0, ended: false }
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
            match self.reader.read(&mut self.chunk) {
                Ok(count) => {
                    self.buffer.extend_from_slice(&self.chunk[..count]);
                    self.ended = count == 0;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Input { file: self.name.clone(), error }),
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

    /// Consumes a byte order mark at the front. To a raw request it is content; in text it is none.
    pub(crate) fn skip_bom(&mut self) -> Result<(), Stop> {
        while !self.ended && self.pending().len() < BOM.len() && BOM.starts_with(self.pending()) {
            self.fill()?;
        }
        if self.pending().starts_with(BOM) {
            self.consume(BOM.len());
        }
        Ok(())
    }
}

/// What the beginning of a file tells; nothing while the bytes that decide are missing and there may be more.
pub(crate) fn kind_of(bytes: &[u8], complete: bool) -> Option<Kind> {
    if !complete && bytes.len() < BOM.len() && BOM.starts_with(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let line = &bytes[blank_lines(bytes)..];
    // `M:` begins its line; a JSON object may be indented.
    match (line, line.trim_ascii_start()) {
        (_, [b'{', ..]) => Some(Kind::Jsonl),
        ([b'M', b':', ..], _) => Some(Kind::Canonical),
        ([b'M'], _) | (_, []) if !complete => None,
        _ => Some(Kind::Stream),
    }
}

/// The length of the lines at the front that are nothing but white space.
pub(crate) fn blank_lines(bytes: &[u8]) -> usize {
    let blank = bytes.len() - bytes.trim_ascii_start().len();
    bytes[..blank].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot read has failed")]

    use super::*;
    use std::time::{Duration, Instant};

    /// Gives a little at a time, as a pipe does.
    struct Drops {
        left: usize,
    }

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.left).min(1024);
            buffer[..count].fill(b'x');
            self.left -= count;
            Ok(count)
        }
    }

    #[test]
    fn a_long_window_fills_in_linear_time() {
        let began = Instant::now();
        let mut source = Source::new("drops".to_owned(), Box::new(Drops { left: 64 << 20 }));
        while source.fill().unwrap() {}
        assert_eq!(source.pending().len(), 64 << 20);
        // Tens of milliseconds; where each read touches the window again, tens of seconds.
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    fn detection_waits_for_what_decides() {
        for (bytes, kind) in [
            (&b"\xef\xbb\xbfM:GET"[..], Kind::Canonical),
            (b"\xef\xbb\xbf \n{", Kind::Jsonl),
            (b" \t\nM:GET", Kind::Canonical),
            (b" M:GET", Kind::Stream),
            (b"\xef\xbbGET / HTTP/1.1", Kind::Stream),
            (b"\xef\xbb\xbfGET / HTTP/1.1", Kind::Stream),
        ] {
            assert_eq!(kind_of(bytes, true), Some(kind), "{}", bytes.escape_ascii());
            for end in 0..bytes.len() {
                assert!(kind_of(&bytes[..end], false).is_none_or(|said| said == kind), "{}", bytes.escape_ascii());
            }
        }
    }
}
