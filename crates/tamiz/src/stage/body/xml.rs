//! XML, well-formed or not: its texts and attributes, with the path of their element, in order.
//!
//! Entities are never resolved, nothing is ever fetched, and like the other readers this one goes on behind a fault: a
//! library that refuses a document at its first error would let everything behind it pass unseen.

use std::ops::Range;

use crate::bytes;
use crate::findings::Span;
use crate::hidden::Hidden;
use crate::stage::content::{self, Place};
use crate::stage::decode::{self, Component};
use crate::stage::redact::{Escape, Key, SafeSpan, Standing};
use crate::table::changes::Change;
use crate::table::flags::Flag;

use super::listing::{Listing, Spelling, Tools};

/// The stacks of the reader, kept by the engine.
#[derive(Default)]
pub(crate) struct XmlScratch {
    open: Vec<Element>,
    attributes: Vec<SafeSpan>,
}

/// An open element.
struct Element {
    name: Range<usize>,
    /// The length of the path above it.
    base: usize,
    /// Its name, or one above it, is sensitive.
    sensitive: bool,
    empty: bool,
}

/// Reads an XML text and returns how deep its elements nest.
pub(crate) fn run(
    text: Hidden<'_>,
    out_of_step: bool,
    scratch: &mut XmlScratch,
    listing: &mut Listing,
    tools: &mut Tools<'_>,
) -> usize {
    let XmlScratch { open, attributes } = scratch;
    open.clear();
    let lead = text.bytes().iter().take_while(|&&b| is_space(b)).count();
    let mut reader = Reader {
        text,
        at: 0,
        lead,
        open,
        attributes,
        deep: 0,
        deep_start: 0,
        depth: 0,
        roots: 0,
        out_of_step,
        broken_tag: false,
        attribute_sensitive: false,
        comments_end: true,
        instructions_end: true,
        listing,
        tools,
    };
    while reader.at < text.len() {
        reader.step();
    }
    reader.end();
    reader.depth
}

struct Reader<'a, 'b, 'c> {
    text: Hidden<'a>,
    at: usize,
    /// Where the text begins behind its white space.
    lead: usize,
    open: &'b mut Vec<Element>,
    attributes: &'b mut Vec<SafeSpan>,
    /// How many elements are open from the limit on, and where the outermost of them, the last one of `open`, begins.
    deep: usize,
    deep_start: usize,
    depth: usize,
    roots: usize,
    /// The text is no XML, or has begun as none: no name in it can be believed.
    out_of_step: bool,
    /// The present tag has a fault: from there on, what looks like a name may be a piece of a value.
    broken_tag: bool,
    /// An attribute of the present tag is sensitive.
    attribute_sensitive: bool,
    /// Whether a comment, an instruction that begins further on can have an end.
    comments_end: bool,
    instructions_end: bool,
    listing: &'b mut Listing,
    tools: &'b mut Tools<'c>,
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'a> Reader<'a, '_, '_> {
    /// Reads one piece of text or markup.
    fn step(&mut self) {
        let rest = &self.text.bytes()[self.at..];
        let begins = |prefix: &[u8]| rest.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        match rest {
            _ if begins(b"<!--") => {
                let inside = self.delimited(4, b"-->");
                self.tools.inspect(inside, Spelling::Plain);
            }
            _ if begins(b"<![CDATA[") => {
                self.raise(Flag::XmlCdata, self.at..self.at + 9);
                let inside = self.delimited(9, b"]]>");
                self.field(inside, Spelling::Plain);
            }
            _ if begins(b"<!DOCTYPE") => self.document_type(),
            [b'<', b'!', ..] => {
                if begins(b"<!ENTITY") {
                    self.raise(Flag::XmlEntity, self.at..self.at + 8);
                }
                self.bad(self.at);
                let inside = self.delimited(2, b">");
                self.tools.inspect(inside, Spelling::Plain);
            }
            [b'<', b'?', ..] => self.instruction(),
            [b'<', b'/', ..] => self.end_tag(),
            [b'<', first, ..] if bytes::begins_xml_name(*first) => self.start_tag(),
            [b'<', ..] => {
                self.bad(self.at);
                self.character_data(1);
            }
            _ => self.character_data(0),
        }
    }

    /// The inside of a construct with a fixed end; without it, everything.
    fn delimited(&mut self, prefix: usize, end: &[u8]) -> Hidden<'a> {
        let start = (self.at + prefix).min(self.text.len());
        let (inside_end, next) = match memchr::memmem::find(&self.text.bytes()[start..], end) {
            Some(found) => (start + found, start + found + end.len()),
            None => {
                self.bad(self.at);
                (self.text.len(), self.text.len())
            }
        };
        self.at = next;
        self.text.slice(start, inside_end)
    }

    /// Text up to the next markup; the first bytes of it are text whatever they are.
    fn character_data(&mut self, at_least: usize) {
        let bytes = self.text.bytes();
        let from = self.at + at_least;
        let end = memchr::memchr(b'<', &bytes[from..]).map_or(bytes.len(), |found| from + found);
        let text = self.text.slice(self.at, end);
        self.at = end;
        self.field(text.trim_by(is_space), Spelling::Xml);
    }

    /// A text as a field of the element it stands in.
    fn field(&mut self, raw: Hidden<'_>, spelling: Spelling) {
        if raw.bytes().is_empty() {
            return;
        }
        if self.deep > 0 {
            return self.tools.inspect(raw, spelling);
        }
        let sensitive = match self.open.last_mut() {
            Some(element) => {
                element.empty = false;
                element.sensitive
            }
            None => {
                self.tools.findings.raise(Flag::BadXml, raw.whole());
                self.out_of_step = true;
                false
            }
        };
        self.push_value(raw, spelling, sensitive);
    }

    fn push_value(&mut self, raw: Hidden<'_>, spelling: Spelling, sensitive: bool) {
        self.tools.check(raw, spelling);
        let Tools { layers, redact, settings, findings } = &mut *self.tools;
        findings.change(Change::FieldRead, raw.whole());
        let value = decode::plain(raw, Component::Value, layers, findings);
        let written = redact.value(value.text(), value.classes(), sensitive, settings, findings);
        self.listing.push(written, self.tools);
    }

    fn instruction(&mut self) {
        let start = self.at;
        let inside = self.delimited(2, b"?>");
        let target = inside.bytes().split(|&b| is_space(b)).next().unwrap_or_default();
        if target.eq_ignore_ascii_case(b"xml-stylesheet") {
            self.raise(Flag::XmlExternal, start..start + 2 + target.len());
        }
        if !target.eq_ignore_ascii_case(b"xml") {
            return self.tools.inspect(inside, Spelling::Plain);
        }
        if start > self.lead || inside.bytes().contains(&b'<') {
            self.bad(start);
        }
        if declared_encoding(inside.bytes()).is_some_and(super::is_odd_charset) {
            self.raise(Flag::BodyCharset, start..self.at);
        }
        self.inspect_words(start, self.at);
    }

    fn document_type(&mut self) {
        let bytes = self.text.bytes();
        let start = self.at;
        self.raise(Flag::XmlDocType, start..start + 9);
        let mut at = start + 9;
        let mut in_subset = false;
        let closed = loop {
            let Some(&byte) = bytes.get(at) else { break false };
            let rest = &bytes[at..];
            match byte {
                b'"' | b'\'' => {
                    // An apostrophe that opens nothing is no reason to swallow the document.
                    at += memchr::memchr(byte, &rest[1..]).map_or(0, |found| found + 1);
                }
                b'[' => in_subset = true,
                b']' => in_subset = false,
                b'>' if !in_subset => break true,
                // A quote in a comment or an instruction opens nothing.
                b'<' if self.comments_end && rest.starts_with(b"<!--") => {
                    at += skip_to(rest, b"-->", &mut self.comments_end);
                }
                b'<' if self.instructions_end && rest.starts_with(b"<?") => {
                    at += skip_to(rest, b"?>", &mut self.instructions_end);
                }
                b'%' if in_subset && is_parameter_reference(&rest[1..]) => {
                    self.raise(Flag::XmlEntity, at..at + 1);
                }
                b's' | b'S' | b'p' | b'P' if is_external(bytes, at) => {
                    self.raise(Flag::XmlExternal, at..at + 6);
                }
                _ => {}
            }
            at += 1;
        };
        if !closed {
            self.bad(start);
        }
        self.at = (at + usize::from(closed)).min(bytes.len());
        // Wherever it stands: a quote that is not closed must not hide a declaration.
        let declares = |&lt: &usize| keyword(&bytes[start + lt..self.at], b"<!ENTITY");
        if let Some(lt) = memchr::memchr_iter(b'<', &bytes[start..self.at]).find(declares) {
            self.raise(Flag::XmlEntity, start + lt..start + lt + 8);
        }
        self.inspect_words(start, self.at);
    }

    /// Raises the hidden characters of what is written nowhere. Line ends and quotes are its syntax.
    fn inspect_words(&mut self, start: usize, end: usize) {
        let Tools { layers, settings, findings, .. } = &mut *self.tools;
        findings.change(Change::Inspected, self.text.span(start, end));
        let mut at = start;
        for word in self.text.bytes()[start..end].split(|&b| is_space(b)) {
            let text = decode::plain(self.text.slice(at, at + word.len()), Component::Value, layers, findings);
            content::run(text.text(), text.classes(), Place::Syntax, &settings.scripts, findings);
            at += word.len() + 1;
        }
    }

    fn start_tag(&mut self) {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        if self.open.is_empty() {
            self.roots += 1;
            if self.roots > 1 {
                self.bad(start);
            }
        }
        let raw = self.text.slice(name.start, name.end);
        if local_name(raw.bytes()).is_some_and(|local| local == b"include") {
            self.raise(Flag::XmlExternal, name.clone());
        }
        let named = if self.deep > 0 {
            self.tools.inspect(raw, Spelling::Plain);
            self.deep += 1;
            true
        } else {
            self.enter(name)
        };
        self.depth = self.depth.max(self.open.len() + self.deep.saturating_sub(1));
        self.attributes.clear();
        self.attribute_sensitive = false;
        self.broken_tag = !named;
        while self.attribute() {}
        self.raise_repeated_attributes();
        let rest = &self.text.bytes()[self.at..];
        if rest.starts_with(b"/>") {
            self.at += 2;
            self.leave();
        } else if rest.starts_with(b">") {
            self.at += 1;
        } else {
            self.bad(start);
            self.broken_tag = true;
            return;
        }
        self.broken_tag = false;
    }

    /// Whether a name has nothing in it that XML does not allow, in a text that can be believed.
    fn is_name(&self, name: &Range<usize>) -> bool {
        !self.out_of_step && self.text.bytes()[name.clone()].iter().all(|&b| bytes::is_xml_name_byte(b))
    }

    /// The name at the present place.
    fn name(&mut self) -> Range<usize> {
        let rest = &self.text.bytes()[self.at..];
        let ends = |b: &u8| is_space(*b) || matches!(b, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'');
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        let name = self.at..self.at + len;
        self.at = name.end;
        name
    }

    fn key(&mut self, name: Range<usize>, standing: Standing) -> Key {
        let raw = self.text.slice(name.start, name.end);
        let Tools { layers, redact, settings, findings } = &mut *self.tools;
        let decoded = decode::plain(raw, Component::Key, layers, findings);
        content::key(&decoded, raw.whole(), settings, findings);
        let mut key = redact.key(&decoded, standing, Escape::PathName, settings, findings);
        key.sensitive |= local_name(decoded.text().bytes()).is_some_and(|local| redact.is_sensitive(local, settings));
        key
    }

    /// Goes into an element; false if its name may be something else.
    fn enter(&mut self, name: Range<usize>) -> bool {
        let above = self.open.last().is_some_and(|parent| parent.sensitive);
        // A tag that another one begins in is no tag: its name may be a piece of text.
        let rest = &self.text.bytes()[name.end..];
        let closed = memchr::memchr2(b'<', b'>', rest).is_some_and(|end| rest[end] == b'>');
        // So is what begins behind a tag without its end.
        let named = closed && !self.broken_tag && self.is_name(&name);
        let key = self.key(name.clone(), standing(named, above));
        let joint = match self.open.last_mut() {
            Some(parent) => {
                parent.empty = false;
                "."
            }
            None => "",
        };
        let base = self.listing.path.len();
        let sensitive = above || key.sensitive;
        self.listing.enter(base, joint, key.written, self.tools.redact);
        let too_deep = self.open.len() >= self.tools.settings.body_depth || self.listing.is_too_long();
        self.open.push(Element { name: name.clone(), base, sensitive, empty: true });
        if too_deep {
            self.raise(Flag::XmlDepth, name.clone());
            self.deep = 1;
            self.deep_start = name.start - 1;
        }
        named
    }

    /// Reads one attribute; false where there is none.
    fn attribute(&mut self) -> bool {
        let bytes = self.text.bytes();
        self.skip_space();
        let start = self.at;
        match &bytes[start..] {
            [] | [b'>' | b'<', ..] | [b'/', b'>', ..] => return false,
            _ => {}
        }
        let name = self.name();
        if name.is_empty() {
            self.bad(start);
            self.broken_tag = true;
            self.at += 1;
            return true;
        }
        let attribute = name.clone();
        let spaced = is_space(bytes[start - 1]);
        if !spaced {
            self.bad(start);
        }
        let before_equals = self.at;
        self.skip_space();
        let has_value = bytes.get(self.at) == Some(&b'=');
        let (value, tidy) = if has_value {
            self.at += 1;
            self.skip_space();
            self.attribute_value()
        } else {
            self.bad(start);
            self.at = before_equals;
            (self.text.slice(before_equals, before_equals), false)
        };
        if self.deep > 0 {
            self.tools.inspect(self.text.slice(name.start, name.end), Spelling::Plain);
            self.tools.inspect(value, Spelling::Xml);
            return true;
        }
        let element_sensitive = self.open.last().is_some_and(|element| element.sensitive);
        let written = spaced && has_value && tidy;
        let named = written && !self.broken_tag && self.is_name(&name);
        let above = element_sensitive || (!named && self.attribute_sensitive);
        let key = self.key(name, standing(named, above));
        let sensitive = above || key.sensitive;
        self.attribute_sensitive |= sensitive;
        self.broken_tag |= !written;
        if is_external_attribute(self.text.slice(attribute.start, attribute.end).bytes(), value.bytes()) {
            self.raise(Flag::XmlExternal, attribute);
        }
        self.attributes.push(key.written);
        let base = self.listing.path.len();
        self.listing.enter(base, ".@", key.written, self.tools.redact);
        self.push_value(value, Spelling::Xml, sensitive);
        self.listing.path.truncate(base);
        if let Some(element) = self.open.last_mut() {
            element.empty = false;
        }
        true
    }

    /// The value at the present place, and whether it is written as XML asks.
    fn attribute_value(&mut self) -> (Hidden<'a>, bool) {
        let rest = &self.text.bytes()[self.at..];
        let start = self.at;
        let closing = match rest {
            [quote @ (b'"' | b'\''), inside @ ..] => memchr::memchr(*quote, inside),
            _ => None,
        };
        let (value, len) = match (closing, rest) {
            (Some(end), _) => (self.text.slice(start + 1, start + 1 + end), end + 2),
            (None, [b'"' | b'\'', ..]) => (self.text.slice(start + 1, self.text.len()), rest.len()),
            _ => {
                let len = rest.iter().position(|&b| is_space(b) || b == b'>').unwrap_or(rest.len());
                (self.text.slice(start, start + len), len)
            }
        };
        self.at = start + len;
        let tidy = closing.is_some() && !value.bytes().contains(&b'<');
        if !tidy {
            self.bad(start);
        }
        (value, tidy)
    }

    fn raise_repeated_attributes(&mut self) {
        let safe = &self.tools.redact.safe;
        self.attributes.sort_unstable_by(|&a, &b| safe.get(a).cmp(safe.get(b)));
        if self.attributes.windows(2).any(|pair| safe.get(pair[0]) == safe.get(pair[1])) {
            self.bad(self.at);
        }
    }

    fn end_tag(&mut self) {
        let start = self.at;
        self.at += 2;
        let name = self.name();
        self.skip_space();
        let bytes = self.text.bytes();
        if bytes.get(self.at) == Some(&b'>') {
            self.at += 1;
        } else {
            self.bad(start);
        }
        if self.deep <= 1 {
            let same = self.open.last().is_some_and(|element| bytes[element.name.clone()] == bytes[name]);
            if !same {
                self.bad(start);
            }
        }
        self.leave();
    }

    fn leave(&mut self) {
        if self.deep > 1 {
            self.deep -= 1;
            return;
        }
        let is_deep = std::mem::take(&mut self.deep) > 0;
        let Some(element) = self.open.pop() else { return };
        if is_deep {
            let change = if element.sensitive { Change::Redacted } else { Change::NotEntered };
            self.tools.findings.change(change, self.text.span(self.deep_start, self.at));
        }
        if is_deep || element.empty {
            let len = if is_deep { self.at - self.deep_start } else { 0 };
            let value = self.tools.redact.safe.sized("element", len);
            self.listing.push(value, self.tools);
        }
        self.listing.path.truncate(element.base);
    }

    fn end(&mut self) {
        if !self.open.is_empty() || self.roots == 0 {
            self.bad(self.text.len());
        }
        self.deep = self.deep.min(1);
        while !self.open.is_empty() {
            self.leave();
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.text.bytes()[self.at..];
        self.at += rest.iter().take_while(|&&b| is_space(b)).count();
    }

    fn bad(&mut self, at: usize) {
        self.raise(Flag::BadXml, at..at + 1);
    }

    fn raise(&mut self, flag: Flag, range: Range<usize>) {
        let span: Span = self.text.span(range.start, range.end.min(self.text.len()));
        self.tools.findings.raise(flag, span);
    }
}

const fn standing(named: bool, below_sensitive: bool) -> Standing {
    match (named, below_sensitive) {
        (false, secret) => Standing::Misplaced { secret },
        (true, true) => Standing::BelowSensitive,
        (true, false) => Standing::Key,
    }
}

/// A schema to be fetched, or the namespace in which `include` fetches what it names.
fn is_external_attribute(name: &[u8], value: &[u8]) -> bool {
    let local = local_name(name).unwrap_or(name);
    let schema = matches!(local, b"schemaLocation" | b"noNamespaceSchemaLocation");
    schema || (name.starts_with(b"xmlns") && value.ends_with(b"/XInclude"))
}

/// The encoding that an XML declaration names.
fn declared_encoding(declaration: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(declaration, b"encoding")? + b"encoding".len();
    let rest = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    Some(&rest[..memchr::memchr(*quote, rest)?])
}

/// What follows the prefix of a name.
fn local_name(name: &[u8]) -> Option<&[u8]> {
    memchr::memrchr(b':', name).map(|colon| &name[colon + 1..])
}

/// How far it is to the last byte of `end`. Where it is not found once, it is nowhere behind: `ends` says not to search.
fn skip_to(text: &[u8], end: &[u8], ends: &mut bool) -> usize {
    let found = memchr::memmem::find(text, end);
    *ends = found.is_some();
    found.map_or(0, |at| at + end.len() - 1)
}

fn keyword(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// `SYSTEM` or `PUBLIC` as a word with a literal behind it.
fn is_external(text: &[u8], at: usize) -> bool {
    let word = keyword(&text[at..], b"SYSTEM") || keyword(&text[at..], b"PUBLIC");
    let behind = || text[at + 6..].iter().find(|&&b| !is_space(b));
    word && !bytes::is_token_byte(text[at - 1]) && matches!(behind(), Some(b'"' | b'\''))
}

/// `%name;` behind its percent sign.
fn is_parameter_reference(text: &[u8]) -> bool {
    let len = text.iter().take_while(|&&b| bytes::is_xml_name_byte(b)).count();
    len > 0 && text.get(len) == Some(&b';')
}
