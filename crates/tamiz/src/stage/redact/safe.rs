//! Text that may be written: the only kind of text that a document is made of.

use crate::bytes::{self, Classes};
use crate::hidden::{Hidden, Unit, units};
use crate::placeholder;

/// Which characters a place escapes, besides the hidden ones that are escaped everywhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    Path,
    Key,
    /// A key of a form, which stands behind a space: as a key, and `[` at its start.
    FormKey,
    /// A name on the path of a field of a body: as a key, and what joins the names of a path.
    PathName,
    CookieName,
    /// A method or a header name.
    Name,
    /// A header value: `[` after a space.
    Value,
    /// An authority that could not be parsed.
    Authority,
}

impl Escape {
    const fn escapes(self, byte: u8) -> bool {
        match self {
            Escape::Path => matches!(byte, b' ' | b'?' | b'#'),
            Escape::Key => matches!(byte, b' ' | b',' | b'=' | b'&' | b';' | b'|' | b'#'),
            Escape::FormKey => Escape::Key.escapes(byte),
            Escape::PathName => matches!(byte, b'.' | b'[') || Escape::Key.escapes(byte),
            Escape::CookieName => matches!(byte, b'<') || Escape::Key.escapes(byte),
            Escape::Name => matches!(byte, b' ' | b'='),
            Escape::Value => false,
            Escape::Authority => matches!(byte, b' ' | b'?' | b'#' | b'/'),
        }
    }

    /// Whether `%hh` is written with upper-case digits: only where escapes were decoded.
    const fn canonical_hex(self) -> bool {
        matches!(self, Escape::Path | Escape::Key | Escape::FormKey | Escape::PathName)
    }
}

/// A range of a [`Safe`] buffer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SafeSpan {
    start: usize,
    end: usize,
}

/// A piece of redacted text, kept for when it is written again.
#[derive(Default)]
pub(crate) struct Kept(String);

impl Kept {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.0 == text
    }

    /// Text of our own.
    pub(crate) fn push(&mut self, text: &'static str) {
        self.0.push_str(text);
    }

    pub(crate) fn push_span(&mut self, safe: &Safe, span: SafeSpan) {
        self.0.push_str(safe.get(span));
    }
}

/// A buffer of text that went through redaction. Request bytes enter through this module's parent alone.
#[derive(Default)]
pub(crate) struct Safe {
    text: String,
    /// Where the current piece begins, or the last placeholder of ours in it ends: before that, nothing can be the
    /// start of a placeholder that came from the request.
    own_end: usize,
}

impl Safe {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.own_end = 0;
    }

    /// Begins a piece of its own; [`Safe::since`] ends it.
    pub(crate) fn begin(&mut self) -> usize {
        self.own_end = self.text.len();
        self.own_end
    }

    pub(crate) fn since(&self, start: usize) -> SafeSpan {
        SafeSpan { start, end: self.text.len() }
    }

    pub(crate) fn get(&self, span: SafeSpan) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Text of our own.
    pub(crate) fn push(&mut self, text: &'static str) {
        self.text.push_str(text);
    }

    pub(crate) fn number(&mut self, number: usize) {
        push_number(&mut self.text, number);
    }

    /// The label of a bucket, which comes from the configuration.
    pub(crate) fn bucket(&mut self, label: &str) {
        self.text.push_str(label);
    }

    pub(crate) fn keep(&self, span: SafeSpan, kept: &mut Kept) {
        kept.0.clear();
        kept.0.push_str(self.get(span));
    }

    pub(crate) fn push_kept(&mut self, kept: &Kept) {
        self.text.push_str(&kept.0);
    }

    /// Writes a piece again inside a header value, where a `[` behind a space would begin a flag.
    pub(crate) fn again_in_value(&mut self, span: SafeSpan) {
        let bracket = self.text.ends_with(' ') && self.get(span).starts_with('[');
        if bracket {
            push_escape(&mut self.text, b'[');
        }
        self.text.extend_from_within(span.start + usize::from(bracket)..span.end);
    }

    pub(crate) fn again(&mut self, span: SafeSpan) {
        self.text.extend_from_within(span.start..span.end);
    }

    /// Forgets a piece that was just written.
    pub(crate) fn take_back(&mut self, span: SafeSpan) {
        if span.end == self.text.len() {
            self.text.truncate(span.start);
            self.own_end = self.own_end.min(span.start);
        }
    }

    /// `<shape:len>` or `<SECRET:word:len>`, with what the switches add.
    pub(crate) fn placeholder(&mut self, secret: bool, word: &'static str, len: usize, extras: Extras<'_>) {
        self.text.push_str(if secret { "<SECRET:" } else { "<" });
        self.text.push_str(word);
        self.text.push(':');
        push_number(&mut self.text, len.min(placeholder::MAX_CHARS as usize));
        if let Some(bucket) = extras.bucket {
            self.text.push('@');
            self.text.push_str(bucket);
        }
        if let Some(tenths) = extras.entropy_tenths {
            self.text.push_str(" rand");
            push_number(&mut self.text, tenths / 10);
            self.text.push('.');
            push_number(&mut self.text, tenths % 10);
        }
        self.text.push('>');
        self.own_end = self.text.len();
    }

    /// `<word:n>`, where the length is not that of a shape.
    pub(crate) fn sized(&mut self, word: &'static str, len: usize) -> SafeSpan {
        let start = self.begin();
        self.placeholder(false, word, len, Extras::default());
        self.since(start)
    }

    /// `<file:extension:n>`, appended to what is being written.
    pub(crate) fn file(&mut self, extension: &'static str, len: usize) {
        self.push("<file:");
        self.push(extension);
        self.push(":");
        self.number(len.min(placeholder::MAX_CHARS as usize));
        self.push(">");
        self.own_end = self.text.len();
    }

    /// `<len:n>`.
    pub(crate) fn length_only(&mut self, len: usize) {
        self.placeholder(false, "len", len, Extras::default());
    }

    /// Writes request text, escaped. Only redaction may call this.
    ///
    /// Returns whether the text written holds a placeholder that is not ours.
    pub(super) fn reveal(&mut self, text: Hidden<'_>, escape: Escape, lower: bool) -> bool {
        let start = self.text.len();
        let text = text.bytes();
        let plain = Classes::ALNUM.or(Classes::DASH).or(Classes::DOT).or(Classes::COLON);
        let plain = if escape.escapes(b'/') { plain } else { plain.or(Classes::SLASH) };
        let plain = if escape.escapes(b'.') { plain.without(Classes::DOT) } else { plain };
        if bytes::classes(text).only(plain) {
            // Plain ASCII: validation cannot fail, and there is nothing to escape.
            self.text.push_str(std::str::from_utf8(text).unwrap_or_default());
            if lower {
                self.text[start..].make_ascii_lowercase();
            }
            return false;
        }
        if lower && memchr::memchr(b'<', text).is_some() {
            return self.reveal_around_placeholders(text, escape);
        }
        self.reveal_units(text, escape, lower);
        if escape.canonical_hex() {
            self.upper_case_escapes(start);
        }
        self.holds_foreign_placeholder(start)
    }

    /// Lower case would make another text of a placeholder that came with the request: it is left as it is.
    fn reveal_around_placeholders(&mut self, text: &[u8], escape: Escape) -> bool {
        let start = self.text.len();
        let mut at = 0;
        for less in memchr::memchr_iter(b'<', text) {
            if less >= at
                && let Some(len) = placeholder::at_start(&text[less..])
            {
                self.reveal_units(&text[at..less], escape, true);
                self.reveal_units(&text[less..less + len], escape, false);
                at = less + len;
            }
        }
        self.reveal_units(&text[at..], escape, true);
        self.holds_foreign_placeholder(start)
    }

    fn reveal_units(&mut self, text: &[u8], escape: Escape, lower: bool) {
        for unit in units(text) {
            match unit {
                Unit::Char(c) if c.is_ascii() => self.reveal_ascii(c as u8, escape, lower),
                Unit::Char(c) if bytes::is_hidden(c) => self.escape_char(c),
                Unit::Char(c) if lower => self.text.push(bytes::lower_case(c)),
                Unit::Char(c) => self.text.push(c),
                Unit::Kept(byte) => push_escape(&mut self.text, byte),
            }
        }
    }

    fn reveal_ascii(&mut self, byte: u8, escape: Escape, lower: bool) {
        let in_value = matches!(escape, Escape::Value | Escape::CookieName);
        let begins_key = escape == Escape::FormKey && self.text.len() == self.own_end;
        let bracket = byte == b'[' && ((in_value && self.text.ends_with(' ')) || begins_key);
        if byte.is_ascii_control() || escape.escapes(byte) || bracket {
            push_escape(&mut self.text, byte);
        } else {
            self.text.push(char::from(if lower { byte.to_ascii_lowercase() } else { byte }));
        }
    }

    fn escape_char(&mut self, c: char) {
        let mut buffer = [0; 4];
        for &byte in c.encode_utf8(&mut buffer).as_bytes() {
            push_escape(&mut self.text, byte);
        }
    }

    fn upper_case_escapes(&mut self, start: usize) {
        let mut at = start;
        while let Some(found) = memchr::memchr(b'%', &self.text.as_bytes()[at..]) {
            let digits = at + found + 1;
            let end = digits + 2;
            if bytes::hex_byte(&self.text.as_bytes()[digits..]).is_some() {
                self.text[digits..end].make_ascii_uppercase();
                at = end;
            } else {
                at = digits;
            }
        }
    }

    /// Looks for a placeholder in what was written since `start`, a little before it included: text around a
    /// separator of ours could form one together with it.
    pub(super) fn holds_foreign_placeholder(&self, start: usize) -> bool {
        let text = self.text.as_bytes();
        let mut at = start.saturating_sub(placeholder::LONGEST).max(self.own_end);
        while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr(b'<', rest)) {
            at += found;
            if placeholder::at_start(&text[at..]).is_some() {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// What switches add to a placeholder.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extras<'a> {
    pub(crate) bucket: Option<&'a str>,
    pub(crate) entropy_tenths: Option<usize>,
}

/// Appends a decimal number. A document has dozens of them, and the machinery of `fmt` costs ten times as much.
pub(crate) fn push_number(text: &mut String, mut number: usize) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

fn push_escape(text: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    text.push(char::from(DIGITS[usize::from(byte >> 4)]));
    text.push(char::from(DIGITS[usize::from(byte & 15)]));
}
