//! Byte and character classes: what one look at a text tells all stages.

use icu_casemap::CaseMapper;
use icu_properties::CodePointSetData;
use icu_properties::props::{Alphabetic, BidiControl, DefaultIgnorableCodePoint, WhiteSpace};

/// A set of byte classes, one bit each. The union over a text answers most questions that stages ask of it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Classes(u32);

impl Classes {
    pub(crate) const NONE: Classes = Classes(0);
    pub(crate) const LOWER_HEX: Classes = Classes(1);
    pub(crate) const LOWER_REST: Classes = Classes(1 << 1);
    pub(crate) const UPPER_HEX: Classes = Classes(1 << 2);
    pub(crate) const UPPER_REST: Classes = Classes(1 << 3);
    pub(crate) const DIGIT: Classes = Classes(1 << 4);
    pub(crate) const DASH: Classes = Classes(1 << 5);
    pub(crate) const EQUALS: Classes = Classes(1 << 6);
    pub(crate) const PLUS: Classes = Classes(1 << 7);
    pub(crate) const SLASH: Classes = Classes(1 << 8);
    pub(crate) const DOT: Classes = Classes(1 << 9);
    pub(crate) const COLON: Classes = Classes(1 << 10);
    pub(crate) const AT: Classes = Classes(1 << 11);
    pub(crate) const PERCENT: Classes = Classes(1 << 12);
    pub(crate) const AMP: Classes = Classes(1 << 13);
    pub(crate) const LESS: Classes = Classes(1 << 14);
    pub(crate) const GREATER: Classes = Classes(1 << 15);
    pub(crate) const QUOTE: Classes = Classes(1 << 16);
    pub(crate) const SEMICOLON: Classes = Classes(1 << 17);
    pub(crate) const PAREN: Classes = Classes(1 << 18);
    pub(crate) const BRACE: Classes = Classes(1 << 19);
    pub(crate) const PIPE: Classes = Classes(1 << 20);
    pub(crate) const BACKSLASH: Classes = Classes(1 << 21);
    pub(crate) const BACKTICK: Classes = Classes(1 << 22);
    pub(crate) const DOLLAR: Classes = Classes(1 << 23);
    pub(crate) const SPACE: Classes = Classes(1 << 24);
    pub(crate) const TAB: Classes = Classes(1 << 25);
    pub(crate) const NUL: Classes = Classes(1 << 26);
    /// Every other C0 control, CR and LF among them, and DEL.
    pub(crate) const CONTROL: Classes = Classes(1 << 27);
    /// Bytes from 0x80 on.
    pub(crate) const HIGH: Classes = Classes(1 << 28);
    pub(crate) const QUESTION: Classes = Classes(1 << 29);
    pub(crate) const HASH: Classes = Classes(1 << 30);
    pub(crate) const OTHER: Classes = Classes(1 << 31);

    pub(crate) const LOWER: Classes = Self::LOWER_HEX.or(Self::LOWER_REST);
    pub(crate) const UPPER: Classes = Self::UPPER_HEX.or(Self::UPPER_REST);
    pub(crate) const ALPHA: Classes = Self::LOWER.or(Self::UPPER);
    pub(crate) const ALNUM: Classes = Self::ALPHA.or(Self::DIGIT);
    pub(crate) const HEX: Classes = Self::LOWER_HEX.or(Self::UPPER_HEX).or(Self::DIGIT);
    pub(crate) const ANY_CONTROL: Classes = Self::CONTROL.or(Self::TAB).or(Self::NUL);

    pub(crate) const fn or(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Classes) -> Classes {
        Classes(self.0 & !other.0)
    }

    pub(crate) const fn has(self, any: Classes) -> bool {
        self.0 & any.0 != 0
    }

    pub(crate) const fn only(self, allowed: Classes) -> bool {
        self.0 & !allowed.0 == 0
    }
}

const CLASS: [Classes; 256] = {
    let mut table = [Classes::OTHER; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b'a'..=b'f' => Classes::LOWER_HEX,
            b'g'..=b'z' => Classes::LOWER_REST,
            b'A'..=b'F' => Classes::UPPER_HEX,
            b'G'..=b'Z' => Classes::UPPER_REST,
            b'0'..=b'9' => Classes::DIGIT,
            b'-' | b'_' => Classes::DASH,
            b'=' => Classes::EQUALS,
            b'+' => Classes::PLUS,
            b'/' => Classes::SLASH,
            b'.' => Classes::DOT,
            b':' => Classes::COLON,
            b'@' => Classes::AT,
            b'%' => Classes::PERCENT,
            b'&' => Classes::AMP,
            b'<' => Classes::LESS,
            b'>' => Classes::GREATER,
            b'\'' | b'"' => Classes::QUOTE,
            b';' => Classes::SEMICOLON,
            b'(' | b')' => Classes::PAREN,
            b'{' | b'}' => Classes::BRACE,
            b'|' => Classes::PIPE,
            b'\\' => Classes::BACKSLASH,
            b'`' => Classes::BACKTICK,
            b'$' => Classes::DOLLAR,
            b' ' => Classes::SPACE,
            b'\t' => Classes::TAB,
            b'?' => Classes::QUESTION,
            b'#' => Classes::HASH,
            0 => Classes::NUL,
            1..=0x1f | 0x7f => Classes::CONTROL,
            0x80..=0xff => Classes::HIGH,
            _ => Classes::OTHER,
        };
        i += 1;
    }
    table
};

/// The class of one byte.
pub(crate) const fn class(byte: u8) -> Classes {
    CLASS[byte as usize]
}

/// The union of the classes of all bytes of a text.
pub(crate) fn classes(text: &[u8]) -> Classes {
    // Four independent lanes: the table look-ups do not wait for each other.
    let mut lanes = [0u32; 4];
    let mut chunks = text.chunks_exact(4);
    for chunk in &mut chunks {
        lanes[0] |= CLASS[chunk[0] as usize].0;
        lanes[1] |= CLASS[chunk[1] as usize].0;
        lanes[2] |= CLASS[chunk[2] as usize].0;
        lanes[3] |= CLASS[chunk[3] as usize].0;
    }
    for &byte in chunks.remainder() {
        lanes[0] |= CLASS[byte as usize].0;
    }
    Classes(lanes[0] | lanes[1] | lanes[2] | lanes[3])
}

/// A character of a method or header name (RFC 9110 `tchar`).
pub(crate) const fn is_token_byte(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
    ) || byte.is_ascii_alphanumeric()
}

/// A non-empty RFC 9110 token.
pub(crate) fn is_token(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|&b| is_token_byte(b))
}

/// A byte that can begin a name in XML.
pub(crate) const fn begins_xml_name(byte: u8) -> bool {
    byte >= 0x80 || byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')
}

/// A byte of a name in XML.
pub(crate) const fn is_xml_name_byte(byte: u8) -> bool {
    begins_xml_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// The white space of header lines.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A text without the white space around it.
pub(crate) fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_blank(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_blank(*last)
    {
        text = rest;
    }
    text
}

/// Nothing but line ends.
pub(crate) fn is_line_ends(text: &[u8]) -> bool {
    text.iter().all(|b| matches!(b, b'\r' | b'\n'))
}

/// A text without the one line end behind it.
pub(crate) fn without_line_end(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\n").map_or(text, |rest| rest.strip_suffix(b"\r").unwrap_or(rest))
}

/// The byte that two hexadecimal digits at the start of `text` stand for.
pub(crate) fn hex_byte(text: &[u8]) -> Option<u8> {
    let high = hex_digit(*text.first()?)?;
    let low = hex_digit(*text.get(1)?)?;
    Some(high << 4 | low)
}

const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// What CONTROL names: category Cc and the two Unicode line separators.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// What INVISIBLE names: default-ignorable and bidirectional format characters.
pub(crate) fn is_invisible(c: char) -> bool {
    !c.is_ascii()
        && (CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
            || CodePointSetData::new::<BidiControl>().contains(c))
}

// The standard library knows these properties too, but of the Unicode version of the compiler: documents must not
// depend on that.

pub(crate) fn is_white_space(c: char) -> bool {
    if c.is_ascii() { matches!(c, '\t'..='\r' | ' ') } else { CodePointSetData::new::<WhiteSpace>().contains(c) }
}

pub(crate) fn is_alphabetic(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { CodePointSetData::new::<Alphabetic>().contains(c) }
}

pub(crate) fn lower_case(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { CaseMapper::new().simple_lowercase(c) }
}

/// Case folding, for comparing.
pub(crate) fn fold_case(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { CaseMapper::new().simple_fold(c) }
}

/// What is never written as itself: controls, invisible characters, white space other than the ASCII space.
pub(crate) fn is_hidden(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_control() } else { is_control(c) || is_white_space(c) || is_invisible(c) }
}
