//! A grant that ends by itself while agents read.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::agent::Agent;
use super::lane::{CLASSES, ERAS, Road};
use super::world::World;

/// Long enough to start every agent, short enough to be waited for.
const LIFE: SignedDuration = SignedDuration::from_secs(4);
/// Far beyond the end: an agent that still reads then reads for ever.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn journey_j10_an_expired_token_is_said_on_every_road() {
    let end = now().checked_add(LIFE).unwrap();
    let world = World::until(end);
    // HTTP first: its clients shake hands with the token, the others only with their first call.
    let mut agents = Vec::new();
    for road in [Road::Http, Road::Local, Road::Remote] {
        for version in ERAS {
            for class in CLASSES {
                let lane = format!("{class:?} over {road:?} in {version}");
                agents.push(Agent { wire: world.wire(road, version), class, road, lane });
            }
        }
    }
    for agent in &mut agents {
        let refusal = first_refusal(agent);
        assert!(now() >= end, "{}: refused before the end: {refusal}", agent.lane);
        assert_eq!(refusal["code"], "grant_expired", "{}: {refusal}", agent.lane);
        let said = refusal["message"].as_str().unwrap();
        assert!(said.contains("expired"), "{}: {said}", agent.lane);
    }
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
            assert_eq!(status, 200, "{}: {body}", agent.lane);
            continue;
        }
        let view = agent.try_call("schema", &json!({}));
        if view.refused {
            return view.refusal();
        }
    }
    panic!("{}: still reading {PATIENCE:?} after the first call", agent.lane);
}
