//! The door to `/mcp`: who gets in, who is sent to sign in, who is turned away.

use std::convert::Infallible;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use pdpp_contract::ClientName;
use pdpp_contract::access::GrantSelector;
use pdpp_http::HttpOptions;
use pdpp_mcp::CallContext;
use pdpp_mcp::serve::McpService;
use serde_json::Value;

use crate::client::{Call, Reply};
use crate::world::World;

/// Says who came in and what they brought.
pub struct Mirror;

#[async_trait]
impl McpService for Mirror {
    async fn answer(
        &self,
        context: CallContext,
        request: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>> {
        let text =
            format!("{} brought {}", context.client.unwrap_or_default(), request.body().len());
        http::Response::new(Full::new(Bytes::from(text)).boxed())
    }
}

async fn world() -> World {
    World::with_agents(HttpOptions::default(), Some(Arc::new(Mirror))).await
}

fn post(token: Option<&str>) -> Call {
    let call = Call::new("POST", "/mcp").body("{}");
    match token {
        Some(token) => call.bearer(token),
        None => call,
    }
}

/// Status, OAuth's word and reason, and the challenge.
fn refusal(reply: &Reply) -> (u16, String, Value, Option<&str>) {
    let body = reply.json();
    assert_eq!(body["request_id"].as_str(), reply.header("request-id"));
    assert!(body["error_description"].is_string(), "{body}");
    let word = body["error"].as_str().unwrap().to_owned();
    (reply.status, word, body["reason"].clone(), reply.header("www-authenticate"))
}

#[tokio::test]
async fn an_agent_with_a_live_token_comes_in_with_and_without_a_slash() {
    let world = world().await;
    world.fill().await;
    let token = world.agent(&["blue"]).await;
    for target in ["/mcp", "/mcp/"] {
        let call = Call::new("POST", target).bearer(&token).body("{}");
        let reply = call.send(world.addr).await;
        assert_eq!((reply.status, reply.text()), (200, "agent brought 2"));
    }
}

#[tokio::test]
async fn no_token_is_a_challenge_without_an_error() {
    let world = world().await;
    let reply = post(None).header("Host", "localhost:7667").send(world.addr).await;
    let challenge = "Bearer resource_metadata=\"http://localhost:7667/.well-known/\
                     oauth-protected-resource/mcp\", scope=\"pdpp:read\"";
    let expected = (401, "unauthorized".to_owned(), Value::Null, Some(challenge));
    assert_eq!(refusal(&reply), expected);
}

#[tokio::test]
async fn a_dead_grant_asks_to_sign_in_again_and_says_why() {
    let world = world().await;
    world.fill().await;
    let token = world.agent(&["blue"]).await;
    let client = GrantSelector::Client(ClientName::new("agent").unwrap());
    world.auth.revoke(&world.auth.local_owner(), &client).await.unwrap();
    let reply = post(Some(&token)).send(world.addr).await;
    let (status, word, reason, challenge) = refusal(&reply);
    assert_eq!((status, word.as_str(), reason), (401, "invalid_token", "grant_revoked".into()));
    assert!(challenge.unwrap().contains("error=\"invalid_token\""), "{challenge:?}");

    let unknown = post(Some("nonsense")).send(world.addr).await;
    let (status, word, reason, _) = refusal(&unknown);
    assert_eq!((status, word.as_str()), (401, "invalid_token"));
    assert_eq!(reason, Value::Null, "nothing is known about an unknown token");
}

#[tokio::test]
async fn an_owner_s_credential_is_refused_wherever_it_stands() {
    let world = world().await;
    world.fill().await;
    let (owner, agent) = (world.owner().await, world.agent(&["blue"]).await);
    let query = format!("/mcp?access_token={owner}");
    let escaped: String = owner.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
    let message = |body: String| Call::new("POST", "/mcp").bearer(&agent).body(body);
    let calls = [
        message(format!(r#"{{"jsonrpc":"2.0","id":"{owner}","method":"tools/list"}}"#)),
        message(format!(r#"{{"params":{{"_meta":{{"note":"a {owner} b"}}}}}}"#)),
        message(format!(r#"{{"params":{{"clientInfo":{{"name":"{owner}"}}}}}}"#)),
        message(format!(r#"{{"params":{{"argument":{{"value":"{escaped}"}}}}}}"#)),
        message(format!(r#"{{"arguments":{{"query":"{owner}","query":"boiler"}}}}"#)),
        message(format!(r#"{{"arguments":{{"{escaped}":1}}}}"#)),
        post(Some(&owner)),
        post(Some(&agent)).header("X-Api-Key", &owner),
        post(Some(&agent)).header("Cookie", &format!("a=b; t={owner}")),
        post(Some(&agent)).header("Cookie", "pdpp_owner_session=abc"),
        Call::new("POST", &query).bearer(&agent).body("{}"),
    ];
    for call in calls {
        let reply = call.send(world.addr).await;
        let (status, word, _, challenge) = refusal(&reply);
        let expected = (403, "owner_credential_refused", None);
        assert_eq!((status, word.as_str(), challenge), expected);
        assert!(!reply.text().contains(&owner));
    }
}

#[tokio::test]
async fn other_methods_hosts_and_pages_are_turned_away() {
    let world = world().await;
    world.fill().await;
    let token = world.agent(&["blue"]).await;
    for method in ["GET", "DELETE", "PUT"] {
        let reply = Call::new(method, "/mcp").bearer(&token).send(world.addr).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
    }
    let foreign = post(Some(&token)).header("Host", "evil.example").send(world.addr).await;
    assert_eq!(refusal(&foreign).1, "misdirected_request");
    assert_eq!(foreign.status, 421);
    let page = post(Some(&token)).header("Origin", "https://evil.example").send(world.addr).await;
    assert_eq!((page.status, refusal(&page).1.as_str()), (403, "origin_not_allowed"));
    let large = post(Some(&token)).header("Content-Length", "300000").send(world.addr).await;
    assert_eq!((large.status, refusal(&large).1.as_str()), (413, "payload_too_large"));
}

#[tokio::test]
async fn a_browser_learns_what_it_may_send_before_any_token_is_asked_for() {
    let world = world().await;
    let origin = "http://localhost:5173";
    let call = Call::new("OPTIONS", "/mcp").header("Origin", origin);
    let reply = call.header("Access-Control-Request-Method", "POST").send(world.addr).await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
    assert!(reply.header("access-control-allow-headers").unwrap().contains("Mcp-Method"));
    let refused = post(None).header("Origin", origin).send(world.addr).await;
    assert_eq!(refused.header("access-control-allow-origin"), Some(origin));
    assert!(refused.header("access-control-expose-headers").unwrap().contains("WWW-Authenticate"));
}

#[tokio::test]
async fn both_metadata_documents_are_one_and_open_to_every_page() {
    let world = world().await;
    let path = "/.well-known/oauth-protected-resource";
    let ask = |target: &str| Call::get(target).header("Origin", "https://anywhere.example");
    let root = ask(path).header("Host", "localhost:1").send(world.addr).await;
    let own = ask(&format!("{path}/mcp")).header("Host", "localhost:1").send(world.addr).await;
    assert_eq!((root.status, root.json()), (200, own.json()));
    assert_eq!(root.json()["resource"], "http://localhost:1/mcp");
    assert_eq!(root.header("access-control-allow-origin"), Some("*"));
    let public_url = Some("https://data.example.org".to_owned());
    let options = HttpOptions { public_url, ..HttpOptions::default() };
    let public = World::with_agents(options, Some(Arc::new(Mirror))).await;
    let reply = ask(path).header("Host", "data.example.org").send(public.addr).await;
    assert_eq!(reply.json()["resource"], "https://data.example.org/mcp");
}

#[tokio::test]
async fn a_flood_of_one_agent_is_slowed_and_told_so() {
    let options =
        HttpOptions { agent_burst: 2, agent_calls_per_second: 1, ..HttpOptions::default() };
    let world = World::with_agents(options, Some(Arc::new(Mirror))).await;
    world.fill().await;
    let (one, other) = (world.agent(&["blue"]).await, world.agent(&["red"]).await);
    let mut last = post(Some(&one)).send(world.addr).await;
    for _ in 0..4 {
        last = post(Some(&one)).send(world.addr).await;
    }
    assert_eq!((last.status, refusal(&last).1.as_str()), (429, "rate_limit_exceeded"));
    assert!(last.header("retry-after").is_some());
    assert_eq!(post(Some(&other)).send(world.addr).await.status, 200);
}

#[tokio::test]
async fn without_anybody_mounted_there_is_no_such_path() {
    let world = World::new().await;
    assert_eq!(post(None).send(world.addr).await.status, 404);
}
