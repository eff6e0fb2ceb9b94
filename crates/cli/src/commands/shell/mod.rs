//! Commands that describe the program itself: completions and manual pages.

pub mod completions;
pub mod man;
