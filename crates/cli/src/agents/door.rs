//! MCP behind the server's `/mcp`: the caller is verified by then; here it gets its reads.

use std::convert::Infallible;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use pdpp_auth::AuditLog;
use pdpp_contract::ApiError;
use pdpp_contract::ports::Clock;
use pdpp_engine::Engine;
use pdpp_http::{AgentDoor, AgentVisit};
use pdpp_mcp::Refusal;
use pdpp_mcp::serve::{Desk, HttpService, Visit};

use super::SERVER_NAME;
use super::noting::counted;

/// Speaks MCP with agents over HTTP.
pub struct McpDoor {
    service: HttpService,
    engine: Engine,
    audit: AuditLog,
    clock: Arc<dyn Clock>,
}

impl McpDoor {
    /// A door to one engine's reads.
    pub fn new(engine: Engine, audit: AuditLog, clock: Arc<dyn Clock>) -> Self {
        Self { service: HttpService::new(SERVER_NAME), engine, audit, clock }
    }
}

#[async_trait]
impl AgentDoor for McpDoor {
    async fn answer(
        &self,
        visit: AgentVisit,
        request: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>> {
        let desk = RequestDesk {
            engine: self.engine.clone(),
            audit: self.audit.clone(),
            clock: Arc::clone(&self.clock),
            visit,
        };
        self.service.answer(Arc::new(desk), request).await
    }
}

/// The desk of one request. Its caller was verified when the request came in.
struct RequestDesk {
    engine: Engine,
    audit: AuditLog,
    clock: Arc<dyn Clock>,
    visit: AgentVisit,
}

#[async_trait]
impl Desk for RequestDesk {
    async fn open(&self) -> Result<Visit, Refusal> {
        let admission = self.audit.admit().await.map_err(ApiError::from)?;
        let access = self.visit.access.clone();
        let reader = Arc::new(self.engine.reader(&access));
        let client = access.client().to_string();
        let id = Some(self.visit.request_id.clone());
        let (read, witness) =
            counted(reader.clone(), (self.audit.clone(), admission), &self.clock, access, id);
        Ok(Visit {
            read,
            handles: reader,
            base_url: Some(self.visit.base_url.clone()),
            client: Some(client),
            witness: Some(witness),
        })
    }
}
