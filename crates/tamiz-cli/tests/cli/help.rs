//! Help, version, manual pages and completions: what they promise is run.

use crate::{Dir, REQUEST, command, tamiz};
use std::process::Command;

const COMMANDS: [&str; 7] = ["canon", "flags", "explain", "diff", "config", "completions", "man"];

#[test]
fn version_names_the_contract_and_unicode() {
    let done = tamiz(&["--version"], b"");
    let version = done.stdout.strip_prefix(concat!("tamiz ", env!("CARGO_PKG_VERSION"), " (contract 1.1, Unicode "));
    assert!(version.is_some_and(|rest| rest.ends_with(")\n") && rest.contains('.')), "{}", done.stdout);
}

#[test]
fn help_teaches() {
    let main = tamiz(&["--help"], b"").stdout;
    for name in COMMANDS {
        assert!(main.contains(&format!("\n  {name} ")), "{name}");
        let help = tamiz(&[name, "--help"], b"").stdout;
        assert!(examples(&help).len() >= 2, "{name}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{name}: {help}");
    }
    let canon = tamiz(&["help", "canon"], b"").stdout;
    for word in ["auto", "M:", "JSONL", "raw_b64", "Exit status", "--carry", "standard error"] {
        assert!(canon.contains(word), "{word} in {canon}");
    }
    assert!(tamiz(&["diff", "--help"], b"").stdout.contains("1  they differ"));
}

#[cfg(unix)]
#[test]
fn the_examples_in_the_help_run() {
    let record = b"{\"id\":1,\"source\":\"s\",\"raw\":\"GET /a HTTP/1.1\\r\\nHost: ex.com\\r\\n\\r\\n\"}\n";
    let two = b"GET /a/../b HTTP/1.1\r\nHost: ex.com\r\n\r\n";
    let dir = Dir::new(
        "examples",
        &[
            ("requests.http", &REQUEST.repeat(2)),
            ("one.http", REQUEST),
            ("two.http", two),
            ("data.jsonl", record),
            ("tamiz.toml", b"[lines]\nlocal_flags = false\n"),
        ],
    );
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_tamiz")).parent().unwrap();
    let helps = COMMANDS.map(|name| tamiz(&[name, "--help"], b"").stdout);
    for help in helps.iter().chain([&tamiz(&["--help"], b"").stdout]) {
        for example in examples(help) {
            let script = format!("PATH='{}':$PATH; {example}", program.display());
            let output = Command::new("sh").args(["-c", &script]).current_dir(&dir.0).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && stderr.is_empty(), "{example}: {stderr}");
            assert!(!output.stdout.is_empty() || example.contains(" > ") || example.contains("--out"), "{example}");
        }
    }
}

/// The lines that begin with a prompt.
fn examples(help: &str) -> Vec<&str> {
    help.lines().filter_map(|line| line.strip_prefix("  $ ")).collect()
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = tamiz(&["completions", shell], b"");
        assert_eq!(done.status, 0);
        for name in COMMANDS {
            assert!(done.stdout.contains(name), "{name} for {shell}");
        }
    }
}

#[test]
fn manual_pages_together_or_apart() {
    let all = tamiz(&["man"], b"").stdout;
    assert_eq!(all.matches(".TH ").count(), 1 + COMMANDS.len());
    let dir = Dir::new("man", &[]);
    let out = dir.path("pages");
    assert_eq!(tamiz(&["man", "--out", &out], b"").status, 0);
    for name in COMMANDS {
        let page = std::fs::read_to_string(format!("{out}/tamiz-{name}.1")).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && all.contains(&page), "{name}");
    }
    assert!(all.starts_with(&std::fs::read_to_string(format!("{out}/tamiz.1")).unwrap()));
    let done = tamiz(&["man", "--out", "/dev/null/pages"], b"");
    assert_eq!(done.status, 2);
    assert!(done.stderr.starts_with("tamiz: /dev/null/pages: "), "{}", done.stderr);
}

#[cfg(unix)]
#[test]
fn help_into_a_closed_pipe() {
    let mut child = command(&["man"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn only_canon_and_diff_have_status_1() {
    for name in COMMANDS {
        let help = tamiz(&[name, "--help"], b"").stdout;
        assert!(help.contains("\n  0  ") && help.contains("\n  2  "), "{name}: {help}");
        assert_eq!(help.contains("\n  1  "), ["canon", "diff"].contains(&name), "{name}: {help}");
    }
}

#[test]
fn manual_pages_have_the_usual_sections_and_whole_commands() {
    let all = tamiz(&["man"], b"").stdout;
    assert!(!all.contains("EXTRA"), "{all}");
    assert_eq!(all.matches("\n.SH EXAMPLES\n.nf\n$ ").count(), 1 + COMMANDS.len(), "{all}");
    assert_eq!(all.matches("\n.SH \"EXIT STATUS\"\n.TP\n0\nall went well\n").count(), COMMANDS.len(), "{all}");
    assert_eq!(all.matches("\n.nf\n").count(), all.matches("\n.fi\n").count());
    assert!(all.contains("\n$ tamiz canon \\-\\-to jsonl requests.http > documents.jsonl\n"), "{all}");
    assert!(all.contains("\n$ printf \\(aqGET /a/%%2e%%2e/b?id=7 HTTP/1.1\\er\\enHost: "), "{all}");
}
