//! Shell completions and manual pages, both out of the argument definitions.

use crate::args::Cli;
use crate::report::{Report, Stop, shown};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn completions(shell: Shell) -> Result<(), Stop> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tamiz", &mut script);
    // Through a buffer, because `generate` panics where it cannot write.
    Ok(io::stdout().lock().write_all(&script)?)
}

/// All pages one after the other, or one file each in `directory`.
pub(crate) fn pages(directory: Option<&Path>, report: &mut Report) -> Result<(), Stop> {
    let mut command = Cli::command().disable_help_subcommand(true);
    // Building gives the subcommands their full names and the global options.
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let pages = std::iter::once(command).chain(subcommands).map(Page::new);
    let Some(directory) = directory else {
        let mut out = io::stdout().lock();
        for page in pages {
            out.write_all(&page.render()?)?;
        }
        return Ok(out.flush()?);
    };
    let mut written = std::fs::create_dir_all(directory);
    for page in pages {
        let path = directory.join(page.man.get_filename());
        written = written.and_then(|()| page.render()).and_then(|text| std::fs::write(path, text));
    }
    written.map_err(|error| {
        report.failure(format_args!("{}: {error}", shown(directory)));
        Stop::Said
    })
}

struct Page {
    command: Command,
    man: Man,
}

impl Page {
    fn new(command: Command) -> Page {
        let source = format!("tamiz {}", env!("CARGO_PKG_VERSION"));
        Page { man: Man::new(command.clone()).source(source).manual("tamiz"), command }
    }

    /// As [`Man::render`], but what stands behind the options in the help gets the sections that manuals have for it.
    fn render(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        self.man.render_title(&mut out)?;
        self.man.render_name_section(&mut out)?;
        self.man.render_synopsis_section(&mut out)?;
        self.man.render_description_section(&mut out)?;
        self.man.render_options_section(&mut out)?;
        if self.command.has_subcommands() {
            self.man.render_subcommands_section(&mut out)?;
        }
        if let Some(help) = self.command.get_after_long_help() {
            render_after_help(&mut out, &help.to_string())?;
        }
        if self.command.get_version().is_some() {
            self.man.render_version_section(&mut out)?;
        }
        Ok(out)
    }
}

fn render_after_help(out: &mut Vec<u8>, help: &str) -> io::Result<()> {
    let mut filled = true;
    for line in help.lines() {
        let example = line.strip_prefix("  $ ");
        // A command is copied from the page: nothing may break its line.
        if filled == example.is_some() {
            filled = !filled;
            writeln!(out, "{}", if filled { ".fi" } else { ".nf" })?;
        }
        match (line, example, line.strip_prefix("  ").and_then(|line| line.split_once("  "))) {
            ("", ..) => {}
            ("Examples:", ..) => writeln!(out, ".SH EXAMPLES")?,
            ("Exit status:", ..) => writeln!(out, ".SH \"EXIT STATUS\"")?,
            (_, Some(command), _) => writeln!(out, "$ {}", escaped(command))?,
            (_, _, Some((status, meaning))) => writeln!(out, ".TP\n{}\n{}", escaped(status), escaped(meaning))?,
            (text, ..) => writeln!(out, ".PP\n{}", escaped(text))?,
        }
    }
    if !filled {
        writeln!(out, ".fi")?;
    }
    Ok(())
}

/// Text that roff prints as it is, in letters that a shell understands.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            '.' if out.is_empty() => out.push_str("\\&."),
            c => out.push(c),
        }
    }
    out
}
