//! Canonicalisers that break one law each. A law that lets one of them pass proves nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamiz::{Engine, Next, Parts, Splitter, Target};

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

// Against totality.

/// # Panics
///
/// On NUL: that is the point.
pub(crate) fn panics_on_nul(request: &[u8], document: String) -> String {
    assert!(!request.contains(&0), "a deliberate panic");
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

// Against the laws on streams.

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
