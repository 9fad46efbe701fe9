//! The tables: one row, one fact.
//!
//! Help, documentation, lists and tests come out of these, and nothing in the code names a row's facts again.

pub mod agents;
pub mod changes;
pub mod extensions;
pub mod finds;
pub mod flags;
pub mod headers;
pub mod limits;
pub mod lookalikes;
pub mod methods;
pub mod secrets;
pub mod shapes;
