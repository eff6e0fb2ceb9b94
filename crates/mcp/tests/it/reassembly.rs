//! A field put together from its windows is the field: by cursor, backwards, by address, by match.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Provider, World, block_on, data, family};

/// Text that is easy to cut wrongly.
const PIECES: [&str; 9] = ["a", "é", "e\u{301}", "日本", "👨‍👩‍👧", "\r\n", "🏳️‍🌈", " ", "\u{202e}x"];

fn text(pieces: &[usize]) -> String {
    pieces.iter().map(|at| PIECES[at % PIECES.len()]).collect()
}

fn world(text: &str, without_cursors: bool) -> World {
    let provider = Provider { without_cursors, ..family() };
    provider.change("m2", "body", text);
    World::new(provider)
}

/// The window of a text block: a header line, then exactly the window.
fn window(block: &str) -> (Value, String) {
    let (header, text) = block.split_once('\n').unwrap();
    (serde_json::from_str(header).unwrap(), text.to_owned())
}

fn read(world: &World, more: &Value) -> (Value, String) {
    let mut arguments = json!({"id": "cin_work/messages:m2", "field_path": "body"});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = world.call("read_record_field", arguments);
    let (header, text) = window(&answer.text);
    let structured = data(&answer);
    assert_eq!(structured["window"]["text"], text, "both views show the same window");
    for (a, b) in [
        ("start_chars", "start_chars"),
        ("next_cursor", "next_cursor"),
        ("previous_cursor", "previous_cursor"),
        ("complete", "complete"),
    ] {
        assert_eq!(header[a], structured["window"][b]);
    }
    let length = header["end_chars"].as_u64().unwrap() - header["start_chars"].as_u64().unwrap();
    assert_eq!(length, text.chars().count() as u64, "the header's range delimits the window");
    (header, text)
}

fn forwards(world: &World, limit: usize) -> (String, Value) {
    let (mut header, mut whole) = read(world, &json!({"limit_chars": limit}));
    while let Some(cursor) = header["next_cursor"].as_str() {
        let (next, text) = read(world, &json!({"cursor": cursor}));
        whole.push_str(&text);
        header = next;
    }
    (whole, header)
}

fn backwards(world: &World, limit: usize, total: usize) -> String {
    let (mut header, mut whole) =
        read(world, &json!({"limit_chars": limit, "offset_chars": total.saturating_sub(limit)}));
    while let Some(cursor) = header["previous_cursor"].as_str() {
        let (next, text) = read(world, &json!({"cursor": cursor}));
        whole.insert_str(0, &text);
        header = next;
    }
    whole
}

fn by_address(world: &World, limit: usize) -> String {
    let arguments =
        json!({"id": "cin_work/messages:m2", "field_path": "body", "limit_chars": limit});
    let answer = world.call("read_record_field", arguments);
    let mut uri = data(&answer)["resource"]["uri"].as_str().map(str::to_owned);
    let mut whole = String::new();
    while let Some(address) = uri {
        let result =
            serde_json::to_value(block_on(world.adapter.read_resource(&address)).unwrap()).unwrap();
        let (header, text) = window(result["contents"][0]["text"].as_str().unwrap());
        assert_eq!(header["uri"], address);
        whole.push_str(&text);
        uri = header["next_uri"].as_str().map(str::to_owned);
    }
    whole
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn windows_of_any_size_put_together_are_the_field(
        pieces in prop::collection::vec(0_usize..9, 0..60), limit in 1_usize..70, without_cursors: bool,
    ) {
        let text = text(&pieces);
        let world = world(&text, without_cursors);
        prop_assert_eq!(&forwards(&world, limit).0, &text);
        prop_assert_eq!(&backwards(&world, limit, text.chars().count()), &text);
        prop_assert_eq!(&by_address(&world, limit), &text);
    }
}

#[test]
fn every_window_size_works_on_one_difficult_text() {
    let text = text(&(0..36).collect::<Vec<_>>());
    let total = text.chars().count();
    for without_cursors in [false, true] {
        let world = world(&text, without_cursors);
        for limit in 1..=total + 1 {
            assert_eq!(forwards(&world, limit).0, text, "{limit}");
            assert_eq!(backwards(&world, limit, total), text, "{limit}");
            assert_eq!(by_address(&world, limit), text, "{limit}");
        }
    }
}

#[test]
fn from_a_match_both_ways_lead_to_the_whole_field() {
    let text = format!("{}needle{}", "👨‍👩‍👧 日本 ".repeat(40), "\r\né".repeat(90));
    for without_cursors in [false, true] {
        let world = world(&text, without_cursors);
        let around = json!({"q": "NEEDLE", "before_chars": 7, "after_chars": 9, "limit_chars": 50});
        let (header, mut whole) = read(&world, &around);
        let place = text.chars().position(|c| c == 'n').unwrap() as u64;
        assert_eq!(
            header["match"],
            json!({"q": "NEEDLE", "start_chars": place, "end_chars": place + 6})
        );
        let mut next = header["next_cursor"].clone();
        while let Some(cursor) = next.as_str() {
            let (header, text) = read(&world, &json!({"cursor": cursor}));
            whole.push_str(&text);
            next = header["next_cursor"].clone();
        }
        let mut back = header["previous_cursor"].clone();
        while let Some(cursor) = back.as_str() {
            let (header, text) = read(&world, &json!({"cursor": cursor}));
            whole.insert_str(0, &text);
            back = header["previous_cursor"].clone();
        }
        assert_eq!(whole, text);
    }
}

#[test]
fn a_changed_field_makes_cursors_and_addresses_stale() {
    for without_cursors in [false, true] {
        let world = world(&"abc".repeat(100), without_cursors);
        let answer = world.call(
            "read_record_field",
            json!({"id": "cin_work/messages:m2", "field_path": "body", "limit_chars": 50}),
        );
        let cursor = data(&answer)["window"]["next_cursor"].clone();
        let uri = data(&answer)["resource"]["next_uri"].as_str().unwrap().to_owned();
        world.provider.change("m2", "body", &"xyz".repeat(101));
        let arguments =
            json!({"id": "cin_work/messages:m2", "field_path": "body", "cursor": cursor});
        let refusal = world.refused("read_record_field", arguments);
        assert_eq!((&refusal["code"], &refusal["status"]), (&json!("stale_cursor"), &json!(409)));
        let refusal = block_on(world.adapter.read_resource(&uri)).unwrap_err();
        assert_eq!(refusal.code, "stale_cursor");
        assert!(
            refusal.message.contains("body") && refusal.message.contains("m2"),
            "{}",
            refusal.message
        );
    }
}

#[test]
fn a_cursor_of_another_record_or_field_is_no_cursor() {
    let world = world(&"abc".repeat(100), true);
    world.provider.change("m1", "body", &"abc".repeat(100));
    let answer = world.call(
        "read_record_field",
        json!({"id": "cin_work/messages:m2", "field_path": "body", "limit_chars": 50}),
    );
    let cursor = data(&answer)["window"]["next_cursor"].clone();
    for (id, field) in [("cin_work/messages:m1", "body"), ("cin_work/messages:m2", "subject")] {
        let refusal = world
            .refused("read_record_field", json!({"id": id, "field_path": field, "cursor": cursor}));
        assert_eq!(refusal["code"], "invalid_cursor");
    }
    let refusal = world.refused(
        "read_record_field",
        json!({"id": "cin_work/messages:m2", "field_path": "body", "cursor": "junk"}),
    );
    assert_eq!(refusal["code"], "invalid_cursor");
}
