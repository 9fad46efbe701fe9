//! The laws: plain functions over anything that canonicalises, so that they can be tried on engines that break them.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tamiz::table::shapes::SHAPES;
use tamiz::{Body, Document, FLAGS, Framed, Parts, Target};

use crate::forgery::{self, Forgery, Meant, Value};
use crate::generator;
use crate::model::{Request, Written};
use crate::random::Rng;
use crate::secrets;
use crate::wire::Coding;

/// From a raw request to a document.
pub(crate) type Canon<'a> = dyn FnMut(&[u8]) -> String + 'a;

/// A [`Canon`] that can go to another thread.
pub(crate) type BoxedCanon = Box<dyn FnMut(&[u8]) -> String + Send>;

/// From nothing to a [`Canon`] of its own.
pub(crate) type Make<'a> = dyn Fn() -> BoxedCanon + Sync + 'a;

/// From a stream, and the places where its pieces end, to the documents of its requests.
pub(crate) type Split<'a> = dyn FnMut(&[u8], &[usize]) -> Vec<String> + 'a;

/// What was seen that a law forbids.
pub(crate) struct Violation {
    /// Violations of one kind have one cause, as far as we can tell.
    pub(crate) kind: String,
    pub(crate) message: String,
}

pub(crate) type Verdict = Result<(), Violation>;

fn violation(kind: &str, message: String) -> Verdict {
    Err(Violation { kind: kind.to_owned(), message })
}

/// A request as a Rust byte string, to be pasted into a test.
fn shown(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

/// Reading a document and writing it again gives the same bytes.
pub(crate) fn document_is_fixed_point(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    let request = generator::hostile(rng);
    fixed_point_of(canon, &request)
}

fn fixed_point_of(canon: &mut Canon<'_>, request: &[u8]) -> Verdict {
    let Some(reason) = no_fixed_point(&canon(request)) else { return Ok(()) };
    let smallest = shrunk(request, &mut |request| no_fixed_point(&canon(request)).as_ref() == Some(&reason));
    violation(&reason, format!("{reason}\n{}\n{}", shown(&smallest), canon(&smallest)))
}

/// Why a text is not a document that is written as it was read. Without the place, which shrinking changes.
fn no_fixed_point(document: &str) -> Option<String> {
    let parsed = match Document::parse(document) {
        Ok(parsed) => parsed,
        Err(error) => return Some(format!("no document: {}", error.reason())),
    };
    let mut again = String::new();
    parsed.write(&mut again);
    (again != document).then(|| "not a fixed point".to_owned())
}

/// Any bytes give a document.
pub(crate) fn function_is_total(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    let request = generator::hostile(rng);
    let mut panics = |request: &[u8]| catch_unwind(AssertUnwindSafe(|| canon(request))).is_err();
    if panics(&request) {
        let smallest = shrunk(&request, &mut panics);
        return violation("panic", format!("panics on {}", shown(&smallest)));
    }
    fixed_point_of(canon, &request)
}

/// The same request gives the same document: from a new engine, from one that has seen others, and in other threads.
pub(crate) fn documents_are_determined(fresh: &Make<'_>, copy: &Make<'_>, batch: usize, rng: &mut Rng) -> Verdict {
    let requests: Vec<Vec<u8>> = (0..batch).map(|_| generator::hostile(rng)).collect();
    let documents: Vec<String> = requests.iter().map(|request| fresh()(request)).collect();
    let differs = |whose: &str, at: usize, other: &str| {
        violation(whose, format!("{whose}: {}\n{}---\n{other}", shown(&requests[at]), documents[at]))
    };
    let mut reused = fresh();
    // Twice over, and backwards the second time: what stands before a request must not matter.
    for at in (0..batch).chain((0..batch).rev()) {
        let other = reused(&requests[at]);
        if other != documents[at] {
            return differs("a reused engine", at, &other);
        }
    }
    let found = std::thread::scope(|scope| {
        let run = |first: usize| {
            let mut canon = copy();
            let (requests, documents) = (&requests, &documents);
            scope.spawn(move || {
                let mut order = (first..batch).chain(0..first);
                order.find_map(|at| Some((at, canon(&requests[at]))).filter(|(at, other)| *other != documents[*at]))
            })
        };
        let threads: Vec<_> = (0..4).map(|n| run(n * batch / 4)).collect();
        threads.into_iter().find_map(|thread| thread.join().unwrap_or_default())
    });
    match found {
        Some((at, other)) => differs("another thread", at, &other),
        None => Ok(()),
    }
}

/// Another secret of the same form changes nothing, and nothing of a secret is in the document.
pub(crate) fn secrets_do_not_interfere(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    let case = secrets::case(rng);
    let (before, after) = (case.before(), case.after());
    let (document, rotated) = (canon(&before), canon(&after));
    if document != rotated {
        let message = format!("{}\n{}\n{}\n{document}---\n{rotated}", case.slot, shown(&before), shown(&after));
        return violation(case.slot, message);
    }
    let lower = document.to_lowercase();
    match case.canaries().iter().find(|canary| lower.contains(*canary)) {
        Some(canary) => violation(case.slot, format!("{}: {canary} of {}\n{document}", case.slot, shown(&before))),
        None => Ok(()),
    }
}

/// Messages for people show nothing of a request. `messages` gets a request with secrets, and a secret by itself.
pub(crate) fn messages_are_silent(messages: &mut dyn FnMut(&[u8], &str) -> String, rng: &mut Rng) -> Verdict {
    let case = secrets::case(rng);
    let request = case.before();
    let canaries = case.canaries();
    let Some(secret) = canaries.first() else { return Ok(()) };
    let said = messages(&request, secret).to_lowercase();
    match canaries.iter().find(|canary| said.contains(*canary)) {
        Some(canary) => violation("message", format!("{canary} of {} in\n{said}", shown(&request))),
        None => Ok(()),
    }
}

/// A request written in another way gives the same document, apart from the flags that say so.
pub(crate) fn clothes_do_not_matter(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    let mut request = Request::ordinary(rng);
    // A body that is written in another way has another length; chunks have none.
    request.chunked = true;
    let (plain, other) = (request.plain().wire(), request.reencoded(rng).wire());
    let (document, reencoded) = (undressed(&canon(&plain)), undressed(&canon(&other)));
    if document == reencoded {
        return Ok(());
    }
    let differing = document.lines().zip(reencoded.lines()).find(|(a, b)| a != b).map_or("", |(line, _)| line);
    let kind = differing.split_once(':').map_or("", |(kind, _)| kind);
    violation(kind, format!("{}\n{}\n{document}---\n{reencoded}", shown(&plain), shown(&other)))
}

/// A document without the flags that name a re-encoding. Requests of the model have no text that looks like one.
fn undressed(document: &str) -> String {
    // White space around `chunked` is a way to smuggle, and said as such.
    const NAMES: [&str; 4] = ["WSPAD", "PCTUNRES", "JSONESC", "TEBAD"];
    let mut out = String::new();
    for line in document.lines() {
        if let Some(flags) = line.strip_prefix("FLAGS:[").and_then(|rest| rest.strip_suffix(']')) {
            let rest: Vec<&str> = flags.split(' ').filter(|flag| !NAMES.contains(flag)).collect();
            if !rest.is_empty() {
                let _ = writeln!(out, "FLAGS:[{}]", rest.join(" "));
            }
            continue;
        }
        let line = NAMES.iter().fold(line.to_owned(), |line, name| line.replace(&format!(" [{name}]"), ""));
        let _ = writeln!(out, "{line}");
    }
    out
}

/// Nothing in a request makes a line, a flag or a placeholder. For the default configuration.
pub(crate) fn nothing_is_forged(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    let forgery = forgery::forgery(rng);
    let document = canon(&forgery.request);
    let Some(reason) = forged(&document, &forgery) else { return Ok(()) };
    violation(&reason, format!("{reason}\n{}\n{document}", shown(&forgery.request)))
}

fn forged(document: &str, forgery: &Forgery) -> Option<String> {
    // First without the parser, which comes from the same hands as the engine.
    if let Some(c) = document.chars().find(|&c| is_hidden(c)) {
        return Some(format!("a hidden character: {c:?}"));
    }
    let mut places = document.lines().map(|line| LINES.iter().position(|begin| line.starts_with(begin)));
    let mut last = 0;
    if !places.all(|place| place.is_some_and(|place| place >= std::mem::replace(&mut last, place))) {
        return Some("a line out of order".to_owned());
    }
    let count = |begin: &str| document.lines().filter(|line| line.starts_with(begin)).count();
    if ["M:", "U:", "P:", "Q:", "B:", "FLAGS:", "HCNT:"].iter().any(|begin| count(begin) > 1) || count("HCNT:") != 1 {
        return Some("a line twice".to_owned());
    }
    if count("H:") != forgery.header_lines {
        return Some("another number of headers".to_owned());
    }
    let parsed = match Document::parse(document) {
        Ok(parsed) => parsed,
        Err(error) => return Some(format!("no document: {}", error.reason())),
    };
    if parsed.query().map(<[_]>::len) != forgery.pairs {
        return Some("another number of pairs".to_owned());
    }
    if parsed.headers().iter().any(|header| header.name == "forged") {
        return Some("a forged line".to_owned());
    }
    let forged_body = match (parsed.body(), &forgery.body) {
        (None, None) => None,
        (Some(body), Some(meant)) => forged_in_body(body, meant),
        _ => Some("a forged body".to_owned()),
    };
    if forged_body.is_some() {
        return forged_body;
    }
    let name = |flag: &str| flag.split_once(':').map_or(flag, |(name, _)| name).to_owned();
    for flag in parsed.flags() {
        let known = FLAGS.iter().any(|row| row.name == name(flag));
        if !known || forgery::UNEARNED.contains(&name(flag).as_str()) {
            return Some(format!("a forged flag: {}", name(flag)));
        }
    }
    for (_, flags) in parsed.local() {
        if let Some(flag) = flags.iter().find(|flag| !parsed.flags().contains(flag)) {
            return Some(format!("a local flag that is not in the roll-up: {}", name(flag)));
        }
    }
    if has_foreign_placeholder(document) && !parsed.flags().contains(&"PREREDACTED") {
        return Some("a forged placeholder".to_owned());
    }
    None
}

/// Why a body does not say what it was meant to say.
fn forged_in_body(body: &Body<'_>, meant: &Meant) -> Option<String> {
    let pairs = body.pairs().unwrap_or_default();
    if body.kind() != meant.kind || pairs.len() != meant.fields.len() {
        return Some(format!("another number of fields: {}", meant.kind));
    }
    let (operations, depth) = match body {
        Body::Json { graphql: Some(graphql), .. } => (graphql.operations.as_slice(), graphql.depth),
        &Body::Xml { depth, .. } => (&[][..], depth),
        _ => (&[][..], 0),
    };
    if operations != meant.operations || depth != meant.depth {
        return Some(format!("other operations, or another depth: {}", meant.kind));
    }
    for (pair, field) in pairs.iter().zip(&meant.fields) {
        let count = |wanted: &str| pair.key.matches(wanted).count();
        let (dots, arrays) = field.joints.unwrap_or((count("."), 0));
        let brackets = field.joints.is_none() || (count("[]"), count("[")) == (arrays, arrays);
        if count(".") != dots || !brackets {
            return Some(format!("another path: {}", meant.kind));
        }
        if !pair.value.is_some_and(|value| is_meant(value, &field.value)) {
            return Some(format!("another value: {}", meant.kind));
        }
    }
    None
}

fn is_meant(value: &str, meant: &Value) -> bool {
    /// Placeholders that no text has.
    const OTHERS: &[&str] = &["<bool", "<null", "<array:", "<object:", "<graphql:", "<file:", "<element:"];
    match meant {
        // A payload may make its name a sensitive one.
        Value::Is(wanted) => value == wanted || value.strip_prefix("<SECRET:") == wanted.strip_prefix('<'),
        Value::Text => {
            value.starts_with('<') && value.ends_with('>') && !OTHERS.iter().any(|other| value.starts_with(other))
        }
        Value::File(len) => {
            value.starts_with("<file:") && value.ends_with(&format!(":{len}>")) && value.matches(':').count() == 2
        }
        Value::Typed(inner) => {
            // A text may be a placeholder of its own with such a colon in it.
            let mut colons = value.match_indices(">:");
            colons.any(|(at, _)| is_meant(&value[..=at], inner) && at + 2 < value.len())
        }
    }
}

/// How lines begin, in their order. `QK:` and `H:` may come again.
const LINES: &[&str] = &["M:", "U:", "P:", "Q:", "KEYS_SORTED:", "QK:", "B:", "FLAGS:[", "H:", "HCNT:"];

fn is_hidden(c: char) -> bool {
    let format = matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
        || c == '\u{FEFF}';
    (c.is_control() && c != '\n') || (c.is_whitespace() && !matches!(c, ' ' | '\n')) || format
}

/// Whether a document has a placeholder of a length that its request has not.
fn has_foreign_placeholder(document: &str) -> bool {
    document
        .match_indices('<')
        .any(|(at, _)| placeholder_length(&document[at + 1..]).is_some_and(|len| len >= forgery::TOO_LONG))
}

/// The length in a placeholder whose `<` was read. The grammar is written down here a second time, on purpose.
fn placeholder_length(text: &str) -> Option<u64> {
    let (text, secret) = text.strip_prefix("SECRET:").map_or((text, false), |rest| (rest, true));
    let (word, rest) = text.split_once(':')?;
    let shape = SHAPES.iter().any(|shape| shape.name() == word);
    let scheme = secret && ["bearer", "basic", "digest", "other"].contains(&word);
    if !shape && !scheme && (secret || word != "len") {
        return None;
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, mut rest) = rest.split_at(digits);
    if number.len() > 7 {
        return None;
    }
    if word != "len"
        && let Some(label) = rest.strip_prefix('@')
    {
        let end = label[1..].find(|c: char| !c.is_ascii_digit() && c != '-')? + 1;
        rest = &label[end..];
    }
    if !secret && word != "len" {
        rest = rest
            .strip_prefix(" rand")
            .map_or(rest, |bits| bits.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    }
    rest.starts_with('>').then(|| number.parse().ok())?
}

/// A clean request given as parts gives the document of the same request in bytes.
pub(crate) fn parts_are_the_whole(
    raw: &mut Canon<'_>,
    parts: &mut dyn FnMut(&Parts<'_>) -> String,
    rng: &mut Rng,
) -> Verdict {
    let request = Request::ordinary(rng);
    let (mut written, coding) = (request.plain(), request.coding);
    let special = rng.below(20);
    let is_host = |name: &[u8]| name.eq_ignore_ascii_case(b"host");
    if special == 0 {
        (written.method, written.target) = ("OPTIONS", b"*".to_vec());
    } else if special == 1 {
        (written.method, written.target) = ("CONNECT", b"ex.com:443".to_vec());
        written.headers.retain(|(name, _)| !is_host(name));
    }
    let document = raw(&written.wire());
    let split = rng.one_in(2);
    let mut authority: &[u8] = if special == 1 { &written.target } else { b"" };
    let mut headers: Vec<(&[u8], &[u8])> = Vec::new();
    for (name, value) in &written.headers {
        let value = value.trim_ascii();
        if is_host(name) && split {
            authority = value;
        } else if name.eq_ignore_ascii_case(b"cookie") && rng.one_in(2) {
            // As HTTP/2 does it.
            headers.extend(value.split(|&b| b == b';').map(|cookie| (name.as_slice(), cookie.trim_ascii())));
        } else {
            headers.push((name, value));
        }
    }
    let target = match split {
        // HTTP/2 leaves scheme and path out of a CONNECT.
        true if special == 1 => Target::Split { scheme: b"", authority, path: b"" },
        true => Target::Split { scheme: rng.pick(&["", "http"]).as_bytes(), authority, path: &written.target },
        false => Target::Raw(&written.target),
    };
    // Whoever took the request apart may have undone its codings too. Not all of them can be seen to be undone, and
    // where nothing is left of a body nobody can see that there was one.
    let undone: &Vec<u8> = match coding {
        None | Some(Coding::Gzip | Coding::Zstd) if !written.content.is_empty() => &written.content,
        _ => &written.body,
    };
    let body = rng.pick(&[&written.sent, &written.body, undone]);
    let other = parts(&Parts { method: written.method.as_bytes(), target, headers: &headers, body });
    if other == document {
        return Ok(());
    }
    violation("parts", format!("split: {split}\n{}\n{document}---\n{other}", shown(&written.wire())))
}

/// A body in a content coding says what it says without.
pub(crate) fn codings_do_not_matter(canon: &mut Canon<'_>, rng: &mut Rng) -> Verdict {
    // Whether a body is unexpected is asked before its codings are undone, and a few line ends are none.
    let mut request = Request { method: "POST", chunked: true, ..Request::ordinary(rng) };
    let mut written = |coding| {
        request.coding = coding;
        request.plain().wire()
    };
    let (coded, plain) = (written(Some(*rng.pick(&Coding::ALL))), written(None));
    let (document, wanted) = (canon(&coded), canon(&plain));
    let body = |document: &str| document.lines().find(|line| line.starts_with("B:")).unwrap_or_default().to_owned();
    if body(&document) == body(&wanted) {
        return Ok(());
    }
    violation("coding", format!("{}\n{}\n{document}---\n{wanted}", shown(&coded), shown(&plain)))
}

/// A stream gives the documents of the requests that it was put together from, in whatever pieces it arrives.
pub(crate) fn streams_are_their_requests(
    split: &mut Split<'_>,
    one: &mut dyn FnMut(&Framed<'_>) -> String,
    rng: &mut Rng,
) -> Verdict {
    let requests: Vec<Written> = (0..rng.between(1, 4)).map(|_| Request::ordinary(rng).plain()).collect();
    let mut stream = Vec::new();
    let mut documents = Vec::new();
    for request in &requests {
        let head = request.head();
        documents.push(one(&Framed { head: &head, body: &request.body, truncated: false, bad_chunks: false }));
        stream.extend(rng.pick(&["", "", "\r\n", "\n"]).bytes());
        stream.extend(request.wire());
    }
    let cuts = cuts(stream.len(), rng);
    let found = split(&stream, &cuts);
    if found == documents {
        return Ok(());
    }
    violation(
        "stream",
        format!("{} cut at {cuts:?}\n{}---\n{}", shown(&stream), documents.join("\n"), found.join("\n")),
    )
}

/// Where a stream is cut does not matter, however hostile it is.
pub(crate) fn pieces_do_not_matter(split: &mut Split<'_>, rng: &mut Rng) -> Verdict {
    let mut stream = generator::hostile(rng);
    for _ in 0..rng.below(3) {
        stream.extend(generator::hostile(rng));
    }
    let cuts = cuts(stream.len(), rng);
    if split(&stream, &[]) == split(&stream, &cuts) {
        return Ok(());
    }
    // One cut is the simplest case of all.
    let mut differs = |stream: &[u8]| (1..stream.len()).find(|&at| split(stream, &[at]) != split(stream, &[]));
    let smallest = shrunk(&stream, &mut |stream| differs(stream).is_some());
    let at = differs(&smallest);
    let (whole, pieces) =
        (split(&smallest, &[]), split(&smallest, at.as_ref().map_or(cuts.as_slice(), std::slice::from_ref)));
    violation("pieces", format!("{} cut at {at:?}\n{}---\n{}", shown(&smallest), whole.join("\n"), pieces.join("\n")))
}

fn cuts(len: usize, rng: &mut Rng) -> Vec<usize> {
    let mut cuts: Vec<usize> = (0..rng.between(1, 6)).map(|_| rng.between(0, len)).collect();
    cuts.sort_unstable();
    cuts
}

/// A smaller input that still fails: pieces are taken out for as long as that works.
fn shrunk(input: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest = input.to_vec();
    let mut size = smallest.len() / 2;
    while size > 0 {
        let mut at = 0;
        let mut progress = false;
        while at < smallest.len() {
            let mut candidate = smallest.clone();
            candidate.drain(at..(at + size).min(smallest.len()));
            if fails(&candidate) {
                smallest = candidate;
                progress = true;
            } else {
                at += size;
            }
        }
        size = if progress { size } else { size / 2 };
    }
    smallest
}
