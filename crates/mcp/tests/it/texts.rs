//! The texts as a person would read them. Kept whole, so that a change of wording is seen.

use serde_json::json;

use crate::world::{World, family, record};

#[test]
fn texts_read_as_they_should() {
    let world = World::new(family());
    let calls = [
        ("schema", json!({})),
        ("schema", json!({"stream": "messages"})),
        (
            "query_records",
            json!({"stream": "messages", "connection_id": "cin_work", "count": "exact"}),
        ),
        ("query_records", json!({"stream": "messages"})),
        ("search", json!({"query": "kitchen"})),
        ("search", json!({"query": "nowhere"})),
        (
            "aggregate",
            json!({"stream": "messages", "metric": "count", "connection_id": "cin_work"}),
        ),
        (
            "aggregate",
            json!({"stream": "messages", "metric": "count", "group_by": "subject", "connection_id": "cin_work"}),
        ),
        ("fetch", json!({"id": "cin_work/messages:m1"})),
        (
            "read_record_field",
            json!({"id": "cin_work/messages:m2", "field_path": "body", "limit_chars": 60, "offset_chars": 60}),
        ),
        ("read_record_field", json!({"id": "cin_work/messages:m1", "field_path": "bodi"})),
        ("query_records", json!({"stream": "mesages", "connection_id": "cin_work"})),
    ];
    let mut out = String::new();
    for (tool, arguments) in calls {
        out.push_str(&format!("=== {tool} {arguments}\n"));
        out.push_str(&world.call(tool, arguments).text);
        out.push_str("\n\n");
    }
    insta::assert_snapshot!("texts", out);
}

#[test]
fn a_document_with_long_and_structured_fields_reads_well() {
    let provider = family();
    let mut long = record(
        "cin_work",
        "messages",
        "m9",
        &[("subject", "Plan"), ("body", &"Line one.\nLine two.\n".repeat(1_200))],
    );
    let parts = "{\"steps\":[\"measure\",\"order\",\"lay\"],\"cost\":12.50}";
    long.data
        .as_mut()
        .unwrap()
        .insert("plan".to_owned(), pdpp_contract::Json::parse(parts).unwrap());
    provider.records.lock().unwrap().push(long);
    let world = World::new(provider);
    let answer = world.call("fetch", json!({"id": "cin_work/messages:m9"}));
    let document = answer.structured.unwrap();
    let text = document["text"].as_str().unwrap();
    let (head, tail) = (
        text.chars().take(160).collect::<String>(),
        text.chars().rev().take(200).collect::<String>(),
    );
    let tail: String = tail.chars().rev().collect();
    let shown = format!(
        "{head}\n[…]\n{tail}\n\n{}",
        serde_json::to_string_pretty(&document["metadata"]).unwrap()
    );
    insta::assert_snapshot!("long_document", shown);
}
