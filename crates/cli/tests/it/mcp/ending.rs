//! A grant that ends by itself while agents read.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::agent::Agent;
use super::lane::{CLASSES, ERAS, Road};
use super::world::World;

/// How long the grant lives: long enough to start every agent. A busy machine gets another try.
const LIVES: [SignedDuration; 3] =
    [SignedDuration::from_secs(4), SignedDuration::from_secs(15), SignedDuration::from_secs(60)];
/// What the start of one agent may take.
const START: SignedDuration = SignedDuration::from_secs(1);
/// Far beyond the end: an agent that still reads then reads for ever.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn journey_j10_an_expired_token_is_said_on_every_road() {
    let started = LIVES.into_iter().find_map(|life| {
        let end = now().checked_add(life).unwrap();
        let world = World::until(end);
        let agents = agents(&world, end.checked_sub(START).unwrap())?;
        Some((world, agents, end))
    });
    let (_world, mut agents, end) = started.expect("agents that start within a minute");
    for agent in &mut agents {
        let refusal = first_refusal(agent);
        assert!(now() >= end, "{}: refused before the end: {refusal}", agent.lane);
        assert_eq!(refusal["code"], "grant_expired", "{}: {refusal}", agent.lane);
        let said = refusal["message"].as_str().unwrap();
        assert!(said.contains("expired"), "{}: {said}", agent.lane);
    }
}

/// Every kind of agent, if they all start in time.
fn agents(world: &World, in_time: Timestamp) -> Option<Vec<Agent>> {
    // HTTP first: its clients shake hands with the token, the others only with their first call.
    let mut agents = Vec::new();
    for road in [Road::Http, Road::Local, Road::Remote] {
        for version in ERAS {
            for class in CLASSES {
                if now() >= in_time {
                    return None;
                }
                let lane = format!("{class:?} over {road:?} in {version}");
                agents.push(Agent { wire: world.wire(road, version), class, road, lane });
            }
        }
    }
    Some(agents)
}

#[expect(clippy::disallowed_methods, reason = "the program reads the same clock")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// Calls until the agent is refused, and answers the refusal.
fn first_refusal(agent: &mut Agent) -> Value {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if agent.road == Road::Http {
            let params = json!({"name": "schema", "arguments": {}});
            let (status, body) = agent.wire.raw("tools/call", params);
            if status == 401 {
                return json!({"code": body["reason"], "message": body["error_description"]});
            }
            // Whoever asks without pause is slowed down meanwhile.
            assert!(matches!(status, 200 | 429), "{}: {status} {body}", agent.lane);
            continue;
        }
        let view = agent.try_call("schema", &json!({}));
        if view.refused {
            return view.refusal();
        }
    }
    panic!("{}: still reading {PATIENCE:?} after the first call", agent.lane);
}
