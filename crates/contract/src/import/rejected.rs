//! An item that was rejected, and why.

use crate::error::ErrorCode;

/// Most bytes of an unreadable item that are handed on.
const HEAD_BYTES: usize = 64 * 1024;

/// Why an item did not become a record. The words never repeat its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Why, as a code.
    pub code: ErrorCode,
    /// Why, for a person.
    pub message: String,
    /// What is kept of the item: all of a record, or how something else begins.
    pub item: Vec<u8>,
}

impl Rejected {
    /// Rejects an item, of which the beginning is kept.
    pub fn new(code: ErrorCode, message: impl Into<String>, item: &[u8]) -> Self {
        let item = item.get(..item.len().min(HEAD_BYTES)).unwrap_or_default().to_vec();
        Self { code, message: message.into(), item }
    }

    /// The reason alone; the item is added where it is known.
    pub fn because(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), item: Vec::new() }
    }

    /// Adds the item.
    #[must_use]
    pub fn with_item(mut self, item: Vec<u8>) -> Self {
        self.item = item;
        self
    }
}

/// A rejected item and where it was found; this is what quarantine keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedItem {
    /// The file it is in, relative to what was given.
    pub source: String,
    /// Its number in that file, from 1.
    pub position: u64,
    /// Why it was rejected, and what is kept of it.
    pub rejected: Rejected,
}
