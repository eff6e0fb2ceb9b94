//! Every version of the protocol, on every road: the same tools and the same documents.

use serde_json::{Value, json};

use super::evidence::{from_match_to_whole_text, from_search_to_document};
use super::lane::{CLASSES, ROADS};
use super::wire::{MODERN, Wire};
use super::world::World;

/// The oldest version that is spoken.
const OLDEST: &str = "2025-06-18";
const VERSIONS: [&str; 3] = [OLDEST, "2025-11-25", MODERN];

#[test]
fn journey_j17_every_version_of_the_protocol_ends_at_the_same_document() {
    let world = World::new();
    let id = format!("{}/messages:work-1", world.id("work"));
    let mut ends: Vec<(String, Value, Value)> = Vec::new();
    for road in ROADS {
        for version in VERSIONS {
            let mut wire = world.wire(road, version);
            let document = document(&mut wire, version, &id);
            let tools = tools(&mut wire, version);
            ends.push((format!("{version} over {road:?}"), document, tools));
        }
    }
    let (_, document, tools) = &ends[0];
    assert_eq!(tools.as_array().unwrap().len(), 6);
    for (lane, other_document, other_tools) in &ends {
        assert_eq!(other_document, document, "{lane}");
        assert_eq!(other_tools, tools, "{lane}");
    }
}

/// The document at the end of the road, and what is said on the way. Its address depends on the road.
fn document(wire: &mut Wire, version: &str, id: &str) -> Value {
    let info = &wire.greeting;
    let modern = &info["_meta"]["io.modelcontextprotocol/serverInfo"];
    let server = if version == MODERN { modern } else { &info["serverInfo"] };
    assert_eq!(server["name"], "pdpp", "{version}: {info}");
    let missing = wire.request("resources/read", json!({"uri": "pdpp://record/none"}));
    let code = if version == MODERN { -32_602 } else { -32_002 };
    assert_eq!(missing.unwrap_err()["code"], code, "{version}");
    let params = json!({"name": "fetch", "arguments": {"id": id}});
    let mut answer = wire.request("tools/call", params).unwrap();
    let kind = if version == MODERN { json!("complete") } else { json!(null) };
    assert_eq!(answer["resultType"], kind);
    let mut document = answer["structuredContent"].take();
    let url = document.as_object_mut().unwrap().remove("url");
    assert!(url.is_some(), "{version}: {document}");
    document
}

fn tools(wire: &mut Wire, version: &str) -> Value {
    let mut listed = wire.request("tools/list", json!({})).unwrap();
    if version == MODERN {
        assert_eq!(listed["cacheScope"], "public");
        assert!(listed["ttlMs"].as_u64().unwrap() > 0);
    } else {
        assert_eq!(wire.request("ping", json!({})), Ok(json!({})));
    }
    listed["tools"].take()
}

#[test]
fn journey_j17_the_oldest_version_gets_from_a_question_to_the_whole_text() {
    let world = World::new();
    for road in ROADS {
        for class in CLASSES {
            let mut agent = world.agent(road, OLDEST, class);
            from_search_to_document(&mut agent);
            from_match_to_whole_text(&mut agent);
        }
    }
}
