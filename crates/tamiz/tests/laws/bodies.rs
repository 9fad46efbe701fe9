//! Hostile bodies: JSON, multipart, XML, forms and whatever else, valid and broken, in codings and chunks.

use crate::generator::{self, VALUES, mutate};
use crate::random::Rng;
use crate::wire::{COMPRESSED, Coding, chunked};

/// What a body says, and the type that belongs to it.
struct Content {
    bytes: Vec<u8>,
    media_type: String,
}

/// The header fields of a body, the empty line, and the body itself.
pub(crate) fn body(rng: &mut Rng, end: &str) -> Vec<u8> {
    let mut content = content(rng);
    if rng.one_in(5) {
        mutate(&mut content.bytes, rng);
    }
    let mut fields = declared_type(content.media_type, rng);
    let bytes = code(content.bytes, &mut fields, rng);
    let sent = frame(bytes, &mut fields, rng);
    let mut out = Vec::new();
    rng.shuffle(&mut fields);
    for field in fields {
        out.extend(field.replace('\n', end).bytes());
        out.extend(end.bytes());
    }
    out.extend(end.bytes());
    out.extend(sent);
    out
}

fn content(rng: &mut Rng) -> Content {
    match rng.below(20) {
        0..=6 => json(rng),
        7..=10 => multipart(rng),
        11..=14 => xml(rng),
        15..=17 => {
            let end = rng.pick(&["", "", "", "\n", "\r\n"]);
            let bytes = [generator::pairs(rng), end.as_bytes().to_vec()].concat();
            Content { bytes, media_type: "application/x-www-form-urlencoded".to_owned() }
        }
        _ => raw(rng),
    }
}

/// The content-type fields: the one that fits, another one, none, or too many.
fn declared_type(fitting: String, rng: &mut Rng) -> Vec<String> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "application/json", "text/json; charset=utf-8", "application/problem+json", "application/x-ndjson",
        "application/json-seq", "APPLICATION/JSON", "application/xml", "text/xml", "application/soap+xml",
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
        "multipart/mixed; boundary=x", "text/plain", "application/octet-stream", "text/html", "image/png",
        "application/zip", "application/graphql", "", ";", "x", "text/plain, application/json", "<num:5>",
        "application/json\u{200B}", "a/b;boundary=x", "application/pdf",
    ];
    let name = generator::mostly("Content-Type", &["content-type", "Content-Type ", "Ｃontent-Type"], 20, rng);
    match rng.below(12) {
        0 => Vec::new(),
        1 => vec![format!("{name}: {}", rng.pick(OTHERS))],
        2 if rng.one_in(2) => vec![format!("{name}: {fitting}"), format!("{name}: {}", rng.pick(OTHERS))],
        _ => vec![format!("{name}: {fitting}")],
    }
}

/// The content in codings, or in what calls itself one.
fn code(content: Vec<u8>, fields: &mut Vec<String>, rng: &mut Rng) -> Vec<u8> {
    let mut coded = |names: &str| fields.push(format!("Content-Encoding: {names}"));
    match rng.below(24) {
        0 | 1 => {
            let coding = *rng.pick(&Coding::ALL);
            coded(rng.pick(&[coding.name(), coding.name(), &coding.name().to_uppercase(), "identity, "]));
            coding.apply(&content)
        }
        2 => {
            let (inner, outer) = (*rng.pick(&Coding::ALL), *rng.pick(&Coding::ALL));
            coded(&format!("{},{}", inner.name(), outer.name()));
            outer.apply(&inner.apply(&content))
        }
        3 => {
            let coding = *rng.pick(&Coding::ALL);
            coded(coding.name());
            let mut bytes = coding.apply(&content);
            mutate(&mut bytes, rng);
            bytes
        }
        4 => {
            let (name, bytes) = COMPRESSED[rng.below(COMPRESSED.len())];
            coded(name);
            bytes.to_vec()
        }
        5 => {
            coded(rng.pick(&[
                "gzip",
                "compress",
                "identity",
                "",
                ",",
                "br, br, br, br, br",
                "gzip;q=1",
                "x-gzip",
                "é",
            ]));
            content
        }
        6 => Coding::Gzip.apply(&content),
        _ => content,
    }
}

/// The body as it is sent: with its length, in chunks, or with something about it that two servers read differently.
fn frame(body: Vec<u8>, fields: &mut Vec<String>, rng: &mut Rng) -> Vec<u8> {
    let mut field = |name: &str, value: &str| fields.push(format!("{name}: {value}"));
    let length = body.len().to_string();
    match rng.below(12) {
        0..=4 => field("Content-Length", &length),
        5 | 6 => {
            field("Transfer-Encoding", "chunked");
            return chunked(&body, rng.between(1, 64));
        }
        7 => {
            field("Transfer-Encoding", "chunked");
            return bad_chunks(&body, rng);
        }
        8 => length_tricks(&length, &mut field, rng),
        9 => {
            transfer_tricks(&mut field, rng);
            if rng.one_in(2) {
                return chunked(&body, rng.between(1, 64));
            }
        }
        10 => {
            field("Content-Length", &length);
            field("Transfer-Encoding", "chunked");
            if rng.one_in(2) {
                return chunked(&body, rng.between(1, 64));
            }
        }
        _ => {}
    }
    body
}

fn length_tricks(length: &str, field: &mut impl FnMut(&str, &str), rng: &mut Rng) {
    let name =
        rng.pick(&["Content-Length", "Content-Length ", "content_length", "Content-Length\t", "Ｃontent-Length"]);
    #[rustfmt::skip]
    const VALUES: &[&str] = &[
        "+L", "-L", "0xL", "L,L", "L, 0", "L L", "", "00L", "L.0", "1_0", "٣", "LL", "0", "1", "L\0", "L;x", "Le0",
        "99999999999999999999", "0000000000000000000001", "\"L\"", "L\n ", " \n L", "L\u{B}", "L\t",
    ];
    field(name, &rng.pick(VALUES).replace('L', length));
    if rng.one_in(4) {
        field("Content-Length", if rng.one_in(2) { length } else { "7" });
    }
}

fn transfer_tricks(field: &mut impl FnMut(&str, &str), rng: &mut Rng) {
    #[rustfmt::skip]
    const VALUES: &[&str] = &[
        "Chunked", "xchunked", "chunkedx", "chunked, identity", "identity, chunked", "gzip, chunked", "\u{B}chunked",
        " chunked", "chunked ", "chunked;q=1", "\"chunked\"", "", "identity", "chunked,", "chunked\n x", "\n chunked",
        "chunke\u{200B}d", "chunked\0", ",chunked", "chunked, chunked", "cow",
    ];
    let name = rng.pick(&["Transfer-Encoding", "Transfer-Encoding", "Transfer-Encoding ", "Transfer_Encoding"]);
    field(name, rng.pick(VALUES));
    if rng.one_in(4) {
        field("Transfer-Encoding", rng.pick(&["chunked", "identity"]));
    }
}

fn bad_chunks(body: &[u8], rng: &mut Rng) -> Vec<u8> {
    let size = rng.between(1, body.len().max(1));
    let mut bytes = chunked(body, size);
    let first = |text: &str| [text.as_bytes(), &bytes].concat();
    match rng.below(10) {
        0 => bytes = first(rng.pick(&["0x", " ", "+", "-", "\r\n", "\n", "0", "00000000"])),
        1 => bytes = first("1;x\r\n"),
        2 => {
            let extension =
                rng.pick(&[";x", ";x=y", ";x=\"a b\"", " ;x", ";", "; x", ";=", "\t", " x", ";x=\"", ";\0"]);
            bytes = first(&format!("1{extension}\r\n \r\n"));
        }
        3 => bytes.extend(rng.pick(&["x", "GET / HTTP/1.1\r\n\r\n", "\r\n", "\n\n", "0\r\n\r\n"]).bytes()),
        4 => bytes.truncate(rng.between(0, bytes.len())),
        5 => {
            bytes.truncate(bytes.len() - 2);
            bytes
                .extend(rng.pick(&["X: y\r\n\r\n", "X\r\n\r\n", "X: y\n\n", "Authorization: x\r\n\r\n", "\n"]).bytes());
        }
        6 => bytes.retain(|&b| b != b'\r'),
        7 => mutate(&mut bytes, rng),
        8 => bytes = first("fffffffff\r\n"),
        _ => bytes = body.to_vec(),
    }
    bytes
}

// JSON.

/// Names as they stand between quotes.
#[rustfmt::skip]
const JSON_NAMES: &[&str] = &[
    "a", "b", "id", "user", "items", "query", "variables", "password", "pass\\u0077ord", "\\u0070wd", "ｐassword",
    "pаssword", "tok\\u200ben", "apiKey", "a.b", ".", "a[0]", "[]", "[", "", " ", "a b", "a=b", "a&b", "a,b",
    "a;b|c#d", "<bool>", "<null>", "<num:5>", "<object:3>", "@id", "é", "\\u00e9", "e\\u0301", "ﬁ", "\\ud83d\\ude00",
    "\\ud800", "\\u0000", "\\n", "\\u2028", "\u{2028}", "\u{200B}", "{", "\\\"", "'", "\\\\", "%41", "%2E", "KEYS:a",
    " GRAPHQL:query DEPTH:1", "[ANGLE]", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJub25lIn0.e30.c2ln", "token=abc", "a\tb",
    "αb", "日本", "Ⅳ", "q\\u0075ery",
];

/// Strings as they stand between quotes. The last ones are GraphQL, or nearly.
#[rustfmt::skip]
const JSON_STRINGS: &[&str] = &[
    "", "abc", "12345", "hunter2", "\\u0061bc", "\\u00e9", "\\uD83D\\uDE00", "\\uD800", "\\uDC00x", "\\uD800\\uD800",
    "\\ud83d\\u0041", "\\u12", "\\uzzzz", "\\x", "\\", "\\/", "\\b\\f\\n\\r\\t", "\\\"", "a\nb", "a\tb", "\0",
    "\\u0000", "it's", "<script>alert(1)</script>", "../../etc/passwd", "1 OR 1=1 --", "/* x */", "${jndi:ldap://x}",
    "`id`", "a|b", "<num:5>", "<bool>", "<SECRET:num:5>", "\\u003cnum:5>", "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJub25lIn0.e30.c2ln", "see eyJhbGciOiJub25lIn0.e30.c2ln there", "é", "Ａ", "pаy", "\u{200B}", "\u{2028}",
    "😀", "bob@ex.com", "%41%00", "&lt;", "{\\\"password\\\":\\\"x\\\"}", "{ a }", "query { a }",
    "query A { a(b: \\\"c\\\") { d } } mutation B { e }", "fragment F on T { a } { ...F }",
    "subscription S($x: [Int!] = [1]) @d(e: {f: 1}) { g }", "{ a # 'c'\\n b }", "{ a(b: \\\"\\\"\\\"x\\\"\\\"\\\") }",
    "query{a{b{c{d{e}}}}}", "{ a", "query A", "{ a } }", "mutation { \\u200b }", "query AKIAIOSFODNN7EXAMPLE { a }",
    "query { a(t: \\\"AKIAIOSFODNN7EXAMPLE\\\") }", "{", "{}", "type A { b }",
];

const GRAPHQL: usize = 17;

/// Scalars as they stand, most of them wrong.
#[rustfmt::skip]
const JSON_SCALARS: &[&str] = &[
    "0", "-1", "1.5e-3", "12345", "true", "false", "null", "01", "+1", ".5", "1.", "0x1F", "NaN", "-Infinity",
    "undefined", "True", "nul", "'single'", "'it\\'s'", "'open", "bare", "1_000", "\u{FF11}", "-", "1e999", "()",
    "`x`", "eyJhbGciOiJub25lIn0.e30.c2ln", "\"open", "é", "\\u0031", "<num:5>", "1//x\n", "/*x*/2", "#3", "\0",
];

#[rustfmt::skip]
const JSON_TOKENS: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "'", "//", "/*", "*/", "\n", "\\", "\\u", "null", "\"a\"", "\"a\":",
    "\u{FEFF}", "\x1e", "{}", "[]", ",,", "\"password\":", "1",
];

fn json(rng: &mut Rng) -> Content {
    let mut bytes = Vec::new();
    let lines = rng.one_in(12);
    if rng.one_in(25) {
        bytes.extend(rng.pick::<[u8]>(&[b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b" \xEF\xBB\xBF"]));
    }
    match rng.below(30) {
        // Deeper than any limit.
        0 => {
            let open = rng.pick(&["[", "{\"a\":", "[{\"a\":", "{\"password\":[", "{\"query\":"]);
            bytes.extend(open.repeat(rng.between(2, 80)).bytes());
            json_value(&mut bytes, 1, rng);
            bytes.extend(rng.pick(&["", "]", "}", "]]]]", "}]}]"]).bytes());
        }
        // More fields than a small limit.
        1 => {
            let count = rng.between(5, 60);
            let fields: Vec<String> = (0..count).map(|n| format!("\"k{}\":{n}", n % 50)).collect();
            bytes.extend(format!("{{{}}}", fields.join(",")).bytes());
        }
        2 | 3 => {
            let query = rng.pick(&JSON_STRINGS[JSON_STRINGS.len() - GRAPHQL..]);
            let rest = rng.pick(&["", ",\"variables\":{\"password\":\"x\",\"a\":1}", ",\"operationName\":\"A\""]);
            let one = format!("{{\"query\":\"{query}\"{rest}}}");
            bytes.extend(if rng.one_in(4) { format!("[{one},{one}]") } else { one }.bytes());
        }
        4 => json_scalar(&mut bytes, rng),
        _ => json_container(&mut bytes, rng.between(1, 4), rng),
    }
    if lines || rng.one_in(30) {
        bytes.extend(rng.pick(&["\n", "\n\x1e", " ", "\r\n"]).bytes());
        json_value(&mut bytes, 1, rng);
    }
    if rng.one_in(4) {
        change_tokens(&mut bytes, JSON_TOKENS, rng);
    }
    let media_type =
        if lines { rng.pick(&["application/x-ndjson", "application/json-seq"]) } else { "application/json" };
    Content { bytes, media_type: media_type.to_owned() }
}

/// Drops, doubles and inserts tokens.
fn change_tokens(bytes: &mut Vec<u8>, tokens: &[&str], rng: &mut Rng) {
    for _ in 0..rng.between(1, 3) {
        let at = rng.between(0, bytes.len());
        match rng.below(3) {
            0 => {
                let token = rng.pick(tokens).as_bytes();
                if let Some(found) = bytes[at..].windows(token.len()).position(|window| window == token) {
                    bytes.drain(at + found..at + found + token.len());
                }
            }
            1 => {
                let copy = bytes[at..(at + rng.below(12)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                bytes.splice(at..at, rng.pick(tokens).bytes());
            }
        }
    }
}

fn json_value(out: &mut Vec<u8>, depth: usize, rng: &mut Rng) {
    match rng.below(8) {
        0..=2 if depth > 0 => json_container(out, depth, rng),
        3 => json_scalar(out, rng),
        4 => out.extend(rng.pick(&JSON_SCALARS[..7]).bytes()),
        _ => json_string(out, JSON_STRINGS, rng),
    }
}

fn json_scalar(out: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(3) {
        0 => json_string(out, JSON_STRINGS, rng),
        _ => out.extend(rng.pick(JSON_SCALARS).bytes()),
    }
}

fn json_container(out: &mut Vec<u8>, depth: usize, rng: &mut Rng) {
    let object = !rng.one_in(3);
    let space = rng.pick(&["", "", "", " ", "\n  ", "\t"]);
    out.push(if object { b'{' } else { b'[' });
    for n in 0..rng.below(4) {
        out.extend(if n > 0 { "," } else { "" }.bytes());
        out.extend(space.bytes());
        if object {
            json_string(out, JSON_NAMES, rng);
            out.extend(format!(":{space}").bytes());
        }
        json_value(out, depth - 1, rng);
    }
    out.extend(space.bytes());
    out.push(if object { b'}' } else { b']' });
}

fn json_string(out: &mut Vec<u8>, list: &[&str], rng: &mut Rng) {
    let quote = generator::mostly("\"", &["'", ""], 40, rng);
    out.extend(quote.bytes());
    out.extend(rng.pick(list).bytes());
    if rng.one_in(12) {
        out.extend(rng.pick(list).bytes());
    }
    if rng.one_in(300) {
        out.extend("x".repeat(1100).bytes());
    }
    if rng.one_in(40) {
        out.push(rng.byte() | 0x80);
    }
    out.extend(quote.bytes());
}

// Multipart.

#[rustfmt::skip]
const PART_NAMES: &[&str] = &[
    "a", "b", "a", "file", "user[password]", "token", "ＰＷＤ", "pаss", "a b", "", "[]", "[a", "a;b", "a=b", "a&b", "é",
    "<num:5>", "<file:png:1>", "a\\\"b", "a\\", "%22", "a\0b", "\u{200B}", "\u{2028}", "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJub25lIn0.e30.c2ln", "{\"a\":1}", "token=abc", "..", "KEYS:a", " [ANGLE]", "\u{E9}\u{301}", "Ａ", "ﬁ",
];

#[rustfmt::skip]
const FILE_NAMES: &[&str] = &[
    "a.png", "a.PNG", "shell.php", "shell.php.png", "a.png.php", "a.php%00.png", "a.php\0.png", "../a.txt",
    "..\\a.txt", "C:\\x\\a.doc", "/etc/passwd", "", ".", "..", "a", ".htaccess", "a.", "a.php. ", "a.hunter2",
    "é.jpg", "a.jpg;b", "a\\\".png", "<script>.svg", "a.tar.gz", "a.b.c.d.exe", "\u{202E}gnp.exe", "a%2f..%2fb",
    "AKIAIOSFODNN7EXAMPLE.txt", "eyJhbGciOiJub25lIn0.e30.c2ln", "a.p\u{200B}hp", "a.ｐhp", "a b.pdf", "x.<num:5>",
    "none.none", "x.lower",
];

#[rustfmt::skip]
const PART_TYPES: &[&str] = &[
    "text/plain", "image/png", "application/octet-stream", "TEXT/HTML; charset=utf-8", "image/png ", "", "x", "a/b/c",
    "image/<x>", "application/AKIAIOSFODNN7EXAMPLE", "<num:5>", "text/plain&b=<num:1>", "image/png [ANGLE]", "é/é",
    "a/b,c/d", "multipart/mixed; boundary=y", "text/eyJhbGciOiJub25lIn0.e30.c2ln",
];

/// How files and bodies begin that are not what they seem.
#[rustfmt::skip]
const MAGICS: &[&[u8]] = &[
    b"\x7fELF\x02\x01\x01", b"MZ\x90\0", b"PK\x03\x04\x14", b"\xca\xfe\xba\xbe\0\0", b"\xac\xed\x00\x05sr",
    b"#!/bin/sh\n", b"\x1f\x8b\x08\x00", b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n\0", b"\xff\xd8\xff\xe0", b"GIF89a\x01",
    b"<?php echo 1;", b"GIF89a<?PHP x", b"<?= 1 ?>", b"<?xml version='1.0'?><a/>", b"{\"a\":1}", b"[1]", b"a=1&b=2",
    b"--x\nContent-Disposition: a", b"<html></html>", b"<!DOCTYPE html>", b"hello, world",
];

fn multipart(rng: &mut Rng) -> Content {
    let boundary = match rng.below(12) {
        0 => rng.pick(&["", "it's", "a b", "é", "x ", "\"", "<num:5>", "a;b", "--", "\u{200B}"]).to_owned(),
        1 => "b".repeat(rng.between(60, 80)),
        2 => "----WebKitFormBoundaryAbC123xyz".to_owned(),
        _ => "x".to_owned(),
    };
    let end = rng.pick(&["\r\n", "\r\n", "\r\n", "\r\n", "\n"]);
    let mut bytes = Vec::new();
    if rng.one_in(20) {
        bytes.extend(rng.pick(&["preamble", "\r\n", "--", " "]).bytes());
        bytes.extend(end.bytes());
    }
    let many = if rng.one_in(40) { 30 } else { 0 };
    for _ in 0..rng.below(4) + many {
        bytes.extend(delimiter(&boundary, end, rng).bytes());
        part(&mut bytes, end, rng);
        bytes.extend(generator::mostly(end, &["\n", "", "\r"], 20, rng).bytes());
    }
    bytes.extend(format!("--{boundary}").bytes());
    bytes.extend(generator::mostly("--\r\n", &["--", "", "-", "-- ", "--x", "--\n", "\r\n"], 6, rng).bytes());
    if rng.one_in(20) {
        bytes.extend(rng.pick(&["epilogue", "\r\n\r\n", "--x\r\n", "\0"]).bytes());
    }
    let parameter = match rng.below(12) {
        0 => String::new(),
        1 => format!("; boundary={boundary}; boundary=y"),
        2 => format!(";BOUNDARY=\"{boundary}\""),
        3 => format!("; boundary=\"{boundary}"),
        4 => "; boundary=y".to_owned(),
        5 => format!("; charset=utf-8;boundary = {boundary}"),
        _ => format!("; boundary={boundary}"),
    };
    Content { bytes, media_type: format!("multipart/form-data{parameter}") }
}

fn delimiter(boundary: &str, end: &str, rng: &mut Rng) -> String {
    match rng.below(20) {
        0 => format!("--{boundary} \t{end}"),
        1 => format!("--{boundary}{}", if end == "\n" { "\r\n" } else { "\n" }),
        2 => format!("--{boundary}y{end}"),
        3 => format!(" --{boundary}{end}"),
        4 => format!("--{boundary}--{end}"),
        _ => format!("--{boundary}{end}"),
    }
}

fn part(out: &mut Vec<u8>, end: &str, rng: &mut Rng) {
    let file = rng.one_in(2);
    let mut headers = vec![disposition(file, end, rng)];
    if rng.one_in(if file { 2 } else { 8 }) {
        headers.push(format!("Content-Type: {}", rng.pick(PART_TYPES)));
    }
    match rng.below(16) {
        0 => headers.push("Content-Transfer-Encoding: base64".to_owned()),
        1 => headers.push(
            rng.pick(&["X-Odd: 'x'", "no colon", "X-Token: abc", ": x", " folded", "Content-Type : a/b"]).to_owned(),
        ),
        2 => headers.push(headers[rng.below(headers.len())].clone()),
        3 => headers.clear(),
        4 => headers.push(format!("Content-Type: text/plain;{end} charset=x")),
        _ => {}
    }
    rng.shuffle(&mut headers);
    for header in headers {
        out.extend(header.bytes());
        out.extend(end.bytes());
    }
    out.extend(generator::mostly(end, &["", "\n", " \r\n"], 20, rng).bytes());
    match rng.below(if file { 2 } else { 8 }) {
        0 => out.extend(MAGICS[rng.below(MAGICS.len())]),
        _ => out.extend(rng.pick(VALUES).bytes()),
    }
}

fn disposition(file: bool, end: &str, rng: &mut Rng) -> String {
    let mut out =
        generator::mostly("Content-Disposition: ", &["content-disposition:", "CONTENT-DISPOSITION : "], 10, rng)
            .to_owned();
    out.push_str(generator::mostly("form-data", &["FORM-DATA", "attachment", "", "form-data;;"], 16, rng));
    let name = rng.pick(PART_NAMES);
    match rng.below(16) {
        0 => out.push_str(&format!(";name={name}")),
        1 => out.push_str(&format!("; name='{name}'")),
        2 => out.push_str(&format!("; name=\"{name}")),
        3 => out.push_str(&format!(";{end} name=\"{name}\"")),
        4 => out.push_str(&format!("; name=\"{name}\"; name=b")),
        5 => out.push_str("; x=\"y'\""),
        _ => out.push_str(&format!("; name=\"{name}\"")),
    }
    if file {
        let name = rng.pick(FILE_NAMES);
        match rng.below(10) {
            0 => out.push_str(&format!("; filename={name}")),
            1 => out.push_str(&format!("; filename*=UTF-8''{name}")),
            2 => out.push_str(&format!("; filename=\"a.txt\"; filename=\"{name}\"; filename*=utf-8''b.php")),
            _ => out.push_str(&format!("; filename=\"{name}\"")),
        }
    }
    out
}

// XML.

#[rustfmt::skip]
const XML_NAMES: &[&str] = &[
    "a", "b", "item", "user", "password", "wsse:Password", "ns:a", "xi:include", "p:token", "ＰＷＤ", "pаss", "a.b",
    "a-b", "_x", ":a", "é", "e\u{301}", "a[0]", "a&b", "a,b", "a;b", "@id", "a\u{200B}", "\u{2028}a", "a%41", "a{b}",
    "日本", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJub25lIn0.e30.c2ln", "script", "xmlns:x", "KEYS:a", "DEPTH:1", "a\0b",
];

#[rustfmt::skip]
const XML_TEXTS: &[&str] = &[
    "", " ", "\n  ", "abc", "12345", "hunter2", " x ", "&lt;", "&gt;&amp;&quot;&apos;", "&#39;", "&#x27;", "&#97;",
    "&#xe9;", "&xxe;", "&nbsp;", "&", "& ", "&;", "&#;", "&#xD800;", "&#0;", "&#x110000;", "&lt", "é", "Ａ", "pаy",
    "\u{200B}", "\u{2028}", "\0", "\u{1}", "it's", "a|b", "`id`", "${x}", "../../x", "1 -- ", "/*", "<num:5>",
    "<bool>", "]]>", ">", "<![CDATA[x]]>", "<![CDATA[<b>&lt;]]>", "<![CDATA[open", "<!-- c -->", "<!-- ' ", "<!---->",
    "<?pi x'?>", "<?open", "<?xml-stylesheet href=\"x\"?>", "<?xml version=\"1.0\"?>", "<!ENTITY x \"y\">", "<!x>",
    "<", "</", "</a>", "</b >", "< a>", "<1>", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJub25lIn0.e30.c2ln", "<a", "<a b",
    "<a b=", "<a b='", "<a/", "%41",
];

#[rustfmt::skip]
const XML_PROLOGS: &[&str] = &[
    "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-16'?>\n", "\u{FEFF}<?xml version=\"1.0\"?>",
    " <?xml ?>", "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">", "<!doctype html>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///x\"><!ENTITY % p 'q'> %p;]>",
    "<!DOCTYPE a [<!ENTITY l1 \"&l0;&l0;\">]>", "<!DOCTYPE a PUBLIC \"-//x\" 'y' [<!-- ]> -->]>", "<!DOCTYPE a [",
    "<!DOCTYPE", "<!-- c -->", "text", "<!DOCTYPE a [<!ATTLIST a b CDATA \"it's\">]>", "<!DOCTYPE SYSTEM>",
    "<!DOCTYPE a 'b>",
];

#[rustfmt::skip]
const XML_TOKENS: &[&str] = &[
    "<", ">", "</", "/>", "<!", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "=", "\"", "'", "&", ";", "<a>",
    "</a>", "a=", "<password>",
];

fn xml(rng: &mut Rng) -> Content {
    let mut bytes = Vec::new();
    for _ in 0..*rng.pick(&[&0, &0, &0, &1, &1, &2]) {
        bytes.extend(rng.pick(XML_PROLOGS).bytes());
    }
    match rng.below(30) {
        0 => {
            let count = rng.between(2, 80);
            let (open, close) =
                *rng.pick(&[&("<a>", "</a>"), &("<a b='c'>", "</a>"), &("<a><b/>", "</a>"), &("<a>x", "")]);
            bytes.extend(open.repeat(count).bytes());
            bytes.extend(rng.pick(XML_TEXTS).bytes());
            bytes.extend(close.repeat(rng.between(0, count)).bytes());
        }
        1 => {
            bytes.extend(b"<a>");
            bytes.extend("<b>1</b>".repeat(rng.between(5, 40)).bytes());
            bytes.extend(b"</a>");
        }
        2 => bytes.extend(rng.pick(XML_TEXTS).bytes()),
        _ => element(&mut bytes, rng.between(1, 4), rng),
    }
    if rng.one_in(20) {
        bytes.extend(rng.pick(&["\n", "x", "<a/>", "<!-- c -->", "</a>"]).bytes());
    }
    if rng.one_in(4) {
        change_tokens(&mut bytes, XML_TOKENS, rng);
    }
    let media_type = rng.pick(&["application/xml", "application/xml", "text/xml; charset=utf-8", "image/svg+xml"]);
    Content { bytes, media_type: media_type.to_owned() }
}

fn element(out: &mut Vec<u8>, depth: usize, rng: &mut Rng) {
    let name = rng.pick(XML_NAMES);
    out.extend(format!("<{name}").bytes());
    for _ in 0..*rng.pick(&[&0, &0, &0, &1, &1, &2, &3]) {
        attribute(out, rng);
    }
    if rng.one_in(6) {
        out.extend(rng.pick(&["/>", " />", "\n/>", "//>"]).bytes());
        return;
    }
    out.extend(generator::mostly(">", &[" >", "\n>", ""], 10, rng).bytes());
    for _ in 0..rng.below(4) {
        if depth > 1 && rng.one_in(2) {
            element(out, depth - 1, rng);
        } else {
            out.extend(rng.pick(XML_TEXTS).bytes());
        }
    }
    let other = rng.pick(XML_NAMES);
    out.extend(format!("</{}>", generator::mostly(name, &[other, "", " "], 15, rng)).bytes());
}

fn attribute(out: &mut Vec<u8>, rng: &mut Rng) {
    let (name, value) = (rng.pick(XML_NAMES), rng.pick(XML_TEXTS));
    let text = match rng.below(12) {
        0 => format!(" {name}='{value}'"),
        1 => format!(" {name}={value}"),
        2 => format!(" {name}"),
        3 => format!("{name}=\"{value}\""),
        4 => format!("\n{name} = \"{value}\""),
        5 => format!(" {name}=\"{value}"),
        _ => format!(" {name}=\"{}\"", value.replace(['<', '"'], "")),
    };
    out.extend(text.bytes());
}

// Anything else.

fn raw(rng: &mut Rng) -> Content {
    let mut bytes = MAGICS[rng.below(MAGICS.len())].to_vec();
    match rng.below(6) {
        0 => bytes = (0..rng.below(30)).map(|_| rng.byte()).collect(),
        1 => bytes = portable_executable(),
        2 => bytes.extend((0..rng.below(30)).map(|_| rng.byte())),
        3 => bytes.extend(rng.pick(VALUES).bytes()),
        _ => {}
    }
    let media_type = rng.pick(&["application/octet-stream", "text/plain", "image/png", "application/zip", "text/csv"]);
    Content { bytes, media_type: media_type.to_owned() }
}

/// A DOS header that leads to a PE header.
fn portable_executable() -> Vec<u8> {
    let mut bytes = b"MZ".to_vec();
    bytes.resize(0x3C, 0);
    bytes.extend([0x40, 0, 0, 0]);
    bytes.extend(b"PE\0\0");
    bytes
}
