//! The one script: keeps the sentence true while the owner chooses. The page works without it.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

const SCRIPT: &str = include_str!("../../../templates/consent.js");

/// `GET /assets/consent.js`
pub async fn script() -> Response {
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    let mut response = SCRIPT.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
