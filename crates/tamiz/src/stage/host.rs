//! An authority to a host in its canonical form.

use std::net::Ipv6Addr;
use std::ops::Range;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::bytes;
use crate::findings::Findings;
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::content::{self, Place};
use crate::stage::redact::{Escape, Literal, Redact, SafeSpan};
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// An authority as documents write it.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    /// For `U:`, with user information redacted; for a bad one, as it came.
    pub(crate) url: SafeSpan,
    /// For the `H:host` line: the port as it came.
    pub(crate) header: SafeSpan,
    /// What two authorities are compared by.
    pub(crate) identity: SafeSpan,
    pub(crate) has_port: bool,
    pub(crate) fault: Option<Fault>,
}

/// Why an authority is BADHOST.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A character that no host has.
    Character,
    Other,
}

/// The port that a scheme implies.
pub(crate) fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        _ => None,
    }
}

/// Reads an authority. `default` is the port that goes without saying.
pub(crate) fn run(
    authority: Hidden<'_>,
    default: Option<u16>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Host {
    let mut replaced = Replaced::default();
    let authority = replaced.readable(authority, findings);
    let text = authority.bytes();
    findings.change(Change::HostRead, authority.whole());
    let user = memchr::memrchr(b'@', text);
    if let Some(at) = user {
        findings.raise(Flag::UserInfo, authority.span(0, at));
    }
    let rest = authority.slice(user.map_or(0, |at| at + 1), text.len());
    look_at_content(rest, settings, findings);
    content::line_ends(authority, findings);
    let parts = split_port(rest.bytes());
    let name = parts.as_ref().and_then(|parts| canonical_name(&rest.bytes()[parts.name.clone()]));
    match (parts, name) {
        (Some(parts), Some(name)) => {
            if name.was_unicode {
                findings.raise(Flag::Idna, rest.whole());
            }
            if name.mixes(settings) {
                findings.raise(Flag::MixedScript, rest.whole());
            }
            if redact.holds_credential(rest) {
                return write_as_it_came(authority, user, rest, None, redact, settings, findings);
            }
            write_good(authority, user, rest, &parts, &name, default, redact, findings)
        }
        _ => {
            let fault = if has_forbidden_character(rest.bytes()) { Fault::Character } else { Fault::Other };
            findings.raise(Flag::BadHost, authority.whole());
            write_as_it_came(authority, user, rest, Some(fault), redact, settings, findings)
        }
    }
}

/// An authority whose bytes are not UTF-8, with U+FFFD in their place.
#[derive(Default)]
struct Replaced {
    text: Vec<u8>,
    map: Vec<usize>,
}

impl Replaced {
    fn readable<'a>(&'a mut self, raw: Hidden<'a>, findings: &mut Findings) -> Hidden<'a> {
        if std::str::from_utf8(raw.bytes()).is_ok() {
            return raw;
        }
        findings.raise(Flag::BadUtf8, raw.whole());
        let mut at = 0;
        for chunk in raw.bytes().utf8_chunks() {
            let valid = chunk.valid().len();
            self.text.extend_from_slice(chunk.valid().as_bytes());
            self.map.extend((at..at + valid).map(|i| raw.span(i, i).start));
            at += valid;
            if !chunk.invalid().is_empty() {
                self.text.extend_from_slice("\u{FFFD}".as_bytes());
                self.map.extend([raw.span(at, at).start; "\u{FFFD}".len()]);
                at += chunk.invalid().len();
            }
        }
        self.map.push(raw.whole().end);
        Hidden::mapped(&self.text, raw.whole().start, &self.map)
    }
}

fn look_at_content(host: Hidden<'_>, settings: &Settings, findings: &mut Findings) {
    content::run(host, bytes::classes(host.bytes()), Place::Host, &settings.scripts, findings);
}

/// What `CONNECT` names: a good host with a port.
pub(crate) fn is_host_with_port(authority: Hidden<'_>) -> bool {
    let text = authority.bytes();
    let rest = &text[memchr::memrchr(b'@', text).map_or(0, |at| at + 1)..];
    split_port(rest)
        .is_some_and(|parts| parts.port_number(rest).is_some() && canonical_name(&rest[parts.name]).is_some())
}

/// A character that no authority has; what IDNA says of others is another matter.
fn has_forbidden_character(text: &[u8]) -> bool {
    let bracketed = text.starts_with(b"[");
    text.iter().any(|&b| match b {
        b'-' | b'.' | b':' => false,
        b'[' | b']' => !bracketed,
        _ => b.is_ascii() && !b.is_ascii_alphanumeric(),
    }) || memchr::memmem::find(text, "\u{FFFD}".as_bytes()).is_some()
}

struct Parts {
    name: Range<usize>,
    /// Behind the colon, if there is one.
    port: Option<Range<usize>>,
}

impl Parts {
    fn port_number(&self, text: &[u8]) -> Option<u16> {
        let digits = &text[self.port.clone()?];
        super::frame::plain_number(digits).and_then(|number| u16::try_from(number).ok())
    }
}

fn split_port(text: &[u8]) -> Option<Parts> {
    let name_end = match text.first() {
        Some(b'[') => memchr::memchr(b']', text)? + 1,
        _ => memchr::memchr(b':', text).unwrap_or(text.len()),
    };
    let port = match text.get(name_end) {
        None => None,
        Some(b':') => Some(name_end + 1..text.len()),
        Some(_) => return None,
    };
    let parts = Parts { name: 0..name_end, port };
    let empty = parts.port.as_ref().is_none_or(|port| port.is_empty());
    (empty || parts.port_number(text).is_some()).then_some(parts)
}

enum Name<'a> {
    /// Letters, digits, hyphens and dots: lower-cased as it is written.
    Plain(&'a [u8]),
    Ipv6(Ipv6Addr),
    Idna {
        ascii: String,
        unicode: String,
    },
}

struct CanonicalName<'a> {
    name: Name<'a>,
    was_unicode: bool,
}

impl CanonicalName<'_> {
    /// Whether a label mixes scripts, in its Unicode form.
    fn mixes(&self, settings: &Settings) -> bool {
        let Name::Idna { unicode, .. } = &self.name else { return false };
        let mut findings = Findings::new([Flag::MixedScript].into_iter().collect());
        content::characters(Hidden::new(unicode.as_bytes(), 0), &settings.scripts, &mut findings);
        !findings.list().is_empty()
    }
}

fn canonical_name(text: &[u8]) -> Option<CanonicalName<'_>> {
    if let Some(inner) = text.strip_prefix(b"[") {
        let inner = inner.strip_suffix(b"]").unwrap_or(inner);
        let address = std::str::from_utf8(inner).ok().and_then(|inner| inner.parse().ok())?;
        return Some(CanonicalName { name: Name::Ipv6(address), was_unicode: false });
    }
    let text = text.strip_suffix(b".").unwrap_or(text);
    let empty_label = text.starts_with(b".") || text.ends_with(b".") || memchr::memmem::find(text, b"..").is_some();
    if text.is_empty() || empty_label {
        return None;
    }
    if text.is_ascii() {
        if !text.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.')) {
            return None;
        }
        let punycode =
            text.split(|&b| b == b'.').any(|label| label.len() >= 4 && label[..4].eq_ignore_ascii_case(b"xn--"));
        if !punycode {
            return Some(CanonicalName { name: Name::Plain(text), was_unicode: false });
        }
    }
    let was_unicode = !text.is_ascii();
    let uts46 = Uts46::new();
    let ascii = uts46.to_ascii(text, AsciiDenyList::STD3, Hyphens::Allow, DnsLength::Ignore).ok()?.into_owned();
    // What maps to nothing, or to dots alone, is no host either.
    if ascii.is_empty() || ascii.starts_with('.') || ascii.ends_with('.') || ascii.contains("..") {
        return None;
    }
    let (unicode, _) = uts46.to_unicode(ascii.as_bytes(), AsciiDenyList::STD3, Hyphens::Allow);
    let unicode = unicode.into_owned();
    Some(CanonicalName { name: Name::Idna { ascii, unicode }, was_unicode })
}

#[expect(clippy::too_many_arguments, reason = "one call, and every argument is a different thing")]
fn write_good(
    authority: Hidden<'_>,
    user: Option<usize>,
    rest: Hidden<'_>,
    parts: &Parts,
    name: &CanonicalName<'_>,
    default: Option<u16>,
    redact: &mut Redact,
    findings: &mut Findings,
) -> Host {
    let write_name = |redact: &mut Redact, findings: &mut Findings| match &name.name {
        Name::Plain(text) => redact.push_clean(Hidden::new(text, 0), Escape::Authority, true, findings),
        Name::Idna { ascii, .. } => {
            redact.push_clean(Hidden::new(ascii.as_bytes(), 0), Escape::Authority, true, findings)
        }
        Name::Ipv6(address) => {
            redact.safe.push("[");
            redact.push_clean(Hidden::new(address.to_string().as_bytes(), 0), Escape::Authority, true, findings);
            redact.safe.push("]");
        }
    };
    let port = parts.port_number(rest.bytes());

    let start = redact.safe.begin();
    write_name(redact, findings);
    if let Some(port) = port.filter(|&port| Some(port) != default) {
        redact.safe.push(":");
        redact.safe.number(usize::from(port));
    }
    let identity = redact.safe.since(start);

    let start = redact.safe.begin();
    write_user(authority, user, redact, findings);
    redact.safe.again(identity);
    let url = redact.safe.since(start);

    let start = redact.safe.begin();
    write_user(authority, user, redact, findings);
    write_name(redact, findings);
    if let Some(port) = &parts.port {
        redact.safe.push(":");
        redact.push_clean(rest.slice(port.start, port.end), Escape::Authority, false, findings);
    }
    let header = redact.safe.since(start);
    Host { url, header, identity, has_port: port.is_some(), fault: None }
}

/// Writes an authority as it came, lower-cased and redacted.
fn write_as_it_came(
    authority: Hidden<'_>,
    user: Option<usize>,
    rest: Hidden<'_>,
    fault: Option<Fault>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Host {
    let mut write = |escape: Escape, with_user: bool| {
        let start = redact.safe.begin();
        if with_user {
            write_user(authority, user, redact, findings);
        }
        redact.push_literal(rest, Literal::Name, escape, true, settings, findings);
        redact.safe.since(start)
    };
    let identity = write(Escape::Authority, false);
    let url = write(Escape::Authority, true);
    let header = write(Escape::Value, true);
    Host { url, header, identity, has_port: true, fault }
}

fn write_user(authority: Hidden<'_>, user: Option<usize>, redact: &mut Redact, findings: &mut Findings) {
    if let Some(at) = user {
        redact.push_secret(authority.slice(0, at), findings);
        redact.safe.push("@");
    }
}
