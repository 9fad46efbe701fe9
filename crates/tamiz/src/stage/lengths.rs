//! What the header fields say about the length of the body, and every way of saying it that two parsers read
//! differently.

use crate::bytes;
use crate::findings::{Findings, FlagSet, Line};
use crate::stage::frame::{is_chunked, plain_number};
use crate::stage::unfold::{Field, Fields, Known};
use crate::table::flags::Flag;

/// The length of the body, as far as the fields are clear about it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lengths {
    /// The last transfer coding is `chunked`.
    pub(crate) chunked: bool,
    /// All content lengths are this number, and there is no transfer coding.
    pub(crate) length: Option<usize>,
}

/// Reads the lengths and raises what is odd about them, and about the fields themselves.
pub(crate) fn run(fields: &Fields, findings: &mut Findings) -> Lengths {
    raise_odd_fields(fields, findings);
    let transfer_encodings = all(fields, Known::TransferEncoding).count();
    let Some((_, first)) = all(fields, Known::ContentLength).next() else {
        return Lengths { chunked: read_transfer_encodings(fields, false, findings), length: None };
    };
    let first = fields.value(first).bytes();
    let conflict = all(fields, Known::ContentLength).any(|(_, field)| fields.value(field).bytes() != first);
    for (i, field) in all(fields, Known::ContentLength) {
        findings.on(Line::Field(i));
        let value = fields.value(field).bytes();
        if !is_plain(value) {
            findings.raise(Flag::ClBad, field.span);
        }
        if conflict || list_conflicts(value) {
            findings.raise(Flag::ClConflict, field.span);
        }
        if transfer_encodings > 0 {
            findings.raise(Flag::ClTe, field.span);
        }
    }
    let chunked = read_transfer_encodings(fields, true, findings);
    let length = plain_number(first).filter(|_| transfer_encodings == 0 && !conflict && is_plain(first));
    Lengths { chunked, length }
}

fn all(fields: &Fields, known: Known) -> impl Iterator<Item = (usize, &Field)> {
    fields.list.iter().enumerate().filter(move |(_, field)| field.known == Some(known))
}

/// Digits alone, and no more of them than every parser has room for.
fn is_plain(value: &[u8]) -> bool {
    /// A signed 64-bit number holds any of so many.
    const MOST_DIGITS: usize = 18;
    let zeros = value.iter().take_while(|&&b| b == b'0').count();
    plain_number(value).is_some() && value.len() - zeros <= MOST_DIGITS
}

/// A list of lengths in one field that are not all alike.
fn list_conflicts(value: &[u8]) -> bool {
    let mut items = value.split(|&b| b == b',').map(bytes::trim);
    let first = items.next();
    items.any(|item| Some(item) != first)
}

/// Whether the last one says `chunked`.
fn read_transfer_encodings(fields: &Fields, length_too: bool, findings: &mut Findings) -> bool {
    let count = all(fields, Known::TransferEncoding).count();
    let mut chunked = false;
    for (i, field) in all(fields, Known::TransferEncoding) {
        findings.on(Line::Field(i));
        let value = fields.value(field).bytes();
        chunked = is_chunked(value);
        if value != b"chunked" || count > 1 || field.oddities != FlagSet::default() {
            findings.raise(Flag::TeBad, field.span);
        }
        if length_too {
            findings.raise(Flag::ClTe, field.span);
        }
    }
    chunked
}

/// White space before a colon, and NULs: what one parser strips and another takes for a part of the name or value.
fn raise_odd_fields(fields: &Fields, findings: &mut Findings) {
    let nul = fields.have_nul();
    for (i, field) in fields.list.iter().enumerate() {
        if field.space_before_colon {
            findings.on(Line::Field(i));
            findings.raise(Flag::ColonSpace, field.span);
        }
        if nul && [fields.name(field), fields.value(field)].iter().any(|text| text.bytes().contains(&0)) {
            findings.on(Line::Field(i));
            findings.raise(Flag::HdrNul, field.span);
        }
    }
}
