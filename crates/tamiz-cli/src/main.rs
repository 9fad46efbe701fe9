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
use clap::Parser;
use paint::Paint;
use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let paint = Paint::new(cli.color);
    let mut report = Report::default();
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
