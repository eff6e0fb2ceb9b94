//! What cannot be meant is refused before anything is read.

use serde_json::{Value, json};

use crate::world::{World, family};

#[test]
fn conflicting_malformed_and_climbing_ids_cost_no_read() {
    let world = World::new(family());
    for (tool, more) in [("fetch", json!({})), ("read_record_field", json!({"field_path": "body"}))]
    {
        for id in [
            "",
            "noseparator",
            "orders:",
            ":o1",
            "cin_a/",
            "/orders:o1",
            "cin_a/orders",
            "cin_a/x/orders:o1",
            "cin_a/orders:../../etc/passwd",
            "../cin_a/orders:o1",
            "cin_a/orders:..",
            "pdpp://record/AAAA",
            "pdpp://record/",
            "pdpp://record/../x",
        ] {
            let mut arguments = more.clone();
            arguments["id"] = json!(id);
            let refusal = world.refused(tool, arguments);
            let code = if id.is_empty() { "invalid_arguments" } else { "invalid_result_id" };
            assert_eq!(refusal["code"], code, "{tool} {id:?}");
            assert_eq!(refusal["param"], "id");
        }
        let mut arguments = more.clone();
        arguments["id"] = json!("cin_work/messages:m1");
        arguments["connection_id"] = json!("cin_home");
        let refusal = world.refused(tool, arguments);
        assert_eq!(refusal["code"], "conflicting_connection_id");
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains("cin_work") && message.contains("cin_home"), "{message}");
    }
    assert_eq!(world.provider.calls(), Vec::<&str>::new());
}

#[test]
fn full_detail_without_a_stream_costs_no_read_and_says_what_to_do() {
    let world = World::new(family());
    for more in [json!({}), json!({"connection_id": "cin_work"})] {
        let mut arguments = more;
        arguments["detail"] = json!("full");
        let refusal = world.refused("schema", arguments);
        assert_eq!(
            (&refusal["code"], &refusal["param"]),
            (&json!("invalid_request"), &json!("detail"))
        );
        assert!(refusal["message"].as_str().unwrap().contains("stream, connection_id and detail"));
    }
    assert_eq!(world.provider.calls(), Vec::<&str>::new());
}

/// A call that cannot be meant, with the code of its refusal and the argument at fault.
type Unclear = (&'static str, Value, &'static str, &'static str);

fn unclear_lists() -> Vec<Unclear> {
    vec![
        ("search", json!({}), "invalid_arguments", "query"),
        ("search", json!({"query": "a", "q": "b"}), "invalid_arguments", "q"),
        ("search", json!({"query": "a", "limit": 101}), "invalid_arguments", "limit"),
        ("query_records", json!({}), "invalid_arguments", "stream"),
        ("query_records", json!({"stream": "messages", "limit": 0}), "invalid_arguments", "limit"),
        (
            "query_records",
            json!({"stream": "messages", "filter": "subject=x"}),
            "invalid_filter",
            "filter",
        ),
        ("query_records", json!({"stream": "messages", "filter": {}}), "invalid_filter", "filter"),
        (
            "query_records",
            json!({"stream": "messages", "filter": {"subject": null}}),
            "invalid_filter",
            "filter",
        ),
        (
            "query_records",
            json!({"stream": "messages", "filter": {"a[gte]": 1}}),
            "invalid_filter",
            "filter",
        ),
        (
            "query_records",
            json!({"stream": "messages", "filter": {"a": {"like": 1}}}),
            "invalid_filter",
            "filter",
        ),
        (
            "query_records",
            json!({"stream": "messages", "filter": {"a": {}}}),
            "invalid_filter",
            "filter",
        ),
        (
            "query_records",
            json!({"stream": "messages", "sort": "a", "order": "desc"}),
            "invalid_arguments",
            "order",
        ),
        (
            "query_records",
            json!({"stream": "messages", "expand": ["a"], "expand_limit": {"b": 1}}),
            "invalid_expand",
            "expand",
        ),
    ]
}

fn unclear_others() -> Vec<Unclear> {
    vec![
        ("aggregate", json!({"stream": "messages"}), "invalid_arguments", "metric"),
        ("aggregate", json!({"stream": "messages", "metric": "sum"}), "invalid_arguments", "field"),
        (
            "aggregate",
            json!({"stream": "messages", "metric": "count", "group_by_time": "a"}),
            "invalid_arguments",
            "granularity",
        ),
        (
            "aggregate",
            json!({"stream": "messages", "metric": "count", "limit": 3}),
            "invalid_arguments",
            "limit",
        ),
        ("fetch", json!({}), "invalid_arguments", "id"),
    ]
}

#[test]
fn unclear_arguments_cost_no_read() {
    let world = World::new(family());
    for (tool, arguments, code, param) in unclear_lists().into_iter().chain(unclear_others()) {
        let refusal = world.refused(tool, arguments.clone());
        assert_eq!(
            (&refusal["code"], &refusal["param"]),
            (&json!(code), &json!(param)),
            "{tool} {arguments}"
        );
        assert_eq!(refusal["status"], 400);
    }
    assert_eq!(world.provider.calls(), Vec::<&str>::new());
}
