//! Header lines to fields: one name and one value each, unfolded, with single spaces, in UTF-8.

use std::ops::Range;

use crate::bytes;
use crate::findings::{Findings, FlagSet, Span};
use crate::hidden::Hidden;
use crate::stage::content;
use crate::stage::decode::plain_name;
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// One header field.
pub(crate) struct Field {
    name: Range<usize>,
    value: Range<usize>,
    pub(crate) known: Option<Known>,
    /// Its name is ASCII without anything around it.
    plain: bool,
    /// What was odd about its lines.
    pub(crate) oddities: FlagSet,
    /// The line has no colon: all of it is the name.
    pub(crate) no_colon: bool,
    /// White space stood before the colon.
    pub(crate) space_before_colon: bool,
    /// Its lines in the input.
    pub(crate) span: Span,
}

/// The fields that other stages ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Host,
    Cookie,
    ContentEncoding,
    ContentLength,
    ContentType,
    TransferEncoding,
}

impl Known {
    /// By the name as the header lines will write it: in any case, and after NFKC.
    fn named(name: &[u8]) -> Option<Known> {
        const NAMES: [(&str, Known); 6] = [
            ("host", Known::Host),
            ("cookie", Known::Cookie),
            ("content-encoding", Known::ContentEncoding),
            ("content-length", Known::ContentLength),
            ("content-type", Known::ContentType),
            ("transfer-encoding", Known::TransferEncoding),
        ];
        let found = |name: &[u8]| {
            let same = |(known, _): &&(&str, Known)| name.eq_ignore_ascii_case(known.as_bytes());
            NAMES.iter().find(same).map(|&(_, known)| known)
        };
        if name.is_ascii() { found(name) } else { found(plain_name(name)?.as_bytes()) }
    }
}

/// The fields of one request, their text in one buffer.
#[derive(Default)]
pub(crate) struct Fields {
    text: Vec<u8>,
    /// The input offset of every byte of `text`, while a request is being explained.
    map: Vec<usize>,
    traced: bool,
    pub(crate) list: Vec<Field>,
}

impl Fields {
    pub(crate) fn clear(&mut self, traced: bool) {
        self.text.clear();
        self.map.clear();
        self.traced = traced;
        self.list.clear();
    }

    /// Whether there is a NUL in any of them.
    pub(crate) fn have_nul(&self) -> bool {
        memchr::memchr(0, &self.text).is_some()
    }

    pub(crate) fn name(&self, field: &Field) -> Hidden<'_> {
        self.hidden(&field.name)
    }

    pub(crate) fn value(&self, field: &Field) -> Hidden<'_> {
        self.hidden(&field.value)
    }

    fn hidden(&self, range: &Range<usize>) -> Hidden<'_> {
        let map = self.map.get(range.start..=range.end).unwrap_or_default();
        Hidden::mapped(&self.text[range.clone()], 0, map)
    }

    /// Adds a field whose value was put together elsewhere.
    pub(crate) fn push_whole(&mut self, name: &[u8], value: &[u8]) {
        let padded = bytes::trim(name).len() != name.len();
        let mut writer = self.writer();
        // Nothing stands between name and value here: any white space around the value is padding.
        writer.run = Run::Start { len: 1, only_space: true };
        let name = writer.name(name, 0);
        let value_start = writer.fields.text.len();
        writer.value(value, 0);
        writer.finish(name, value_start, Span::default(), false, padded);
    }

    /// Joins the values of all such fields into one, as HTTP/2 splits a cookie.
    pub(crate) fn join(&mut self, known: Known, separator: &[u8]) {
        // One whose name is odd keeps its line, where that is said.
        let is_one = |field: &Field| field.known == Some(known) && field.plain;
        if self.list.iter().filter(|field| is_one(field)).count() < 2 {
            return;
        }
        let start = self.text.len();
        let mut oddities = FlagSet::default();
        for i in 0..self.list.len() {
            if is_one(&self.list[i]) {
                if self.text.len() > start {
                    self.text.extend_from_slice(separator);
                }
                self.text.extend_from_within(self.list[i].value.clone());
                oddities = oddities.union(self.list[i].oddities);
            }
        }
        let value = start..self.text.len();
        let mut first = true;
        let mut list = std::mem::take(&mut self.list);
        list.retain_mut(|field| {
            if !is_one(field) {
                return true;
            }
            (field.value, field.oddities) = (value.clone(), oddities);
            std::mem::take(&mut first)
        });
        self.list = list;
    }

    fn writer(&mut self) -> Writer<'_> {
        let run = Run::Start { len: 0, only_space: true };
        Writer { fields: self, oddities: FlagSet::default(), run, written: false }
    }
}

/// Reads the header lines of a head.
pub(crate) fn run(input: &[u8], lines: &[Range<usize>], fields: &mut Fields, findings: &mut Findings) {
    let mut i = 0;
    while i < lines.len() {
        let mut line = lines[i].clone();
        // Without a field above it, a bare CR or LF at the start has nothing to continue.
        let stray = input[line.clone()].iter().take_while(|&&b| is_line_end(b)).count();
        line.start += stray;
        if input[line.clone()].first().is_some_and(|&b| bytes::is_blank(b)) {
            findings.raise(Flag::BadHdrCont, Span::new(line.start, line.end));
            findings.change(Change::ContinuationIgnored, Span::new(line.start, line.end));
            raise_stray(stray, &lines[i], findings);
            content::line_ends(Hidden::new(&input[line.clone()], line.start), findings);
            let text = bytes::trim(&input[line.clone()]);
            content::hidden_characters(text, Span::new(line.start, line.end), findings);
            i += 1;
            continue;
        }
        if line.is_empty() {
            raise_stray(stray, &lines[i], findings);
            i += 1;
            continue;
        }
        let continues =
            |line: &Range<usize>| input.get(line.start).is_some_and(|&b| bytes::is_blank(b) || is_line_end(b));
        let more = lines[i + 1..].iter().take_while(|line| continues(line)).count();
        read_field(input, line, stray > 0, &lines[i + 1..i + 1 + more], fields);
        note_changes(fields, findings);
        i += 1 + more;
    }
}

fn note_changes(fields: &Fields, findings: &mut Findings) {
    let Some(field) = fields.list.last() else { return };
    for (flag, change) in [
        (Flag::ObsFold, Change::Unfolded),
        (Flag::BadCrlf, Change::LineEndReplaced),
        (Flag::WsPad, Change::SpaceCollapsed),
        (Flag::BadUtf8, Change::ReplacedInvalid),
    ] {
        if field.oddities.contains(flag) {
            findings.change(change, field.span);
        }
    }
}

fn raise_stray(stray: usize, line: &Range<usize>, findings: &mut Findings) {
    if stray > 0 {
        let span = Span::new(line.start, line.start + stray);
        findings.raise(Flag::BadCrlf, span);
        findings.raise(Flag::Control, span);
    }
}

fn read_field(input: &[u8], line: Range<usize>, stray: bool, more: &[Range<usize>], fields: &mut Fields) {
    let span = Span::new(line.start, more.last().map_or(line.end, |last| last.end));
    let text = &input[line.clone()];
    let mut writer = fields.writer();
    if stray {
        writer.embedded_line_end();
    }
    let colon = memchr::memchr(b':', text);
    let name_text = &text[..colon.unwrap_or(text.len())];
    let name = writer.name(name_text, line.start);
    let value_start = writer.fields.text.len();
    if let Some(colon) = colon {
        writer.value(&text[colon + 1..], line.start + colon + 1);
    }
    for continuation in more {
        let text = &input[continuation.clone()];
        if bytes::is_blank(text[0]) {
            writer.fold();
        }
        writer.value(text, continuation.start);
    }
    let space_before_colon = colon.is_some() && name_text.last().is_some_and(|&b| bytes::is_blank(b));
    writer.finish(name, value_start, span, colon.is_none(), space_before_colon);
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// What nearly every value is: at most one space in front, none at the end, single spaces between words.
fn tidy_value(text: &[u8]) -> Option<&[u8]> {
    let value = text.strip_prefix(b" ").unwrap_or(text);
    let tidy = !value.is_empty()
        && value[0] != b' '
        && value[value.len() - 1] != b' '
        && memchr::memchr3(b'\t', b'\r', b'\n', value).is_none()
        && memchr::memmem::find(value, b"  ").is_none();
    tidy.then_some(value)
}

/// The white space that was read and not yet written.
#[derive(Clone, Copy)]
enum Run {
    /// Nothing of the value is written yet. One space is the form.
    Start { len: usize, only_space: bool },
    /// Between two characters of the value. One space is the form.
    Inner { len: usize, pad: bool },
    /// Around a fold: all of it is one space, and OBSFOLD says it.
    Fold,
}

struct Writer<'a> {
    fields: &'a mut Fields,
    oddities: FlagSet,
    run: Run,
    /// Something of the value stands already.
    written: bool,
}

impl Writer<'_> {
    fn name(&mut self, text: &[u8], at: usize) -> Range<usize> {
        let start = self.fields.text.len();
        let trimmed = bytes::trim(text);
        let lead = text.iter().take_while(|&&b| bytes::is_blank(b)).count();
        if trimmed.iter().any(|&b| is_line_end(b)) {
            self.embedded_line_end();
        }
        self.copy(trimmed, at + lead);
        start..self.fields.text.len()
    }

    /// Appends a piece of a value.
    fn value(&mut self, text: &[u8], at: usize) {
        if matches!(self.run, Run::Start { len: 0, .. })
            && let Some(tidy) = tidy_value(text)
        {
            self.copy(tidy, at + text.len() - tidy.len());
            self.written = true;
            self.run = Run::Inner { len: 0, pad: false };
            return;
        }
        let mut from = 0;
        for (i, &byte) in text.iter().enumerate() {
            if !bytes::is_blank(byte) && !is_line_end(byte) {
                if i == from {
                    self.flush();
                }
                continue;
            }
            if from < i {
                self.copy(&text[from..i], at + from);
                self.run = Run::Inner { len: 0, pad: false };
            }
            from = i + 1;
            self.blank(byte);
        }
        if from < text.len() {
            self.copy(&text[from..], at + from);
            self.run = Run::Inner { len: 0, pad: false };
        }
    }

    fn blank(&mut self, byte: u8) {
        if is_line_end(byte) {
            self.embedded_line_end();
        }
        match &mut self.run {
            Run::Start { len, only_space } => {
                *len += 1;
                *only_space &= byte == b' ';
            }
            Run::Inner { len, pad } => {
                *len += 1;
                *pad |= *len > 1 || byte == b'\t';
            }
            Run::Fold => {}
        }
    }

    fn fold(&mut self) {
        self.oddities.insert(Flag::ObsFold);
        self.run = Run::Fold;
    }

    fn embedded_line_end(&mut self) {
        self.oddities.insert(Flag::BadCrlf);
        self.oddities.insert(Flag::Control);
    }

    /// Writes the white space before a character.
    fn flush(&mut self) {
        let (space, pad) = match self.run {
            Run::Start { len, only_space } => (false, len > 1 || !only_space),
            Run::Inner { len, pad } => (len > 0, pad),
            Run::Fold => (self.written, false),
        };
        self.written = true;
        if pad {
            self.oddities.insert(Flag::WsPad);
        }
        if space {
            self.fields.text.push(b' ');
            if self.fields.traced {
                let at = self.fields.map.last().map_or(0, |last| last + 1);
                self.fields.map.push(at);
            }
        }
        self.run = Run::Inner { len: 0, pad: false };
    }

    fn finish(self, name: Range<usize>, value_start: usize, span: Span, no_colon: bool, space_before_colon: bool) {
        let Writer { fields, mut oddities, run, .. } = self;
        let trimmed = match run {
            Run::Start { len, only_space } => len > 1 || !only_space,
            Run::Inner { len, .. } => len > 0,
            Run::Fold => true,
        };
        if trimmed {
            oddities.insert(Flag::WsPad);
        }
        let value = value_start..fields.text.len();
        // An entry behind the last byte, so that the end of the value has a place too.
        if fields.traced {
            fields.map.push(span.end);
            fields.text.push(b'\n');
        }
        let known = Known::named(&fields.text[name.clone()]);
        let plain = fields.text[name.clone()].is_ascii() && !space_before_colon && !no_colon;
        fields.list.push(Field { name, value, known, plain, oddities, no_colon, space_before_colon, span });
    }

    /// Copies bytes without white space, as UTF-8.
    fn copy(&mut self, text: &[u8], at: usize) {
        let fields = &mut *self.fields;
        if std::str::from_utf8(text).is_ok() {
            fields.text.extend_from_slice(text);
            if fields.traced {
                fields.map.extend(at..at + text.len());
            }
            return;
        }
        self.oddities.insert(Flag::BadUtf8);
        let mut at = at;
        for chunk in text.utf8_chunks() {
            fields.text.extend_from_slice(chunk.valid().as_bytes());
            if fields.traced {
                fields.map.extend(at..at + chunk.valid().len());
            }
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                let replacement = char::REPLACEMENT_CHARACTER.len_utf8();
                fields.text.extend_from_slice("\u{FFFD}".as_bytes());
                if fields.traced {
                    fields.map.extend(std::iter::repeat_n(at, replacement));
                }
                at += chunk.invalid().len();
            }
        }
    }
}
