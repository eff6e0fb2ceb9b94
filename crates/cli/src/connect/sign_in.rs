//! One sign-in from beginning to end.

use pdpp_contract::ports::Entropy;
use pdpp_mcp::remote::{ProviderUrl, Web, encoded};
use serde_json::{Value, json};

use super::browser::Browser;
use super::device::{by_device, refused};
use super::discovery::{Place, discover, unreachable};
use super::loopback::Loopback;
use super::proof::{Proof, random_text};
use crate::agents::KeptCredential;
use crate::failure::{Exit, Failure};
use crate::output::note;

/// The port in it is ignored: whichever is free is used.
const REDIRECT: &str = "http://127.0.0.1/callback";
const CLIENT_NAME: &str = "pdpp connect";

/// What a sign-in needs.
pub struct SignIn<'a> {
    pub provider: &'a ProviderUrl,
    pub browser: &'a Browser,
    pub by_code: bool,
    pub entropy: &'a dyn Entropy,
    /// What an earlier sign-in left, for its client id.
    pub earlier: Option<KeptCredential>,
}

/// Signs in; answers what is to be kept.
pub async fn sign_in(question: SignIn<'_>) -> Result<KeptCredential, Failure> {
    let web = Web;
    let place = discover(web, question.provider).await?;
    let by_code = question.by_code || !question.browser.can_show();
    let (client_id, tokens) = if by_code {
        let client_id = client(web, &place, question.earlier.as_ref(), REDIRECT).await?;
        let tokens = by_device(web, &place, &client_id).await?;
        (client_id, tokens)
    } else {
        by_browser(web, &place, &question).await?
    };
    kept(&place, client_id, &tokens)
}

async fn by_browser(
    web: Web,
    place: &Place,
    question: &SignIn<'_>,
) -> Result<(String, Value), Failure> {
    let secret = random_text(question.entropy);
    let waiting = Loopback::open(&secret).await?;
    let redirect = waiting.address().unwrap_or_default();
    // The path is secret, so the address is registered anew each time.
    let client_id = client(web, place, None, &redirect).await?;
    let (proof, state) = (Proof::new(question.entropy), random_text(question.entropy));
    let params = [
        ("response_type", "code"),
        ("client_id", client_id.as_str()),
        ("redirect_uri", redirect.as_str()),
        ("code_challenge", proof.challenge.as_str()),
        ("code_challenge_method", "S256"),
        ("state", state.as_str()),
        ("resource", place.resource.as_str()),
        ("scope", "pdpp:read offline_access"),
    ];
    let pairs: Vec<String> =
        params.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let address = format!("{}?{}", place.authorization_endpoint, pairs.join("&"));
    note(&format!("Opening your browser. If nothing happens, open this address:\n  {address}"));
    question.browser.open(&address);
    let answer = waiting.answer().await?;
    if let Some(error) = answer.error {
        return Err(refused(&json!({"error": error})));
    }
    let foreign = answer.state.as_deref() != Some(&state)
        || answer.iss.as_ref().is_some_and(|iss| *iss != place.issuer)
        || (place.sends_issuer && answer.iss.is_none());
    if foreign {
        let message = "the browser brought an answer that is not from this server; run it again";
        return Err(Failure::new(Exit::Refused, "foreign_answer", message));
    }
    let code = answer.code.unwrap_or_default();
    let params = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", redirect.as_str()),
        ("code_verifier", proof.verifier.as_str()),
        ("client_id", client_id.as_str()),
        ("resource", place.resource.as_str()),
    ];
    let tokens = web.post_form(&place.token_endpoint, &params).await.map_err(unreachable)?;
    if tokens.status != 200 {
        return Err(refused(&tokens.json));
    }
    Ok((client_id, tokens.json))
}

/// The client id of an earlier sign-in if the server still knows it, else a fresh one.
async fn client(
    web: Web,
    place: &Place,
    earlier: Option<&KeptCredential>,
    redirect: &str,
) -> Result<String, Failure> {
    if let Some(kept) = earlier.filter(|kept| kept.issuer == place.issuer) {
        let params = [
            ("grant_type", "refresh_token"),
            ("refresh_token", "none"),
            ("client_id", kept.client_id.as_str()),
        ];
        let answer = web.post_form(&place.token_endpoint, &params).await.map_err(unreachable)?;
        if answer.json.get("error").is_some_and(|error| error == "invalid_grant") {
            return Ok(kept.client_id.clone());
        }
    }
    let endpoint = place.registration_endpoint.as_ref().ok_or_else(|| {
        let message = "this server registers no clients over this address; use its https address";
        Failure::new(Exit::Unreachable, "no_registration", message)
    })?;
    let document = json!({
        "client_name": CLIENT_NAME,
        "redirect_uris": [redirect],
        "application_type": "native",
        "token_endpoint_auth_method": "none",
        "grant_types": [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "response_types": ["code"],
        "scope": "pdpp:read offline_access",
    });
    let answer = web.post_json(endpoint, &document).await.map_err(unreachable)?;
    match answer.json.get("client_id").and_then(Value::as_str) {
        Some(client_id) if answer.status == 201 || answer.status == 200 => Ok(client_id.to_owned()),
        _ => Err(refused(&answer.json)),
    }
}

fn kept(place: &Place, client_id: String, tokens: &Value) -> Result<KeptCredential, Failure> {
    let text = |name: &str| tokens[name].as_str().map(str::to_owned);
    Ok(KeptCredential {
        access_token: text("access_token").ok_or_else(|| refused(tokens))?,
        refresh_token: text("refresh_token"),
        expires_in: tokens.get("expires_in").and_then(Value::as_i64),
        expires_at: None,
        client_id,
        package_id: text("grant_package_id"),
        issuer: place.issuer.clone(),
        resource: place.resource.clone(),
        token_endpoint: place.token_endpoint.clone(),
    })
}
