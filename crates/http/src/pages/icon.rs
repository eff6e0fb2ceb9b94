//! The icon of a browser's tab.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

const ICON: &str = include_str!("../../templates/icon.svg");
/// A drawing that nobody misses when it is a day old.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// `GET /assets/icon.svg`
pub async fn icon() -> Response {
    let kind = HeaderValue::from_static("image/svg+xml");
    let mut response = ICON.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    response
}
