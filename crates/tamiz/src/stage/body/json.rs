//! JSON, well-formed or not: its leaves, with their paths, in order.
//!
//! A parser that stops at the first fault would let everything behind it pass unseen, so this one goes on: it is a
//! single pass with a stack of its own that takes what it can and says BADJSON. No library reads JSON like that.

use crate::findings::Span;
use crate::hidden::Hidden;
use crate::stage::content;
use crate::stage::decode::{self, Component};
use crate::stage::redact::{Escape, SafeSpan, Standing};
use crate::table::changes::Change;
use crate::table::flags::Flag;

use super::graphql::Graphql;
use super::listing::{Listing, Spelling, Tools, for_repeated};

/// The stacks of the reader, kept by the engine.
#[derive(Default)]
pub(crate) struct JsonScratch {
    open: Vec<Container>,
    /// Whether each container that is open beyond the limit is an object.
    deep: Vec<bool>,
    /// The names of the members of all open objects, as written.
    members: Vec<SafeSpan>,
}

/// An open object or array.
#[derive(Clone, Copy)]
struct Container {
    object: bool,
    /// The length of its own path.
    base: usize,
    /// A name on its path is sensitive.
    sensitive: bool,
    /// Where its names begin among the members.
    members: usize,
    empty: bool,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// Behind `[`.
    FirstValue,
    Value,
    /// Behind `{`.
    FirstName,
    Name,
    Colon,
    Comma,
    /// The value at the root has ended.
    End,
}

/// Reads a JSON text; `lines` is one that may have several values. `out_of_step`: it looks like something else.
pub(crate) fn run(
    text: Hidden<'_>,
    lines: bool,
    out_of_step: bool,
    scratch: &mut JsonScratch,
    listing: &mut Listing,
    graphql: &mut Graphql,
    tools: &mut Tools<'_>,
) {
    scratch.open.clear();
    scratch.deep.clear();
    scratch.members.clear();
    let JsonScratch { open, deep, members } = scratch;
    let mut reader = Reader {
        text,
        at: 0,
        lines,
        expect: Expect::Value,
        open,
        deep,
        deep_start: 0,
        members,
        member_sensitive: false,
        member_is_query: false,
        out_of_step,
        sensitive_seen: false,
        last_duplicate: None,
        listing,
        graphql,
        tools,
    };
    while reader.token() {}
    reader.end();
}

struct Reader<'a, 'b, 'c> {
    text: Hidden<'a>,
    at: usize,
    lines: bool,
    expect: Expect,
    open: &'b mut Vec<Container>,
    deep: &'b mut Vec<bool>,
    /// Where the outermost container beyond the limit begins.
    deep_start: usize,
    members: &'b mut Vec<SafeSpan>,
    /// The name of the present member, or one above it, is sensitive.
    member_sensitive: bool,
    member_is_query: bool,
    /// Something stood where it cannot stand: from there on, what looks like a name may be a piece of a value.
    out_of_step: bool,
    /// A sensitive name was read.
    sensitive_seen: bool,
    /// The last JSONDUPKEY: the objects of an array often have the same.
    last_duplicate: Option<SafeSpan>,
    listing: &'b mut Listing,
    graphql: &'b mut Graphql,
    tools: &'b mut Tools<'c>,
}

impl<'a> Reader<'a, '_, '_> {
    /// Reads one token; false at the end.
    fn token(&mut self) -> bool {
        let bytes = self.text.bytes();
        let lines = self.lines;
        // A record separator begins each value of a JSON text sequence.
        let is_space = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r') || (lines && b == 0x1E);
        let Some(skipped) = bytes[self.at..].iter().position(|&b| !is_space(b)) else { return false };
        let space = &bytes[self.at..self.at + skipped];
        if lines && self.expect == Expect::End && space.iter().any(|b| matches!(b, b'\n' | 0x1E)) {
            self.expect = Expect::Value;
        }
        self.at += skipped;
        let start = self.at;
        match bytes[start] {
            b'{' | b'[' => {
                self.at += 1;
                self.begin(bytes[start] == b'{', start);
            }
            b'}' | b']' => {
                self.at += 1;
                self.close(bytes[start] == b'}');
            }
            b',' => {
                self.at += 1;
                self.comma();
            }
            b':' => {
                self.at += 1;
                match self.expect {
                    _ if !self.deep.is_empty() => {}
                    Expect::Colon => self.expect = Expect::Value,
                    _ => self.fault(start),
                }
            }
            b'"' => self.quoted(b'"'),
            b'\'' if is_closed_in_line(&bytes[start + 1..]) => {
                self.bad(start);
                self.quoted(b'\'');
            }
            b'/' if matches!(bytes.get(start + 1), Some(b'/' | b'*')) => self.comment(),
            _ => self.word(),
        }
        true
    }

    fn quoted(&mut self, quote: u8) {
        let bytes = self.text.bytes();
        let start = self.at + 1;
        let mut end = start;
        let closed = loop {
            match memchr::memchr2(quote, b'\\', bytes.get(end..).unwrap_or_default()) {
                None => break false,
                Some(found) if bytes[end + found] == quote => {
                    end += found;
                    break true;
                }
                Some(found) => end += found + 2,
            }
        };
        let end = if closed { end } else { bytes.len() };
        if !closed {
            self.bad(self.at);
        }
        self.at = end + usize::from(closed);
        self.text_token(self.text.slice(start, end), true);
    }

    /// A name, a string value, or a word that stands for one.
    fn text_token(&mut self, raw: Hidden<'a>, escaped: bool) {
        if !self.deep.is_empty() {
            let spelling = if escaped { Spelling::Json } else { Spelling::Plain };
            return self.tools.inspect(raw, spelling);
        }
        match self.expect {
            Expect::FirstName | Expect::Name => {
                // A bare word behind a secret may be the rest of it.
                let named = self.colon_follows() && (escaped || !self.member_sensitive);
                self.name(raw, escaped, named);
            }
            Expect::Comma if self.open.last().is_some_and(|container| container.object) => {
                self.bad_span(raw.whole());
                // A quoted name with its colon has lost its comma; anything else is the rest of a value.
                let named = escaped && self.colon_follows() && !self.member_sensitive;
                self.name(raw, escaped, named);
            }
            Expect::Colon if !escaped && !raw.bytes().iter().any(u8::is_ascii_alphanumeric) => {
                // The arrow or equals sign of another language.
                self.bad_span(raw.whole());
                self.expect = Expect::Value;
            }
            _ => {
                self.begin_value(raw.whole());
                // A bare word as a value may have lost its quote.
                self.out_of_step |= !escaped;
                self.string(raw, escaped);
                self.end_value();
            }
        }
    }

    /// Whether what makes a text a name stands behind it.
    fn colon_follows(&self) -> bool {
        let rest = &self.text.bytes()[self.at..];
        rest.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|b| matches!(b, b':' | b'='))
    }

    fn word(&mut self) {
        let bytes = self.text.bytes();
        let start = self.at;
        let ends = |(at, b): (usize, &u8)| match b {
            b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' => true,
            b'/' => matches!(bytes.get(start + at + 1), Some(b'/' | b'*')),
            _ => false,
        };
        let len = bytes[start..].iter().enumerate().position(ends).unwrap_or(bytes.len() - start);
        self.at += len;
        let raw = self.text.slice(start, self.at);
        let in_value = !matches!(self.expect, Expect::FirstName | Expect::Name);
        let word = raw.bytes();
        let scalar = matches!(word, b"true" | b"false" | b"null") || is_number(word);
        if !scalar || !in_value {
            self.bad_span(raw.whole());
            return self.text_token(raw, false);
        }
        if !self.deep.is_empty() {
            return;
        }
        self.begin_value(raw.whole());
        let sensitive = self.is_sensitive();
        self.tools.findings.change(Change::FieldRead, raw.whole());
        let redact = &mut *self.tools.redact;
        let start = redact.safe.begin();
        let value = match word {
            b"true" | b"false" => {
                redact.safe.push("<bool>");
                redact.safe.since(start)
            }
            b"null" => {
                redact.safe.push("<null>");
                redact.safe.since(start)
            }
            _ => redact.word("num", word.len(), sensitive, self.tools.settings),
        };
        if sensitive {
            self.tools.findings.change(Change::Redacted, raw.whole());
        }
        self.listing.push(value, self.tools);
        self.end_value();
    }

    /// What other readers take for a comment, and RFC 8259 for a fault.
    fn comment(&mut self) {
        let bytes = self.text.bytes();
        let start = self.at;
        self.bad(start);
        let rest = &bytes[start + 2..];
        let len = match bytes[start + 1] {
            b'*' => memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2),
            _ => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
        };
        self.at = start + 2 + len;
        self.tools.inspect(self.text.slice(start + 2, self.at), Spelling::Plain);
    }

    fn begin(&mut self, object: bool, start: usize) {
        if !self.deep.is_empty() {
            return self.deep.push(object);
        }
        self.begin_value(self.text.span(start, start + 1));
        if self.open.len() >= self.tools.settings.body_depth || self.listing.is_too_long() {
            self.tools.findings.raise(Flag::JsonDepth, self.text.span(start, start + 1));
            self.deep_start = start;
            return self.deep.push(object);
        }
        let base = self.listing.path.len();
        let container =
            Container { object, base, sensitive: self.is_sensitive(), members: self.members.len(), empty: true };
        self.open.push(container);
        if !object {
            self.listing.path.push("[]");
        }
        self.expect = if object { Expect::FirstName } else { Expect::FirstValue };
    }

    fn close(&mut self, object: bool) {
        let at = self.at - 1;
        if let Some(open) = self.deep.pop() {
            if open != object {
                self.bad(at);
            }
            if self.deep.is_empty() {
                self.end_deep();
            }
            return;
        }
        let Some(container) = self.open.last() else { return self.fault(at) };
        if container.object != object {
            self.fault(at);
        }
        self.end_member(at);
        if matches!(self.expect, Expect::Name | Expect::Value) {
            self.bad(at);
        }
        self.end_container();
    }

    fn end_container(&mut self) {
        let Some(container) = self.open.pop() else { return };
        self.listing.path.truncate(container.base);
        if container.empty {
            let name = if container.object { "object" } else { "array" };
            let value = self.tools.redact.safe.sized(name, 0);
            self.listing.push(value, self.tools);
        }
        self.raise_duplicates(container.members);
        self.end_value();
    }

    fn raise_duplicates(&mut self, start: usize) {
        let joint = if self.open.is_empty() { "" } else { "." };
        for_repeated(&mut self.members[start..], self.tools, |tools, name| {
            let safe = &mut tools.redact.safe;
            let from = safe.begin();
            safe.push_kept(&self.listing.path);
            safe.push(joint);
            safe.again(name);
            let path = safe.since(from);
            if self.last_duplicate.is_some_and(|last| safe.get(path) == safe.get(last)) {
                return safe.take_back(path);
            }
            self.last_duplicate = Some(path);
            tools.findings.raise_named(Flag::JsonDupKey, path, self.text.whole());
        });
        self.members.truncate(start);
    }

    /// The container that was not entered is one leaf.
    fn end_deep(&mut self) {
        let bytes = self.text.bytes();
        let len = self.at - self.deep_start;
        let object = bytes[self.deep_start] == b'{';
        let change = if self.is_sensitive() { Change::Redacted } else { Change::NotEntered };
        self.tools.findings.change(change, self.text.span(self.deep_start, self.at));
        let value = self.tools.redact.safe.sized(if object { "object" } else { "array" }, len);
        self.listing.push(value, self.tools);
        self.end_value();
    }

    fn comma(&mut self) {
        if !self.deep.is_empty() {
            return;
        }
        let at = self.at - 1;
        self.end_member(at);
        match (self.expect, self.open.last()) {
            (Expect::Comma, Some(container)) => {
                self.expect = if container.object { Expect::Name } else { Expect::Value };
            }
            _ => self.fault(at),
        }
    }

    /// Where a name has no value: there is nothing, and that is said.
    fn end_member(&mut self, at: usize) {
        let in_object = self.open.last().is_some_and(|container| container.object);
        if self.expect == Expect::Colon || (self.expect == Expect::Value && in_object) {
            self.fault(at);
            let sensitive = self.is_sensitive();
            let value = self.tools.redact.word("mixed", 0, sensitive, self.tools.settings);
            self.listing.push(value, self.tools);
            self.end_value();
        }
    }

    /// The name of a member. Where it is none by its place, or the text has lost its step, it may be a piece of a value.
    fn name(&mut self, raw: Hidden<'_>, escaped: bool, named: bool) {
        let Some(container) = self.open.last_mut() else { return };
        container.empty = false;
        let container = *container;
        self.out_of_step |= !named;
        let behind_sensitive = self.sensitive_seen || container.sensitive;
        // A bare word is not unescaped, but by others it may be.
        let trusted = named && !self.out_of_step && (escaped || !raw.bytes().contains(&b'\\'));
        let standing = match container.sensitive {
            _ if !trusted => Standing::Misplaced { secret: behind_sensitive },
            true => Standing::BelowSensitive,
            false => Standing::Key,
        };
        let joint = if self.open.len() > 1 { "." } else { "" };
        let Tools { layers, redact, settings, findings } = &mut *self.tools;
        let name = match escaped {
            true => decode::json_string(raw, Component::Key, layers, findings),
            false => decode::plain(raw, Component::Key, layers, findings),
        };
        content::key(&name, raw.whole(), settings, findings);
        let key = redact.key(&name, standing, Escape::PathName, settings, findings);
        self.member_sensitive = container.sensitive || key.sensitive || (!trusted && behind_sensitive);
        self.sensitive_seen |= key.sensitive;
        self.member_is_query = name.text().bytes() == b"query";
        if trusted {
            self.members.push(key.written);
        }
        self.listing.enter(container.base, joint, key.written, redact);
        self.expect = Expect::Colon;
    }

    /// Puts right what stands before a value.
    fn begin_value(&mut self, span: Span) {
        match self.expect {
            Expect::FirstValue | Expect::Value => {}
            // One more value at the root is in step, if the first one was.
            Expect::End => self.bad_span(span),
            Expect::Colon => {
                self.bad_span(span);
                self.out_of_step = true;
            }
            Expect::FirstName | Expect::Name | Expect::Comma => {
                self.bad_span(span);
                self.out_of_step = true;
                let Some(container) = self.open.last().copied().filter(|container| container.object) else { return };
                let joint = if self.open.len() > 1 { "." } else { "" };
                self.member_sensitive = container.sensitive || self.sensitive_seen;
                self.member_is_query = false;
                self.listing.enter(container.base, joint, SafeSpan::default(), self.tools.redact);
            }
        }
        if let Some(container) = self.open.last_mut() {
            container.empty = false;
        }
    }

    fn end_value(&mut self) {
        self.expect = if self.open.is_empty() { Expect::End } else { Expect::Comma };
    }

    fn string(&mut self, raw: Hidden<'_>, escaped: bool) {
        let sensitive = self.is_sensitive();
        let is_query = self.member_is_query && !sensitive && self.is_at_top();
        let Tools { layers, redact, settings, findings } = &mut *self.tools;
        findings.change(Change::FieldRead, raw.whole());
        let value = match escaped {
            true => decode::json_string(raw, Component::Value, layers, findings),
            false => decode::plain(raw, Component::Value, layers, findings),
        };
        let written = match is_query && self.graphql.run(&value, raw.whole(), redact, settings, findings) {
            true => redact.graphql(&value, settings, findings),
            false => {
                content::value(&value, raw.whole(), settings, findings);
                redact.value(value.text(), value.classes(), sensitive, settings, findings)
            }
        };
        self.listing.push(written, self.tools);
    }

    /// Whether a member is one of the root object, or of an object in a root array: where GraphQL has its query.
    fn is_at_top(&self) -> bool {
        match *self.open.as_slice() {
            [root] => root.object,
            [root, item] => !root.object && item.object,
            _ => false,
        }
    }

    fn is_sensitive(&self) -> bool {
        match self.open.last() {
            Some(container) if container.object => self.member_sensitive,
            Some(container) => container.sensitive,
            None => false,
        }
    }

    fn end(&mut self) {
        let end = self.text.len();
        if !self.deep.is_empty() {
            self.bad(end);
            self.deep.clear();
            self.end_deep();
        }
        self.end_member(end);
        if self.expect != Expect::End {
            self.bad(end);
        }
        while !self.open.is_empty() {
            self.end_container();
        }
    }

    /// What is wrong here puts in doubt what follows.
    fn fault(&mut self, at: usize) {
        self.bad(at);
        self.out_of_step = true;
    }

    fn bad(&mut self, at: usize) {
        self.bad_span(self.text.span(at, (at + 1).min(self.text.len())));
    }

    fn bad_span(&mut self, span: Span) {
        self.tools.findings.raise(Flag::BadJson, span);
    }
}

/// Whether a text behind a single quote has another one in its line: an apostrophe opens no string that others read.
fn is_closed_in_line(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'\'', b'\\', b'\n', text.get(at..).unwrap_or_default()) {
        match text[at + found] {
            b'\\' => at += found + 2,
            byte => return byte == b'\'',
        }
    }
    false
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let len = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = &fraction[len..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let len = digits(exponent);
        return len > 0 && len == exponent.len();
    }
    rest.is_empty()
}

/// Whether a text begins as a JSON object, or has the borders of an array.
pub(super) fn is_like(text: &[u8]) -> bool {
    let next = |text: &[u8]| text.iter().copied().find(|b| !b.is_ascii_whitespace());
    match text {
        [b'{', rest @ ..] => match next(rest) {
            Some(b'"' | b'\'') => true,
            Some(b'}') => text.ends_with(b"}"),
            _ => false,
        },
        [b'[', rest @ .., b']'] => {
            matches!(next(rest), None | Some(b'{' | b'[' | b'"' | b'-' | b't' | b'f' | b'n' | b'0'..=b'9'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for good in ["0", "-0", "12", "-1.5", "1e9", "1E+9", "0.10e-3"] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in ["", "-", "01", "+1", ".5", "1.", "1e", "1e+", "0x10", "1_000", "NaN", "1.5.2", "--1"] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }
}
