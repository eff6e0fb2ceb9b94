//! The owner's accounts: what is kept of each, under which name, and how to be rid of it.

pub mod change;
pub mod detail;
pub mod list;
pub mod row;
