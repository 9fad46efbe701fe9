//! Canonicalisers that break one law each. A law that lets one of them pass proves nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamiz::{Engine, Framed, Next, Parts, Splitter, Target};

use crate::law::BoxedCanon;

/// The engine itself, with its document changed on the way out.
pub(crate) fn changed(change: impl Fn(&[u8], String) -> String) -> impl FnMut(&[u8]) -> String {
    let mut engine = Engine::default();
    move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        change(request, document)
    }
}

/// Changes the roll-up of a document; an empty one goes.
fn with_flags(document: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut change = Some(change);
    let mut out = String::new();
    for line in document.lines() {
        match line.strip_prefix("FLAGS:[").and_then(|rest| rest.strip_suffix(']')) {
            Some(flags) => {
                let mut flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
                if let Some(change) = change.take() {
                    change(&mut flags);
                }
                if !flags.is_empty() {
                    out.push_str(&format!("FLAGS:[{}]\n", flags.join(" ")));
                }
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

// Against the fixed point.

pub(crate) fn no_last_line_end(_: &[u8], document: String) -> String {
    document.trim_end().to_owned()
}

pub(crate) fn unsorted_flags(_: &[u8], document: String) -> String {
    with_flags(&document, |flags| flags.reverse())
}

pub(crate) fn miscounted(_: &[u8], document: String) -> String {
    document.replace("HCNT:3", "HCNT:4")
}

pub(crate) fn miscounts_fields(_: &[u8], document: String) -> String {
    document.replace("B:json 2 ", "B:json 3 ").replace("B:xml 2 ", "B:xml 3 ")
}

pub(crate) fn forgets_to_close_arrays(_: &[u8], document: String) -> String {
    document.replace("[].", "[.")
}

// Against totality.

/// # Panics
///
/// On NUL: that is the point.
pub(crate) fn panics_on_nul(request: &[u8], document: String) -> String {
    assert!(!request.contains(&0), "a deliberate panic");
    document
}

/// # Panics
///
/// On a few brackets in a row: that is the point.
pub(crate) fn panics_on_depth(request: &[u8], document: String) -> String {
    assert!(!request.windows(9).any(|window| window == b"[[[[[[[[["), "a deliberate panic");
    document
}

pub(crate) fn refuses_bad_utf8(request: &[u8], document: String) -> String {
    if std::str::from_utf8(request).is_ok() { document } else { String::new() }
}

// Against determinism.

/// Every engine counts its own requests, and says so now and then.
pub(crate) fn counts() -> BoxedCanon {
    let mut engine = Engine::default();
    let mut count = 0;
    Box::new(move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        count += 1;
        if count % 7 == 0 { document.replacen("M:", "M:7", 1) } else { document }
    })
}

/// Leaves something of a request behind for the next one.
pub(crate) fn remembers() -> BoxedCanon {
    let mut engine = Engine::default();
    let mut before = Vec::new();
    Box::new(move |request| {
        let mut document = String::new();
        let first = std::mem::replace(&mut before, request.to_vec());
        let stale = first.starts_with(b"PUT") && request.starts_with(b"GET");
        engine.canonicalize(if stale { &first } else { request }, &mut document);
        document
    })
}

/// Has the fields of the JSON before it, where the numbers of fields are the same.
pub(crate) fn keeps_fields() -> BoxedCanon {
    let mut engine = Engine::default();
    let mut before = String::new();
    Box::new(move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        let line = document.lines().find(|line| line.starts_with("B:json 1 ")).map(str::to_owned);
        if let Some(line) = line {
            let stale = std::mem::replace(&mut before, line.clone());
            if !stale.is_empty() {
                document = document.replacen(&line, &stale, 1);
            }
        }
        document
    })
}

/// A copy that is not one.
pub(crate) fn poor_copy() -> BoxedCanon {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let mut engine = Engine::default();
    Box::new(move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        if number % 4 == 3 { document.replace("M:GET", "M:get") } else { document }
    })
}

// Against non-interference.

/// Shows how the value of the first sensitive key begins.
pub(crate) fn leaks_a_value(request: &[u8], document: String) -> String {
    let text = String::from_utf8_lossy(request);
    let value = text.split("token=").nth(1).and_then(|value| value.get(..2)).unwrap_or_default();
    document.replacen("M:", &format!("M:{value}"), 1)
}

/// Shows how the first value of a JSON body begins that has a password.
pub(crate) fn leaks_from_json(request: &[u8], document: String) -> String {
    let text = String::from_utf8_lossy(request);
    let value = text.split("password\":\"").nth(1).and_then(|value| value.get(..2)).unwrap_or_default();
    document.replacen("M:", &format!("M:{value}"), 1)
}

/// Takes what follows the last dot of a file name for an extension, whatever it is.
pub(crate) fn leaks_from_file_names(request: &[u8], document: String) -> String {
    let text = String::from_utf8_lossy(request);
    let name = text.split("filename=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, extension)) => document.replace("<file:lowernum:", &format!("<file:{extension}:")),
        None => document,
    }
}

/// Shows names that are credentials, of XML alone.
pub(crate) fn leaks_from_xml(request: &[u8], document: String) -> String {
    let text = String::from_utf8_lossy(request);
    let name = text.split("<AKIA").nth(1).and_then(|rest| rest.get(..16)).unwrap_or_default();
    document.replace("<SECRET:uppernum:20>", &format!("AKIA{name}"))
}

/// Explains with a few more bytes than those that raised a flag.
pub(crate) fn explains_too_much() -> impl FnMut(&[u8]) -> String {
    let mut engine = Engine::default();
    move |request| {
        let explanation = engine.explain(request);
        let spans = explanation.findings.iter().filter_map(|finding| finding.span.clone());
        spans.map(|span| request[span.start..request.len().min(span.end + 6)].escape_ascii().to_string()).collect()
    }
}

/// Shows one bit of the whole request.
pub(crate) fn leaks_a_bit(request: &[u8], document: String) -> String {
    let sum = request.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    document.replacen("M:", &format!("M:{}", sum & 1), 1)
}

/// Shows user agents as they came, from a cache with too poor a key: rotating the secret alone does not find it.
pub(crate) fn leaks_from_a_cache() -> impl Fn(&[u8], String) -> String {
    let cache: RefCell<HashMap<String, String>> = RefCell::default();
    move |request, document| {
        let text = String::from_utf8_lossy(request);
        let agent = text.split("User-Agent: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        match agent {
            Some(agent) => {
                let leaked = document.replacen("\nH:host", &format!("\nH:agent={agent}\nH:host"), 1);
                cache.borrow_mut().entry(document).or_insert(leaked).clone()
            }
            None => document,
        }
    }
}

// Against the law on messages.

pub(crate) fn talks(request: &[u8]) -> String {
    format!("could not read {}", String::from_utf8_lossy(request))
}

// Against the law on clothes.

pub(crate) fn sees_the_length(request: &[u8], document: String) -> String {
    document.replacen("M:", &format!("M:{}", request.len() % 2), 1)
}

pub(crate) fn sees_the_order(request: &[u8], document: String) -> String {
    let lower = request.to_ascii_lowercase();
    let first = lower.split(|&b| b == b'\n').nth(1).is_some_and(|line| line.starts_with(b"host"));
    if first { document } else { document.replacen("M:", "M:x", 1) }
}

/// Does not decode one letter.
pub(crate) fn forgets_a_letter() -> impl FnMut(&[u8]) -> String {
    let mut inner = changed(|_, document| document);
    move |request| inner(String::from_utf8_lossy(request).replace("%61", "%2561").as_bytes())
}

/// Does not undo one escape of JSON.
pub(crate) fn forgets_an_escape_of_json() -> impl FnMut(&[u8]) -> String {
    let mut inner = changed(|_, document| document);
    move |request| inner(String::from_utf8_lossy(request).replace("\\u0061", "\\v0061").as_bytes())
}

/// Takes an empty element for another one than `<a/>`.
pub(crate) fn sees_empty_elements(request: &[u8], document: String) -> String {
    let closed = request.windows(2).any(|window| window == b"/>");
    if closed { document } else { document.replace("=<element:0>", "=<mixed:0>") }
}

// Against the law on forgery.

pub(crate) fn forgets_an_escape(_: &[u8], document: String) -> String {
    document.replace("%E2%80%A8", "\u{2028}")
}

pub(crate) fn lets_line_ends_through(_: &[u8], document: String) -> String {
    document.replace("%0A", "\n").replace("%0D", "")
}

pub(crate) fn lets_brackets_through(_: &[u8], document: String) -> String {
    document.replace(" %5B", " [")
}

pub(crate) fn drops_a_flag(_: &[u8], document: String) -> String {
    with_flags(&document, |flags| flags.retain(|flag| flag != "ANGLE"))
}

pub(crate) fn hides_placeholders(_: &[u8], document: String) -> String {
    with_flags(&document, |flags| flags.retain(|flag| flag != "PREREDACTED")).replace(" [PREREDACTED]", "")
}

pub(crate) fn believes_flags(request: &[u8], document: String) -> String {
    if !request.windows(8).any(|window| window == b"[HTTP10]") {
        return document;
    }
    with_flags(&document, |flags| {
        flags.push("HTTP10".to_owned());
        flags.sort();
    })
}

/// A dot in a name is a path.
pub(crate) fn joins_names(_: &[u8], document: String) -> String {
    document.replace("%2E", ".")
}

/// A bracket in a name is an array.
pub(crate) fn opens_arrays(_: &[u8], document: String) -> String {
    document.replace("%5B]", "[]")
}

pub(crate) fn lets_fields_through(_: &[u8], document: String) -> String {
    document.replace("%26forged%3D<bool>", "&forged=<bool>").replace("%3D<bool>%26forged", "=<bool>&forged")
}

/// Takes a text for the placeholder that it spells.
pub(crate) fn believes_texts(request: &[u8], document: String) -> String {
    match request.windows(8).any(|window| window == b"\"<bool>\"") {
        true => document.replace("=<mixed:6>", "=<bool>"),
        false => document,
    }
}

pub(crate) fn believes_depths(_: &[u8], document: String) -> String {
    document.replace(" DEPTH:1 ", " DEPTH:7 ").replace(" DEPTH:2 ", " DEPTH:7 ")
}

// Against the law on parts.

pub(crate) fn forgets_the_authority(parts: &Parts<'_>) -> String {
    let target = match parts.target {
        Target::Split { scheme, path, .. } => Target::Split { scheme, authority: b"", path },
        raw @ Target::Raw(_) => raw,
    };
    let mut document = String::new();
    Engine::default().canonicalize_parts(&Parts { target, ..*parts }, &mut document);
    document
}

pub(crate) fn forgets_headers(parts: &Parts<'_>) -> String {
    let mut document = String::new();
    let headers = &parts.headers[..parts.headers.len().min(4)];
    Engine::default().canonicalize_parts(&Parts { headers, ..*parts }, &mut document);
    document
}

pub(crate) fn cuts_bodies(parts: &Parts<'_>) -> String {
    let mut document = String::new();
    let body = &parts.body[..parts.body.len().saturating_sub(8)];
    Engine::default().canonicalize_parts(&Parts { body, ..*parts }, &mut document);
    document
}

/// Believes that every body is still in its coding.
pub(crate) fn believes_codings(parts: &Parts<'_>) -> String {
    let mut document = String::new();
    let is_coded = parts.headers.iter().any(|(_, value)| matches!(*value, b"gzip" | b"zstd"));
    let magic: &[&[u8]] = &[b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];
    let undone = is_coded && !magic.iter().any(|magic| parts.body.starts_with(magic));
    Engine::default()
        .canonicalize_parts(&Parts { body: if undone { b"?" } else { parts.body }, ..*parts }, &mut document);
    document
}

// Against the law on codings.

/// Reads no body in a coding.
pub(crate) fn reads_no_codings() -> impl FnMut(&[u8]) -> String {
    let mut inner = changed(|_, document| document);
    move |request| inner(String::from_utf8_lossy(request).replace("Content-Encoding", "Content-Encodeng").as_bytes())
}

// Against the laws on streams.

/// Reads the chunks of a body as if they were its content.
pub(crate) fn leaves_chunks(framed: &Framed<'_>) -> String {
    let mut document = String::new();
    let chunked = String::from_utf8_lossy(framed.head).contains("chunked");
    let body = if chunked { [b"1\r\n", framed.body].concat() } else { framed.body.to_vec() };
    Engine::default().canonicalize_framed(&Framed { body: &body, ..*framed }, &mut document);
    document
}

/// Takes every piece for the last one.
pub(crate) fn impatient(stream: &[u8], cuts: &[usize]) -> Vec<String> {
    let mut documents = Vec::new();
    let mut from = 0;
    for &end in cuts.iter().chain([&stream.len()]) {
        let (mut splitter, mut rest) = (Splitter::new(), &stream[from..end]);
        loop {
            match splitter.next(rest, true) {
                Next::Request { framed, consumed, .. } => {
                    let mut document = String::new();
                    Engine::default().canonicalize_framed(&framed, &mut document);
                    documents.push(document);
                    rest = &rest[consumed..];
                }
                Next::Skipped { bytes } => rest = &rest[bytes..],
                Next::More | Next::End => break,
            }
        }
        from = end;
    }
    documents
}
