//! What content looks like, whatever its type says.

use crate::bytes;
use crate::table::finds::{FINDS, FindRow, Sign};

/// What a whole body looks like, other than `expected`.
pub(crate) fn of_body(body: &[u8], expected: &str) -> Option<&'static FindRow> {
    FINDS.iter().filter(|row| row.name != expected).find(|row| match row.sign {
        Sign::Structure => has_structure(row.name, body),
        _ => has_sign(row, body),
    })
}

/// Whether a body has the structure of any text that can be read.
pub(crate) fn has_any_structure(body: &[u8]) -> bool {
    FINDS.iter().any(|row| row.sign == Sign::Structure && has_structure(row.name, body))
}

/// What a file looks like by its first bytes.
pub(crate) fn of_file(file: &[u8]) -> Option<&'static FindRow> {
    FINDS.iter().find(|row| has_sign(row, file))
}

fn has_sign(row: &FindRow, content: &[u8]) -> bool {
    match row.sign {
        Sign::Magic(magic) => content.starts_with(magic),
        Sign::Code { start, anywhere } => content.starts_with(start) || contains_any_case(content, anywhere),
        Sign::PortableExecutable => is_portable_executable(content),
        Sign::Structure => false,
    }
}

/// `wanted` is in lower case and begins with a byte that has no case.
fn contains_any_case(content: &[u8], wanted: &[u8]) -> bool {
    let is_there = |at: usize| content[at..].get(..wanted.len()).is_some_and(|text| text.eq_ignore_ascii_case(wanted));
    memchr::memchr_iter(wanted[0], content).any(is_there)
}

fn is_portable_executable(content: &[u8]) -> bool {
    const OFFSET_OF_HEADER: usize = 0x3C;
    let header = || {
        let offset = content.get(OFFSET_OF_HEADER..)?.first_chunk::<4>()?;
        content.get(u32::from_le_bytes(*offset) as usize..)
    };
    content.starts_with(b"MZ") && header().is_some_and(|header| header.starts_with(b"PE\0\0"))
}

fn has_structure(name: &str, body: &[u8]) -> bool {
    let mut text = body;
    while let Some(rest) = text.strip_prefix(super::UTF8_BOM) {
        text = rest;
    }
    let text = text.trim_ascii();
    match name {
        "multipart" => is_multipart(body),
        "json" => super::json::is_like(text),
        "xml" => is_xml(text),
        "form" => is_form(body),
        _ => false,
    }
}

fn is_multipart(body: &[u8]) -> bool {
    let Some(line_end) = memchr::memchr(b'\n', &body[..body.len().min(80)]) else { return false };
    let head = &body[line_end..body.len().min(line_end + 512)];
    let wanted = b"content-disposition: form-data";
    body.starts_with(b"--") && head.windows(wanted.len()).any(|text| text.eq_ignore_ascii_case(wanted))
}

fn is_xml(text: &[u8]) -> bool {
    let begins = |prefix: &[u8]| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let element = matches!(text, [b'<', first, .., b'>'] if first.is_ascii_alphabetic());
    let closes = |closing: &[u8]| memchr::memmem::find(text, closing).is_some();
    begins(b"<?xml") || begins(b"<!") || (element && (closes(b"</") || closes(b"/>")))
}

fn is_form(body: &[u8]) -> bool {
    /// A longer name is a text with an equals sign in it.
    const LONGEST_NAME: usize = 64;
    let text = bytes::without_line_end(body);
    let is_line = |b: &u8| !matches!(b, b'\r' | b'\n');
    let in_name =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'[' | b']' | b'%' | b'+' | b'$');
    let mut any_value = false;
    let is_pair = |pair: &[u8]| {
        let Some(equals) = memchr::memchr(b'=', pair) else { return false };
        let (name, value) = (&pair[..equals], &pair[equals + 1..]);
        any_value |= !value.is_empty();
        matches!(name, [first, ..] if first.is_ascii_alphabetic() || matches!(first, b'_' | b'%'))
            && name.len() <= LONGEST_NAME
            && name.iter().all(in_name)
            && !value.starts_with(b"=")
    };
    text.iter().all(is_line) && text.split(|&b| b == b'&').all(is_pair) && any_value
}
