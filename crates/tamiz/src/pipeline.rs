//! The stages in their order: the page to read first. The documentation of the crate draws it.

use crate::bytes;
use crate::engine::{Parts, Target as PartsTarget};
use crate::findings::{Findings, Line, Span};
use crate::hidden::Hidden;
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::stage::body::{self, Arrival};
use crate::stage::content;
use crate::stage::decode;
use crate::stage::emit::{self, Facts, Url};
use crate::stage::frame::{self, Framed};
use crate::stage::headers;
use crate::stage::host::{self, Host};
use crate::stage::lengths;
use crate::stage::path;
use crate::stage::query;
use crate::stage::redact::{Escape, Literal, Redact, SafeSpan};
use crate::stage::rollup;
use crate::stage::target::{self, Method, PathKind, Rest, Target};
use crate::stage::unfold::{self, Known};
use crate::table::flags::Flag;

/// A whole request as bytes: all that follows the head is its body.
pub(crate) fn raw(input: &[u8], settings: &Settings, scratch: &mut Scratch, traced: bool, out: &mut String) {
    scratch.clear(traced);
    frame::run(input, &mut scratch.frame, &mut scratch.findings);
    let body = Hidden::new(&input[scratch.frame.body..], scratch.frame.body);
    head(input, body, Arrival::Raw, settings, scratch, out);
}

/// A request cut out of a stream.
pub(crate) fn framed(request: &Framed<'_>, settings: &Settings, scratch: &mut Scratch, out: &mut String) {
    scratch.clear(false);
    frame::run(request.head, &mut scratch.frame, &mut scratch.findings);
    if request.truncated {
        scratch.findings.raise(Flag::Truncated, Span::new(request.head.len(), request.head.len()));
    }
    let arrival = Arrival::Framed { bad_chunks: request.bad_chunks };
    head(request.head, Hidden::new(request.body, request.head.len()), arrival, settings, scratch, out);
}

fn head(
    input: &[u8],
    body: Hidden<'_>,
    arrival: Arrival,
    settings: &Settings,
    scratch: &mut Scratch,
    out: &mut String,
) {
    unfold::run(input, &scratch.frame.lines, &mut scratch.fields, &mut scratch.findings);
    let method = Hidden::new(&input[scratch.frame.method.clone()], scratch.frame.method.start);
    let place = scratch.frame.target.clone().unwrap_or(scratch.frame.method.end..scratch.frame.method.end);
    let raw = Hidden::new(&input[place.clone()], place.start);
    let Scratch { layers, redact, findings, .. } = scratch;
    let announced = redact.announces_secret(method.bytes(), raw.bytes(), settings);
    let method = write_method(method, layers, redact, settings, findings);
    let kind = Method::named(redact.safe.get(method));
    let target = match announced {
        true => target::secret(raw),
        false => target::run(kind, raw, redact, settings, findings.about_host()),
    };
    request(method, target, body, arrival, settings, scratch, out);
}

/// A request that somebody else has taken apart.
pub(crate) fn parts(parts: &Parts<'_>, settings: &Settings, scratch: &mut Scratch, out: &mut String) {
    scratch.clear(false);
    for (name, value) in parts.headers {
        scratch.fields.push_whole(name, value);
    }
    scratch.fields.join(Known::Cookie, b"; ");
    let Scratch { fields, layers, redact, findings, .. } = scratch;
    let method = write_method(Hidden::new(parts.method, 0), layers, redact, settings, findings);
    let kind = Method::named(redact.safe.get(method));
    if let PartsTarget::Raw(raw) = parts.target
        && frame::wide_gap(raw).is_some()
    {
        findings.raise_nowhere(Flag::TabSep, Span::default());
    }
    let findings = findings.about_host();
    let announced = |redact: &mut Redact, target: &[u8]| redact.announces_secret(parts.method, target, settings);
    let target = match parts.target {
        PartsTarget::Raw(raw) | PartsTarget::Split { path: raw, .. } if announced(redact, raw) => {
            target::secret(Hidden::new(raw, 0))
        }
        PartsTarget::Raw(raw) => target::run(kind, Hidden::new(raw, 0), redact, settings, findings),
        PartsTarget::Split { authority, path: b"", .. } if kind == Method::Connect => {
            target::run(kind, Hidden::new(authority, 0), redact, settings, findings)
        }
        PartsTarget::Split { scheme, authority, path } => {
            let scheme = target::given_scheme(scheme, redact, settings, findings);
            let mut host = None;
            if !authority.is_empty() && fields.list.iter().any(|field| field.known == Some(Known::Host)) {
                let default = host::default_port(scheme.text(redact, settings));
                host = Some(host::run(Hidden::new(authority, 0), default, redact, settings, findings));
            } else if !authority.is_empty() {
                fields.push_whole(b"host", authority);
            }
            let asterisk = path == b"*" && kind == Method::Options;
            let fits = path.is_empty() || path[0] == b'/' || asterisk;
            if !fits {
                findings.raise_nowhere(Flag::BadReqLine, Span::default());
            }
            let kind = if fits { PathKind::Ordinary } else { PathKind::Formless };
            Target { scheme, host, rest: target::path_and_query(Hidden::new(path, 0), kind) }
        }
    };
    request(method, target, Hidden::new(parts.body, 0), Arrival::Parts, settings, scratch, out);
}

/// From a target, fields and a body to the document.
fn request(
    method: SafeSpan,
    target: Target<'_>,
    body: Hidden<'_>,
    arrival: Arrival,
    settings: &Settings,
    scratch: &mut Scratch,
    out: &mut String,
) {
    let Scratch {
        frame: _,
        fields,
        layers,
        redact,
        findings,
        path_scratch,
        query,
        body: body_scratch,
        hosts,
        headers,
        rollup,
    } = scratch;
    findings.on(Line::Host);
    read_hosts(fields, &target, hosts, redact, settings, findings);
    let url = choose_url(&target, hosts, redact, findings);

    let (mut path, mut has_query) = (None, false);
    if let Rest::Path { path: raw, query: raw_query, kind } = target.rest {
        path = Some(path::run(raw, kind, path_scratch, layers, redact, settings, findings));
        if let Some(raw_query) = raw_query {
            has_query = true;
            findings.on(Line::Query);
            query::run(raw_query, query::Source::Query, query, layers, redact, settings, findings);
        }
    }
    let lengths = lengths::run(fields, findings);
    let is_named = |known: &&str| redact.safe.get(method).eq_ignore_ascii_case(known);
    let unexpected = ["GET", "HEAD", "TRACE", "CONNECT"].iter().any(is_named);
    let body = body::run(body, arrival, unexpected, fields, lengths, body_scratch, layers, redact, settings, findings);
    headers::run(fields, hosts, headers, layers, redact, settings, findings);
    rollup::run(findings, rollup, &redact.safe, settings);
    let query = has_query.then_some(&*query);
    let facts = Facts { method, url, path, query, body, body_scratch, headers, rollup, redact, settings };
    emit::run(&facts, out);
}

fn write_method(
    method: Hidden<'_>,
    layers: &mut decode::Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> SafeSpan {
    findings.on(Line::Nowhere);
    let method = decode::nfkc_name(method, layers, findings);
    content::hidden_characters(method.bytes(), method.whole(), findings);
    content::line_ends(method, findings);
    if !bytes::is_token(method.bytes()) {
        findings.raise_nowhere(Flag::BadReqLine, method.whole());
    }
    let start = redact.safe.begin();
    redact.push_literal(method, Literal::Name, Escape::Name, false, settings, findings);
    redact.safe.since(start)
}

/// Reads every Host header, in the order of their lines.
fn read_hosts(
    fields: &unfold::Fields,
    target: &Target<'_>,
    hosts: &mut Vec<Host>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) {
    hosts.clear();
    // CONNECT names a host and a port, and no scheme that would imply one.
    let connect = matches!(target.rest, Rest::Nothing);
    let default = if connect { None } else { host::default_port(target.scheme.text(redact, settings)) };
    for (i, field) in fields.list.iter().enumerate() {
        if field.known == Some(Known::Host) {
            findings.on(Line::Field(i));
            hosts.push(host::run(fields.value(field), default, redact, settings, findings));
        }
    }
    findings.on(Line::Host);
}

/// Who names `U:`, and whether others disagree.
fn choose_url(target: &Target<'_>, hosts: &[Host], redact: &Redact, findings: &mut Findings) -> Url {
    let connect = matches!(target.rest, Rest::Nothing);
    let named = target.host.as_ref().or(hosts.first());
    let differs = |host: &Host| {
        named.is_some_and(|named| {
            let same = redact.safe.get(named.identity) == redact.safe.get(host.identity);
            // A Host header without a port leaves that of CONNECT open.
            let same_name = || {
                let name = redact.safe.get(named.identity).rsplit_once(':').map(|(name, _)| name);
                connect && !host.has_port && name == Some(redact.safe.get(host.identity))
            };
            !same && !same_name()
        })
    };
    if hosts.iter().any(differs) {
        findings.raise(Flag::HostMismatch, Span::default());
    }
    match (target.host, hosts.first()) {
        (Some(host), _) if connect => Url::Authority(host.url),
        (Some(host), _) => Url::Absolute { scheme: target.scheme, host: host.url },
        (None, Some(host)) if host.fault.is_none() => Url::Absolute { scheme: target.scheme, host: host.url },
        (None, Some(_)) => Url::Unknown,
        (None, None) => {
            findings.raise(Flag::BadHost, Span::default());
            Url::Unknown
        }
    }
}
