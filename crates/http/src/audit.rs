//! What goes into the audit log: who asked for what, and how much of it they got.

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::response::Response;
use jiff::Timestamp;
use pdpp_auth::Caller;
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_contract::{ConnectionId, StreamName};

use crate::app::App;
use crate::params::path::StreamPath;
use crate::refusal::Refusal;
use crate::request_id::RequestId;

/// What an answer gave away, as the one who wrote it counted it.
#[derive(Debug, Clone, Default)]
pub struct Disclosed {
    pub connection_ids: Vec<ConnectionId>,
    pub records: u64,
    pub bytes: u64,
}

impl Disclosed {
    /// An answer about these connections that holds so many records.
    pub fn of(connections: impl IntoIterator<Item = ConnectionId>, records: u64) -> Self {
        let mut connection_ids: Vec<_> = connections.into_iter().collect();
        connection_ids.sort();
        connection_ids.dedup();
        Self { connection_ids, records, bytes: 0 }
    }
}

/// The part of a request that is worth keeping.
pub struct Asked {
    operation: AuditWord,
    stream: Option<StreamName>,
    request_id: Option<String>,
}

impl Asked {
    /// Reads it before the request is gone.
    pub fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let stream = StreamPath::of(request.uri()).ok().map(|path| path.stream);
        let request_id = request.extensions().get::<RequestId>();
        Self {
            operation: AuditWord::new(operation(request.method(), route)),
            stream: stream.filter(|_| route.contains("{stream}")),
            request_id: request_id.map(|id| id.as_str().to_owned()),
        }
    }

    /// The server's own id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// The event, once the answer is known.
    pub fn event(self, caller: &Caller, response: &Response, at: Timestamp) -> AuditEvent {
        let (actor, package_id, token_fingerprint) = match caller {
            Caller::Agent(access) => (
                AuditActor::Client(access.client().clone()),
                Some(access.package_id().clone()),
                Some(access.token_fingerprint().clone()),
            ),
            Caller::Owner(access) => (AuditActor::Owner, None, access.fingerprint().cloned()),
        };
        let refusal = response.extensions().get::<Refusal>();
        let given = response.extensions().get::<Disclosed>().cloned().unwrap_or_default();
        AuditEvent {
            at,
            actor,
            package_id,
            token_fingerprint,
            operation: self.operation,
            connection_ids: given.connection_ids,
            stream: self.stream,
            records_returned: given.records,
            bytes_returned: given.bytes,
            outcome: refusal.map_or(AuditWord::OK, |refusal| refusal.0.code.into()),
            request_id: self.request_id,
        }
    }
}

/// Hands the event of a refused call to the log's writer, off the call's path.
pub async fn keep_refused(app: &App, event: Option<Box<AuditEvent>>, request_id: Option<&str>) {
    if let Some(mut event) = event {
        event.request_id = request_id.map(str::to_owned);
        app.services.audit.record(*event).await;
    }
}

/// One word for each route, the same for every way to ask for it.
fn operation(method: &Method, route: &str) -> &'static str {
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
            assert_ne!(operation(&Method::GET, path), "unknown", "{path}");
        }
    }
}
