//! Bodies that are too large, too deep or too many: each gives a small and valid document that says so.

use tamiz::{Document, Engine};

use crate::wire::{Coding, chunked};

/// Whatever a body holds: its fields are cut, and the paths of those that are listed are short.
const LONGEST_DOCUMENT: usize = 2_000_000;

/// The document of such a body, which must have the flags.
#[track_caller]
fn bounded(media_type: &str, body: &[u8], flags: &[&str]) -> String {
    bounded_with(&format!("Content-Type: {media_type}\r\n"), body, flags)
}

#[track_caller]
fn bounded_with(fields: &str, body: &[u8], flags: &[&str]) -> String {
    let head = format!("POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: {}\r\n{fields}\r\n", body.len());
    let mut document = String::new();
    Engine::default().canonicalize(&[head.as_bytes(), body].concat(), &mut document);
    assert!(document.len() < LONGEST_DOCUMENT, "{} bytes", document.len());
    let parsed = Document::parse(&document);
    assert!(parsed.is_ok(), "{:?}", parsed.err());
    let Ok(parsed) = parsed else { return document };
    let mut again = String::new();
    parsed.write(&mut again);
    assert!(again == document, "not a fixed point");
    for flag in flags {
        assert!(parsed.flag_names().any(|name| name == *flag), "no {flag}: {:?}", parsed.flags());
    }
    document
}

const JSON: &str = "application/json";
const XML: &str = "application/xml";

#[test]
fn deep_json() {
    const DEPTH: usize = 100_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"password\":", "}]")] {
        let whole = [open.repeat(DEPTH), "1".to_owned(), close.repeat(DEPTH)].concat();
        bounded(JSON, whole.as_bytes(), &["JSONDEPTH"]);
        // Also where nothing is closed, or too much.
        bounded(JSON, open.repeat(DEPTH).as_bytes(), &["JSONDEPTH", "BADJSON"]);
        bounded(JSON, close.repeat(DEPTH).as_bytes(), &["BADJSON"]);
    }
}

#[test]
fn long_json() {
    let long = "x".repeat(10_000_000);
    let document = bounded(JSON, format!("{{\"a\":\"{long}\"}}").as_bytes(), &["QLONG"]);
    assert!(document.contains("a=<lower:9999999>"), "{document}");
    bounded(JSON, format!("{{\"{long}\":1}}").as_bytes(), &["BODYJSON"]);
    bounded(JSON, format!("[{}]", "1".repeat(1_000_000)).as_bytes(), &["BODYJSON"]);
    bounded(JSON, format!("\"{}\"", "\\u0061".repeat(100_000)).as_bytes(), &["JSONESC", "QLONG"]);
}

#[test]
fn many_json_fields() {
    const COUNT: usize = 100_000;
    bounded(JSON, format!("[{}1]", "1,".repeat(COUNT)).as_bytes(), &["BODYCUT"]);
    bounded(JSON, format!("{{{}\"a\":1}}", "\"a\":1,".repeat(COUNT)).as_bytes(), &["BODYCUT", "JSONDUPKEY"]);
    let pairs: String = (0..COUNT / 2).map(|n| format!("\"k{n}\":1,\"k{n}\":2,")).collect();
    bounded(JSON, format!("{{{pairs}\"a\":1}}").as_bytes(), &["BODYCUT", "JSONDUPKEY", "FLAGOVERFLOW"]);
    // A long path on every field.
    let path = format!("{{\"{}\":", "%".repeat(110)).repeat(2);
    bounded(JSON, format!("{path}[{}1]", "1,".repeat(COUNT)).as_bytes(), &["BODYCUT"]);
    // No brackets, commas or quotes that belong together.
    for junk in ["'", "\"", ",", ":", "a ", "{]", "[}", "/*", "//\n", "\\", "{\"a\" ", "'\\"] {
        bounded(JSON, junk.repeat(COUNT).as_bytes(), &["BADJSON"]);
    }
}

#[test]
fn large_graphql() {
    const COUNT: usize = 20_000;
    let query = |text: &str| format!("{{\"query\":\"{text}\"}}");
    bounded(JSON, query(&"query A { b }".repeat(COUNT)).as_bytes(), &["BODYCUT"]);
    let deep = ["{ a ".repeat(COUNT), "}".repeat(COUNT)].concat();
    let document = bounded(JSON, query(&deep).as_bytes(), &["BODYJSON"]);
    assert!(document.contains(&format!(" GRAPHQL:query DEPTH:{COUNT} ")), "{document}");
    bounded(JSON, query(&"{ a ".repeat(COUNT)).as_bytes(), &["BODYJSON"]);
    bounded(JSON, query(&"\\\"".repeat(COUNT)).as_bytes(), &["BODYJSON"]);
    bounded(JSON, format!("[{}1]", format!("{},", query("{ a }")).repeat(COUNT)).as_bytes(), &["BODYCUT"]);
}

#[test]
fn many_parts() {
    const COUNT: usize = 100_000;
    let body = |part: &str| [part.repeat(COUNT), "--x--\r\n".to_owned()].concat();
    let multipart = "multipart/form-data; boundary=x";
    let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n";
    bounded(multipart, body(part).as_bytes(), &["BODYCUT", "MPDUPNAME"]);
    bounded(multipart, body("--x\r\n").as_bytes(), &["BODYCUT", "MPHEADER"]);
    bounded(multipart, body("--xy\r\n").as_bytes(), &["MPBOUNDARY"]);
    bounded(multipart, body("--x").as_bytes(), &["MPBOUNDARY"]);
    bounded("multipart/form-data", body("--\r\n").as_bytes(), &["MPBOUNDARY"]);
    let headers = format!("--x\r\n{}\r\n1\r\n--x--", "A: b\r\n c\r\n".repeat(COUNT));
    bounded(multipart, headers.as_bytes(), &["MPHEADER"]);
    let parameters = format!("--x\r\nContent-Disposition: form-data{}\r\n\r\n1\r\n--x--", "; a=\"b".repeat(COUNT));
    bounded(multipart, parameters.as_bytes(), &["MPHEADER"]);
}

#[test]
fn deep_xml() {
    const DEPTH: usize = 1_000_000;
    let whole = ["<a>".repeat(DEPTH), "</a>".repeat(DEPTH)].concat();
    let document = bounded(XML, whole.as_bytes(), &["XMLDEPTH"]);
    assert!(document.contains(&format!(" DEPTH:{DEPTH} ")), "{document}");
    bounded(XML, "<a b='c'>".repeat(DEPTH / 10).as_bytes(), &["XMLDEPTH", "BADXML"]);
    bounded(XML, "</a>".repeat(DEPTH / 10).as_bytes(), &["BADXML"]);
}

#[test]
fn large_xml() {
    const COUNT: usize = 100_000;
    let inside = |text: &str| format!("<a>{}</a>", text.repeat(COUNT));
    bounded(XML, inside("<b/>").as_bytes(), &["BODYCUT"]);
    bounded(XML, inside("&x;").as_bytes(), &["XMLENTITY"]);
    bounded(XML, inside("<![CDATA[x]]>").as_bytes(), &["XMLCDATA", "BODYCUT"]);
    let attributes: String = (0..COUNT).map(|n| format!(" a{n}='1'")).collect();
    bounded(XML, format!("<a{attributes}/>").as_bytes(), &["BODYCUT"]);
    let entities = format!("<!DOCTYPE a [{}]><a/>", "<!ENTITY l \"&l;&l;\">".repeat(COUNT));
    bounded(XML, entities.as_bytes(), &["XMLDOCTYPE", "XMLENTITY"]);
    for junk in
        ["<", "&", "<!", "<!--", "<?", "<![CDATA[", "<!DOCTYPE [", "<a ", "<a b=", "<a b='", "]]>", "<a/", "\"'"]
    {
        bounded(XML, junk.repeat(COUNT).as_bytes(), &["BADXML"]);
    }
}

/// Every place of a finding is looked up: where bytes have none of their own, and where they have one each.
#[test]
fn large_explanations() {
    const COUNT: usize = 100_000;
    let body = format!("[{}1]", "\"\\u0027\",".repeat(COUNT));
    let coded = Coding::Gzip.apply(body.as_bytes());
    for (field, body) in
        [("Content-Encoding: gzip", coded), ("Transfer-Encoding: chunked", chunked(body.as_bytes(), 3))]
    {
        let head = format!("POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Type: {JSON}\r\n{field}\r\n\r\n");
        let explanation = Engine::default().explain(&[head.as_bytes(), &body].concat());
        assert!(explanation.document.len() < LONGEST_DOCUMENT, "{} bytes", explanation.document.len());
        assert!(Document::parse(&explanation.document).is_ok(), "no document");
    }
}

/// About 42 kB that come to 42 MB.
#[cfg(feature = "decompress")]
#[test]
fn bombs() {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write as _;

    let zeros = vec![0; 42 << 20];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&zeros).and(zlib.write_all(&zeros)).and(deflate.write_all(&zeros)).expect("a Vec takes all");
    let (gzip, zlib, deflate) = (gzip.finish(), zlib.finish(), deflate.finish());
    for (name, bomb) in [("gzip", gzip), ("deflate", zlib), ("deflate", deflate)] {
        let bomb = bomb.expect("a Vec takes all");
        assert!((40_000..50_000).contains(&bomb.len()), "{}", bomb.len());
        let fields = format!("Content-Type: {JSON}\r\nContent-Encoding: {name}\r\n");
        let document = bounded_with(&fields, &bomb, &["BOMB"]);
        assert!(document.contains(&format!("\nB:raw BLEN:{}@", bomb.len())), "{document}");
        // A bomb in a bomb.
        let mut outer = GzEncoder::new(Vec::new(), Compression::best());
        outer.write_all(&bomb).expect("a Vec takes all");
        let fields = format!("Content-Encoding: {name}, gzip\r\n");
        bounded_with(&fields, &outer.finish().expect("a Vec takes all"), &["BOMB"]);
    }
}
