//! Handles: short opaque texts that stand for a record, a range of a field, a stream or a place in
//! an answer. A handle is a name, not a right: whoever opens one reads with the caller's own grant.

use async_trait::async_trait;

use crate::error::ApiError;
use crate::ids::{ConnectionId, StreamName};
use crate::key::RecordId;
use crate::record::RecordNumber;

/// One record of one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRef {
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_id: RecordId,
    /// Its number, when the store is in this process.
    pub number: Option<RecordNumber>,
}

/// A range of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldWindowRef {
    /// The record.
    pub record: RecordRef,
    /// The field, as in a window request.
    pub field_path: String,
    /// The first character.
    pub start_chars: u64,
    /// Longest window in characters.
    pub limit_chars: u32,
    /// What the field held when the handle was made; `None` when that was not known.
    pub content: Option<ContentMark>,
    /// The field refers to bytes that live elsewhere: start and limit count those.
    pub of_bytes: bool,
}

/// Enough of a digest to notice that a field has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentMark(pub [u8; 16]);

impl ContentMark {
    /// The mark of a digest: its last sixteen bytes as text, which no prefix can make alike.
    pub fn of(digest: &str) -> Self {
        let mut mark = [0; 16];
        let bytes = digest.as_bytes();
        let tail = bytes.get(bytes.len().saturating_sub(16)..).unwrap_or_default();
        for (to, from) in mark.iter_mut().zip(tail) {
            *to = *from;
        }
        Self(mark)
    }
}

/// One stream of one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRef {
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
}

/// A place in a long answer that the adapter itself cuts into pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerPlace {
    /// What the question was and what its answer looked like, as a digest.
    pub question: u64,
    /// How many items came before.
    pub index: u32,
}

/// What a handle stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handle {
    /// A record.
    Record(RecordRef),
    /// A range of a field.
    FieldWindow(FieldWindowRef),
    /// A range of a field as a window cursor, for a provider that makes none.
    Cursor(FieldWindowRef),
    /// A stream of a connection.
    Stream(StreamRef),
    /// A place in an answer.
    Place(AnswerPlace),
}

/// The kinds of handles; a text of one kind never opens as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandleKind {
    /// A record.
    Record,
    /// A range of a field.
    FieldWindow,
    /// A window cursor, for a provider that makes none.
    Cursor,
    /// A stream of a connection.
    Stream,
    /// A place in an answer.
    Place,
}

/// Makes and reads handles for one caller.
#[async_trait]
pub trait Handles: Send + Sync {
    /// The URL-safe text of a handle; the same every time. `None` when it cannot be carried.
    fn seal(&self, handle: &Handle) -> Option<String>;

    /// A window cursor that opens this range, for a field with this digest; `None` when only the
    /// provider can make one.
    fn window_cursor(&self, _window: &FieldWindowRef, _digest: &str) -> Option<String> {
        None
    }

    /// What a text stands for. A text that was not sealed here is `invalid_cursor`; one that leads
    /// to nothing in the caller's view is `not_found`, whether or not the thing exists.
    async fn open(&self, kind: HandleKind, text: &str) -> Result<Handle, ApiError>;
}
