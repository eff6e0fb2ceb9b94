//! `GET /`: what this server is and where to begin. Says nothing about whose data it keeps.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_contract::limits::PDPP_VERSION;
use serde_json::json;

use crate::app::App;

/// The index for programs; people are led to their pages.
pub async fn index(State(app): State<App>, headers: HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if accepts.is_some_and(|accept| accept.contains("text/html")) {
        return Redirect::to("/owner").into_response();
    }
    let link = |path: &str| format!("{}{path}", app.base_url);
    Json(json!({
        "object": "pdpp_discovery_index",
        "role": "resource_server",
        "resource_name": "pdpp",
        "pdpp_version": PDPP_VERSION,
        "bearer_methods_supported": ["header"],
        "links": {
            "self": link("/"),
            "schema": link("/v1/schema"),
            "streams": link("/v1/streams"),
            "health": link("/healthz"),
        },
    }))
    .into_response()
}
