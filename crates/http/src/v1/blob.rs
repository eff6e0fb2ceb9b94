//! `GET` and `HEAD /v1/blobs/{blob_id}`: the bytes of a blob that a record in view refers to.
//!
//! Always as an attachment and never sniffed: stored bytes must not run in the server's origin.

use std::ops::Range;

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use pdpp_contract::ReadApi;
use pdpp_contract::blob::{BlobId, BlobPiece, BlobRequest};
use pdpp_contract::limits::BLOB_PIECE_BYTES;
use pdpp_engine::GrantedReader;
use pdpp_engine::blobs::no_blob;

use crate::params::{self, Params};
use crate::refusal::{self, RefusalResponse};
use crate::v1::body::etag;
use crate::v1::body::file_name;
use crate::v1::body::range::{Wanted, wanted};
use crate::v1::body::{BodyBytes, KeptAsItIs};
use crate::v1::gate::Reader;

pub async fn blob(
    Reader(reader): Reader,
    Path(id): Path<String>,
    method: Method,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let connection_id = params::blob::connection(params)?;
    // An id that cannot exist is answered like one that does not.
    let blob_id = BlobId::parse(&id).ok_or_else(no_blob)?;
    let request = BlobRequest { blob_id, connection_id, offset_bytes: 0, max_bytes: 0 };
    let about = reader.blob(request.clone()).await?;
    let etag = format!("\"{}\"", blob_id.hex());
    if etag::matches(&headers, &etag) {
        return finish(StatusCode::NOT_MODIFIED, Body::empty(), &about, &etag, 0);
    }
    let size = about.size_bytes;
    let (status, range) = match wanted(&headers, &etag, size) {
        Wanted::All => (StatusCode::OK, 0..size),
        Wanted::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Wanted::Nothing => {
            let none = StatusCode::RANGE_NOT_SATISFIABLE;
            let mut response = finish(none, Body::empty(), &about, &etag, 0)?;
            insert(&mut response, header::CONTENT_RANGE, &format!("bytes */{size}"))?;
            return Ok(response);
        }
    };
    let length = range.end - range.start;
    let sends = method != Method::HEAD;
    let content_range = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
    let body = if sends { sending(reader.into_inner(), request, range) } else { Body::empty() };
    let mut response = finish(status, body, &about, &etag, if sends { length } else { 0 })?;
    insert(&mut response, header::CONTENT_LENGTH, &length.to_string())?;
    if status == StatusCode::PARTIAL_CONTENT {
        insert(&mut response, header::CONTENT_RANGE, &content_range)?;
    }
    Ok(response)
}

/// The headers that every answer about a visible blob carries.
fn finish(
    status: StatusCode,
    body: Body,
    about: &BlobPiece,
    etag: &str,
    bytes: u64,
) -> Result<Response, RefusalResponse> {
    let mut response = (status, body).into_response();
    let media_type = about.mime_type.as_deref().filter(|text| is_media_type(text));
    let name = about.filename.clone().unwrap_or_else(|| about.blob_id.to_string());
    for (header, value) in [
        (header::CONTENT_TYPE, media_type.unwrap_or("application/octet-stream")),
        (header::CONTENT_DISPOSITION, &file_name::attachment(&name)),
        (header::ACCEPT_RANGES, "bytes"),
        (header::ETAG, etag),
    ] {
        insert(&mut response, header, value)?;
    }
    response.extensions_mut().insert(BodyBytes(bytes));
    // Ranges and digests are about the bytes as they are.
    response.extensions_mut().insert(KeptAsItIs);
    Ok(response)
}

fn insert(
    response: &mut Response,
    name: header::HeaderName,
    value: &str,
) -> Result<(), RefusalResponse> {
    let value = HeaderValue::try_from(value).map_err(|_| RefusalResponse(refusal::fault()))?;
    response.headers_mut().insert(name, value);
    Ok(())
}

/// `type/subtype` of plain characters, perhaps with plain parameters.
fn is_media_type(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-/;= ".contains(&byte);
    let kind = text.split(';').next().unwrap_or_default();
    text.len() <= 127
        && text.bytes().all(plain)
        && kind.split_once('/').is_some_and(|(a, b)| {
            !a.is_empty() && !b.is_empty() && !b.contains('/') && !kind.contains(['=', ' '])
        })
}

#[derive(Debug, thiserror::Error)]
#[error("a blob left the view or could not be read while it was being sent")]
struct BrokenOff;

/// A body that is read piece by piece; each piece is looked up anew, so that a revoked grant ends it.
pub fn sending(reader: GrantedReader, request: BlobRequest, range: Range<u64>) -> Body {
    let pieces = stream::unfold((reader, request, range), async |(reader, mut request, range)| {
        if range.is_empty() {
            return None;
        }
        let left = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
        request.offset_bytes = range.start;
        request.max_bytes = left.min(BLOB_PIECE_BYTES);
        let piece = match reader.blob(request.clone()).await {
            Ok(piece) if !piece.bytes.is_empty() => Bytes::from(piece.bytes),
            Ok(_) | Err(_) => return Some((Err(BrokenOff), (reader, request, 0..0))),
        };
        let next = range.start + piece.len() as u64;
        Some((Ok(piece), (reader, request, next..range.end)))
    });
    Body::from_stream(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_media_type_is_repeated() {
        for good in ["text/csv", "image/svg+xml", "text/plain; charset=utf-8"] {
            assert!(is_media_type(good), "{good}");
        }
        for bad in ["", "text", "text/", "/csv", "text/csv\r\nx: y", "a/b/c", "text /x", "tëxt/x"]
        {
            assert!(!is_media_type(bad), "{bad}");
        }
    }
}
