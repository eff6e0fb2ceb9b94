//! Starting and stopping.

use std::time::Duration;

use pdpp_auth::AuditLog;
use pdpp_contract::access::AuditQuery;
use pdpp_http::{BindError, HttpOptions, Server, Services};
use pdpp_testkit::{FixedClock, SeededEntropy};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Call, Reply};
use crate::world::{World, note, notebook};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_under_way_is_finished_and_no_new_one_is_taken() {
    let mut world = World::new().await;
    let text = "x".repeat(32 << 20);
    world.import("blue", &notebook(), &[note("long", json!({"text": text}))]).await;
    let token = world.agent(&["blue"]).await;
    let call = Call::get("/v1/streams/notes/records/long").bearer(&token);
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    socket.write_all(&call.bytes()).await.unwrap();
    let mut bytes = vec![0; 1_000];
    socket.read_exact(&mut bytes).await.unwrap();

    world.stop.take().unwrap().send(()).unwrap();
    while TcpStream::connect(world.addr).await.is_ok() {
        tokio::task::yield_now().await;
    }
    socket.read_to_end(&mut bytes).await.unwrap();
    let reply = Reply::parse(&bytes);
    assert!(reply.complete);
    assert_eq!(reply.json()["data"]["text"].as_str().unwrap().len(), text.len());
    world.server.take().unwrap().await.unwrap();

    let query = AuditQuery { limit: 1, ..AuditQuery::default() };
    let kept = world.store.audit_events(&query).await.unwrap();
    assert_eq!(kept[0].event.operation.as_str(), "record", "the audit log was flushed");
}

#[tokio::test]
async fn a_caller_that_never_finishes_does_not_hold_the_server() {
    let drain_timeout = Duration::from_millis(50);
    let options = HttpOptions { drain_timeout, ..HttpOptions::default() };
    let mut world = World::with(options).await;
    let owner = world.owner().await;
    let call = Call::new("POST", "/v1/ingest/notes?connection_id=cin_x").bearer(&owner);
    let call = call.header("Content-Length", "1000");
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    socket.write_all(&call.bytes()).await.unwrap();
    // Once another request is answered, the first one has reached the server.
    assert_eq!(Call::get("/healthz").send(world.addr).await.status, 200);
    world.stop.take().unwrap().send(()).unwrap();
    world.server.take().unwrap().await.unwrap();
}

#[tokio::test]
async fn a_taken_address_and_a_wrong_public_url_are_named() {
    let world = World::new().await;
    let services = || Services {
        engine: world.engine.clone(),
        auth: world.auth.clone(),
        audit: AuditLog::start(world.store.clone()),
        clock: std::sync::Arc::new(FixedClock::at("2026-11-15T12:00:00Z")),
        entropy: std::sync::Arc::new(SeededEntropy::new(1)),
        mcp: None,
    };
    let taken = Server::bind(world.addr, HttpOptions::default(), services()).await.unwrap_err();
    assert!(matches!(taken, BindError::Listen { address, .. } if address == world.addr));
    let free = "127.0.0.1:0".parse().unwrap();
    for url in ["data.example.org", "ftp://x", "https://x/path", "https://user@x", ""] {
        let options = HttpOptions { public_url: Some(url.to_owned()), ..HttpOptions::default() };
        let error = Server::bind(free, options, services()).await.unwrap_err();
        assert!(matches!(error, BindError::PublicUrl), "{url}");
    }
}
