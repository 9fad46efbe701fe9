//! Sensitive names, in whatever clothes they arrive.

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::bytes::{self, Classes};
use crate::hidden::{Unit, units};
use crate::settings::Settings;
use crate::stage::decode::reference_at;
use crate::table::headers::HEADERS;
use crate::table::lookalikes::ascii_lookalike;
use crate::table::secrets::{SENSITIVE_NAMES, SENSITIVE_PARTS};

/// A back end may decode more often than we do.
const ROUNDS: usize = 4;

/// Buffers for folding names, kept by the engine.
#[derive(Default)]
pub(crate) struct NameScratch {
    folded: Vec<u8>,
    text: String,
    decoded: Vec<u8>,
}

/// Whether a decoded or raw name says that its value is a secret, at whatever depth it is read.
pub(crate) fn is_sensitive(name: &[u8], settings: &Settings, scratch: &mut NameScratch) -> bool {
    let NameScratch { folded, text, decoded } = scratch;
    folded.clear();
    folded.extend(name.iter().map(|&b| fold_byte(b)));
    if matches_table(folded, settings) {
        return true;
    }
    let odd = Classes::HIGH.or(Classes::PERCENT).or(Classes::AMP).or(Classes::ANY_CONTROL);
    if !bytes::classes(name).has(odd) {
        return false;
    }
    readable(name, text);
    for _ in 0..ROUNDS {
        let changed = decode_once(text, decoded);
        folded.clear();
        folded.extend(text.chars().map(bytes::fold_case).filter_map(fold_char));
        if matches_table(folded, settings) {
            return true;
        }
        if !changed {
            break;
        }
    }
    false
}

const fn fold_byte(byte: u8) -> u8 {
    match byte {
        b'_' | b'.' => b'-',
        _ => byte.to_ascii_lowercase(),
    }
}

fn fold_char(c: char) -> Option<u8> {
    if bytes::is_control(c) || bytes::is_invisible(c) {
        return None;
    }
    Some(if c.is_ascii() { fold_byte(c as u8) } else { ascii_lookalike(c).unwrap_or(b'?') })
}

fn matches_table(name: &[u8], settings: &Settings) -> bool {
    let whole = name.strip_prefix(b"x-").unwrap_or(name);
    // `user[pin]` and `pin[]` are a pin, however a back end nests its parameters.
    let is_whole = |part: &[u8]| SENSITIVE_NAMES.iter().any(|wanted| wanted.as_bytes() == part);
    is_whole(whole)
        || (memchr::memchr(b'[', whole).is_some() && whole.split(|b| matches!(b, b'[' | b']')).any(is_whole))
        || contains_part(name)
        || settings.extra_names.iter().any(|wanted| memchr::memmem::find(name, wanted).is_some())
}

fn contains_part(name: &[u8]) -> bool {
    /// For each first byte of a part, the second bytes, as bits modulo 64: most of a name is passed over with one look.
    const SECOND: [u64; 256] = {
        let mut second = [0; 256];
        let mut i = 0;
        while i < SENSITIVE_PARTS.len() {
            let part = SENSITIVE_PARTS[i].as_bytes();
            second[part[0] as usize] |= 1 << (part[1] & 63);
            i += 1;
        }
        second
    };
    name.windows(2).enumerate().any(|(i, pair)| {
        SECOND[usize::from(pair[0])] >> (pair[1] & 63) & 1 == 1
            && SENSITIVE_PARTS.iter().any(|part| name[i..].starts_with(part.as_bytes()))
    })
}

/// The name as configuration writes it, in the form that names are compared in.
pub(crate) fn fold_configured(name: &str) -> Vec<u8> {
    let normalized = ComposingNormalizerBorrowed::new_nfkc().normalize(name).into_owned();
    normalized.chars().map(bytes::fold_case).filter_map(fold_char).collect()
}

/// Whether each row of the header table has a sensitive name: asked once, not for every request.
pub(crate) fn sensitive_rows(settings: &Settings) -> Vec<bool> {
    let mut scratch = NameScratch::default();
    HEADERS.iter().map(|row| is_sensitive(row.name.as_bytes(), settings, &mut scratch)).collect()
}

/// A decoded or raw name as text.
fn readable(name: &[u8], text: &mut String) {
    text.clear();
    text.extend(units(name).map(|unit| match unit {
        Unit::Char(c) => c,
        Unit::Kept(byte) if byte.is_ascii() => char::from(byte),
        Unit::Kept(_) => char::REPLACEMENT_CHARACTER,
    }));
}

/// One round: NFKC, percent and entities. Returns whether that changed anything.
fn decode_once(text: &mut String, decoded: &mut Vec<u8>) -> bool {
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    let normalized = normalizer.normalize(text);
    let source = normalized.as_bytes();
    decoded.clear();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let rest = &source[at..];
        if byte == b'%'
            && let Some(value) = bytes::hex_byte(&rest[1..])
        {
            decoded.push(value);
            at += 3;
        } else if byte == b'&'
            && let Some(reference) = reference_at(rest)
        {
            reference.push_to(decoded);
            at += reference.len;
        } else {
            decoded.push(byte);
            at += 1;
        }
    }
    let next = normalizer.normalize(&String::from_utf8_lossy(decoded)).into_owned();
    let changed = next != *text;
    *text = next;
    changed
}
