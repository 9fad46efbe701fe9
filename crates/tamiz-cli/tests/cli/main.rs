//! The command as its users see it: arguments and bytes in, bytes and an exit status out.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot run its command has failed")]

mod canon;
mod commands;
mod help;
mod refusals;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A small request, and its document.
const REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nHost: ex.com\r\n\r\n";
const DOCUMENT: &str = "\
M:GET
U:http://ex.com/a
P:/a PLEN:2@0-15 PMAX:1@0-15
H:host=ex.com
HCNT:1 HLEN:12@0-15
";

/// Another one, whose document has all the parts.
const RICH: &[u8] = b"POST /x/../y?id=7&bare&id= HTTP/1.1\r\nHost: ex.com\r\nCookie: a=1; b=22\r\n\
    X-Test: one\r\nX-Test: two\x01\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\nk=v1&pwd=abc";

/// What a run left behind.
#[derive(Debug)]
struct Done {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs `tamiz` with these arguments and standard input, without colour settings from outside.
fn tamiz(args: &[&str], stdin: &[u8]) -> Done {
    run(command(args), stdin)
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamiz"));
    command.args(args).env_remove("NO_COLOR");
    command
}

fn run(mut command: Command, stdin: &[u8]) -> Done {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // On a thread of its own: input and output may both be longer than a pipe holds.
    let writer = std::thread::spawn(move || pipe.write_all(&stdin));
    let output = child.wait_with_output().unwrap();
    // A command that ends before it has read everything closes the pipe; that is its right.
    let _ = writer.join().unwrap();
    Done {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A directory for one test, with these files in it.
struct Dir(PathBuf);

impl Dir {
    fn new(test: &str, files: &[(&str, &[u8])]) -> Dir {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (name, bytes) in files {
            std::fs::write(path.join(name), bytes).unwrap();
        }
        Dir(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
