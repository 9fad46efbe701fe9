//! Any parts give a document that is a fixed point; clean ones give that of the same request in bytes.

#![no_main]

use arbitrary::Arbitrary;
use tamiz::{Parts, Target};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    method: Method<'a>,
    target: Place<'a>,
    headers: Vec<(Name<'a>, &'a [u8])>,
    body: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Method<'a> {
    Get,
    Post,
    Connect,
    Options,
    Other(&'a [u8]),
}

#[derive(Arbitrary, Debug)]
enum Place<'a> {
    Raw(&'a [u8]),
    Split { scheme: Scheme<'a>, authority: &'a [u8], path: &'a [u8] },
}

#[derive(Arbitrary, Debug)]
enum Scheme<'a> {
    None,
    Http,
    Https,
    Other(&'a [u8]),
}

/// The names that have rules of their own would hardly be found by chance.
#[derive(Arbitrary, Debug)]
enum Name<'a> {
    Host,
    Cookie,
    Authorization,
    UserAgent,
    ContentType,
    ContentLength,
    TransferEncoding,
    Referer,
    Accept,
    Other(&'a [u8]),
}

libfuzzer_sys::fuzz_target!(|input: Input<'_>| {
    let headers: Vec<(&[u8], &[u8])> = input.headers.iter().map(|(name, value)| (name.bytes(), *value)).collect();
    let target = match &input.target {
        Place::Raw(target) => Target::Raw(target),
        Place::Split { scheme, authority, path } => Target::Split { scheme: scheme.bytes(), authority, path },
    };
    let parts = Parts { method: input.method.bytes(), target, headers: &headers, body: input.body };
    let document = tamiz_fuzz::assert_documents(|engine, out| engine.canonicalize_parts(&parts, out));
    if let Some(raw) = wire(&parts) {
        let from_raw = tamiz_fuzz::assert_documents(|engine, out| engine.canonicalize(&raw, out));
        assert_eq!(document, from_raw, "{} gives another document", raw.escape_ascii());
    }
});

/// The same request in bytes, where the parts are clean: nothing in them reads differently in a head, and no length or
/// coding is declared that might have been taken off already.
fn wire(parts: &Parts<'_>) -> Option<Vec<u8>> {
    let Target::Raw(target) = parts.target else { return None };
    let about_body = ["content-length", "content-encoding", "transfer-encoding"];
    let declares = |name: &[u8]| about_body.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    if !parts.body.is_empty() && parts.headers.iter().any(|(name, _)| declares(name)) {
        return None;
    }
    let is_token = |text: &[u8]| {
        !text.is_empty() && text.iter().all(|&b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let is_value = |text: &[u8]| text.trim_ascii() == text && !text.iter().any(|b| matches!(b, b'\r' | b'\n'));
    let is_target = |text: &[u8]| !text.is_empty() && !text.iter().any(|b| matches!(b, b' ' | b'\r' | b'\n'));
    // Parts may come with the chunks already joined, bytes may not.
    let is_coding = |name: &[u8]| name.eq_ignore_ascii_case(b"transfer-encoding");
    // HTTP/2 cuts Cookie into many, so parts join them; in bytes a second one is a duplicate.
    let cookies = parts.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(b"cookie")).count();
    let clean = is_token(parts.method)
        && cookies <= 1
        && is_target(target)
        && parts.headers.iter().all(|(name, value)| is_token(name) && is_value(value) && !is_coding(name));
    clean.then(|| {
        let mut raw = [parts.method, b" ", target, b" HTTP/1.1\r\n"].concat();
        for (name, value) in parts.headers {
            raw.extend([name, &b": "[..], value, b"\r\n"].concat());
        }
        raw.extend(b"\r\n");
        raw.extend(parts.body);
        raw
    })
}

impl<'a> Method<'a> {
    fn bytes(&self) -> &'a [u8] {
        match self {
            Method::Get => b"GET",
            Method::Post => b"POST",
            Method::Connect => b"CONNECT",
            Method::Options => b"OPTIONS",
            Method::Other(method) => method,
        }
    }
}

impl<'a> Scheme<'a> {
    fn bytes(&self) -> &'a [u8] {
        match self {
            Scheme::None => b"",
            Scheme::Http => b"http",
            Scheme::Https => b"https",
            Scheme::Other(scheme) => scheme,
        }
    }
}

impl<'a> Name<'a> {
    fn bytes(&self) -> &'a [u8] {
        match self {
            Name::Host => b"Host",
            Name::Cookie => b"Cookie",
            Name::Authorization => b"Authorization",
            Name::UserAgent => b"User-Agent",
            Name::ContentType => b"Content-Type",
            Name::ContentLength => b"Content-Length",
            Name::TransferEncoding => b"Transfer-Encoding",
            Name::Referer => b"Referer",
            Name::Accept => b"Accept",
            Name::Other(name) => name,
        }
    }
}
