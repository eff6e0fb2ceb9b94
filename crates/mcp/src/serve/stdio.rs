//! The adapter on standard input and output: one client, one line per message.

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;

use super::desk::Desk;
use super::handler::Handler;

/// The conversation broke before it ended.
#[derive(Debug, thiserror::Error)]
#[error("the client's messages could not be read or answered; it may not speak MCP")]
pub struct StdioFault;

/// Answers the one client of this process until it closes its end.
pub async fn serve_stdio(desk: Arc<dyn Desk>, server_name: &str) -> Result<(), StdioFault> {
    let handler = Handler::new(Some(desk), server_name);
    let running = match handler.serve(stdio_pipes()).await {
        Ok(running) => running,
        // A client that goes before it said anything has asked for nothing.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(_) => return Err(StdioFault),
    };
    running.waiting().await.map(|_| ()).map_err(|_| StdioFault)
}
