//! Who read what: the log in words, by day for one access, as a table, and as a file.

mod describe;
pub mod export;
mod filter;
pub mod list;

pub use describe::{ReadDay, by_day};
