//! From stored records to records as readers see them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pdpp_contract::envelope::{Warning, WarningCode};
use pdpp_contract::limits::{DEFAULT_PAGE, MAX_PAGE};
use pdpp_contract::record::{FieldPreview, Record, RecordNumber, RecordTag};
use pdpp_contract::{ApiError, ErrorCode, Json};
use pdpp_store::records::StoredRecord;

use crate::records::blobs;
use crate::view::GrantedStream;

/// The most of a long field that a preview may hold.
pub(crate) const MAX_PREVIEW_CHARS: u32 = 4_096;

/// A record for its reader. Long fields appear as previews.
pub(crate) fn record(stored: StoredRecord, granted: &GrantedStream) -> Record {
    let mut data = stored.data;
    let mut previews = Vec::with_capacity(stored.long.len());
    for long in stored.long {
        let name = long.field.as_str().to_owned();
        previews.push(FieldPreview {
            field: name.clone(),
            kind: long.kind,
            preview_chars: u64::try_from(long.preview.chars().count()).unwrap_or(u64::MAX),
            size_chars: long.chars,
            size_bytes: long.bytes,
            digest: Some(long.digest.to_wire()),
        });
        data.insert(name, Json::String(long.preview));
    }
    blobs::add_addresses(&mut data);
    Record {
        object: RecordTag::Record,
        id: stored.id,
        stream: stored.stream,
        data: Some(data),
        emitted_at: stored.emitted_at,
        connection_id: stored.connection,
        display_name: Some(granted.display_name()),
        connector_key: None,
        record_json_bytes: None,
        deleted: false,
        deleted_at: None,
        previews,
        number: Some(RecordNumber(stored.record_no.0)),
        roles: Some(Arc::clone(&granted.roles)),
        expanded: BTreeMap::new(),
    }
}

/// The preview length a request asks for.
pub(crate) fn preview_chars(asked: Option<u32>) -> Result<u32, ApiError> {
    match asked {
        // Whoever serves whole values reads them piece by piece; beginnings would be waste.
        None => Ok(0),
        Some(chars) if chars <= MAX_PREVIEW_CHARS => Ok(chars),
        Some(_) => Err(ApiError::new(
            ErrorCode::InvalidArgument,
            format!("preview_chars is at most {MAX_PREVIEW_CHARS}; read on with field windows"),
        )
        .param("preview_chars")),
    }
}

/// The page size a request asks for, and the warning if it asks for too much.
pub(crate) fn page_size(asked: Option<u32>) -> Result<(usize, Option<Warning>), ApiError> {
    let size = |limit: u32| usize::try_from(limit).unwrap_or(usize::MAX);
    match asked {
        None => Ok((size(DEFAULT_PAGE), None)),
        Some(0) => {
            Err(ApiError::new(ErrorCode::InvalidRequest, "limit is at least 1").param("limit"))
        }
        Some(limit) if limit <= MAX_PAGE => Ok((size(limit), None)),
        Some(limit) => Ok((size(MAX_PAGE), Some(clamped("limit", limit, MAX_PAGE)))),
    }
}

/// The warning that a number was above its maximum.
pub(crate) fn clamped(param: &str, requested: u32, max: u32) -> Warning {
    let detail = [("max_limit", max), ("requested_limit", requested)];
    let detail = detail.map(|(name, number)| (name.to_owned(), Json::Number(number.to_string())));
    Warning {
        code: WarningCode::LimitClamped,
        message: format!("{param} was {requested}; the most is {max}, which was used"),
        param: Some(param.to_owned()),
        detail: Some(Json::Object(detail.into_iter().collect())),
    }
}
