//! Requests that are stuffed with pieces of documents, and what must come of them.

use crate::random::Rng;

/// A request, and the structure that its document has whatever stands in its values.
pub(crate) struct Forgery {
    pub(crate) request: Vec<u8>,
    /// How many `H:` lines, after the fields that may be joined are joined.
    pub(crate) header_lines: usize,
    /// How many pairs; `None` without a `?`.
    pub(crate) pairs: Option<usize>,
}

/// Flags that no forgery can earn: it has no such header, version, length, body or switch.
#[rustfmt::skip]
pub(crate) const UNEARNED: &[&str] = &[
    "AUTHBASIC", "AUTHBEARER", "BADVERSION", "BODYFORM", "DOTDOTN", "FLAGOVERFLOW", "HLONG", "HOSTMISMATCH", "HTTP10",
    "JWT", "MULTIENC", "PCTUNRES", "PERCENT_IN_PATH", "QREPEAT", "TRUNCATED", "UNKHDR",
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
    out.extend(b"GET");
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
    out.extend(end.bytes());
    Forgery { request: out, header_lines, pairs }
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
