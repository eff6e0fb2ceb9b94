//! MCP on standard input and output: one client, one line per message.

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::{RoleServer, ServerInitializeError};
use rmcp::transport::Transport;
use rmcp::transport::io::stdio_pipes;
use tokio::sync::Mutex;

use super::credential_filter::{pass_in, pass_out};
use super::handler::Handler;
use super::lines::LineTransport;
use crate::call_context::CallSource;

/// What may be on its way between the client and the handler.
const BUFFER_BYTES: usize = 64 * 1024;

/// The conversation broke before it ended.
#[derive(Debug, thiserror::Error)]
#[error("the client's messages could not be read or answered; it may not speak MCP")]
pub struct StdioFault;

/// Answers the one client of this process until it closes its end.
pub async fn serve_stdio(source: Arc<dyn CallSource>, server_name: &str) -> Result<(), StdioFault> {
    let handler = Handler::new(Some(source), server_name);
    let (client, answers) = stdio_pipes();
    let answers = Arc::new(Mutex::new(answers));
    let (to_handler, from_client) = tokio::io::duplex(BUFFER_BYTES);
    let (faults, found) = tokio::io::duplex(BUFFER_BYTES);
    let incoming = tokio::spawn(pass_in(client, to_handler, Arc::clone(&answers)));
    let outgoing = tokio::spawn(pass_out(found, Arc::clone(&answers)));
    let served = converse(handler, LineTransport::new(from_client, faults, answers)).await;
    incoming.abort();
    // The handler has let go of its end: what it said is passed on, then this is over.
    let _ = outgoing.await;
    served
}

async fn converse(
    handler: Handler,
    client: impl Transport<RoleServer> + 'static,
) -> Result<(), StdioFault> {
    let running = match handler.serve(client).await {
        Ok(running) => running,
        // A client that goes before it said anything has asked for nothing.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(_) => return Err(StdioFault),
    };
    running.waiting().await.map(|_| ()).map_err(|_| StdioFault)
}
