//! `pdpp health`: whether a server answers, for container engines and watchdogs that have no HTTP client.

use clap::Args;
use pdpp_mcp::remote::{ProviderUrl, Web};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Check whether a server is ready
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// The server's address
    #[arg(default_value = "http://127.0.0.1:7667")]
    url: String,
}

/// Asks once. Ready is 0; everything else is 69, so that whoever watches needs no words.
pub async fn run(args: &HealthArgs, output: &Output) -> Result<Exit, Failure> {
    let server: ProviderUrl = args.url.parse()?;
    let server = server.as_str();
    let answer = Web.get(&format!("{server}/readyz"), None).await.map_err(|fault| {
        Failure::new(Exit::Unreachable, "unavailable", format!("{server}: {fault}"))
    })?;
    if answer.status != 200 || answer.json.get("status").is_none() {
        let message = format!("{server} is not ready (status {}); see its log", answer.status);
        return Err(Failure::new(Exit::Unreachable, "unavailable", message));
    }
    output.answer(&json!({"status": "ready", "url": server}), || format!("{server} is ready\n"))?;
    Ok(Exit::Done)
}
