//! Whatever strangers send to the endpoints of the sign-in: an answer of the closed list comes back,
//! nothing is sent to an address that was not registered, and nothing falls over.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

use pdpp_auth::oauth::OauthOptions;
use pdpp_http::HttpOptions;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::signing_in::*;
use crate::client::{Call, Reply};

const FORM: &str = "application/x-www-form-urlencoded";
const NAMES: [&str; 18] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "code_challenge",
    "code_challenge_method",
    "state",
    "scope",
    "resource",
    "authorization_details",
    "prompt",
    "request_uri",
    "grant_type",
    "code",
    "code_verifier",
    "refresh_token",
    "device_code",
    "client_assertion",
    "client_assertion_type",
];

/// Small in every run, large in the long ones.
#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of long tests")]
fn config() -> Config {
    let is_heavy = std::env::var_os("PDPP_HEAVY").is_some();
    Config {
        cases: if is_heavy { 5_000 } else { 150 },
        failure_persistence: None,
        ..Config::default()
    }
}

/// Values that mean something here, broken forms of them, and noise.
fn value() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "code",
        "S256",
        "plain",
        CHALLENGE,
        VERIFIER,
        CALLBACK,
        "http://127.0.0.1:4711/callback/../x",
        "https://evil.example/cb",
        "javascript:alert(1)",
        "http://localhost:7667/mcp",
        "http://localhost:7667/v1",
        "authorization_code",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "urn:ietf:params:oauth:request_uri:x",
        "https://app.example/client.json",
        "none",
        "[{\"type\":\"https://pdpp.dev/data-access\"}]",
        "[[[[[[[[",
        "e30.e30.e30",
    ]);
    prop_oneof![
        4 => known.prop_map(str::to_owned),
        2 => "\\PC{0,40}",
        1 => "pdpp_(client|owner|refresh|code|device)_[0-9A-Za-z]{0,60}",
        1 => prop::collection::vec(any::<char>(), 0..30).prop_map(String::from_iter),
    ]
}

fn params() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    prop::collection::vec((prop::sample::select(NAMES.to_vec()), value()), 0..10)
}

/// A server behind a proxy, a client that it knows, and callers that are all different: what is
/// looked at here is what they say, not how often.
struct Door {
    desk: Desk,
    client: String,
    runtime: Runtime,
    caller: AtomicU32,
}

impl Door {
    fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        let options = HttpOptions { trusted_proxies, ..HttpOptions::default() };
        let desk = runtime.block_on(Desk::with(options, OauthOptions::default()));
        let client = runtime.block_on(desk.client());
        Self { desk, client, runtime, caller: AtomicU32::new(0x0100_0000) }
    }

    fn send(&self, call: Call) -> Reply {
        let caller = Ipv4Addr::from_bits(self.caller.fetch_add(1, Ordering::Relaxed));
        let call = call.header("X-Forwarded-For", &caller.to_string());
        self.runtime.block_on(self.desk.send(call))
    }

    fn post(&self, path: &str, kind: &str, body: impl Into<Vec<u8>>) -> Reply {
        self.send(Call::new("POST", path).header("Content-Type", kind).body(body))
    }
}

/// Runs one property against one server.
fn check<S: Strategy>(strategy: S, property: impl Fn(&Door, S::Value)) {
    let door = Door::open();
    let outcome = TestRunner::new(config()).run(&strategy, |value| {
        property(&door, value);
        Ok(())
    });
    outcome.unwrap();
    let Door { desk, runtime, .. } = door;
    runtime.block_on(async { drop(desk) });
}

fn is_refused_in_oauth_s_words(reply: &Reply) {
    assert!([400, 401].contains(&reply.status), "{} {}", reply.status, reply.text());
    let body: Value = reply.json();
    let word = body["error"].as_str().unwrap_or_default();
    let known = [
        "invalid_request",
        "invalid_client",
        "invalid_grant",
        "unauthorized_client",
        "unsupported_grant_type",
        "invalid_scope",
        "invalid_target",
        "invalid_redirect_uri",
        "invalid_client_metadata",
        "invalid_authorization_details",
    ];
    assert!(known.contains(&word), "{body}");
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

#[test]
fn whatever_is_asked_at_authorize_leads_to_a_page_or_to_a_registered_address() {
    check((params(), any::<bool>()), |door, (mut params, known)| {
        if known {
            params.retain(|(name, _)| *name != "client_id");
            params.push(("client_id", door.client.clone()));
        }
        let pairs: Vec<(&str, &str)> = params.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let first = door.send(Call::get(&format!("/oauth/authorize?{}", encoded(&pairs))));
        match (first.status, first.header("location")) {
            (303, Some(place)) => assert!(place.starts_with("/owner/login"), "{place}"),
            (400, None) => {}
            other => panic!("{other:?} for {params:?}"),
        }
        let target = format!("{}/authorize?{}", door.desk.root, encoded(&pairs));
        let reply = door.send(Call::get(&target).header("Cookie", &door.desk.cookie));
        match (reply.status, reply.header("location")) {
            (303, Some(place)) => {
                assert!(door.desk.request_at(place).starts_with("areq_"), "{place}");
            }
            (400, None) if reply.text().contains("rel=\"noreferrer\"") => {
                assert!(told(&reply).starts_with(CALLBACK), "{}", reply.text());
            }
            // A token in a query string is refused before anybody reads the rest.
            (400, None) => {
                let told = ["could not be connected", "Invalid form"];
                assert!(told.iter().any(|words| reply.text().contains(words)), "{}", reply.text());
            }
            other => panic!("{other:?} for {params:?}"),
        }
    });
}

#[test]
fn whatever_is_sent_for_tokens_gives_none() {
    let paths = prop::sample::select(vec!["/oauth/token", "/oauth/revoke", "/oauth/par"]);
    check((paths, params()), |door, (path, params)| {
        let pairs: Vec<(&str, &str)> = params.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let reply = door.post(path, FORM, encoded(&pairs));
        if path == "/oauth/revoke" && reply.status == 200 {
            assert!(reply.body.is_empty(), "nothing is told");
        } else {
            is_refused_in_oauth_s_words(&reply);
        }
    });
}

#[test]
fn bytes_that_are_no_form_or_no_json_are_refused() {
    let kinds = prop::sample::select(vec![FORM, "application/json"]);
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    check((kinds, bytes), |door, (kind, bytes)| {
        for path in ["/oauth/token", "/oauth/register", "/oauth/device_authorization"] {
            is_refused_in_oauth_s_words(&door.post(path, kind, bytes.clone()));
        }
    });
}

/// Any JSON, with members that registrations have.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        value().prop_map(Value::from),
    ];
    let nested = leaf.prop_recursive(3, 20, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,12}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    let members = prop::sample::select(vec![
        "redirect_uris",
        "client_name",
        "jwks",
        "jwks_uri",
        "token_endpoint_auth_method",
        "client_uri",
        "scope",
        "grant_types",
    ]);
    let addresses = prop::collection::vec(value(), 0..4).prop_map(|all| json!(all));
    let member = prop_oneof![
        2 => (members, nested.clone()),
        1 => (Just("redirect_uris"), addresses),
    ];
    let object = prop::collection::vec(member, 0..8).prop_map(|members| {
        Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    });
    prop_oneof![4 => object, 1 => nested]
}

#[test]
fn whatever_registers_gets_only_addresses_that_can_be_trusted() {
    check(document(), |door, document| {
        let reply = door.post("/oauth/register", "application/json", document.to_string());
        match reply.status {
            201 => {}
            // In a long run the table of clients that nobody approved is full one day.
            503 => return,
            _ => return is_refused_in_oauth_s_words(&reply),
        }
        let body = reply.json();
        let kept = body["redirect_uris"].as_array().unwrap();
        assert!(!kept.is_empty(), "{body}");
        for uri in kept.iter().map(|uri| uri.as_str().unwrap()) {
            let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
            let is_local = local.iter().any(|start| uri.starts_with(start));
            let scheme = uri.split(':').next().unwrap();
            assert!(scheme == "https" || is_local || scheme.contains('.'), "{uri}");
        }
        let name = body["client_name"].as_str().unwrap();
        assert!(name.chars().count() <= 100 && !name.contains(char::is_control), "{name:?}");
    });
}
