//! What clients read about us, and what we read about them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::SignedDuration;
use pdpp_auth::Settings;
use pdpp_auth::oauth::{DocumentFetcher, FetchFault, Fetched, OauthOptions, Verified};
use pdpp_http::HttpOptions;
use serde_json::{Value, json};

use super::signing_in::*;
use crate::client::Call;

/// A web of a few documents that counts how often it is asked.
#[derive(Default)]
pub struct Web {
    pub documents: Mutex<HashMap<String, Value>>,
    pub asked: Mutex<Vec<String>>,
}

impl Web {
    pub fn with(url: &str, document: Value) -> Arc<Self> {
        let web = Self::default();
        web.put(url, document);
        Arc::new(web)
    }

    pub fn put(&self, url: &str, document: Value) {
        self.documents.lock().unwrap().insert(url.to_owned(), document);
    }

    pub fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl DocumentFetcher for Web {
    async fn fetch(&self, url: &str, max_bytes: usize) -> Result<Fetched, FetchFault> {
        self.asked.lock().unwrap().push(url.to_owned());
        let found = self.documents.lock().unwrap().get(url).map(Value::to_string);
        let body = found.filter(|body| body.len() <= max_bytes).ok_or(FetchFault("none"))?;
        Ok(Fetched { body, max_age_seconds: Some(1) })
    }
}

pub async fn desk_with(web: &Arc<Web>) -> Desk {
    let fetcher: Arc<dyn DocumentFetcher> = Arc::clone(web) as _;
    let oauth = OauthOptions { fetcher: Some(fetcher) };
    Desk::with(HttpOptions::default(), oauth).await
}

const ID: &str = "https://claude.ai/oauth/claude-code-client-metadata";

fn claude_code() -> Value {
    json!({
        "client_id": ID,
        "client_name": "Claude Code",
        "client_uri": "https://claude.ai",
        "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    })
}

#[tokio::test]
async fn t_meta_1_the_issuer_is_one_text_everywhere() {
    for public in [None, Some("https://data.example.org")] {
        let options =
            HttpOptions { public_url: public.map(str::to_owned), ..HttpOptions::default() };
        let desk = Desk::with(options, OauthOptions::default()).await;
        let issuer = public.unwrap_or(ISSUER);
        let host = issuer.split_once("://").unwrap().1;
        let get = |path: &str| Call::get(path).header("Host", host);
        let addr = desk.world.addr;
        let own = get("/.well-known/oauth-authorization-server").send(addr).await;
        let alias = get("/.well-known/openid-configuration").send(addr).await;
        assert_eq!(own.body, alias.body, "one document at both addresses");
        let own = own.json();
        assert_eq!(own["issuer"], issuer);
        assert_eq!(own["token_endpoint"], format!("{issuer}/oauth/token"));
        assert_eq!(own["code_challenge_methods_supported"], json!(["S256"]));
        assert_eq!(own["authorization_response_iss_parameter_supported"], true);
        assert_eq!(own.get("client_id_metadata_document_supported"), None);
        let root = get("/.well-known/oauth-protected-resource").send(addr).await;
        let mcp = get("/.well-known/oauth-protected-resource/mcp").send(addr).await;
        assert_eq!(root.body, mcp.body, "t_meta_2: the root is the same document");
        assert_eq!(mcp.json()["authorization_servers"], json!([issuer]));
        let v1 = get("/.well-known/oauth-protected-resource/v1").send(addr).await.json();
        assert_eq!(v1["resource"], format!("{issuer}/v1"));
        assert_eq!(v1["authorization_servers"], json!([issuer]));
        let client = desk.client_at(host).await;
        let target = format!(
            "{}/authorize?{}",
            desk.root,
            encoded(&question(&client, &[("scope", "x"), ("response_type", "y")]))
        );
        let back = get(&target).header("Cookie", &desk.cookie).send(addr).await;
        assert_eq!(param(&told(&back), "iss").as_deref(), Some(issuer));
    }
}

#[tokio::test]
async fn a_client_is_known_by_the_document_it_publishes() {
    let web = Web::with(ID, claude_code());
    let desk = desk_with(&web).await;
    let metadata = desk.send(Call::get("/.well-known/oauth-authorization-server")).await.json();
    assert_eq!(metadata["client_id_metadata_document_supported"], true);
    let target = format!("/oauth/authorize?{}", encoded(&question(ID, &[])));
    assert_eq!(desk.send(Call::get(&target)).await.status, 303);
    assert_eq!(web.count(), 0, "nothing is fetched for somebody who is not signed in");
    let callback = [("redirect_uri", "http://localhost:60123/callback")];
    let request = desk.ask(ID, &callback).await;
    let pending = desk.world.auth.pending_authorization(&request).await.unwrap();
    assert_eq!(pending.client.name, "Claude Code");
    assert_eq!(pending.client.verified, Verified::Published { host: "claude.ai".to_owned() });
    assert!(pending.client.loopback_only);
    desk.ask(ID, &[callback[0], ("state", "again")]).await;
    assert_eq!(web.count(), 1, "a document is kept for a while");
    let foreign = desk.open(&question(ID, &[("redirect_uri", "https://claude.ai/other")])).await;
    assert_eq!(foreign.status, 400);
}

#[tokio::test]
async fn t_cimd_1_a_document_that_is_not_the_client_s_own_makes_no_client() {
    let change = |name: &str, value: Value| {
        let mut document = claude_code();
        document[name] = value;
        document
    };
    for (what, document) in [
        ("another id", change("client_id", json!("https://claude.ai/oauth/other"))),
        ("a foreign site", change("redirect_uris", json!(["https://evil.example/cb"]))),
        ("plain http", change("redirect_uris", json!(["http://claude.ai/cb"]))),
        ("no addresses", change("redirect_uris", json!([]))),
        ("a list", json!([])),
        ("too long", change("client_uri", json!("x".repeat(6_000)))),
        (
            "keys elsewhere",
            json!({
                "client_id": ID, "redirect_uris": ["http://localhost/callback"],
                "token_endpoint_auth_method": "private_key_jwt",
                "jwks_uri": "https://evil.example/keys",
            }),
        ),
    ] {
        let desk = desk_with(&Web::with(ID, document)).await;
        let callback = [("redirect_uri", "http://localhost:1/callback")];
        let reply = desk.open(&question(ID, &callback)).await;
        assert_eq!((reply.status, reply.header("location")), (400, None), "{what}");
    }
}

#[tokio::test]
async fn a_failed_fetch_is_not_tried_again_for_a_minute_and_the_owner_can_turn_fetching_off() {
    let web = Arc::new(Web::default());
    let desk = desk_with(&web).await;
    for state in ["a", "b", "c"] {
        assert_eq!(desk.open(&question(ID, &[("state", state)])).await.status, 400);
    }
    assert_eq!(web.count(), 1);
    desk.world.clock.advance(SignedDuration::from_secs(60));
    desk.open(&question(ID, &[])).await;
    assert_eq!(web.count(), 2);
    let auth = &desk.world.auth;
    let off = Settings { client_documents_off: true, ..Settings::default() };
    auth.change_settings(&auth.local_owner(), off).await.unwrap().unwrap();
    desk.world.clock.advance(SignedDuration::from_secs(60));
    desk.open(&question(ID, &[])).await;
    assert_eq!(web.count(), 2);
    let metadata = desk.send(Call::get("/.well-known/oauth-authorization-server")).await.json();
    assert_eq!(metadata.get("client_id_metadata_document_supported"), None);
}

#[tokio::test]
async fn a_client_that_changes_its_addresses_must_ask_again() {
    let web = Web::with(ID, claude_code());
    let desk = desk_with(&web).await;
    let address = "http://localhost:1/callback";
    let request = desk.ask(ID, &[("redirect_uri", address)]).await;
    let code = param(&desk.approve(&request, draft(&["blue"])).await, "code").unwrap();
    let reply = desk
        .token(&[
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", address),
            ("code_verifier", VERIFIER),
            ("client_id", ID),
        ])
        .await;
    let tokens = Tokens::of(ID.to_owned(), &reply);
    web.documents.lock().unwrap().clear();
    desk.world.clock.advance(SignedDuration::from_secs(120));
    let next = Tokens::of(ID.to_owned(), &desk.refresh(ID, &tokens.refresh).await);
    let mut changed = claude_code();
    changed["redirect_uris"] = json!(["http://localhost/other"]);
    web.put(ID, changed);
    desk.world.clock.advance(SignedDuration::from_secs(120));
    assert_eq!(refusal(&desk.refresh(ID, &next.refresh).await).1, "invalid_grant");
    assert_eq!(desk.call(&next.access).await.status, 200, "what it holds works until then");
}

#[tokio::test]
async fn strangers_introduce_themselves_over_https_or_at_home_only() {
    let options = HttpOptions::default();
    let world = crate::world::World::with(options).await;
    let addr = world.addr;
    let metadata = |host: &'static str| async move {
        let call = Call::get("/.well-known/oauth-authorization-server").header("Host", host);
        call.send(addr).await
    };
    assert!(metadata("localhost:1").await.json().get("registration_endpoint").is_some());
    assert!(metadata("127.0.0.1:1").await.json().get("registration_endpoint").is_some());
}
