//! How much a caller may send.

use axum::extract::{MatchedPath, Request};
use axum::http::header;
use pdpp_contract::limits::{MAX_BLOB_BYTES, MAX_BODY_BYTES, MAX_INGEST_BODY_BYTES};
use pdpp_contract::{ApiError, ErrorCode};

use crate::router::{BLOBS, INGEST};

/// Refuses a body that announces itself as too large, before a byte of it is read.
pub fn check(request: &Request) -> Result<(), ApiError> {
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let largest = match route {
        Some(INGEST) => MAX_INGEST_BODY_BYTES,
        Some(BLOBS) => MAX_BLOB_BYTES,
        Some(_) | None => MAX_BODY_BYTES,
    };
    match announced {
        Some(bytes) if bytes > largest as u64 => Err(too_large(largest)),
        Some(_) | None => Ok(()),
    }
}

/// The refusal of a body over `largest` bytes.
pub fn too_large(largest: usize) -> ApiError {
    let message = format!("a body of this route holds at most {largest} bytes; send less at once");
    ApiError::new(ErrorCode::PayloadTooLarge, message)
}
