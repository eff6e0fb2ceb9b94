//! A short code instead of a browser here: the owner types it on another machine.

use std::time::Duration;

use pdpp_mcp::remote::Web;
use serde_json::Value;

use super::address::{is_plain_code, is_web_page};
use super::discovery::{SignInServer, broken, unreachable};
use crate::agents::OauthClient;
use crate::failure::{Exit, Failure};
use crate::output::note;

/// The name of this kind of sign-in.
pub const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The shortest pause between two questions, whatever the server says.
const SHORTEST: u64 = 1;

/// Shows the code and waits for the owner's word.
pub async fn by_device(
    web: Web,
    server: &SignInServer,
    client: &OauthClient,
) -> Result<Value, Failure> {
    let endpoint = server.device_endpoint.as_ref().ok_or_else(|| {
        let message = "this server does not support sign-in by code; remove --device";
        Failure::new(Exit::Unreachable, "no_device_flow", message)
    })?;
    let mut params = vec![("resource", server.resource.as_str())];
    params.extend(server.scope.as_deref().map(|scope| ("scope", scope)));
    let begun = client.ask(web, endpoint, &params).await.map_err(unreachable)?;
    let text =
        |name: &str| begun.json.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let device_code = text("device_code");
    if begun.status != 200 || device_code.is_empty() {
        return Err(refused(&begun.json));
    }
    let (page, code) = (text("verification_uri"), text("user_code"));
    if !is_web_page(&page) || !is_plain_code(&code) {
        return Err(broken("its sign-in page or code is invalid"));
    }
    note(&format!(
        "Open {page} and enter the code  {code}\nApprove only if the page shows the same code."
    ));
    let number = |name: &str| begun.json.get(name).and_then(Value::as_u64);
    let mut interval = number("interval").unwrap_or(5).clamp(SHORTEST, 60);
    let ends = number("expires_in").unwrap_or(600);
    let mut waited = 0;
    while waited < ends {
        tokio::time::sleep(Duration::from_secs(interval)).await;
        waited += interval;
        let params = [("grant_type", GRANT), ("device_code", device_code.as_str())];
        let asked = client.ask(web, &server.token_endpoint, &params).await;
        let answer = asked.map_err(unreachable)?;
        match answer.json.get("error").and_then(Value::as_str) {
            None if answer.status == 200 => return Ok(answer.json),
            Some("authorization_pending") => {}
            Some("slow_down") => interval += 5,
            _ => return Err(refused(&answer.json)),
        }
    }
    let message = "the code was not approved in time; run the command again";
    Err(Failure::new(Exit::NoCredential, "timeout", message))
}

/// A refusal of the authorization server.
pub fn refused(answer: &Value) -> Failure {
    let word = answer.get("error").and_then(Value::as_str).unwrap_or("no_token");
    let plain: String = word.chars().filter(char::is_ascii_graphic).take(60).collect();
    if plain == "access_denied" {
        let message = "the owner refused access; nothing was connected";
        return Failure::new(Exit::Refused, "access_denied", message);
    }
    let message = format!("the server refused the sign-in ({plain}); run the command again");
    Failure::new(Exit::Refused, "sign_in_refused", message)
}
