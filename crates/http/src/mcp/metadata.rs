//! `/.well-known/oauth-protected-resource` and the same for `/mcp`: one document, because some
//! clients ask at the root first and compare its `resource` with the address they were given.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::MCP;
use crate::app::App;

/// What a client must know to get a token for `/mcp`.
pub async fn protected_resource(State(app): State<App>, headers: HeaderMap) -> Response {
    let origin = app.origin_for(&headers);
    let document = json!({
        "resource": format!("{origin}{MCP}"),
        "authorization_servers": [origin],
        "scopes_supported": ["pdpp:read"],
        "bearer_methods_supported": ["header"],
        "resource_name": "pdpp",
    });
    let mut response = Json(document).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}
