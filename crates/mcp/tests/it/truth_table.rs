//! `read_record_field` takes exactly one identity and at most one selector: every combination.

use serde_json::{Map, Value, json};

use crate::world::{World, family};

/// What the tool's written contract allows: the two identities exclude each other, the selectors too.
fn allowed(given: &Map<String, Value>) -> bool {
    let has = |name: &str| given.contains_key(name);
    let by_id = has("id");
    let by_parts = has("connection_id") && has("stream") && has("record_id");
    let identity = by_id != by_parts;
    let context = has("before_chars") || has("after_chars");
    let selector = if has("cursor") {
        !has("offset_chars") && !has("q") && !context
    } else if has("q") {
        !has("offset_chars")
    } else {
        !context
    };
    has("field_path") && identity && selector
}

#[test]
fn every_combination_is_taken_or_refused_as_the_contract_says() {
    let world = World::new(family());
    let window = world
        .call("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    let cursor = window.structured.unwrap()["window"]["next_cursor"].clone();
    let all = [
        ("id", json!("cin_work/messages:m2")),
        ("connection_id", json!("cin_work")),
        ("stream", json!("messages")),
        ("record_id", json!("m2")),
        ("field_path", json!("body")),
        ("cursor", cursor),
        ("offset_chars", json!(10)),
        ("q", json!("tiles")),
        ("before_chars", json!(5)),
        ("after_chars", json!(5)),
        ("limit_chars", json!(100)),
    ];
    let mut taken = 0;
    for bits in 0..1_u32 << all.len() {
        let chosen = all.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
        let given: Map<String, Value> =
            chosen.map(|(_, (name, value))| ((*name).to_owned(), value.clone())).collect();
        let before = world.provider.calls().len();
        let answer = world.call("read_record_field", Value::Object(given.clone()));
        assert_eq!(!answer.is_error(), allowed(&given), "{given:?}: {}", answer.text);
        let reads: &[&str] = if allowed(&given) { &["field_window"] } else { &[] };
        assert_eq!(&world.provider.calls()[before..], reads, "{given:?}");
        taken += usize::from(allowed(&given));
    }
    assert!(taken > 50, "{taken}");
}

#[test]
fn a_part_beside_an_id_must_be_its_own() {
    let world = World::new(family());
    let call = |more: Value| {
        let mut arguments = json!({"id": "cin_work/messages:m2", "field_path": "body"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    assert_eq!(
        world.refused("read_record_field", call(json!({"connection_id": "cin_home"})))["code"],
        "conflicting_connection_id"
    );
    assert_eq!(
        world.refused("read_record_field", call(json!({"stream": "posts"})))["code"],
        "invalid_arguments"
    );
    assert_eq!(
        world.refused("read_record_field", call(json!({"record_id": "m1"})))["code"],
        "invalid_arguments"
    );
    assert_eq!(world.provider.calls(), Vec::<&str>::new());
    for own in [
        json!({"connection_id": "cin_work"}),
        json!({"stream": "messages"}),
        json!({"record_id": "m2"}),
    ] {
        assert!(!world.call("read_record_field", call(own)).is_error());
    }
    let legacy = json!({"id": "messages:m2", "connection_id": "cin_work", "field_path": "body"});
    assert!(
        !world.call("read_record_field", legacy).is_error(),
        "the short id with a connection works"
    );
}

#[test]
fn numbers_out_of_range_are_refused_by_name_and_never_clamped() {
    let world = World::new(family());
    for (name, value) in [
        ("limit_chars", json!(0)),
        ("limit_chars", json!(16_385)),
        ("offset_chars", json!(-1)),
        ("limit_chars", json!(1.5)),
        ("before_chars", json!(8_193)),
        ("after_chars", json!("many")),
        ("after_chars", json!(8_193)),
    ] {
        let mut arguments = json!({"id": "cin_work/messages:m2", "field_path": "body"});
        if name.ends_with("re_chars") || name.starts_with("after") {
            arguments["q"] = json!("tiles");
        }
        arguments[name] = value;
        let refusal = world.refused("read_record_field", arguments);
        assert_eq!(
            (&refusal["code"], &refusal["param"]),
            (&json!("invalid_arguments"), &json!(name))
        );
    }
    assert_eq!(world.provider.calls(), Vec::<&str>::new());
}

#[test]
fn without_a_selector_the_first_4096_characters_are_read() {
    let world = World::new(family());
    let answer = world
        .call("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    let window = &answer.structured.unwrap()["window"];
    assert_eq!(
        (&window["start_chars"], &window["end_chars"], &window["limit_chars"]),
        (&json!(0), &json!(4_096), &json!(4_096))
    );
}

#[test]
fn a_match_has_2048_characters_on_either_side_unless_others_are_asked_for() {
    let world = World::new(family());
    let text = format!("{}needle{}", "a".repeat(9_000), "b".repeat(9_000));
    world.provider.change("m2", "body", &text);
    let read = |more: Value| {
        let mut arguments =
            json!({"id": "cin_work/messages:m2", "field_path": "body", "q": "needle"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let window = world.call("read_record_field", arguments).structured.unwrap();
        let place = |name: &str| window["window"][name].as_u64().unwrap();
        (9_000 - place("start_chars"), place("end_chars") - 9_006)
    };
    assert_eq!(read(json!({})), (2_048, 2_048));
    assert_eq!(read(json!({"before_chars": 8_192, "after_chars": 0})), (8_192, 0));
}
