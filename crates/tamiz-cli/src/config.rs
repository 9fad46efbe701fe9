//! `tamiz config`, and the configuration every other command starts from.

use crate::args::Settings;
use crate::report::{Report, Stop, shown};
use std::io::{self, Write};
use tamiz::{Config, ConfigError, Engine};

/// Prints the effective configuration: a file that `--config` reads back.
pub(crate) fn run(settings: &Settings, report: &mut Report) -> Result<(), Stop> {
    let config = load(settings, report)?;
    let toml = config.to_toml();
    let mut out = io::stdout().lock();
    write!(out, "{toml}")?;
    if !toml.ends_with('\n') {
        writeln!(out)?;
    }
    writeln!(out, "# contract: {}", tamiz::CONTRACT)?;
    writeln!(out, "# fingerprint: {:016x}", config.fingerprint())?;
    Ok(out.flush()?)
}

/// An engine with what the settings say.
pub(crate) fn engine(settings: &Settings, report: &mut Report) -> Result<Engine, Stop> {
    Ok(Engine::new(&load(settings, report)?))
}

/// The file first, then `--set` in the order given, then `--scheme`: the command line wins.
fn load(settings: &Settings, report: &mut Report) -> Result<Config, Stop> {
    let mut config = match &settings.config {
        None => Config::default(),
        Some(path) => {
            let file = shown(path);
            let toml = std::fs::read_to_string(path).map_err(|error| Stop::Input { file: file.clone(), error })?;
            Config::from_toml(&toml).map_err(|errors| refused(&file, &errors, report))?
        }
    };
    for assignment in &settings.set {
        config.set(&assignment.key, &assignment.value).map_err(|error| refused("--set", &[error], report))?;
    }
    if let Some(scheme) = &settings.scheme {
        // In quotes: what is no bare word is then told about as a scheme, not as TOML.
        let quoted = serde_json::Value::from(scheme.as_str()).to_string();
        config.set("scheme", &quoted).map_err(|error| refused("--scheme", &[error], report))?;
    }
    Ok(config)
}

fn refused(place: &str, errors: &[ConfigError], report: &mut Report) -> Stop {
    for error in errors {
        // The key is empty where the file is no TOML at all.
        let separator = if error.key().is_empty() { "" } else { ": " };
        let what = format_args!("{}{separator}{}", error.key(), error.reason());
        match error.line() {
            Some(line) => report.failure(format_args!("{place}:{line}: {what}")),
            None => report.failure(format_args!("{place}: {what}")),
        }
    }
    Stop::Said
}
