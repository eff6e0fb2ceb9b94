//! Who gets in at all: hosts, origins, versions, tokens in wrong places, sizes, times.

use std::time::Duration;

use pdpp_contract::access::GrantSelector;
use pdpp_http::{ConnectionLimits, HttpOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::Call;
use crate::world::World;

fn refused(status: u16, code: &str, param: &str) -> (u16, String, Option<String>) {
    (status, code.to_owned(), Some(param.to_owned()))
}

#[tokio::test]
async fn foreign_hosts_are_misdirected() {
    let world = World::new().await;
    for host in ["evil.example", "localhost.evil.example", "192.168.0.9", "", "a@localhost"] {
        let reply = Call::get("/v1/schema").header("Host", host).send(world.addr).await;
        assert_eq!(reply.refusal(), refused(421, "misdirected_request", "Host"), "{host}");
    }
    for host in ["localhost", "127.0.0.1", "[::1]", "localhost:9"] {
        let reply = Call::get("/healthz").header("Host", host).send(world.addr).await;
        assert_eq!(reply.status, 200, "{host}");
    }
}

#[tokio::test]
async fn a_public_url_is_a_host_of_ours() {
    let public_url = Some("https://data.example.org/".to_owned());
    let world = World::with(HttpOptions { public_url, ..HttpOptions::default() }).await;
    assert_eq!(world.base_url, "https://data.example.org");
    let call = Call::get("/").header("Host", "data.example.org");
    let index = call.clone().send(world.addr).await;
    assert_eq!(index.json()["links"]["schema"], "https://data.example.org/v1/schema");
    let own = call.clone().header("Origin", "https://data.example.org");
    assert_eq!(own.send(world.addr).await.status, 200);
    let foreign = call.header("Origin", "https://example.org").send(world.addr).await;
    assert_eq!(foreign.refusal(), refused(403, "origin_not_allowed", "Origin"));
}

#[tokio::test]
async fn pages_of_other_sites_may_not_call() {
    let world = World::new().await;
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "x"] {
        let reply = Call::get("/").header("Origin", origin).send(world.addr).await;
        assert_eq!(reply.refusal(), refused(403, "origin_not_allowed", "Origin"), "{origin}");
    }
    for origin in ["http://localhost:5173", "http://127.0.0.1:3000"] {
        let reply = Call::get("/").header("Origin", origin).send(world.addr).await;
        assert_eq!(reply.status, 200, "{origin}");
    }
}

#[tokio::test]
async fn only_one_version_is_spoken() {
    let world = World::new().await;
    let ask = |version: &str| Call::get("/").header("PDPP-Version", version);
    assert_eq!(ask("2026-04-06").send(world.addr).await.status, 200);
    for version in ["2025-01-01", "", "latest"] {
        let reply = ask(version).send(world.addr).await;
        assert_eq!(reply.refusal(), refused(400, "unsupported_version", "PDPP-Version"));
    }
}

#[tokio::test]
async fn a_missing_or_unknown_token_is_challenged() {
    let world = World::filled().await;
    let good = world.agent(&["blue"]).await;
    let forged = format!("{}x", &good[..good.len() - 1]);
    let calls = [
        Call::get("/v1/schema"),
        Call::get("/v1/schema").header("Authorization", "Basic YTpi"),
        Call::get("/v1/schema").bearer("nonsense"),
        Call::get("/v1/schema").bearer(&forged),
        Call::get("/v1/streams/notes/records/x/field-window"),
        Call::new("POST", "/v1/ingest/notes").body("{}"),
    ];
    for call in calls {
        let reply = call.send(world.addr).await;
        assert_eq!(reply.refusal(), (401, "authentication_error".to_owned(), None));
        let metadata = "http://localhost/.well-known/oauth-protected-resource/v1";
        let challenge = format!("Bearer realm=\"pdpp\", resource_metadata=\"{metadata}\"");
        assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
        assert_eq!(reply.json()["error"]["type"], "authentication_error");
    }
}

#[tokio::test]
async fn a_token_outside_its_header_is_refused_and_never_repeated() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    for call in [
        Call::get(&format!("/v1/streams?access_token={token}")),
        Call::get(&format!("/v1/streams?connection_id={token}")).bearer(&token),
        Call::get(&format!("/v1/streams?{token}")).bearer(&token),
        Call::get("/v1/streams").header("Cookie", &format!("a=b; session={token}")),
    ] {
        let reply = call.send(world.addr).await;
        assert_eq!(reply.refusal(), refused(400, "invalid_request", "Authorization"));
        assert!(!reply.text().contains(&token));
    }
    let twice = Call::get("/v1/streams").bearer(&token).bearer(&token).send(world.addr).await;
    assert_eq!(twice.refusal(), refused(400, "invalid_request", "Authorization"));
    let echoed = Call::get("/").header("Request-Id", &token).send(world.addr).await;
    assert_ne!(echoed.header("request-id"), Some(token.as_str()));
}

#[tokio::test]
async fn a_revoked_grant_is_refused_on_the_next_call() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    assert_eq!(world.get("/v1/streams", &token).await.status, 200);
    let selector = GrantSelector::Client("agent".parse().unwrap());
    world.auth.revoke(&world.auth.local_owner(), &selector).await.unwrap();
    let reply = world.get("/v1/streams", &token).await;
    assert_eq!(reply.refusal(), (403, "grant_revoked".to_owned(), None));
    assert_eq!(reply.header("www-authenticate"), None);
}

#[tokio::test]
async fn a_body_over_its_limit_is_refused_before_it_is_read() {
    let world = World::filled().await;
    let owner = world.owner().await;
    for (call, announced) in [
        (Call::new("POST", "/v1/ingest/notes?connection_id=cin_blue"), 50 * 1024 * 1024 + 1),
        (Call::new("DELETE", "/v1/streams/notes/records"), 256 * 1024 + 1),
    ] {
        let call = call.bearer(&owner).header("Content-Length", &announced.to_string());
        let reply = call.send(world.addr).await;
        assert_eq!(reply.refusal(), (413, "payload_too_large".to_owned(), None));
        assert_eq!(reply.json()["error"]["type"], "request_entity_too_large_error");
    }
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_given_up() {
    let request_timeout = Duration::from_millis(1);
    let world = World::with(HttpOptions { request_timeout, ..HttpOptions::default() }).await;
    let owner = world.owner().await;
    // The body is announced and never sent.
    let call = Call::new("POST", "/v1/ingest/notes?connection_id=cin_x").bearer(&owner);
    let reply = call.header("Content-Length", "1000").send(world.addr).await;
    assert_eq!(reply.refusal(), (504, "deadline_exceeded".to_owned(), None));
}

#[tokio::test]
async fn a_connection_that_never_says_what_it_wants_is_closed() {
    let head_timeout = Duration::from_millis(20);
    let connections = ConnectionLimits { head_timeout, ..ConnectionLimits::default() };
    let world = World::with(HttpOptions { connections, ..HttpOptions::default() }).await;
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: loc").await.unwrap();
    let mut rest = Vec::new();
    // Without the limit this would wait for ever.
    let _ = socket.read_to_end(&mut rest).await;
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
}
