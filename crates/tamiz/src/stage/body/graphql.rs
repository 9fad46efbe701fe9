//! GraphQL inside of JSON: which operations a document has and how deep it nests. Its text is not shown.

use std::ops::Range;

use crate::bytes;
use crate::findings::{Findings, Span};
use crate::settings::Settings;
use crate::stage::content;
use crate::stage::decode::Decoded;
use crate::stage::redact::{Redact, SafeSpan};
use crate::table::changes::Change;

/// What the GraphQL documents of one body say.
#[derive(Default)]
pub(crate) struct Graphql {
    pub(crate) operations: Vec<Operation>,
    /// The deepest nesting of selection sets.
    pub(crate) depth: usize,
    /// Operations that are not listed.
    pub(crate) left_out: usize,
    /// What was read of the present document, until it is clear that it is one.
    found: Vec<(Kind, Range<usize>)>,
    /// Its strings and comments.
    texts: Vec<Range<usize>>,
    brackets: Vec<u8>,
}

/// An operation, and its name as written; empty where it has none.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) name: SafeSpan,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Query,
    Mutation,
    Subscription,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Kind::Query => "query",
            Kind::Mutation => "mutation",
            Kind::Subscription => "subscription",
        }
    }

    fn named(word: &[u8]) -> Option<Kind> {
        [Kind::Query, Kind::Mutation, Kind::Subscription].into_iter().find(|kind| kind.word().as_bytes() == word)
    }
}

impl Graphql {
    pub(crate) fn clear(&mut self) {
        self.operations.clear();
        self.depth = 0;
        self.left_out = 0;
    }

    /// Reads a text if it is a GraphQL document; returns whether it is.
    pub(crate) fn run(
        &mut self,
        text: &Decoded<'_>,
        place: Span,
        redact: &mut Redact,
        settings: &Settings,
        findings: &mut Findings,
    ) -> bool {
        let hidden = text.text();
        let Some(depth) = self.read(hidden.bytes()) else { return false };
        findings.change(Change::GraphqlRead, place);
        self.depth = self.depth.max(depth);
        let room = settings.body_fields.saturating_sub(self.operations.len());
        self.left_out += self.found.len().saturating_sub(room);
        for &(kind, ref name) in self.found.iter().take(room) {
            let start = redact.safe.begin();
            if !name.is_empty() {
                redact.push_word(hidden.slice(name.start, name.end), false, settings, findings);
            }
            self.operations.push(Operation { kind, name: redact.safe.since(start) });
        }
        // Braces, parentheses and dollars are its syntax, and outside of strings and comments there is nothing else.
        for range in &self.texts {
            let text = hidden.slice(range.start, range.end);
            content::value_text(text, bytes::classes(text.bytes()), text.whole(), settings, findings);
        }
        true
    }

    /// The depth of a document, if the text is one.
    fn read(&mut self, text: &[u8]) -> Option<usize> {
        self.found.clear();
        self.texts.clear();
        self.brackets.clear();
        let mut lexer = Lexer { text, at: 0 };
        let mut definition = Definition::None;
        let (mut selections, mut arguments, mut deepest) = (0, 0, 0);
        let mut after_open = false;
        while let Some(token) = lexer.next()? {
            let begins_selection = std::mem::take(&mut after_open);
            match token {
                Token::Comment(range) => {
                    self.texts.push(range);
                    after_open = begins_selection;
                    continue;
                }
                // A selection begins with a field, an alias or a spread: `{"a": 1}` is no GraphQL.
                Token::Name(_) | Token::Spread => {}
                _ if begins_selection => return None,
                _ => {}
            }
            if self.brackets.is_empty() {
                definition = definition.next(&token, text, &mut self.found)?;
            }
            match token {
                Token::Text(range) => {
                    if arguments == 0 {
                        return None;
                    }
                    self.texts.push(range);
                }
                Token::Open(bracket) => {
                    if bracket != b'{' || arguments > 0 {
                        arguments += 1;
                    } else {
                        selections += 1;
                        deepest = deepest.max(selections);
                        after_open = true;
                    }
                    self.brackets.push(bracket);
                }
                Token::Close(bracket) => {
                    if self.brackets.pop()? != bracket {
                        return None;
                    }
                    if arguments > 0 {
                        arguments -= 1;
                    } else {
                        selections -= 1;
                    }
                    if self.brackets.is_empty() && bracket == b'{' {
                        definition = Definition::None;
                    }
                }
                _ => {}
            }
        }
        let complete = self.brackets.is_empty() && definition == Definition::None && !self.found.is_empty();
        complete.then_some(deepest)
    }
}

/// What is being defined at the top of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    None,
    /// Behind the word `query` and its like.
    Keyword,
    /// Before the selection set of an operation or a fragment.
    Head,
}

impl Definition {
    fn next(self, token: &Token, text: &[u8], found: &mut Vec<(Kind, Range<usize>)>) -> Option<Definition> {
        match (self, token) {
            (Definition::None, Token::Open(b'{')) => {
                found.push((Kind::Query, 0..0));
                Some(Definition::Head)
            }
            (Definition::None, Token::Name(word)) => match Kind::named(&text[word.clone()]) {
                Some(kind) => {
                    found.push((kind, 0..0));
                    Some(Definition::Keyword)
                }
                None => (&text[word.clone()] == b"fragment").then_some(Definition::Head),
            },
            (Definition::Keyword, Token::Name(name)) => {
                found.last_mut()?.1 = name.clone();
                Some(Definition::Head)
            }
            (Definition::Keyword | Definition::Head, Token::Open(b'(' | b'{') | Token::Directive) => {
                Some(Definition::Head)
            }
            (Definition::Head, Token::Name(_) | Token::Close(_)) => Some(Definition::Head),
            _ => None,
        }
    }
}

enum Token {
    Name(Range<usize>),
    Number,
    /// The inside of a string.
    Text(Range<usize>),
    Comment(Range<usize>),
    Open(u8),
    /// By its opening bracket.
    Close(u8),
    Spread,
    /// `@`
    Directive,
    Other,
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

impl Lexer<'_> {
    /// The next token, `Some(None)` at the end, and `None` where there is none that GraphQL has.
    fn next(&mut self) -> Option<Option<Token>> {
        let is_ignored = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',');
        self.at += self.text[self.at..].iter().take_while(|b| is_ignored(b)).count();
        let rest = &self.text[self.at..];
        let Some(&first) = rest.first() else { return Some(None) };
        let start = self.at;
        let run = |is: fn(&&u8) -> bool| start..start + rest.iter().take_while(is).count();
        let (token, end) = match first {
            b'#' => {
                let line = run(|b| !matches!(b, b'\r' | b'\n'));
                (Token::Comment(start + 1..line.end), line.end)
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let name = run(|b| b.is_ascii_alphanumeric() || **b == b'_');
                (Token::Name(name.clone()), name.end)
            }
            b'-' | b'0'..=b'9' => {
                let number = run(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-'));
                (Token::Number, number.end)
            }
            b'"' if rest.starts_with(b"\"\"\"") => {
                let inside = start + 3;
                let end = inside + block_end(&self.text[inside..])?;
                (Token::Text(inside..end), end + 3)
            }
            b'"' => {
                let inside = start + 1;
                let end = inside + string_end(&self.text[inside..])?;
                (Token::Text(inside..end), end + 1)
            }
            b'{' | b'(' | b'[' => (Token::Open(first), start + 1),
            b'}' => (Token::Close(b'{'), start + 1),
            b')' => (Token::Close(b'('), start + 1),
            b']' => (Token::Close(b'['), start + 1),
            b'.' if rest.starts_with(b"...") => (Token::Spread, start + 3),
            b'@' => (Token::Directive, start + 1),
            b'!' | b'$' | b'&' | b':' | b'=' | b'|' => (Token::Other, start + 1),
            _ => return None,
        };
        self.at = end;
        Some(Some(token))
    }
}

fn string_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            b'\r' | b'\n' => return None,
            _ => at += 1,
        }
    }
}

fn block_end(text: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(text, b"\"\"\"").find(|&at| at == 0 || text[at - 1] != b'\\')
}
