//! Who read what: the log in words, by day for one access, as a table, and as a file.

mod deeds;
pub mod export;
mod filter;
pub mod list;

pub use deeds::{ReadDay, by_day};
