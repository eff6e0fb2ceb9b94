//! Refusals of other servers, with the names and the next step that ours would give.

use serde_json::json;

use super::{Foreign, plain, refuse};
use crate::world::{World, family};

#[test]
fn an_unknown_field_is_named_as_it_was_asked_for() {
    let world = Foreign::new(plain);
    for (tool, arguments) in [
        ("query_records", json!({"stream": "notes", "fields": ["title", "bdy"]})),
        ("fetch", json!({"id": "cin_9/notes:n1", "fields": ["title", "bdy"]})),
    ] {
        let refusal = world.refused(tool, arguments);
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains("no field \"bdy\" of notes"), "{tool}: {message}");
        assert_eq!(refusal["nearest_fields"][0], "body", "{refusal}");
    }
}

#[test]
fn a_name_with_a_quote_in_it_stays_whole() {
    let world = World::new(family());
    let refusal = world.refused(
        "query_records",
        json!({"stream": "messages", "connection_id": "cin_work",
                                              "fields": ["su\"bject"]}),
    );
    let message = refusal["message"].as_str().unwrap();
    assert!(message.contains(r#"no field "su\"bject" of messages"#), "{message}");
    assert_eq!(refusal["nearest_fields"][0], "subject", "{refusal}");
}

#[test]
fn a_refusal_about_a_field_that_nobody_named_keeps_the_provider_s_words() {
    let world = Foreign::new(|target| {
        if target.contains("/records?") {
            return refuse(400, "unknown_field", "Unknown field: hidden", "fields");
        }
        plain(target)
    });
    let refusal = world.refused("query_records", json!({"stream": "notes", "fields": ["title"]}));
    let message = refusal["message"].as_str().unwrap();
    assert!(message.starts_with("Unknown field: hidden"), "{message}");
    assert_eq!(refusal["suggested_call"]["tool"], "schema");
}

#[test]
fn an_unknown_stream_gets_the_nearest_names_and_a_call() {
    let world = Foreign::new(plain);
    for (tool, arguments) in [
        ("query_records", json!({"stream": "nots"})),
        ("schema", json!({"stream": "nots"})),
        ("aggregate", json!({"stream": "nots", "metric": "count"})),
    ] {
        let refusal = world.refused(tool, arguments);
        assert_eq!(refusal["nearest_streams"], json!(["notes"]), "{tool}: {refusal}");
        assert_eq!(refusal["suggested_call"]["tool"], "schema", "{tool}: {refusal}");
    }
}

#[test]
fn a_refused_token_and_a_full_house_say_what_to_do_next() {
    let world =
        Foreign::new(|_| (401, json!({"error": "invalid_token", "error_description": "gone"})));
    let refusal = world.refused("schema", json!({}));
    let next = format!("gone; sign in again with `pdpp connect {}`", world.url);
    assert_eq!(refusal["message"], json!(next));
    let world = Foreign::new(|_| refuse(429, "rate_limited", "slow down", "limit"));
    let refusal = world.refused("search", json!({"query": "tiles"}));
    assert_eq!(refusal["message"], "slow down; try again in 7 seconds");
}
