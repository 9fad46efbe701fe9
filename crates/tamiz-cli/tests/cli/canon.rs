//! What `canon` writes: every kind of input in every form of output.

use crate::{DOCUMENT, Dir, REQUEST, RICH, command, tamiz};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

/// Two of the small request, in each kind that can hold two.
fn two_of_each() -> [(&'static str, Vec<u8>); 3] {
    let record = json!({ "raw_b64": STANDARD.encode(REQUEST) });
    [
        ("stream", REQUEST.repeat(2)),
        ("jsonl", format!("{record}\n\n{record}\n").into_bytes()),
        ("canonical", format!("{DOCUMENT}\n{DOCUMENT}").into_bytes()),
    ]
}

#[test]
fn every_kind_as_text() {
    for (kind, input) in two_of_each() {
        for from in [kind, "auto"] {
            let done = tamiz(&["canon", "--from", from], &input);
            assert_eq!(done.stdout, format!("{DOCUMENT}\n{DOCUMENT}"), "{kind} from {from}");
            assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{kind} from {from}");
        }
    }
}

#[test]
fn every_kind_as_jsonl_and_json() {
    for (kind, input) in two_of_each() {
        let lines = tamiz(&["canon", "--from", kind, "--to", "jsonl"], &input);
        assert_eq!(lines.status, 0);
        let records: Vec<Value> = lines.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 2, "{kind}");
        assert_eq!(records[0]["canonical"], DOCUMENT, "{kind}");
        let array = tamiz(&["canon", "--from", kind, "--to", "json"], &input);
        let array: Vec<Value> = serde_json::from_str(&array.stdout).unwrap();
        assert_eq!(array, records, "{kind}");
    }
}

#[test]
fn raw_is_one_request_whatever_is_in_it() {
    let done = tamiz(&["canon", "--from", "raw"], REQUEST);
    assert_eq!(done.stdout, DOCUMENT);
    // The second request is the body of the first, and `M:` is no document here.
    let two = tamiz(&["canon", "--from", "raw"], &REQUEST.repeat(2));
    assert_eq!(two.stdout.matches("M:").count(), 1);
    assert!(two.stdout.contains("\nB:raw BLEN:33@32-63 [BODYUNEXPECTED]\n"), "{}", two.stdout);
    let document = tamiz(&["canon", "--from", "raw"], DOCUMENT.as_bytes());
    assert_ne!(document.stdout, DOCUMENT);
}

#[test]
fn nothing_gives_nothing_except_for_raw() {
    for from in ["auto", "stream", "jsonl", "canonical"] {
        let done = tamiz(&["canon", "--from", from], b"");
        assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (0, "", ""), "{from}");
    }
    assert_eq!(tamiz(&["canon", "--to", "json"], b"").stdout, "[]\n");
    assert_eq!(tamiz(&["canon", "--to", "jsonl"], b"\n\r\n").stdout, "");
    let done = tamiz(&["canon", "--from", "raw"], b"");
    assert!(done.stdout.starts_with("M:\nP:/ "), "{}", done.stdout);
}

#[test]
fn the_object_has_the_fields_of_the_contract_in_their_order() {
    let record = json!({ "id": 7, "label": { "attack": true }, "raw_b64": STANDARD.encode(RICH) });
    let done = tamiz(&["canon", "--to", "jsonl"], record.to_string().as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let names = [
        "id",
        "label",
        "contract",
        "canonical",
        "flags",
        "flag_names",
        "method",
        "url",
        "path",
        "plen",
        "pmax",
        "query",
        "body",
        "headers",
        "hcnt",
        "hlen",
        "local",
    ];
    let places: Vec<usize> = names.iter().map(|name| done.stdout.find(&format!("\"{name}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{}", done.stdout);

    let mut object: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(object.as_object().unwrap().len(), names.len());
    let canonical = object["canonical"].take();
    assert!(canonical.as_str().unwrap().starts_with("M:POST\nU:http://ex.com/x/../y?"));
    let flags: Vec<&str> = object["flags"].as_array().unwrap().iter().map(|flag| flag.as_str().unwrap()).collect();
    assert!(canonical.as_str().unwrap().contains(&format!("\nFLAGS:[{}]\n", flags.join(" "))));
    for flag in ["BODYFORM", "CONTROL", "COOKIE:2", "DOTDOT", "DUPHDR:x-test", "QBARE", "QEMPTYVAL", "QREPEAT:id"] {
        assert!(flags.contains(&flag), "{flag} in {flags:?}");
        let name = flag.split(':').next().unwrap();
        assert!(object["flag_names"].as_array().unwrap().contains(&json!(name)), "{flag}");
    }
    assert_eq!(object["id"], 7);
    assert_eq!(object["label"], json!({ "attack": true }));
    assert_eq!(object["contract"], "1.1");
    assert_eq!(object["method"], "POST");
    assert_eq!(object["path"], "/x/../y");
    assert_eq!((&object["plen"], &object["pmax"]), (&json!(7), &json!(2)));
    assert_eq!(object["query"], json!([["id", "<num:1>"], ["bare", null], ["id", "<mixed:0>"]]));
    assert_eq!(object["body"]["kind"], "form");
    assert_eq!(object["body"]["pairs"][0][0], "k");
    assert_eq!(object["body"]["pairs"][1], json!(["pwd", "<SECRET:lower:3>"]));
    assert_eq!(object["hcnt"], 6);
    assert_eq!(object["headers"].as_array().unwrap().len(), 6);
    assert_eq!(object["headers"][3], json!(["host", "ex.com"]));
    // Both x-test lines under one name.
    assert_eq!(object["local"]["P"], json!(["DOTDOT"]));
    let of_test = object["local"]["H:x-test"].as_array().unwrap();
    assert!(of_test.contains(&json!("CONTROL")) && of_test.contains(&json!("DUPHDR:x-test")), "{of_test:?}");
}

#[test]
fn what_is_absent_is_null() {
    let done = tamiz(&["canon", "--to", "jsonl"], b"CONNECT ex.com:443 HTTP/1.1\r\nHost: ex.com\r\n\r\n");
    let object: Value = serde_json::from_str(&done.stdout).unwrap();
    for name in ["path", "plen", "pmax", "query", "body"] {
        assert_eq!(object[name], Value::Null, "{name}");
    }
    let done = tamiz(&["canon", "--to", "jsonl"], b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyz");
    let object: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(object["url"], Value::Null);
    assert_eq!(object["body"], json!({ "kind": "raw", "len": 3 }));
    assert!(!done.stdout.contains("\"id\"") && !done.stdout.contains("\"label\""));
}

#[test]
fn the_object_of_each_kind_of_body() {
    let graphql = json!({ "operations": ["query:Cart", "mutation"], "depth": 2 });
    for (line, object) in [
        ("raw BLEN:20@16-31", json!({ "kind": "raw", "len": 20 })),
        ("form 2 KEYS:a,b a=<num:1>&b", json!({ "kind": "form", "pairs": [["a", "<num:1>"], ["b", null]] })),
        ("json 1 KEYS:[] []=<bool>", json!({ "kind": "json", "pairs": [["[]", "<bool>"]], "graphql": null })),
        (
            "json 1 KEYS:query query=<graphql:30> GRAPHQL:query:Cart,mutation DEPTH:2",
            json!({ "kind": "json", "pairs": [["query", "<graphql:30>"]], "graphql": graphql }),
        ),
        (
            "multipart 1 KEYS:f f=<file:png:68>:image/png",
            json!({ "kind": "multipart", "pairs": [["f", "<file:png:68>:image/png"]] }),
        ),
        ("xml 0 KEYS: DEPTH:1", json!({ "kind": "xml", "pairs": [], "depth": 1 })),
    ] {
        let document = format!("M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:{line}\nHCNT:0 HLEN:0@0-15\n");
        let done = tamiz(&["canon", "--to", "jsonl"], document.as_bytes());
        let read: Value = serde_json::from_str(&done.stdout).expect(&done.stderr);
        assert_eq!((&read["body"], &read["canonical"]), (&object, &json!(document)));
    }
}

#[test]
fn jsonl_takes_raw_text_and_parts() {
    let same = [
        json!({ "raw": std::str::from_utf8(REQUEST).unwrap() }),
        json!({ "raw": null, "raw_b64": STANDARD.encode(REQUEST), "method": 5, "headers": "ignored" }),
        json!({ "method": "GET", "target": "/a", "headers": [["Host", "ex.com"]] }),
        json!({ "method": "GET", "target": "/a", "headers": [["Host", "ex.com"]], "body": "", "path": null }),
    ];
    for record in same {
        let done = tamiz(&["canon"], record.to_string().as_bytes());
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), (DOCUMENT, ""), "{record}");
    }
    let split = json!({ "method": "GET", "scheme": "https", "authority": "ex.com", "path": "/a" });
    let done = tamiz(&["canon"], split.to_string().as_bytes());
    assert!(done.stdout.starts_with("M:GET\nU:https://ex.com/a\nP:/a "), "{}{}", done.stdout, done.stderr);
    for body in [json!({ "body": "k=v" }), json!({ "body_b64": "az12" })] {
        let mut record = json!({
            "method": "POST", "target": "/a",
            "headers": [["Host", "ex.com"], ["Content-Type", "application/x-www-form-urlencoded"]],
        });
        record.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let done = tamiz(&["canon"], record.to_string().as_bytes());
        assert!(done.stdout.contains("\nB:form 1 KEYS:k k=<lower:1>"), "{}{}", done.stdout, done.stderr);
    }
}

#[test]
fn only_what_is_named_is_carried() {
    let raw = STANDARD.encode(REQUEST);
    let record = format!(
        "{{\"source\": \"x\\u2028\u{2028}y\", \"note\":\"hunter2\", \"raw_b64\":\"{raw}\", \"n\": [1,\r{{\"a\":1e400}}]}}\n"
    );
    let plain = tamiz(&["canon", "--to", "jsonl"], record.as_bytes());
    assert!(plain.stdout.starts_with("{\"contract\":\"1.1\",\"canonical\":"), "{}", plain.stdout);
    let done = tamiz(&["canon", "--to", "jsonl", "--carry", "n,source,absent,id"], record.as_bytes());
    // As they were, in the order asked for; nothing in them may look like a line end.
    let head = "{\"n\":[1, {\"a\":1e400}],\"source\":\"x\\u2028\\u2028y\",\"contract\":\"1.1\",";
    assert!(done.stdout.starts_with(head), "{}", done.stdout);
    assert!(!done.stdout.contains("hunter2"));
}

#[test]
fn ids_of_any_type_are_carried_as_they_are() {
    for id in ["\"a\\u00e9\"", "17", "1.50", "null", "true", "[1,2]", "{\"k\":[]}"] {
        let record = format!("{{\"id\":{id},\"raw\":\"GET / HTTP/1.1\"}}");
        let done = tamiz(&["canon", "--to", "jsonl"], record.as_bytes());
        assert!(done.stdout.starts_with(&format!("{{\"id\":{id},\"contract\"")), "{}", done.stdout);
    }
}

#[test]
fn each_file_is_detected_on_its_own_and_one_empty_line_separates() {
    let record = json!({ "raw_b64": STANDARD.encode(REQUEST) }).to_string();
    let dir = Dir::new(
        "kinds",
        &[
            ("a.http", REQUEST),
            ("b.jsonl", format!("\r\n  {record}\n").as_bytes()),
            ("c.txt", format!("\n\n{DOCUMENT}\n\n{DOCUMENT}\n").as_bytes()),
            ("empty", b""),
        ],
    );
    let files = ["a.http", "empty", "b.jsonl", "c.txt"].map(|name| dir.path(name));
    let args = ["canon", &files[0], &files[1], "-", &files[2], &files[3]];
    let done = tamiz(&args, REQUEST);
    assert_eq!(done.stdout, [DOCUMENT; 5].join("\n"), "{}", done.stderr);
    assert_eq!(done.status, 0);
}

#[test]
fn canon_of_canon_is_canon() {
    let input = [REQUEST, RICH, REQUEST].concat();
    let once = tamiz(&["canon"], &input);
    assert_eq!(once.stdout.matches("\nM:").count(), 2, "{}", once.stdout);
    let twice = tamiz(&["canon"], once.stdout.as_bytes());
    assert_eq!(twice.stdout, once.stdout);
    assert_eq!(twice.status, 0);
}

#[test]
fn the_command_line_wins_over_the_file() {
    let dir = Dir::new("wins", &[("tamiz.toml", b"scheme = \"https\"\n[lines]\nkeys_sorted = true\n")]);
    let config = dir.path("tamiz.toml");
    let of = |args: &[&str]| {
        let all = [&["canon", "--config", &config], args].concat();
        tamiz(&all, b"GET /a?b=1&a=2 HTTP/1.1\r\nHost: ex.com\r\n\r\n").stdout
    };
    assert!(of(&[]).contains("U:https://ex.com/a") && of(&[]).contains("\nKEYS_SORTED:a,b\n"));
    assert!(of(&["--set", "scheme=http"]).contains("U:http://ex.com/a"));
    assert!(of(&["--scheme", "http"]).contains("U:http://ex.com/a"));
    assert!(!of(&["--set", "lines.keys_sorted=false"]).contains("KEYS_SORTED"));
    let last = of(&["--set", "lines.keys_sorted=false", "--set", "lines.keys_sorted=true"]);
    assert!(last.contains("KEYS_SORTED"));
}

#[test]
fn a_long_stream_comes_through_a_pipe() {
    let body = vec![b'x'; 3 << 20];
    let mut input = Vec::new();
    for _ in 0..4 {
        input.extend_from_slice(&REQUEST.repeat(5000));
        input.extend_from_slice(b"POST /big HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 3145728\r\n\r\n");
        input.extend_from_slice(&body);
    }
    let done = tamiz(&["canon"], &input);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert_eq!(done.stdout.split("\n\n").count(), 20_004);
    assert_eq!(done.stdout.matches("\nB:raw BLEN:3145728@>1023\n").count(), 4);
}

#[test]
fn a_live_pipe_is_answered_before_it_ends() {
    let mut child = command(&["canon"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    // The head ends here: without a length there is no body to wait for.
    stdin.write_all(REQUEST).unwrap();
    let (said, answer) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = vec![0; DOCUMENT.len()];
        let _ = said.send(stdout.read(&mut text).map(|count| text[..count].to_vec()));
    });
    // An answer that only comes with the end of the input would never come while `stdin` is open.
    let answer = answer.recv_timeout(Duration::from_secs(20));
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(answer.unwrap().unwrap(), DOCUMENT.as_bytes());
}

#[test]
fn skipped_bytes_are_a_note_and_no_error() {
    let mut input = REQUEST.to_vec();
    input.extend_from_slice(b"\x00canary\x01\n\x02canary\n");
    input.extend_from_slice(REQUEST);
    let done = tamiz(&["canon", "--from", "stream"], &input);
    assert_eq!(done.status, 0);
    assert_eq!(done.stdout, format!("{DOCUMENT}\n{DOCUMENT}"));
    assert_eq!(done.stderr, "tamiz: <stdin>: skipped 17 bytes at offset 33: no request begins there\n");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    for to in ["text", "json", "jsonl"] {
        let mut child = command(&["canon", "--to", to])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // The command may be gone before all of it is written.
        let _ = stdin.write_all(&REQUEST.repeat(50_000));
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()), "{to}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for args in
        [&["canon"][..], &["canon", "--to", "json"], &["flags"], &["config"], &["man"], &["--help"], &["--version"]]
    {
        let mut command = command(args);
        command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(REQUEST);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr, "tamiz: standard output: No space left on device (os error 28)\n", "{args:?}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_document_without_its_last_line_end_gets_one() {
    let without = DOCUMENT.trim_end();
    let dir = Dir::new("no-line-end", &[("without", without.as_bytes()), ("with", DOCUMENT.as_bytes())]);
    let (without, with) = (dir.path("without"), dir.path("with"));
    for files in [[&without, &with], [&with, &without], [&without, &without]] {
        let done = tamiz(&["canon", files[0], files[1]], b"");
        assert_eq!((done.stdout, done.status), (format!("{DOCUMENT}\n{DOCUMENT}"), 0), "{}", done.stderr);
        let done = tamiz(&["diff", files[0], files[1]], b"");
        assert_eq!((done.stdout.as_str(), done.status), ("same document\n", 0), "{}", done.stderr);
    }
    let done = tamiz(&["canon", "--to", "jsonl", &without], b"");
    let object: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(object["canonical"], DOCUMENT);
}

#[test]
fn a_byte_order_mark_is_skipped_in_text_and_content_in_a_request() {
    for (kind, input) in two_of_each().into_iter().skip(1) {
        let input = ["\u{feff}".as_bytes(), &input].concat();
        for from in [kind, "auto"] {
            let done = tamiz(&["canon", "--from", from], &input);
            assert_eq!(done.stdout, format!("{DOCUMENT}\n{DOCUMENT}"), "{kind} from {from}: {}", done.stderr);
        }
    }
    let twice = format!("\u{feff}\u{feff}{DOCUMENT}");
    assert_eq!(tamiz(&["canon", "--from", "canonical"], twice.as_bytes()).status, 1);
    let request = ["\u{feff}".as_bytes(), REQUEST].concat();
    assert_ne!(tamiz(&["canon", "--from", "raw"], &request).stdout, DOCUMENT);
    let dir = Dir::new("bom", &[("a", REQUEST), ("b", format!("\u{feff} \n{DOCUMENT}\n\n").as_bytes())]);
    let done = tamiz(&["diff", &dir.path("a"), &dir.path("b")], b"");
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("same document\n", ""));
}

#[test]
fn lines_of_blanks_before_the_first_document_are_skipped() {
    for blank in ["\n", " \n", "\t \n\n  \n", "\r\n"] {
        let input = format!("{blank}{DOCUMENT}\n{DOCUMENT}");
        for from in ["auto", "canonical"] {
            let done = tamiz(&["canon", "--from", from], input.as_bytes());
            assert_eq!(done.stdout, format!("{DOCUMENT}\n{DOCUMENT}"), "{blank:?} from {from}: {}", done.stderr);
        }
        let dir = Dir::new("blanks", &[("a", REQUEST)]);
        let done = tamiz(&["diff", "-", &dir.path("a")], format!("{blank}{DOCUMENT}").as_bytes());
        assert_eq!(done.stdout, "same document\n", "{blank:?}: {}", done.stderr);
        let done = tamiz(&["canon", "--from", "canonical"], format!("{blank}{blank}").as_bytes());
        assert_eq!((done.stdout.as_str(), done.status), ("", 0), "{blank:?}");
    }
    // Their lines count.
    let done = tamiz(&["canon"], b" \n\nM:\x01\n");
    assert!(done.stderr.starts_with("tamiz: <stdin>:3:"), "{}", done.stderr);
    assert_eq!(tamiz(&["canon", "--from", "canonical"], b" \n ").status, 0);
}

#[test]
fn names_to_carry_are_trimmed() {
    let record = json!({ "source": 5, "n": 6, "raw_b64": STANDARD.encode(REQUEST) }).to_string();
    let done = tamiz(&["canon", "--to", "jsonl", "--carry", "n, source"], record.as_bytes());
    assert!(done.stdout.starts_with("{\"n\":6,\"source\":5,"), "{}{}", done.stdout, done.stderr);
}
