//! tamiz (*sieve*) turns raw HTTP requests into canonical documents.

#![forbid(unsafe_code)]

mod bytes;
mod canonical;
mod config;
mod engine;
mod explain;
mod findings;
mod hidden;
mod pipeline;
mod placeholder;
mod scratch;
mod settings;
mod stage;
pub mod table;

pub use canonical::{Body, Document, Documents, Header, LineLabel, Metric, Pair, ParseError};
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
pub const CONTRACT: &str = "1.0";

/// The version of Unicode whose data documents are made with.
pub const UNICODE: &str = "18.0";
