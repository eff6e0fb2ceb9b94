//! A provider that serves whole values and no windows: what came is shown, and no way leads nowhere.

use serde_json::json;

use super::{Foreign, plain};
use crate::world::data;

#[test]
fn a_document_holds_as_much_of_a_value_that_came_whole_as_it_has_room_for() {
    let world = Foreign::new(plain);
    let fetched = world.answer("fetch", json!({"id": "cin_9/notes:n1"}));
    let chars = data(&fetched)["text"].as_str().unwrap().chars().count();
    assert!((16_000..=16_384).contains(&chars), "{chars} characters of 30,000");
}

#[test]
fn without_windows_the_ladder_leads_to_the_field_alone_and_then_says_that_it_ends() {
    let world = Foreign::new(plain);
    let listed = world.answer("query_records", json!({"stream": "notes"}));
    assert!(!listed.text.contains("read_record_field"), "{}", listed.text);
    let step = &data(&listed)["content_ladder"]["records"][0]["fields"][0];
    assert_eq!(step["preview_status"], "truncated");
    assert_eq!(step["read"]["tool"], "fetch", "{step}");
    assert_eq!(step.get("resource_uri"), None);
    let alone = world.answer("fetch", step["read"]["arguments"].clone());
    let (text, ladder) = (&data(&alone)["text"], &data(&alone)["metadata"]["content_ladder"]);
    let last = &ladder["records"][0]["fields"][0];
    assert_eq!((&last["preview_status"], last.get("read")), (&json!("unavailable"), None));
    let text = text.as_str().unwrap();
    assert!(text.contains("cannot be read") && !text.contains("read_record_field"), "{text}");
    assert!(alone.links.is_empty(), "a projected document leads to no more than it holds");
    assert!(listed.links.iter().all(|link| link.uri.starts_with("pdpp://record/")));
    let whole = world.answer("fetch", json!({"id": "cin_9/notes:n1"}));
    let step = &data(&whole)["metadata"]["content_ladder"]["records"][0]["fields"][0];
    assert_eq!(step["read"]["arguments"], json!({"id": "cin_9/notes:n1", "fields": ["body"]}));
    let asked = world.asked();
    let probes = asked.iter().filter(|target| target.contains("/field-window"));
    assert_eq!(probes.count(), 1, "what the provider lacks is remembered: {asked:?}");
}

#[test]
fn a_provider_that_serves_whole_values_and_windows_is_read_on_by_windows() {
    let world = Foreign::new(|target| {
        if target.contains("/field-window") {
            return super::refuse(400, "invalid_request", "field is needed", "field");
        }
        plain(target)
    });
    let fetched = world.answer("fetch", json!({"id": "cin_9/notes:n1"}));
    let step = &data(&fetched)["metadata"]["content_ladder"]["records"][0]["fields"][0];
    assert_eq!(step["read"]["tool"], "read_record_field", "{step}");
}
