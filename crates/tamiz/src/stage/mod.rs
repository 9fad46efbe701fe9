//! The stages, in the order of the data. The pipeline calls them by their door, `run`.
//!
//! Three are tools that the others use on their way: `decode`, `content` and `redact`.

pub(crate) mod frame;
pub(crate) mod unfold;

pub(crate) mod host;
pub(crate) mod target;

pub(crate) mod decode;
pub(crate) mod path;
pub(crate) mod query;

pub(crate) mod lengths;

pub(crate) mod body;
pub(crate) mod headers;
pub(crate) mod values;

pub(crate) mod content;
pub(crate) mod redact;

pub(crate) mod emit;
pub(crate) mod rollup;
