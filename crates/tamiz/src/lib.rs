//! tamiz (*sieve*) turns raw HTTP requests into canonical documents: a few lines of text that stay the same when the
//! same request arrives in other clothes, that raise every oddity as a flag, and that carry no secret in the clear.
//!
//! ```
//! let mut engine = tamiz::Engine::default();
//! let mut document = String::new();
//! engine.canonicalize(b"GET /a/%2e%2e/b?pwd=hunter2 HTTP/1.1\r\nHost: ex.com\r\n\r\n", &mut document);
//! assert_eq!(document, "\
//! M:GET
//! U:http://ex.com/a/../b?pwd=<SECRET:lowernum:7>
//! P:/a/../b PLEN:7@0-15 PMAX:2@0-15 [DOTDOT]
//! Q:1 KEYS:pwd
//! FLAGS:[DOTDOT]
//! H:host=ex.com
//! HCNT:1 HLEN:12@0-15
//! ");
//! ```
//!
//! # The pipeline
//!
//! ```text
//!  bytes ─ frame ─ unfold ─┬─ target ─ host ───────────────────────────┐
//!                          ├─ path ──┐                                 │
//!                          ├─ query ─┼─ decode ─ content ─ redact ─────┼─ rollup ─ emit ─ document
//!                          ├─ body ──┘                                 │
//!                          └─ headers ─ values ─ content ─ redact ─────┘
//! ```
//!
//! `content` sees everything before `redact` hides it, and only `redact` can turn request bytes into text that `emit`
//! accepts.
//!
//! # The doors
//!
//! - [`Engine`]: requests to documents. Raw bytes, [`Parts`], or requests cut out of a stream by [`Splitter`].
//! - [`Document`]: a typed view of a document, and the strict parser.
//! - [`FLAGS`]: the flag table.
//! - [`Config`]: every switch, from TOML or from code.
//! - [`Engine::explain`]: how one request became its document.
//!
//! The crate does no I/O, forbids unsafe code, and never reads the clock, the locale or the environment.

#![forbid(unsafe_code)]

mod bytes;
mod canonical;
mod config;
mod engine;
mod explain;
mod findings;
mod hidden;
mod memo;
mod pipeline;
mod placeholder;
mod scratch;
mod settings;
mod stage;
pub mod table;

pub use canonical::{Body, Document, Documents, Graphql, Header, LineLabel, Metric, Pair, ParseError};
pub use config::{
    Config, ConfigError, FlagSwitches, HeaderSettings, Limits, Lines, ScriptName, ScriptSettings, SecretSettings,
    ShapeSwitches,
};
pub use engine::{Engine, Parts, Target};
pub use explain::{Explanation, Finding, Step};
pub use stage::frame::{Framed, Next, Splitter};
pub use table::changes::Change;
pub use table::flags::{Class, FLAGS, Flag, FlagRow, Origin, Param, Stage};

/// The version of the contract: any change of output bytes changes it.
pub const CONTRACT: &str = "1.1";

/// The version of Unicode whose data documents are made with.
pub const UNICODE: &str = "18.0";

/// The Rust example of the README runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
