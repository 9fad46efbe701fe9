//! An honest request as a value, which can be written in many ways that mean the same.

use crate::random::Rng;
use crate::wire::Coding;

/// A request before anybody wrote it down. Texts are decoded.
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) host: &'static str,
    pub(crate) segments: Vec<String>,
    pub(crate) query: Option<Vec<Pair>>,
    /// Without Host, and without what the body needs.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Body,
    pub(crate) coding: Option<Coding>,
    pub(crate) chunked: bool,
}

pub(crate) type Pair = (String, Option<String>);

pub(crate) enum Body {
    None,
    Form(Vec<Pair>),
    Json(Json),
    Multipart(Vec<Part>),
    Xml(Element),
    Raw(Vec<u8>),
}

pub(crate) enum Json {
    /// A number, a boolean or null.
    Word(&'static str),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub(crate) struct Part {
    name: &'static str,
    file: Option<&'static str>,
    media_type: Option<&'static str>,
    content: &'static str,
}

pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    /// One text, or elements.
    text: String,
    children: Vec<Element>,
}

/// A request as it is sent, still in its parts.
pub(crate) struct Written {
    pub(crate) method: &'static str,
    pub(crate) target: Vec<u8>,
    /// All of them, Host included.
    pub(crate) headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body on the wire, without its transfer coding, and without its content coding.
    pub(crate) sent: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) content: Vec<u8>,
    line_end: &'static str,
}

impl Written {
    pub(crate) fn head(&self) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let mut out = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1", end].concat();
        for (name, value) in &self.headers {
            out.extend([name, b":".as_slice(), value, end].concat());
        }
        out.extend(end);
        out
    }

    pub(crate) fn wire(&self) -> Vec<u8> {
        [self.head(), self.sent.clone()].concat()
    }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "api", "v1", "users", "42", "index.html", "img_01.png", "x-y", "~bob", "café", "niño", "привет", "日本", "a b",
    "50%", "%41", "a/b", "x;y=1", "q&a", "&lt;", "C:\\x", "<b>", "it's", "\"q\"", "(1)", "{x}", "a|b", "$5", "`x`",
    "Ａ1", "ﬁn", "pаy", "a\u{200B}b", "nul\0", "tab\t", "line\nbreak", "\u{2028}", "#1", "who?", "a+b", "k=v", "..",
    ".", "...", "a,b", "[x]", "<num:5>", "deadbeef0123", "token", "2024-01-15", "bob@ex.com",
];

const KEYS: &[&str] =
    &["a", "b", "id", "q", "user", "page", "pass", "token", "items[]", "na me", "clé", "Ｋ", "x.y", "a-b", "k&", "<k>"];

#[rustfmt::skip]
const HEADERS: &[(&str, &[&str])] = &[
    (
        "User-Agent",
        &["Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "curl/8.5.0", "x (<b>)"],
    ),
    ("Accept", &["text/html, application/json;q=0.9, */*;q=0.8", "*/*", "image/webp"]),
    ("Accept-Language", &["en-US,en;q=0.5", "es-mx"]),
    ("Accept-Encoding", &["gzip, deflate, br", "identity;q=0"]),
    ("Referer", &["https://ex.com/a?b=c&token=d", "https://ex.com/"]),
    ("Authorization", &["Bearer abc123", "Basic dTpw"]),
    ("X-Forwarded-For", &["1.2.3.4, 10.0.0.1"]),
    ("X-Request-Id", &["123e4567-e89b-12d3-a456-426614174000", "7"]),
    ("X-Custom", &["one two  three", "", "a; b=\"c d\"", "<script>", "x [ANGLE] y", "é\u{200B}"]),
    ("Cache-Control", &["no-cache", "max-age=0"]),
    ("Connection", &["keep-alive"]),
    ("Origin", &["https://ex.com"]),
    ("If-None-Match", &["\"abc\""]),
    ("Sec-Fetch-Mode", &["navigate"]),
    ("X_Under", &["v"]),
];

impl Request {
    /// Something a browser, a script or a curious person sends.
    pub(crate) fn ordinary(rng: &mut Rng) -> Request {
        let method = rng.pick(&["GET", "GET", "GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS"]);
        let host = rng.pick(&[
            "ex.com",
            "ex.com",
            "EX.com:8080",
            "ex.com:80",
            "bücher.example",
            "[2001:DB8::1]",
            "127.0.0.1:3000",
        ]);
        let segments = (0..rng.below(5)).map(|_| word(rng)).collect();
        let query = (!rng.one_in(3)).then(|| pairs(rng));
        let mut headers = Vec::new();
        for _ in 0..rng.below(6) {
            let (name, values) = HEADERS[rng.below(HEADERS.len())];
            headers.push((name, rng.pick(values).to_owned()));
        }
        if rng.one_in(3) {
            let cookies: Vec<String> = (0..rng.between(1, 3)).map(|i| format!("c{i}={}", rng.below(1000))).collect();
            headers.push(("Cookie", cookies.join("; ")));
        }
        let body = match rng.below(10) {
            0 => Body::Form(pairs(rng)),
            1 => Body::Raw((0..rng.below(40)).map(|_| rng.byte()).collect()),
            2 | 3 => Body::Json(json(3, rng)),
            4 => Body::Multipart((0..rng.between(1, 4)).map(|_| part(rng)).collect()),
            5 => Body::Xml(element(3, rng)),
            _ => Body::None,
        };
        // A library without decoders says CEBAD to all of them.
        let coding = (cfg!(feature = "decompress") && rng.one_in(6)).then(|| *rng.pick(&Coding::ALL));
        Request { method, host, segments, query, headers, body, coding, chunked: rng.one_in(2) }
    }

    /// The one way to write it that needs no explanation.
    pub(crate) fn plain(&self) -> Written {
        self.write(&mut Style(None))
    }

    /// One of the many other ways.
    pub(crate) fn reencoded(&self, rng: &mut Rng) -> Written {
        self.write(&mut Style(Some(rng)))
    }

    fn write(&self, style: &mut Style<'_>) -> Written {
        let mut target = Vec::new();
        for segment in &self.segments {
            target.push(b'/');
            style.text(segment, b"!$&'()*+,:;=@|", &mut target);
        }
        if target.is_empty() {
            target.push(b'/');
        }
        if let Some(pairs) = &self.query {
            target.push(b'?');
            style.pairs(pairs, &mut target);
        }
        let mut headers = vec![("Host", style.case(self.host))];
        headers.extend(self.headers.iter().map(|(name, value)| (*name, value.clone())));
        let content = match &self.body {
            Body::None => Vec::new(),
            Body::Raw(bytes) => bytes.clone(),
            Body::Form(pairs) => style.in_vec(|style, out| style.pairs(pairs, out)),
            Body::Json(json) => style.in_vec(|style, out| style.json(json, out)),
            Body::Multipart(parts) => style.in_vec(|style, out| style.parts(parts, out)),
            Body::Xml(root) => style.in_vec(|style, out| style.element(root, out)),
        };
        let media_type = match &self.body {
            Body::None => None,
            Body::Raw(_) => Some("application/octet-stream"),
            Body::Form(_) => Some("application/x-www-form-urlencoded"),
            Body::Json(_) => Some("application/json"),
            Body::Multipart(_) => Some("multipart/form-data; boundary=XbX"),
            Body::Xml(_) => Some("application/xml"),
        };
        let (mut body, mut sent) = (content.clone(), Vec::new());
        if let Some(media_type) = media_type {
            headers.push(("Content-Type", media_type.to_owned()));
            if let Some(coding) = self.coding {
                headers.push(("Content-Encoding", coding.name().to_owned()));
                body = coding.apply(&content);
            }
            if self.chunked {
                headers.push(("Transfer-Encoding", "chunked".to_owned()));
                sent = style.chunks(&body);
            } else {
                headers.push(("Content-Length", body.len().to_string()));
                sent = body.clone();
            }
        }
        let headers = style.headers(headers);
        Written { method: self.method, target, headers, sent, body, content, line_end: style.line_end() }
    }
}

fn word(rng: &mut Rng) -> String {
    let mut text = rng.pick(WORDS).to_owned();
    if rng.one_in(5) {
        text.push_str(rng.pick(WORDS));
    }
    text
}

fn pairs(rng: &mut Rng) -> Vec<Pair> {
    (0..rng.below(4)).map(|_| (rng.pick(KEYS).to_owned(), (!rng.one_in(8)).then(|| word(rng)))).collect()
}

fn json(depth: usize, rng: &mut Rng) -> Json {
    match rng.below(8) {
        0 | 1 if depth > 0 => Json::Array((0..rng.below(4)).map(|_| json(depth - 1, rng)).collect()),
        2..=4 if depth > 0 => {
            let name = |rng: &mut Rng| if rng.one_in(3) { word(rng) } else { rng.pick(KEYS).to_owned() };
            Json::Object((0..rng.below(5)).map(|_| (name(rng), json(depth - 1, rng))).collect())
        }
        5 => Json::Word(rng.pick(&["0", "-1.5e3", "42", "true", "false", "null"])),
        _ => Json::Text(word(rng)),
    }
}

/// The names are such that quotes around them are enough.
fn part(rng: &mut Rng) -> Part {
    let file = rng.one_in(2).then(|| rng.pick(&["a.png", "Résumé.pdf", "shell.php.jpg", "..\\x.txt", "no extension"]));
    let types = [None, Some("text/plain"), Some("image/png"), Some("application/octet-stream")];
    let media_type = types[rng.below(types.len())];
    let content = rng.pick(&["", "1", "hunter2", "it's <b>", "two\r\nlines", "GIF89a", "é", "<?php x", "--Xb"]);
    Part { name: rng.pick(&KEYS[..15]), file, media_type, content }
}

fn element(depth: usize, rng: &mut Rng) -> Element {
    let name = rng.pick(&["a", "order", "item", "user", "password", "wsse:Password", "clé", "Ｋ", "x.y", "xi:include"]);
    let mut attributes = Vec::new();
    for name in ["id", "token", "xmlns:x"] {
        if rng.one_in(5) {
            attributes.push((name, plain_text(rng)));
        }
    }
    let children = if depth > 0 { rng.below(4) } else { 0 };
    let children: Vec<Element> = (0..children).map(|_| element(depth - 1, rng)).collect();
    let text = if children.is_empty() && rng.one_in(2) { plain_text(rng) } else { String::new() };
    Element { name, attributes, text, children }
}

/// A text that has to be escaped nowhere: shapes are of what stands there.
fn plain_text(rng: &mut Rng) -> String {
    word(rng).replace(['<', '>', '&', '"', '\''], "").trim_ascii().to_owned()
}

/// How a request is written: plainly, or with everything varied that must not matter.
struct Style<'a>(Option<&'a mut Rng>);

impl Style<'_> {
    fn one_in(&mut self, n: usize) -> bool {
        self.0.as_mut().is_some_and(|rng| rng.one_in(n))
    }

    /// `raw` are the reserved characters that stand for themselves here.
    fn text(&mut self, text: &str, raw: &[u8], out: &mut Vec<u8>) {
        for c in text.chars() {
            let unreserved = c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
            let as_it_is = match c {
                _ if unreserved => !self.one_in(4),
                _ if c.is_ascii() => raw.contains(&(c as u8)),
                // Line separators would still be one line here: only LF ends one.
                _ => self.one_in(2),
            };
            let mut buffer = [0; 4];
            for &byte in c.encode_utf8(&mut buffer).as_bytes() {
                if as_it_is {
                    out.push(byte);
                } else {
                    self.escape(byte, out);
                }
            }
        }
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) {
        for digit in format!("%{byte:02X}").chars() {
            out.push(if self.one_in(2) { digit.to_ascii_lowercase() } else { digit } as u8);
        }
    }

    fn pairs(&mut self, pairs: &[Pair], out: &mut Vec<u8>) {
        for (n, (key, value)) in pairs.iter().enumerate() {
            if n > 0 {
                out.push(b'&');
            }
            self.text(key, b"[]", out);
            if let Some(value) = value {
                out.push(b'=');
                self.text(value, b"!$'()*,/:@?", out);
            }
        }
    }

    fn in_vec(&mut self, write: impl FnOnce(&mut Self, &mut Vec<u8>)) -> Vec<u8> {
        let mut out = Vec::new();
        write(self, &mut out);
        out
    }

    /// One of these, and the first one in a plain request.
    fn choose(&mut self, texts: &[&'static str]) -> &'static str {
        self.0.as_mut().map_or(texts[0], |rng| rng.pick(texts))
    }

    fn json(&mut self, json: &Json, out: &mut Vec<u8>) {
        self.blank(out);
        match json {
            Json::Word(word) => out.extend(word.bytes()),
            Json::Text(text) => self.json_text(text, out),
            Json::Array(items) => {
                out.push(b'[');
                for (n, item) in items.iter().enumerate() {
                    out.extend(if n > 0 { "," } else { "" }.bytes());
                    self.json(item, out);
                }
                self.blank(out);
                out.push(b']');
            }
            Json::Object(members) => {
                out.push(b'{');
                for (n, (name, value)) in members.iter().enumerate() {
                    out.extend(if n > 0 { "," } else { "" }.bytes());
                    self.blank(out);
                    self.json_text(name, out);
                    self.blank(out);
                    out.push(b':');
                    self.json(value, out);
                }
                self.blank(out);
                out.push(b'}');
            }
        }
        self.blank(out);
    }

    fn blank(&mut self, out: &mut Vec<u8>) {
        out.extend(self.choose(&["", "", "", " ", "\t", "\r\n", "\n    "]).bytes());
    }

    fn json_text(&mut self, text: &str, out: &mut Vec<u8>) {
        out.push(b'"');
        for c in text.chars() {
            match c {
                '\n' if self.one_in(2) => out.extend(b"\\n"),
                '\t' if self.one_in(2) => out.extend(b"\\t"),
                '"' | '\\' if !self.one_in(3) => out.extend([b'\\', c as u8]),
                '/' if self.one_in(3) => out.extend(b"\\/"),
                _ if c < ' ' || matches!(c, '"' | '\\') || self.one_in(4) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let upper = self.one_in(2);
                        out.extend(if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") }.bytes());
                    }
                }
                _ => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        out.push(b'"');
    }

    fn parts(&mut self, parts: &[Part], out: &mut Vec<u8>) {
        // All alike: mixed ones are a flag.
        let end = self.choose(&["\r\n", "\r\n", "\n"]);
        for Part { name, file, media_type, content } in parts {
            out.extend(format!("--XbX{}{end}", self.choose(&["", "", " ", "\t "])).bytes());
            let colon = self.choose(&[": ", ":", ":  "]);
            let mut disposition = format!("{}{colon}form-data", self.case("Content-Disposition"));
            let mut parameters = vec![format!("{}=\"{name}\"", self.case("name"))];
            parameters.extend(file.map(|file| format!("{}=\"{file}\"", self.case("filename"))));
            if self.one_in(2) {
                parameters.reverse();
            }
            for parameter in parameters {
                disposition.push_str(self.choose(&["; ", ";", " ;\t"]));
                disposition.push_str(&parameter);
            }
            let mut headers = vec![disposition];
            if let Some(media_type) = media_type {
                let (name, media_type) = (self.case("Content-Type"), self.case(media_type));
                headers.push(format!("{name}{colon}{media_type}{}", self.choose(&["", "; charset=utf-8", " "])));
            }
            if self.one_in(2) {
                headers.reverse();
            }
            out.extend(format!("{}{end}{end}{content}{end}", headers.join(end)).bytes());
        }
        out.extend(format!("--XbX--{}", if self.one_in(3) { "" } else { end }).bytes());
    }

    fn element(&mut self, element: &Element, out: &mut Vec<u8>) {
        let Element { name, attributes, text, children } = element;
        out.extend(format!("<{name}").bytes());
        for (name, value) in attributes {
            let quote = self.choose(&["\"", "'"]);
            let space = self.choose(&[" ", "  ", "\n", "\t"]);
            let equals = self.choose(&["=", "= ", " = "]);
            out.extend(format!("{space}{name}{equals}{quote}{value}{quote}").bytes());
        }
        out.extend(self.choose(&["", "", " "]).bytes());
        if text.is_empty() && children.is_empty() && !self.one_in(2) {
            out.extend(b"/>");
            return;
        }
        out.extend(format!(">{}{text}", self.choose(&["", "", "\n  "])).bytes());
        for child in children {
            self.element(child, out);
            out.extend(self.choose(&["", "", "\n  ", "<!-- and -->"]).bytes());
        }
        out.extend(format!("{}</{name}{}>", self.choose(&["", "", " "]), self.choose(&["", "", " "])).bytes());
    }

    fn case(&mut self, name: &str) -> String {
        name.chars()
            .map(|c| match c.is_ascii_alphabetic() && self.one_in(3) {
                true if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
                true => c.to_ascii_lowercase(),
                false => c,
            })
            .collect()
    }

    /// Another order of the names, the same order within a name; other case; other white space.
    fn headers(&mut self, mut headers: Vec<(&str, String)>) -> Vec<(Vec<u8>, Vec<u8>)> {
        if let Some(rng) = &mut self.0 {
            let mut names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
            rng.shuffle(&mut names);
            let mut rest = headers;
            headers = Vec::new();
            for name in names {
                if let Some(first) = rest.iter().position(|(other, _)| *other == name) {
                    headers.push(rest.remove(first));
                }
            }
        }
        headers
            .into_iter()
            .map(|(name, value)| {
                let name = self.case(name).into_bytes();
                let mut padded = self.space(" ");
                for c in value.chars() {
                    let mut buffer = [0; 4];
                    match c {
                        ' ' if self.one_in(6) => padded.extend(b" \t"),
                        _ => padded.extend(c.encode_utf8(&mut buffer).bytes()),
                    }
                }
                padded.extend(self.space(""));
                (name, padded)
            })
            .collect()
    }

    fn space(&mut self, plain: &str) -> Vec<u8> {
        let text = match &mut self.0 {
            Some(rng) => rng.pick(&["", " ", "", " ", "  ", "\t", " \t "]),
            None => plain,
        };
        text.bytes().collect()
    }

    fn chunks(&mut self, mut body: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        while !body.is_empty() {
            let size = self.0.as_mut().map_or(body.len(), |rng| rng.between(1, body.len()));
            let (chunk, rest) = body.split_at(size);
            let size = if self.one_in(2) { format!("{size:X};x=y\r\n") } else { format!("{size:x}\r\n") };
            out.extend(size.bytes());
            out.extend(chunk);
            out.extend(b"\r\n");
            body = rest;
        }
        out.extend(b"0\r\n\r\n");
        out
    }

    fn line_end(&mut self) -> &'static str {
        if self.one_in(4) { "\n" } else { "\r\n" }
    }
}
