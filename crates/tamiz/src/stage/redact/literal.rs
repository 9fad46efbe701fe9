//! What must not stand in text that is written literally: a path, a header value, a line that is no header.
//!
//! Finders look for one kind of secret each and mark ranges of the text. Marks may overlap; [`settle`] joins them.

use std::ops::Range;

use crate::bytes::{self, Classes};
use crate::hidden::{KEPT, PRESERVED};
use crate::placeholder;
use crate::settings::Settings;
use crate::stage::redact::names::{NameScratch, is_sensitive};
use crate::stage::redact::shape;
use crate::table::secrets::{AUTH_SCHEMES, find_credential};
use crate::table::shapes::Shape;

/// A range of a text that is not written as it is.
#[derive(Clone)]
pub(crate) struct Mark {
    pub(crate) range: Range<usize>,
    pub(crate) secret: bool,
}

impl Mark {
    pub(crate) const fn secret(range: Range<usize>) -> Mark {
        Mark { range, secret: true }
    }
}

/// Sorts marks and joins those that overlap; a joined one is secret if either was.
pub(crate) fn settle(marks: &mut Vec<Mark>) {
    if marks.len() < 2 {
        return;
    }
    marks.sort_unstable_by_key(|mark| (mark.range.start, mark.range.end));
    marks.dedup_by(|later, earlier| {
        let overlap = later.range.start < earlier.range.end;
        if overlap {
            earlier.range.end = earlier.range.end.max(later.range.end);
            earlier.secret |= later.secret;
        }
        overlap
    });
}

/// The shortest JWT or credential worth looking for.
const SHORTEST_CREDENTIAL: usize = 16;

/// JWTs and the known credential formats. Returns whether one is a JWT.
pub(crate) fn credentials(text: &[u8], classes: Classes, marks: &mut Vec<Mark>) -> bool {
    if text.len() < SHORTEST_CREDENTIAL {
        return false;
    }
    let mut at = 0;
    while let Some((start, end)) = find_credential(text, at) {
        // A format ends where its alphabet does; an escaped character would cut it short.
        let end = text[end..].iter().position(|&b| ends_credential(b)).map_or(text.len(), |n| end + n);
        marks.push(Mark::secret(start..end));
        at = end;
    }
    classes.has(Classes::DOT) && jwts(text, marks)
}

const fn ends_credential(byte: u8) -> bool {
    ends_word(byte) || matches!(byte, b'/' | b'#' | b'\\' | KEPT | PRESERVED)
}

fn jwts(text: &[u8], marks: &mut Vec<Mark>) -> bool {
    let in_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let mut found = false;
    let mut at = 0;
    while at < text.len() {
        let end = text[at..].iter().position(|&b| !in_token(b)).map_or(text.len(), |n| at + n);
        let mut left = memchr::memchr_iter(b'.', &text[at..end]).count();
        let mut start = at;
        for segment in text[at..end].split(|&b| b == b'.') {
            if left < 2 {
                break;
            }
            if let Some(offset) = jose_header_in(segment) {
                marks.push(Mark::secret(start + offset..end));
                found = true;
                break;
            }
            start += segment.len() + 1;
            left -= 1;
        }
        at = end + 1;
    }
    found
}

/// Where in a segment a JOSE header begins that runs to its end: at the front, or glued to something before it.
fn jose_header_in(segment: &[u8]) -> Option<usize> {
    /// Each try reads the rest of the segment, so there must be few.
    const TRIES: usize = 8;
    let glued = memchr::memmem::find_iter(segment, b"eyJ").take(TRIES);
    std::iter::once(0).chain(glued).find(|&offset| shape::is_jose_header(&segment[offset..]))
}

/// User information between two slashes and an `@`. The slashes may be encoded or turned.
pub(crate) fn user_information(text: &[u8], classes: Classes, marks: &mut Vec<Mark>) {
    let slashes = classes.has(Classes::SLASH.or(Classes::BACKSLASH).or(Classes::PERCENT).or(Classes::HIGH));
    let encoded = || classes.has(Classes::PERCENT) && memchr::memmem::find(text, b"40").is_some();
    if !slashes || !(classes.has(Classes::AT) || encoded()) {
        return;
    }
    let mut at = 0;
    while at < text.len() {
        let Some(first) = slash_at(&text[at..]) else {
            at += 1;
            continue;
        };
        at += first;
        let mut slashes = 1;
        while let Some(len) = slash_at(&text[at..]) {
            at += len;
            slashes += 1;
        }
        if slashes < 2 {
            continue;
        }
        let mut end = at;
        let mut user_end = None;
        while end < text.len() && !ends_authority(text[end]) && slash_at(&text[end..]).is_none() {
            if text[end] == b'@' || matches!(encoded_at(&text[end..]), Some((_, b'@'))) {
                user_end = Some(end);
            }
            end += 1;
        }
        if let Some(user_end) = user_end.filter(|&user_end| user_end > at) {
            marks.push(Mark::secret(at..user_end));
        }
        at = end;
    }
}

const fn ends_authority(byte: u8) -> bool {
    // `,` and `'` are characters of user information.
    matches!(byte, b'?' | b'#' | b' ' | b'"' | b'<' | b'>')
}

/// The length of a slash in any form: `/`, `\`, preserved by the path, or percent-encoded however often.
fn slash_at(text: &[u8]) -> Option<usize> {
    match text {
        [b'/' | b'\\', ..] => Some(1),
        [PRESERVED, _, ..] => Some(2),
        [b'%', ..] => match encoded_at(text)? {
            (len, b'/' | b'\\') => Some(len),
            _ => None,
        },
        _ => None,
    }
}

/// What a `%hh` at the start of a text comes to when it is decoded as often as it takes, and its length.
fn encoded_at(text: &[u8]) -> Option<(usize, u8)> {
    if text.first() != Some(&b'%') {
        return None;
    }
    let mut at = 1;
    loop {
        let byte = bytes::hex_byte(text.get(at..)?)?;
        at += 2;
        if byte != b'%' {
            return Some((at, byte));
        }
        // `%25` is the percent sign of the next level.
        if bytes::hex_byte(&text[at..]).is_none() {
            return Some((at, byte));
        }
    }
}

/// Where in a text a secret begins that runs to its end, however that text is taken apart.
pub(crate) fn smuggled(text: &[u8], settings: &Settings, scratch: &mut NameScratch) -> Option<usize> {
    let mut marks = Vec::new();
    after_names(text, false, true, settings, scratch, &mut marks);
    after_schemes(text, &mut marks);
    marks.iter().map(|mark| mark.range.start).min()
}

/// Values that follow a sensitive name or an authentication scheme.
pub(crate) fn named(
    text: &[u8],
    classes: Classes,
    path: bool,
    settings: &Settings,
    scratch: &mut NameScratch,
    marks: &mut Vec<Mark>,
) {
    if classes.has(Classes::EQUALS.or(Classes::COLON).or(Classes::PERCENT)) {
        after_names(text, path, false, settings, scratch, marks);
    }
    if classes.has(Classes::SPACE.or(Classes::PLUS).or(Classes::PERCENT)) {
        after_schemes(text, marks);
    }
}

fn after_names(
    text: &[u8],
    path: bool,
    colons_only: bool,
    settings: &Settings,
    scratch: &mut NameScratch,
    marks: &mut Vec<Mark>,
) {
    let mut at = 0;
    // Nothing before this belongs to the next name.
    let mut floor = 0;
    // Up to here all is marked already. A name inside of that can still announce what lies behind it.
    let mut covered = 0;
    while let Some(found) = memchr::memchr3(b'=', b':', b'%', &text[at..]) {
        let start = at + found;
        let (len, separator) = match text[start] {
            b'%' => match encoded_at(&text[start..]) {
                Some((len, byte @ (b'=' | b':'))) => (len, byte),
                _ => {
                    at = start + 1;
                    continue;
                }
            },
            byte => (1, byte),
        };
        at = start + len;
        let name = name_before(text, floor, start);
        if let Some(end) = placeholder_around(text, name.range.start) {
            (at, floor) = (end, end);
            continue;
        }
        floor = at;
        let url = separator == b':' && (begins_authority(&text[at..]) || is_port(text, name.range.start, at));
        if url || name.range.is_empty() || !is_sensitive(&text[name.range.clone()], settings, scratch) {
            continue;
        }
        if separator == b':' && !name.quoted {
            let value = skip_spaces(text, at);
            if value < text.len() {
                marks.push(Mark::secret(value..text.len()));
            }
            return;
        }
        if colons_only || at < covered {
            continue;
        }
        // A path parameter ends with its segment.
        let segment = path && text[..name.range.start].ends_with(b";");
        let value = value_after(text, at, segment);
        covered = value.end;
        if !value.is_empty() {
            marks.push(Mark::secret(value));
        }
    }
}

/// Two slashes: what stands before the colon is a scheme.
fn begins_authority(text: &[u8]) -> bool {
    slash_at(text).is_some_and(|len| slash_at(&text[len..]).is_some())
}

/// Whether the colon before `at` stands between a host and its port: digits behind it, and two slashes in front of the
/// host, or of the user information before it.
fn is_port(text: &[u8], host: usize, at: usize) -> bool {
    /// How far back the slashes may be. Past that, what looks like a port is taken for a secret.
    const LONGEST_USER: usize = 256;
    let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let ends = text
        .get(at + digits)
        .is_none_or(|&b| ends_authority(b) || matches!(b, b',' | b'\'') || slash_at(&text[at + digits..]).is_some());
    if !(1..=5).contains(&digits) || !ends {
        return false;
    }
    let before = &text[host.saturating_sub(LONGEST_USER)..host];
    let word = before.iter().rposition(|&b| ends_word(b)).map_or(before, |space| &before[space + 1..]);
    before.ends_with(b"//") || (before.ends_with(b"@") && memchr::memmem::find(word, b"//").is_some())
}

/// The end of a placeholder whose word is the name at `start`: its inside is not inspected.
fn placeholder_around(text: &[u8], start: usize) -> Option<usize> {
    let less = start.checked_sub(1).filter(|&less| text[less] == b'<')?;
    placeholder::at_start(&text[less..]).map(|len| less + len)
}

struct Name {
    range: Range<usize>,
    quoted: bool,
}

/// The name before a separator; white space, quotes and backslashes may stand between.
fn name_before(text: &[u8], floor: usize, separator: usize) -> Name {
    let mut end = separator;
    let mut quoted = false;
    while end > floor && matches!(text[end - 1], b' ' | b'"' | b'\'' | b'\\') {
        quoted |= matches!(text[end - 1], b'"' | b'\'');
        end -= 1;
    }
    // `user[password]`, `password[]`: the name is what stands in the brackets, and what stands before them.
    let bracketed = end > floor && text[end - 1] == b']';
    let in_name = |byte: u8| is_name_byte(byte) || (bracketed && matches!(byte, b'[' | b']' | b'\'' | b'"'));
    let mut start = end;
    while start > floor && in_name(text[start - 1]) {
        let mark = start >= 2 && matches!(text[start - 2], KEPT | PRESERVED);
        if mark {
            break;
        }
        start -= 1;
    }
    Name { range: start..end, quoted }
}

const fn is_name_byte(byte: u8) -> bool {
    !matches!(
        byte,
        0..=b' '
            | b'"'
            | b'\''
            | b'&'
            | b'('
            | b')'
            | b','
            | b'/'
            | b':'
            | b';'
            | b'<'
            | b'='
            | b'>'
            | b'?'
            | b'@'
            | b'#'
    ) && !matches!(byte, b'[' | b'\\' | b']' | b'{' | b'|' | b'}' | 0x7F | KEPT | PRESERVED)
}

/// The value behind `name=` or a quoted `"name":`.
fn value_after(text: &[u8], at: usize, segment: bool) -> Range<usize> {
    let plain = skip_spaces(text, at);
    // An arrow, and backslashes before a quote, belong to the writing and not to the value.
    let arrow = plain + usize::from(text.get(plain) == Some(&b'>'));
    let start = skip_spaces(text, arrow);
    let opened = start + text[start..].iter().take_while(|&&b| b == b'\\').count();
    match text.get(opened) {
        Some(&quote @ (b'"' | b'\'')) => {
            let escaped = opened > start;
            let inside = opened + 1;
            let mut end = inside;
            while end < text.len() && text[end] != quote {
                // An escaped quote does not close, unless the value was opened by one.
                end += if text[end] == b'\\' && !escaped { 2 } else { 1 };
            }
            inside..end.min(text.len())
        }
        Some(b'[' | b'{' | b'(') if !segment => start..bracket_end(text, opened),
        _ => {
            let ends = |byte: u8| {
                matches!(byte, b' ' | b';' | b',' | b'&' | b'"' | b'\'') || byte < b' ' || (segment && byte == b'/')
            };
            let end = text[start..].iter().position(|&b| ends(b)).map_or(text.len(), |n| start + n);
            start..end
        }
    }
}

/// Behind the bracket that closes the one at `at`, or the end: lists and objects are secret with all that is in them.
fn bracket_end(text: &[u8], at: usize) -> usize {
    let mut depth = 0usize;
    for (i, byte) in text[at..].iter().enumerate() {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + i + 1;
        }
    }
    text.len()
}

fn skip_spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|&&b| b == b' ').count()
}

/// `Bearer …`: to the end of the text.
fn after_schemes(text: &[u8], marks: &mut Vec<Mark>) {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b' ', b'+', b'%', &text[at..]) {
        let start = at + found;
        at = match text[start] {
            b'%' => match encoded_at(&text[start..]) {
                Some((len, b' ')) => start + len,
                _ => {
                    at = start + 1;
                    continue;
                }
            },
            _ => start + 1,
        };
        let word_len = text[..start].iter().rev().take(LONGEST_SCHEME + 1).take_while(|&&b| is_scheme_byte(b)).count();
        let word = &text[start - word_len..start];
        if at < text.len() && is_scheme(word) {
            marks.push(Mark::secret(skip_spaces(text, at).min(text.len() - 1)..text.len()));
            return;
        }
    }
}

const LONGEST_SCHEME: usize = 24;

const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
}

pub(crate) fn is_scheme(word: &[u8]) -> bool {
    AUTH_SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme.as_bytes()))
}

/// The values of a query or a fragment inside a header value.
pub(crate) fn url_values(
    text: &[u8],
    classes: Classes,
    settings: &Settings,
    scratch: &mut NameScratch,
    marks: &mut Vec<Mark>,
) {
    if !classes.has(Classes::QUESTION.or(Classes::HASH)) || !classes.has(Classes::EQUALS) {
        return;
    }
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'?', b'#', &text[at..]) {
        let start = at + found + 1;
        if text[start - 1] == b'#' && !is_url(text, start - 1) {
            at = start;
            continue;
        }
        let end = url_end(text, start);
        let mut pair_start = start;
        for pair in text[start..end].split(|&b| matches!(b, b'&' | b'#')) {
            if let Some(equals) = memchr::memchr(b'=', pair) {
                let value = pair_start + equals + 1..pair_start + pair.len();
                let secret = is_sensitive(&pair[..equals], settings, scratch);
                marks.push(Mark { range: value, secret });
            }
            pair_start += pair.len() + 1;
        }
        at = end;
    }
}

/// The word that ends at `at`, as far as it matters.
fn word_before(text: &[u8], at: usize) -> &[u8] {
    const FAR_ENOUGH: usize = 2048;
    let before = &text[at.saturating_sub(FAR_ENOUGH)..at];
    before.iter().rposition(|&b| b <= b' ').map_or(before, |space| &before[space + 1..])
}

/// Whether the word before a `#` is a URL or a path, so that a fragment follows.
fn is_url(text: &[u8], at: usize) -> bool {
    let word = word_before(text, at);
    word.starts_with(b"/") || memchr::memmem::find(word, b"://").is_some()
}

/// Where the URL that `at` is in ends: with white space, or with what closes what stands before it.
fn url_end(text: &[u8], at: usize) -> usize {
    let close = match word_before(text, at).first() {
        Some(b'<') => b'>',
        Some(b'"') => b'"',
        Some(b'\'') => b'\'',
        Some(b'(') => b')',
        _ => b' ',
    };
    text[at..].iter().position(|&b| b <= b' ' || b == close).map_or(text.len(), |n| at + n)
}

/// Segments between slashes of any form that can hardly be anything but secrets.
pub(crate) fn segments(text: &[u8], settings: &Settings, scratch: &mut NameScratch, marks: &mut Vec<Mark>) {
    let mut before: Range<usize> = 0..0;
    let mut start = 0;
    let mut at = 0;
    while at <= text.len() {
        let delimiter = match text.get(at) {
            None => Some(1),
            Some(b' ' | b'?' | b'#' | b'"') => Some(1),
            Some(b'/' | b'\\' | b'%' | &PRESERVED) => slash_at(&text[at..]),
            Some(_) => None,
        };
        let Some(delimiter) = delimiter else {
            at += 1;
            continue;
        };
        let range = start..at;
        // Only a slash says that what follows belongs to the name before it.
        let slash = !matches!(text.get(at), None | Some(b' ' | b'?' | b'#' | b'"'));
        at += delimiter;
        start = at;
        if range.len() >= 16 {
            let classes = bytes::classes(&text[range.clone()]);
            let with_letters_and_digits = classes.has(Classes::ALPHA) && classes.has(Classes::DIGIT);
            if with_letters_and_digits && is_sensitive(&text[before.clone()], settings, scratch) {
                marks.push(Mark::secret(range.clone()));
            } else {
                tokens(text, range.clone(), marks);
            }
        }
        before = if slash { range } else { 0..0 };
    }
}

/// The parts of a segment that are a long hexadecimal number, or letters of both cases and digits.
fn tokens(text: &[u8], segment: Range<usize>, marks: &mut Vec<Mark>) {
    let mut start = segment.start;
    for token in text[segment].split(|b| matches!(b, b';' | b'=' | b'.' | b',' | b':' | b'@' | b'~' | b'!')) {
        let range = start..start + token.len();
        start = range.end + 1;
        if token.len() < 20 {
            continue;
        }
        let classes = bytes::classes(token);
        let rich = classes.has(Classes::UPPER) && classes.has(Classes::LOWER) && classes.has(Classes::DIGIT);
        let hex = token.len() >= 32 && shape::shape(token, classes) == Shape::Hex;
        if hex || (rich && classes.only(Classes::ALNUM)) {
            marks.push(Mark::secret(range));
        }
    }
}

/// Words of a header value that identify someone or something, and differ from request to request.
pub(crate) fn words(text: &[u8], classes: Classes, marks: &mut Vec<Mark>) {
    if !classes.has(Classes::DIGIT.or(Classes::AT).or(Classes::COLON)) {
        return;
    }
    let mut start = 0;
    while start < text.len() {
        let mut end = text[start..].iter().position(|&b| ends_word(b)).map_or(text.len(), |n| start + n);
        // Padding is part of a word, where it ends one.
        let padding = text[end..].iter().take(3).take_while(|&&b| b == b'=').count();
        if padding <= 2 && text.get(end + padding).is_none_or(|&b| ends_word(b)) {
            end += padding;
        }
        if let Some(len) = identifying(&text[start..end]) {
            marks.push(Mark { range: start..start + len, secret: false });
        }
        start = end + 1;
    }
}

const fn ends_word(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | b',' | b';' | b'"' | b'\'' | b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}')
        || matches!(byte, b'=' | b'&' | b'?' | b'|')
}

/// How much of a word is identifying, from its start: all of it, or an address before its port.
fn identifying(word: &[u8]) -> Option<usize> {
    if word.len() < 3 {
        return None;
    }
    let classes = bytes::classes(word);
    let both = classes.has(Classes::DIGIT) && classes.has(Classes::ALPHA);
    let whole = match shape::shape(word, classes) {
        Shape::Uuid | Shape::Ipv4 | Shape::Ipv6 | Shape::Email => true,
        Shape::Hex | Shape::B64 | Shape::B64url | Shape::Lowernum | Shape::Uppernum | Shape::Alnum => {
            both && word.len() >= 16
        }
        _ => false,
    };
    if whole {
        return Some(word.len());
    }
    let address = memchr::memchr(b':', word)?;
    shape::is_ipv4(&word[..address]).then_some(address)
}
