//! Reading spans of text. A store touches the asked span only, wherever it lies.

pub(crate) mod chunks;
pub mod field_path;
pub(crate) mod nested;
pub(crate) mod outcome;
pub(crate) mod search;
pub(crate) mod window;

use async_trait::async_trait;
use pdpp_contract::record::TextKind;
use pdpp_contract::{ConnectionId, RecordId};

use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::scope::ReadScope;
use crate::writes::hashing::TextDigest;
use field_path::FieldPath;

/// Which span to read. Positions count Unicode scalar values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextRead {
    /// From a position, at most so many characters.
    Range {
        /// The first character.
        start: u64,
        /// Most characters.
        limit: u32,
    },
    /// Around the first match of `q`, ignoring case by simple Unicode folding.
    Match {
        /// What to look for; not empty.
        q: String,
        /// Characters before the match.
        before: u32,
        /// Characters after the match.
        after: u32,
        /// Most characters in all; context is trimmed, the match is kept even where it is longer.
        limit: u32,
    },
}

/// What a read found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextAnswer {
    /// No visible record has this id.
    NoRecord,
    /// Several connections of the scope show a record with this id.
    Ambiguous(Vec<ConnectionId>),
    /// The record has no such field, or the scope does not show it.
    NoField,
    /// The field holds a number, a boolean, null or bytes; the word says which.
    NotText(&'static str),
    /// The text does not occur in the field.
    NoMatch,
    /// The span.
    Text(TextWindow),
}

/// A span of text and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWindow {
    /// Where the record comes from.
    pub connection: ConnectionId,
    /// The record's number in the store.
    pub record_no: RecordNo,
    /// A string, or canonical JSON.
    pub kind: TextKind,
    /// Characters of the whole text.
    pub total_chars: u64,
    /// Digest of the whole text.
    pub digest: TextDigest,
    /// The first character of the span; at most `total_chars`.
    pub start: u64,
    /// The span.
    pub text: String,
    /// Where the match lies, when one was asked for: first character, first after.
    pub matched: Option<(u64, u64)>,
}

/// Reading text inside a scope.
#[async_trait]
pub trait TextReader: Send + Sync {
    /// One span of one field. Visibility and text come from one snapshot; a field that the scope
    /// does not show answers `NoField` without being looked at.
    async fn read_text(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        path: &FieldPath,
        read: TextRead,
    ) -> StoreResult<TextAnswer>;
}
