//! Requests cut out of a stream: what one hostile length can do, and cannot.

use tamiz::{Engine, Next, Splitter};

/// Target, body and truncation of every request, and the bytes that belong to none.
fn cut(stream: &[u8]) -> (Vec<(String, String, bool)>, usize) {
    let (mut splitter, mut at, mut found, mut skipped) = (Splitter::new(), 0, Vec::new(), 0);
    loop {
        match splitter.next(&stream[at..], true) {
            Next::Request { framed, consumed, .. } => {
                let head = String::from_utf8_lossy(framed.head);
                let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
                found.push((target, String::from_utf8_lossy(framed.body).into_owned(), framed.truncated));
                at += consumed;
            }
            Next::Skipped { bytes } => {
                skipped += bytes;
                at += bytes;
            }
            Next::More | Next::End => return (found, skipped),
        }
    }
}

#[track_caller]
fn holds(stream: &str, wanted: &[(&str, &str, bool)], skipped: usize) {
    let (found, lost) = cut(stream.as_bytes());
    let found: Vec<(&str, &str, bool)> = found.iter().map(|(t, b, cut)| (t.as_str(), b.as_str(), *cut)).collect();
    assert_eq!((found.as_slice(), lost), (wanted, skipped));
}

const NEXT: &str = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

fn after(headers: &str, body: &str) -> String {
    format!("POST /first HTTP/1.1\r\nHost: a\r\n{headers}\r\n{body}{NEXT}")
}

#[test]
fn a_length_is_taken_at_its_word() {
    holds(&after("Content-Length: 3\r\n", "a=1"), &[("/first", "a=1", false), ("/next", "", false)], 0);
    holds(&after("Content-Length: 0\r\n", ""), &[("/first", "", false), ("/next", "", false)], 0);
    holds(
        &after("Content-Length: 3\r\nContent-Length: 3\r\n", "a=1"),
        &[("/first", "a=1", false), ("/next", "", false)],
        0,
    );
}

#[test]
fn a_stray_line_end_before_the_first_header_hides_no_length() {
    let stream = format!("POST /first HTTP/1.1\r\n\nContent-Length: 5\r\n\r\nhello{NEXT}");
    holds(&stream, &[("/first", "hello", false), ("/next", "", false)], 0);
}

#[test]
fn no_length_is_no_body() {
    for headers in [
        "",
        "Content-Length: +3\r\n",
        "Content-Length: 3, 3\r\n",
        "Content-Length: 0x3\r\n",
        "Content-Length: 3\r\nContent-Length: 4\r\n",
        "Content-Length: 1\r\n 2\r\n",
        "X: a\r\n Content-Length: 30\r\n",
    ] {
        holds(&after(headers, "a=1\r\n"), &[("/first", "", false), ("/next", "", false)], 5);
    }
}

#[test]
fn a_hostile_length_does_not_swallow_the_file() {
    for length in ["999999", "99999999999999999999999999", "16777217"] {
        let stream = after(&format!("Content-Length: {length}\r\n"), "");
        holds(&stream, &[("/first", "", true), ("/next", "", false)], 0);
    }
}

#[test]
fn chunks_are_joined_and_win_over_a_length() {
    let chunks = "3\r\na=1\r\n4;x=y\r\n&b=2\r\n0\r\nTrailer: t\r\n\r\n";
    let wanted = [("/first", "a=1&b=2", false), ("/next", "", false)];
    holds(&after("Transfer-Encoding: chunked\r\n", chunks), &wanted, 0);
    holds(&after("Content-Length: 5\r\nTransfer-Encoding: gzip, chunked\r\n", chunks), &wanted, 0);
}

#[test]
fn malformed_chunks_are_no_body() {
    for chunks in ["+3\r\na=1\r\n0\r\n\r\n", "3\na=1\n0\n\n", "3\r\na=1X\r\n0\r\n\r\n", "123456789\r\n"] {
        let (found, _) = cut(after("Transfer-Encoding: chunked\r\n", chunks).as_bytes());
        assert_eq!((found[0].1.as_str(), found[1].0.as_str()), ("", "/next"), "{chunks:?}");
    }
}

#[test]
fn pieces_of_any_size_give_the_same() {
    let long = format!("1;{}\r\nx\r\n0\r\n\r\n", "a".repeat(254));
    for stream in [after("Transfer-Encoding: chunked\r\n", &long), after("Content-Length: 3\r\n", "a=1")] {
        let (whole, _) = cut(stream.as_bytes());
        let (mut splitter, mut buffer, mut found) = (Splitter::new(), Vec::new(), Vec::new());
        for &byte in stream.as_bytes() {
            buffer.push(byte);
            while let Some((body, consumed)) = match splitter.next(&buffer, false) {
                Next::Request { framed, consumed, .. } => Some((Some(framed.body.to_vec()), consumed)),
                Next::Skipped { bytes } => Some((None, bytes)),
                Next::More | Next::End => None,
            } {
                found.extend(body.map(|body| String::from_utf8_lossy(&body).into_owned()));
                buffer.drain(..consumed);
            }
        }
        assert_eq!(found, whole.into_iter().map(|(_, body, _)| body).collect::<Vec<_>>());
    }
}

#[test]
fn one_bad_request_loses_no_other() {
    let stream = format!(
        "\0GET / HTTP/1.1\r\n\r\n{NEXT}garbage without an end\r\n{NEXT}get /low HTTP/1.1\r\n\r\nGET /old\r\n\r\n"
    );
    let (found, skipped) = cut(stream.as_bytes());
    let targets: Vec<&str> = found.iter().map(|(target, _, _)| target.as_str()).collect();
    assert_eq!(targets, ["/", "/next", "/next", "/low", "/old\r\n\r\n"]);
    assert_eq!(skipped, "garbage without an end\r\n".len());
}

#[test]
fn the_rest_of_a_line_that_was_cut_is_no_request() {
    let secret = "S3CRETpw HTTP/1.1 ".repeat(1 << 20);
    for long in [format!("GET /?pwd={secret}\r\nHost: a\r\n\r\n{NEXT}"), after(&format!("Cookie: a={secret}\r\n"), "")]
    {
        let (found, _) = cut(long.as_bytes());
        let targets: Vec<&str> = found.iter().skip(1).map(|(target, _, _)| target.as_str()).collect();
        assert!(found[0].2 && found.len() <= 3 && targets.contains(&"/next"), "{} requests", found.len());
    }
    let good = format!("{NEXT}{}\r\n{NEXT}", "x".repeat(20 << 20));
    holds(&good, &[("/next", "", false), ("/next", "", false)], (20 << 20) + 2);
}

#[test]
fn at_the_limit_pieces_do_not_matter() {
    const LIMIT: usize = 16 << 20;
    for over in 0..8 {
        let start = "GET /first HTTP/1.1\r\nX: ";
        let stream = format!("{start}{}\r\nY: z\r\n\r\n{NEXT}", "x".repeat(LIMIT - start.len() - 6 + over));
        let whole = heads(stream.as_bytes(), [stream.len()]);
        let pieces = heads(stream.as_bytes(), (LIMIT - 8..LIMIT + 24).chain([stream.len()]));
        assert_eq!(pieces, whole, "{over} more");
    }
}

/// Length and truncation of every head, where the buffer grows to each of these ends in turn.
fn heads(stream: &[u8], ends: impl IntoIterator<Item = usize>) -> Vec<(usize, bool)> {
    let (mut splitter, mut at, mut found) = (Splitter::new(), 0, Vec::new());
    for end in ends {
        while let Some((head, consumed)) = match splitter.next(&stream[at..end.max(at)], false) {
            Next::Request { framed, consumed, .. } => Some((Some((framed.head.len(), framed.truncated)), consumed)),
            Next::Skipped { bytes } => Some((None, bytes)),
            Next::More | Next::End => None,
        } {
            found.extend(head);
            at += consumed;
        }
    }
    found
}

#[test]
fn truncation_is_said_in_the_document() {
    let stream = after("Content-Length: 999999\r\n", "");
    let (mut out, mut splitter) = (String::new(), Splitter::new());
    if let Next::Request { framed, .. } = splitter.next(stream.as_bytes(), true) {
        Engine::default().canonicalize_framed(&framed, &mut out);
    }
    assert!(out.contains("FLAGS:[TRUNCATED]"), "{out}");
}

/// How the chunks were written is gone from the body, and still said.
#[test]
fn bad_chunks_are_said_in_the_document() {
    let said = |body: &str| {
        let stream = after("Transfer-Encoding: chunked\r\n", body);
        let mut splitter = Splitter::new();
        let Next::Request { framed, .. } = splitter.next(stream.as_bytes(), true) else { return None };
        let mut document = String::new();
        Engine::default().canonicalize_framed(&framed, &mut document);
        Some(document.contains("CHUNKBAD"))
    };
    assert_eq!(said("3\r\nabc\r\n0\r\n\r\n"), Some(false));
    assert_eq!(said("3;a=b\r\nabc\r\n0\r\n\r\n"), Some(false));
    assert_eq!(said("3 \r\nabc\r\n0\r\n\r\n"), Some(true));
    assert_eq!(said("3\r\nabc\r\n0\r\nX: y\r\n\r\n"), Some(true));
    assert_eq!(said("0x3\r\nabc\r\n0\r\n\r\n"), Some(true));
}
