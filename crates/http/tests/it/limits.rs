//! How much of the server one agent may use: per package, by cost, at both doors.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use pdpp_auth::oauth::OauthOptions;
use pdpp_contract::ClientName;
use pdpp_contract::access::GrantSelector;
use pdpp_http::HttpOptions;
use pdpp_mcp::CallContext;
use pdpp_mcp::serve::McpService;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::agents::Mirror;
use crate::client::Call;
use crate::oauth::signing_in::{Desk, Tokens};
use crate::world::World;

/// An answer that takes so much work.
struct Worker(Duration);

#[async_trait]
impl McpService for Worker {
    async fn answer(
        &self,
        _: CallContext,
        _: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>> {
        let long = self.0;
        tokio::task::spawn_blocking(move || {
            let start = Instant::now();
            while start.elapsed() < long {
                std::hint::spin_loop();
            }
        })
        .await
        .unwrap();
        http::Response::new(Full::new(Bytes::from_static(b"{}")).boxed())
    }
}

fn few(burst: u32) -> HttpOptions {
    HttpOptions { agent_burst: burst, agent_calls_per_second: 1, ..HttpOptions::default() }
}

async fn at_mcp(addr: SocketAddr, token: &str) -> u16 {
    Call::new("POST", "/mcp").bearer(token).body("{}").send(addr).await.status
}

async fn at_v1(addr: SocketAddr, token: &str) -> u16 {
    Call::get("/v1/streams").bearer(token).send(addr).await.status
}

#[tokio::test]
async fn calls_at_both_doors_are_counted_together() {
    let world = World::with_agents(few(6), Some(Arc::new(Mirror))).await;
    world.fill().await;
    let (one, other) = (world.agent(&["blue"]).await, world.agent(&["red"]).await);
    let began = Instant::now();
    let mut answered = 0;
    for _ in 0..10 {
        answered += u32::from(at_mcp(world.addr, &one).await == 200);
        answered += u32::from(at_v1(world.addr, &one).await == 200);
    }
    let refilled = u32::try_from(began.elapsed().as_secs()).unwrap() + 1;
    assert!(answered <= 6 + refilled, "{answered} calls were answered where 6 are allowed");
    let refused = Call::get("/v1/streams").bearer(&one).send(world.addr).await;
    assert_eq!(refused.refusal(), (429, "rate_limit_exceeded".to_owned(), None));
    assert!(refused.header("retry-after").is_some());
    assert_eq!(at_mcp(world.addr, &other).await, 200, "nobody else is slowed");
    let owner = world.owner().await;
    for _ in 0..10 {
        assert_eq!(at_v1(world.addr, &owner).await, 200, "the owner has no such limit");
    }
}

#[tokio::test]
async fn asking_what_a_token_is_counts_as_a_call() {
    let world = World::with_agents(few(6), Some(Arc::new(Mirror))).await;
    world.fill().await;
    let agent = world.agent(&["blue"]).await;
    let began = Instant::now();
    let mut answered = 0;
    for _ in 0..20 {
        let about = Call::get("/v1/token").bearer(&agent).send(world.addr).await;
        answered += u32::from(about.status == 200);
    }
    let refilled = u32::try_from(began.elapsed().as_secs()).unwrap() + 1;
    assert!(answered <= 6 + refilled, "{answered} calls were answered where 6 are allowed");
    let refused = Call::get("/v1/token").bearer(&agent).send(world.addr).await;
    assert_eq!(refused.refusal(), (429, "rate_limit_exceeded".to_owned(), None));
    let owner = world.owner().await;
    for _ in 0..10 {
        let about = Call::get("/v1/token").bearer(&owner).send(world.addr).await;
        assert_eq!(about.status, 200, "the owner has no such limit");
    }
}

#[tokio::test]
async fn the_access_tokens_of_one_sign_in_share_one_limit() {
    let desk = Desk::with(few(6), OauthOptions::default()).await;
    let mut tokens = desk.signed_in().await;
    let mut accesses = vec![tokens.access.clone()];
    for _ in 0..4 {
        let next = desk.refresh(&tokens.client, &tokens.refresh).await;
        tokens = Tokens::of(tokens.client.clone(), &next);
        accesses.push(tokens.access.clone());
    }
    let began = Instant::now();
    let mut answered = 0;
    for _ in 0..6 {
        for access in &accesses {
            answered += u32::from(desk.call(access).await.status == 200);
        }
    }
    let refilled = u32::try_from(began.elapsed().as_secs()).unwrap() + 1;
    assert!(answered <= 6 + refilled, "{answered} calls were answered where 6 are allowed");
}

#[tokio::test]
async fn a_call_that_takes_long_counts_as_several() {
    let door = Arc::new(Worker(Duration::from_millis(200)));
    let world = World::with_agents(few(30), Some(door)).await;
    world.fill().await;
    let token = world.agent(&["blue"]).await;
    let mut answered = 0;
    while at_mcp(world.addr, &token).await == 200 {
        answered += 1;
        assert!(answered < 10, "thirty calls are allowed, and each of these counts as ten");
    }
}

/// An answer that is given when the test says so.
struct Held {
    begun: Arc<Semaphore>,
    answers: Arc<Semaphore>,
}

#[async_trait]
impl McpService for Held {
    async fn answer(
        &self,
        _: CallContext,
        _: http::Request<Bytes>,
    ) -> http::Response<BoxBody<Bytes, Infallible>> {
        self.begun.add_permits(1);
        self.answers.acquire().await.unwrap().forget();
        http::Response::new(Full::new(Bytes::from_static(b"{}")).boxed())
    }
}

/// A server with one place, a call that holds it and a call of another agent that waits for it.
async fn crowded() -> (World, Arc<Semaphore>, [JoinHandle<u16>; 2]) {
    let (begun, answers) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let options = HttpOptions { agent_places: 1, ..HttpOptions::default() };
    let door = Arc::new(Held { begun: begun.clone(), answers: answers.clone() });
    let world = World::with_agents(options, Some(door)).await;
    world.fill().await;
    let call = |token: String| {
        let addr = world.addr;
        tokio::spawn(async move { at_mcp(addr, &token).await })
    };
    let first = call(world.agent_called("first", &["blue"]).await);
    begun.acquire().await.unwrap().forget();
    let waiting = call(world.agent_called("waiting", &["blue"]).await);
    let waits = "pdpp_calls_waiting 1\n";
    while !Call::get("/metrics").send(world.addr).await.text().contains(waits) {}
    (world, answers, [first, waiting])
}

#[tokio::test]
async fn the_owner_and_health_checks_wait_behind_no_agent() {
    let (world, answers, calls) = crowded().await;
    let owner = world.owner().await;
    assert_eq!(at_v1(world.addr, &owner).await, 200);
    for path in ["/healthz", "/readyz", "/owner/login"] {
        assert_eq!(Call::get(path).send(world.addr).await.status, 200, "{path}");
    }
    answers.add_permits(2);
    for call in calls {
        assert_eq!(call.await.unwrap(), 200);
    }
}

#[tokio::test]
async fn a_grant_that_ends_while_a_call_waits_opens_nothing() {
    let (world, answers, [first, waiting]) = crowded().await;
    let client = GrantSelector::Client(ClientName::new("waiting").unwrap());
    world.auth.revoke(&world.auth.local_owner(), &client).await.unwrap();
    answers.add_permits(2);
    assert_eq!(first.await.unwrap(), 200, "its grant did not end");
    assert_eq!(waiting.await.unwrap(), 401);
}

/// One agent with 24 connections beside eight with one each, all without a pause.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_agent_with_many_connections_gets_no_more_than_its_share() {
    const ANSWERS: usize = 400;
    let options = HttpOptions { agent_burst: 100_000, ..HttpOptions::default() };
    let door = Arc::new(Worker(Duration::from_millis(2)));
    let world = World::with_agents(options, Some(door)).await;
    world.fill().await;
    let heavy = world.agent(&["blue"]).await;
    let mut agents = vec![heavy; 24];
    for _ in 0..8 {
        agents.push(world.agent(&["red"]).await);
    }
    let all = Arc::new(AtomicUsize::new(0));
    let calls = agents.into_iter().map(|token| {
        let (all, addr) = (Arc::clone(&all), world.addr);
        tokio::spawn(async move {
            let mut own = 0_usize;
            while all.load(Ordering::Relaxed) < ANSWERS {
                if at_mcp(addr, &token).await == 200 {
                    all.fetch_add(1, Ordering::Relaxed);
                    own += 1;
                }
            }
            own
        })
    });
    let mut counts = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        counts.push(call.await.unwrap());
    }
    let (heavy, light) = counts.split_at(24);
    let (heavy, all) = (heavy.iter().sum::<usize>(), counts.iter().sum::<usize>());
    // A place that no other agent waits for is not left empty, so this is more than a ninth.
    assert!(heavy * 3 <= all, "one of nine agents got {heavy} of {all} answers");
    let least = light.iter().min().unwrap();
    assert!(least * 9 * 2 >= all, "an agent got {least} of {all} answers: {light:?}");
}
