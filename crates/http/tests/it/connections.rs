//! Connections: how long they may stay, how many there may be, and who still gets in.

use std::sync::Arc;
use std::time::Duration;

use pdpp_http::{ConnectionLimits, HttpOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::Call;
use crate::reading::{Reading, Version};
use crate::running_answers::Talker;
use crate::world::World;

/// Short enough for a test, long enough for an answer.
const SHORT: Duration = Duration::from_millis(40);

/// Without a limit a test would wait for ever.
const PATIENCE: Duration = Duration::from_secs(30);

async fn world(connections: ConnectionLimits) -> World {
    let options = HttpOptions { connections, ..HttpOptions::default() };
    let world = World::with_agents(options, Some(Arc::new(Talker))).await;
    world.fill().await;
    world
}

/// Opens a connection and says no more than this.
async fn says(world: &World, words: &[u8]) -> TcpStream {
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    // Somebody who came later may have taken the place already.
    let _ = socket.write_all(words).await;
    socket
}

/// Reads until the server ends the connection.
async fn is_ended(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = socket.read_to_end(&mut bytes);
    let _ = tokio::time::timeout(PATIENCE, reading).await.expect("the connection ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn a_connection_that_does_not_send_a_head_in_time_is_closed_whatever_it_began_with() {
    let limits = ConnectionLimits { head_timeout: SHORT, ..ConnectionLimits::default() };
    let world = world(limits).await;
    let second = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    for words in [&b""[..], b"G", b"PRI", b"GET /healthz HTTP/1.1\r\nHost: loc", second] {
        let said = is_ended(&mut says(&world, words).await).await;
        assert!(!said.contains("200 OK"), "{said}");
    }
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_answer() {
    let limits = ConnectionLimits { idle_timeout: SHORT, ..ConnectionLimits::default() };
    let world = world(limits).await;
    let mut socket = says(&world, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(is_ended(&mut socket).await.contains("200 OK"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_takes_nothing_for_too_long_is_reset() {
    let limits = ConnectionLimits { stalled_timeout: SHORT, ..ConnectionLimits::default() };
    let world = world(limits).await;
    let token = world.agent(&["blue"]).await;
    let call = Call::new("POST", "/mcp").bearer(&token).body("{}");
    let reading = Reading::begin(world.addr, Version::One, &call).await;
    tokio::time::timeout(PATIENCE, reading.is_reset()).await.expect("the connection is reset");
}

#[tokio::test]
async fn strangers_who_never_finish_shut_nobody_out() {
    let world = world(ConnectionLimits::of(24)).await;
    let (agent, owner) = (world.agent(&["blue"]).await, world.owner().await);
    let slow = b"POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n";
    for words in [&b""[..], b"GET /healthz HTTP/1.1\r\nHost: loc", slow] {
        let mut held = Vec::new();
        for _ in 0..100 {
            held.push(says(&world, words).await);
        }
        assert_eq!(Call::get("/healthz").send(world.addr).await.status, 200);
        assert_eq!(world.get("/v1/streams", &agent).await.status, 200);
        assert_eq!(world.get("/v1/streams", &owner).await.status, 200);
        assert_eq!(Call::get("/owner/login").send(world.addr).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_cannot_take_the_connections_that_are_kept_for_the_owner() {
    let limits = ConnectionLimits::of(16);
    let world = world(limits).await;
    let (agent, owner) = (world.agent(&["blue"]).await, world.owner().await);
    let mut held = Vec::new();
    for _ in 0..limits.for_agents() {
        // One agent alone would have to take its answers before it asks for more.
        let another = world.agent(&["blue"]).await;
        let call = Call::new("POST", "/mcp").bearer(&another).body("{}");
        held.push(Reading::begin(world.addr, Version::One, &call).await);
    }
    let call = Call::new("POST", "/mcp").bearer(&agent).body("{}");
    let refused = call.send(world.addr).await;
    assert_eq!(refused.status, 503, "all of them are in use");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(world.get("/v1/streams", &agent).await.refusal().1, "unavailable");
    assert_eq!(world.get("/v1/streams", &owner).await.status, 200);
    assert_eq!(Call::get("/healthz").send(world.addr).await.status, 200);
    assert_eq!(Call::get("/owner/login").send(world.addr).await.status, 200);
}

#[tokio::test]
async fn an_agent_s_quiet_connection_makes_room_for_another_s() {
    let limits = ConnectionLimits::of(8);
    let world = world(limits).await;
    let agent = world.agent(&["blue"]).await;
    let ask = format!(
        "GET /v1/streams HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {agent}\r\n\r\n"
    );
    let mut held = Vec::new();
    for _ in 0..3 * limits.total {
        let mut socket = says(&world, ask.as_bytes()).await;
        let mut first = [0; 12];
        socket.read_exact(&mut first).await.unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        held.push(socket);
    }
    is_ended(&mut held[0]).await;
}
