//! One sign-in from beginning to end.

use pdpp_contract::ports::Entropy;
use pdpp_mcp::remote::{ProviderUrl, Web};
use serde_json::{Value, json};

use super::browser::Browser;
use super::device::{by_device, refused};
use super::discovery::{SignInServer, broken, discover, unreachable};
use super::loopback::Loopback;
use super::pkce::{Pkce, random_text};
use super::register::known_or_registered;
use crate::agents::{KeptCredential, OauthClient};
use crate::failure::{Exit, Failure};
use crate::output::note;

/// The port in it is ignored: whichever is free is used.
const REDIRECT: &str = "http://127.0.0.1/callback";

/// What a sign-in needs.
pub struct SignIn<'a> {
    pub provider: &'a ProviderUrl,
    pub browser: &'a Browser,
    pub by_code: bool,
    pub entropy: &'a dyn Entropy,
    /// What an earlier sign-in left, for its client.
    pub earlier: Option<KeptCredential>,
}

/// Signs in; answers what is to be kept.
pub async fn sign_in(question: SignIn<'_>) -> Result<KeptCredential, Failure> {
    let web = Web;
    let server = discover(web, question.provider).await?;
    let by_code = question.by_code || !question.browser.can_show();
    let (client, tokens) = if by_code {
        let earlier = question.earlier.as_ref();
        let client = known_or_registered(web, &server, earlier, REDIRECT).await?;
        let tokens = by_device(web, &server, &client).await?;
        (client, tokens)
    } else {
        by_browser(web, &server, &question).await?
    };
    kept(&server, client, &tokens)
}

async fn by_browser(
    web: Web,
    server: &SignInServer,
    question: &SignIn<'_>,
) -> Result<(OauthClient, Value), Failure> {
    if !server.supports_pkce {
        return Err(broken("its authorization server does not support PKCE with S256"));
    }
    let secret = random_text(question.entropy);
    let waiting = Loopback::open(&secret).await?;
    let redirect = waiting.address().unwrap_or_default();
    // The path is secret, so the address is registered anew each time.
    let client = known_or_registered(web, server, None, &redirect).await?;
    let (proof, state) = (Pkce::new(question.entropy), random_text(question.entropy));
    let mut params = vec![
        ("response_type", "code"),
        ("client_id", client.id.as_str()),
        ("redirect_uri", redirect.as_str()),
        ("code_challenge", proof.challenge.as_str()),
        ("code_challenge_method", "S256"),
        ("state", state.as_str()),
        ("resource", server.resource.as_str()),
    ];
    params.extend(server.scope.as_deref().map(|scope| ("scope", scope)));
    let address = with_query(&server.authorization_endpoint, &params);
    note(&format!("Opening your browser. If it does not open, go to:\n  {address}"));
    question.browser.open(&address);
    let answer = waiting.answer(&state).await?;
    if let Some(error) = answer.error {
        return Err(refused(&json!({"error": error})));
    }
    let foreign = answer.state.as_deref() != Some(&state)
        || answer.iss.as_ref().is_some_and(|iss| *iss != server.issuer)
        || (server.sends_issuer && answer.iss.is_none());
    if foreign {
        let message = "the response in the browser is not from this server; run the command again";
        return Err(Failure::new(Exit::Refused, "foreign_answer", message));
    }
    let code = answer.code.unwrap_or_default();
    let params = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", redirect.as_str()),
        ("code_verifier", proof.verifier.as_str()),
        ("resource", server.resource.as_str()),
    ];
    let tokens = client.ask(web, &server.token_endpoint, &params).await.map_err(unreachable)?;
    if tokens.status != 200 {
        return Err(refused(&tokens.json));
    }
    Ok((client, tokens.json))
}

/// An address with parameters behind those that it has.
fn with_query(endpoint: &str, params: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(params).finish();
    let joint = if endpoint.contains('?') { '&' } else { '?' };
    format!("{endpoint}{joint}{query}")
}

fn kept(
    server: &SignInServer,
    client: OauthClient,
    tokens: &Value,
) -> Result<KeptCredential, Failure> {
    let text = |name: &str| tokens[name].as_str().map(str::to_owned);
    Ok(KeptCredential {
        access_token: text("access_token").ok_or_else(|| refused(tokens))?,
        refresh_token: text("refresh_token"),
        expires_in: tokens.get("expires_in").and_then(Value::as_i64),
        expires_at: None,
        client,
        package_id: text("grant_package_id"),
        issuer: server.issuer.clone(),
        resource: server.resource.clone(),
        token_endpoint: server.token_endpoint.clone(),
    })
}
