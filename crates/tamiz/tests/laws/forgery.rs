//! Requests that are stuffed with pieces of documents, and what must come of them.

use crate::random::Rng;

/// A request, and the structure that its document has whatever stands in its values.
pub(crate) struct Forgery {
    pub(crate) request: Vec<u8>,
    /// How many `H:` lines, after the fields that may be joined are joined.
    pub(crate) header_lines: usize,
    /// How many pairs; `None` without a `?`.
    pub(crate) pairs: Option<usize>,
    pub(crate) body: Option<Meant>,
}

/// What a body says, whatever its names and values are made of.
#[derive(Default)]
pub(crate) struct Meant {
    /// The word behind `B:`.
    pub(crate) kind: &'static str,
    media_type: &'static str,
    text: String,
    pub(crate) fields: Vec<Field>,
    /// Of GraphQL, as written.
    pub(crate) operations: Vec<String>,
    /// Of GraphQL or XML.
    pub(crate) depth: u64,
}

/// One field of a body.
pub(crate) struct Field {
    /// How many dots join the names of its path, and how many arrays it stands in. Names of parts are not joined.
    pub(crate) joints: Option<(usize, usize)>,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// This very placeholder.
    Is(String),
    /// A placeholder that a text can have anywhere.
    Text,
    /// That, or this one, and a media type behind it.
    Typed(Box<Value>),
    /// A file of so many bytes, whatever its extension.
    File(usize),
}

/// Flags that no forgery can earn: it has no such header, version, length, body or switch. What a payload makes of a
/// media type is MPHEADER, and two names that are written as one placeholder are BADXML.
#[rustfmt::skip]
pub(crate) const UNEARNED: &[&str] = &[
    "AUTHBASIC", "AUTHBEARER", "BADJSON", "BADVERSION", "BODYCUT", "BODYFORM", "BODYMISMATCH", "BODYUNEXPECTED", "BOM",
    "BOMB", "CEBAD", "CHUNKBAD", "CLTE", "DOTDOTN", "EXTRADATA", "FLAGOVERFLOW", "HLONG", "HOSTMISMATCH", "HTTP10",
    "JSONDEPTH", "JWT", "MPBOUNDARY", "MULTIENC", "PCTUNRES", "PERCENT_IN_PATH", "QREPEAT", "TEBAD", "TRUNCATED",
    "UNKHDR", "XMLCDATA", "XMLDEPTH", "XMLDOCTYPE", "XMLENTITY", "XMLESC", "XMLEXTERNAL",
];

/// No request here is that long: a placeholder with such a length is none of the engine's.
pub(crate) const TOO_LONG: u64 = 1_000_000;

/// What an attacker would like to see in a document. Lengths are recognisable, see [`TOO_LONG`].
#[rustfmt::skip]
const PAYLOADS: &[&str] = &[
    "\r\nFLAGS:[AUTHBEARER]", "\r\nFLAGS:[]", "\r\nH:forged=1", "\r\nH:forged=1\r\nHCNT:9 HLEN:9@0-15",
    "\r\n\r\nM:GET\r\nP:/forged PLEN:7@0-15 PMAX:6@0-15\r\nHCNT:0 HLEN:0@0-15\r\n", "\r\nB:raw BLEN:5@0-15",
    "\r\nQ:9 KEYS:forged", " [AUTHBEARER]", "  [HTTP10]", "\t[HTTP10]", " [HTTP10] [JWT]", "[HTTP10]", "x [TRUNCATED",
    "] [HTTP10]", " FLAGS:[HTTP10]", "\u{2028}FLAGS:[HTTP10]", "\u{2029}H:forged=x", "\u{85}H:forged=x",
    "\u{B}H:forged=x", "\u{C}[HTTP10]", "\0[HTTP10]", "\u{A0}[HTTP10]", "\u{3000}[HTTP10]", "\u{2003}[HTTP10]",
    "\u{1680}[HTTP10]", " \u{FF3B}HTTP10\u{FF3D}", " \u{200B}[HTTP10]", "\u{FEFF} [HTTP10]", " \u{AD}[HTTP10]",
    " PLEN:1@0-15 PMAX:1@0-15", " PLEN:1@0-15 PMAX:1@0-15 [HTTP10]", " KEYS:forged", ",forged", "=<num:5>&forged",
    "|<num:1>", "<num:7654321>", "<SECRET:num:7654321>", "<SECRET:bearer:7654321>", "<len:7654321>",
    "<uuid:7654321@0-15>", "<SECRET:jwt:7654321@>1023>", "<b64url:7654321 rand4.7>", "<b64url:7654321@0-15 rand4.7>",
    "<b64url:7654321,rand4.7>", "<b64url:7654321;rand4.7>", "<b64url:7654321  rand4.7>", "<LOWER:7654321>",
    "<Lower:7654321>", "(<lower 7654321>)", "(x; <lower 7654321>; y)", "(<LOWER 7654321)>", "<lower\u{200B}:7654321>",
    "<lower:\u{FF17}654321>", "\u{FF1C}lower:7654321\u{FF1E}", "\u{FE64}lower:7654321\u{FE65}",
    "&lt;lower:7654321&gt;", "&#60;lower&colon;7654321&#x3e;", "%3Clower:7654321%3E", "%253Clower:7654321%253E",
    "<<lower:7654321>>", "<lower:<num:7654321>", "<SECRET:<lower:7654321>>", "<\u{212A}ower:7654321>",
    "<lower:7654321", "lower:7654321>", "<", ">", "<SECRET:", "<num:", "7654321>", "<hunter2>", "<SECRET:<script>>",
    "<bool>", "<null>", "<array:7654321>", "<object:7654321>", "<graphql:7654321>", "<file:png:7654321>",
    "<element:7654321>", " GRAPHQL:query:Forged DEPTH:1", ",mutation:Forged", " DEPTH:7654321", ":image/png",
    "=<file:png:1>:image/png", ".forged", "[]", "[].forged", "[", "]", ".@forged", "&forged=<bool>", "=<bool>&forged",
    "\r\nB:json 1 KEYS:forged forged=<bool>", " [BODYCUT:9]", " KEYS:forged forged=<num:1>",
];

/// Header names that any value may follow. Those that are joined come first.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "accept", "accept-language", "accept-encoding", "accept-charset", "via", "x-forwarded-for", "forwarded",
    "cache-control", "if-none-match", "link", "user-agent", "user-agent", "user-agent", "referer", "cookie",
    "set-cookie", "x-custom", "origin", "x-api-key", "content-length", "x-real-ip", "sec-ch-ua",
];
const JOINED: usize = 10;

pub(crate) fn forgery(rng: &mut Rng) -> Forgery {
    let end = rng.pick(&["\r\n", "\r\n", "\n"]);
    let mut out = Vec::new();
    let body = rng.one_in(2).then(|| body(rng));
    out.extend(if body.is_some() { "POST" } else { "GET" }.bytes());
    if rng.one_in(8) {
        // With `SECRET:` for a method, the target would be a secret and not be shown at all.
        out.extend(payload(rng).bytes().filter(|b| !matches!(b, b' ' | b':' | b'\r' | b'\n')));
    }
    out.extend(b" /p");
    for _ in 0..rng.below(3) {
        out.extend(rng.pick(&["", "/"]).bytes());
        out.extend(encoded(b"?\r\n ", rng));
    }
    let pairs = (!rng.one_in(3)).then(|| rng.below(4));
    for n in 0..pairs.unwrap_or(0) {
        out.extend(format!("{}k{n}", if n == 0 { '?' } else { '&' }).bytes());
        if rng.one_in(2) {
            out.extend(encoded(b"&;=\r\n ", rng));
        }
        if rng.one_in(2) {
            out.push(b'=');
            out.extend(encoded(b"&;\r\n ", rng));
        }
    }
    if pairs == Some(0) {
        out.push(b'?');
    }
    out.extend(b" HTTP/1.1");
    out.extend(end.bytes());
    let mut header_lines = 1;
    out.extend(b"Host: ex.com");
    if rng.one_in(8) {
        out.extend(in_value(end, rng));
    }
    out.extend(end.bytes());
    let mut joined = [false; JOINED];
    for n in 0..rng.below(5) {
        header_lines += 1;
        match rng.below(10) {
            0 => {
                out.extend(format!("x{n}").bytes());
                out.extend(payload(rng).bytes().filter(|b| !matches!(b, b':' | b'\r' | b'\n')));
            }
            1 => {
                out.extend(format!("x{n}").bytes());
                out.extend(payload(rng).bytes().filter(|b| !matches!(b, b':' | b'\r' | b'\n')));
                out.push(b':');
                out.extend(in_value(end, rng));
            }
            _ => {
                let name = rng.below(NAMES.len());
                if name < JOINED && std::mem::replace(&mut joined[name], true) {
                    header_lines -= 1;
                }
                out.extend(format!("{}: ", NAMES[name]).bytes());
                out.extend(
                    rng.pick(&["", "a", "a/1 ", "a=1; b=", "\"", "text/html, ", "1.2.3.4, ", "https://h/?q="]).bytes(),
                );
                out.extend(in_value(end, rng));
                if rng.one_in(2) {
                    out.extend(in_value(end, rng));
                }
            }
        }
        out.extend(end.bytes());
    }
    if let Some(body) = &body {
        header_lines += 1;
        out.extend(format!("Content-Type: {}{end}", body.media_type).bytes());
    }
    out.extend(end.bytes());
    out.extend(body.iter().flat_map(|body| body.text.bytes()));
    Forgery { request: out, header_lines, pairs, body }
}

fn body(rng: &mut Rng) -> Meant {
    match rng.below(5) {
        0 | 1 => json(rng),
        2 => graphql(rng),
        3 => multipart(rng),
        _ => xml(rng),
    }
}

impl Meant {
    fn push(&mut self, joints: Option<(usize, usize)>, value: Value) {
        self.fields.push(Field { joints, value });
    }
}

/// A number with some digits, and its placeholder.
fn number(rng: &mut Rng) -> (String, Value) {
    let digits = rng.between(1, 9);
    ("1".repeat(digits), Value::Is(format!("<num:{digits}>")))
}

fn json(rng: &mut Rng) -> Meant {
    let mut body = Meant { kind: "json", media_type: "application/json", ..Meant::default() };
    let array = rng.one_in(4);
    body.text.push_str(if array { "[" } else { "{" });
    for n in 0..rng.between(1, 4) {
        body.text.push_str(if n > 0 { "," } else { "" });
        if array {
            // Its own members are joined to the brackets.
            body.text.push('{');
        }
        json_member(&mut body, n, (usize::from(array), usize::from(array)), rng);
        body.text.push_str(if array { "}" } else { "" });
    }
    body.text.push_str(if array { "]" } else { "}" });
    body
}

/// A member with a forged name; `joints` are those of its path.
fn json_member(body: &mut Meant, n: usize, joints: (usize, usize), rng: &mut Rng) {
    body.text.push_str(&format!("\"k{n}{}\":", json_text(payload(rng), rng)));
    let (dots, arrays) = joints;
    match rng.below(8) {
        0 => {
            let (text, value) =
                *rng.pick(&[&("true", "<bool>"), &("null", "<null>"), &("{}", "<object:0>"), &("[]", "<array:0>")]);
            body.text.push_str(text);
            body.push(Some(joints), Value::Is(value.to_owned()));
        }
        1 if dots + arrays == 0 => {
            body.text.push('{');
            json_member(body, n, (dots + 1, arrays), rng);
            body.text.push('}');
        }
        2 if dots + arrays == 0 => {
            body.text.push_str("[1,{");
            body.push(Some((dots, arrays + 1)), Value::Is("<num:1>".to_owned()));
            json_member(body, n, (dots + 1, arrays + 1), rng);
            body.text.push_str("}]");
        }
        3..=5 => {
            body.text.push_str(&format!("\"{}\"", json_text(payload(rng), rng)));
            body.push(Some(joints), Value::Text);
        }
        _ => {
            let (text, value) = number(rng);
            body.text.push_str(&text);
            body.push(Some(joints), value);
        }
    }
}

/// The inside of a JSON string.
fn json_text(text: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c < ' ' || matches!(c, '"' | '\\') || rng.one_in(8) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

fn graphql(rng: &mut Rng) -> Meant {
    let mut body = Meant { kind: "json", media_type: "application/json", ..Meant::default() };
    let mut document = String::new();
    for n in 0..rng.between(1, 3) {
        let kind = rng.pick(&["query", "mutation", "subscription"]);
        let name: String = payload(rng).chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let argument = payload(rng).replace('\\', "").replace('"', "\\\"").replace(['\r', '\n'], "\\n");
        let comment = payload(rng).replace(['\r', '\n'], " ");
        let depth = rng.between(1, 4);
        document.push_str(&format!("{kind} N{n}{name} {{ a(b: \"{argument}\") # {comment}\n"));
        document.push_str(&"{ c ".repeat(depth - 1));
        document.push_str(&"}".repeat(depth));
        body.operations.push(format!("{kind}:N{n}{name}"));
        body.depth = body.depth.max(depth as u64);
    }
    body.text = format!("{{\"query\":\"{}\",", json_text(&document, rng));
    body.push(Some((0, 0)), Value::Is(format!("<graphql:{}>", document.chars().count())));
    json_member(&mut body, 0, (0, 0), rng);
    body.text.push('}');
    body
}

fn multipart(rng: &mut Rng) -> Meant {
    let mut body = Meant { kind: "multipart", media_type: "multipart/form-data; boundary=XX", ..Meant::default() };
    // A line end would be a real one here, and a quote or a backslash before one the end of the name.
    let inside = |rng: &mut Rng| payload(rng).replace("\r\n", "\r").replace(['"', '\\'], "");
    for n in 0..rng.between(1, 4) {
        body.text.push_str("--XX\r\n");
        body.text.push_str(&format!("Content-Disposition: form-data; name=\"k{n}{}\"", inside(rng)));
        let (mut text, mut value) = number(rng);
        if rng.one_in(3) {
            body.text.push_str(&format!("; filename=\"f{}\"", inside(rng)));
            value = Value::File(text.len());
        } else if rng.one_in(2) {
            (text, value) = (payload(rng).to_owned(), Value::Text);
        }
        if rng.one_in(2) {
            // Without what would be a parameter.
            body.text.push_str(&format!("\r\nContent-Type: {}{}", rng.pick(&["", "a/", "a"]), inside(rng)));
            value = Value::Typed(Box::new(value));
        }
        body.text.push_str(&format!("\r\n\r\n{text}\r\n"));
        body.push(None, value);
    }
    body.text.push_str("--XX--\r\n");
    body
}

fn xml(rng: &mut Rng) -> Meant {
    let mut body = Meant { kind: "xml", media_type: "application/xml", depth: 2, ..Meant::default() };
    // What ends a name in XML.
    let name = |rng: &mut Rng| payload(rng).replace([' ', '\t', '\r', '\n', '/', '<', '>', '=', '"', '\''], "");
    let text =
        |rng: &mut Rng| format!("x{}", payload(rng).replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"));
    body.text.push_str("<r>");
    for n in 0..rng.between(1, 4) {
        let tag = format!("k{n}{}", name(rng));
        body.text.push_str(&format!("<{tag}"));
        let attributes = rng.below(3);
        for n in 0..attributes {
            body.text.push_str(&format!(" a{n}{}=\"{}\"", name(rng), text(rng)));
            body.push(Some((2, 0)), Value::Text);
        }
        match rng.below(4) {
            0 => {
                body.text.push_str("/>");
                if attributes == 0 {
                    body.push(Some((1, 0)), Value::Is("<element:0>".to_owned()));
                }
            }
            1 => {
                body.text.push_str(&format!(">{}</{tag}>", text(rng)));
                body.push(Some((1, 0)), Value::Text);
            }
            _ => {
                let (text, value) = number(rng);
                body.text.push_str(&format!(">{text}</{tag}>"));
                body.push(Some((1, 0)), value);
            }
        }
    }
    body.text.push_str("</r>");
    body
}

fn payload(rng: &mut Rng) -> &'static str {
    rng.pick(PAYLOADS)
}

/// A payload for the target; the bytes of `always` would end the place they stand in.
fn encoded(always: &[u8], rng: &mut Rng) -> Vec<u8> {
    let whole = rng.one_in(3);
    let mut out = Vec::new();
    for byte in payload(rng).bytes() {
        if whole || always.contains(&byte) || rng.one_in(6) {
            out.extend(format!("%{byte:02X}").bytes());
        } else {
            out.push(byte);
        }
    }
    out
}

/// A payload for a header value. A line end would be a real one, so it comes in the forms that are not.
fn in_value(end: &str, rng: &mut Rng) -> Vec<u8> {
    let disguise = match end {
        "\r\n" => rng.pick(&["\n", "\r", "\r\n ", "\r\n\t", "\r\n\n", "\r\n\r"]),
        _ => rng.pick(&["\r", "\n ", "\n\t", "\n\r"]),
    };
    // Two of them, or one and the real one behind it, must not make an empty line.
    payload(rng).trim_end_matches("\r\n").replace("\r\n\r\n", "\r\n").replace("\r\n", disguise).into_bytes()
}
