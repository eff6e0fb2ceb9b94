//! The first call of every client: `initialize` without a token, which must lead to the sign-in.

use http::Request;
use http::header::{ACCEPT, CONTENT_TYPE, WWW_AUTHENTICATE};
use pdpp_mcp::remote::{WebAnswer, WebFault};
use serde_json::json;

use super::health::wrong_host;
use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;

const CHECK: &str = "challenge";

pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) {
    let Ok(answer) = asked(steps).await else {
        let what = "the first call to /mcp got no answer".to_owned();
        let remedy = "let the proxy forward POST requests without buffering the body";
        return steps.fault(ServerStep::Challenge, CHECK, what, remedy.to_owned(), findings);
    };
    let challenge = answer.headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
    let leads_on = challenge.is_some_and(|challenge| challenge.contains("resource_metadata="));
    if answer.status == 401 && leads_on {
        return steps.good(ServerStep::Challenge, CHECK, "/mcp points to the sign-in", findings);
    }
    let (what, remedy) = if answer.status == 401 {
        (
            "/mcp refuses requests without pointing to the sign-in".to_owned(),
            "let the proxy forward the WWW-Authenticate header".to_owned(),
        )
    } else {
        let remedy = match answer.status {
            421 => wrong_host(steps.address.url()),
            403 => "turn off the proxy's own access control for /mcp: pdpp has its own sign-in"
                .to_owned(),
            _ => "let the proxy forward /mcp to pdpp serve, with all methods".to_owned(),
        };
        (format!("the first call to /mcp answers {}", status_words(answer.status)), remedy)
    };
    steps.fault(ServerStep::Challenge, CHECK, what, remedy, findings);
}

async fn asked(steps: &ServerVisit) -> Result<WebAnswer, WebFault> {
    let hello = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "pdpp-doctor", "version": env!("CARGO_PKG_VERSION")},
        },
    });
    let request = Request::post(steps.address.at("/mcp"))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "application/json, text/event-stream")
        .body(hello.to_string())
        .map_err(|_| WebFault::Address)?;
    steps.web.ask(request).await
}
