//! A field put together from its windows is the field: by cursor, backwards, by address, by match.

use pdpp_mcp::ToolAnswer;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Provider, World, block_on, data, family};

/// Text that is easy to cut wrongly.
const PIECES: [&str; 9] = ["a", "é", "e\u{301}", "日本", "👨‍👩‍👧", "\r\n", "🏳️‍🌈", " ", "\u{202e}x"];
/// More than any text here has characters.
const MOST_WINDOWS: usize = 1_000;

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

fn call(world: &World, more: &Value) -> ToolAnswer {
    let mut arguments = json!({"id": "cin_work/messages:m2", "field_path": "body"});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.call("read_record_field", arguments)
}

fn read(world: &World, more: &Value) -> (Value, String) {
    let answer = call(world, more);
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
    let (_, same) = read_address(world, structured["resource"]["uri"].as_str().unwrap());
    assert_eq!(same, text, "the window's address shows the same window");
    (header, text)
}

fn read_address(world: &World, uri: &str) -> (Value, String) {
    let result = serde_json::to_value(block_on(world.context.read_resource(uri)).unwrap()).unwrap();
    window(result["contents"][0]["text"].as_str().unwrap())
}

fn forwards(world: &World, limit: usize) -> String {
    let (header, first) = read(world, &json!({"limit_chars": limit}));
    first + &cursors(world, &header, "next").concat()
}

fn backwards(world: &World, limit: usize, total: usize) -> String {
    let (header, last) =
        read(world, &json!({"limit_chars": limit, "offset_chars": total.saturating_sub(limit)}));
    backwards_joined(cursors(world, &header, "previous")) + &last
}

/// The windows after one, one way, by cursor.
fn cursors(world: &World, header: &Value, way: &str) -> Vec<String> {
    let name = format!("{way}_cursor");
    let (mut cursor, mut windows) = (header[&name].clone(), Vec::new());
    while cursor.is_string() {
        assert!(windows.len() < MOST_WINDOWS, "the windows never end");
        let (header, text) = read(world, &json!({"cursor": cursor}));
        windows.push(text);
        cursor = header[&name].clone();
    }
    windows
}

/// The windows from an address on, one way.
fn along(world: &World, uri: &Value, way: &str) -> Vec<String> {
    let (mut uri, mut windows) = (uri.clone(), Vec::new());
    while let Some(address) = uri.as_str() {
        assert!(windows.len() < MOST_WINDOWS, "the windows never end");
        let (header, text) = read_address(world, address);
        assert_eq!(header["uri"], address);
        windows.push(text);
        uri = header[way].clone();
    }
    windows
}

/// The address of a window, as the tool gives it.
fn address(world: &World, more: &Value) -> Value {
    data(&call(world, more))["resource"]["uri"].clone()
}

fn by_address(world: &World, limit: usize) -> String {
    let first = address(world, &json!({"limit_chars": limit}));
    along(world, &first, "next_uri").concat()
}

fn back_by_address(world: &World, limit: usize, total: usize) -> String {
    let last = json!({"limit_chars": limit, "offset_chars": total.saturating_sub(limit)});
    backwards_joined(along(world, &address(world, &last), "previous_uri"))
}

fn backwards_joined(mut windows: Vec<String>) -> String {
    windows.reverse();
    windows.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn windows_of_any_size_put_together_are_the_field(
        pieces in prop::collection::vec(0_usize..9, 0..60), limit in 1_usize..70, without_cursors: bool,
    ) {
        let text = text(&pieces);
        let world = world(&text, without_cursors);
        prop_assert_eq!(&forwards(&world, limit), &text);
        prop_assert_eq!(&backwards(&world, limit, text.chars().count()), &text);
        prop_assert_eq!(&by_address(&world, limit), &text);
        prop_assert_eq!(&back_by_address(&world, limit, text.chars().count()), &text);
    }

    #[test]
    fn from_any_match_both_ways_lead_to_the_whole_field(
        pieces in prop::collection::vec(0_usize..9, 1..60),
        (place, length) in (0_usize..120, 1_usize..12),
        (before, after, limit) in (0_usize..40, 0_usize..40, 1_usize..70),
        without_cursors: bool,
    ) {
        let text = text(&pieces);
        let chars: Vec<char> = text.chars().collect();
        let place = place % chars.len();
        let wanted = &chars[place..chars.len().min(place + length)];
        let q = wanted.iter().collect::<String>().to_uppercase();
        let around = json!({
            "q": q, "before_chars": before, "after_chars": after, "limit_chars": limit,
        });
        let world = world(&text, without_cursors);
        let (header, middle) = read(&world, &around);
        let at = chars.windows(wanted.len()).position(|part| part == wanted).unwrap();
        let found = json!({"q": q, "start_chars": at, "end_chars": at + wanted.len()});
        prop_assert_eq!(&header["match"], &found);
        let (ahead, back) = (cursors(&world, &header, "next"), cursors(&world, &header, "previous"));
        prop_assert_eq!(backwards_joined(back) + &middle + &ahead.concat(), text.as_str());
        let uri = address(&world, &around);
        let (ahead, back) = (along(&world, &uri, "next_uri"), along(&world, &uri, "previous_uri"));
        prop_assert_eq!((&ahead[0], &back[0]), (&middle, &middle));
        prop_assert_eq!(backwards_joined(back) + &ahead[1..].concat(), text);
    }
}

#[test]
fn every_window_size_works_on_one_difficult_text() {
    let text = text(&(0..36).collect::<Vec<_>>());
    let total = text.chars().count();
    for without_cursors in [false, true] {
        let world = world(&text, without_cursors);
        for limit in 1..=total + 1 {
            assert_eq!(forwards(&world, limit), text, "{limit}");
            assert_eq!(backwards(&world, limit, total), text, "{limit}");
            assert_eq!(by_address(&world, limit), text, "{limit}");
            assert_eq!(back_by_address(&world, limit, total), text, "{limit}");
        }
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
        let refusal = block_on(world.context.read_resource(&uri)).unwrap_err();
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
