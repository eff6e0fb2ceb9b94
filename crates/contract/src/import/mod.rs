//! What an import hands over: records as values, and items that were rejected with their reason.
//!
//! Importers make [`ImportItem`]s and the engine takes them. Text is read in one place only, where
//! it enters: [`ImportRecord::parse`] reads the record lines of `jsonl` and of ingest calls.

mod line;
mod record;
mod rejected;

pub use record::{ImportRecord, MAX_LINE_KEPT_BYTES};
pub use rejected::{Rejected, RejectedItem};

/// One item of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportItem {
    /// The file it is in, relative to what was given.
    pub source: String,
    /// Its number in that file, from 1.
    pub position: u64,
    /// A record, or why there is none.
    pub content: Result<ImportRecord, Rejected>,
}

impl ImportItem {
    /// The item that a record line stands for.
    pub fn from_line(source: &str, position: u64, line: Vec<u8>) -> Self {
        let content = ImportRecord::parse(line, None);
        Self { source: source.to_owned(), position, content }
    }

    /// Bytes it occupies, about.
    pub fn size_bytes(&self) -> usize {
        match &self.content {
            Ok(record) => record.size_bytes(),
            Err(rejected) => rejected.item.len(),
        }
    }
}
