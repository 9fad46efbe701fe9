//! Decoding, each pass exactly once: UTF-8, NFKC, percent, NFKC of what that produced, entities.
//!
//! What comes out is [`Decoded`], which no pass takes as its input: a text cannot be decoded twice by mistake.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use crate::bytes::{self, Classes};
use crate::findings::{Findings, Span};
use crate::hidden::{Hidden, KEPT, PRESERVED};
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// Which passes a component gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Component {
    /// All passes; `%2F` and `%5C` are preserved.
    Path,
    /// All passes.
    Key,
    /// No NFKC.
    Value,
}

/// A text after its passes. May hold marks, see [`crate::hidden`].
#[derive(Clone, Copy)]
pub(crate) struct Decoded<'a> {
    text: Hidden<'a>,
    classes: Classes,
    /// A valid `%hh` was left in the text.
    pub(crate) residue: bool,
}

impl<'a> Decoded<'a> {
    pub(crate) const fn text(&self) -> Hidden<'a> {
        self.text
    }

    pub(crate) const fn classes(&self) -> Classes {
        self.classes
    }
}

/// Decodes one component and raises what that repaired or could not repair.
pub(crate) fn run<'a>(
    raw: Hidden<'a>,
    component: Component,
    form: bool,
    layers: &'a mut Layers,
    findings: &mut Findings,
) -> Decoded<'a> {
    let classes = bytes::classes(raw.bytes());
    let plus = form && classes.has(Classes::PLUS);
    if !plus && !classes.has(Classes::HIGH.or(Classes::PERCENT).or(Classes::AMP)) {
        return Decoded { text: raw, classes, residue: false };
    }
    layers.load(raw);
    if classes.has(Classes::HIGH) {
        to_utf8(layers, raw, findings);
        if component != Component::Value {
            nfkc(layers, findings);
        }
    }
    if plus || layers.has(b'%') {
        percent(layers, component, form, findings);
        if component != Component::Value {
            nfkc(layers, findings);
        }
    }
    if layers.has(b'&') {
        entities(layers, findings);
    }
    let residue = residue(layers.text(), component, findings);
    Decoded { residue, ..layers.decoded() }
}

/// The text between two passes, and the one being written. Kept by the engine, so that a warm one does not allocate.
#[derive(Default)]
pub(crate) struct Layers {
    now: Layer,
    next: Layer,
    run: Vec<(u8, usize)>,
    run_bytes: Vec<u8>,
    normalized: String,
    base: usize,
    origin: Option<Span>,
    traced: bool,
}

#[derive(Default)]
struct Layer {
    bytes: Vec<u8>,
    /// The input offset of every byte and of the end, while a request is being explained.
    map: Vec<usize>,
}

impl Layers {
    pub(crate) fn trace(&mut self, on: bool) {
        self.traced = on;
    }

    fn load(&mut self, raw: Hidden<'_>) {
        self.base = raw.whole().start;
        self.origin = raw.origin();
        self.now.bytes.clear();
        self.now.bytes.extend_from_slice(raw.bytes());
        self.now.map.clear();
        if self.traced {
            self.now.map.extend((0..=raw.len()).map(|i| raw.span(i, i).start));
        }
    }

    fn text(&self) -> Hidden<'_> {
        Hidden::mapped(&self.now.bytes, self.base, &self.now.map).with_origin(self.origin)
    }

    fn decoded(&self) -> Decoded<'_> {
        let text = self.text();
        Decoded { text, classes: bytes::classes(text.bytes()), residue: false }
    }

    fn has(&self, byte: u8) -> bool {
        memchr::memchr(byte, &self.now.bytes).is_some()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        self.text().span(start, end)
    }

    /// Begins a pass.
    fn begin(&mut self) {
        self.next.bytes.clear();
        self.next.map.clear();
    }

    /// Appends `bytes`, which come from `source` in the text before this pass.
    fn put(&mut self, bytes: &[u8], source: usize) {
        self.next.bytes.extend_from_slice(bytes);
        if self.traced {
            let at = self.now.map.get(source).copied().unwrap_or_default();
            self.next.map.extend(std::iter::repeat_n(at, bytes.len()));
        }
    }

    /// Appends a part of the text before this pass as it is.
    fn copy(&mut self, start: usize, end: usize) {
        self.next.bytes.extend_from_slice(&self.now.bytes[start..end]);
        if self.traced {
            self.next.map.extend_from_slice(&self.now.map[start..end]);
        }
    }

    /// Ends a pass.
    fn end(&mut self) {
        if self.traced {
            self.next.map.push(self.now.map.last().copied().unwrap_or_default());
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

/// Raw bytes that are not UTF-8 become U+FFFD.
fn to_utf8(layers: &mut Layers, raw: Hidden<'_>, findings: &mut Findings) {
    if std::str::from_utf8(raw.bytes()).is_ok() {
        return;
    }
    layers.begin();
    let mut at = 0;
    for chunk in raw.bytes().utf8_chunks() {
        layers.copy(at, at + chunk.valid().len());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            let span = raw.span(at, at + chunk.invalid().len());
            findings.raise(Flag::BadUtf8, span);
            findings.change(Change::ReplacedInvalid, span);
            layers.put("\u{FFFD}".as_bytes(), at);
            at += chunk.invalid().len();
        }
    }
    layers.end();
}

/// NFKC, run by run: an ASCII character never combines with what stands before it, so that each run of one ASCII
/// character and the non-ASCII ones behind it normalises by itself.
fn nfkc(layers: &mut Layers, findings: &mut Findings) {
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    if layers.now.bytes.is_ascii() {
        return;
    }
    layers.begin();
    let len = layers.now.bytes.len();
    let mut at = 0;
    while at < len {
        let end = run_end(&layers.now.bytes, at);
        let run = std::str::from_utf8(&layers.now.bytes[at..end]).unwrap_or_default();
        if run.is_empty() || run.is_ascii() || normalizer.is_normalized(run) {
            layers.copy(at, end);
        } else {
            say_what_nfkc_changed(run, layers.span(at, end), findings);
            findings.change(Change::Normalised, layers.span(at, end));
            let mut normalized = std::mem::take(&mut layers.normalized);
            normalized.clear();
            normalized.push_str(&normalizer.normalize(run));
            layers.put(normalized.as_bytes(), at);
            layers.normalized = normalized;
        }
        at = end;
    }
    layers.end();
}

/// The end of the run at `at`: a mark, a stretch of ASCII, or an ASCII character with the non-ASCII ones behind it.
fn run_end(text: &[u8], at: usize) -> usize {
    if matches!(text[at], KEPT | PRESERVED) {
        return text.len().min(at + 2);
    }
    let high = |byte: &u8| *byte >= 0x80;
    let plain = text[at..].iter().position(high).unwrap_or(text.len() - at);
    if plain > 1 {
        // All but the last, which may combine with what follows.
        return if at + plain == text.len() { text.len() } else { at + plain - 1 };
    }
    let start = at + plain;
    text[start..]
        .iter()
        .position(|byte| !high(byte) || matches!(*byte, KEPT | PRESERVED))
        .map_or(text.len(), |found| start + found)
        .max(at + 1)
}

fn say_what_nfkc_changed(run: &str, span: Span, findings: &mut Findings) {
    let (nfkd, nfd) = (DecomposingNormalizerBorrowed::new_nfkd(), DecomposingNormalizerBorrowed::new_nfd());
    for c in run.chars().filter(|c| !c.is_ascii()) {
        let one = || std::iter::once(c);
        if nfkd.normalize_iter(one()).eq(nfd.normalize_iter(one())) {
            continue;
        }
        findings.raise(if is_width_form(c) { Flag::FullWidth } else { Flag::Compat }, span);
    }
}

/// The characters with a wide or narrow compatibility mapping.
const fn is_width_form(c: char) -> bool {
    matches!(c, '\u{3000}' | '\u{FF01}'..='\u{FFEE}')
}

/// NFKC of a name that is not decoded otherwise.
pub(crate) fn nfkc_name<'a>(name: Hidden<'a>, layers: &'a mut Layers, findings: &mut Findings) -> Hidden<'a> {
    plain(name, Component::Key, layers, findings).text()
}

/// A text that is not encoded at all, as UTF-8; a name also as NFKC.
pub(crate) fn plain<'a>(
    raw: Hidden<'a>,
    component: Component,
    layers: &'a mut Layers,
    findings: &mut Findings,
) -> Decoded<'a> {
    let classes = bytes::classes(raw.bytes());
    if !classes.has(Classes::HIGH) {
        return Decoded { text: raw, classes, residue: false };
    }
    layers.load(raw);
    to_utf8(layers, raw, findings);
    if component != Component::Value {
        nfkc(layers, findings);
    }
    layers.decoded()
}

/// The inside of a JSON string, its escapes undone; a name also as NFKC.
pub(crate) fn json_string<'a>(
    raw: Hidden<'a>,
    component: Component,
    layers: &'a mut Layers,
    findings: &mut Findings,
) -> Decoded<'a> {
    let classes = bytes::classes(raw.bytes());
    if classes.has(Classes::ANY_CONTROL)
        && let Some(at) = raw.bytes().iter().position(|&b| b < b' ')
    {
        findings.raise(Flag::BadJson, raw.span(at, at + 1));
    }
    if !classes.has(Classes::BACKSLASH) {
        return plain(raw, component, layers, findings);
    }
    layers.load(raw);
    to_utf8(layers, raw, findings);
    undo_json_escapes(layers, findings);
    if component != Component::Value {
        nfkc(layers, findings);
    }
    layers.decoded()
}

fn undo_json_escapes(layers: &mut Layers, findings: &mut Findings) {
    rewrite(layers, b'\\', |layers, at| {
        let (c, len) = json_escape(&layers.now.bytes[at..]);
        let span = layers.span(at, at + len);
        match c {
            Unescaped::Char(c) => {
                if len > 2 && matches!(c, ' '..='~') {
                    findings.raise(Flag::JsonEsc, span);
                }
                findings.change(Change::EscapeUndone, span);
                layers.put(c.encode_utf8(&mut [0; 4]).as_bytes(), at);
            }
            Unescaped::LoneSurrogate => {
                findings.raise(Flag::BadUtf8, span);
                findings.change(Change::ReplacedInvalid, span);
                layers.put("\u{FFFD}".as_bytes(), at);
            }
            Unescaped::Malformed => {
                findings.raise(Flag::BadJson, span);
                layers.copy(at, at + 1);
            }
        }
        len
    });
}

/// One pass that replaces what begins with `mark`: `piece` writes what stands there instead and says how long it was.
fn rewrite(layers: &mut Layers, mark: u8, mut piece: impl FnMut(&mut Layers, usize) -> usize) {
    layers.begin();
    let len = layers.now.bytes.len();
    let mut at = 0;
    while at < len {
        let found = memchr::memchr(mark, &layers.now.bytes[at..]).map_or(len, |found| at + found);
        layers.copy(at, found);
        at = if found < len { found + piece(layers, found) } else { len };
    }
    layers.end();
}

enum Unescaped {
    Char(char),
    LoneSurrogate,
    /// The backslash stands for itself.
    Malformed,
}

/// What the escape at the start of `text` stands for, and its length.
fn json_escape(text: &[u8]) -> (Unescaped, usize) {
    let c = match text.get(1) {
        Some(b'u') => return json_code_unit(text),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(&(b'"' | b'\\' | b'/')) => char::from(text[1]),
        _ => return (Unescaped::Malformed, 1),
    };
    (Unescaped::Char(c), 2)
}

fn json_code_unit(text: &[u8]) -> (Unescaped, usize) {
    const LEN: usize = b"\\uXXXX".len();
    let unit = |text: &[u8]| {
        let digits = text.strip_prefix(b"\\u")?;
        Some(u16::from(bytes::hex_byte(digits)?) << 8 | u16::from(bytes::hex_byte(digits.get(2..)?)?))
    };
    let Some(first) = unit(text) else { return (Unescaped::Malformed, 1) };
    // Two units make a character only as a pair of surrogates: what follows any other one is its own.
    let second = unit(&text[LEN..]).filter(|_| matches!(first, 0xD800..=0xDBFF));
    let units = [first, second.unwrap_or(0)];
    match char::decode_utf16(units).next() {
        Some(Ok(c)) => (Unescaped::Char(c), c.len_utf16() * LEN),
        _ => (Unescaped::LoneSurrogate, LEN),
    }
}

/// An XML text with the references in it that need no declaration undone: for inspection, never for writing.
pub(crate) fn xml_text<'a>(raw: Hidden<'a>, layers: &'a mut Layers, findings: &mut Findings) -> Decoded<'a> {
    let classes = bytes::classes(raw.bytes());
    if !classes.has(Classes::AMP) {
        return plain(raw, Component::Value, layers, findings);
    }
    layers.load(raw);
    to_utf8(layers, raw, findings);
    rewrite(layers, b'&', |layers, at| {
        let (reference, len) = xml_reference(&layers.now.bytes[at..]);
        let span = layers.span(at, at + len);
        match reference {
            XmlReference::Predefined(c) => layers.put(&[c], at),
            XmlReference::Numeric(c) => {
                if matches!(c, ' '..='~') {
                    findings.raise(Flag::XmlEsc, span);
                }
                layers.put(c.encode_utf8(&mut [0; 4]).as_bytes(), at);
            }
            XmlReference::Declared => findings.raise(Flag::XmlEntity, span),
            XmlReference::Malformed => {
                findings.raise(Flag::BadXml, span);
                layers.copy(at, at + 1);
            }
        }
        len
    });
    layers.decoded()
}

enum XmlReference {
    Predefined(u8),
    Numeric(char),
    /// To an entity that a document type would have to declare.
    Declared,
    /// The ampersand begins nothing.
    Malformed,
}

/// The reference at the start of a text that begins with `&`, and its length.
fn xml_reference(text: &[u8]) -> (XmlReference, usize) {
    /// More than any name has; a longer text would have to be searched again and again.
    const LONGEST: usize = 128;
    let window = &text[..text.len().min(LONGEST)];
    let Some(end) = memchr::memchr(b';', window) else { return (XmlReference::Malformed, 1) };
    let name = &text[1..end];
    let reference = match name {
        b"lt" => XmlReference::Predefined(b'<'),
        b"gt" => XmlReference::Predefined(b'>'),
        b"amp" => XmlReference::Predefined(b'&'),
        b"quot" => XmlReference::Predefined(b'"'),
        b"apos" => XmlReference::Predefined(b'\''),
        [b'#', ..] => match numeric_reference(text) {
            Some(Reference { text: Expansion::Char(c), .. }) => XmlReference::Numeric(c),
            _ => return (XmlReference::Malformed, 1),
        },
        [first, ..] if bytes::begins_xml_name(*first) && name.iter().all(|&b| bytes::is_xml_name_byte(b)) => {
            XmlReference::Declared
        }
        _ => return (XmlReference::Malformed, 1),
    };
    (reference, end + 1)
}

/// What NFKC makes of a name that is no ASCII, where that is ASCII.
pub(crate) fn plain_name(name: &[u8]) -> Option<String> {
    let name = ComposingNormalizerBorrowed::new_nfkc().normalize(std::str::from_utf8(name).ok()?).into_owned();
    name.is_ascii().then_some(name)
}

fn percent(layers: &mut Layers, component: Component, form: bool, findings: &mut Findings) {
    layers.begin();
    let len = layers.now.bytes.len();
    let mut at = 0;
    while at < len {
        let byte = layers.now.bytes[at];
        if byte == b'+' && form {
            flush_escapes(layers, findings);
            findings.change(Change::PlusDecoded, layers.span(at, at + 1));
            layers.put(b" ", at);
            at += 1;
        } else if byte != b'%' {
            flush_escapes(layers, findings);
            let rest = &layers.now.bytes[at..];
            let stop = if form { memchr::memchr2(b'%', b'+', rest) } else { memchr::memchr(b'%', rest) };
            let end = stop.map_or(len, |found| at + found);
            layers.copy(at, end);
            at = end;
        } else if let Some(decoded) = bytes::hex_byte(&layers.now.bytes[at + 1..]) {
            match decoded {
                b'/' | b'\\' if component == Component::Path => {
                    flush_escapes(layers, findings);
                    let flag = if decoded == b'/' { Flag::PctSlash } else { Flag::PctBackslash };
                    findings.raise(flag, layers.span(at, at + 3));
                    findings.change(Change::DelimiterPreserved, layers.span(at, at + 3));
                    layers.put(&[PRESERVED, decoded | 0x80], at);
                }
                _ => {
                    if decoded.is_ascii_alphanumeric() {
                        findings.raise(Flag::PctUnres, layers.span(at, at + 3));
                    }
                    layers.run.push((decoded, at));
                }
            }
            at += 3;
        } else {
            flush_escapes(layers, findings);
            findings.raise(Flag::BadPct, layers.span(at, at + 1));
            if is_percent_u(&layers.now.bytes[at..]) {
                findings.raise(Flag::PctU, layers.span(at, at + b"%uXXXX".len()));
            }
            layers.copy(at, at + 1);
            at += 1;
        }
    }
    flush_escapes(layers, findings);
    layers.end();
}

/// `%uXXXX`, the escape of old scripts that some servers still decode. It stays as it is.
fn is_percent_u(text: &[u8]) -> bool {
    matches!(text, [b'%', b'u' | b'U', digits @ ..]
        if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit))
}

/// Writes the bytes of consecutive escapes: UTF-8 as text, all else as marks.
fn flush_escapes(layers: &mut Layers, findings: &mut Findings) {
    if layers.run.is_empty() {
        return;
    }
    let run = std::mem::take(&mut layers.run);
    let mut decoded = std::mem::take(&mut layers.run_bytes);
    decoded.clear();
    decoded.extend(run.iter().map(|&(byte, _)| byte));
    let place = |layers: &Layers, i: usize, n: usize| layers.span(run[i].1, run[i + n - 1].1 + 3);
    let mut i = 0;
    for chunk in decoded.utf8_chunks() {
        for c in chunk.valid().chars() {
            findings.change(Change::PercentDecoded, place(layers, i, c.len_utf8()));
            layers.put(&decoded[i..i + c.len_utf8()], run[i].1);
            i += c.len_utf8();
        }
        for &byte in chunk.invalid() {
            findings.raise(Flag::BadUtf8, place(layers, i, 1));
            findings.change(Change::UndecodableKept, place(layers, i, 1));
            if let Some(n) = overlong(&decoded[i..]) {
                findings.raise(Flag::DoublePct, place(layers, i, n));
            }
            layers.put(&[KEPT, byte], run[i].1);
            i += 1;
        }
    }
    layers.run = run;
    layers.run.clear();
    layers.run_bytes = decoded;
}

/// The length of an overlong form, a character written with more bytes than it needs.
fn overlong(text: &[u8]) -> Option<usize> {
    let tail = |n: usize| text.get(1..=n).is_some_and(|tail| tail.iter().all(|b| matches!(b, 0x80..=0xBF)));
    match text {
        [0xC0 | 0xC1, ..] if tail(1) => Some(2),
        [0xE0, 0x80..=0x9F, ..] if tail(2) => Some(3),
        [0xF0, 0x80..=0x8F, ..] if tail(3) => Some(4),
        // The five and six bytes of UTF-8 as it once was.
        [0xF8, 0x80..=0x87, ..] if tail(4) => Some(5),
        [0xFC, 0x80..=0x83, ..] if tail(5) => Some(6),
        _ => None,
    }
}

fn entities(layers: &mut Layers, findings: &mut Findings) {
    rewrite(layers, b'&', |layers, at| {
        let Some(reference) = reference_at(&layers.now.bytes[at..]) else {
            layers.copy(at, at + 1);
            return 1;
        };
        findings.raise(Flag::HtmlEnt, layers.span(at, at + reference.len));
        findings.change(Change::ReferenceDecoded, layers.span(at, at + reference.len));
        match reference.text {
            Expansion::Char(c) => layers.put(c.encode_utf8(&mut [0; 4]).as_bytes(), at),
            Expansion::Named(text) => layers.put(text, at),
        }
        reference.len
    });
}

/// An HTML character reference with its final `;`.
pub(crate) struct Reference {
    pub(crate) len: usize,
    text: Expansion,
}

enum Expansion {
    Char(char),
    Named(&'static [u8]),
}

impl Reference {
    pub(crate) fn is_ampersand(&self) -> bool {
        match self.text {
            Expansion::Char(c) => c == '&',
            Expansion::Named(text) => text == b"&",
        }
    }

    /// The text it stands for.
    pub(crate) fn push_to(&self, out: &mut Vec<u8>) {
        match self.text {
            Expansion::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Expansion::Named(text) => out.extend_from_slice(text),
        }
    }
}

/// The reference at the start of a text that begins with `&`.
pub(crate) fn reference_at(text: &[u8]) -> Option<Reference> {
    /// `&CounterClockwiseContourIntegral;`
    const LONGEST_NAME: usize = 33;
    match *text.get(1)? {
        b'#' => numeric_reference(text),
        b'a'..=b'z' | b'A'..=b'Z' => {
            let window = &text[..text.len().min(LONGEST_NAME)];
            let len = memchr::memchr(b';', window)? + 1;
            let name = &text[..len];
            htmlize::ENTITIES.get(name).map(|&text| Reference { len, text: Expansion::Named(text) })
        }
        _ => None,
    }
}

fn numeric_reference(text: &[u8]) -> Option<Reference> {
    let (radix, start) = if matches!(text.get(2), Some(b'x' | b'X')) { (16, 3) } else { (10, 2) };
    let digits = text[start..].iter().take_while(|&&b| char::from(b).is_digit(radix)).count();
    let end = start + digits;
    if digits == 0 || text.get(end) != Some(&b';') {
        return None;
    }
    let code = text[start..end].iter().fold(0u32, |code, &digit| {
        code.saturating_mul(radix).saturating_add(char::from(digit).to_digit(radix).unwrap_or(0))
    });
    let c = char::from_u32(code).filter(|&c| c != '\0')?;
    Some(Reference { len: end + 1, text: Expansion::Char(c) })
}

/// Whether a valid `%hh` is left. What was preserved or could not be decoded is a mark by now and does not count.
fn residue(text: Hidden<'_>, component: Component, findings: &mut Findings) -> bool {
    let bytes = text.bytes();
    let mut found = false;
    for at in memchr::memchr_iter(b'%', bytes) {
        let Some(byte) = bytes::hex_byte(&bytes[at + 1..]) else { continue };
        found = true;
        let span = text.span(at, at + 3);
        findings.raise(Flag::DoublePct, span);
        match byte {
            b'/' if component == Component::Path => findings.raise(Flag::PctSlash, span),
            b'\\' if component == Component::Path => findings.raise(Flag::PctBackslash, span),
            _ => {}
        }
    }
    found
}
