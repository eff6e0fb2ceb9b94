//! Bytes: whatever a store holds, every result stays within its budget and leads on.

use pdpp_contract::Json;
use pdpp_mcp::tools;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Provider, World, big, data, family, record, shown_ids, source, wire_bytes};

/// Fields of every size and kind, from nothing to far too much.
fn fields() -> impl Strategy<Value = Vec<(String, Json)>> {
    let text = prop_oneof![
        "[ -~]{0,30}".prop_map(Json::String),
        (1_usize..60_000).prop_map(|chars| Json::String("é日x ".repeat(chars / 4 + 1))),
        (1_usize..3_000)
            .prop_map(|items| Json::Array(vec![Json::String("item".to_owned()); items])),
        any::<i64>().prop_map(|number| Json::Number(number.to_string())),
        Just(Json::Null),
    ];
    prop::collection::vec(("[a-z]{1,40}", text), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_page_of_any_records_stays_within_budget(rows in prop::collection::vec(fields(), 1..12), limit in 1_u32..100) {
        let provider = Provider { sources: vec![source("cin_work", "gmail", Some("Mail"), &["messages"])], ..family() };
        let records = rows.into_iter().enumerate().map(|(at, fields)| {
            let mut one = record("cin_work", "messages", &format!("r{at}"), &[]);
            one.data.as_mut().unwrap().extend(fields);
            one
        });
        *provider.records.lock().unwrap() = records.collect();
        let world = World::new(provider);
        let answer = world.call("query_records", json!({"stream": "messages", "limit": limit}));
        prop_assert!(answer.text.len() <= 1_800, "{} bytes of text", answer.text.len());
        prop_assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
        let returned = data(&answer)["data"]["data"].as_array().unwrap().len();
        prop_assert!(returned >= 1);
        for id in shown_ids(&answer.text) {
            let fetched = world.call("fetch", json!({"id": id}));
            prop_assert!(data(&fetched)["text"].as_str().unwrap().chars().count() <= 16_384);
            prop_assert!(data(&fetched)["metadata"].to_string().len() <= 16_384);
        }
    }
}

#[test]
fn a_hundred_fat_records_and_hits_stay_within_their_text_budgets() {
    let world = World::new(big(100, 400_000));
    for (tool, arguments) in [
        ("query_records", json!({"stream": "messages", "limit": 100, "count": "exact"})),
        ("search", json!({"query": "needle", "limit": 100})),
    ] {
        let answer = world.call(tool, arguments);
        assert!(answer.text.len() <= 1_800, "{tool}: {} bytes", answer.text.len());
        assert!(wire_bytes(&answer) <= 49_152, "{tool}: {} bytes", wire_bytes(&answer));
    }
}

#[test]
fn a_field_of_fifty_megabytes_costs_a_window() {
    let world = World::new(big(2, 60));
    world.provider.change("m00001", "body", &"fifty megabytes of needle ".repeat(2_000_000));
    for (tool, arguments) in [
        ("query_records", json!({"stream": "messages"})),
        ("fetch", json!({"id": "cin_work/messages:m00001"})),
        (
            "read_record_field",
            json!({"id": "cin_work/messages:m00001", "field_path": "body", "offset_chars": 49_000_000, "limit_chars": 16_384}),
        ),
    ] {
        let answer = world.call(tool, arguments);
        assert!(
            !answer.is_error() && wire_bytes(&answer) <= 60_000,
            "{tool}: {} bytes",
            wire_bytes(&answer)
        );
    }
}

#[test]
fn one_record_that_is_too_large_alone_names_the_fields_it_left_out() {
    let provider = family();
    let mut wide = record("cin_work", "messages", "wide", &[]);
    for at in 0..2_000 {
        let name = format!("field_number_{at:04}");
        wide.data.as_mut().unwrap().insert(name, Json::String("short words ".repeat(5)));
    }
    *provider.records.lock().unwrap() = vec![wide];
    let world = World::new(provider);
    let answer =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
    assert!(answer.text.len() <= 1_800);
    let more = &data(&answer)["content_ladder"]["more_fields"];
    assert!(more["count"].as_u64().unwrap() > 100, "{more}");
    assert!(answer.text.contains("fields left out"), "{}", answer.text);
}

#[test]
fn groups_with_long_keys_are_reduced() {
    let provider = big(100, 4_000);
    for (at, record) in provider.records.lock().unwrap().iter_mut().enumerate() {
        record
            .data
            .as_mut()
            .unwrap()
            .insert("body".to_owned(), Json::String(format!("{at} {}", "k".repeat(4_000))));
    }
    let world = World::new(provider);
    let arguments =
        json!({"stream": "messages", "metric": "count", "group_by": "body", "limit": 100});
    let answer = world.call("aggregate", arguments);
    assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
    assert!(answer.text.contains("page_reduced requested=100"), "{}", &answer.text[..300]);
    assert_eq!(data(&answer)["data"]["page_reduced"]["requested"], 100);
}

#[test]
fn every_data_view_fits_its_output_schema() {
    let world = World::new(family());
    let calls: Vec<(&str, Value)> = vec![
        ("schema", json!({})),
        ("schema", json!({"stream": "messages"})),
        ("query_records", json!({"stream": "messages", "connection_id": "cin_work"})),
        (
            "aggregate",
            json!({"stream": "messages", "metric": "count", "connection_id": "cin_work"}),
        ),
        ("search", json!({"query": "kitchen"})),
        ("fetch", json!({"id": "cin_work/messages:m2"})),
        ("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"})),
        (
            "read_record_field",
            json!({"id": "cin_work/messages:m2", "field_path": "body", "q": "tiles"}),
        ),
    ];
    for (tool, arguments) in calls {
        let described = tools().iter().find(|described| described.name == tool).unwrap();
        let schema = Value::Object(described.output_schema.as_ref().unwrap().as_ref().clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let answer = world.call(tool, arguments);
        let faults: Vec<String> =
            validator.iter_errors(data(&answer)).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{tool}");
    }
}
