//! What cannot be read: said with its place, never with its content, and the rest is processed.

use crate::{DOCUMENT, Dir, REQUEST, tamiz};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Each line is refused with exactly this, line and column aside; `canary` stands wherever content is.
const REFUSED: &[(&[u8], &str)] = &[
    (b"{\"raw\":\"canary\\x\"}", ":1:16: malformed JSON"),
    (b"{\"raw\":\"canary\"} canary", ":1:18: malformed JSON"),
    (b"{\"raw\":\"canary\"", ":1:15: the JSON ends too soon"),
    (b"[\"canary\"]", ":1: not a JSON object"),
    (b"\"canary\"", ":1: not a JSON object"),
    (b"{\"raw\":\"canary\xff\"}", ":1:15: not UTF-8"),
    (b"{\"raw\":[\"canary\"]}", ":1: `raw` is not a string"),
    (b"{\"raw\":17}", ":1: `raw` is not a string"),
    (b"{\"raw\":\"\\ud800canary\"}", ":1: `raw` is not a string"),
    (b"{\"raw_b64\":{\"canary\":1}}", ":1: `raw_b64` is not a string"),
    (b"{\"raw_b64\":\"canary!\"}", ":1: `raw_b64`: standard base64 with padding is expected"),
    (b"{\"raw_b64\":\"R0VUIA\"}", ":1: `raw_b64`: standard base64 with padding is expected"),
    (b"{\"raw\":\"canary\",\"raw_b64\":\"canary\"}", ":1: both `raw` and `raw_b64`"),
    (b"{\"raw\":\"canary\",\"raw\":\"canary\"}", ":1: `raw` stands twice"),
    (b"{\"id\":\"canary\",\"id\":2,\"raw\":\"canary\"}", ":1: `id` stands twice"),
    (b"{}", ":1: no request: neither `raw_b64` nor `raw` nor `method`"),
    (b"{\"id\":\"canary\",\"raw\":null}", ":1: no request: neither `raw_b64` nor `raw` nor `method`"),
    (b"{\"target\":\"/canary\"}", ":1: `method` is missing"),
    (b"{\"method\":\"CANARY\"}", ":1: `target` is missing"),
    (b"{\"method\":1,\"target\":\"/canary\"}", ":1: `method` is not a string"),
    (b"{\"method\":\"GET\",\"target\":[\"/canary\"]}", ":1: `target` is not a string"),
    (b"{\"method\":\"GET\",\"target\":\"/canary\",\"path\":\"/canary\"}", ":1: both `target` and `path`"),
    (b"{\"method\":\"GET\",\"path\":false,\"authority\":\"canary\"}", ":1: `path` is not a string"),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"headers\":{\"canary\":\"canary\"}}", HEADERS),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"headers\":[[\"canary\"]]}", HEADERS),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"headers\":[[\"canary\",1]]}", HEADERS),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"headers\":[[\"canary\",\"canary\",\"canary\"]]}", HEADERS),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"body\":7}", ":1: `body` is not a string"),
    (
        b"{\"method\":\"GET\",\"target\":\"/\",\"body_b64\":\"canary!\"}",
        ":1: `body_b64`: standard base64 with padding is expected",
    ),
    (b"{\"method\":\"GET\",\"target\":\"/\",\"body_b64\":\"\",\"body\":\"canary\"}", ":1: both `body` and `body_b64`"),
];
const HEADERS: &str = ":1: `headers` is not an array of [name, value]";

#[test]
fn each_bad_record_has_its_message() {
    for (line, message) in REFUSED {
        let done = tamiz(&["canon", "--from", "jsonl"], line);
        assert_eq!(done.stderr, format!("tamiz: <stdin>{message}\n"), "{}", line.escape_ascii());
        assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{}", line.escape_ascii());
        assert!(!done.stderr.to_lowercase().contains("canary"), "{}", done.stderr);
    }
}

#[test]
fn the_rest_is_processed() {
    let good = json!({ "id": "good", "raw_b64": STANDARD.encode(REQUEST) }).to_string();
    let mut input = Vec::new();
    for (line, _) in REFUSED {
        input.extend_from_slice(line);
        input.extend_from_slice(format!("\r\n{good}\n\n").as_bytes());
    }
    for to in ["jsonl", "json"] {
        let done = tamiz(&["canon", "--from", "jsonl", "--to", to], &input);
        assert_eq!(done.status, 1);
        let lines = done.stderr.lines().collect::<Vec<_>>();
        assert_eq!(lines.len(), REFUSED.len(), "{}", done.stderr);
        assert!(lines[3].starts_with("tamiz: <stdin>:10: "), "{}", lines[3]);
        assert_eq!(done.stdout.matches("\"id\":\"good\"").count(), REFUSED.len());
        if to == "json" {
            serde_json::from_str::<Vec<Value>>(&done.stdout).unwrap();
        }
    }
}

#[test]
fn an_array_of_refused_records_is_still_an_array() {
    let done = tamiz(&["canon", "--to", "json"], b"{canary\n{\"raw\":1}\n");
    assert_eq!((done.stdout.as_str(), done.status), ("[]\n", 1));
}

#[test]
fn what_was_detected_is_never_read_as_something_else() {
    let jsonl =
        [b"{\"raw\":\"GET /a HTTP/1.1\\r\\nHost: ex.com\\r\\n\\r\\n\"}\n", REQUEST, DOCUMENT.as_bytes()].concat();
    let done = tamiz(&["canon"], &jsonl);
    assert_eq!((done.stdout.as_str(), done.status), (DOCUMENT, 1));
    // The three lines of the request and the five of the document; two are blank.
    assert_eq!(done.stderr.lines().count(), 2 + 5, "{}", done.stderr);

    let canonical = [DOCUMENT.as_bytes(), b"\n", REQUEST, b"\n{\"raw\":\"canary\"}\n\n", DOCUMENT.as_bytes()].concat();
    let done = tamiz(&["canon"], &canonical);
    assert_eq!((done.stdout, done.status), (format!("{DOCUMENT}\n{DOCUMENT}"), 1));
    assert!(done.stderr.lines().all(|line| line.starts_with("tamiz: <stdin>:")), "{}", done.stderr);
    assert!(!done.stderr.contains("canary") && !done.stderr.contains("ex.com"), "{}", done.stderr);
}

#[test]
fn a_bad_document_is_placed_by_line_and_column() {
    let bad = DOCUMENT.replace("HCNT:1", "HCNT:2").replace("/a", "/canary");
    let input = format!("{DOCUMENT}\n{bad}\n{DOCUMENT}\nM:\u{1}canary\n\n{DOCUMENT}");
    let done = tamiz(&["canon", "--from", "canonical"], input.as_bytes());
    assert_eq!(done.stdout, [DOCUMENT; 3].join("\n"));
    assert_eq!(done.status, 1);
    let places: Vec<_> = done.stderr.lines().map(|line| line.split(':').nth(2).unwrap()).collect();
    assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
    assert_eq!(places[1], "19", "{}", done.stderr);
    assert!(["7", "8", "9", "10", "11"].contains(&places[0]), "{}", done.stderr);
    assert!(!done.stderr.contains("canary"), "{}", done.stderr);

    let done = tamiz(&["canon", "--from", "canonical"], b"M:GET\nP:/\xffcanary\n");
    assert_eq!((done.stderr.as_str(), done.status), ("tamiz: <stdin>:2:4: not UTF-8\n", 1));
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_read() {
    let dir = Dir::new("missing", &[("good.http", REQUEST), ("bad.jsonl", b"{\"raw\":1}\n")]);
    let [missing, good, bad, folder] = ["nowhere", "good.http", "bad.jsonl", "."].map(|name| dir.path(name));
    let done = tamiz(&["canon", &missing, &good, &bad, &folder, &good], b"");
    assert_eq!(done.stdout, format!("{DOCUMENT}\n{DOCUMENT}"));
    let lines: Vec<_> = done.stderr.lines().collect();
    assert_eq!(lines[0], format!("tamiz: {missing}: No such file or directory (os error 2)"));
    assert_eq!(lines[1], format!("tamiz: {bad}:1: `raw` is not a string"));
    assert_eq!(lines[2], format!("tamiz: {folder}: Is a directory (os error 21)"));
    // An unreadable file weighs more than a refused record.
    assert_eq!(done.status, 2);
    assert_eq!(tamiz(&["canon", &bad, &good], b"").status, 1);
}

#[test]
fn usage_errors_say_what_is_wrong() {
    for (args, word) in [
        (&["canon", "--from", "xml"][..], "xml"),
        (&["canon", "--to", "xml"], "xml"),
        (&["canon", "--set", "scheme"], "there is no `=`"),
        (&["canon", "--carry", "a,raw"], "cannot be carried"),
        (&["canon", "--carry", "canonical"], "cannot be carried"),
        (&["canon", "--carry", ""], "empty"),
        (&["canon", "--carry", "a, "], "empty"),
        (&["canon", "--carry", "a, raw"], "cannot be carried"),
        (&["canon", "--scheme", "a b"], "not a scheme"),
        (&["canon", "--scheme", "a\"b"], "not a scheme"),
        (&["canon", "--scheme", ""], "not a scheme"),
        (&["canon", "--nothing"], "--nothing"),
        (&["nothing"], "nothing"),
        (&[], "Usage"),
    ] {
        let done = tamiz(args, b"");
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{args:?}");
        assert!(done.stderr.contains(word), "{args:?}: {}", done.stderr);
    }
}

#[test]
fn a_bad_configuration_names_the_key_and_the_line() {
    let dir = Dir::new(
        "config",
        &[("unknown.toml", b"scheme = \"http\"\n\n[lines]\nlocal_flag = true\n"), ("broken.toml", b"scheme = \n")],
    );
    let unknown = dir.path("unknown.toml");
    for command in ["canon", "explain", "config"] {
        let done = tamiz(&[command, "--config", &unknown], REQUEST);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{command}");
        assert!(done.stderr.starts_with(&format!("tamiz: {unknown}:4: ")), "{}", done.stderr);
        assert!(done.stderr.contains("local_flag"), "{}", done.stderr);
    }
    let broken = dir.path("broken.toml");
    let done = tamiz(&["config", "--config", &broken], b"");
    assert!(done.stderr.starts_with(&format!("tamiz: {broken}:1: ")), "{}", done.stderr);
    let done = tamiz(&["canon", "--set", "lines.nothing=true"], REQUEST);
    assert!(done.stderr.starts_with("tamiz: --set: lines.nothing: "), "{}", done.stderr);
    assert_eq!(done.status, 2);
    let done = tamiz(&["canon", "--config", &dir.path("nowhere.toml")], REQUEST);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("nowhere.toml: No such file"), "{}", done.stderr);
}

#[test]
fn a_carried_field_that_stands_twice_is_named_by_the_users_word() {
    let record = b"{\"raw\":\"canary\",\"source\":\"canary\",\"source\":2}";
    let done = tamiz(&["canon", "--carry", "n, source"], record);
    assert_eq!((done.stderr.as_str(), done.status), ("tamiz: <stdin>:1: `source` stands twice\n", 1));
}

#[test]
fn carriage_returns_in_documents_are_named() {
    let input = format!("{DOCUMENT}\n{}", DOCUMENT.replace('\n', "\r\n"));
    let done = tamiz(&["canon"], input.as_bytes());
    assert_eq!(done.stdout, DOCUMENT);
    assert_eq!(done.stderr, "tamiz: <stdin>:7:6: lines must end in LF, not CRLF\n");
    let dir = Dir::new("crlf", &[("a", REQUEST)]);
    let done = tamiz(&["diff", "-", &dir.path("a")], DOCUMENT.replace('\n', "\r\n").as_bytes());
    assert_eq!((done.stderr.as_str(), done.status), ("tamiz: <stdin>:1:6: lines must end in LF, not CRLF\n", 2));
}

#[test]
fn a_line_end_in_a_path_begins_no_message() {
    for args in [
        &["config", "--config", "no\nwhere"][..],
        &["canon", "no\nwhere"],
        &["diff", "no\nwhere", "-"],
        &["flags", "no\nwhere"],
        &["man", "--out", "/dev/null/no\nwhere"],
    ] {
        let done = tamiz(args, b"");
        assert_eq!((done.status, done.stderr.lines().count()), (2, 1), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains("no\u{fffd}where"), "{args:?}: {}", done.stderr);
    }
}
