//! The document about `/mcp`: there, at both places, and of the same mind as whoever typed the URL.

use pdpp_mcp::remote::{WebAnswer, WebFault};
use serde_json::Value;

use super::health::wrong_host;
use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;
use crate::output::plain;

const MISSING: &str = "resource_metadata";
const OTHER_NAME: &str = "public_url";
const PLACES: [(ServerStep, &str); 2] = [
    (ServerStep::Resource, "/.well-known/oauth-protected-resource/mcp"),
    (ServerStep::ResourceAtRoot, "/.well-known/oauth-protected-resource"),
];

/// The authorization server that the document names.
pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) -> Option<String> {
    let mut named = None;
    for (step, path) in PLACES {
        let answer = steps.get(path).await;
        match fault(steps, path, &answer) {
            Some((check, what, remedy)) => steps.fault(step, check, what, remedy, findings),
            None => steps.good(step, MISSING, &format!("{path} is correct"), findings),
        }
        let issuer = answer.ok().and_then(|answer| {
            let issuer = answer.json.pointer("/authorization_servers/0");
            issuer.and_then(Value::as_str).map(str::to_owned)
        });
        named = named.or(issuer);
    }
    named
}

fn fault(
    steps: &ServerVisit,
    path: &str,
    answer: &Result<WebAnswer, WebFault>,
) -> Option<(&'static str, String, String)> {
    let pass_on = "let the proxy forward everything below /.well-known/ to pdpp serve and answer \
                   nothing there itself";
    let answer = match answer {
        Ok(answer) if answer.status == 200 && answer.json.is_object() => answer,
        Ok(answer) if answer.status == 421 => {
            let what = format!("{path} answers {}", status_words(421));
            return Some((OTHER_NAME, what, wrong_host(steps.address.url())));
        }
        Ok(answer) if answer.status == 200 => {
            let what = format!("{path} does not return the metadata document");
            return Some((MISSING, what, pass_on.to_owned()));
        }
        Ok(answer) => {
            let what = format!("{path} answers {}", status_words(answer.status));
            return Some((MISSING, what, pass_on.to_owned()));
        }
        Err(_) => {
            return Some((MISSING, format!("no response from {path}"), pass_on.to_owned()));
        }
    };
    let expected = steps.address.at("/mcp");
    let named = answer.json.get("resource").and_then(Value::as_str).unwrap_or_default();
    if named == expected {
        return None;
    }
    let what = format!(
        "the server is configured as {}, but you reach it as {expected}: clients compare the two and \
         refuse",
        plain(named)
    );
    Some((OTHER_NAME, what, wrong_host(steps.address.url())))
}
