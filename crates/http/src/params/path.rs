//! The names inside a path: each segment decoded exactly once, then checked.

use axum::extract::FromRequestParts;
use axum::http::Uri;
use axum::http::request::Parts;
use pdpp_contract::{ApiError, ErrorCode, RecordId, StreamName};

use super::decode::{Plus, decode};
use super::value::refuse;
use crate::refusal::RefusalResponse;

/// Where the stream stands: `/v1/streams/{stream}` and `/v1/ingest/{stream}`.
const STREAM_SEGMENT: usize = 3;
/// Where the record stands: `/v1/streams/{stream}/records/{id}`.
const RECORD_SEGMENT: usize = 5;

/// The stream a path names.
#[derive(Debug)]
pub struct StreamPath {
    pub stream: StreamName,
}

/// The stream and the record a path names.
#[derive(Debug)]
pub struct RecordPath {
    pub stream: StreamName,
    pub record_id: RecordId,
}

impl StreamPath {
    /// Reads the stream from a path.
    pub fn of(uri: &Uri) -> Result<Self, ApiError> {
        let name = segment(uri, STREAM_SEGMENT, "stream")?;
        let stream = StreamName::new(name)
            .map_err(|fault| refuse(ErrorCode::InvalidRequest, "stream", fault.to_string()))?;
        Ok(Self { stream })
    }
}

impl RecordPath {
    fn of(uri: &Uri) -> Result<Self, ApiError> {
        let StreamPath { stream } = StreamPath::of(uri)?;
        let record_id = RecordId::new(segment(uri, RECORD_SEGMENT, "id")?)
            .map_err(|fault| refuse(ErrorCode::InvalidRequest, "id", fault.to_string()))?;
        Ok(Self { stream, record_id })
    }
}

/// The framework's own path values lose the difference between a broken escape and plain text, so
/// the segment is read from the raw path.
fn segment(uri: &Uri, index: usize, param: &str) -> Result<String, ApiError> {
    let raw = uri.path().split('/').nth(index).unwrap_or_default();
    if matches!(raw, "." | "..") {
        let message = "a path segment of dots alone names nothing here";
        return Err(refuse(ErrorCode::InvalidRequest, param, message));
    }
    decode(raw, Plus::Literal).ok_or_else(|| {
        let message = "the path holds a broken percent escape or is not UTF-8";
        refuse(ErrorCode::InvalidRequest, param, message)
    })
}

impl<S: Sync> FromRequestParts<S> for StreamPath {
    type Rejection = RefusalResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RefusalResponse> {
        Ok(Self::of(&parts.uri)?)
    }
}

impl<S: Sync> FromRequestParts<S> for RecordPath {
    type Rejection = RefusalResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RefusalResponse> {
        Ok(Self::of(&parts.uri)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str) -> Result<String, ErrorCode> {
        let uri: Uri = path.parse().unwrap();
        RecordPath::of(&uri).map(|path| path.record_id.into()).map_err(|fault| fault.code)
    }

    #[test]
    fn ids_are_decoded_once_whatever_they_hold() {
        let at = |id: &str| record(&format!("/v1/streams/notes/records/{id}")).unwrap();
        assert_eq!(at("100%25"), "100%");
        assert_eq!(at("100%2525"), "100%25");
        assert_eq!(at("a%2Fb"), "a/b");
        assert_eq!(at("%F0%9F%8E%B5"), "🎵");
        assert_eq!(at("a+b"), "a+b");
        assert_eq!(at("%5B%22a%22%2C%22b%22%5D"), r#"["a","b"]"#);
        assert_eq!(at("%2E%2E"), "..", "an encoded key of dots is a key");
    }

    #[test]
    fn a_path_that_names_nothing_is_refused() {
        let long = "k".repeat(513);
        for bad in ["..", ".", "%zz", "%ff", "%00", &long] {
            let code = record(&format!("/v1/streams/notes/records/{bad}")).unwrap_err();
            assert_eq!(code, ErrorCode::InvalidRequest, "{bad}");
        }
        for bad in ["..", "%2E%2E", "a%2Fb", "a:b", "*", "%zz"] {
            let code = record(&format!("/v1/streams/{bad}/records/x")).unwrap_err();
            assert_eq!(code, ErrorCode::InvalidRequest, "{bad}");
        }
    }
}
