//! Field windows: a bounded range of one text field, and the way on from it.

pub(crate) mod cursor;
mod request;

use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::limits::{DEFAULT_WINDOW_CHARS, MAX_WINDOW_CHARS};
use pdpp_contract::links::{RequestUrl, record_path};
use pdpp_contract::record::{FieldPreview, Record, RecordNumber, TextKind};
use pdpp_contract::window::{
    FieldWindow, FieldWindowRequest, FieldWindowTag, Window, WindowField, WindowSelector,
};
use pdpp_contract::{ApiError, ErrorCode, RecordId, StreamName, json_pointer};
use pdpp_store::ReadScope;
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead, TextWindow};

use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::view::{GrantedStream, Narrow, no_field, resolve, scope_of};
use crate::window::cursor::WindowCursor;
use crate::window::request::{
    check_fresh, invalid_cursor, opened, parse_path, text_read, window_limit,
};

/// Characters in one piece when a whole field is served.
const PIECE_CHARS: u32 = 65_536;

impl GrantedReader {
    pub(crate) async fn read_window(
        &self,
        request: FieldWindowRequest,
    ) -> Result<FieldWindow, ApiError> {
        let path = parse_path(&request.field_path)?;
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = self.shelves_with(narrow, &path).await?;
        let (limit, warning) = window_limit(request.limit_chars)?;
        let binding = self.window_binding(&request.stream, &request.record_id, &path);
        let cursor = match &request.selector {
            WindowSelector::Cursor(text) => Some(
                WindowCursor::open(&self.shared.sealer, binding, text)
                    .ok_or_else(|| invalid_cursor(&request))?,
            ),
            WindowSelector::Offset(_) | WindowSelector::Match { .. } => None,
        };
        let read = text_read(&request, cursor.as_ref(), limit)?;
        let window_chars = match &read {
            TextRead::Range { .. } => limit.or(cursor.map(|cursor| cursor.limit)),
            TextRead::Match { .. } => limit,
        };
        let window_chars = window_chars.unwrap_or(DEFAULT_WINDOW_CHARS);
        let scope = scope_of(&granted_streams);
        let answer = self.shared.store.read_text(&scope, &request.record_id, &path, read).await;
        let found = opened(answer.map_err(from_store)?, &granted_streams, &request)?;
        if let Some(cursor) = cursor {
            check_fresh(&cursor, &found, &request)?;
        }
        // A match brings its context along, however short the windows that follow may be.
        let length = u32::try_from(found.text.chars().count()).unwrap_or(MAX_WINDOW_CHARS);
        let window_chars = window_chars.max(length);
        let mut answer = self.window_answer(&request, binding, window_chars, found);
        answer.meta.warnings.extend(warning);
        Ok(answer)
    }

    /// The next piece, at most 65,536 characters, of a long field whose record was just read.
    ///
    /// Refuses with `stale_cursor` when the field has changed since.
    pub async fn text_piece(
        &self,
        record: &Record,
        preview: &FieldPreview,
        start_chars: u64,
    ) -> Result<String, ApiError> {
        let path = parse_path(&format!("/{}", json_pointer::escaped(&preview.field)))?;
        let narrow =
            Narrow { stream: Some(&record.stream), connection: Some(&record.connection_id) };
        let granted_streams = self.shelves_with(narrow, &path).await?;
        let scope: ReadScope = scope_of(&granted_streams);
        let read = TextRead::Range { start: start_chars, limit: PIECE_CHARS };
        let answer = self.shared.store.read_text(&scope, &record.id, &path, read).await;
        match answer.map_err(from_store)? {
            TextAnswer::Text(found) if Some(found.digest.to_wire()) == preview.digest => {
                Ok(found.text)
            }
            _ => Err(ApiError::new(
                ErrorCode::StaleCursor,
                "the field changed while it was read; read the record again",
            )),
        }
    }

    /// The granted streams that show the path's field. Refused before any record is looked at.
    async fn shelves_with(
        &self,
        narrow: Narrow<'_>,
        path: &FieldPath,
    ) -> Result<Vec<GrantedStream>, ApiError> {
        let mut granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        granted_streams.retain(|granted| granted.scope.fields.contains(path.field()));
        if granted_streams.is_empty() {
            return Err(no_field(&self.authority.kind, path.field().as_str(), "field"));
        }
        Ok(granted_streams)
    }

    pub(crate) fn window_binding(
        &self,
        stream: &StreamName,
        id: &RecordId,
        path: &FieldPath,
    ) -> [u8; 16] {
        Binding::new(self.authority.digest)
            .with("window")
            .with(stream.as_str())
            .with(id.as_str())
            .with(&path.pointer())
            .finish()
    }

    fn window_answer(
        &self,
        request: &FieldWindowRequest,
        binding: [u8; 16],
        limit_chars: u32,
        found: TextWindow,
    ) -> FieldWindow {
        let end = found.start + u64::try_from(found.text.chars().count()).unwrap_or(u64::MAX);
        let cursor = |backwards: bool, at: u64| WindowCursor {
            record_no: found.record_no.0,
            content: *found.digest.0.first_chunk().unwrap_or(&[0; 8]),
            backwards,
            at,
            limit: limit_chars,
        };
        let seal = |cursor: WindowCursor| cursor.seal(&self.shared.sealer, binding);
        let has_more = end < found.total_chars;
        let has_previous = found.start > 0;
        let url = record_path(&request.stream, &request.record_id);
        // A window around a match, or before the first one that was read, ends where it ends; its
        // address says so.
        let own_chars = if has_more || found.matched.is_some() {
            (end - found.start).max(1)
        } else {
            limit_chars.into()
        };
        let this = RequestUrl::new(format!("{url}/field-window"))
            .with("field", &request.field_path)
            .with("connection_id", found.connection.as_str())
            .with("offset_chars", &found.start.to_string())
            .with("limit_chars", &own_chars.to_string())
            .finish();
        FieldWindow {
            object: FieldWindowTag::FieldWindow,
            stream: request.stream.clone(),
            record_id: request.record_id.clone(),
            connection_id: found.connection.clone(),
            url,
            field: WindowField {
                path: request.field_path.clone(),
                kind: found.kind,
                mime_type: (found.kind == TextKind::Json).then(|| "application/json".to_owned()),
                size_chars: found.total_chars,
                digest: Some(found.digest.to_wire()),
            },
            window: Window {
                total_chars: found.total_chars,
                start_chars: found.start,
                end_chars: end,
                limit_chars,
                complete: !has_more && !has_previous,
                has_more,
                next_offset_chars: has_more.then_some(end),
                previous_offset_chars: has_previous
                    .then(|| found.start.saturating_sub(limit_chars.into())),
                next_cursor: if has_more { seal(cursor(false, end)) } else { None },
                previous_cursor: if has_previous { seal(cursor(true, found.start)) } else { None },
                match_start_chars: found.matched.map(|(start, _)| start),
                match_end_chars: found.matched.map(|(_, end)| end),
                text: found.text,
            },
            links: Links { this, next: None },
            meta: Meta::default(),
            number: Some(RecordNumber(found.record_no.0)),
        }
    }
}
