//! `GET /v1/streams/{stream}/records/{id}`: one record, or "unchanged" when the caller has it.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_contract::ReadApi;

use crate::body::{self, Length};
use crate::caller::Reader;
use crate::params::path::RecordPath;
use crate::params::{self, Params};
use crate::refusal::{self, Refusal};

pub async fn record(
    Reader(reader): Reader,
    path: RecordPath,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let request = params::record::request(path, params)?;
    let length = Length::asked(request.preview_chars);
    let detail = reader.record(request).await?;
    let etag = format!("\"{}\"", detail.etag);
    let mut response = if has(&headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        body::record(detail, length, reader)?
    };
    let etag = HeaderValue::try_from(etag).map_err(|_| Refusal(refusal::fault()))?;
    response.headers_mut().insert(header::ETAG, etag);
    Ok(response)
}

/// Whether `If-None-Match` names the tag; weakness does not matter for a read.
fn has(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = values.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    tags.any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_tag_is_found_in_any_spelling() {
        let has = |value: &str| {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value.parse().unwrap())]);
            super::has(&headers, "\"abc\"")
        };
        for known in ["\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "*"] {
            assert!(has(known), "{known}");
        }
        for other in ["abc", "\"ab\"", "\"x\",\"y\"", ""] {
            assert!(!has(other), "{other}");
        }
    }
}
