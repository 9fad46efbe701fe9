//! The body: a form, or a number of bytes.

use crate::bytes;
use crate::findings::{Findings, Line};
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::decode::Layers;
use crate::stage::frame::{Chunks, dechunk, is_chunked};
use crate::stage::query::{self, Pairs};
use crate::stage::redact::Redact;
use crate::stage::unfold::{Fields, Known};
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// What the `B:` line says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    /// The pairs are in [`Pairs`].
    Form,
    Raw {
        len: usize,
    },
}

/// What the header fields say about the body.
#[derive(Clone, Copy, Default)]
pub(crate) struct Declared {
    form: bool,
    chunked: bool,
}

impl Declared {
    pub(crate) fn read(fields: &Fields) -> Declared {
        let mut declared = Declared::default();
        for field in &fields.list {
            let value = fields.value(field).bytes();
            match field.known {
                Some(Known::ContentType) => declared.form |= is_form(value),
                Some(Known::TransferEncoding) => declared.chunked = is_chunked(value),
                _ => {}
            }
        }
        declared
    }

    /// Framing may have joined the chunks already: what is left must not be taken for chunks again.
    pub(crate) const fn after_framing(self, dechunked: bool) -> Declared {
        Declared { chunked: self.chunked && !dechunked, ..self }
    }
}

fn is_form(content_type: &[u8]) -> bool {
    // Two types may have been joined in one field; a form if any says so.
    content_type.split(|&b| b == b',').any(|one| {
        let media_type = one.split(|&b| b == b';').next().unwrap_or_default();
        bytes::trim(media_type).eq_ignore_ascii_case(b"application/x-www-form-urlencoded")
    })
}

/// Joins the chunks of a body, if it begins with whole ones. What stands behind them is content all the same: a byte
/// too many must not hide what the chunks say, nor the chunks the byte.
fn join_chunks(body: &[u8], chunks: &mut Vec<u8>) -> bool {
    let Chunks::Whole { end } = dechunk(body, chunks) else { return false };
    let extra = &body[end..];
    if !extra.iter().all(|b| matches!(b, b'\r' | b'\n')) {
        chunks.extend_from_slice(extra);
    }
    true
}

/// Reads the body.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument is a different thing")]
pub(crate) fn run(
    raw: Hidden<'_>,
    declared: Declared,
    chunks: &mut Vec<u8>,
    pairs: &mut Pairs,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Body {
    pairs.clear();
    let body = if declared.chunked && join_chunks(raw.bytes(), chunks) {
        findings.change(Change::Dechunked, raw.whole());
        Hidden::new(chunks, raw.whole().start)
    } else {
        raw
    };
    if body.bytes().is_empty() {
        return Body::None;
    }
    findings.on(Line::Body);
    if !declared.form {
        return Body::Raw { len: body.len() };
    }
    findings.raise(Flag::BodyForm, body.whole());
    let text = body.bytes();
    let content = text.strip_suffix(b"\n").map_or(text, |rest| rest.strip_suffix(b"\r").unwrap_or(rest));
    if content.len() < text.len() {
        findings.change(Change::LineEndDropped, body.span(content.len(), text.len()));
    }
    query::run(body.slice(0, content.len()), true, pairs, layers, redact, settings, findings);
    Body::Form
}
