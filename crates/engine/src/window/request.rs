//! What a request for a field window asks of the store, and what is refused.

use pdpp_contract::envelope::Warning;
use pdpp_contract::limits::{
    DEFAULT_CONTEXT_CHARS, DEFAULT_WINDOW_CHARS, MAX_CONTEXT_CHARS, MAX_MATCH_QUERY_BYTES,
    MAX_WINDOW_CHARS,
};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead, TextWindow};

use crate::records::record::no_record;
use crate::records::render::clamped;
use crate::view::{GrantedStream, ambiguous};
use crate::window::cursor::WindowCursor;

/// The path of the field that is asked for.
pub fn parse_path(text: &str) -> Result<FieldPath, ApiError> {
    FieldPath::parse(text).map_err(|fault| {
        ApiError::new(ErrorCode::InvalidFieldPath, fault.to_string()).param("field")
    })
}

/// How long a window may be; a longer one is shortened, with a warning.
pub fn window_limit(asked: Option<u32>) -> Result<(Option<u32>, Option<Warning>), ApiError> {
    match asked {
        Some(0) => Err(invalid_window("limit_chars is at least 1", "limit_chars")),
        Some(limit) if limit > MAX_WINDOW_CHARS => {
            Ok((Some(MAX_WINDOW_CHARS), Some(clamped("limit_chars", limit, MAX_WINDOW_CHARS))))
        }
        limit => Ok((limit, None)),
    }
}

/// What is read for a request.
pub fn text_read(
    request: &FieldWindowRequest,
    cursor: Option<&WindowCursor>,
    limit: Option<u32>,
) -> Result<TextRead, ApiError> {
    match (&request.selector, cursor) {
        (WindowSelector::Match { q, before_chars, after_chars }, _) => {
            if q.is_empty() || q.len() > MAX_MATCH_QUERY_BYTES {
                return Err(invalid_window("q has 1 to 1,024 bytes", "q"));
            }
            Ok(TextRead::Match {
                q: q.clone(),
                before: context(*before_chars, "before_chars")?,
                after: context(*after_chars, "after_chars")?,
                limit: limit.unwrap_or(MAX_WINDOW_CHARS),
            })
        }
        (_, Some(cursor)) => {
            let (start, limit) = cursor.range(limit);
            Ok(TextRead::Range { start, limit })
        }
        (WindowSelector::Offset(start), None) => {
            Ok(TextRead::Range { start: *start, limit: limit.unwrap_or(DEFAULT_WINDOW_CHARS) })
        }
        (WindowSelector::Cursor(_), None) => Err(invalid_cursor(request)),
    }
}

fn context(asked: Option<u32>, param: &'static str) -> Result<u32, ApiError> {
    match asked {
        None => Ok(DEFAULT_CONTEXT_CHARS),
        Some(chars) if chars <= MAX_CONTEXT_CHARS => Ok(chars),
        Some(_) => Err(invalid_window(&format!("{param} is at most {MAX_CONTEXT_CHARS}"), param)),
    }
}

fn invalid_window(message: &str, param: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidWindow, message).param(param)
}

/// The window that was found, or why there is none.
pub fn opened(
    answer: TextAnswer,
    granted_streams: &[GrantedStream],
    request: &FieldWindowRequest,
) -> Result<TextWindow, ApiError> {
    let field = &request.field_path;
    match answer {
        TextAnswer::Text(found) => Ok(found),
        TextAnswer::NoRecord => Err(no_record()),
        TextAnswer::Ambiguous(connections) => Err(ambiguous(granted_streams, &connections)),
        TextAnswer::NoField => Err(ApiError::new(
            ErrorCode::FieldNotFound,
            format!("the record has no field {field:?}; read the record to see its fields"),
        )
        .param("field")),
        TextAnswer::NotText(kind) => Err(ApiError::new(
            ErrorCode::FieldNotText,
            format!("the field {field:?} holds a {kind}, not text; read it with the record"),
        )
        .param("field")),
        TextAnswer::NoMatch => Err(ApiError::new(
            ErrorCode::QueryNotFound,
            format!("the text does not occur in the field {field:?}; read it by offset instead"),
        )
        .param("q")),
    }
}

/// Refuses a cursor whose text has changed.
pub fn check_fresh(
    cursor: &WindowCursor,
    found: &TextWindow,
    request: &FieldWindowRequest,
) -> Result<(), ApiError> {
    if cursor.record_no != found.record_no.0 {
        return Err(invalid_cursor(request));
    }
    if found.digest.0.first_chunk::<8>() == Some(&cursor.content) {
        return Ok(());
    }
    let (record, field) = (&request.record_id, &request.field_path);
    Err(ApiError::new(
        ErrorCode::StaleCursor,
        format!("field {field:?} of record {record} changed; read it again from an offset"),
    )
    .param("cursor"))
}

/// What is said to a cursor of another text.
pub fn invalid_cursor(request: &FieldWindowRequest) -> ApiError {
    let (record, field) = (&request.record_id, &request.field_path);
    ApiError::new(
        ErrorCode::InvalidCursor,
        format!("the cursor does not continue field {field:?} of record {record}; use an offset"),
    )
    .param("cursor")
}
