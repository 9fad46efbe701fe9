//! Requests given as parts.

use tamiz::{Document, Engine, Parts, Target};

fn document(parts: &Parts<'_>) -> String {
    let mut out = String::new();
    Engine::default().canonicalize_parts(parts, &mut out);
    assert_eq!(Document::parse(&out).map(|_| ()), Ok(()), "{out}");
    out
}

fn raw(request: &[u8]) -> String {
    let mut out = String::new();
    Engine::default().canonicalize(request, &mut out);
    out
}

fn split<'a>(scheme: &'a [u8], authority: &'a [u8], path: &'a [u8]) -> Target<'a> {
    Target::Split { scheme, authority, path }
}

#[test]
fn http2_gives_the_document_of_http1() {
    let over_http2 = Parts {
        method: b"GET",
        target: split(b"http", b"ex.com", b"/a?b=1"),
        headers: &[(b"accept", b"*/*"), (b"cookie", b"a=1"), (b"cookie", b"b=2")],
        body: b"",
    };
    let over_http1 = b"GET /a?b=1 HTTP/1.1\r\nHost: ex.com\r\nAccept: */*\r\nCookie: a=1; b=2\r\n\r\n";
    assert_eq!(document(&over_http2), raw(over_http1));
}

#[test]
fn an_authority_beside_a_host_is_compared_with_it() {
    let headers: &[(&[u8], &[u8])] = &[(b"host", b"other.com")];
    let text = document(&Parts { method: b"GET", target: split(b"https", b"ex.com", b"/"), headers, body: b"" });
    assert!(text.contains("U:https://ex.com/\n") && text.contains("HOSTMISMATCH"), "{text}");
}

#[test]
fn a_scheme_that_is_none_is_said() {
    for scheme in [&b"ht tp"[..], b"a:b", b"<num:1>", b"\xff", b"1http"] {
        let text =
            document(&Parts { method: b"GET", target: split(scheme, b"ex.com", b"/a"), headers: &[], body: b"" });
        assert!(text.contains("U:http://ex.com/a\n") && text.contains("BADREQLINE"), "{text}");
    }
}

#[test]
fn slashes_in_an_authority_stay_in_it() {
    let headers: &[(&[u8], &[u8])] = &[(b"host", b"x")];
    let text = document(&Parts { method: b"GET", target: split(b"", b"a/b", b"/p"), headers, body: b"" });
    assert!(text.contains("U:http://a%2Fb/p\n") && text.contains("BADHOST"), "{text}");
}

#[test]
fn connect_with_a_path_has_one() {
    let plain =
        document(&Parts { method: b"CONNECT", target: split(b"", b"ex.com:443", b""), headers: &[], body: b"" });
    assert!(plain.starts_with("M:CONNECT\nU:ex.com:443\n"), "{plain}");
    let target = split(b"https", b"ex.com", b"/chat");
    let extended = document(&Parts { method: b"CONNECT", target, headers: &[], body: b"" });
    assert!(extended.contains("U:https://ex.com/chat\nP:/chat "), "{extended}");
}

#[test]
fn line_ends_in_parts_forge_nothing() {
    let headers: &[(&[u8], &[u8])] = &[(b"x-a", b"1\r\nFLAGS:[FORGED]\n"), (b"x\r\nH:y", b"2"), (b" z ", b"3")];
    let text = document(&Parts { method: b"GET\nU:x", target: Target::Raw(b"/a\nP:/b"), headers, body: b"" });
    assert!(text.contains("M:GET%0AU:x\n") && text.contains("P:/a%0AP:/b "), "{text}");
    assert!(text.contains("H:x-a=1 FLAGS:[FORGED] [BADCRLF] [CONTROL] [WSPAD]\n"), "{text}");
    assert!(text.contains("H:x%0D%0Ah:y=2 ") && text.contains("H:z=3 [BADHDRNAME:z] [COLONSPACE]\n"), "{text}");
}

#[test]
fn an_odd_cookie_name_keeps_its_line() {
    let headers: &[(&[u8], &[u8])] = &[(b"cookie", b"a=1"), (b"Cookie ", b"c=3"), (b"COOKIE", b"b=2")];
    let text = document(&Parts { method: b"GET", target: split(b"", b"ex.com", b"/"), headers, body: b"" });
    assert!(text.contains("H:cookie=a<len:1> b<len:1>") && text.contains("BADHDRNAME:cookie"), "{text}");
}

#[test]
fn credentials_in_place_of_a_method_hide_the_target() {
    for method in [&b"Bearer"[..], b"Authorization:", b"password="] {
        let text = document(&Parts { method, target: Target::Raw(b"/hunter2"), headers: &[], body: b"" });
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// Who took a request apart may have undone its codings: what is no longer there is not held against it.
#[test]
fn codings_that_are_off_already() {
    let json = b"{\"a\":1}";
    // The last one is the length of a body that was coded.
    for (name, value) in [("transfer-encoding", "chunked"), ("content-encoding", "gzip"), ("content-length", "3")] {
        let headers: [(&[u8], &[u8]); 2] =
            [(b"content-type", b"application/json"), (name.as_bytes(), value.as_bytes())];
        let target = split(b"https", b"ex.com", b"/");
        let text = document(&Parts { method: b"POST", target, headers: &headers, body: json });
        assert!(text.contains("\nB:json 1 KEYS:a a=<num:1> [BODYJSON]\nFLAGS:[BODYJSON HOME]\n"), "{name}: {text}");
    }
}
