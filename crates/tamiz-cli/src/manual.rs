//! Shell completions and manual pages, both out of the argument definitions.

use crate::args::Cli;
use crate::report::{Report, Stop};
use clap::CommandFactory;
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
    let source = format!("tamiz {}", env!("CARGO_PKG_VERSION"));
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let pages =
        std::iter::once(command).chain(subcommands).map(|page| Man::new(page).source(source.clone()).manual("tamiz"));
    let Some(directory) = directory else {
        let mut out = io::stdout().lock();
        for page in pages {
            page.render(&mut out)?;
        }
        return Ok(out.flush()?);
    };
    let mut written = std::fs::create_dir_all(directory);
    for page in pages {
        written = written.and_then(|()| page.generate_to(directory).map(drop));
    }
    written.map_err(|error| {
        report.failure(format_args!("{}: {error}", directory.display()));
        Stop::Said
    })
}
