//! Who may read what: the list, one access in detail, and stopping.

pub mod detail;
pub mod list;
pub mod row;
pub mod stop;
