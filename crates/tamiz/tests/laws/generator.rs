//! Hostile requests: structured ones with every oddity we know of, mutations of those, and noise.
//!
//! Pieces are drawn from lists, because what breaks a parser is rarely random. Ordinary requests are common too: a law
//! that only holds on garbage says little. Sizes stay small, with a few very large ones for the flags that need them.

use tamiz::table::headers::HEADERS;

use crate::bodies;
use crate::model::Request;
use crate::random::Rng;

/// Any request at all.
pub(crate) fn hostile(rng: &mut Rng) -> Vec<u8> {
    match rng.below(20) {
        0..=4 => Request::ordinary(rng).plain().wire(),
        5..=14 => structured(rng),
        15 | 16 => {
            let mut request = structured(rng);
            mutate(&mut request, rng);
            request
        }
        17 => {
            let mut request = structured(rng);
            request.extend(structured(rng));
            request.truncate(rng.between(0, request.len()));
            request
        }
        18 => from_alphabet(rng),
        _ => (0..rng.below(200)).map(|_| rng.byte()).collect(),
    }
}

/// A request with a shape, and something odd in some of its places.
pub(crate) fn structured(rng: &mut Rng) -> Vec<u8> {
    let end = rng.pick(&["\r\n", "\r\n", "\r\n", "\n"]);
    let mut out = Vec::new();
    if rng.one_in(30) {
        out.extend(end.repeat(2).bytes());
    }
    out.extend(request_line(rng));
    out.extend(mostly(end, &["\n", "\r\r\n"], 15, rng).bytes());
    if rng.one_in(30) {
        out.extend(rng.pick(&[" loose: x", "\tX-First: y\u{200B}", "\nX-Stray: z", "\r\nX", "\r"]).bytes());
        out.extend(end.bytes());
    }
    for _ in 0..*rng.pick(&[&1, &1, &1, &1, &1, &1, &0, &2]) {
        out.extend(mostly("Host: ", &["host:", "HOST : ", "Ｈost: "], 8, rng).bytes());
        out.extend(authority(rng));
        out.extend(end.bytes());
    }
    for _ in 0..rng.below(5) {
        out.extend(header_line(rng, end));
        out.extend(end.bytes());
    }
    // Long enough for HLONG: rare, because one of these costs as much as many others.
    if rng.one_in(500) {
        let name = rng.pick(&["X-Long", "Cookie", "User-Agent", "Host", "Accept"]);
        out.extend(format!("{name}: {}{end}", "a".repeat(16 << 10)).bytes());
    }
    out.extend(body(rng, end));
    if rng.one_in(50) {
        out.truncate(rng.between(0, out.len()));
    }
    out
}

/// The usual text, and one time in `n` another one.
pub(crate) fn mostly<'a>(usual: &'a str, others: &[&'a str], n: usize, rng: &mut Rng) -> &'a str {
    if rng.one_in(n) { rng.pick(others) } else { usual }
}

fn request_line(rng: &mut Rng) -> Vec<u8> {
    const METHODS: &[&str] =
        &["GET", "GET", "GET", "POST", "POST", "PUT", "HEAD", "OPTIONS", "CONNECT", "DELETE", "PROPFIND"];
    #[rustfmt::skip]
    const ODD_METHODS: &[&str] = &[
        "get", "G=ET", "ＧＥＴ", "GE\u{200B}T", "G\0T", "<num:5>", "M:GET", "\u{2028}GET", "", "token=abc", "G\rET",
        "ﬁND", "FLAGS:[X]", "\u{202E}TEG",
    ];
    #[rustfmt::skip]
    const ODD_VERSIONS: &[&str] = &[
        " HTTP/1.0", " HTTP/1.0", " HTTP/2", " HTTP/3.0", " HTTP/0.9", " HTTP/1.1 ", "  HTTP/1.1", " http/1.1",
        " HTTP/", " HTTP/9\0", " HTTP/1.1\u{2028}", "\tHTTP/1.1", "HTTP/1.1", "", " x HTTP/1.1",
    ];
    let usual = rng.pick(METHODS);
    let mut out = Vec::new();
    out.extend(mostly(usual, ODD_METHODS, 10, rng).bytes());
    out.extend(mostly(" ", &["  ", "\t", ""], 20, rng).bytes());
    out.extend(target(rng));
    out.extend(mostly(" HTTP/1.1", ODD_VERSIONS, 8, rng).bytes());
    out
}

fn target(rng: &mut Rng) -> Vec<u8> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "*", "", "index.html", "?a=1", "#frag", "javascript:alert(1)", "///", "//h/x", "http:/x", "http://", "://h",
        "http://?a", "a b c", "http://h#x@y/z", "<num:5>://h/", "h:443", "HTTP/1.1", "http://ex.com:8080.BAK/x y",
    ];
    let mut out = Vec::new();
    match rng.below(20) {
        0..=2 => {
            out.extend(rng.pick(&["http://", "http://", "HTTPS://", "ftp://", "w+s.x-1://", "wss://"]).bytes());
            out.extend(authority(rng));
            out.extend(path(rng));
        }
        3 if rng.one_in(2) => return authority(rng),
        4 if rng.one_in(2) => return rng.pick(OTHERS).bytes().collect(),
        _ => out.extend(path(rng)),
    }
    if rng.below(3) > 0 {
        out.push(b'?');
        out.extend(pairs(rng));
    }
    if rng.one_in(20) {
        out.extend(rng.pick(&["#", "#top", "#a=b?c", "?again=1"]).bytes());
    }
    out
}

fn authority(rng: &mut Rng) -> Vec<u8> {
    #[rustfmt::skip]
    const HOSTS: &[&str] = &[
        "EX.com", "ex.com:80", "ex.com:8080", "ex.com:443", "ex.com:", "ex.com.", "ex.com:99999", "ex.com:8080.BAK",
        "ex_com", "españa.es", "bücher.example", "xn--bcher-kva.example", "XN--e1afmkfd.xn--p1ai", "pаypal.com",
        "xn--pypal-4ve.com", "faß.de", "[2001:DB8:0:0::1]", "[::1]:8080", "[::ffff:1.2.3.4]", "[::1",
        "[fe80::1%25eth0]", "[::1]x", "127.0.0.1", "0x7f.1", "user:pass@ex.com", "u@h", "@ex.com", "a@b@c", "a b.com",
        "", "..", "ex..com", ".ex.com", "xn--", "ex.com\u{200B}", "ｅｘ.com", "ex。com", "ex.com,evil.com", "<num:5>",
        "ex.com [ANGLE]", "ex.com\u{2028}x", "ex.com\0", "'\"><script>", "token=abc123", "xn--a-\u{80}", "-ex-.com",
        "\u{AD}", "h:00080", "h:65536", "%41.com", "ex.com\u{85}", "Ⅷ.com", "a.b:1:2", "٣.com", "ex.com:８０",
    ];
    match rng.below(40) {
        0 => vec![b'a'; 80],
        1 => b"\xffh\xc0st".to_vec(),
        2..=19 => b"ex.com".to_vec(),
        _ => rng.pick(HOSTS).bytes().collect(),
    }
}

/// Pieces of a path without a raw `?`.
#[rustfmt::skip]
pub(crate) const SEGMENTS: &[&str] = &[
    "a", "admin", "index.html", "wp-login.php", "API", "v1", "x;y=1", "..", ".", "", "...", "..;", "%2e%2e", "%2E.",
    "%2e", "..%2f..", "..%5c..", "..\\..", "..%252f", "%252e%252e", "%c0%ae%c0%ae", "..%c0%af", "..%ef%bc%8f", "‥",
    "..／..", "&#46;&#46;", "a&#x2f;b", "a&sol;b", "&lt;script&gt;", "<script>", "%3Cscript%3E", "'or'1'='1", "\"",
    "a;b", "(x)", "{x}", "{{7*7}}", "${jndi:ldap://x}", "|id", "`id`", "$HOME", "a b", "a%20b", "a+b", "%00",
    "a%00.jpg", "%01", "%0d%0aSet-Cookie:x=1", "\t", "\u{7F}", "%7f", "\u{200B}", "%e2%80%8b", "\u{202E}",
    "%E2%80%A8", "\u{2028}", "\u{85}", "%C2%85", "\u{FEFF}", "é", "e\u{301}", "%C3%A9", "%E9", "%FF%FE",
    "%F0%9F%98%80", "😀", "Ａ", "%EF%BC%A1", "ﬁle", "%EF%AC%81", "½", "Ⅳ", "pаy", "αb", "日本", "%", "%4", "%zz",
    "%u0041", "100%", "%25", "%2525", "%41dmin", "%61", "%2F", "%2f", "%5C", "%3F", "%23", "#", "=", "a=b", "&",
    "&amp;", "&#0;", "&#xD800;", "&#128;", "&bogus;", "&#x3c;", "<num:5>", "<SECRET:jwt:9>", "<len:3>",
    "<b64url:20 rand4.2>", "&lt;num:5&gt;", "＜num:5＞", "[ANGLE]", "%20[ANGLE]", "%0AFLAGS:[X]",
    "3f9a0b1c2d3e4f5061728394a5b6c7d8", "Ab3dEf9hIj1kLm5nOp7q", "eyJhbGciOiJub25lIn0.e30.", "reset-token",
    "0123456789abcdef0123", "u:p@h", "http:", "token=abc", ";jsessionid=A1", "AKIAIOSFODNN7EXAMPLE",
    "password:hunter2", "~user", "a,b", "@", "!", "*", "^", "C:\\x", "\\\\h\\s", "PLEN:1@0-15",
];

fn path(rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    if rng.one_in(6) {
        out.push(b'/');
        return out;
    }
    for _ in 0..rng.between(1, 4) {
        out.extend(rng.pick(&["/", "/", "/", "/", "/", "/", "//", "/./", "\\", "%2F", "／"]).bytes());
        out.extend(piece(SEGMENTS, rng));
    }
    if rng.one_in(5) {
        out.push(b'/');
    }
    out
}

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "id", "q", "x", "user", "page", "items[]", "a[]", "a[b]", "pass", "p%61ss", "p%2561ss", "ＰＷＤ", "pаss",
    "token", "X-Auth-Token", "k\u{200B}ey", "", "é", "%C3%A9", "%E9", "a b", "a%20b", "a+b", "a%3Db", "a%26b", "a,b",
    "a|b", "a%3Bb", "a%23", "{\"a\":1}", "{\"password\":\"x\"}", "\"", "<num:5>", "<x>", "%00", "%0AQ:9", "Ａ", "ﬁ",
    "\u{2028}", "&lt;", "%26lt%3B", "αa", "a%", "%2541", "[ANGLE]", "K\u{212A}", "é\u{301}", "a.b", "KEYS:a",
];

/// Values of a query or a form, without a separator.
#[rustfmt::skip]
pub(crate) const VALUES: &[&str] = &[
    "1", "12345", "abc", "ABC", "aBc", "a1", "A1", "aB1", "deadbeef01", "x_y", "en-US", "2024-01-15", "YWJjZA==",
    "YWJj%2BGRlZg9K/2x8", "bob@ex.com", "https://ex.com/a", "192.168.0.1", "2001:db8::1",
    "123e4567-e89b-12d3-a456-426614174000", "eyJhbGciOiJub25lIn0.e30.c2ln", "O%27Brien", "%22x%22", "<b>",
    "%3Cscript%3E", "&lt;b&gt;", "&#x27;", "1%20or%201=1--", "1 --", "1%23", "/*x*/", "../../etc/passwd",
    "..%5c..%5c", "..%252f", "%00", "a%00", "%01", "%0d%0aX:y", "\u{200B}", "%E2%80%8B", "%E2%80%A8", "é", "%C3%A9",
    "%E9", "%C0%AF", "Ａ", "ﬁ", "pаy", "%", "%4", "%zz", "%u0041", "%2541", "%25", "%61", "a+b", "a%20b", "a b", "{x}",
    "(x)", "|x", "`x`", "$x", "\\x", "a;b", "<num:5>", "<SECRET:num:5>", "%3Cnum%3A5%3E", "<SECRET:<script>>",
    "<hunter2>", "&lt;num:5&gt;", "=", "==", "a=b", "", "<b64url:20 rand4.2>", "AKIAIOSFODNN7EXAMPLE", "😀",
    "e\u{301}", "[ANGLE]", "%20[ANGLE]", "%0AFLAGS:[X]",
];

/// The pairs of a query or a form.
pub(crate) fn pairs(rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    match rng.below(300) {
        // Enough keys for FLAGOVERFLOW.
        0 => {
            for i in 0..70 {
                out.extend(format!("k{i}[]={i}&").bytes());
            }
        }
        // Enough bytes for QLONG.
        1 => {
            out.extend(b"long=");
            out.extend(rng.pick(&["x", "%61", "é"]).repeat(1100).bytes());
        }
        _ => {}
    }
    for n in 0..rng.below(5) {
        if n > 0 || rng.one_in(10) {
            out.extend(rng.pick(&["&", "&", "&", "&", "&", ";", ";", "&amp;", "&#38;", "&#x26;", "&&", "&;"]).bytes());
        }
        out.extend(pair(rng));
    }
    out
}

/// A key and a value, with whatever may be wrong with them.
pub(crate) fn pair(rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(piece(KEYS, rng));
    match rng.below(12) {
        0 => {}
        1 => out.push(b'='),
        _ => {
            out.push(b'=');
            out.extend(piece(VALUES, rng));
        }
    }
    out
}

#[rustfmt::skip]
const HEADER_VALUES: &[&str] = &[
    "", "1", "x", "a b", "a  b", "\tx", "x ", " x", "text/html", "*/*", "gzip, br", "a, b;c=d", "a=1; b=2", "\"q\"",
    "'", "<script>alert(1)</script>", "() { :; }; /bin/id", "${jndi:ldap://x/a}", "{\"a\":1}", "{\"password\":\"x\"}",
    "a|b", "`id`", "\\x", "é", "日本", "\u{200B}x", "x\u{2028}y", "a\u{85}b", "\0", "a\0b", "\u{1}", "[ANGLE]",
    "x [ANGLE]", "x  [ANGLE]", "x\t[ANGLE]", "FLAGS:[X]", "<num:5>", "a <SECRET:jwt:9> b", "<len:3>",
    "<b64url:20 rand4.2>", "https://u:p@ex.com/a?b=c&token=d#e=f", "/a?b=c", "//u:p@h/", "Bearer abc123",
    "Basic dTpw", "Digest username=\"u\"", "token=abc; x", "password: hunter2", "eyJhbGciOiJub25lIn0.e30.c2ln",
    "3f9a0b1c2d3e4f5061728394a5b6c7d8", "123e4567-e89b-12d3-a456-426614174000", "10.0.0.1", "bob@ex.com",
    "AKIAIOSFODNN7EXAMPLE", "%41%00", "pаy", "Ａ", "Authorization: Bearer x", "100%", "a,,b", ",", ";", "a=b=c",
    "\"open", "(", "((a)", "\u{FEFF}", "\u{A0}x\u{A0}", "99999999999999999999:1", "1.2.3.4:80", "99999999999.9.9.9",
    "-1", "0x7F", "[x]", "[::1]",
];

/// Values for the headers that have rules of their own.
#[rustfmt::skip]
const RULED_VALUES: &[(&str, &[&str])] = &[
    (
        "User-Agent",
        &[
            "Mozilla/5.0 (X11; Linux x86_64) Firefox/120.0",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36",
            "a/1 b/2 c/3 d/4 e/5 f/6 g/7 h/8 i/9 j/10 k/11 l/12 m/13 n/14", "curl/8.0 (<lower 5>)", "<LOWER:5>",
            "x (a; (b); [c])", "x (<NUM:5>; <num 5>)", "() { :; }; id", "sqlmap/1.7",
            "Mozilla/5.0 (compatible; Nmap Scripting Engine)", "(((", "a/1 (token=abc)", "<script>", "",
        ],
    ),
    (
        "Accept",
        &[
            "text/html, */*;q=0.8", "*/*", "text/*;level=1;q=0.850, text/html", "x", "a/b;q=2, c/d",
            "text/html;q=\"1\"", "<b64url:5,rand4.7>", "a/b;q=0.5;q=0.6", "text/html;x=\"a,b\"", "</script>",
        ],
    ),
    ("Accept-Language", &["en-us,ES-mx;q=0.5", "zh-hant-tw", "*", "<num:5>", "en;q=x, fr", "en;x=<b>"]),
    ("Accept-Charset", &["utf-8, ISO-8859-1;q=0.7", "*;q=0", "<lower 5>"]),
    ("Accept-Encoding", &["gzip, deflate, br", "GZIP;q=0", "identity;q=0.0, gzip, gzip", "<num:5>"]),
    (
        "Cookie",
        &["a=1; b=2", "sid=abc", "a", "a=1;;b", "=x", "a=<len:5>", "<num:5>=1", "a=\"x;y\"", "é=1", "a b=c", "",
          "b; [a]=1"],
    ),
    ("Set-Cookie", &["a=1; Path=/; HttpOnly", "a", "Path=/", "a=1; Path=/<x>; evil=2; Domain=\u{200B}"]),
    (
        "Authorization",
        &["Bearer abc123", "basic dTpw", "Digest u=\"x\"", "x", "", "Bearer", "NTLM a b", "<SECRET:bearer:5>"],
    ),
    ("Proxy-Authorization", &["Basic dTpw", "Bearer  x"]),
    ("X-Forwarded-For", &["1.2.3.4, 10.0.0.1", "unknown", "::1,[fe80::1]:80", "1.2.3.4<script>", "\"", ",", "<num:5>"]),
    (
        "Forwarded",
        &["for=1.2.3.4;by=10.0.0.1", "For=\"[2001:db8::1]:80\"", "by=x", "for=<script>", "for=\"a;b\", for=b"],
    ),
    ("X-Real-IP", &["8.8.8.8", "127.0.0.1", "x'", "fc00::1"]),
    (
        "Referer",
        &["https://ex.com/a?b=c", "https://u:p@ex.com/", "/a#t=1", "https://pаypal.com/", "x?a=1 y", "/a?<num:5>"],
    ),
    ("Origin", &["https://ex.com", "null"]),
    ("Content-Length", &["12", "0", "007", "-1", "1, 2", "99999999999999999999", "x"]),
    ("Content-Type", &["text/plain; charset=utf-8", "application/json", "multipart/form-data; boundary=\"x\"", "<x>"]),
    ("Connection", &["keep-alive", "close, TE", "x<y"]),
    ("TE", &["trailers, deflate;q=0.5"]),
    ("Trailer", &["Expires"]),
    ("Upgrade", &["h2c", "websocket"]),
    ("If-None-Match", &["\"abc\", W/\"d\"", "*", "\"<x>\""]),
    ("Cache-Control", &["no-cache, max-age=0", "private=\"x\"", "a<b"]),
    ("Sec-CH-UA", &["\"Not A(Brand\";v=\"99\", \"Chrome\";v=\"120\"", "\"a;b(c)(d\";v=\"1\"", "<"]),
    ("Via", &["1.1 proxy (squid)", "1.0 a, 1.1 b"]),
    ("X-Auth-Token", &["abc", "a'b", "<SECRET:lower:3>"]),
];

/// One header field, folds included, without the line end behind it.
pub(crate) fn header_line(rng: &mut Rng, end: &str) -> Vec<u8> {
    #[rustfmt::skip]
    const ODD_NAMES: &[&str] = &[
        "X-Custom", "X-Custom", "x_custom", "X Y", "", " X", "X-É", "Ｘ-Wide", "X\u{200B}Y", "X\0Y", "a=b", "H:x",
        "a<b", "<num:5>", "X-Token\u{2028}", "ﬁx", "%41", "X-\rY", "X-Unknown-Thing", "passw\u{43E}rd", "(x)",
    ];
    const NO_COLON: &[&str] =
        &["nonsense", "a b c", "=", "Bearer abc", "token=x", "<num:5>", "H", "GET / HTTP/1.1", "é\u{2028}"];
    let mut out = Vec::new();
    match rng.below(20) {
        0 => {
            out.extend(rng.pick(NO_COLON).bytes());
            return out;
        }
        1..=10 => {
            let (name, values) = RULED_VALUES[rng.below(RULED_VALUES.len())];
            out.extend(name_in_some_case(name, rng));
            out.push(b':');
            out.extend(padding(rng));
            out.extend(if rng.one_in(4) { piece(HEADER_VALUES, rng) } else { piece(values, rng) });
        }
        kind => {
            let name = if kind < 16 { HEADERS[rng.below(HEADERS.len())].name } else { rng.pick(ODD_NAMES) };
            out.extend(name_in_some_case(name, rng));
            out.extend(rng.pick(&[":", ":", ":", ":", ":", ":", ":", " :", "\t:"]).bytes());
            out.extend(padding(rng));
            out.extend(piece(HEADER_VALUES, rng));
        }
    }
    match rng.below(24) {
        0 => out.extend(format!("{end} {}", rng.pick(HEADER_VALUES)).bytes()),
        1 => out.extend(format!("{end}\t").bytes()),
        2 => out.extend(format!("{end}\nInjected: {}", rng.pick(HEADER_VALUES)).bytes()),
        3 => out.extend(format!("\n{}", rng.pick(HEADER_VALUES)).bytes()),
        4 => out.extend(format!("\r{}", rng.pick(HEADER_VALUES)).bytes()),
        5 => out.extend(format!("{end}{}", String::from_utf8_lossy(&out.clone())).bytes()),
        6 => out.extend(rng.pick(&[" ", "\t", "  "]).bytes()),
        _ => {}
    }
    out
}

fn name_in_some_case(name: &str, rng: &mut Rng) -> Vec<u8> {
    match rng.below(6) {
        0 => name.to_uppercase().into_bytes(),
        1 => name.to_lowercase().into_bytes(),
        _ => name.bytes().collect(),
    }
}

fn padding(rng: &mut Rng) -> Vec<u8> {
    rng.pick(&[" ", " ", " ", " ", " ", " ", "", "  ", "\t"]).bytes().collect()
}

/// The end of the head, and mostly a body behind it.
fn body(rng: &mut Rng, end: &str) -> Vec<u8> {
    match rng.below(20) {
        0..=10 => bodies::body(rng, end),
        11 => {
            let mut out = format!("Content-Length: 9{end}{end}").into_bytes();
            out.extend((0..rng.below(20)).map(|_| rng.byte()));
            out
        }
        12 => Vec::new(),
        _ => end.bytes().collect(),
    }
}

/// A piece of a list, and now and then two of them, or one in a disguise.
fn piece(list: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut text: Vec<u8> = rng.pick(list).bytes().collect();
    match rng.below(20) {
        0 => text.extend(rng.pick(list).bytes()),
        1 => text = percent(&text, rng),
        2 => text = percent(&percent(&text, rng), rng),
        3 => text.insert(rng.between(0, text.len()), rng.byte().clamp(b' ', b'~')),
        4 => text.insert(rng.between(0, text.len()), rng.byte() | 0x80),
        _ => {}
    }
    text.retain(|&b| b != b'\n');
    text
}

/// Some of the bytes percent-encoded, in either case.
pub(crate) fn percent(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in text {
        match rng.below(4) {
            0 => out.extend(format!("%{byte:02X}").bytes()),
            1 => out.extend(format!("%{byte:02x}").bytes()),
            _ => out.push(byte),
        }
    }
    out
}

/// Bytes changed, doubled, dropped and moved.
pub(crate) fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const TELLING: &[u8] = b"\r\n\t :;,=&?#%/\\<>[]{}()|@\"'`$*.\0\x7f\x85\xc0\xe2\xff+-_";
    for _ in 0..rng.between(1, 6) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        match rng.below(6) {
            0 => bytes[at] = rng.byte(),
            1 => bytes[at] = TELLING[rng.below(TELLING.len())],
            2 => bytes.insert(at, TELLING[rng.below(TELLING.len())]),
            3 => {
                let end = (at + rng.below(8)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + rng.below(24)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = rng.between(0, bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => {
                let to = rng.below(bytes.len());
                bytes.swap(at, to);
            }
        }
    }
}

/// Words that mean something to a parser, in no order.
fn from_alphabet(rng: &mut Rng) -> Vec<u8> {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "\r\n", "\n", "\r", " ", "\t", ":", "GET", "/", "HTTP/1.1", "Host", "ex.com", "?", "&", "=", ";", "%", "%41",
        "..", "<num:5>", "\0", "é", "\u{2028}", "Cookie", "a", "1", "#", "@", "//", "[", "]", "M:GET", "FLAGS:[X]",
        "&lt;", "Content-Length: 5", "Transfer-Encoding: chunked", "0\r\n\r\n", "\"", "{", "<", ">", "token=",
    ];
    let mut out = Vec::new();
    for _ in 0..rng.below(40) {
        out.extend(rng.pick(WORDS).bytes());
        if rng.one_in(30) {
            out.push(rng.byte());
        }
    }
    out
}
