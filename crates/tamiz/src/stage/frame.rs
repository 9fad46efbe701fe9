//! Bytes to request line, header lines and body.
//!
//! Nothing is refused here: whatever does not fit is read as well as it can be and raised as a flag.

use std::ops::Range;

use crate::bytes;
use crate::findings::{Findings, Span};
use crate::table::changes::Change;
use crate::table::flags::Flag;
use crate::table::limits::{LONGEST_BODY, LONGEST_HEAD};
use crate::table::methods::METHODS;

/// One request cut out of a stream by [`Splitter`]: its head with the empty line, and its body.
///
/// ```
/// use tamiz::{Engine, Framed};
/// let framed = Framed { head: b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", body: b"", truncated: false, bad_chunks: false };
/// let mut out = String::new();
/// Engine::default().canonicalize_framed(&framed, &mut out);
/// assert!(out.starts_with("M:GET\nU:http://a/\n"));
/// ```
#[derive(Clone, Copy)]
pub struct Framed<'a> {
    /// The request line and the header lines.
    pub head: &'a [u8],
    /// What the declared length gives, de-chunked where it was chunked.
    pub body: &'a [u8],
    /// The declared body runs past the input or past 16 MiB.
    pub truncated: bool,
    /// The chunks were malformed, so that there is no body, or written as some parsers would not read them.
    pub bad_chunks: bool,
}

/// The parts of a head, as ranges of the input.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) method: Range<usize>,
    /// `None` where the request line has no target.
    pub(crate) target: Option<Range<usize>>,
    /// Header lines as they stand, without their line ends.
    pub(crate) lines: Vec<Range<usize>>,
    /// Where the body begins.
    pub(crate) body: usize,
}

/// Reads a head. Ranges are positions in `input`.
pub(crate) fn run(input: &[u8], frame: &mut Frame, findings: &mut Findings) {
    let head = skip_empty_lines(input);
    let Head { request_line, end, complete, mixed_ends } = find_head(input, head, &mut frame.lines);
    frame.body = end;
    if let Some(line_end) = mixed_ends {
        findings.raise(Flag::MixedEol, Span::new(line_end, line_end + 1));
    }
    if !complete {
        findings.raise(Flag::Truncated, Span::new(end, end));
    }
    findings.change(Change::RequestLine, Span::new(request_line.start, request_line.end));
    if let (Some(first), Some(last)) = (frame.lines.first(), frame.lines.last()) {
        findings.change(Change::HeaderLines, Span::new(first.start, last.end));
    }
    if end < input.len() {
        findings.change(Change::BodyFound, Span::new(end, input.len()));
    }
    read_request_line(input, request_line, frame, findings);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Crlf,
    Lf,
}

struct Head {
    request_line: Range<usize>,
    /// Behind the empty line, or the end of the input.
    end: usize,
    complete: bool,
    /// The first LF that ends a line in another way than the request line ends.
    mixed_ends: Option<usize>,
}

fn skip_empty_lines(input: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match &input[at..] {
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => return at,
        }
    }
}

fn find_head(input: &[u8], start: usize, lines: &mut Vec<Range<usize>>) -> Head {
    lines.clear();
    let Some(first) = memchr::memchr(b'\n', &input[start..]) else {
        // A final CR is the half of a line end that was cut off.
        let end = if input.ends_with(b"\r") && input.len() > start { input.len() - 1 } else { input.len() };
        return Head { request_line: start..end, end: input.len(), complete: false, mixed_ends: None };
    };
    let line_end = start + first;
    let ends = if input[start..line_end].ends_with(b"\r") { LineEnd::Crlf } else { LineEnd::Lf };
    let request_line = start..line_end - usize::from(ends == LineEnd::Crlf);
    let mut head = Head { request_line, end: input.len(), complete: false, mixed_ends: None };
    let mut at = line_end + 1;
    while at < input.len() {
        let (line, next) = next_line(input, at, ends, &mut head.mixed_ends);
        head.complete = next.is_some() && line.is_empty();
        if !line.is_empty() {
            lines.push(line);
        }
        at = next.unwrap_or(input.len());
        if head.complete {
            head.end = at;
            break;
        }
    }
    head
}

/// The line at `at` without its end, and where the next one begins.
fn next_line(input: &[u8], at: usize, ends: LineEnd, mixed: &mut Option<usize>) -> (Range<usize>, Option<usize>) {
    let mut from = at;
    while let Some(found) = memchr::memchr(b'\n', &input[from..]) {
        let lf = from + found;
        let after_cr = lf > at && input[lf - 1] == b'\r';
        if after_cr != (ends == LineEnd::Crlf) {
            mixed.get_or_insert(lf);
        }
        match ends {
            LineEnd::Lf => return (at..lf - usize::from(after_cr), Some(lf + 1)),
            LineEnd::Crlf if after_cr => return (at..lf - 1, Some(lf + 1)),
            LineEnd::Crlf => from = lf + 1,
        }
    }
    let end = if input[at..].ends_with(b"\r") { input.len() - 1 } else { input.len() };
    (at..end, None)
}

fn read_request_line(input: &[u8], line: Range<usize>, frame: &mut Frame, findings: &mut Findings) {
    let text = &input[line.clone()];
    let at = Span::new(line.start, line.end);
    let trimmed = trim_spaces(text);
    let mut odd = trimmed != (0..text.len());
    let words = &text[trimmed.clone()];
    let place = |range: Range<usize>| {
        let base = line.start + trimmed.start;
        base + range.start..base + range.end
    };
    let first_end = memchr::memchr(b' ', words).unwrap_or(words.len());
    let last_start = memchr::memrchr(b' ', words).map_or(0, |space| space + 1);
    let has_version = words[last_start..].starts_with(b"HTTP/");
    if has_version {
        read_version(&words[last_start + b"HTTP/".len()..], place(last_start..words.len()), findings);
    } else {
        odd = true;
    }
    // A lone version, or a first word that can only be a target: there is no method.
    let missing = (has_version && last_start == 0) || words.starts_with(b"/");
    let method = if missing { 0..0 } else { 0..first_end };
    let between = method.end..if has_version { last_start } else { words.len() };
    let inner = trim_spaces(&words[between.clone()]);
    let target = between.start + inner.start..between.start + inner.end;
    // One space on each side of the target is the form; anything else is not.
    let separators = inner.start + (between.len() - inner.end);
    odd |= separators != 1 + usize::from(has_version) || target.is_empty();
    odd |= memchr::memchr(b' ', &words[target.clone()]).is_some();
    frame.target = (!target.is_empty()).then(|| place(target));
    frame.method = place(method);
    if odd {
        findings.raise(Flag::BadReqLine, at);
    }
    if let Some(gap) = wide_gap(text) {
        findings.raise(Flag::TabSep, Span::new(line.start + gap, line.start + gap + 1));
    }
    let classes = bytes::classes(text);
    if classes.has(bytes::Classes::CONTROL) && text.contains(&b'\r') {
        findings.raise(Flag::BadCrlf, at);
    }
}

/// White space that some servers separate the words of a request line by, and others do not.
pub(crate) fn wide_gap(text: &[u8]) -> Option<usize> {
    memchr::memchr(b'\t', text).or_else(|| memchr::memmem::find(text, b"  "))
}

fn read_version(version: &[u8], place: Range<usize>, findings: &mut Findings) {
    let span = Span::new(place.start, place.end);
    match version {
        b"1.1" | b"2" | b"2.0" | b"3" | b"3.0" => {}
        b"1.0" => findings.raise(Flag::Http10, span),
        _ => {
            findings.raise(Flag::BadVersion, span);
            // The version is not written anywhere: what is in it must be said here.
            super::content::hidden_characters(version, span, findings);
        }
    }
}

fn trim_spaces(text: &[u8]) -> Range<usize> {
    let start = text.iter().position(|&b| b != b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|&b| b != b' ').map_or(start, |last| last + 1);
    start..end
}

/// Cuts a stream of requests into single ones.
///
/// Feed it a growing buffer. It looks at the front of the buffer again after each [`Next::More`]: grow the buffer by a
/// fraction of its length, not by a constant, so that the work stays linear. The body of a request is its Content-Length, or its chunks; a length that is missing,
/// malformed or conflicting means no body, and reading resumes at the next line that fits a request line, so that
/// one hostile length cannot swallow the file.
///
/// ```
/// use tamiz::{Next, Splitter};
/// let stream = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nx=1GET /b HTTP/1.1\r\n\r\n";
/// let (mut splitter, mut at, mut found) = (Splitter::new(), 0, 0);
/// while let Next::Request { consumed, .. } = splitter.next(&stream[at..], true) {
///     at += consumed;
///     found += 1;
/// }
/// assert_eq!(found, 2);
/// ```
#[derive(Default)]
pub struct Splitter {
    /// The last request had no body of known length: what follows counts only from a line that fits.
    resync: bool,
    /// The front of the buffer is the rest of a line that was given up: it must not be read as a line of its own.
    inside_line: bool,
    dechunked: Vec<u8>,
    lines: Vec<Range<usize>>,
}

/// What [`Splitter::next`] found at the front of the buffer.
pub enum Next<'a> {
    /// A request.
    Request {
        /// Its parts.
        framed: Framed<'a>,
        /// Where its head begins in the buffer.
        at: usize,
        /// How many bytes of the buffer are done with.
        consumed: usize,
    },
    /// Bytes that belong to no request; in a run of very many empty lines, some of those.
    Skipped {
        /// How many bytes of the buffer are done with.
        bytes: usize,
    },
    /// The buffer ends inside a request: append more input and call again.
    More,
    /// Nothing is left.
    End,
}

/// The end of a last line and the empty line behind it: a head is too long by a line, not by its ends, so that it does not
/// matter how much of them has been read.
const LINE_ENDS: usize = b"\r\n\r\n".len();

/// So many empty lines are given up before the rest is read.
const MANY_EMPTY_LINES: usize = 64 << 10;

impl Splitter {
    /// A splitter at the start of a stream.
    ///
    /// ```
    /// assert!(matches!(tamiz::Splitter::new().next(b"", true), tamiz::Next::End));
    /// ```
    #[must_use]
    pub fn new() -> Splitter {
        Splitter::default()
    }

    /// The next request in `buffer`; `at_end` says that no more input will come.
    ///
    /// ```
    /// use tamiz::{Next, Splitter};
    /// assert!(matches!(Splitter::new().next(b"GET / HT", false), Next::More));
    /// ```
    pub fn next<'a>(&'a mut self, buffer: &'a [u8], at_end: bool) -> Next<'a> {
        if self.inside_line && !buffer.is_empty() {
            let line_end = memchr::memchr(b'\n', buffer);
            self.inside_line = line_end.is_none();
            return Next::Skipped { bytes: line_end.map_or(buffer.len(), |lf| lf + 1) };
        }
        let start = skip_empty_lines(buffer);
        if !at_end && start > MANY_EMPTY_LINES {
            return Next::Skipped { bytes: start };
        }
        if start == buffer.len() || (!at_end && &buffer[start..] == b"\r") {
            return if at_end { Next::End } else { Next::More };
        }
        if self.resync {
            match find_request_line(buffer, start, at_end) {
                Resync::At(at) if at == start => self.resync = false,
                Resync::At(at) => return Next::Skipped { bytes: at },
                // Only whole lines are given up while more input may come.
                Resync::Nowhere { whole_lines } if at_end || whole_lines > start => {
                    return Next::Skipped { bytes: if at_end { buffer.len() } else { whole_lines } };
                }
                Resync::Nowhere { .. } if buffer.len() - start > LONGEST_HEAD => {
                    self.inside_line = true;
                    return Next::Skipped { bytes: buffer.len() };
                }
                Resync::Nowhere { .. } => return Next::More,
            }
        }
        let head = find_head(buffer, start, &mut self.lines);
        if head.end - start > LONGEST_HEAD + LINE_ENDS {
            // Before the line that crosses the limit; a request line that does is cut, and the rest of it given up.
            let limit = start + LONGEST_HEAD;
            let crossing = self.lines.iter().find(|line| line.end > limit).map(|line| line.start);
            let cut = crossing.unwrap_or(limit);
            self.inside_line = crossing.is_none();
            self.resync = true;
            let framed = Framed { head: &buffer[start..cut], body: &[], truncated: true, bad_chunks: false };
            return Next::Request { framed, at: start, consumed: cut };
        }
        if !head.complete && !at_end {
            return Next::More;
        }
        let rest = &buffer[head.end..];
        let framed = |body, truncated| Framed { head: &buffer[start..head.end], body, truncated, bad_chunks: false };
        let (framed, end) = match declared_length(buffer, &self.lines) {
            Declared::None => (framed(&[], false), None),
            Declared::Length(length) => match head.end.checked_add(length) {
                Some(end) if length <= LONGEST_BODY && end <= buffer.len() => {
                    (framed(&buffer[head.end..end], false), Some(end))
                }
                _ if length <= LONGEST_BODY && !at_end => return Next::More,
                _ => (framed(&[], true), None),
            },
            // Nothing past the limit is looked at, so that it does not matter how much of it has been read.
            Declared::Chunked => match dechunk(&rest[..rest.len().min(LONGEST_BODY)], &mut self.dechunked, |_, _| {}) {
                Chunks::Whole { end, odd } => {
                    (Framed { bad_chunks: odd, ..framed(&self.dechunked, false) }, Some(head.end + end))
                }
                Chunks::Unfinished if !at_end && rest.len() < LONGEST_BODY => return Next::More,
                Chunks::Unfinished => (framed(&[], true), None),
                Chunks::Malformed => (Framed { bad_chunks: true, ..framed(&[], false) }, None),
            },
        };
        self.resync = end.is_none();
        Next::Request { framed, at: start, consumed: end.unwrap_or(head.end) }
    }
}

enum Declared {
    None,
    Length(usize),
    Chunked,
}

/// The length of the body that the header lines declare, if they agree.
fn declared_length(buffer: &[u8], lines: &[Range<usize>]) -> Declared {
    let mut length: Option<usize> = None;
    let mut conflict = false;
    let mut chunked = false;
    let mut any_field = false;
    for (i, line) in lines.iter().enumerate() {
        let mut line = &buffer[line.clone()];
        // Before the first field, a bare line end has nothing to continue and is dropped.
        while let (false, [b'\r' | b'\n', rest @ ..]) = (any_field, line) {
            line = rest;
        }
        let continues = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        if line.first().is_none_or(|&first| continues(first)) {
            continue;
        }
        any_field = true;
        let folded = lines.get(i + 1).is_some_and(|next| continues(buffer[next.start]));
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let (name, value) = (bytes::trim(&line[..colon]), bytes::trim(&line[colon + 1..]));
        if name.eq_ignore_ascii_case(b"content-length") {
            match plain_number(value) {
                Some(number) if !folded && length.is_none_or(|known| known == number) => length = Some(number),
                _ => conflict = true,
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            chunked = !folded && is_chunked(value);
        }
    }
    match (chunked, length) {
        // Where both are there, chunks show more of what was sent; they are checked as they are read.
        (true, _) => Declared::Chunked,
        (false, Some(length)) if !conflict => Declared::Length(length),
        (false, _) => Declared::None,
    }
}

/// A number of ASCII digits; too large a one saturates.
pub(crate) fn plain_number(text: &[u8]) -> Option<usize> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(text.iter().fold(0usize, |n, &d| n.saturating_mul(10).saturating_add(usize::from(d - b'0'))))
}

/// Whether the last transfer coding is `chunked`.
pub(crate) fn is_chunked(value: &[u8]) -> bool {
    value.rsplit(|&b| b == b',').next().is_some_and(|last| bytes::trim(last).eq_ignore_ascii_case(b"chunked"))
}

pub(crate) enum Chunks {
    /// All chunks and the trailer; `end` is behind the final empty line. `odd`: a size line that not all parsers read.
    Whole {
        end: usize,
        odd: bool,
    },
    Unfinished,
    Malformed,
}

/// A chunk size is a short line: a longer one is none.
const LONGEST_SIZE_LINE: usize = 256;

/// Joins the chunks of a body into `out`. `piece` hears of each one where its bytes stand in the body.
pub(crate) fn dechunk(body: &[u8], out: &mut Vec<u8>, mut piece: impl FnMut(usize, usize)) -> Chunks {
    out.clear();
    let mut at = 0;
    let mut odd = false;
    loop {
        let window = &body[at..body.len().min(at + LONGEST_SIZE_LINE)];
        let Some(lf) = memchr::memchr(b'\n', window) else {
            return if window.len() == LONGEST_SIZE_LINE { Chunks::Malformed } else { Chunks::Unfinished };
        };
        let Some(line) = body[at..at + lf].strip_suffix(b"\r") else { return Chunks::Malformed };
        let digits = line.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(line.len());
        let extensions = &line[digits..];
        let rest = bytes::trim(extensions);
        if digits == 0 || digits > 8 || !(rest.is_empty() || rest.starts_with(b";")) {
            return Chunks::Malformed;
        }
        odd |= !are_extensions(extensions);
        let size =
            line[..digits].iter().fold(0usize, |n, &d| n << 4 | char::from(d).to_digit(16).unwrap_or(0) as usize);
        at += lf + 1;
        if size == 0 {
            return trailer(body, at, odd);
        }
        let Some(data) = at.checked_add(size).and_then(|end| body.get(at..end)) else { return Chunks::Unfinished };
        out.extend_from_slice(data);
        piece(at, at + size);
        at += size;
        match body.get(at..at + 2) {
            Some(b"\r\n") => at += 2,
            Some(_) => return Chunks::Malformed,
            None => return Chunks::Unfinished,
        }
    }
}

/// Chunk extensions as RFC 9112 has them, without the white space that it tolerates.
fn are_extensions(mut text: &[u8]) -> bool {
    while let Some(extension) = text.strip_prefix(b";") {
        let token = |text: &[u8]| text.iter().take_while(|&&b| bytes::is_token_byte(b)).count();
        let name = token(extension);
        text = &extension[name..];
        if name == 0 {
            return false;
        }
        let Some(value) = text.strip_prefix(b"=") else { continue };
        let end = match value.strip_prefix(b"\"") {
            Some(quoted) => quoted_end(quoted).map(|end| end + 1),
            None => Some(token(value)).filter(|&end| end > 0),
        };
        let Some(end) = end else { return false };
        text = &value[end..];
    }
    text.is_empty()
}

/// Behind the closing quote of a text without controls.
fn quoted_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            byte if byte.is_ascii_control() && byte != b'\t' => return None,
            _ => at += 1,
        }
    }
}

fn trailer(body: &[u8], mut at: usize, mut odd: bool) -> Chunks {
    while let Some(lf) = memchr::memchr(b'\n', &body[at..]) {
        let line = &body[at..at + lf];
        at += lf + 1;
        if line == b"\r" {
            return Chunks::Whole { end: at, odd };
        }
        if !line.ends_with(b"\r") || !line.contains(&b':') {
            return Chunks::Malformed;
        }
        // Nothing of a trailer is shown, and parsers differ in what they make of it: that it is there must be said.
        odd = true;
    }
    Chunks::Unfinished
}

enum Resync {
    At(usize),
    /// Up to `whole_lines` there is no request line.
    Nowhere {
        whole_lines: usize,
    },
}

fn find_request_line(buffer: &[u8], start: usize, at_end: bool) -> Resync {
    let mut at = start;
    while at < buffer.len() {
        let lf = memchr::memchr(b'\n', &buffer[at..]);
        if lf.is_none() && !at_end {
            break;
        }
        let end = lf.map_or(buffer.len(), |lf| at + lf);
        let line = buffer[at..end].strip_suffix(b"\r").unwrap_or(&buffer[at..end]);
        if fits_request_line(line) {
            return Resync::At(at);
        }
        at = end + 1;
    }
    Resync::Nowhere { whole_lines: at.min(buffer.len()) }
}

/// A line that ends in an HTTP version, or begins with a registered method and a target.
fn fits_request_line(line: &[u8]) -> bool {
    let mut words = line.split(|&b| b == b' ').filter(|word| !word.is_empty());
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let last = words.next_back().unwrap_or(second);
    if last.starts_with(b"HTTP/") {
        return true;
    }
    let method = std::str::from_utf8(first).is_ok_and(|word| METHODS.binary_search(&word).is_ok());
    method && (second.starts_with(b"/") || second == b"*" || memchr::memmem::find(second, b"://").is_some())
}
