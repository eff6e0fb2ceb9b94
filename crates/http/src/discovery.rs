//! `GET /`: what this server is and where to begin. Says nothing about whose data it keeps.

use axum::Json;
use axum::extract::State;
use pdpp_contract::limits::PDPP_VERSION;
use serde_json::{Value, json};

use crate::app::App;

/// The index.
pub async fn index(State(app): State<App>) -> Json<Value> {
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
}
