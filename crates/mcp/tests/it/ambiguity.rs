//! Reads that could be about several connections: a fast refusal that says how to go on.

use serde_json::{Value, json};

use crate::world::{Provider, World, data, family, record, source};

fn many(count: usize) -> World {
    let sources =
        (0..count).map(|at| source(&format!("cin_{at:04}"), "gmail", Some("Mail"), &["messages"]));
    World::new(Provider { sources: sources.collect(), ..family() })
}

#[test]
fn source_required_reads_name_the_connections_without_touching_data() {
    let world = World::new(family());
    for (tool, arguments) in [
        ("query_records", json!({"stream": "messages", "limit": 5})),
        ("aggregate", json!({"stream": "messages", "metric": "count"})),
        ("fetch", json!({"id": "messages:m1"})),
    ] {
        let refusal = world.refused(tool, arguments);
        assert_eq!(
            (&refusal["code"], &refusal["status"]),
            (&json!("ambiguous_connection"), &json!(409))
        );
        assert_eq!(refusal["retry_with"], "connection_id");
        let first = &refusal["available_connections"][0];
        assert_eq!(first["connection_id"], "cin_work");
        for name in ["grant_id", "connector_key", "connection_id", "display_name"] {
            assert!(first[name].is_string(), "{name}");
        }
        assert_eq!(refusal["available_connections"].as_array().unwrap().len(), 2);
        assert_eq!(refusal["available_connection_count"], 2, "those that carry the stream");
        assert_eq!(refusal["other_connections"], 1, "the others are counted");
        assert_eq!(refusal["suggested_call"], Value::Null, "two connections carry the stream");
    }
    assert_eq!(world.provider.calls(), ["sources"; 3], "the grant alone was asked");
}

#[test]
fn a_refusal_costs_little_where_three_connections_carry_the_stream() {
    let id = |at: usize| format!("cin_{at:022}");
    let label = "Work mail of the Berlin office";
    let carry = |at: usize| source(&id(at), "google_takeout", Some(label), &["messages"]);
    let other = |at: usize| source(&id(at), "slack", Some(label), &["posts"]);
    let sources = (0..3).map(carry).chain((3..40).map(other)).collect();
    let world = World::new(Provider { sources, ..family() });
    for (tool, arguments) in [
        ("query_records", json!({"stream": "messages", "limit": 5})),
        ("aggregate", json!({"stream": "messages", "metric": "count"})),
        ("fetch", json!({"id": "messages:m1"})),
    ] {
        let answer = world.call(tool, arguments);
        assert!(answer.text.len() <= 700, "{tool}: {} bytes: {}", answer.text.len(), answer.text);
        let refusal: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(refusal["available_connections"].as_array().unwrap().len(), 3);
        assert_eq!(refusal["other_connections"], 37);
    }
}

#[test]
fn a_stream_that_one_connection_carries_gets_a_call_that_works() {
    let world = World::new(family());
    let refusal = world.refused("query_records", json!({"stream": "posts", "limit": 5}));
    let call = &refusal["suggested_call"];
    assert_eq!(call["tool"], "query_records");
    assert_eq!(
        call["arguments"],
        json!({"stream": "posts", "limit": 5, "connection_id": "cin_acme"})
    );
    assert!(!world.call("query_records", call["arguments"].clone()).is_error());
}

#[test]
fn a_stream_that_no_connection_carries_is_refused_as_such() {
    let world = World::new(family());
    for (tool, arguments) in [
        ("query_records", json!({"stream": "mesages"})),
        ("aggregate", json!({"stream": "mesages", "metric": "count"})),
        ("fetch", json!({"id": "mesages:m1"})),
    ] {
        let refusal = world.refused(tool, arguments);
        assert_eq!(refusal["code"], "grant_stream_not_allowed", "{tool}");
        assert!(refusal.to_string().contains("\"messages\""), "the nearest name: {refusal}");
    }
    assert!(world.provider.calls().iter().all(|call| *call == "sources"), "no data was touched");
}

#[test]
fn a_large_package_caps_the_list_and_points_to_schema() {
    let world = many(1_000);
    let answer = world.call("query_records", json!({"stream": "messages"}));
    assert!(answer.text.len() < 4_096, "{} bytes", answer.text.len());
    let refusal: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(refusal["available_connections"].as_array().unwrap().len(), 12);
    assert_eq!(refusal["available_connection_count"], 1_000);
    assert_eq!(refusal["available_connections_truncated"], true);
    assert_eq!(refusal["available_connections_omitted"], 988);
    assert!(refusal["discovery_hint"].as_str().unwrap().contains("schema"));
}

#[test]
fn one_connection_needs_no_selector_and_search_never_does() {
    let world = many(1);
    world.provider.records.lock().unwrap().push(record(
        "cin_0000",
        "messages",
        "a",
        &[("body", "kitchen")],
    ));
    assert!(!world.call("query_records", json!({"stream": "messages"})).is_error());
    assert!(!world.call("fetch", json!({"id": "messages:a"})).is_error());
    let world = World::new(family());
    assert!(!world.call("search", json!({"query": "kitchen"})).is_error());
}

#[test]
fn full_schema_of_a_shared_name_asks_for_a_connection() {
    let world = World::new(family());
    let refusal = world.refused("schema", json!({"stream": "messages", "detail": "full"}));
    assert_eq!(
        (&refusal["code"], &refusal["retry_with"]),
        (&json!("ambiguous_schema_detail"), &json!("connection_id"))
    );
    assert!(refusal["available_connections"].as_array().unwrap().len() >= 2, "{refusal}");
    let one = json!({"stream": "messages", "detail": "full", "connection_id": "cin_work"});
    let answer = world.call("schema", one);
    let connectors = data(&answer)["data"]["connectors"].as_array().unwrap();
    assert_eq!((connectors.len(), &connectors[0]["connector_key"]), (1, &json!("gmail")));
    let streams = connectors[0]["streams"].as_array().unwrap();
    assert_eq!((streams.len(), &streams[0]["name"]), (1, &json!("messages")));
    let granted = streams[0]["granted_connections"].as_array().unwrap();
    assert_eq!((granted.len(), &granted[0]["connection_id"]), (1, &json!("cin_work")));
    assert!(!answer.text.contains("cin_home") && !answer.text.contains("labels"));
}
