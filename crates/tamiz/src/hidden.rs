//! Text of a request before redaction.

use crate::findings::Span;

/// Bytes of a request before redaction, with the place they came from. There is deliberately no way to display them:
/// only redaction turns them into text that a line accepts.
#[derive(Clone, Copy)]
pub(crate) struct Hidden<'a> {
    bytes: &'a [u8],
    /// The input offset of the first byte, where no map says it better.
    base: usize,
    /// The input offset of every byte, of the end, and perhaps of what follows; empty unless the request is being
    /// explained and was changed.
    map: &'a [usize],
    /// All of it came from here, and no byte has a place of its own.
    origin: Option<Span>,
}

impl<'a> Hidden<'a> {
    pub(crate) const fn new(bytes: &'a [u8], base: usize) -> Hidden<'a> {
        Hidden { bytes, base, map: &[], origin: None }
    }

    pub(crate) const fn mapped(bytes: &'a [u8], base: usize, map: &'a [usize]) -> Hidden<'a> {
        Hidden { bytes, base, map, origin: None }
    }

    /// What came out of a coding as a whole.
    pub(crate) const fn with_origin(self, origin: Option<Span>) -> Hidden<'a> {
        Hidden { origin, ..self }
    }

    pub(crate) const fn origin(self) -> Option<Span> {
        self.origin
    }

    pub(crate) const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) const fn len(self) -> usize {
        self.bytes.len()
    }

    /// Where the bytes from `start` to `end` came from.
    pub(crate) fn span(self, start: usize, end: usize) -> Span {
        if let Some(origin) = self.origin {
            return origin;
        }
        let at = |index: usize| self.map.get(index).copied().unwrap_or(self.base + index);
        let last = at(end);
        // Bytes that were changed together have one place: an end inside of them is the end of them all.
        let inside = end > start && self.map.get(end - 1) == Some(&last);
        let outside = self.map.get(end..).unwrap_or_default().iter().find(|&&place| place != last);
        Span::new(at(start), if inside { outside.copied().unwrap_or(last) } else { last })
    }

    pub(crate) fn whole(self) -> Span {
        self.span(0, self.bytes.len())
    }

    /// Without the bytes at both ends that `drop` names.
    pub(crate) fn trim_by(self, drop: impl Fn(u8) -> bool) -> Hidden<'a> {
        let start = self.bytes.iter().position(|&b| !drop(b)).unwrap_or(self.bytes.len());
        let end = self.bytes.iter().rposition(|&b| !drop(b)).map_or(start, |last| last + 1);
        self.slice(start, end)
    }

    /// What stands before the first of these bytes, without white space around it.
    pub(crate) fn until(self, byte: u8) -> Hidden<'a> {
        self.slice(0, self.find(byte)).trim_by(|b| b.is_ascii_whitespace())
    }

    /// From the first of these bytes on.
    pub(crate) fn from(self, byte: u8) -> Hidden<'a> {
        self.slice(self.find(byte), self.len())
    }

    fn find(self, byte: u8) -> usize {
        memchr::memchr(byte, self.bytes).unwrap_or(self.bytes.len())
    }

    pub(crate) fn slice(self, start: usize, end: usize) -> Hidden<'a> {
        Hidden {
            bytes: self.bytes.get(start..end).unwrap_or_default(),
            base: self.base + start,
            map: self.map.get(start..).unwrap_or_default(),
            origin: self.origin,
        }
    }
}

/// One character of a decoded text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Char(char),
    /// A byte that stays percent-encoded: it is no UTF-8, or it is a delimiter that the path preserves.
    Kept(u8),
}

/// In decoded text, `0xFF b` is a percent-encoded byte that is not UTF-8, and `0xFE b` a preserved delimiter with its
/// high bit set. UTF-8 has neither 0xFE nor 0xFF, and all marks are at least 0x80: no search for ASCII meets them.
pub(crate) const KEPT: u8 = 0xFF;
pub(crate) const PRESERVED: u8 = 0xFE;

/// The characters of a decoded or raw text. Raw bytes that are not UTF-8 read as U+FFFD.
pub(crate) fn units(text: &[u8]) -> impl Iterator<Item = Unit> {
    Units { text, chars: "".chars() }
}

struct Units<'a> {
    text: &'a [u8],
    chars: std::str::Chars<'a>,
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        loop {
            if let Some(c) = self.chars.next() {
                return Some(Unit::Char(c));
            }
            match *self.text {
                [] => return None,
                [KEPT, byte, ref rest @ ..] => {
                    self.text = rest;
                    return Some(Unit::Kept(byte));
                }
                [PRESERVED, byte, ref rest @ ..] => {
                    self.text = rest;
                    return Some(Unit::Kept(byte & 0x7F));
                }
                _ => {}
            }
            // A mark is no UTF-8 either: it ends what is valid.
            match std::str::from_utf8(self.text) {
                Ok(valid) => {
                    self.chars = valid.chars();
                    self.text = &[];
                }
                Err(error) if error.valid_up_to() > 0 => {
                    let (valid, rest) = self.text.split_at(error.valid_up_to());
                    self.chars = std::str::from_utf8(valid).unwrap_or_default().chars();
                    self.text = rest;
                }
                Err(error) => {
                    self.text = &self.text[error.error_len().unwrap_or(self.text.len())..];
                    return Some(Unit::Char(char::REPLACEMENT_CHARACTER));
                }
            }
        }
    }
}
