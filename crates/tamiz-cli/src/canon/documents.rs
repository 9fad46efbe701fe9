//! Documents in, separated by empty lines: checked, and written unchanged.

use super::Work;
use super::output::Carried;
use super::source::Source;
use crate::report::{Place, Stop};
use tamiz::Document;

pub(super) fn read(source: &mut Source, work: &mut Work<'_>) -> Result<(), Stop> {
    let mut line = 1;
    // How far the window is known to hold no end of a document.
    let mut scanned = 0;
    loop {
        let pending = source.pending();
        if pending.first() == Some(&b'\n') {
            source.consume(1);
            line += 1;
            continue;
        }
        let end = match pending[scanned..].windows(2).position(|pair| pair == b"\n\n") {
            // The document keeps its own line end; the separator is taken off by the next round.
            Some(at) => scanned + at + 1,
            None if source.ended() => pending.len(),
            None => {
                scanned = pending.len().saturating_sub(1);
                work.fill(source)?;
                continue;
            }
        };
        if end == 0 {
            return Ok(());
        }
        let bytes = &pending[..end];
        match checked(bytes) {
            Ok(text) => {
                work.document.clear();
                work.document.push_str(text);
                work.write(&Carried::NOTHING)?;
            }
            Err(Fault { line: within, column, reason }) => {
                let place = Place { file: source.name(), line: line + within as u64 - 1, column: Some(column) };
                work.report.record(place, reason);
            }
        }
        line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        source.consume(end);
        scanned = 0;
    }
}

/// What is wrong with a document, counted from its own first line.
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) reason: &'static str,
}

/// The text of one document, if it is one.
pub(crate) fn checked(bytes: &[u8]) -> Result<&str, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = good.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Fault { line, column, reason: "not UTF-8" }
    })?;
    match Document::parse(text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Fault { line: error.line(), column: error.column(), reason: error.reason() }),
    }
}
