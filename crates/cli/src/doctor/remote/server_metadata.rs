//! The document about signing in: its issuer is the one that was named, its endpoints are whole.

use serde_json::Value;

use super::health::wrong_host;
use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;
use crate::output::plain;

const CHECK: &str = "server_metadata";
const PATH: &str = "/.well-known/oauth-authorization-server";
const ENDPOINTS: [&str; 2] = ["authorization_endpoint", "token_endpoint"];

/// The document, when it can be used.
pub async fn check(
    steps: &mut ServerVisit,
    named: Option<&str>,
    findings: &mut Findings,
) -> Option<Value> {
    let answer = steps.get(PATH).await;
    let document = match answer {
        Ok(answer) if answer.status == 200 && answer.json.is_object() => answer.json,
        other => {
            let status =
                other.map_or_else(|_| "not at all".to_owned(), |it| status_words(it.status));
            let what = format!("{PATH} answers {status}");
            let remedy = "let the proxy forward everything below /.well-known/ to pdpp serve";
            steps.fault(ServerStep::Server, CHECK, what, remedy.to_owned(), findings);
            return None;
        }
    };
    match fault(steps, &document, named) {
        Some((what, remedy)) => {
            steps.fault(ServerStep::Server, CHECK, what, remedy, findings);
            None
        }
        None => {
            steps.good(ServerStep::Server, CHECK, &format!("{PATH} is correct"), findings);
            Some(document)
        }
    }
}

fn fault(steps: &ServerVisit, document: &Value, named: Option<&str>) -> Option<(String, String)> {
    let text = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default();
    let url = steps.address.url();
    let issuer = text("issuer");
    if issuer != url || named.is_some_and(|named| named != issuer) {
        let what = format!("the sign-in is configured as {}, not {url}", plain(issuer));
        return Some((what, wrong_host(url)));
    }
    let foreign = ENDPOINTS.into_iter().find(|name| !text(name).starts_with(issuer));
    if let Some(name) = foreign {
        let what = format!("{name} is missing or has another host name");
        return Some((what, wrong_host(url)));
    }
    let methods = document.get("code_challenge_methods_supported").and_then(Value::as_array);
    let proves = methods.is_some_and(|methods| methods.iter().any(|method| method == "S256"));
    if !proves {
        let what = "the sign-in does not offer PKCE with S256, which clients require".to_owned();
        return Some((what, "another server answers there; point the proxy at pdpp".to_owned()));
    }
    None
}
