//! A provider that names no connections is never sent one.

use serde_json::{Value, json};

use super::{Foreign, plain, refuse};
use crate::world::{data, shown};

/// The plain server without names of connections, which knows none that it is sent.
fn unnamed() -> Foreign {
    Foreign::new(|target| {
        if target.contains("connection_id") {
            return refuse(404, "connection_not_found", "Unknown connection", "connection_id");
        }
        let (status, mut body) = plain(target);
        forget(&mut body);
        (status, body)
    })
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| name != "connection_id" && name != "granted_connections");
            members.values_mut().for_each(forget);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        _ => {}
    }
}

#[test]
fn a_hit_of_a_provider_that_names_no_connections_is_fetched_by_its_short_id() {
    let world = unnamed();
    let found = world.answer("search", json!({"query": "tiles"}));
    let id = shown(&found.text, "id").unwrap();
    assert_eq!(id, "notes:n1");
    assert_eq!(data(&found)["results"][0]["id"], "notes:n1");
    let url = data(&found)["results"][0]["url"].as_str().unwrap();
    assert_eq!(url, format!("{}/v1/streams/notes/records/n1", world.url));
    let fetched = world.answer("fetch", json!({"id": id}));
    assert_eq!(data(&fetched)["id"], "notes:n1");
    let listed = world.answer("query_records", json!({"stream": "notes"}));
    assert_eq!(shown(&listed.text, "id").as_deref(), Some("notes:n1"));
    // What the data view has to call it leads to the same place.
    let again = data(&found)["results"][0]["connection_id"].clone();
    for arguments in
        [json!({"stream": "notes", "connection_id": again}), json!({"stream": "notes", "limit": 1})]
    {
        world.answer("query_records", arguments);
    }
    world.answer("schema", json!({"stream": "notes", "connection_id": again}));
    let asked = world.asked();
    assert!(asked.iter().all(|target| !target.contains("connection_id")), "{asked:?}");
}

#[test]
fn no_text_names_a_connection_that_the_provider_did_not_name() {
    let world = unnamed();
    for (tool, arguments) in [
        ("schema", json!({})),
        ("schema", json!({"stream": "notes"})),
        ("schema", json!({"stream": "notes", "detail": "full"})),
        ("search", json!({"query": "tiles"})),
        ("query_records", json!({"stream": "notes"})),
        ("fetch", json!({"id": "notes:n1"})),
    ] {
        let text = world.answer(tool, arguments).text;
        for invented in ["connection_id=", "\"connection_id\"", "unnamed", "default"] {
            assert!(!text.contains(invented), "{tool} shows {invented}: {text}");
        }
    }
}

#[test]
fn a_connection_that_nobody_knows_is_refused_without_one_to_choose() {
    let world = unnamed();
    let refusal =
        world.refused("query_records", json!({"stream": "notes", "connection_id": "cin_1"}));
    assert_eq!(refusal["code"], "connection_not_found");
    assert_eq!(refusal.get("available_connections"), None, "{refusal}");
}
