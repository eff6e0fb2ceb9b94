//! Texts that only this engine can read again: cursors, bookmarks and handles, each bound to what it
//! may continue.

pub(crate) mod binding;
pub(crate) mod bookmark;
pub(crate) mod group_cursor;
mod handles;
pub(crate) mod page_cursor;
pub(crate) mod seal;
