//! The audit log for its owner: grouped by day for one access, as a table, and as a file.

mod describe;
pub mod export;
mod filter;
mod lately;
pub mod list;

pub use describe::{ActivityDay, by_day, is_alarming};
pub use lately::{LatelyLine, lately};
pub use list::FilterOption;
