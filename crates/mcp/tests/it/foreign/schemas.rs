//! Schemas that say less than ours.

use serde_json::json;

use super::{Foreign, plain};
use crate::world::data;

#[test]
fn a_stream_whose_fields_nobody_describes_is_still_described() {
    let world = Foreign::new(|target| {
        if target.starts_with("/v1/schema?stream") || target == "/v1/schema" {
            return (
                200,
                json!({"object": "schema", "connectors": [{"connector_key": "plain",
                "granted_connections": [{"connection_id": "cin_9"}],
                "streams": [{"name": "notes", "primary_key": ["id"]}]}]}),
            );
        }
        plain(target)
    });
    let answer = world.answer("schema", json!({"stream": "notes"}));
    let head = "stream=notes connector_key=plain connection_id=cin_9";
    assert!(answer.text.contains(head), "{}", answer.text);
    assert!(!answer.text.contains("\"fields\":[]"), "{}", answer.text);
    assert!(answer.text.contains("does not describe"), "{}", answer.text);
    let row = &data(&answer)["data"]["connectors"][0];
    assert_eq!(
        (&row["connector_key"], &row["streams"][0]["name"]),
        (&json!("plain"), &json!("notes"))
    );
    assert_eq!(row["streams"][0]["field_capabilities"], json!({}));
}

#[test]
fn fields_that_only_the_json_schema_names_are_known_by_it() {
    let world = Foreign::new(|target| {
        if target.starts_with("/v1/schema?stream") {
            return (
                200,
                json!({"object": "schema", "connectors": [{"connector_key": "plain",
                "granted_connections": [{"connection_id": "cin_9"}],
                "streams": [{"name": "notes", "primary_key": ["id"], "schema": {"properties":
                    {"id": {"type": "string"}, "at": {"type": "string", "format": "date-time"}}}}]}]}),
            );
        }
        plain(target)
    });
    let answer = world.answer("schema", json!({"stream": "notes"}));
    assert!(answer.text.contains("\n  at: date-time"), "{}", answer.text);
}

#[test]
fn a_provider_that_refuses_the_compact_view_is_asked_for_it_once() {
    let world = Foreign::new(plain);
    for _ in 0..3 {
        world.answer("schema", json!({}));
    }
    let asked = world.asked();
    let compact = asked.iter().filter(|target| target.contains("view="));
    assert_eq!((compact.count(), asked.len()), (1, 4), "{asked:?}");
}
