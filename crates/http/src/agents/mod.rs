//! `/mcp`: the door for agents' own protocol. Who may enter is settled here; what is said inside is
//! the business of whoever is mounted.

mod challenge;
mod cors;
mod gate;
mod metadata;
mod rate;

use std::convert::Infallible;

use async_trait::async_trait;
use axum::routing::{MethodRouter, any, get};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use pdpp_auth::GrantAccess;

use crate::app::App;
use crate::oauth::preflight;

pub use challenge::{owner_credential, render};
pub use cors::cors;
pub use rate::RateLimit;

/// Where agents call, with and without a slash: a redirect would lose the body of a POST.
pub const MCP: &str = "/mcp";
const MCP_SLASH: &str = "/mcp/";
/// Where documents for clients stand, open to pages of every site.
pub const WELL_KNOWN: &str = "/.well-known/";

/// Speaks a protocol with agents that were let in.
#[async_trait]
pub trait AgentDoor: Send + Sync {
    /// Answers one request.
    async fn answer(
        &self,
        visit: AgentVisit,
        request: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>>;
}

/// Who was let in, for this one request.
#[derive(Debug, Clone)]
pub struct AgentVisit {
    /// What the agent may read now.
    pub access: GrantAccess,
    /// The server's own id of the request.
    pub request_id: String,
    /// Where the agent finds this server.
    pub base_url: String,
}

/// The routes, for servers on which somebody is mounted.
pub fn routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        (MCP, any(gate::gate)),
        (MCP_SLASH, any(gate::gate)),
        ("/.well-known/oauth-protected-resource", document()),
        ("/.well-known/oauth-protected-resource/mcp", document()),
    ]
}

fn document() -> MethodRouter<App> {
    get(metadata::protected_resource).options(preflight)
}

/// Whether a route is spoken to by agents' clients, which expect refusals in OAuth's form.
pub fn is_agents(route: Option<&str>) -> bool {
    matches!(route, Some(MCP | MCP_SLASH))
}
