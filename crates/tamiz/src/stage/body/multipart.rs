//! `multipart/form-data`: the parts of a body, files among them.
//!
//! Servers differ in what they take for a boundary, a header or a file name, and that is what uploads are smuggled
//! with: like the other readers this one goes on behind a fault, and says it.

use crate::bytes;
use crate::hidden::Hidden;
use crate::stage::content;
use crate::stage::decode::{self, Component};
use crate::stage::redact::{Escape, Redact, SafeSpan, Standing};
use crate::table::changes::Change;
use crate::table::extensions;
use crate::table::flags::Flag;

use super::finds;
use super::listing::{Listing, Spelling, Tools, for_repeated};

/// The buffers of the reader, kept by the engine.
#[derive(Default)]
pub(crate) struct MultipartScratch {
    names: Vec<SafeSpan>,
    /// The boundary with its two hyphens.
    delimiter: Vec<u8>,
    lowered: Vec<u8>,
}

/// What the type says.
#[derive(Clone, Copy)]
pub(crate) struct Boundary<'a> {
    text: &'a [u8],
    /// It is there twice, with different values, or written as not every parser reads it.
    ambiguous: bool,
}

/// The boundary in a content-type field, after that of the fields before it.
pub(crate) fn boundary<'a>(value: Hidden<'a>, mut boundary: Option<Boundary<'a>>) -> Option<Boundary<'a>> {
    let mut rest = value.from(b';');
    while let Some(parameter) = next_parameter(rest) {
        rest = parameter.rest;
        let text = parameter.value.bytes();
        if parameter.is("boundary") {
            let first = boundary.get_or_insert(Boundary { text, ambiguous: false });
            first.ambiguous |= first.text != text || !parameter.tidy || !(parameter.quoted || is_bare_boundary(text));
        } else if parameter.name.get(..9).is_some_and(|name| name.eq_ignore_ascii_case(b"boundary*")) {
            boundary.get_or_insert(Boundary { text: b"", ambiguous: true }).ambiguous = true;
        }
    }
    boundary
}

/// Without quotes some parsers stop at a comma, a space or a parenthesis.
fn is_bare_boundary(text: &[u8]) -> bool {
    text.iter().all(|&b| bytes::is_token_byte(b) || matches!(b, b'=' | b'/' | b':' | b'?'))
}

/// The character set in a content-type field.
pub(crate) fn charset(value: Hidden<'_>) -> Option<&[u8]> {
    let mut rest = value.from(b';');
    while let Some(parameter) = next_parameter(rest) {
        if parameter.is("charset") {
            return Some(parameter.value.bytes().trim_ascii());
        }
        rest = parameter.rest;
    }
    None
}

/// Reads the parts of a body. `boundary` is what the type says.
pub(crate) fn run(
    body: Hidden<'_>,
    boundary: Option<Boundary<'_>>,
    scratch: &mut MultipartScratch,
    listing: &mut Listing,
    tools: &mut Tools<'_>,
) {
    scratch.names.clear();
    if !boundary.is_some_and(Boundary::is_good) {
        tools.findings.raise(Flag::MpBoundary, body.whole());
    }
    let declared = boundary.map(|boundary| boundary.text).filter(|boundary| !boundary.is_empty());
    let mut first = declared.and_then(|boundary| find_first(body, boundary, &mut scratch.delimiter, tools));
    if first.is_none() {
        tools.findings.raise(Flag::MpBoundary, body.whole());
        first = guess(body.bytes()).and_then(|guess| find_first(body, guess, &mut scratch.delimiter, tools));
    }
    let Some(mut delimiter) = first else {
        let start = tools.redact.safe.begin();
        push_value(body, false, tools);
        let value = tools.redact.safe.since(start);
        return listing.push(value, tools);
    };
    let preamble = body.slice(0, delimiter.start);
    if !bytes::is_line_ends(preamble.bytes()) {
        tools.findings.raise(Flag::MpBoundary, preamble.whole());
        tools.inspect(preamble, Spelling::Plain);
    }
    let ends = delimiter.line_end;
    while !delimiter.closing {
        let next = find_delimiter(body, &scratch.delimiter, delimiter.end, tools);
        // A body that just ends has lost its last delimiter, and the line end that goes with it stays behind.
        let cut = || bytes::without_line_end(&body.bytes()[delimiter.end..]).len() + delimiter.end;
        let end = next.as_ref().map_or_else(cut, |next| next.start.max(delimiter.end));
        read_part(body.slice(delimiter.end, end), delimiter.line_end, scratch, listing, tools);
        let Some(next) = next else { break };
        // Mixed line ends: one parser's delimiter is another one's content.
        let differs = |line_end: LineEnd| line_end != LineEnd::None && line_end != ends;
        if differs(next.before) || differs(next.line_end) {
            tools.findings.raise(Flag::MpBoundary, body.slice(next.start, next.end).whole());
        }
        delimiter = next;
    }
    if !delimiter.closing {
        tools.findings.raise(Flag::MpBoundary, body.slice(delimiter.start, body.len()).whole());
    }
    let epilogue = body.slice(delimiter.end, body.len());
    if delimiter.closing && !bytes::is_line_ends(epilogue.bytes()) {
        tools.findings.raise(Flag::ExtraData, epilogue.whole());
        tools.inspect(epilogue, Spelling::Plain);
    }
    for_repeated(&mut scratch.names, tools, |tools, name| {
        tools.findings.raise_named(Flag::MpDupName, name, body.whole());
    });
}

impl Boundary<'_> {
    /// What RFC 2046 allows.
    fn is_good(self) -> bool {
        let allowed = |b: &u8| b.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(b);
        let Boundary { text, ambiguous } = self;
        !ambiguous && (1..=70).contains(&text.len()) && text.iter().all(allowed) && !text.ends_with(b" ")
    }
}

/// The boundary that the body itself shows: its first line that begins like a delimiter.
fn guess(body: &[u8]) -> Option<&[u8]> {
    let line = body.split(|&b| b == b'\n').find(|line| line.len() > 2 && line.starts_with(b"--"))?;
    let boundary = line[2..].trim_ascii_end();
    (!boundary.is_empty()).then_some(boundary)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Crlf,
    Lf,
    /// The body ends there.
    None,
}

impl LineEnd {
    /// By the line in front of an LF, if there is one.
    fn of(lf: bool, line: &[u8]) -> LineEnd {
        match lf {
            false => LineEnd::None,
            true if line.ends_with(b"\r") => LineEnd::Crlf,
            true => LineEnd::Lf,
        }
    }
}

/// A delimiter line.
struct Delimiter {
    /// Before the line end in front of it, which is its own.
    start: usize,
    /// Behind its line.
    end: usize,
    closing: bool,
    /// The line end in front of it, and its own.
    before: LineEnd,
    line_end: LineEnd,
}

fn find_first(body: Hidden<'_>, boundary: &[u8], delimiter: &mut Vec<u8>, tools: &mut Tools<'_>) -> Option<Delimiter> {
    delimiter.clear();
    delimiter.extend_from_slice(b"--");
    delimiter.extend_from_slice(boundary);
    find_delimiter(body, delimiter, 0, tools)
}

/// The first delimiter line from `from` on, which is the start of a line.
fn find_delimiter(body: Hidden<'_>, delimiter: &[u8], from: usize, tools: &mut Tools<'_>) -> Option<Delimiter> {
    let bytes = body.bytes();
    let finder = memchr::memmem::Finder::new(delimiter);
    let mut at = from;
    while let Some(found) = finder.find(bytes.get(at..)?) {
        let start = at + found;
        at = start + delimiter.len();
        if start > 0 && bytes[start - 1] != b'\n' {
            continue;
        }
        let rest = &bytes[at..];
        let lf = memchr::memchr(b'\n', rest);
        let line = &rest[..lf.unwrap_or(rest.len())];
        let closing = line.starts_with(b"--");
        let behind = bytes::trim(line.strip_suffix(b"\r").unwrap_or(line));
        let behind = if closing { bytes::trim(&behind[2..]) } else { behind };
        if !behind.is_empty() {
            tools.findings.raise(Flag::MpBoundary, body.slice(start, at + line.len()).whole());
            // A longer boundary is another one.
            if !closing {
                continue;
            }
        }
        let before = bytes[from..start].strip_suffix(b"\n").unwrap_or(&bytes[from..start]);
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        let line_end = LineEnd::of(lf.is_some(), line);
        let end_before = LineEnd::of(start > 0, &bytes[..start.saturating_sub(1)]);
        let end = at + lf.map_or(rest.len(), |lf| lf + 1);
        return Some(Delimiter { start: from + before.len(), end, closing, before: end_before, line_end });
    }
    None
}

/// The headers of a part, as far as they matter.
#[derive(Default)]
struct PartHead<'a> {
    disposition: Option<Hidden<'a>>,
    media_type: Option<Hidden<'a>>,
    transfer_encoding: bool,
    /// No empty line ends it.
    open: bool,
    /// Where the content begins.
    content: usize,
}

fn read_part(
    part: Hidden<'_>,
    ends: LineEnd,
    scratch: &mut MultipartScratch,
    listing: &mut Listing,
    tools: &mut Tools<'_>,
) {
    tools.findings.change(Change::FieldRead, part.whole());
    let head = read_head(part, tools);
    if !has_line_ends(&part.bytes()[..head.content], ends) {
        tools.findings.raise(Flag::MpHeader, part.slice(0, head.content).whole());
    }
    let Disposition { name, untidy, file, file_extended } = match head.disposition {
        Some(disposition) => read_disposition(disposition, &mut scratch.lowered, tools),
        None => Disposition::default(),
    };
    if name.is_none() {
        tools.findings.raise(Flag::MpHeader, part.whole());
    }
    let name = name.unwrap_or(part.slice(0, 0));
    let Tools { layers, redact, settings, findings } = &mut *tools;
    let key = {
        let decoded = decode::plain(name, Component::Key, layers, findings);
        content::key(&decoded, name.whole(), settings, findings);
        // Content that has run into its headers may have run into the name as well.
        let misplaced = head.open || untidy || memchr::memchr2(b'\r', b'\n', name.bytes()).is_some();
        let standing = if misplaced { Standing::Misplaced { secret: false } } else { Standing::Key };
        redact.key(&decoded, standing, Escape::FormKey, settings, findings)
    };
    scratch.names.push(key.written);
    listing.enter(0, "", key.written, redact);
    let content = part.slice(head.content, part.len());
    let media_type = head.media_type.map(|value| value.until(b';'));
    let start = redact.safe.begin();
    if let Some(name) = file.or(file_extended) {
        push_file(name, content, media_type, scratch, tools);
    } else {
        if let Some(find) = finds::of_file(content.bytes()).filter(|find| !find.passive) {
            tools.findings.raise_word(Flag::BodyMismatch, find.name, content.whole());
        }
        push_value(content, key.sensitive, tools);
    }
    if let Some(media_type) = head.media_type {
        tools.redact.safe.push(":");
        push_media_type(media_type, key.sensitive, tools);
    }
    let value = tools.redact.safe.since(start);
    listing.push(value, tools);
}

fn push_value(content: Hidden<'_>, sensitive: bool, tools: &mut Tools<'_>) {
    let Tools { layers, redact, settings, findings } = tools;
    let value = decode::plain(content, Component::Value, layers, findings);
    content::value(&value, content.whole(), settings, findings);
    redact.push_value(value.text(), value.classes(), sensitive, settings, findings);
}

/// Whether the lines of a head end as its delimiter does, with no other CR or LF in them.
fn has_line_ends(head: &[u8], ends: LineEnd) -> bool {
    memchr::memchr2_iter(b'\r', b'\n', head).all(|at| match head[at] {
        b'\n' => LineEnd::of(true, &head[..at]) == ends,
        _ => ends == LineEnd::Crlf && matches!(head.get(at + 1), None | Some(b'\n')),
    })
}

fn read_head<'a>(part: Hidden<'a>, tools: &mut Tools<'_>) -> PartHead<'a> {
    let bytes = part.bytes();
    let mut head = PartHead::default();
    let mut at = 0;
    loop {
        let Some(lf) = memchr::memchr(b'\n', &bytes[at..]) else {
            // Nothing separates headers from content.
            tools.findings.raise(Flag::MpHeader, part.slice(at, bytes.len()).whole());
            if at < bytes.len() {
                read_header(part.slice(at, bytes.len()), &mut head, tools);
            }
            head.open = true;
            head.content = bytes.len();
            return head;
        };
        if matches!(&bytes[at..at + lf], b"" | b"\r") {
            head.content = at + lf + 1;
            return head;
        }
        let mut end = at + lf + 1;
        while matches!(bytes.get(end), Some(b' ' | b'\t')) {
            tools.findings.raise(Flag::MpHeader, part.slice(at, end).whole());
            end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |lf| end + lf + 1);
        }
        read_header(part.slice(at, end), &mut head, tools);
        at = end;
    }
}

fn read_header<'a>(line: Hidden<'a>, head: &mut PartHead<'a>, tools: &mut Tools<'_>) {
    let bytes = line.bytes();
    let end = bytes.trim_ascii_end().len();
    let colon = memchr::memchr(b':', &bytes[..end]);
    let value = line.slice(colon.map_or(0, |colon| colon + 1), end).trim_by(|b| b.is_ascii_whitespace());
    let name = &bytes[..colon.unwrap_or(0)];
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    let understood = if is("content-disposition") {
        fill(&mut head.disposition, value)
    } else if is("content-type") {
        fill(&mut head.media_type, value)
    } else if is("content-transfer-encoding") {
        // Any other encoding would have to be undone, and RFC 7578 has none.
        let plain = [&b"7bit"[..], b"8bit", b"binary"];
        !std::mem::replace(&mut head.transfer_encoding, true)
            && plain.iter().any(|plain| value.bytes().eq_ignore_ascii_case(plain))
    } else {
        false
    };
    if !understood {
        tools.findings.raise(Flag::MpHeader, line.whole());
        // What is not understood is still looked at: content may hide in it.
        tools.inspect(line.slice(0, end), Spelling::Plain);
    }
}

/// The first of two counts.
fn fill<'a>(slot: &mut Option<Hidden<'a>>, value: Hidden<'a>) -> bool {
    let first = slot.is_none();
    slot.get_or_insert(value);
    first
}

#[derive(Default)]
struct Disposition<'a> {
    name: Option<Hidden<'a>>,
    /// The parameter of the name is not written as it should be.
    untidy: bool,
    file: Option<Hidden<'a>>,
    /// `filename*`, which RFC 7578 forbids and some servers prefer.
    file_extended: Option<Hidden<'a>>,
}

fn read_disposition<'a>(value: Hidden<'a>, lowered: &mut Vec<u8>, tools: &mut Tools<'_>) -> Disposition<'a> {
    let mut disposition = Disposition::default();
    let kind = value.until(b';');
    let mut odd = !kind.bytes().eq_ignore_ascii_case(b"form-data");
    let mut rest = value.from(b';');
    while let Some(mut parameter) = next_parameter(rest) {
        rest = parameter.rest;
        odd |= !parameter.tidy;
        let is_name = parameter.is("name");
        disposition.untidy |= is_name && !parameter.tidy;
        let slot = if is_name {
            &mut disposition.name
        } else if parameter.is("filename") {
            &mut disposition.file
        } else if parameter.is("filename*") {
            odd = true;
            parameter.value = without_charset(parameter.value);
            &mut disposition.file_extended
        } else {
            odd = true;
            tools.inspect(parameter.value, Spelling::Plain);
            continue;
        };
        if slot.is_some() {
            odd = true;
            tools.inspect(parameter.value, Spelling::Plain);
        }
        slot.get_or_insert(parameter.value);
        if !is_name {
            check_file_name(parameter.value, lowered, tools);
        }
    }
    if odd {
        tools.findings.raise(Flag::MpHeader, value.whole());
    }
    disposition
}

/// The text of an extended parameter, behind its character set and language.
fn without_charset(value: Hidden<'_>) -> Hidden<'_> {
    let behind = memchr::memchr_iter(b'\'', value.bytes()).nth(1).map_or(0, |quote| quote + 1);
    value.slice(behind, value.len())
}

struct Parameter<'a> {
    name: &'a [u8],
    value: Hidden<'a>,
    /// What follows it.
    rest: Hidden<'a>,
    quoted: bool,
    /// It has an equals sign without white space around it, and nothing stands behind its closing quote.
    tidy: bool,
}

impl Parameter<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The parameter at the start of `text`, which begins with its `;`.
fn next_parameter(text: Hidden<'_>) -> Option<Parameter<'_>> {
    let bytes = text.bytes();
    let is_space = |b: &u8| b.is_ascii_whitespace();
    let start = bytes.iter().position(|b| *b != b';' && !is_space(b))?;
    let end = bytes[start..].iter().position(|b| matches!(b, b'=' | b';')).map_or(bytes.len(), |end| start + end);
    let name = bytes[start..end].trim_ascii();
    let from = |at: usize| text.slice(at, bytes.len());
    if bytes.get(end) != Some(&b'=') {
        return Some(Parameter { name, value: text.slice(end, end), rest: from(end), quoted: false, tidy: false });
    }
    let spaces = bytes[end + 1..].iter().take_while(|b| is_space(b)).count();
    let close_by = spaces == 0 && name.len() == end - start;
    let at = end + 1 + spaces;
    if bytes.get(at) != Some(&b'"') {
        let end = memchr::memchr(b';', &bytes[at..]).map_or(bytes.len(), |len| at + len);
        let value = text.slice(at, end).trim_by(|b| b.is_ascii_whitespace());
        return Some(Parameter { name, value, rest: from(end), quoted: false, tidy: close_by });
    }
    let quote = closing_quote(bytes, at + 1);
    let close = quote.unwrap_or(bytes.len());
    let behind = (close + 1).min(bytes.len());
    let next = memchr::memchr(b';', &bytes[behind..]).map_or(bytes.len(), |found| behind + found);
    let tidy = close_by && quote.is_some() && bytes[behind..next].iter().all(is_space);
    Some(Parameter { name, value: text.slice(at + 1, close), rest: from(next), quoted: true, tidy })
}

/// A quote behind a backslash is content; any other backslash is one of a Windows path.
fn closing_quote(text: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'"', &text[from..])
        .map(|found| from + found)
        .find(|&quote| quote == from || text[quote - 1] != b'\\')
}

/// Every file name of a part is looked at, whichever a server takes.
fn check_file_name(name: Hidden<'_>, lowered: &mut Vec<u8>, tools: &mut Tools<'_>) {
    tools.inspect(name, Spelling::Plain);
    if has_path(name.bytes()) {
        tools.findings.raise(Flag::FilePath, name.whole());
    }
    if has_double_extension(name.bytes(), lowered) {
        tools.findings.raise(Flag::FileDblExt, name.whole());
    }
}

fn push_file(
    name: Hidden<'_>,
    content: Hidden<'_>,
    media_type: Option<Hidden<'_>>,
    scratch: &mut MultipartScratch,
    tools: &mut Tools<'_>,
) {
    if name.bytes().is_empty() && !content.bytes().is_empty() {
        tools.findings.raise(Flag::FilePath, name.whole());
    }
    let extension = extension(name.bytes());
    lower(extension, &mut scratch.lowered);
    let known = std::str::from_utf8(&scratch.lowered).ok().and_then(extensions::row);
    if let Some(find) = finds::of_file(content.bytes()) {
        let at_home = find.extensions.iter().any(|known| known.as_bytes() == scratch.lowered)
            || media_type.is_some_and(|media_type| find.is_home(media_type.bytes()));
        if !at_home && (!find.passive || known.is_some()) {
            tools.findings.raise_word(Flag::BodyMismatch, find.name, content.whole());
        }
    }
    let word = match known {
        Some(row) => row.name,
        None if extension.is_empty() => "none",
        None => Redact::shape_name(&scratch.lowered),
    };
    tools.redact.safe.file(word, content.len());
}

fn lower(text: &[u8], lowered: &mut Vec<u8>) {
    lowered.clear();
    lowered.extend(text.iter().map(u8::to_ascii_lowercase));
}

/// A directory in a file name, plain or percent-encoded.
fn has_path(name: &[u8]) -> bool {
    let encoded = |at: usize| matches!(bytes::hex_byte(&name[at + 1..]), Some(b'/' | b'\\' | 0));
    matches!(name, b"." | b"..")
        || memchr::memchr3(b'/', b'\\', 0, name).is_some()
        || memchr::memchr_iter(b'%', name).any(encoded)
}

/// What stands behind the last dot. Windows drops dots and spaces at the end of a name.
fn extension(name: &[u8]) -> &[u8] {
    let name = trim_name(name);
    memchr::memrchr(b'.', name).map_or(&[], |dot| name[dot + 1..].trim_ascii())
}

/// Some servers end a name at a semicolon, a colon or a NUL.
fn cut_extension(extension: &[u8]) -> &[u8] {
    let end = memchr::memchr3(b';', b':', 0, extension).unwrap_or(extension.len());
    extension[..end].trim_ascii()
}

fn trim_name(mut name: &[u8]) -> &[u8] {
    while let [rest @ .., b'.' | b' '] = name {
        name = rest;
    }
    name
}

/// An extension that is run, in front of another one or behind one that is known.
fn has_double_extension(name: &[u8], lowered: &mut Vec<u8>) -> bool {
    lower(trim_name(name), lowered);
    let known = |part: &[u8]| std::str::from_utf8(cut_extension(part)).ok().and_then(extensions::row);
    let mut parts = lowered.rsplit(|&b| b == b'.');
    let (Some(last), Some(before)) = (parts.next(), parts.next()) else { return false };
    // What stands before the first dot is the name itself.
    let Some(_) = parts.clone().next() else { return false };
    let runs = |part: &[u8]| known(part).is_some_and(|row| row.executable);
    let stem = lowered.iter().position(|&b| b == b'.').unwrap_or(0);
    let inner = lowered[stem + 1..].split(|&b| b == b'.');
    let count = inner.clone().count();
    (runs(last) && known(before).is_some()) || inner.take(count - 1).any(runs)
}

/// A declared type, as far as it is one.
fn push_media_type(value: Hidden<'_>, sensitive: bool, tools: &mut Tools<'_>) {
    /// What a secret part can be without telling anything.
    const COMMON: [&str; 4] = ["application/json", "application/octet-stream", "text/html", "text/plain"];
    let text = value.until(b';');
    let mut halves = text.bytes().splitn(2, |&b| b == b'/');
    let class = halves.next().unwrap_or_default();
    let is_type = bytes::is_token(class) && halves.next().is_some_and(bytes::is_token);
    let mut rest = value.from(b';');
    let mut tidy = is_type && !class.eq_ignore_ascii_case(b"multipart");
    while let Some(parameter) = next_parameter(rest) {
        tidy &= parameter.tidy && parameter.is("charset");
        rest = parameter.rest;
    }
    if !tidy {
        tools.findings.raise(Flag::MpHeader, value.whole());
        tools.inspect(value, Spelling::Plain);
    }
    let Tools { layers, redact, settings, findings } = tools;
    let common = || COMMON.iter().any(|known| text.bytes().eq_ignore_ascii_case(known.as_bytes()));
    match is_type && (!sensitive || common()) {
        true => redact.push_word(text, true, settings, findings),
        false => {
            let text = decode::plain(text, Component::Value, layers, findings);
            redact.push_bare_shape(text.text(), sensitive, findings);
        }
    }
}
