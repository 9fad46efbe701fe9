//! A body of any kind, coding and arrival: the first byte chooses the type, the second the coding, the rest is the body.
//! What holds of every request holds of it, chunked or not.

#![no_main]

const TYPES: [&str; 8] = [
    "application/json",
    "application/x-ndjson",
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "text/xml",
    "application/x-www-form-urlencoded",
    "text/plain",
    "",
];

const CODINGS: [&str; 8] = ["", "", "", "gzip", "deflate", "br", "zstd", "deflate, gzip"];

libfuzzer_sys::fuzz_target!(|input: (u8, u8, &[u8])| {
    let (kind, coding, body) = input;
    let kind = TYPES[usize::from(kind) % TYPES.len()];
    let coding = CODINGS[usize::from(coding) % CODINGS.len()];
    let head = format!("POST /a HTTP/1.1\r\nHost: a\r\nContent-Type: {kind}\r\nContent-Encoding: {coding}\r\n");
    let plain = [head.as_bytes(), b"\r\n", body].concat();
    let document = tamiz_fuzz::assert_documents(|engine, out| {
        let explanation = engine.explain(&plain);
        engine.canonicalize(&plain, out);
        assert_eq!(explanation.document, *out, "the explanation tells of another document");
    });
    if body.is_empty() {
        return;
    }
    let size = format!("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n", body.len());
    let chunked = [head.as_bytes(), size.as_bytes(), body, b"\r\n0\r\n\r\n"].concat();
    let joined = tamiz_fuzz::assert_documents(|engine, out| engine.canonicalize(&chunked, out));
    let body_line = |document: &str| document.lines().find(|line| line.starts_with("B:")).map(str::to_owned);
    assert_eq!(body_line(&joined), body_line(&document), "chunks make another body");
});
