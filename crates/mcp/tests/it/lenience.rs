//! Arguments as models write them: numbers as text, one text for a list, null for nothing.

use serde_json::json;

use crate::world::{World, data, family};

#[test]
fn numbers_as_text_and_single_texts_for_lists_are_understood() {
    let world = World::new(family());
    let plain = json!({"stream": "messages", "connection_id": "cin_work", "limit": 1, "fields": ["subject"]});
    let loose = json!({"stream": "messages", "connection_id": "cin_work", "limit": "1", "fields": "subject", "cursor": null});
    let spelled = json!({"stream": "messages", "connection_id": "cin_work", "limit": 1.0, "fields": "[\"subject\"]"});
    let expected = world.call("query_records", plain);
    assert_eq!(
        data(&expected)["data"]["data"][0]["data"],
        json!({"id": "m1", "subject": "Kitchen quote"})
    );
    for arguments in [loose, spelled] {
        assert_eq!(world.call("query_records", arguments), expected);
    }
    let both = [
        json!({"query": "kitchen", "streams": "messages"}),
        json!({"q": "kitchen", "streams": ["messages"]}),
    ];
    let [a, b] = both.map(|arguments| world.call("search", arguments));
    assert_eq!(a, b);
}

#[test]
fn an_unknown_argument_lists_the_valid_ones() {
    let world = World::new(family());
    let refusal = world.refused("fetch", json!({"id": "a:b", "connector_instance_id": "x"}));
    assert_eq!(refusal["code"], "invalid_arguments");
    assert_eq!(
        refusal["valid_arguments"],
        json!(["id", "fields", "connection_id", "expand", "expand_limit"])
    );
    assert!(refusal["message"].as_str().unwrap().contains("id, fields, connection_id"));
}

#[test]
fn unknown_names_offer_the_nearest_granted_ones() {
    let world = World::new(family());
    let refusal =
        world.refused("query_records", json!({"stream": "mesages", "connection_id": "cin_work"}));
    assert_eq!(refusal["nearest_streams"][0], "messages");
    let refusal = world.refused(
        "query_records",
        json!({"stream": "messages", "connection_id": "cin_work", "fields": ["subjct"]}),
    );
    assert_eq!(refusal["nearest_fields"][0], "subject");
    assert_eq!(
        refusal["suggested_call"]["arguments"],
        json!({"stream": "messages", "connection_id": "cin_work"})
    );
    let refusal =
        world.refused("query_records", json!({"stream": "posts", "connection_id": "cin_work"}));
    let said = refusal["message"].as_str().unwrap();
    assert!(said.contains("no stream posts of that connection"), "{said}");
    assert!(
        !said.contains("nearest: posts")
            && !refusal["nearest_streams"].to_string().contains("posts")
    );
    let refusal =
        world.refused("query_records", json!({"stream": "messages", "connection_id": "cin_none"}));
    assert_eq!(refusal["code"], "connection_not_found");
    assert_eq!(refusal["available_connection_count"], 3);
}

#[test]
fn an_unknown_tool_is_a_fault_of_the_protocol() {
    assert_eq!(pdpp_mcp::Tool::named("list_streams"), None);
}

#[test]
fn the_one_mode_of_search_is_accepted_and_others_are_refused() {
    let world = World::new(family());
    let plain = world.call("search", json!({"query": "kitchen"}));
    assert_eq!(world.call("search", json!({"query": "kitchen", "mode": "lexical"})), plain);
    let refused = world.refused("search", json!({"query": "kitchen", "mode": "semantic"}));
    assert_eq!(refused["code"], "invalid_arguments");
}

#[test]
fn a_time_is_no_bookmark_and_the_refusal_names_the_filter() {
    let world = World::new(family());
    for time in ["2026-04-02", "2026-04-02T09:30:00Z", "2026-04"] {
        let asked =
            json!({"stream": "messages", "connection_id": "cin_work", "changes_since": time});
        let refused = world.refused("query_records", asked);
        assert_eq!(
            (&refused["code"], &refused["param"]),
            (&json!("invalid_arguments"), &json!("changes_since"))
        );
        assert!(refused["message"].as_str().unwrap().contains("filter {"), "{refused}");
    }
}
