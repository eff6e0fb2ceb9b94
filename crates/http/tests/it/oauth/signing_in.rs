//! An owner in a browser and a client that signs in, in few words.

use std::sync::Arc;

use pdpp_auth::oauth::{ConsentDraft, Decision, DraftEntry, OauthOptions, OwnerSession};
use pdpp_contract::AccessMode;
use pdpp_http::HttpOptions;
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use serde_json::{Value, json};

use crate::agents::Mirror;
use crate::client::{Call, Reply};
use crate::world::World;

/// A proof key and its S256 digest.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const PASSWORD: &str = "a long enough password";
pub const HOST: &str = "localhost:7667";
pub const ISSUER: &str = "http://localhost:7667";
pub const CALLBACK: &str = "http://127.0.0.1:4711/callback";

/// A server with two notebooks and a signed-in owner.
pub struct Desk {
    pub world: World,
    pub session: OwnerSession,
    pub cookie: String,
    /// What the addresses of the owner's session begin with.
    pub root: String,
}

impl Desk {
    pub async fn new() -> Self {
        Self::with(HttpOptions::default(), OauthOptions::default()).await
    }

    pub async fn with(options: HttpOptions, oauth: OauthOptions) -> Self {
        let public_url = options.public_url.clone();
        let options = HttpOptions { registrations: 1_000, ..options };
        Self::in_front_of(
            World::with_oauth(options, Some(Arc::new(Mirror)), oauth).await,
            public_url,
        )
        .await
    }

    /// Two servers over one database, which must outlive them: one signed-in owner at both.
    pub async fn two() -> Option<([Self; 2], FreshDatabase)> {
        let database = fresh_database().await?;
        let options = || HttpOptions { registrations: 1_000, ..HttpOptions::default() };
        let one =
            |seed| World::on_database((database.url(), seed), options(), Some(Arc::new(Mirror)));
        let (a, b) = (one(21).await, one(22).await);
        let a = Self::in_front_of(a, None).await;
        let (session, cookie, root) = (a.session.clone(), a.cookie.clone(), a.root.clone());
        Some(([a, Self { world: b, session, cookie, root }], database))
    }

    async fn in_front_of(world: World, public_url: Option<String>) -> Self {
        world.fill().await;
        let code = world.auth.offer_setup().await.unwrap().unwrap();
        let fields =
            [("code", code.reveal()), ("password", PASSWORD), ("password_again", PASSWORD)];
        let origin = public_url.unwrap_or_else(|| ISSUER.to_owned());
        let host = origin.split_once("://").unwrap().1;
        let call = Call::new("POST", "/owner/setup").header("Host", host).header("Origin", &origin);
        let reply = call.body(encoded(&fields)).send(world.addr).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let root = reply.header("location").unwrap().strip_suffix("/connect").unwrap().to_owned();
        // What is decided without the pages is decided by an owner who signed in just now.
        let now = pdpp_contract::ports::Clock::now(&*world.clock);
        let session = OwnerSession::new("a session".to_owned(), [7; 32], now);
        Self { world, session, cookie, root }
    }

    /// A page of the owner's session.
    pub async fn page(&self, place: &str) -> Reply {
        let target = format!("{}{place}", self.root);
        self.send(Call::get(&target).header("Cookie", &self.cookie)).await
    }

    pub async fn send(&self, call: Call) -> Reply {
        call.header("Host", HOST).send(self.world.addr).await
    }

    pub async fn register(&self, document: &Value) -> Reply {
        let call = Call::new("POST", "/oauth/register").header("Content-Type", "application/json");
        self.send(call.body(document.to_string())).await
    }

    /// A client with one loopback address.
    pub async fn client(&self) -> String {
        let reply = self.register(&json!({"redirect_uris": [CALLBACK], "client_name": "C"})).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// The same at another name of the server.
    pub async fn client_at(&self, host: &str) -> String {
        let body = json!({"redirect_uris": [CALLBACK]}).to_string();
        let call = Call::new("POST", "/oauth/register").header("Host", host).body(body);
        let reply = call.send(self.world.addr).await;
        reply.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// Opens an authorize address in the owner's browser, where the password was given for it.
    pub async fn open(&self, params: &[(&str, &str)]) -> Reply {
        self.page(&format!("/authorize?{}", encoded(params))).await
    }

    /// The request that a good question leads to.
    pub async fn ask(&self, client: &str, more: &[(&str, &str)]) -> String {
        let reply = self.open(&question(client, more)).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        let place = reply.header("location").unwrap();
        self.request_at(place)
    }

    /// The request whose consent page this is.
    pub fn request_at(&self, place: &str) -> String {
        let request = place.strip_prefix(&format!("{}/consent/", self.root));
        request.unwrap_or_else(|| panic!("{place}")).to_owned()
    }

    /// The owner picks streams of these connections and approves; answers where the browser goes.
    pub async fn approve(&self, request: &str, draft: ConsentDraft) -> String {
        let reviewed = self.world.auth.save_draft(request, &draft).await.unwrap();
        let decision = Decision::Approve { digest: reviewed.digest };
        let target = self.world.auth.decide(request, decision, &self.session).await.unwrap();
        target.url.unwrap_or_default()
    }

    /// A code for this client, with the blue notebook behind it.
    pub async fn code(&self, client: &str, more: &[(&str, &str)]) -> String {
        let request = self.ask(client, more).await;
        param(&self.approve(&request, draft(&["blue"])).await, "code").unwrap()
    }

    pub async fn post(&self, path: &str, params: &[(&str, &str)]) -> Reply {
        let form = "application/x-www-form-urlencoded";
        let call = Call::new("POST", path).header("Content-Type", form);
        self.send(call.body(encoded(params))).await
    }

    pub async fn token(&self, params: &[(&str, &str)]) -> Reply {
        self.post("/oauth/token", params).await
    }

    pub async fn redeem(&self, client: &str, code: &str) -> Reply {
        self.token(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
            ("client_id", client),
        ])
        .await
    }

    /// A whole sign-in: the tokens of a fresh client.
    pub async fn signed_in(&self) -> Tokens {
        let client = self.client().await;
        let code = self.code(&client, &[]).await;
        Tokens::of(client.clone(), &self.redeem(&client, &code).await)
    }

    pub async fn refresh(&self, client: &str, refresh: &str) -> Reply {
        self.token(&[
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh),
            ("client_id", client),
        ])
        .await
    }

    /// What `/mcp` says to a token.
    pub async fn call(&self, token: &str) -> Reply {
        self.send(Call::new("POST", "/mcp").bearer(token).body("{}")).await
    }
}

/// What a client keeps.
#[derive(Debug, Clone)]
pub struct Tokens {
    pub client: String,
    pub access: String,
    pub refresh: String,
    pub package: String,
}

impl Tokens {
    pub fn of(client: String, reply: &Reply) -> Self {
        assert_eq!(reply.status, 200, "{}", reply.text());
        let body = reply.json();
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        Self {
            client,
            access: text("access_token"),
            refresh: text("refresh_token"),
            package: text("grant_package_id"),
        }
    }
}

/// The notes of these notebooks, all fields, again and again.
pub fn draft(connections: &[&str]) -> ConsentDraft {
    let entry = |name: &&str| DraftEntry {
        connection_id: crate::world::connection_id(name),
        stream: "notes".parse().unwrap(),
        fields: None,
        time: None,
    };
    ConsentDraft {
        entries: connections.iter().map(entry).collect(),
        access_mode: AccessMode::Continuous,
        expires_in: None,
        leave_out_codes: false,
        leave_out_secrets: false,
        agrees_to_training: false,
        replaces: None,
    }
}

/// The parameters of a good question; `more` replaces and adds, an empty value leaves out.
pub fn question<'a>(client: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut params = vec![
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", CALLBACK),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "s t&a=te"),
    ];
    params.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    params.extend(more.iter().filter(|(_, value)| !value.is_empty()));
    params
}

pub fn encoded(params: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(params).finish()
}

/// A parameter of an address, decoded.
pub fn param(url: &str, name: &str) -> Option<String> {
    let query = url.split_once('?')?.1;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// Where the page about a faulty question leads the owner who wants the client to know.
pub fn told(reply: &Reply) -> String {
    assert_eq!((reply.status, reply.header("location")), (400, None), "{}", reply.text());
    let html = reply.text();
    let (before, _) = html.split_once("\" rel=\"noreferrer\"").unwrap_or_else(|| panic!("{html}"));
    let link = before.rsplit("href=\"").next().unwrap();
    link.replace("&#38;", "&").replace("&amp;", "&")
}

/// Status and OAuth's word of a refusal.
pub fn refusal(reply: &Reply) -> (u16, String) {
    let body = reply.json();
    assert!(body["error_description"].is_string(), "{body}");
    (reply.status, body["error"].as_str().unwrap_or_default().to_owned())
}
