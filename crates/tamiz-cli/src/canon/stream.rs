//! Requests one after the other, as on a connection.

use super::Work;
use super::output::Carried;
use super::source::Source;
use crate::report::{Report, Stop};
use tamiz::{Next, Splitter};

pub(super) fn read(source: &mut Source, work: &mut Work<'_>) -> Result<(), Stop> {
    let mut splitter = Splitter::new();
    let mut gap = Gap::default();
    loop {
        match splitter.next(source.pending(), source.ended()) {
            Next::Request { framed, consumed, .. } => {
                gap.close(source.name(), work.report);
                work.document.clear();
                work.engine.canonicalize_framed(&framed, &mut work.document);
                work.write(&Carried::NOTHING)?;
                source.consume(consumed);
            }
            Next::Skipped { bytes } => {
                // Empty lines are no loss.
                if source.pending()[..bytes].iter().any(|byte| !matches!(byte, b'\r' | b'\n')) {
                    gap.extend(source.offset(), bytes);
                }
                source.consume(bytes);
            }
            Next::More if !source.ended() => {
                work.fill(source)?;
            }
            Next::More | Next::End => {
                gap.close(source.name(), work.report);
                return Ok(());
            }
        }
    }
}

/// For a source that was read to its end as one request: says so where a second one seems to follow.
pub(crate) fn note_more_requests(source: &Source, report: &mut Report) {
    let Next::Request { consumed, .. } = Splitter::new().next(source.pending(), true) else {
        return;
    };
    let behind = source.pending()[consumed..].trim_ascii_start();
    let line = behind.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let mut words = line.rsplit(|byte| *byte == b' ');
    if words.next().is_some_and(|last| last.starts_with(b"HTTP/")) && words.next().is_some() {
        let file = source.name();
        report.note(format_args!(
            "{file}: note: what follows the first request was read as its body; `tamiz canon` reads many"
        ));
    }
}

/// Bytes between two requests that belong to none. They may be skipped in pieces; the note is one.
#[derive(Default)]
struct Gap {
    offset: u64,
    bytes: u64,
}

impl Gap {
    fn extend(&mut self, offset: u64, bytes: usize) {
        if self.bytes == 0 {
            self.offset = offset;
        }
        self.bytes += bytes as u64;
    }

    fn close(&mut self, file: &str, report: &mut Report) {
        let Gap { offset, bytes } = std::mem::take(self);
        if bytes > 0 {
            let noun = if bytes == 1 { "byte" } else { "bytes" };
            report.note(format_args!("{file}: skipped {bytes} {noun} at offset {offset}: no request begins there"));
        }
    }
}
