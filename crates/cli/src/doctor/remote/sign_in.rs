//! Introduces itself as one of the more demanding clients does, and follows the way to the login.

use http::Request;
use http::header::LOCATION;
use pdpp_mcp::remote::encoded;
use serde_json::{Value, json};

use super::steps::{ServerStep, ServerVisit, status_words};
use crate::doctor::Findings;
use crate::output::plain;

const REGISTRATION: &str = "registration";
const LOGIN: &str = "sign_in";
/// Cursor registers these three at once; a server that refuses one refuses it.
const REDIRECTS: [&str; 3] = [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
];
/// The digest of a word that nobody will be asked for.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub async fn check(steps: &mut ServerVisit, server: &Value, findings: &mut Findings) {
    let text = |name: &str| server.get(name).and_then(Value::as_str).map(str::to_owned);
    let knows_documents =
        server.get("client_id_metadata_document_supported") == Some(&Value::Bool(true));
    let Some(endpoint) = text("registration_endpoint") else {
        let what = "clients cannot register".to_owned();
        let remedy = format!("start it with pdpp serve --public-url {}", steps.address.url());
        return steps.fault(ServerStep::Register, REGISTRATION, what, remedy, findings);
    };
    let Some(client_id) = registered(steps, &endpoint, findings).await else { return };
    let also = if knows_documents { ", also with a client metadata document" } else { "" };
    let what = format!("clients can register{also}");
    steps.good(ServerStep::Register, REGISTRATION, &what, findings);
    if let Some(endpoint) = text("authorization_endpoint") {
        look_for_login(steps, &endpoint, &client_id, findings).await;
    }
}

async fn registered(
    steps: &mut ServerVisit,
    endpoint: &str,
    findings: &mut Findings,
) -> Option<String> {
    let document = json!({
        "client_name": "pdpp doctor",
        "redirect_uris": REDIRECTS,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    });
    let answer = steps.web.post_json(endpoint, &document).await;
    let (status, said) = match &answer {
        Ok(answer) => (answer.status, answer.json.clone()),
        Err(_) => (0, Value::Null),
    };
    let client_id = said.get("client_id").and_then(Value::as_str).map(str::to_owned);
    if (200..300).contains(&status) && client_id.is_some() {
        return client_id;
    }
    if status == 429 {
        // That it counts is no fault; it was asked often.
        findings.note(
            REGISTRATION,
            "too many registrations from this address",
            "try again in an hour",
        );
        steps.pass(ServerStep::Register);
        steps.pass(ServerStep::SignIn);
        return None;
    }
    let why = said.get("error_description").and_then(Value::as_str).map(plain);
    let why = why.unwrap_or_else(|| status_words(status));
    let what = format!("registration is refused: {why}");
    let remedy =
        "let the proxy forward /oauth/register to pdpp serve with the body unchanged".to_owned();
    steps.fault(ServerStep::Register, REGISTRATION, what, remedy, findings);
    None
}

/// The owner's browser must come to a login page of the same server.
async fn look_for_login(
    steps: &mut ServerVisit,
    endpoint: &str,
    client_id: &str,
    findings: &mut Findings,
) {
    let [_, _, redirect] = REDIRECTS;
    let resource = steps.address.at("/mcp");
    let params = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", redirect),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", resource.as_str()),
        ("scope", ""),
    ];
    let query: Vec<String> =
        params.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let request = Request::get(format!("{endpoint}?{}", query.join("&"))).body(String::new());
    let Ok(request) = request else { return };
    let answer = steps.web.ask(request).await;
    let leads = answer.as_ref().is_ok_and(|answer| {
        let place = answer.headers.get(LOCATION).and_then(|place| place.to_str().ok());
        let own = |place: &str| place.starts_with('/') || place.starts_with(steps.address.url());
        match answer.status {
            200 => true,
            302 | 303 | 307 => place.is_some_and(own),
            _ => false,
        }
    });
    if leads {
        return steps.good(ServerStep::SignIn, LOGIN, "leads to the login page", findings);
    }
    let status = answer.map_or_else(|_| "no response".to_owned(), |it| status_words(it.status));
    let what = format!("the owner's browser gets {status} instead of the login page");
    let remedy = "let the proxy forward /oauth/ and /owner to pdpp serve".to_owned();
    steps.fault(ServerStep::SignIn, LOGIN, what, remedy, findings);
}
