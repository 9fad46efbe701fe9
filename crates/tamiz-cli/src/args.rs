//! The arguments. Help, manual pages and completions all come out of these definitions.

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::sync::LazyLock;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!("{} (contract {}, Unicode {})", env!("CARGO_PKG_VERSION"), tamiz::CONTRACT, tamiz::UNICODE)
});

/// The exit status of `canon`.
const STATUS: &str = "Exit status:
  0  all went well
  1  some records could not be read; each is named on standard error, the rest is processed
  2  a usage, configuration or input/output error";

/// The exit status of the commands that read no records.
const NO_RECORDS: &str = "Exit status:
  0  all went well
  2  a usage, configuration or input/output error";

/// Canonical documents of HTTP requests
///
/// tamiz (Spanish for sieve) reads raw HTTP requests and writes a short canonical document for each: the same request
/// in other clothes gives the same lines, whatever is odd is raised as a flag, and no secret stays in the clear.
#[derive(Debug, Parser)]
#[command(name = "tamiz", version = VERSION.as_str(), after_long_help = format!("\
Examples:
  $ printf 'GET /a/%%2e%%2e/b?id=7 HTTP/1.1\\r\\nHost: ex.com\\r\\n\\r\\n' | tamiz canon
  $ tamiz canon --to jsonl requests.http > documents.jsonl
  $ tamiz explain --lang es one.http
  $ tamiz flags DOTDOT

`tamiz help COMMAND` tells the rest.

{STATUS}
`tamiz diff` exits with 1 when the documents differ."))]
pub(crate) struct Cli {
    /// When to use colour; a set NO_COLOR means never for `auto`
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Canon(CanonArgs),
    Flags(FlagsArgs),
    Explain(ExplainArgs),
    Diff(DiffArgs),

    /// Print the effective configuration
    ///
    /// The output is a configuration file that `--config` reads. Its last line is the fingerprint: two runs with the
    /// same fingerprint and the same contract write the same documents.
    #[command(after_long_help = format!("\
Examples:
  $ tamiz config > all-defaults.toml
  $ tamiz config --config tamiz.toml --set lines.keys_sorted=true
  $ tamiz config --set 'flags.disable=[\"WSPAD\"]' | tail -1

{NO_RECORDS}"))]
    Config(Settings),

    /// Print a completion script for a shell
    #[command(after_long_help = format!("\
Examples:
  $ tamiz completions bash > tamiz.bash
  $ tamiz completions zsh > _tamiz

{NO_RECORDS}"))]
    Completions {
        /// The shell the script is for
        shell: Shell,
    },

    /// Print the manual pages
    ///
    /// Without --out, the main page and those of the commands follow each other on standard output.
    #[command(after_long_help = format!("\
Examples:
  $ tamiz man > tamiz.1
  $ tamiz man --out man1

{NO_RECORDS}"))]
    Man {
        /// Write one file a page into this directory
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// Write the canonical document of each request
///
/// Reads standard input without FILE, or where FILE is `-`. Documents are separated by one empty line.
///
/// With `--from auto` the first line of each file that is not blank decides: `M:` is a file of documents, which are
/// checked and printed unchanged; `{` is JSONL; anything else is a stream of raw requests. A record that does not fit
/// what was detected is refused, never read as something else.
///
/// A JSONL record is an object with `raw_b64` or `raw` (then all other request fields are ignored), or with `method`,
/// `target` (or `scheme`, `authority` and `path`), `headers` (an array of [name, value]) and `body` or `body_b64`.
/// Only `id` and `label` are carried to the output, and what --carry names: other fields may hold secrets.
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Examples:
  $ printf 'GET /login?user=ana&pwd=s3cret HTTP/1.1\\r\\nHost: ex.com\\r\\n\\r\\n' | tamiz canon
  $ tamiz canon --config tamiz.toml --set headers.normalise_values=false requests.http
  $ tamiz canon --to jsonl --carry source data.jsonl > documents.jsonl
  $ tamiz canon requests.http | tamiz canon --from canonical --to json

{STATUS}
Bytes of a stream that belong to no request are skipped with a note on standard error: the status stays 0."))]
pub(crate) struct CanonArgs {
    /// Files to read, each detected on its own; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What the files hold
    #[arg(long, value_enum, default_value_t = Input::Auto, value_name = "KIND")]
    pub(crate) from: Input,

    /// What to write
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORM")]
    pub(crate) to: Output,

    /// JSONL fields to carry to the output besides `id` and `label`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = carried_name)]
    pub(crate) carry: Vec<String>,

    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Input {
    /// Look at the first line that is not blank
    Auto,
    /// The whole file is one request
    Raw,
    /// Requests one after the other, as on a connection
    Stream,
    /// One JSON object a line
    Jsonl,
    /// Documents, checked and printed unchanged
    Canonical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Documents separated by empty lines
    Text,
    /// One array of objects
    Json,
    /// One object a line
    Jsonl,
}

/// Where the configuration comes from.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Configuration file; `tamiz config` prints one
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,

    /// Set one configuration key, as in `--set lines.local_flags=false`; wins over the file
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<Assignment>,

    /// Scheme of targets that do not name one; the same as `--set scheme=SCHEME`
    #[arg(long, value_name = "SCHEME")]
    pub(crate) scheme: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) key: String,
    pub(crate) value: String,
}

fn assignment(text: &str) -> Result<Assignment, &'static str> {
    let (key, value) = text.split_once('=').ok_or("there is no `=`")?;
    Ok(Assignment { key: key.trim().to_owned(), value: value.trim().to_owned() })
}

/// Fields that would put the request itself, with its secrets, beside its document, or stand twice in an object.
const NOT_CARRIED: &[&str] = &[
    "raw_b64",
    "raw",
    "target",
    "scheme",
    "authority",
    "body_b64",
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

fn carried_name(name: &str) -> Result<String, &'static str> {
    match name.trim() {
        "" => Err("a name is empty"),
        name if NOT_CARRIED.contains(&name) => Err("a field of the request or of the document cannot be carried"),
        name => Ok(name.to_owned()),
    }
}

/// List the flags a document can carry
///
/// `always` in the second column means that the flag can only be turned off (flags.disable); `on` and `off` are the
/// defaults of the flags that have a switch (flags.enable). Classes: `context`, ordinary traffic has it; `odd`, unusual;
/// `attack`, a benign client has no reason to send it.
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Examples:
  $ tamiz flags
  $ tamiz flags --lang es | grep ataque
  $ tamiz flags DOTDOT COOKIE
  $ tamiz flags --json > flags.json

{NO_RECORDS}"))]
pub(crate) struct FlagsArgs {
    /// Show these flags in full, with an example
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Language of the meanings
    #[arg(long, value_enum, default_value_t = Lang::En)]
    pub(crate) lang: Lang,

    /// Write a JSON array, with the meanings in both languages
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// English
    En,
    /// Spanish
    Es,
}

/// Show what each stage did to one raw request, and why each flag was raised
///
/// FILE is one raw request; standard input without FILE, or where it is `-`. Byte ranges count from the start of the
/// file, from 0, the end excluded. Excerpts are left out where they could show a secret.
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Examples:
  $ printf 'GET /a//..%%2fb?x=%%2527 HTTP/1.1\\r\\nHost: ex.com\\r\\n\\r\\n' | tamiz explain
  $ tamiz explain --lang es one.http
  $ tamiz explain --json one.http

{NO_RECORDS}"))]
pub(crate) struct ExplainArgs {
    /// The request
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,

    /// Language of the meanings
    #[arg(long, value_enum, default_value_t = Lang::En)]
    pub(crate) lang: Lang,

    /// Write a JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Compare the documents of two requests line by line
///
/// Each of A and B is one raw request, or one document if its first line that is not blank begins with `M:`. Lines are
/// compared by kind and headers by name; where a flag explains a difference, its meaning is said.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  $ tamiz diff one.http two.http || true
  $ tamiz canon --from raw one.http | tamiz diff - one.http
  $ tamiz diff --lang es one.http two.http || true

Exit status:
  0  the documents are the same
  1  they differ
  2  a usage, configuration or input/output error, or a document that does not parse")]
pub(crate) struct DiffArgs {
    /// A request or a document; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// The other one
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// Language of the meanings
    #[arg(long, value_enum, default_value_t = Lang::En)]
    pub(crate) lang: Lang,

    #[command(flatten)]
    pub(crate) settings: Settings,
}
