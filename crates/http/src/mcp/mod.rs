//! `/mcp`: who may speak MCP with this server. What is said there is the business of the `mcp` crate.

mod challenge;
mod cors;
mod gate;
mod metadata;

use axum::routing::{MethodRouter, any, get};

use crate::app::App;
use crate::oauth::preflight;

pub use challenge::{owner_credential, render};
pub use cors::cors;

/// Where agents call, with and without a slash: a redirect would lose the body of a POST.
pub const MCP: &str = "/mcp";
const MCP_SLASH: &str = "/mcp/";
/// Where documents for clients stand, open to pages of every site.
pub const WELL_KNOWN: &str = "/.well-known/";

/// The routes, for servers that speak MCP.
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
