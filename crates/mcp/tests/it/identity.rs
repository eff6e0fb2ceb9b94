//! An id that is shown leads back to its record, whatever characters its key has.

use proptest::prelude::*;
use serde_json::json;

use crate::world::{Provider, World, data, family, record, shown, shown_ids, source};

fn world_with(connection: &str, stream: &str, keys: &[String]) -> World {
    let provider =
        Provider { sources: vec![source(connection, "gmail", None, &[stream])], ..family() };
    let one = |key: &String| record(connection, stream, key, &[("body", "needle")]);
    *provider.records.lock().unwrap() = keys.iter().map(one).collect();
    World::new(provider)
}

fn keys() -> impl Strategy<Value = String> {
    let any = "[^\u{0}]{1,60}".prop_filter("a key has at most 512 bytes", |key| key.len() <= 512);
    let tricky = prop_oneof![
        Just("a/b".to_owned()),
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("a\\b".to_owned()),
        Just(r#"["u1","2026-04-01"]"#.to_owned()),
        Just("\"quoted".to_owned()),
        Just("a b,c;d{e}".to_owned()),
        Just("x\u{202e}y\u{200b}z".to_owned()),
        Just("k".repeat(512)),
        Just("😀👨‍👩‍👧 é".to_owned()),
        Just("a:b:c".to_owned()),
        Just("pdpp://record/abc".to_owned()),
        Just("line\nbreak".to_owned()),
    ];
    prop_oneof![any, tricky]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_id_in_a_text_fetches_its_record(key in keys()) {
        let world = world_with("cin_1", "notes", std::slice::from_ref(&key));
        for (tool, arguments) in [("query_records", json!({"stream": "notes"})), ("search", json!({"query": "needle"}))] {
            let answer = world.call(tool, arguments);
            let ids = shown_ids(&answer.text);
            prop_assert_eq!(ids.len(), 1, "{}", answer.text);
            let fetched = world.call("fetch", json!({"id": ids[0]}));
            prop_assert_eq!(&data(&fetched)["metadata"]["record_id"], &json!(key), "{}", answer.text);
            prop_assert_eq!(&data(&fetched)["id"], &json!(ids[0]), "the document echoes the id");
            let window = world.call("read_record_field", json!({"id": ids[0], "field_path": "body"}));
            prop_assert_eq!(&data(&window)["window"]["text"], "needle");
        }
    }
}

#[test]
fn ids_in_text_and_data_are_the_same_and_embed_their_connection() {
    let world = World::new(family());
    let answer = world.call("search", json!({"query": "kitchen"}));
    let results = data(&answer)["results"].as_array().unwrap();
    let ids: Vec<&str> = results.iter().map(|hit| hit["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        [
            "cin_work/messages:m1",
            "cin_work/messages:m2",
            "cin_home/messages:m1",
            "cin_acme/posts:p1"
        ]
    );
    assert_eq!(shown_ids(&answer.text), ids);
    let first = answer.text.lines().find(|line| line.starts_with("1. id="));
    assert_eq!(
        first.and_then(|row| shown(row, "id")).as_deref(),
        Some(ids[0]),
        "a row begins with it"
    );
    assert!(!answer.text.contains(" connection_id="), "an embedded connection is not repeated");
    for hit in results {
        let id = hit["id"].as_str().unwrap();
        assert!(id.starts_with(hit["connection_id"].as_str().unwrap()), "{hit}");
        let fetched = world.call("fetch", json!({"id": id}));
        assert_eq!(data(&fetched)["metadata"]["connection_id"], hit["connection_id"]);
    }
}

#[test]
fn a_key_the_grammar_cannot_carry_gets_a_handle_and_shows_its_connection() {
    let world = world_with("cin_1", "files", &["docs/a/../b.txt".to_owned()]);
    let answer = world.call("search", json!({"query": "needle"}));
    let id = shown_ids(&answer.text).remove(0);
    assert!(id.starts_with("pdpp://record/"), "{id}");
    assert_eq!(shown(answer.text.lines().last().unwrap(), "connection_id"), None);
    let row = answer.text.lines().find(|line| line.starts_with("1. ")).unwrap();
    assert_eq!(shown(row, "connection_id").as_deref(), Some("cin_1"));
    assert_eq!(data(&answer)["results"][0]["record_id"], "docs/a/../b.txt");
}

#[test]
fn a_short_id_with_a_connection_reads_as_before() {
    let world = World::new(family());
    let fetched = world.call("fetch", json!({"id": "messages:m1", "connection_id": "cin_home"}));
    assert_eq!(data(&fetched)["id"], "cin_home/messages:m1");
    let equal =
        world.call("fetch", json!({"id": "cin_home/messages:m1", "connection_id": "cin_home"}));
    assert_eq!(data(&equal)["title"], "Kitchen at home");
}
