//! `GET /v1/streams/{stream}/records/{id}`: one record, or "unchanged" when the caller has it.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_contract::ReadApi;

use crate::params::path::RecordPath;
use crate::params::{self, Params};
use crate::refusal::{self, RefusalResponse};
use crate::v1::body::etag;
use crate::v1::body::{self, Length};
use crate::v1::gate::Reader;

pub async fn record(
    Reader(reader): Reader,
    path: RecordPath,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, RefusalResponse> {
    let request = params::record::request(path, params)?;
    let length = Length::asked(request.preview_chars);
    let detail = reader.record(request).await?;
    let etag = format!("\"{}\"", detail.etag);
    let mut response = if etag::matches(&headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        body::record(detail, length, reader.into_inner())?
    };
    let etag = HeaderValue::try_from(etag).map_err(|_| RefusalResponse(refusal::fault()))?;
    response.headers_mut().insert(header::ETAG, etag);
    Ok(response)
}
