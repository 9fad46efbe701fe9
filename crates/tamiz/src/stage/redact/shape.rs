//! The shape of a value: what documents show instead of it.

use std::net::Ipv6Addr;

use crate::bytes::{self, Classes};
use crate::hidden::units;
use crate::table::shapes::Shape;

/// The number of characters of a decoded text.
pub(crate) fn length(text: &[u8], classes: Classes) -> usize {
    if classes.has(Classes::HIGH) { units(text).count() } else { text.len() }
}

/// The first shape that fits. `classes` are those of the text.
pub(crate) fn shape(text: &[u8], classes: Classes) -> Shape {
    if text.is_empty() || classes.has(Classes::HIGH) {
        return match text {
            [] => Shape::Mixed,
            _ if is_email(text) => Shape::Email,
            _ if is_url(text) => Shape::Uaxurl,
            _ => Shape::Mixed,
        };
    }
    if classes.only(Classes::ALNUM) {
        return alphanumeric(classes);
    }
    let dashed = classes.has(Classes::DASH);
    if classes.has(Classes::DOT) {
        if is_jwt(text) {
            return Shape::Jwt;
        }
        if classes.only(Classes::DIGIT.or(Classes::DOT)) && is_ipv4(text) {
            return Shape::Ipv4;
        }
    }
    if dashed && is_uuid(text) {
        return Shape::Uuid;
    }
    if classes.has(Classes::COLON) && is_ipv6(text) {
        return Shape::Ipv6;
    }
    if classes.only(Classes::ALNUM.or(Classes::DASH).or(Classes::EQUALS)) && is_base64url(text) {
        let padded = text.ends_with(b"=") && text.len().is_multiple_of(4);
        if text.len() >= 16 || padded {
            return Shape::B64url;
        }
        if dashed {
            return Shape::Slug;
        }
    }
    if is_base64(text, classes) {
        return Shape::B64;
    }
    if classes.has(Classes::AT) && is_email(text) {
        return Shape::Email;
    }
    if classes.has(Classes::COLON) && is_url(text) {
        return Shape::Uaxurl;
    }
    Shape::Mixed
}

/// Letters and digits alone: the classes say it all.
fn alphanumeric(classes: Classes) -> Shape {
    let (lower, upper, digit) = (classes.has(Classes::LOWER), classes.has(Classes::UPPER), classes.has(Classes::DIGIT));
    match (lower, upper, digit) {
        _ if digit && (lower || upper) && classes.only(Classes::HEX) => Shape::Hex,
        (false, false, _) => Shape::Num,
        (true, false, false) => Shape::Lower,
        (false, true, false) => Shape::Upper,
        (true, true, false) => Shape::Alpha,
        (true, false, true) => Shape::Lowernum,
        (false, true, true) => Shape::Uppernum,
        (true, true, true) => Shape::Alnum,
    }
}

/// Three or five base64url segments, those after the first possibly empty, the first a JSON object with an `alg`.
fn is_jwt(text: &[u8]) -> bool {
    let mut segments = text.split(|&b| b == b'.');
    let first = segments.next().unwrap_or_default();
    let rest = segments.clone().count();
    matches!(rest, 2 | 4)
        && segments.all(|segment| segment.iter().all(|&b| is_base64url_byte(b)))
        && is_jose_header(first)
}

/// Whether a base64url text decodes to a JSON object with a member `alg`.
///
/// Not a JSON parser: a text that only looks like such an object is redacted too, which costs nothing.
pub(crate) fn is_jose_header(segment: &[u8]) -> bool {
    // `{` makes the first letter an `e`.
    if segment.len() < 10 || segment[0] != b'e' || !segment.iter().all(|&b| is_base64url_byte(b)) {
        return false;
    }
    let mut matcher = AlgMatcher::default();
    let (mut bits, mut held) = (0u32, 0);
    for &byte in segment {
        bits = bits << 6 | base64url_value(byte);
        held += 6;
        if held >= 8 {
            held -= 8;
            matcher.feed((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    matcher.is_object_with_alg()
}

/// Reads the decoded bytes of a JOSE header one by one, so that nothing needs to be stored.
#[derive(Default)]
struct AlgMatcher {
    /// How much of `"alg"` was just read; 5 is all of it, and then white space and a colon may follow.
    matched: usize,
    found: bool,
    first: Option<u8>,
    last: Option<u8>,
}

impl AlgMatcher {
    const NAME: &[u8; 5] = b"\"alg\"";

    fn feed(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            return;
        }
        self.first.get_or_insert(byte);
        self.last = Some(byte);
        self.found |= self.matched == Self::NAME.len() && byte == b':';
        self.matched = match Self::NAME.get(self.matched) {
            Some(&wanted) if wanted == byte => self.matched + 1,
            _ => usize::from(byte == b'"'),
        };
    }

    fn is_object_with_alg(&self) -> bool {
        self.found && self.first == Some(b'{') && self.last == Some(b'}')
    }
}

const fn is_base64url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

const fn base64url_value(byte: u8) -> u32 {
    (match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        _ => 63,
    }) as u32
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(i, &b)| match i {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// Four decimal numbers of at most three digits, each at most 255.
pub(crate) fn is_ipv4(text: &[u8]) -> bool {
    let mut octets = 0;
    for octet in text.split(|&b| b == b'.') {
        octets += 1;
        let digits = (1..=3).contains(&octet.len()) && octet.iter().all(u8::is_ascii_digit);
        let number = || octet.iter().fold(0, |n, &b| n * 10 + u32::from(b - b'0'));
        if octets > 4 || !digits || number() > 255 {
            return false;
        }
    }
    octets == 4
}

fn is_ipv6(text: &[u8]) -> bool {
    // The longest textual form has 45 characters.
    text.len() <= 45 && std::str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Base64url characters and at most two `=` at the end.
fn is_base64url(text: &[u8]) -> bool {
    let body = text.len() - text.iter().rev().take_while(|&&b| b == b'=').count();
    body > 0 && text.len() - body <= 2 && text[..body].iter().all(|&b| b != b'=')
}

fn is_base64(text: &[u8], classes: Classes) -> bool {
    let alphabet = Classes::ALNUM.or(Classes::PLUS).or(Classes::SLASH).or(Classes::EQUALS);
    if !classes.only(alphabet) || !text.len().is_multiple_of(4) {
        return false;
    }
    let padding = text.iter().rev().take_while(|&&b| b == b'=').count();
    if padding > 2 || memchr::memchr(b'=', &text[..text.len() - padding]).is_some() {
        return false;
    }
    let rich = classes.has(Classes::UPPER) && classes.has(Classes::LOWER) && classes.has(Classes::DIGIT);
    padding > 0 || (classes.has(Classes::PLUS.or(Classes::SLASH)) && text.len() >= 16 && rich)
}

/// `^[^@\s]+@[^@\s]+\.[^@\s]+$`
fn is_email(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else { return false };
    let (user, domain) = (&text[..at], &text[at + 1..]);
    let dotted = domain.len() > 2 && domain[1..domain.len() - 1].contains(&b'.');
    !user.is_empty() && dotted && !domain.contains(&b'@') && !has_white_space(text)
}

fn has_white_space(text: &[u8]) -> bool {
    if text.is_ascii() {
        return text.iter().any(|b| b.is_ascii_whitespace() || *b == 0x0B);
    }
    units(text).any(|unit| matches!(unit, crate::hidden::Unit::Char(c) if bytes::is_white_space(c)))
}

/// A URL scheme and a colon.
fn is_url(text: &[u8]) -> bool {
    let scheme = text.iter().take_while(|&&b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-')).count();
    scheme > 0 && text[0].is_ascii_alphabetic() && text.get(scheme) == Some(&b':')
}

/// Shannon entropy of a text in tenths of a bit a character, where it is worth saying: over 4.0, 16 characters or more.
pub(crate) fn entropy_tenths(text: &[u8], length: usize) -> Option<usize> {
    if length < 16 {
        return None;
    }
    let mut counts = [0u32; 256];
    let mut others: Vec<char> = Vec::new();
    for unit in units(text) {
        match unit {
            crate::hidden::Unit::Char(c) if (c as u32) < 128 => counts[c as usize] += 1,
            crate::hidden::Unit::Char(c) => others.push(c),
            crate::hidden::Unit::Kept(byte) => counts[usize::from(byte)] += 1,
        }
    }
    others.sort_unstable();
    let repeats = others.chunk_by(|a, b| a == b).map(|same| same.len() as f64);
    let total = length as f64;
    let bits: f64 = counts
        .iter()
        .filter(|&&n| n > 0)
        .map(|&n| f64::from(n))
        .chain(repeats)
        .map(|n| -(n / total) * log2(n / total))
        .sum();
    let tenths = (bits * 10.0).round();
    (bits > 4.0).then_some(tenths as usize)
}

/// The platform's `log2` may differ in its last bit from machine to machine, and documents must not.
fn log2(x: f64) -> f64 {
    // Exponent by the bits, the rest by the series of atanh, which uses the four basic operations alone.
    let bits = x.to_bits();
    let mut exponent = f64::from((bits >> 52) as i32 - 1023);
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1.0;
    }
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let (mut term, mut sum) = (z, 0.0);
    for odd in (1..=29).step_by(2) {
        sum += term / f64::from(odd);
        term *= square;
    }
    exponent + 2.0 * sum * std::f64::consts::LOG2_E
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_agrees_with_the_platform() {
        for n in 1..2000 {
            let x = f64::from(n) / 2000.0;
            assert!((log2(x) - x.log2()).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn shapes_of_the_contract() {
        for (text, wanted) in [
            ("12345", "num"),
            ("aaa", "lower"),
            ("14d18cd98f", "hex"),
            ("2024-01-15", "slug"),
            ("en-US", "slug"),
            ("YWJjZA==", "b64url"),
            ("YWJj+GRlZg9K/2x8", "b64"),
            ("Perez+Gomez+Ruiz", "mixed"),
            ("www.example.com", "mixed"),
            ("192.168.0.1", "ipv4"),
            ("300.1.1.1", "mixed"),
            ("2001:db8::1", "ipv6"),
            ("bob@ex.com", "email"),
            ("a:b", "uaxurl"),
            ("", "mixed"),
        ] {
            let text = text.as_bytes();
            assert_eq!(shape(text, bytes::classes(text)).name(), wanted);
        }
    }
}
