//! Handles over the store's own numbers: short, alike in length, and opened within the caller's view.

use async_trait::async_trait;
use pdpp_contract::handles::{
    AnswerPlace, ContentMark, FieldWindowRef, Handle, HandleKind, Handles, RecordRef, StreamRef,
};
use pdpp_contract::record::RecordNumber;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, StreamName};
use pdpp_store::RecordNo;
use pdpp_store::field_path::FieldPath;

use crate::reader::GrantedReader;
use crate::records::record::no_record;
use crate::refusal::from_store;
use crate::sealed::seal::SealKind;
use crate::view::{Narrow, resolve, scope_of};
use crate::window::cursor::WindowCursor;

const VERSION: u8 = 1;

#[async_trait]
impl Handles for GrantedReader {
    fn seal(&self, handle: &Handle) -> Option<String> {
        let mut content = vec![VERSION];
        let kind = match handle {
            Handle::Record(record) => {
                content.extend_from_slice(&record.number?.0.to_be_bytes());
                SealKind::Record
            }
            Handle::FieldWindow(window) => {
                content.extend_from_slice(&window.record.number?.0.to_be_bytes());
                content.extend_from_slice(&window.start_chars.to_be_bytes());
                content.extend_from_slice(&window.limit_chars.to_be_bytes());
                content.push(u8::from(window.content.is_some()) | u8::from(window.of_bytes) << 1);
                content.extend_from_slice(&window.content.map_or([0; 16], |mark| mark.0));
                content.extend_from_slice(window.field_path.as_bytes());
                SealKind::FieldWindow
            }
            // The engine's windows bring cursors of their own, bound to the grant.
            Handle::Cursor(_) => return None,
            Handle::Stream(stream) => {
                content.extend_from_slice(stream.connection_id.as_str().as_bytes());
                content.push(0);
                content.extend_from_slice(stream.stream.as_str().as_bytes());
                SealKind::Stream
            }
            Handle::Place(place) => {
                content.extend_from_slice(&place.question.to_be_bytes());
                content.extend_from_slice(&place.index.to_be_bytes());
                SealKind::Place
            }
        };
        self.shared.sealer.seal(kind, &content)
    }

    fn window_cursor(&self, window: &FieldWindowRef, digest: &str) -> Option<String> {
        self.cursor_at(window, digest)
    }

    async fn open(&self, kind: HandleKind, text: &str) -> Result<Handle, ApiError> {
        let sealed = match kind {
            HandleKind::Record => SealKind::Record,
            HandleKind::FieldWindow => SealKind::FieldWindow,
            HandleKind::Cursor => return Err(not_a_handle()),
            HandleKind::Stream => SealKind::Stream,
            HandleKind::Place => SealKind::Place,
        };
        let content = self.shared.sealer.open(sealed, text).ok_or_else(not_a_handle)?;
        let content = content.strip_prefix(&[VERSION]).ok_or_else(not_a_handle)?;
        match kind {
            HandleKind::Record => {
                let (number, _) = content.split_first_chunk().ok_or_else(not_a_handle)?;
                Ok(Handle::Record(self.numbered(i64::from_be_bytes(*number)).await?))
            }
            HandleKind::FieldWindow => {
                let (number, span) = opened_window(content).ok_or_else(not_a_handle)?;
                Ok(Handle::FieldWindow(span.of(self.numbered(number).await?)))
            }
            HandleKind::Cursor => Err(not_a_handle()),
            HandleKind::Stream => opened_stream(content).ok_or_else(not_a_handle),
            HandleKind::Place => opened_place(content).ok_or_else(not_a_handle),
        }
    }
}

impl GrantedReader {
    /// A cursor that opens a span of a field whose digest is known from an answer.
    fn cursor_at(&self, window: &FieldWindowRef, digest: &str) -> Option<String> {
        let path = FieldPath::parse(&window.field_path).ok()?;
        let cursor = WindowCursor {
            record_no: window.record.number?.0,
            content: digest_start(digest)?,
            backwards: false,
            at: window.start_chars,
            limit: window.limit_chars,
        };
        let record = &window.record;
        let binding = self.window_binding(&record.stream, &record.record_id, &path);
        cursor.seal(&self.shared.sealer, binding)
    }

    /// The record with a number, within the caller's view.
    async fn numbered(&self, number: i64) -> Result<RecordRef, ApiError> {
        let granted_streams = resolve(&self.shared, &self.authority, Narrow::default()).await?;
        let scope = scope_of(&granted_streams);
        let found = self.shared.store.records_by_number(&scope, vec![RecordNo(number)], 0).await;
        let found = found.map_err(from_store)?.into_iter().next().ok_or_else(no_record)?;
        Ok(RecordRef {
            connection_id: found.connection,
            stream: found.stream,
            record_id: found.id,
            number: Some(RecordNumber(number)),
        })
    }
}

/// The first bytes of a digest as it stands on the wire.
fn digest_start(wire: &str) -> Option<[u8; 8]> {
    let hex = wire.strip_prefix("sha256:")?.get(..16)?;
    Some(u64::from_str_radix(hex, 16).ok()?.to_be_bytes())
}

/// A span of a field whose record is still a number.
struct WindowSpan {
    field_path: String,
    start_chars: u64,
    limit_chars: u32,
    content: Option<ContentMark>,
    of_bytes: bool,
}

impl WindowSpan {
    fn of(self, record: RecordRef) -> FieldWindowRef {
        let Self { field_path, start_chars, limit_chars, content, of_bytes } = self;
        FieldWindowRef { record, field_path, start_chars, limit_chars, content, of_bytes }
    }
}

fn opened_window(content: &[u8]) -> Option<(i64, WindowSpan)> {
    let (number, rest) = content.split_first_chunk()?;
    let (start, rest) = rest.split_first_chunk()?;
    let (limit, rest) = rest.split_first_chunk()?;
    let (flags, rest) = rest.split_first()?;
    let (mark, path) = rest.split_first_chunk()?;
    let span = WindowSpan {
        field_path: String::from_utf8(path.to_vec()).ok()?,
        start_chars: u64::from_be_bytes(*start),
        limit_chars: u32::from_be_bytes(*limit),
        content: (*flags & 1 == 1).then_some(ContentMark(*mark)),
        of_bytes: *flags & 2 == 2,
    };
    Some((i64::from_be_bytes(*number), span))
}

fn opened_stream(content: &[u8]) -> Option<Handle> {
    let (connection, stream) = std::str::from_utf8(content).ok()?.split_once('\0')?;
    Some(Handle::Stream(StreamRef {
        connection_id: ConnectionId::new(connection).ok()?,
        stream: StreamName::new(stream).ok()?,
    }))
}

fn opened_place(content: &[u8]) -> Option<Handle> {
    let (question, rest) = content.split_first_chunk()?;
    let (index, _) = rest.split_first_chunk()?;
    Some(Handle::Place(AnswerPlace {
        question: u64::from_be_bytes(*question),
        index: u32::from_be_bytes(*index),
    }))
}

fn not_a_handle() -> ApiError {
    ApiError::new(ErrorCode::InvalidCursor, "this handle was not made here; use one from an answer")
}
