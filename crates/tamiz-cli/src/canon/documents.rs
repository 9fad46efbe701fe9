//! Documents in, separated by empty lines: checked, and written unchanged.

use super::Work;
use super::output::Carried;
use super::source::{BOM, Source, blank_lines};
use crate::report::{Place, Stop};
use tamiz::Document;

pub(super) fn read(source: &mut Source, work: &mut Work<'_>) -> Result<(), Stop> {
    let mut line = 1 + skip_blank_lines(source, work)?;
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
        work.document.clear();
        match checked(bytes, &mut work.document) {
            Ok(()) => work.write(&Carried::NOTHING)?,
            Err(Fault { line: within, column, reason }) => {
                let place = Place { file: source.name(), line: line + within as u64 - 1, column: Some(column) };
                work.report.record(place, reason);
            }
        }
        line += line_ends(bytes) as u64;
        source.consume(end);
        scanned = 0;
    }
}

/// Takes off the lines that detection looks behind, and says how many there were.
fn skip_blank_lines(source: &mut Source, work: &mut Work<'_>) -> Result<u64, Stop> {
    let mut lines = 0;
    loop {
        let pending = source.pending();
        let text = !pending.trim_ascii_start().is_empty();
        let blank = if source.ended() && !text { pending.len() } else { blank_lines(pending) };
        lines += line_ends(&pending[..blank]) as u64;
        source.consume(blank);
        if text || source.ended() {
            return Ok(lines);
        }
        work.fill(source)?;
    }
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// What is wrong with a document, counted from its own first line.
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) reason: &'static str,
}

/// The only document of a file, read with the rules for many.
pub(crate) fn one(file: &[u8]) -> Result<String, Fault> {
    let bytes = file.strip_prefix(BOM).unwrap_or(file);
    let (blank, bytes) = bytes.split_at(blank_lines(bytes));
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").map_or(bytes.len(), |at| at + 1);
    let (document, behind) = bytes.split_at(end);
    let mut text = String::new();
    let mut checked = checked(document, &mut text);
    if let Some(next) = behind.iter().position(|byte| *byte != b'\n') {
        let line = line_ends(&bytes[..end + next]) + 1;
        checked = checked.and(Err(Fault { line, column: 1, reason: "more than one document" }));
    }
    match checked {
        Ok(()) => Ok(text),
        Err(fault) => Err(Fault { line: line_ends(blank) + fault.line, ..fault }),
    }
}

/// Appends one document, if it is one, with the line end that its last line may lack.
fn checked(bytes: &[u8], out: &mut String) -> Result<(), Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let column = good.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Fault { line: line_ends(good) + 1, column, reason: "not UTF-8" }
    })?;
    let first = text.split('\n').next().unwrap_or_default();
    if first.ends_with('\r') {
        let column = first.chars().count();
        return Err(Fault { line: 1, column, reason: "lines must end in LF, not CRLF" });
    }
    Document::parse(text).map_err(|error| Fault {
        line: error.line(),
        column: error.column(),
        reason: error.reason(),
    })?;
    out.push_str(text);
    if !text.ends_with('\n') {
        out.push('\n');
    }
    Ok(())
}
