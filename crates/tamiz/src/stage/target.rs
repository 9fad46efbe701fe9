//! The target: which of the four forms it has, and where its path and its query are.

use crate::findings::{Findings, Span};
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::content;
use crate::stage::host::{self, Host};
use crate::stage::redact::{Escape, Literal, Redact, SafeSpan};
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// What a target says.
pub(crate) struct Target<'a> {
    pub(crate) scheme: Scheme,
    /// The host that the target itself names.
    pub(crate) host: Option<Host>,
    pub(crate) rest: Rest<'a>,
}

/// What follows the authority.
pub(crate) enum Rest<'a> {
    /// `CONNECT host:port`: nothing does.
    Nothing,
    Path {
        path: Hidden<'a>,
        query: Option<Hidden<'a>>,
        kind: PathKind,
    },
}

/// What a path was read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathKind {
    /// A target of one of the four forms.
    Ordinary,
    /// A target of none: perhaps an authority that failed to be one.
    Formless,
    /// A header line or credentials in the place of a request line: all of it is a secret.
    Secret,
}

/// The methods whose targets have a form of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Connect,
    Options,
    Other,
}

impl Method {
    /// By the method as written, NFKC included.
    pub(crate) fn named(written: &str) -> Method {
        match written {
            "CONNECT" => Method::Connect,
            "OPTIONS" => Method::Options,
            _ => Method::Other,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Scheme {
    Configured,
    Written(SafeSpan),
}

impl Scheme {
    pub(crate) fn text<'a>(&self, redact: &'a Redact, settings: &'a Settings) -> &'a str {
        match self {
            Scheme::Configured => &settings.scheme,
            Scheme::Written(span) => redact.safe.get(*span),
        }
    }
}

/// Reads a target as it stands in a request line.
pub(crate) fn run<'a>(
    method: Method,
    target: Hidden<'a>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Target<'a> {
    let text = target.bytes();
    if method == Method::Connect {
        if let Some(host) = authority_form(target, redact, settings, findings) {
            findings.change(Change::AuthorityForm, target.whole());
            return Target { scheme: Scheme::Configured, host: Some(host), rest: Rest::Nothing };
        }
        findings.raise_nowhere(Flag::BadReqLine, target.whole());
        let rest = path_and_query(target, PathKind::Formless);
        return Target { scheme: Scheme::Configured, host: None, rest };
    }
    // A scheme that is a credential is none.
    let clean = |redact: &mut Redact, end: usize| !redact.holds_credential(target.slice(0, end));
    if let Some(scheme_end) = absolute_form(text).filter(|&end| clean(redact, end)) {
        findings.change(Change::AbsoluteForm, target.whole());
        let scheme = write_scheme(target.slice(0, scheme_end), redact, settings, findings);
        let start = scheme_end + b"://".len();
        let end = text[start..].iter().position(|b| matches!(b, b'/' | b'?' | b'#')).map_or(text.len(), |n| start + n);
        let default = host::default_port(Scheme::Written(scheme).text(redact, settings));
        let host = host::run(target.slice(start, end), default, redact, settings, findings);
        let rest = path_and_query(target.slice(end, text.len()), PathKind::Ordinary);
        return Target { scheme: Scheme::Written(scheme), host: Some(host), rest };
    }
    findings.change(Change::OriginForm, target.whole());
    if text.first().is_some_and(|&first| first != b'/') {
        findings.change(Change::SlashAdded, target.span(0, 0));
    }
    let fits = text.is_empty() || text[0] == b'/' || (text == b"*" && method == Method::Options);
    if !fits {
        findings.raise_nowhere(Flag::BadReqLine, target.whole());
    }
    let rest = path_and_query(target, if fits { PathKind::Ordinary } else { PathKind::Formless });
    Target { scheme: Scheme::Configured, host: None, rest }
}

/// A host with a port, and nothing else.
fn authority_form(
    target: Hidden<'_>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Option<Host> {
    let fits = !target.bytes().iter().any(|b| matches!(b, b'/' | b'?' | b'#'));
    if !fits || !host::is_host_with_port(target) {
        return None;
    }
    Some(host::run(target, None, redact, settings, findings))
}

/// The length of the scheme of `scheme://…`.
fn absolute_form(text: &[u8]) -> Option<usize> {
    let end = scheme_length(text);
    (end > 0 && text[end..].starts_with(b"://")).then_some(end)
}

fn scheme_length(text: &[u8]) -> usize {
    let in_scheme = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-');
    if text.first().is_some_and(u8::is_ascii_alphabetic) { text.iter().take_while(in_scheme).count() } else { 0 }
}

/// A scheme that was given by itself.
pub(crate) fn given_scheme(scheme: &[u8], redact: &mut Redact, settings: &Settings, findings: &mut Findings) -> Scheme {
    if scheme.is_empty() {
        return Scheme::Configured;
    }
    if scheme_length(scheme) != scheme.len() || redact.holds_credential(Hidden::new(scheme, 0)) {
        findings.raise_nowhere(Flag::BadReqLine, Span::default());
        content::hidden_characters(scheme, Span::default(), findings);
        return Scheme::Configured;
    }
    Scheme::Written(write_scheme(Hidden::new(scheme, 0), redact, settings, findings))
}

/// A scheme in lower case.
fn write_scheme(scheme: Hidden<'_>, redact: &mut Redact, settings: &Settings, findings: &mut Findings) -> SafeSpan {
    let start = redact.safe.begin();
    redact.push_literal(scheme, Literal::Name, Escape::Authority, true, settings, findings);
    redact.safe.since(start)
}

/// The target of a request line that begins like a header or like credentials: nothing in it may be shown.
pub(crate) fn secret(target: Hidden<'_>) -> Target<'_> {
    let rest = Rest::Path { path: target, query: None, kind: PathKind::Secret };
    Target { scheme: Scheme::Configured, host: None, rest }
}

/// Splits at the first raw `?`.
pub(crate) fn path_and_query(text: Hidden<'_>, kind: PathKind) -> Rest<'_> {
    let question = memchr::memchr(b'?', text.bytes());
    let path = text.slice(0, question.unwrap_or(text.len()));
    Rest::Path { path, query: question.map(|at| text.slice(at + 1, text.len())), kind }
}
