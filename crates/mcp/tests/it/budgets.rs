//! Bytes: whatever a store holds, every result stays within its budget and leads on.

use pdpp_contract::Json;
use pdpp_mcp::{ToolAnswer, tools};
use serde_json::{Value, json};

use crate::world::{World, big, block_on, data, family, record, source, wire_bytes};

#[test]
fn a_hundred_fat_records_and_hits_stay_within_their_text_budgets() {
    let world = World::new(big(100, 400_000));
    for (tool, arguments, most) in [
        ("query_records", json!({"stream": "messages", "count": "exact"}), 1_800),
        ("query_records", json!({"stream": "messages", "limit": 5}), 1_800),
        ("query_records", json!({"stream": "messages", "limit": 100, "count": "exact"}), 6_000),
        ("search", json!({"query": "needle"}), 1_800),
        ("search", json!({"query": "needle", "limit": 5}), 1_800),
        ("search", json!({"query": "needle", "limit": 10}), 3_300),
        ("search", json!({"query": "needle", "limit": 100}), 6_000),
    ] {
        let answer = world.call(tool, arguments);
        assert!(answer.text.len() <= most, "{tool}: {} bytes", answer.text.len());
        assert!(wire_bytes(&answer) <= 49_152, "{tool}: {} bytes", wire_bytes(&answer));
    }
}

#[test]
fn a_field_of_fifty_megabytes_costs_a_window() {
    let world = World::new(big(2, 60));
    world.provider.change("m00001", "body", &"fifty megabytes of needle ".repeat(2_000_000));
    let end = json!({
        "id": "cin_work/messages:m00001",
        "field_path": "body",
        "offset_chars": 49_000_000,
        "limit_chars": 16_384,
    });
    for (tool, arguments, most) in [
        ("query_records", json!({"stream": "messages"}), 49_152),
        ("search", json!({"query": "needle"}), 49_152),
        // The text stands in both views, and both are bounded.
        ("fetch", json!({"id": "cin_work/messages:m00001"}), 60_000),
        ("read_record_field", end, 36_000),
    ] {
        let answer = world.call(tool, arguments);
        let bytes = wire_bytes(&answer);
        assert!(!answer.is_error() && bytes <= most, "{tool}: {bytes} bytes");
    }
}

#[test]
fn one_record_that_is_too_large_alone_leads_to_the_fields_it_left_out() {
    let mut provider = family();
    provider.any_field = true;
    let mut wide = record("cin_work", "messages", "wide", &[]);
    for at in 0..2_000 {
        let name = format!("field_number_{at:04}");
        let text = format!("{at} {}", "short words ".repeat(5));
        wide.data.as_mut().unwrap().insert(name, Json::String(text));
    }
    *provider.records.lock().unwrap() = vec![wide];
    let world = World::new(provider);
    let answer =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
    assert!(answer.text.len() <= 1_800);
    assert!(answer.text.contains("fields left out"), "{}", answer.text);
    let more = &data(&answer)["content_ladder"]["more_fields"];
    let names: Vec<&str> =
        more["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let count = usize::try_from(more["count"].as_u64().unwrap()).unwrap();
    assert!(names.len() > 100 && names.len() < count, "{} of {count}", names.len());
    assert_eq!(more["all_names"]["tool"], "schema", "the names of the others");
    let mut call = more["read"]["arguments"].clone();
    for name in [names[0], names[names.len() - 1]] {
        call["fields"] = json!([name]);
        let read = world.call(more["read"]["tool"].as_str().unwrap(), call.clone());
        let at: usize = name["field_number_".len()..].parse().unwrap();
        assert!(data(&read)["text"].as_str().unwrap().starts_with(&format!("{name}: {at} short")));
    }
}

#[test]
fn a_list_of_resources_stays_within_the_budget_and_names_every_stream_once() {
    let mut provider = family();
    provider.sources = (0..60)
        .map(|at| {
            let names: Vec<String> =
                (0..5).map(|stream| format!("{}{stream}", "ü".repeat(60))).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            source(&format!("cin_{at:03}"), "kind", Some(&"ö".repeat(100)), &names)
        })
        .collect();
    let world = World::new(provider);
    let (mut cursor, mut uris) = (None, Vec::new());
    loop {
        let page = block_on(world.context.list_resources(cursor.as_deref())).unwrap();
        let bytes = serde_json::to_string(&page).unwrap().len();
        assert!(bytes <= 49_152, "{bytes}");
        uris.extend(page.resources.into_iter().map(|resource| resource.uri));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let all = uris.len();
    uris.sort_unstable();
    uris.dedup();
    assert_eq!((all, uris.len()), (300, 300));
}

/// Counts by a text of so many characters, a hundred groups.
fn counts_by_text(key_chars: usize) -> ToolAnswer {
    let provider = big(100, 10);
    for (at, record) in provider.records.lock().unwrap().iter_mut().enumerate() {
        let key = Json::String(format!("{at} {}", "k".repeat(key_chars)));
        record.data.as_mut().unwrap().insert("body".to_owned(), key);
    }
    let arguments =
        json!({"stream": "messages", "metric": "count", "group_by": "body", "limit": 100});
    World::new(provider).call("aggregate", arguments)
}

#[test]
fn groups_are_as_many_as_the_bytes_allow_and_the_next_page_has_the_others() {
    let mut reduced = 0;
    for key_chars in [40, 200, 260, 320, 400, 500, 640, 800, 1_000, 4_000] {
        let answer = counts_by_text(key_chars);
        let bytes = wire_bytes(&answer);
        assert!(bytes <= 49_152, "{key_chars}: {bytes} bytes");
        let found = &data(&answer)["data"];
        let groups = found["groups"].as_array().unwrap().len();
        if groups == 100 {
            assert!(!answer.text.contains("page_reduced"));
            continue;
        }
        reduced += 1;
        let each = bytes / groups;
        assert!(bytes + 2 * each + 1_024 > 49_152, "{key_chars}: one more of {each} fits {bytes}");
        let said = &found["meta"]["warnings"][0];
        assert_eq!(said["detail"], json!({"requested": 100, "returned": groups}));
        let said = format!("page_reduced requested=100 returned={groups}; next_cursor goes on");
        assert!(answer.text.contains(&said), "{}", &answer.text[..300]);
        let cursor = found["next_cursor"].as_str().unwrap();
        assert!(answer.text.contains(&format!("next_cursor={cursor}")));
    }
    assert!((3..9).contains(&reduced), "{reduced} of the ten are reduced");
}

#[test]
fn numbers_as_keys_keep_their_value() {
    let provider = big(2, 10);
    for (at, record) in provider.records.lock().unwrap().iter_mut().enumerate() {
        let key = Json::Number(format!("900719925474099{}", 2 + at));
        record.data.as_mut().unwrap().insert("body".to_owned(), key);
    }
    let arguments = json!({"stream": "messages", "metric": "count", "group_by": "body"});
    let answer = World::new(provider).call("aggregate", arguments);
    let keys: Vec<&Value> = data(&answer)["data"]["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| &group["key"])
        .collect();
    assert_eq!(keys, [&json!(9_007_199_254_740_992_i64), &json!("9007199254740993")]);
}

#[test]
fn a_key_or_value_as_long_as_a_book_is_shortened_and_says_so() {
    let world = World::new(big(1, 80_000));
    for (more, at, note) in [
        (json!({"metric": "count", "group_by": "body"}), "/data/groups/0", "key_size_chars"),
        (json!({"metric": "max", "field": "body"}), "/data", "value_size_chars"),
    ] {
        let mut arguments = more;
        arguments["stream"] = json!("messages");
        let answer = world.call("aggregate", arguments);
        assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
        assert_eq!(data(&answer).pointer(at).unwrap()[note], 80_000);
        assert!(answer.text.contains("(80000 chars)"), "{}", answer.text);
        assert!(answer.text.contains("read_record_field"), "{}", answer.text);
    }
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
