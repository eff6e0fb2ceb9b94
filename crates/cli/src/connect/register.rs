//! Becoming known to an authorization server.

use pdpp_mcp::remote::Web;
use serde_json::{Value, json};

use super::device::{GRANT, refused};
use super::discovery::{SignInServer, unreachable};
use crate::agents::{KeptCredential, OauthClient};
use crate::failure::{Exit, Failure};

const CLIENT_NAME: &str = "pdpp connect";

/// The client of an earlier sign-in if this very server still knows it, else a fresh one.
pub async fn known_or_registered(
    web: Web,
    server: &SignInServer,
    earlier: Option<&KeptCredential>,
    redirect: &str,
) -> Result<OauthClient, Failure> {
    if let Some(kept) = earlier.filter(|kept| kept.issuer == server.issuer) {
        let params = [("grant_type", "refresh_token"), ("refresh_token", "none")];
        let asked = kept.client.ask(web, &server.token_endpoint, &params).await;
        let answer = asked.map_err(unreachable)?;
        if answer.json.get("error").is_some_and(|error| error == "invalid_grant") {
            return Ok(kept.client.clone());
        }
    }
    let endpoint = server.registration_endpoint.as_ref().ok_or_else(|| {
        let message =
            "this server does not register clients at this address; use its https address";
        Failure::new(Exit::Unreachable, "no_registration", message)
    })?;
    let answer = web.post_json(endpoint, &document(server, redirect)).await.map_err(unreachable)?;
    let registered = OauthClient::registered(&answer.json, &server.auth_methods);
    match registered {
        Some(client) if answer.status == 201 || answer.status == 200 => Ok(client),
        _ => Err(refused(&answer.json)),
    }
}

/// What we say about ourselves. A program that anybody can read keeps no secret: we ask for none.
fn document(server: &SignInServer, redirect: &str) -> Value {
    let mut grants = vec!["authorization_code", "refresh_token"];
    if server.device_endpoint.is_some() {
        grants.push(GRANT);
    }
    let mut document = json!({
        "client_name": CLIENT_NAME,
        "redirect_uris": [redirect],
        "application_type": "native",
        "token_endpoint_auth_method": "none",
        "grant_types": grants,
        "response_types": ["code"],
    });
    if let (Some(scope), Value::Object(members)) = (&server.scope, &mut document) {
        members.insert("scope".to_owned(), json!(scope));
    }
    document
}
