//! What a reader yields: a record line, or something it could not read and why.

use pdpp_contract::ErrorCode;

/// Most bytes of an unreadable item that are handed on.
const KEPT_BYTES: usize = 64 * 1024;

/// One thing found in an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The file it stands in, relative to what was given.
    pub source: String,
    /// Its number in that file, from 1.
    pub position: u64,
    /// A record line, or why there is none.
    pub content: Result<Vec<u8>, Refused>,
}

/// An item that could not be turned into a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Why, as a code.
    pub code: ErrorCode,
    /// Why, for a person, without content.
    pub message: String,
    /// How the item begins, so that a person recognises it.
    pub item: Vec<u8>,
}

impl Refused {
    /// A refusal that keeps the beginning of the item.
    pub fn new(code: ErrorCode, message: impl Into<String>, item: &[u8]) -> Self {
        let item = item.get(..item.len().min(KEPT_BYTES)).unwrap_or_default().to_vec();
        Self { code, message: message.into(), item }
    }
}

impl Item {
    /// Bytes it occupies on its way.
    pub fn size_bytes(&self) -> usize {
        self.content.as_ref().map_or_else(|refused| refused.item.len(), Vec::len)
    }
}
