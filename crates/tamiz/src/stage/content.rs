//! What content shows before redaction hides it: dangerous characters, controls, invisible and mixed scripts.

use icu_properties::CodePointMapData;
use icu_properties::props::Script;

use crate::bytes::{self, Classes, class};
use crate::findings::{Findings, Span};
use crate::hidden::{Hidden, Unit, units};
use crate::placeholder::Placeholder;
use crate::settings::Settings;
use crate::stage::decode::Decoded;
use crate::table::flags::Flag;

/// Where content stands decides what is looked for in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    /// A key of the query, or a name of the body.
    Key,
    /// A value of the query or of the body.
    Value,
    /// A header value.
    Header,
    /// A header value that fits its own syntax: no dangerous characters in it.
    Syntax,
    Host,
}

const DANGEROUS: &[(Classes, Flag)] = &[
    (Classes::LESS.or(Classes::GREATER), Flag::Angle),
    (Classes::QUOTE, Flag::Quote),
    (Classes::SEMICOLON, Flag::Semicolon),
    (Classes::PAREN, Flag::Paren),
    (Classes::BRACE, Flag::Brace),
    (Classes::PIPE, Flag::Pipe),
    (Classes::BACKSLASH, Flag::Backslash),
    (Classes::BACKTICK, Flag::Backtick),
    (Classes::DOLLAR, Flag::Dollar),
];

/// All classes of [`DANGEROUS`].
pub(crate) const ANY_DANGEROUS: Classes = {
    let mut all = Classes::NONE;
    let mut i = 0;
    while i < DANGEROUS.len() {
        all = all.or(DANGEROUS[i].0);
        i += 1;
    }
    all
};

/// Raises everything that the key of a query or of a body shows; `place` is where it stands in the request.
pub(crate) fn key(key: &Decoded<'_>, place: Span, settings: &Settings, findings: &mut Findings) {
    if key.classes().has(Classes::HIGH) {
        findings.raise(Flag::QNonAscii, place);
    }
    run(key.text(), key.classes(), Place::Key, &settings.scripts, findings);
}

/// Raises everything that the value of a query or of a body shows; `place` is where it stands in the request.
pub(crate) fn value(value: &Decoded<'_>, place: Span, settings: &Settings, findings: &mut Findings) {
    value_text(value.text(), value.classes(), place, settings, findings);
}

/// The same of a piece of a value.
pub(crate) fn value_text(
    text: Hidden<'_>,
    classes: Classes,
    place: Span,
    settings: &Settings,
    findings: &mut Findings,
) {
    if text.len() > settings.long_value && decoded_bytes(text.bytes()) > settings.long_value {
        findings.raise(Flag::QLong, place);
    }
    if classes.has(Classes::HIGH) {
        findings.raise(Flag::QNonAscii, place);
    }
    run(text, classes, Place::Value, &settings.scripts, findings);
}

/// The bytes of a decoded value, in which an escape that could not be decoded is one.
fn decoded_bytes(text: &[u8]) -> usize {
    units(text).map(|unit| if let Unit::Char(c) = unit { c.len_utf8() } else { 1 }).sum()
}

/// Raises everything that a text shows. `classes` are those of the text.
pub(crate) fn run(text: Hidden<'_>, classes: Classes, place: Place, scripts: &[Script], findings: &mut Findings) {
    let spaces = matches!(place, Place::Path | Place::Key | Place::Host);
    let quiet = Classes::ALNUM.or(Classes::DASH).or(Classes::DOT).or(Classes::SLASH).or(Classes::COLON);
    if classes.only(quiet) && place != Place::Value {
        return;
    }
    let seen = if classes.has(Classes::LESS) { outside_placeholders(text, spaces, findings) } else { classes };
    if place != Place::Syntax && seen.has(ANY_DANGEROUS) {
        for &(wanted, flag) in DANGEROUS {
            if seen.has(wanted) {
                findings.raise(flag, first(text, wanted));
            }
        }
    }
    if spaces && seen.has(Classes::SPACE) {
        findings.raise(Flag::Space, first(text, Classes::SPACE));
    }
    if classes.has(Classes::ANY_CONTROL) {
        controls(text, classes, place, findings);
    }
    if classes.has(Classes::HIGH) {
        let mixing = !matches!(place, Place::Header | Place::Syntax);
        characters(text, if mixing { scripts } else { &[] }, findings);
    }
    if place == Place::Value {
        patterns(text, classes, findings);
    }
}

/// The classes of a text without the placeholders in it, whose inside is not inspected.
fn outside_placeholders(text: Hidden<'_>, spaces_escaped: bool, findings: &mut Findings) -> Classes {
    let bytes = text.bytes();
    let mut seen = Classes::NONE;
    let mut at = 0;
    for less in memchr::memchr_iter(b'<', bytes) {
        if less < at {
            continue;
        }
        let read = if spaces_escaped { Placeholder::without_space } else { Placeholder::at_start };
        if let Some(len) = read(&bytes[less..]).map(|placeholder| placeholder.bytes) {
            findings.raise(Flag::PreRedacted, text.span(less, less + len));
            seen = seen.or(bytes::classes(&bytes[at..less]));
            at = less + len;
        }
    }
    seen.or(bytes::classes(&bytes[at..]))
}

fn first(text: Hidden<'_>, wanted: Classes) -> Span {
    let at = text.bytes().iter().position(|&b| class(b).has(wanted)).unwrap_or(0);
    text.span(at, at + 1)
}

fn controls(text: Hidden<'_>, classes: Classes, place: Place, findings: &mut Findings) {
    findings.raise(Flag::Control, first(text, Classes::ANY_CONTROL));
    if classes.has(Classes::NUL) {
        let span = first(text, Classes::NUL);
        findings.raise(Flag::Nul, span);
        if place == Place::Value {
            findings.raise(Flag::QNul, span);
        }
    }
}

/// BADCRLF for a line end inside a target. That it is a control as well is for the decoded text to say.
pub(crate) fn line_ends(raw: Hidden<'_>, findings: &mut Findings) {
    if let Some(at) = memchr::memchr2(b'\r', b'\n', raw.bytes()) {
        findings.raise(Flag::BadCrlf, raw.span(at, at + 1));
    }
}

/// CONTROL, NUL, INVISIBLE and BADUTF8 of bytes that are written nowhere.
pub(crate) fn hidden_characters(raw: &[u8], span: Span, findings: &mut Findings) {
    let classes = bytes::classes(raw);
    if classes.has(Classes::ANY_CONTROL) {
        findings.raise(Flag::Control, span);
    }
    if classes.has(Classes::NUL) {
        findings.raise(Flag::Nul, span);
    }
    if classes.has(Classes::HIGH) {
        match std::str::from_utf8(raw) {
            Ok(_) => characters(Hidden::new(raw, span.start), &[], findings),
            Err(_) => findings.raise(Flag::BadUtf8, span),
        }
    }
}

/// CONTROL, INVISIBLE and MIXEDSCRIPT of a text with non-ASCII characters.
pub(crate) fn characters(text: Hidden<'_>, scripts: &[Script], findings: &mut Findings) {
    let map = CodePointMapData::<Script>::new();
    // The script seen in the present run of letters, if it is one of those that must not mix.
    let mut run: Option<Script> = None;
    let mut at = 0;
    for unit in units(text.bytes()) {
        let (c, len) = match unit {
            Unit::Char(c) => (c, c.len_utf8()),
            Unit::Kept(_) => {
                run = None;
                at += 2;
                continue;
            }
        };
        let span = || text.span(at, at + len);
        if !c.is_ascii() {
            if bytes::is_control(c) {
                findings.raise(Flag::Control, span());
            } else if bytes::is_invisible(c) {
                findings.raise(Flag::Invisible, span());
            }
        }
        if !scripts.is_empty() {
            let script = if c.is_ascii_alphabetic() { Script::Latin } else { map.get(c) };
            if bytes::is_alphabetic(c) {
                if scripts.contains(&script) && *run.get_or_insert(script) != script {
                    findings.raise(Flag::MixedScript, span());
                }
            } else if script != Script::Inherited {
                run = None;
            }
        }
        at += len;
    }
}

/// What a shape would hide of a query or form value.
fn patterns(text: Hidden<'_>, classes: Classes, findings: &mut Findings) {
    let bytes = text.bytes();
    if classes.has(Classes::DOT) && classes.has(Classes::SLASH.or(Classes::BACKSLASH)) {
        let up = memchr::memmem::find(bytes, b"../").or_else(|| memchr::memmem::find(bytes, b"..\\"));
        if let Some(at) = up {
            findings.raise(Flag::QDotDot, text.span(at, at + 3));
        }
    }
    if classes.has(Classes::SLASH)
        && let Some(at) = memchr::memmem::find(bytes, b"/*")
    {
        findings.raise(Flag::QComment, text.span(at, at + 2));
    }
    if classes.has(Classes::DASH.or(Classes::HASH))
        && classes.has(Classes::SPACE.or(Classes::QUOTE).or(Classes::DIGIT).or(Classes::PAREN))
        && let Some(at) = comment_after(bytes)
    {
        findings.raise(Flag::QComment, text.span(at + 1, at + 2));
    }
}

/// Where `--` or `#` stands behind a space, a quote, a digit or a parenthesis.
fn comment_after(bytes: &[u8]) -> Option<usize> {
    let opens = Classes::SPACE.or(Classes::QUOTE).or(Classes::DIGIT).or(Classes::PAREN);
    bytes.windows(2).enumerate().position(|(at, pair)| {
        class(pair[0]).has(opens) && (pair[1] == b'#' || (pair[1] == b'-' && bytes.get(at + 2) == Some(&b'-')))
    })
}
