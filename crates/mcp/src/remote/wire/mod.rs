//! Answers as any PDPP server sends them, read into the types of the contract.

mod capabilities;
mod hits;
pub(super) mod records;
pub(super) mod refusal;
pub(super) mod schema;
pub(super) mod search;
pub(super) mod windows;
