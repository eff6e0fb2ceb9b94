//! Pages of records: counts, cursors and bookmarks in the text, every row reachable from either view.

use serde_json::{Value, json};

use crate::world::{World, big, data, family, shown, shown_ids};

/// Reads a whole stream the way a reader of text does.
fn read_by_text(world: &World, limit: u32) -> Vec<String> {
    let mut ids = Vec::new();
    let mut arguments = json!({"stream": "messages", "limit": limit});
    loop {
        let answer = world.call("query_records", arguments.clone());
        let page = shown_ids(&answer.text);
        assert!(!page.is_empty(), "{}", answer.text);
        ids.extend(page);
        match shown(&answer.text, "next_cursor") {
            Some(cursor) => arguments["cursor"] = json!(cursor),
            None => return ids,
        }
    }
}

fn read_by_data(world: &World, limit: u32) -> Vec<String> {
    let mut ids = Vec::new();
    let mut arguments = json!({"stream": "messages", "limit": limit});
    loop {
        let answer = world.call("query_records", arguments.clone());
        let page = &data(&answer)["data"];
        ids.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|record| record["id"].as_str().unwrap().to_owned()),
        );
        assert_eq!(page["has_more"].as_bool().unwrap(), page["next_cursor"].is_string());
        match &page["next_cursor"] {
            Value::String(cursor) => arguments["cursor"] = json!(cursor),
            _ => return ids,
        }
    }
}

#[test]
fn both_views_reach_every_row_once() {
    for (count, body, limit) in [
        (130, 20, 100),
        (130, 5_000, 100),
        (37, 300, 25),
        (30, 100_000, 10),
        (1, 10, 1),
        (3, 10, 100),
    ] {
        let world = World::new(big(count, body));
        let expected: Vec<String> = (0..count).map(|at| format!("m{at:05}")).collect();
        assert_eq!(read_by_data(&world, limit), expected);
        let expected: Vec<String> =
            expected.iter().map(|id| format!("cin_work/messages:{id}")).collect();
        assert_eq!(read_by_text(&world, limit), expected);
    }
}

#[test]
fn counts_cursors_and_bookmarks_stand_in_the_text_unchanged() {
    let world = World::new(big(60, 20));
    let answer =
        world.call("query_records", json!({"stream": "messages", "limit": 5, "count": "exact"}));
    let page = &data(&answer)["data"];
    assert_eq!(shown(&answer.text, "next_cursor").as_deref(), page["next_cursor"].as_str());
    assert_eq!(shown(&answer.text, "count").as_deref(), Some("exact:60"));
    let arguments = json!({"stream": "messages", "limit": 100, "changes_since": "beginning"});
    let answer = world.call("query_records", arguments);
    assert_eq!(shown_ids(&answer.text).len(), 60, "{}", answer.text);
    assert_eq!(shown(&answer.text, "next_changes_since").as_deref(), Some("bookmark-9"));
    let few = World::new(family());
    let arguments =
        json!({"stream": "posts", "connection_id": "cin_acme", "changes_since": "beginning"});
    let answer = few.call("query_records", arguments);
    assert_eq!(shown(&answer.text, "next_changes_since").as_deref(), Some("bookmark-9"));
}

#[test]
fn ten_records_are_a_page_and_text_and_data_hold_the_same_ones() {
    for (count, body, limit, rows) in
        [(60, 20, None, 10), (60, 5_000, None, 10), (60, 20, Some(30), 30), (60, 900, Some(3), 3)]
    {
        let mut arguments = json!({"stream": "messages"});
        if let Some(limit) = limit {
            arguments["limit"] = json!(limit);
        }
        let world = World::new(big(count, body));
        let answer = world.call("query_records", arguments);
        let page = &data(&answer)["data"];
        let keys = page["data"].as_array().unwrap().iter();
        let ids: Vec<String> =
            keys.map(|it| format!("cin_work/messages:{}", it["id"].as_str().unwrap())).collect();
        assert_eq!((ids.len(), &shown_ids(&answer.text)), (rows, &ids));
        assert_eq!(shown(&answer.text, "next_cursor").as_deref(), page["next_cursor"].as_str());
        let lists = world.provider.calls().iter().filter(|call| **call == "list").count();
        assert_eq!(lists, 1, "nothing is asked twice");
    }
}

#[test]
fn what_a_call_names_stands_first_in_its_rows() {
    let world = World::new(family());
    let asked = json!({"stream": "messages", "connection_id": "cin_work", "sort": "-sent_at",
                       "filter": {"sender": "anna@example.org"}, "fields": ["body", "sender", "sent_at"]});
    let answer = world.call("query_records", asked);
    let row = answer.text.lines().find(|line| line.starts_with("1. ")).unwrap();
    let places = ["sent_at=", "sender=", "body="].map(|name| row.find(name).unwrap());
    assert!(places.is_sorted(), "{row}");
    let plain =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    let row = plain.text.lines().find(|line| line.starts_with("1. ")).unwrap();
    let places = ["sent_at=", "sender=", "subject=", "body="].map(|name| row.find(name).unwrap());
    assert!(places.is_sorted(), "when, who, what, and its text: {row}");
}

#[test]
fn a_reduced_page_says_so_in_both_views() {
    let world = World::new(big(100, 100_000));
    let answer = world.call("query_records", json!({"stream": "messages", "limit": 100}));
    let page = &data(&answer)["data"];
    let returned = page["data"].as_array().unwrap().len();
    assert!((1..100).contains(&returned), "{returned}");
    let warning = &page["meta"]["warnings"][0];
    assert_eq!(warning["code"], "page_reduced");
    assert_eq!(warning["detail"], json!({"requested": 100, "returned": returned}));
    assert!(answer.text.contains(&format!("page_reduced requested=100 returned={returned}")));
    assert_eq!(page["has_more"], true);
}

#[test]
fn a_fat_first_record_does_not_hide_the_others() {
    let world = World::new(big(10, 50_000));
    let answer = world.call("query_records", json!({"stream": "messages", "limit": 6}));
    assert_eq!(shown_ids(&answer.text).len(), 6, "{}", answer.text);
    for line in answer.text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        assert!(line.contains("\"Message num"), "{line}");
    }
}

#[test]
fn long_fields_are_previews_with_a_way_on() {
    let world = World::new(family());
    let answer =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    let structured = data(&answer);
    let record = &structured["data"]["data"][1];
    assert_eq!(record["data"]["body"].as_str().unwrap().chars().count(), 240);
    let rung = &structured["content_ladder"]["records"][0];
    assert_eq!(rung["id"], "cin_work/messages:m2");
    let field = &rung["fields"][0];
    assert_eq!(field["path"], "body");
    assert_eq!(
        (&field["preview_status"], &field["size_chars"], &field["size_grade"]),
        (&json!("truncated"), &json!(14_400), &json!("medium"))
    );
    let read = world.call("read_record_field", field["read"]["arguments"].clone());
    assert_eq!(data(&read)["window"]["start_chars"], 240, "the call goes on after the preview");
    let uris: Vec<&str> = answer.links.iter().map(|link| link.uri.as_str()).collect();
    assert_eq!(uris.len(), 3, "two records and a field: {uris:?}");
    assert_eq!(json!(uris[0]), field["resource_uri"]);
    assert!(uris[1..].iter().all(|uri| uri.starts_with("pdpp://record/")), "{uris:?}");
    assert_eq!(
        structured["content_ladder"]["records"].as_array().unwrap().len(),
        1,
        "short fields get no entry"
    );
}

#[test]
fn handles_stand_in_the_ladder_and_never_inside_records() {
    let world = World::new(family());
    let arguments = json!({"stream": "messages", "connection_id": "cin_work"});
    let answer = world.call("query_records", arguments);
    for record in data(&answer)["data"]["data"].as_array().unwrap() {
        assert!(
            ["m1", "m2"].contains(&record["id"].as_str().unwrap()),
            "the record keeps its own key"
        );
        let inside = record.to_string();
        assert!(!inside.contains("cin_work/messages") && !inside.contains("pdpp://"), "{inside}");
    }
    assert_eq!(data(&answer)["content_ladder"]["records"][0]["id"], "cin_work/messages:m2");
}
