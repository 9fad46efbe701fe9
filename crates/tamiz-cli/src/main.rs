//! The command `tamiz`: raw HTTP requests in, canonical documents out.

mod args;
mod canon;
mod config;
mod diff;
mod explain;
mod flags;
mod manual;
mod paint;
mod report;

use args::{Cli, Command};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use paint::Paint;
use report::{Report, Stop};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut report = Report::default();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let color = color_of(&arguments);
    let mut command = Cli::command().color(color);
    let parsed = command.try_get_matches_from_mut(&arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return report.close(say(&help, color)),
    };
    let paint = Paint::new(cli.color);
    let done = match cli.command {
        Command::Canon(args) => canon::run(&args, &mut report),
        Command::Flags(args) => flags::run(&args, &paint, &mut report),
        Command::Explain(args) => explain::run(&args, &paint, &mut report),
        Command::Diff(args) => diff::run(&args, &paint, &mut report),
        Command::Config(settings) => config::run(&settings, &mut report),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { out } => manual::pages(out.as_deref(), &mut report),
    };
    report.close(done)
}

/// What `--color` says, before the arguments are read: help and usage errors end that reading.
fn color_of(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().map_while(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let apart = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]).next_back();
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color=")).next_back();
    apart.or(joined).and_then(|when| when.parse().ok()).unwrap_or_default()
}

/// Help or version. Not by clap, which would not say that it could not be written.
fn say(help: &clap::Error, color: ColorChoice) -> Result<(), Stop> {
    let text = help.render();
    let mut out = io::stdout().lock();
    if paint::wanted(color) {
        write!(out, "{}", text.ansi())?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(out.flush()?)
}
