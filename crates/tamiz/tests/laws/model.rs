//! An honest request as a value, which can be written in many ways that mean the same.

use crate::random::Rng;

/// A request before anybody wrote it down. Texts are decoded.
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) host: &'static str,
    pub(crate) segments: Vec<String>,
    pub(crate) query: Option<Vec<Pair>>,
    /// Without Host, and without what the body needs.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Body,
}

pub(crate) type Pair = (String, Option<String>);

pub(crate) enum Body {
    None,
    Form { pairs: Vec<Pair>, chunked: bool },
    Raw { bytes: Vec<u8>, chunked: bool },
}

/// A request as it is sent, still in its parts.
pub(crate) struct Written {
    pub(crate) method: &'static str,
    pub(crate) target: Vec<u8>,
    /// All of them, Host included.
    pub(crate) headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body on the wire, and without its transfer coding.
    pub(crate) sent: Vec<u8>,
    pub(crate) body: Vec<u8>,
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
        let chunked = rng.one_in(2);
        let body = match rng.below(5) {
            0 => Body::Form { pairs: pairs(rng), chunked },
            1 => Body::Raw { bytes: (0..rng.below(40)).map(|_| rng.byte()).collect(), chunked },
            _ => Body::None,
        };
        Request { method, host, segments, query, headers, body }
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
        let (body, chunked) = match &self.body {
            Body::None => (Vec::new(), None),
            Body::Form { pairs, chunked } => {
                headers.push(("Content-Type", "application/x-www-form-urlencoded".to_owned()));
                let mut body = Vec::new();
                style.pairs(pairs, &mut body);
                (body, Some(*chunked))
            }
            Body::Raw { bytes, chunked } => {
                headers.push(("Content-Type", "application/octet-stream".to_owned()));
                (bytes.clone(), Some(*chunked))
            }
        };
        let sent = match chunked {
            Some(true) => {
                headers.push(("Transfer-Encoding", "chunked".to_owned()));
                style.chunks(&body)
            }
            Some(false) => {
                headers.push(("Content-Length", body.len().to_string()));
                body.clone()
            }
            None => Vec::new(),
        };
        let headers = style.headers(headers);
        Written { method: self.method, target, headers, sent, body, line_end: style.line_end() }
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
