//! `flags`, `explain`, `diff`, `config` and colour.

use crate::{DOCUMENT, Dir, REQUEST, command, run, tamiz};
use serde_json::Value;

const ODD: &[u8] = b"GET /a/../b HTTP/1.1\r\nHost: ex.com\r\nAuthorization: Bearer canary\r\n\r\n";

#[test]
fn flags_lists_every_row_on_a_line() {
    let rows: Vec<Value> = serde_json::from_str(&tamiz(&["flags", "--json"], b"").stdout).unwrap();
    assert!(rows.len() > 40, "{}", rows.len());
    for (lang, class) in [("en", "attack"), ("es", "ataque")] {
        let list = tamiz(&["flags", "--lang", lang], b"").stdout;
        assert_eq!(list.lines().count(), rows.len());
        for (line, row) in list.lines().zip(&rows) {
            assert!(line.starts_with(row["name"].as_str().unwrap()), "{line}");
            assert!(line.ends_with(row[lang].as_str().unwrap()), "{line}");
        }
        let dotdot = list.lines().find(|line| line.starts_with("DOTDOT ")).unwrap();
        assert!(dotdot.contains(class), "{dotdot}");
    }
}

#[test]
fn flags_shows_rows_in_full() {
    let done = tamiz(&["flags", "dotdot", "QREPEAT:id"], b"");
    assert!(done.stdout.starts_with("DOTDOT\n  meaning "), "{}", done.stdout);
    assert!(done.stdout.contains("\n\nQREPEAT:<key>\n"), "{}", done.stdout);
    assert!(done.stdout.contains("HTTP/1.1\\r\\n"), "{}", done.stdout);
    let done = tamiz(&["flags", "DOTDOT", "NOTHING"], b"");
    assert_eq!(done.stderr, "tamiz: there is no flag `NOTHING`; `tamiz flags` lists them\n");
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
}

#[test]
fn the_example_of_every_flag_raises_it() {
    let rows: Vec<Value> = serde_json::from_str(&tamiz(&["flags", "--json"], b"").stdout).unwrap();
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let enable = format!("flags.enable=[\"{name}\"]");
        let switch: &[&str] = if row["switch"] == true { &["--set", &enable] } else { &[] };
        let args = [&["canon", "--from", "raw", "--to", "jsonl"], switch].concat();
        let done = tamiz(&args, row["example"].as_str().unwrap().as_bytes());
        let object: Value = serde_json::from_str(&done.stdout).unwrap();
        assert!(object["flag_names"].as_array().unwrap().iter().any(|flag| flag == name), "{name}: {}", done.stdout);
    }
}

#[test]
fn explain_shows_stages_flags_and_the_document() {
    let done = tamiz(&["explain"], ODD);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    for part in ["Stages\n", "\nFlags\n", "  DOTDOT  attack  P", "\nDocument\n  M:GET\n", "AUTHBEARER"] {
        assert!(done.stdout.contains(part), "{part:?} in {}", done.stdout);
    }
    assert!(!done.stdout.contains("canary"), "{}", done.stdout);
    let spanish = tamiz(&["explain", "--lang", "es"], ODD);
    for part in ["\nDocumento\n", "ataque", "\nMarcas\n", " en los bytes "] {
        assert!(spanish.stdout.contains(part), "{part:?} in {}", spanish.stdout);
    }
}

#[test]
fn explain_agrees_with_canon() {
    let done = tamiz(&["explain", "--json"], ODD);
    let object: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(object["document"], tamiz(&["canon", "--from", "raw"], ODD).stdout);
    let findings = object["findings"].as_array().unwrap();
    let dotdot = findings.iter().find(|finding| finding["name"] == "DOTDOT").unwrap();
    assert_eq!((&dotdot["class"], &dotdot["line"]), (&Value::from("attack"), &Value::from("P")));
    assert!(!object["steps"].as_array().unwrap().is_empty());
    assert!(!done.stdout.contains("canary"));
}

#[test]
fn explain_of_a_missing_file() {
    let done = tamiz(&["explain", "/nowhere/at/all"], b"");
    assert_eq!(done.stderr, "tamiz: /nowhere/at/all: No such file or directory (os error 2)\n");
    assert_eq!(done.status, 2);
}

#[test]
fn diff_of_the_same_request_in_other_clothes() {
    let dir = Dir::new("same", &[("a", REQUEST), ("b", b"GET /%61/ HTTP/1.1\r\nhost:EX.com\r\n\r\n")]);
    let done = tamiz(&["diff", &dir.path("a"), &dir.path("b")], b"");
    assert_eq!((done.stdout.as_str(), done.status), ("same document\n", 0));
    let done = tamiz(&["diff", "-", &dir.path("a")], DOCUMENT.as_bytes());
    assert_eq!((done.stdout.as_str(), done.status), ("same document\n", 0));
}

#[test]
fn diff_aligns_lines_and_says_why() {
    let a = b"GET /b HTTP/1.1\r\nHost: ex.com\r\nX-A: 1\r\n\r\n";
    let b = b"GET /a/../b HTTP/1.1\r\nHost: ex.com\r\nX-B: 2\r\n\r\n";
    let dir = Dir::new("differ", &[("a", a), ("b", b)]);
    let (a, b) = (dir.path("a"), dir.path("b"));
    let done = tamiz(&["diff", &a, &b], b"");
    assert_eq!((done.status, done.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0], format!("--- {a}"));
    assert_eq!(lines[1], format!("+++ {b}"));
    assert_eq!(lines[2], "- U:http://ex.com/b");
    assert_eq!(lines[3], "+ U:http://ex.com/a/../b");
    assert_eq!(lines[4], "- P:/b PLEN:2@0-15 PMAX:1@0-15");
    assert_eq!(lines[5], "+ P:/a/../b PLEN:7@0-15 PMAX:2@0-15 [DOTDOT]");
    assert!(lines[6].starts_with("    + DOTDOT  "), "{}", lines[6]);
    // The meaning has been said.
    assert_eq!(lines[7], "+ FLAGS:[DOTDOT]");
    assert_eq!(lines[8..], ["- H:x-a=1", "+ H:x-b=2"]);
}

#[test]
fn diff_errors_have_status_2() {
    let dir = Dir::new("diff-errors", &[("a", REQUEST), ("bad", b"\n\nM:GET\nnonsense canary\n")]);
    let (a, bad) = (dir.path("a"), dir.path("bad"));
    let done = tamiz(&["diff", &a, &bad], b"");
    assert!(done.stderr.starts_with(&format!("tamiz: {bad}:4:1: ")), "{}", done.stderr);
    assert!(!done.stderr.contains("canary"));
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert_eq!(tamiz(&["diff", &a, "/nowhere/at/all"], b"").status, 2);
    let done = tamiz(&["diff", "-", "-"], b"");
    assert_eq!(done.stderr, "tamiz: only one of the two can be standard input\n");
    assert_eq!(done.status, 2);
}

#[test]
fn config_prints_what_config_reads() {
    let defaults = tamiz(&["config"], b"").stdout;
    let lines: Vec<&str> = defaults.lines().collect();
    assert_eq!(lines[lines.len() - 2], "# contract: 1.1");
    let fingerprint = lines[lines.len() - 1].strip_prefix("# fingerprint: ").unwrap();
    assert!(fingerprint.len() == 16 && fingerprint.bytes().all(|b| b.is_ascii_hexdigit()), "{fingerprint}");

    let changed = tamiz(&["config", "--set", "limits.long_value=99"], b"").stdout;
    assert!(changed.contains("long_value = 99"), "{changed}");
    assert_ne!(changed.lines().last(), defaults.lines().last());
    let dir = Dir::new("round", &[("changed.toml", changed.as_bytes())]);
    let again = tamiz(&["config", "--config", &dir.path("changed.toml")], b"").stdout;
    assert_eq!(again, changed);
}

#[test]
fn colour_is_for_those_who_see_it() {
    // Not a terminal: none by itself.
    for args in [&["flags"][..], &["--color", "never", "flags"], &["flags", "--color", "auto"]] {
        assert!(!tamiz(args, b"").stdout.contains('\x1b'), "{args:?}");
    }
    for args in [
        &["flags", "--color", "always"][..],
        &["--color", "always", "explain"],
        &["--color=always", "--help"],
        &["canon", "--color", "always", "--help"],
    ] {
        let mut command = command(args);
        // What is asked for on the command line wins.
        command.env("NO_COLOR", "1");
        assert!(run(command, ODD).stdout.contains("\x1b["), "{args:?}");
    }
    assert!(!tamiz(&["canon", "--color", "always"], ODD).stdout.contains('\x1b'));
}

/// `script` gives the command a terminal to write on; without it there is nothing to test.
#[cfg(target_os = "linux")]
#[test]
fn no_color_is_respected_on_a_terminal() {
    let on_terminal = |no_color: Option<&str>| {
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &format!("{} flags", env!("CARGO_BIN_EXE_tamiz")), "/dev/null"]);
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Ok(plain) = on_terminal(None) else { return };
    assert!(plain.contains("\x1b["), "{plain}");
    assert!(on_terminal(Some("")).unwrap().contains("\x1b["));
    assert!(!on_terminal(Some("1")).unwrap().contains('\x1b'));
}

#[test]
fn flags_suggests_the_closest_name() {
    for (word, name) in [("DOTDO", "DOTDOT"), ("dotdott", "DOTDOT"), ("QREPAET:id", "QREPEAT")] {
        let done = tamiz(&["flags", word], b"");
        assert_eq!(done.stderr, format!("tamiz: there is no flag `{word}`; did you mean `{name}`?\n"));
        assert_eq!(done.status, 2);
    }
}

#[test]
fn flags_in_full_are_for_reading() {
    let rows: Vec<Value> = serde_json::from_str(&tamiz(&["flags", "--json"], b"").stdout).unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    let all = tamiz(&[&["flags", "--lang", "es"], &names[..]].concat(), b"").stdout;
    assert!(!all.contains("\\'") && !all.contains("\\\""), "{all}");
    assert!(!all.chars().any(|c| c.is_control() && c != '\n'), "{all}");
    assert!(all.contains("extensión") && !all.contains(" extension\n"), "{all}");
    assert!(all.contains("\nBADHDRNAME:<name>\n"), "{all}");
}

#[test]
fn diff_says_what_a_flag_means_once() {
    let a = b"GET /b HTTP/1.1\r\nHost: ex.com\r\nX-A: 1\r\nX-B: 1\r\n\r\n";
    let b = b"GET /b HTTP/1.1\r\nHost: ex.com\r\nX-A: 1'\r\nX-B: 1'\r\n\r\n";
    let dir = Dir::new("once", &[("a", a), ("b", b)]);
    let rows: Vec<Value> = serde_json::from_str(&tamiz(&["flags", "--json", "QUOTE"], b"").stdout).unwrap();
    let meaning = rows[0]["en"].as_str().unwrap();
    for settings in [&[][..], &["--set", "lines.local_flags=false"]] {
        let done = tamiz(&[&["diff", &dir.path("a"), &dir.path("b")], settings].concat(), b"");
        assert_eq!(done.stdout.matches(meaning).count(), 1, "{}", done.stdout);
        let place = if settings.is_empty() { "    + QUOTE  " } else { "+ FLAGS:[QUOTE]  " };
        assert!(done.stdout.contains(&format!("{place}{meaning}\n")), "{}", done.stdout);
        assert!(done.stdout.contains("+ FLAGS:[QUOTE]"), "{}", done.stdout);
    }
}

#[test]
fn diff_does_not_shift_headers_behind_an_inserted_one() {
    let head = "GET /b HTTP/1.1\r\nHost: ex.com\r\n";
    let of = |values: &[&str]| {
        let lines: String = values.iter().map(|value| format!("X-A: {value}\r\n")).collect();
        format!("{head}{lines}\r\n").into_bytes()
    };
    let dir = Dir::new("shift", &[("a", &of(&["one", "two", "three"])), ("b", &of(&["zero", "one", "two", "three"]))]);
    let done = tamiz(&["diff", &dir.path("a"), &dir.path("b")], b"");
    let headers: Vec<&str> = done.stdout.lines().filter(|line| line.contains(" H:")).collect();
    assert_eq!(headers.len(), 1, "{}", done.stdout);
    assert!(headers[0].starts_with("+ H:x-a=zero"), "{}", done.stdout);
    // One that changed stays beside what it was.
    let dir = Dir::new("change", &[("a", &of(&["one", "two", "six"])), ("b", &of(&["one", "ten", "six"]))]);
    let done = tamiz(&["diff", &dir.path("a"), &dir.path("b")], b"");
    let headers: Vec<&str> = done.stdout.lines().filter(|line| line.contains(" H:")).collect();
    assert!(headers.len() == 2 && headers[0].starts_with("- H:x-a=two"), "{}", done.stdout);
    assert!(headers[1].starts_with("+ H:x-a=ten"), "{}", done.stdout);
}

#[test]
fn diff_tells_flags_from_the_elements_of_an_array() {
    let of = |body: &str, flags: &str| {
        let head = "M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:json";
        format!("{head} {body}\n{flags}HCNT:0 HLEN:0@0-15\n").into_bytes()
    };
    let plain = of("1 KEYS:[] []=<lower:1>", "");
    let flagged = of("1 KEYS:[] []=<mixed:1> [ANGLE]", "FLAGS:[ANGLE]\n");
    let dir = Dir::new("elements", &[("a", &plain), ("b", &flagged)]);
    let done = tamiz(&["diff", &dir.path("a"), &dir.path("b")], b"");
    let lines: Vec<&str> = done.stdout.lines().skip(2).collect();
    assert_eq!(lines[..2], ["- B:json 1 KEYS:[] []=<lower:1>", "+ B:json 1 KEYS:[] []=<mixed:1> [ANGLE]"]);
    assert!(lines[2].starts_with("    + ANGLE  "), "{}", lines[2]);
    assert_eq!(lines[3..], ["+ FLAGS:[ANGLE]"]);
}

#[test]
fn more_than_one_request_or_document_is_said() {
    let note = "note: what follows the first request was read as its body; `tamiz canon` reads many\n";
    let posts = b"POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 3\r\n\r\nk=v".repeat(2);
    let body = b"POST /a HTTP/1.1\r\nHost: ex.com\r\n\r\nthis is no request\nGET / HTTP/1.1\r\n\r\n";
    let dir = Dir::new("many", &[("one", REQUEST), ("two", &REQUEST.repeat(2))]);
    for two in [&REQUEST.repeat(2), &posts] {
        let done = tamiz(&["explain"], two);
        assert_eq!((done.status, done.stderr), (0, format!("tamiz: <stdin>: {note}")));
    }
    assert_eq!(tamiz(&["explain"], body).stderr, "");
    let done = tamiz(&["diff", &dir.path("one"), &dir.path("two")], b"");
    assert_eq!((done.status, done.stderr), (1, format!("tamiz: {}: {note}", dir.path("two"))));

    let done = tamiz(&["diff", "-", &dir.path("one")], format!("{DOCUMENT}\n\n{DOCUMENT}").as_bytes());
    assert_eq!((done.status, done.stderr.as_str()), (2, "tamiz: <stdin>:8:1: more than one document\n"));
}

#[test]
fn explain_takes_nothing_but_a_raw_request() {
    for (input, word) in [(DOCUMENT, "a document"), (" {\"raw\":\"canary\"}", "JSONL")] {
        let done = tamiz(&["explain"], input.as_bytes());
        let message = format!("tamiz: <stdin>: explain takes one raw request; this looks like {word}\n");
        assert_eq!((done.status, done.stdout.as_str(), done.stderr), (2, "", message));
    }
}
