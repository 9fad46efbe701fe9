//! Redaction: the one way from request bytes to text that a line accepts.
//!
//! Everything a document shows of a request passes through a door of this module. [`Safe`] takes request text from
//! here alone, so that writing a raw value elsewhere does not compile.

mod literal;
mod names;
mod safe;
mod shape;

use crate::bytes::{self, Classes};
use crate::findings::{Findings, Span};
use crate::hidden::Hidden;
use crate::placeholder;
use crate::settings::Settings;
use crate::stage::decode::Decoded;
use crate::table::changes::Change;
use crate::table::flags::Flag;
use crate::table::limits::LONGEST_KEY;
use crate::table::shapes::Shape;

use literal::Mark;
use names::NameScratch;
use safe::Extras;

pub(crate) use names::{fold_configured, sensitive_rows};
pub(crate) use safe::{Escape, Kept, Safe, SafeSpan, push_number};

/// Where literal text stands decides which finders look at it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literal {
    /// A method, a header name, a line that is no header.
    Name,
    /// A header value whose words may identify someone.
    Value,
    /// A header value with a normaliser, or a URL: its words are its meaning.
    Text,
}

/// Redaction with its buffers, kept by the engine.
#[derive(Default)]
pub(crate) struct Redact {
    pub(crate) safe: Safe,
    names: NameScratch,
    marks: Vec<Mark>,
}

/// A key as written, and whether its values are secrets.
pub(crate) struct Key {
    pub(crate) written: SafeSpan,
    pub(crate) sensitive: bool,
}

/// Where the text of a key stands decides whether it can be believed to be one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Where keys stand.
    Key,
    /// Below a sensitive name: a secret may be a name there, as in a list of tokens.
    BelowSensitive,
    /// Where malformed text has put it: it may be a value, and a secret one behind a sensitive name.
    Misplaced { secret: bool },
}

impl Redact {
    pub(crate) fn clear(&mut self) {
        self.safe.clear();
    }

    /// Whether a request line is a header line or credentials, so that its target is a secret.
    pub(crate) fn announces_secret(&mut self, method: &[u8], target: &[u8], settings: &Settings) -> bool {
        /// What matters of a word is its end.
        const LONGEST_WORD: usize = 256;
        if bytes::classes(method).only(Classes::UPPER) && !target.starts_with(b":") && !target.starts_with(b"=") {
            return literal::is_scheme(method);
        }
        let mut line = method[method.len().saturating_sub(LONGEST_WORD)..].to_vec();
        line.push(b' ');
        let separators = target.iter().take(LONGEST_WORD);
        line.extend(separators.take_while(|b| matches!(b, b' ' | b'=' | b':' | b'"' | b'\'' | b'>' | b'\\')));
        line.push(b'x');
        self.marks.clear();
        literal::named(&line, bytes::classes(&line), false, settings, &mut self.names, &mut self.marks);
        self.marks.iter().any(|mark| mark.range.end == line.len())
    }

    /// Where a value that is written in parts turns into one secret that runs to its end.
    pub(crate) fn smuggled_in(&mut self, text: &[u8], settings: &Settings) -> Option<usize> {
        literal::smuggled(text, settings, &mut self.names)
    }

    pub(crate) fn is_sensitive(&mut self, name: &[u8], settings: &Settings) -> bool {
        names::is_sensitive(name, settings, &mut self.names)
    }

    /// The key of a query or of a body.
    pub(crate) fn key(
        &mut self,
        key: &Decoded<'_>,
        standing: Standing,
        escape: Escape,
        settings: &Settings,
        findings: &mut Findings,
    ) -> Key {
        let text = key.text();
        let sensitive = self.is_sensitive(text.bytes(), settings);
        let start = self.safe.begin();
        self.write_key(text, key.classes(), sensitive, standing, escape, false, settings, findings);
        Key { written: self.safe.since(start), sensitive }
    }

    /// A cookie name, appended to the value being written.
    pub(crate) fn cookie_name(&mut self, name: Hidden<'_>, settings: &Settings, findings: &mut Findings) {
        let sensitive = self.is_sensitive(name.bytes(), settings);
        let classes = bytes::classes(name.bytes());
        self.write_key(name, classes, sensitive, Standing::Key, Escape::CookieName, false, settings, findings);
    }

    /// A word that stands beside a value, such as a media type or the name of an operation, appended to what is being
    /// written.
    pub(crate) fn push_word(&mut self, word: Hidden<'_>, lower: bool, settings: &Settings, findings: &mut Findings) {
        let classes = bytes::classes(word.bytes());
        self.write_key(word, classes, false, Standing::Key, Escape::Key, lower, settings, findings);
    }

    /// The shape of such a word, where it is none.
    pub(crate) fn push_bare_shape(&mut self, text: Hidden<'_>, secret: bool, findings: &mut Findings) {
        let classes = bytes::classes(text.bytes());
        self.marks.clear();
        literal::credentials(text.bytes(), classes, &mut self.marks);
        let secret = secret || !self.marks.is_empty();
        note(secret, text.whole(), findings);
        let length = shape::length(text.bytes(), classes);
        self.safe.placeholder(secret, shape::shape(text.bytes(), classes).name(), length, Extras::default());
    }

    #[expect(clippy::too_many_arguments, reason = "every argument is a different thing")]
    fn write_key(
        &mut self,
        text: Hidden<'_>,
        classes: Classes,
        sensitive: bool,
        standing: Standing,
        escape: Escape,
        lower: bool,
        settings: &Settings,
        findings: &mut Findings,
    ) {
        let bytes = text.bytes();
        let length = shape::length(bytes, classes);
        let (distrusted, told) = match standing {
            Standing::Key => (false, false),
            Standing::BelowSensitive => (!is_plain_word(classes, length), true),
            Standing::Misplaced { secret } => (true, secret),
        };
        let misplaced = distrusted || length > LONGEST_KEY || memchr::memchr2(b'{', b'"', bytes).is_some();
        self.marks.clear();
        if literal::credentials(bytes, classes, &mut self.marks) {
            findings.raise(Flag::Jwt, text.whole());
        }
        let credential = !self.marks.is_empty();
        self.mark_users(text, classes, findings);
        // A pair whose `=` was encoded is a key by its form, and still a password by its content.
        literal::named(bytes, classes, false, settings, &mut self.names, &mut self.marks);
        if (misplaced || credential) && !placeholder::is_whole(bytes) {
            let secret = sensitive || told || !self.marks.is_empty();
            findings.change(if secret { Change::Redacted } else { Change::Withheld }, text.whole());
            let shape = shape::shape(bytes, classes);
            self.safe.placeholder(secret, shape.name(), length, Extras::default());
        } else {
            self.write_marked(text, escape, lower, settings, findings);
        }
    }

    /// A word of our own with the length of a value, as a shape is written.
    pub(crate) fn word(&mut self, word: &'static str, length: usize, secret: bool, settings: &Settings) -> SafeSpan {
        let start = self.safe.begin();
        let bucket = settings.length_bucket.then(|| settings.buckets.label(length));
        self.safe.placeholder(secret, word, length, Extras { bucket, entropy_tenths: None });
        self.safe.since(start)
    }

    /// The name of a shape alone.
    pub(crate) fn shape_name(text: &[u8]) -> &'static str {
        shape::shape(text, bytes::classes(text)).name()
    }

    /// The shape of a query or body value.
    pub(crate) fn value(
        &mut self,
        value: Hidden<'_>,
        classes: Classes,
        sensitive: bool,
        settings: &Settings,
        findings: &mut Findings,
    ) -> SafeSpan {
        let start = self.safe.begin();
        self.push_value(value, classes, sensitive, settings, findings);
        self.safe.since(start)
    }

    /// A GraphQL document: its length, unless a credential in it says more.
    pub(crate) fn graphql(&mut self, text: &Decoded<'_>, settings: &Settings, findings: &mut Findings) -> SafeSpan {
        let (value, classes) = (text.text(), text.classes());
        self.marks.clear();
        literal::credentials(value.bytes(), classes, &mut self.marks);
        match self.marks.is_empty() {
            true => self.safe.sized("graphql", shape::length(value.bytes(), classes)),
            false => self.value(value, classes, true, settings, findings),
        }
    }

    /// A value as `<shape:len>` or `<SECRET:shape:len>`, appended to what is being written.
    pub(crate) fn push_value(
        &mut self,
        value: Hidden<'_>,
        classes: Classes,
        sensitive: bool,
        settings: &Settings,
        findings: &mut Findings,
    ) {
        let text = value.bytes();
        if classes.has(Classes::LESS) && placeholder::is_whole(text) {
            findings.raise(Flag::PreRedacted, value.whole());
            self.safe.reveal(value, Escape::Value, false);
            return;
        }
        self.marks.clear();
        if literal::credentials(text, classes, &mut self.marks) {
            findings.raise(Flag::Jwt, value.whole());
        }
        let secret = sensitive || !self.marks.is_empty();
        note(secret, value.whole(), findings);
        if findings.is_traced() && !secret {
            // A shape hides what stands in a text behind a sensitive word; an excerpt must not show it.
            literal::user_information(text, classes, &mut self.marks);
            literal::named(text, classes, false, settings, &mut self.names, &mut self.marks);
            if !self.marks.is_empty() {
                findings.change(Change::Withheld, value.whole());
            }
        }
        // How random a value is would tell one secret inside of it from another.
        let entropy = settings.entropy && !secret && {
            self.marks.clear();
            literal::user_information(text, classes, &mut self.marks);
            literal::named(text, classes, false, settings, &mut self.names, &mut self.marks);
            self.marks.is_empty()
        };
        push_shape(&mut self.safe, text, classes, secret, entropy, settings);
    }

    /// A path in its canonical form. `users` are ranges of user information in it, found before slashes collapsed.
    pub(crate) fn path(
        &mut self,
        path: Hidden<'_>,
        users: &[std::ops::Range<usize>],
        settings: &Settings,
        findings: &mut Findings,
    ) -> SafeSpan {
        let text = path.bytes();
        let classes = bytes::classes(text);
        self.marks.clear();
        self.marks.extend(users.iter().cloned().map(Mark::secret));
        if literal::credentials(text, classes, &mut self.marks) {
            findings.raise(Flag::Jwt, path.whole());
        }
        literal::named(text, classes, true, settings, &mut self.names, &mut self.marks);
        if text.len() >= 16 {
            literal::segments(text, settings, &mut self.names, &mut self.marks);
        }
        let start = self.safe.begin();
        self.write_marked(path, Escape::Path, false, settings, findings);
        self.safe.since(start)
    }

    /// Literal text, appended to what is being written.
    pub(crate) fn push_literal(
        &mut self,
        text: Hidden<'_>,
        kind: Literal,
        escape: Escape,
        lower: bool,
        settings: &Settings,
        findings: &mut Findings,
    ) {
        self.mark_literal(text, kind, settings, findings);
        self.write_marked(text, escape, lower, settings, findings);
    }

    /// Whether literal text holds anything that must be redacted: a normaliser sees only text that does not.
    pub(crate) fn is_clean(
        &mut self,
        text: Hidden<'_>,
        kind: Literal,
        settings: &Settings,
        findings: &mut Findings,
    ) -> bool {
        self.mark_literal(text, kind, settings, findings);
        self.marks.is_empty()
    }

    fn mark_literal(&mut self, text: Hidden<'_>, kind: Literal, settings: &Settings, findings: &mut Findings) {
        let bytes = text.bytes();
        let classes = bytes::classes(bytes);
        self.marks.clear();
        if literal::credentials(bytes, classes, &mut self.marks) {
            findings.raise(Flag::Jwt, text.whole());
        }
        self.mark_users(text, classes, findings);
        literal::named(bytes, classes, false, settings, &mut self.names, &mut self.marks);
        literal::url_values(bytes, classes, settings, &mut self.names, &mut self.marks);
        let url = bytes.starts_with(b"/") || memchr::memmem::find(bytes, b"://").is_some();
        if url && bytes.len() >= 16 {
            literal::segments(bytes, settings, &mut self.names, &mut self.marks);
        }
        if kind == Literal::Value {
            literal::words(bytes, classes, &mut self.marks);
        }
    }

    fn mark_users(&mut self, text: Hidden<'_>, classes: Classes, findings: &mut Findings) {
        let before = self.marks.len();
        literal::user_information(text.bytes(), classes, &mut self.marks);
        for mark in &self.marks[before..] {
            findings.raise(Flag::UserInfo, text.span(mark.range.start, mark.range.end));
        }
    }

    /// Writes text with its marked ranges as placeholders.
    fn write_marked(
        &mut self,
        text: Hidden<'_>,
        escape: Escape,
        lower: bool,
        settings: &Settings,
        findings: &mut Findings,
    ) {
        literal::settle(&mut self.marks);
        let mut foreign = false;
        let mut at = 0;
        let marks = std::mem::take(&mut self.marks);
        for mark in &marks {
            let marked = text.slice(mark.range.start, mark.range.end);
            // A placeholder that came with the request stays, and is said.
            if placeholder::is_whole(marked.bytes()) {
                continue;
            }
            foreign |= self.safe.reveal(text.slice(at, mark.range.start), escape, lower);
            findings.change(if mark.secret { Change::Redacted } else { Change::Shaped }, marked.whole());
            let classes = bytes::classes(marked.bytes());
            if escape == Escape::Value {
                push_shape(&mut self.safe, marked.bytes(), classes, mark.secret, settings.entropy, settings);
            } else {
                // Only values carry what the switches add: a space would break a path or a name.
                let shape = shape::shape(marked.bytes(), classes);
                let length = shape::length(marked.bytes(), classes);
                self.safe.placeholder(mark.secret, shape.name(), length, Extras::default());
            }
            at = mark.range.end;
        }
        self.marks = marks;
        foreign |= self.safe.reveal(text.slice(at, text.len()), escape, lower);
        if foreign {
            findings.raise(Flag::PreRedacted, text.whole());
        }
    }

    /// A part of a header value that a normaliser took out of text that is clean.
    pub(crate) fn push_clean(&mut self, text: Hidden<'_>, escape: Escape, lower: bool, findings: &mut Findings) {
        if self.safe.reveal(text, escape, lower) {
            findings.raise(Flag::PreRedacted, text.whole());
        }
    }

    /// `<SECRET:word:n>`: credentials whose scheme is known.
    pub(crate) fn push_credentials(
        &mut self,
        text: Hidden<'_>,
        word: &'static str,
        settings: &Settings,
        findings: &mut Findings,
    ) {
        note(true, text.whole(), findings);
        raise_jwt(text, findings);
        let length = shape::length(text.bytes(), bytes::classes(text.bytes()));
        let bucket = settings.length_bucket.then(|| settings.buckets.label(length));
        self.safe.placeholder(true, word, length, Extras { bucket, entropy_tenths: None });
    }

    /// Whether a host holds a credential, which must not be written even there.
    pub(crate) fn holds_credential(&mut self, text: Hidden<'_>) -> bool {
        self.marks.clear();
        literal::credentials(text.bytes(), bytes::classes(text.bytes()), &mut self.marks);
        !self.marks.is_empty()
    }

    /// A text that is secret as a whole, without what the switches add: `<SECRET:shape:len>`.
    pub(crate) fn push_secret(&mut self, text: Hidden<'_>, findings: &mut Findings) {
        if placeholder::is_whole(text.bytes()) {
            return self.push_clean(text, Escape::Authority, false, findings);
        }
        note(true, text.whole(), findings);
        let classes = bytes::classes(text.bytes());
        let shape = shape::shape(text.bytes(), classes);
        self.safe.placeholder(true, shape.name(), shape::length(text.bytes(), classes), Extras::default());
    }

    /// `<len:n>`: a cookie's value.
    pub(crate) fn push_length(&mut self, text: Hidden<'_>, findings: &mut Findings) {
        if placeholder::is_whole(text.bytes()) {
            self.push_clean(text, Escape::Value, false, findings);
            return;
        }
        note(true, text.whole(), findings);
        raise_jwt(text, findings);
        self.safe.length_only(shape::length(text.bytes(), bytes::classes(text.bytes())));
    }
}

/// A word that a programmer would choose as a name, and hardly anybody as a token.
fn is_plain_word(classes: Classes, length: usize) -> bool {
    const LONGEST_WORD: usize = 24;
    length <= LONGEST_WORD && classes.only(Classes::ALPHA.or(Classes::DASH))
}

fn raise_jwt(text: Hidden<'_>, findings: &mut Findings) {
    if findings.is_enabled(Flag::Jwt) && shape::shape(text.bytes(), bytes::classes(text.bytes())) == Shape::Jwt {
        findings.raise(Flag::Jwt, text.whole());
    }
}

fn note(secret: bool, span: Span, findings: &mut Findings) {
    if secret {
        findings.change(Change::Redacted, span);
    }
}

/// The number of characters of a text.
pub(crate) fn length(text: &[u8]) -> usize {
    shape::length(text, bytes::classes(text))
}

/// Ranges of user information in a path, before its slashes collapse.
pub(crate) fn users_in_path(text: &[u8], classes: Classes, found: &mut Vec<std::ops::Range<usize>>) {
    let mut marks = Vec::new();
    literal::user_information(text, classes, &mut marks);
    found.extend(marks.into_iter().map(|mark| mark.range));
}

fn push_shape(safe: &mut Safe, text: &[u8], classes: Classes, secret: bool, entropy: bool, settings: &Settings) {
    let shape = shape::shape(text, classes);
    let length = shape::length(text, classes);
    let bucket = settings.length_bucket.then(|| settings.buckets.label(length));
    let entropy_tenths = if entropy && !secret { shape::entropy_tenths(text, length) } else { None };
    safe.placeholder(secret, shape.name(), length, Extras { bucket, entropy_tenths });
}
