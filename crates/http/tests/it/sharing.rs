//! Limits that two servers of one database keep together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pdpp_contract::access::Taken;
use pdpp_http::HttpOptions;
use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use serde_json::json;

use crate::agents::Mirror;
use crate::client::Call;
use crate::world::World;

const BURST: u32 = 60;
const PATIENCE: Duration = Duration::from_mins(1);

/// Two servers, and the database that must outlive them.
async fn two() -> Option<([World; 2], FreshDatabase)> {
    let database = fresh_database().await?;
    let options = || HttpOptions {
        agent_burst: BURST,
        agent_calls_per_second: 1,
        registrations: 6,
        between_tellings: Duration::from_millis(5),
        ..HttpOptions::default()
    };
    let one = |seed| World::on_database((database.url(), seed), options(), Some(Arc::new(Mirror)));
    let worlds = [one(11).await, one(12).await];
    worlds[0].fill().await;
    Some((worlds, database))
}

async fn call(world: &World, token: &str) -> u16 {
    Call::new("POST", "/mcp").bearer(token).body("{}").send(world.addr).await.status
}

/// How many calls of a token the servers have told each other about.
async fn told(world: &World, token: &str) -> i64 {
    let access = world.auth.look_at(token).await.unwrap().into_agent().unwrap();
    let caller = access.package_id().to_string();
    let asked = vec![Taken { limit: "call", caller, micros: 0 }];
    let now = pdpp_contract::ports::Clock::now(&*world.clock);
    world.store.add_taken(asked, now).await.unwrap()[0] / 1_000_000
}

async fn wait_until_told(world: &World, token: &str, calls: i64) {
    let start = Instant::now();
    while told(world, token).await < calls {
        assert!(start.elapsed() < PATIENCE, "never told");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_spent_its_calls_at_one_server_has_none_at_the_other() {
    let Some(([a, b], _database)) = two().await else { return };
    let token = a.agent(&["blue"]).await;
    let mut spent = 0;
    while call(&a, &token).await == 200 {
        spent += 1;
    }
    assert!(spent >= i64::from(BURST), "{spent}");
    wait_until_told(&a, &token, spent).await;
    // The other one learns it with the first call that it tells.
    let mut more = 0;
    while call(&b, &token).await == 200 {
        more += 1;
        wait_until_told(&b, &token, spent + more).await;
    }
    assert!(more < i64::from(BURST) / 2, "{more} more calls at the other server");
    let other = a.agent(&["red"]).await;
    assert_eq!(call(&b, &other).await, 200, "nobody else is slowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_are_counted_exactly_over_both_servers() {
    let Some((worlds, _database)) = two().await else { return };
    let document = json!({"redirect_uris": ["http://127.0.0.1:4711/callback"]}).to_string();
    let mut answers = Vec::new();
    for turn in 0..10 {
        let call = Call::new("POST", "/oauth/register").body(document.clone());
        let call = call.header("Content-Type", "application/json").header("Host", "localhost:7667");
        let reply = call.send(worlds[turn % 2].addr).await;
        assert!(reply.status == 201 || reply.header("retry-after").is_some(), "{}", reply.text());
        answers.push(reply.status);
    }
    let expected = [[201; 6].as_slice(), [429; 4].as_slice()].concat();
    assert_eq!(answers, expected, "six together, whoever is asked");
}
