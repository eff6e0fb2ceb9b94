//! What the audit log says about a request: one word for it, and how much its answer gave away.

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::response::Response;
use pdpp_contract::StreamName;
use pdpp_contract::access::AuditEvent;
use pdpp_contract::audit::CallOutcome;
use pdpp_engine::audit::CallAudit;

use crate::app::App;
use crate::finish::request_id::RequestId;
use crate::params::path::StreamPath;
use crate::refusal::RefusalResponse;
use crate::v1::body::BodyBytes;

/// How a call ended.
pub fn outcome(operation: &'static str, response: &Response, audit: &CallAudit) -> CallOutcome {
    let refused =
        response.extensions().get::<RefusalResponse>().map(|refusal| refusal.0.code.as_str());
    let bytes = response.extensions().get::<BodyBytes>().map_or(0, |bytes| bytes.0);
    if response.extensions().get::<BodyBytes>().is_none() {
        audit.withhold();
    }
    let records = if bytes > 0 { audit.records_read() } else { 0 };
    CallOutcome { operation, refused, records, bytes }
}

/// Hands the event of a refused call to the log's writer, off the call's path.
pub async fn keep_refused(app: &App, event: Option<Box<AuditEvent>>, id: Option<&RequestId>) {
    if let Some(mut event) = event {
        event.request_id = id.map(|id| id.as_str().to_owned());
        app.services.audit.record(*event).await;
    }
}

/// The word of a request's route, and the stream that its path names.
pub fn asked(request: &Request) -> (&'static str, Option<StreamName>) {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let stream = StreamPath::of(request.uri()).ok().map(|path| path.stream);
    (word(request.method(), route), stream.filter(|_| route.contains("{stream}")))
}

/// One word for each route, the same for every way to ask for it.
fn word(method: &Method, route: &str) -> &'static str {
    let deletes = *method == Method::DELETE;
    match route {
        crate::router::BLOBS => "upload_blob",
        "/v1/blobs/{blob_id}" => "blob",
        "/v1/schema" => "schema",
        "/v1/search" => "search",
        "/v1/streams" => "list_streams",
        "/v1/streams/{stream}" => "stream",
        "/v1/streams/{stream}/aggregate" => "aggregate",
        "/v1/streams/{stream}/records" if deletes => "delete_records",
        "/v1/streams/{stream}/records" => "list_records",
        "/v1/streams/{stream}/records/{id}" if deletes => "delete_record",
        "/v1/streams/{stream}/records/{id}" => "record",
        "/v1/streams/{stream}/records/{id}/field-window" => "field_window",
        crate::router::INGEST => "ingest",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_behind_the_gate_has_its_word() {
        let gated = |path: &&str| path.starts_with("/v1") && *path != crate::oauth::TOKEN_INFO;
        for path in crate::router::paths().into_iter().filter(gated) {
            assert_ne!(word(&Method::GET, path), "unknown", "{path}");
        }
    }
}
