//! Search: one ranking, its sources, its matches, and what it does not cover.

use serde_json::{Value, json};

use crate::world::{
    Provider, World, big, data, family, record, shown, shown_ids, source, wire_bytes,
};

#[test]
fn every_hit_says_where_it_is_from_in_both_views() {
    let world = World::new(family());
    let answer = world.call("search", json!({"query": "kitchen"}));
    for hit in data(&answer)["results"].as_array().unwrap() {
        for name in [
            "connection_id",
            "connector_key",
            "stream",
            "record_id",
            "display_name",
            "title",
            "url",
            "snippet",
        ] {
            assert!(hit[name].is_string(), "{name}: {hit}");
        }
        let text = |name: &str| hit[name].as_str().unwrap();
        let (stream, record) = (text("stream"), text("record_id"));
        let path = format!("streams/{stream}/records/{record}");
        let url = format!("https://data.example/v1/{path}?connection_id={}", text("connection_id"));
        assert_eq!(text("url"), url);
    }
    let mix = answer.text.lines().find(|line| line.starts_with("source_mix: ")).unwrap();
    assert_eq!(mix, "source_mix: gmail \"Work mail\" 2, gmail \"Home mail\" 1, slack \"Acme\" 1");
    let one = world.call("search", json!({"query": "kitchen", "connection_id": "cin_acme"}));
    assert_eq!(shown_ids(&one.text), ["cin_acme/posts:p1"]);
    assert!(!one.text.contains("source_mix"));
}

#[test]
fn a_title_is_a_name_or_a_time_and_never_the_snippet() {
    let world = World::new(family());
    let answer = world.call("search", json!({"query": "kitchen"}));
    let results = data(&answer)["results"].as_array().unwrap();
    assert_eq!(results[0]["title"], "Kitchen quote");
    assert_eq!(
        results[3]["title"], "Acme / posts / 2026-04-03T10:00:00Z",
        "when it was written, not when it was taken in"
    );
}

#[test]
fn a_record_has_one_title_in_search_and_in_its_document() {
    let provider = family();
    let sent = ("sent_at", "2026-04-03T10:00:00Z");
    let posts = [
        (&[("headline", "Tiles at last"), ("body", "tiles"), sent][..], "Tiles at last"),
        (&[("filename", "tiles.pdf"), ("body", "tiles"), sent], "tiles.pdf"),
        (&[("sender", "Ann"), ("body", "tiles"), sent], "Ann, 2026-04-03T10:00:00Z"),
        (&[("body", "tiles"), sent], "Acme / posts / 2026-04-03T10:00:00Z"),
        (&[("body", "tiles")], "Acme / posts / p4"),
    ];
    let ids = ["p0", "p1", "p2", "p3", "p4"];
    let made = ids.iter().zip(&posts).map(|(id, (fields, _))| {
        let display_name = Some("Acme".to_owned());
        pdpp_contract::record::Record { display_name, ..record("cin_acme", "posts", id, fields) }
    });
    *provider.records.lock().unwrap() = made.collect();
    let world = World::new(provider);
    let found = world.call("search", json!({"query": "tiles"}));
    for (hit, (_, title)) in data(&found)["results"].as_array().unwrap().iter().zip(posts) {
        let fetched = world.call("fetch", json!({"id": hit["id"]}));
        assert_eq!((&hit["title"], &data(&fetched)["title"]), (&json!(title), &json!(title)));
    }
}

#[test]
fn a_hit_opens_at_its_match() {
    let world = World::new(big(1, 60));
    let body = format!("{}unicorn{}", "pad ".repeat(5_000), " pad".repeat(5_000));
    world.provider.change("m00000", "body", &body);
    let answer = world.call("search", json!({"query": "unicorn"}));
    let field = &data(&answer)["content_ladder"]["records"][0]["fields"][0];
    assert_eq!(
        (&field["path"], &field["preview_status"]),
        (&json!("body"), &json!("snippet-only"))
    );
    assert_eq!(field["preview"], json!({"start_chars": 20_000, "end_chars": 20_007}));
    let window = world.call("read_record_field", field["read"]["arguments"].clone());
    assert!(data(&window)["window"]["text"].as_str().unwrap().contains("unicorn"));
    let row = answer.text.lines().find(|line| line.starts_with("1. ")).unwrap();
    assert!(row.contains(" body@20000-"), "{row}");
    let call = answer.text.rsplit("read_record_field ").next().unwrap().lines().next().unwrap();
    let arguments: Value = serde_json::from_str(call).unwrap();
    assert_eq!(arguments, field["read"]["arguments"], "the text gives the same call");
}

#[test]
fn a_partial_ranking_is_told() {
    let world = World::new(Provider { capped: true, ..big(5, 60) });
    let answer = world.call("search", json!({"query": "needle"}));
    assert!(answer.text.contains("recall=candidate_window:1000"), "{}", answer.text);
    assert_eq!(data(&answer)["data"]["meta"]["recall"]["complete"], false);
    let whole = World::new(big(5, 60)).call("search", json!({"query": "needle"}));
    assert!(!whole.text.contains("recall="));
}

#[test]
fn the_limit_is_global_and_defaults_to_ten() {
    let world = World::new(big(40, 60));
    let count = |arguments: Value| {
        data(&world.call("search", arguments))["results"].as_array().unwrap().len()
    };
    assert_eq!(count(json!({"query": "needle"})), 10);
    assert_eq!(count(json!({"query": "needle", "limit": 3})), 3);
}

#[test]
fn text_and_data_hold_the_same_hits_and_one_cursor_after_one_search() {
    for (limit, body) in [(10, 40), (10, 50_000), (16, 40), (3, 900)] {
        let world = World::new(Provider { cursor_per_hit: true, ..big(40, body) });
        let answer = world.call("search", json!({"query": "needle", "limit": limit}));
        let results = data(&answer)["results"].as_array().unwrap().iter();
        let ids: Vec<&str> = results.map(|hit| hit["id"].as_str().unwrap()).collect();
        assert_eq!(
            (ids.len(), shown_ids(&answer.text)),
            (limit, ids.iter().map(ToString::to_string).collect())
        );
        let cursor = data(&answer)["data"]["next_cursor"].as_str();
        assert_eq!(shown(&answer.text, "next_cursor").as_deref(), cursor);
        assert!(
            !answer.text.contains("continue_cursor") && !answer.text.contains("first_fetch_id")
        );
        let searches = world.provider.calls().iter().filter(|call| **call == "search").count();
        assert_eq!(searches, 1);
    }
}

#[test]
fn a_page_that_has_no_room_for_its_ids_is_smaller_and_is_searched_once() {
    let ask = |cursor_per_hit: bool| {
        let provider = Provider { cursor_per_hit, ..big(60, 40) };
        let long = |at: usize| format!("m{at:05}-{}", "k".repeat(150));
        for (at, record) in provider.records.lock().unwrap().iter_mut().enumerate() {
            record.id = long(at).parse().unwrap();
        }
        let world = World::new(provider);
        let answer = world.call("search", json!({"query": "needle", "limit": 50}));
        let searches = world.provider.calls().iter().filter(|call| **call == "search").count();
        (answer, searches)
    };
    let ((here, once), (elsewhere, more)) = (ask(true), ask(false));
    assert_eq!(once, 1);
    assert!(more > 1, "a provider elsewhere is asked for a smaller page");
    for answer in [&here, &elsewhere] {
        let page = &data(answer)["data"];
        let returned = page["data"].as_array().unwrap().len();
        assert!(returned < 50 && answer.text.len() <= 6_000, "{returned}, {}", answer.text.len());
        assert_eq!(shown_ids(&answer.text).len(), returned);
        let said = format!("page_reduced requested=50 returned={returned}");
        assert!(answer.text.contains(&said), "{}", answer.text);
        let next = format!("hits-{returned}|");
        assert_eq!(
            page["next_cursor"].as_str(),
            Some(next.as_str()),
            "the last row of either view"
        );
    }
}

#[test]
fn a_larger_limit_shows_at_least_as_many_readable_rows() {
    let mut before = 0;
    for limit in [1, 3, 5, 6, 8, 10, 15, 19] {
        let world = World::new(Provider { snippet_chars: 200, ..big(40, 900) });
        let answer = world.call("search", json!({"query": "needle", "limit": limit}));
        let most = if limit <= 5 { 1_800 } else { 1_800 + 300 * (limit - 5) };
        assert!(answer.text.len() <= most, "{limit}: {}", answer.text.len());
        let readable = answer.text.lines().filter(|line| line.contains(" body@")).count();
        assert!(readable >= before, "{limit}: {readable} after {before}");
        before = readable;
    }
    assert!(before >= 15, "{before}");
}

#[test]
fn huge_snippets_stay_bounded_and_balanced_and_every_hit_is_reached() {
    let world = World::new(Provider { snippet_chars: 60_000, ..big(100, 70_000) });
    let mut arguments = json!({"query": "needle", "limit": 100});
    let mut ids = Vec::new();
    loop {
        let answer = world.call("search", arguments.clone());
        assert!(answer.text.len() <= 6_000, "{} bytes", answer.text.len());
        assert!(wire_bytes(&answer) <= 49_152);
        assert_eq!(answer.text.matches("<mark>").count(), answer.text.matches("</mark>").count());
        for hit in data(&answer)["results"].as_array().unwrap() {
            let snippet = hit["snippet"].as_str().unwrap();
            assert!(snippet.chars().count() <= 240, "{}", snippet.chars().count());
            assert_eq!(snippet.matches("<mark>").count(), snippet.matches("</mark>").count());
        }
        ids.extend(shown_ids(&answer.text));
        match shown(&answer.text, "next_cursor") {
            Some(cursor) => arguments["cursor"] = json!(cursor),
            None => break,
        }
    }
    let expected: Vec<String> = (0..100).map(|at| format!("cin_work/messages:m{at:05}")).collect();
    assert_eq!(ids, expected);
}

#[test]
fn the_first_rows_of_a_long_page_can_be_read_and_the_others_are_found_by_source() {
    let mut provider = family();
    let ids = ["cin_01JZX4M8Q2R5T7V9W1Y3A5C7E9", "cin_01JZX4M8Q2R5T7V9W1Y3A5C7F0"];
    provider.sources = vec![
        source(ids[0], "gmail", Some("Work mail"), &["messages"]),
        source(ids[1], "gmail", Some("Home mail"), &["messages"]),
    ];
    provider.snippet_chars = 200;
    // As long as those of a store.
    provider.cursor_tail = "x".repeat(228);
    let body = format!("As said, the old needle {}", "goes on and on ".repeat(40));
    let letter = |at: usize| {
        let subject = format!("Letter number {at} about sewing machines and what they need");
        record(
            ids[at % 2],
            "messages",
            &format!("msg-{at:05}"),
            &[("subject", &subject), ("body", &body), ("sent_at", "2026-04-02T09:30:00Z")],
        )
    };
    *provider.records.lock().unwrap() = (0..30).map(letter).collect();
    let world = World::new(provider);
    let answer = world.call("search", json!({"query": "needle"}));
    assert!(answer.text.len() <= 1_800, "{}", answer.text.len());
    let rows: Vec<&str> = answer.text.lines().filter(|line| line.contains(". id=")).collect();
    assert_eq!(rows.len(), 10, "{}", answer.text);
    let readable = rows.iter().take_while(|row| row.contains(" body@")).count();
    assert!(readable >= 2, "{}", answer.text);
    for row in &rows[..readable] {
        let label = if row.contains(ids[0]) { "\"Work mail\"" } else { "\"Home mail\"" };
        for part in [label, " gmail ", " 2026-04-02 ", " title=\"Letter numb", " body@17-"] {
            assert!(row.contains(part), "{part}: {row}");
        }
        let passage = row.split_once(" body@").unwrap().1;
        assert!(passage.contains("=\"needle goes on and on") && passage.len() > 160, "{row}");
    }
    for heading in ["gmail \"Work mail\":", "gmail \"Home mail\":"] {
        assert_eq!(answer.text.lines().filter(|line| *line == heading).count(), 1, "{heading}");
    }
}

#[test]
fn a_field_that_its_snippet_shows_whole_needs_no_way_on() {
    let provider = family();
    let post = |id: &str, body: &str| record("cin_acme", "posts", id, &[("body", body)]);
    *provider.records.lock().unwrap() = vec![post("p1", "tiles"), post("p2", "the tiles came")];
    let answer = World::new(provider).call("search", json!({"query": "tiles"}));
    assert_eq!(data(&answer)["results"].as_array().unwrap().len(), 2);
    let rungs = data(&answer)["content_ladder"]["records"].as_array().unwrap();
    assert_eq!((rungs.len(), &rungs[0]["record_id"]), (1, &json!("p2")), "the other is complete");
    let uris: Vec<&str> = answer.links.iter().map(|link| link.uri.as_str()).collect();
    assert_eq!(uris.iter().filter(|uri| uri.starts_with("pdpp://record/")).count(), 2, "{uris:?}");
    assert_eq!(uris.len(), 3, "both records, and the field that is cut: {uris:?}");
    assert!(answer.text.contains("read_record_field {\"id\":\"cin_acme/posts:p2\""));
}
