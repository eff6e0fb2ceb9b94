//! `schema`: an index that names everything, and detail that a reader of text can use.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::world::{Provider, World, data, family, source, wire_bytes};

fn grant(connections: usize, streams: usize, distinct: usize) -> Provider {
    let mut next = 0;
    let mut sources = Vec::new();
    for at in 0..connections {
        let names: Vec<String> = (0..streams)
            .map(|_| {
                next += 1;
                format!("stream_{:03}", next % distinct)
            })
            .collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let connector = format!("kind{}", at % 25);
        sources.push(source(
            &format!("cin_{at:06}"),
            &connector,
            Some(&format!("Account {at}")),
            &names,
        ));
    }
    Provider { sources, ..family() }
}

/// Reads the whole index, and every stream name that its text shows.
fn index(world: &World) -> (BTreeSet<(String, String)>, Vec<usize>, usize) {
    let (mut names, mut sizes, mut connections) = (BTreeSet::new(), Vec::new(), 0);
    let mut arguments = json!({});
    loop {
        let answer = world.call("schema", arguments.clone());
        assert!(answer.text.len() <= 18_000, "{} bytes of text", answer.text.len());
        assert!(data(&answer).to_string().len() <= 60_000);
        assert!(wire_bytes(&answer) <= 49_152 + 512, "{}", wire_bytes(&answer));
        sizes.push(wire_bytes(&answer));
        for connector in data(&answer)["data"]["connectors"].as_array().unwrap() {
            let key = connector["connector_key"].as_str().unwrap();
            connections += connector["granted_connections"].as_array().unwrap().len();
            for stream in connector["streams"].as_array().unwrap() {
                let name = stream["name"].as_str().unwrap();
                let line =
                    answer.text.lines().find(|line| line.starts_with(&format!("{key}: "))).unwrap();
                let shown: Vec<&str> = line[key.len() + 2..]
                    .split(", ")
                    .map(|part| part.split(' ').next().unwrap())
                    .collect();
                assert!(shown.contains(&name), "{name} is not in the text");
                names.insert((key.to_owned(), name.to_owned()));
            }
        }
        match data(&answer)["data"]["next_cursor"].as_str() {
            Some(cursor) => {
                assert!(answer.text.contains(cursor), "both views give the cursor");
                arguments = json!({"cursor": cursor});
            }
            None => return (names, sizes, connections),
        }
    }
}

fn expected(provider: &Provider) -> BTreeSet<(String, String)> {
    let rows = provider.sources.iter().flat_map(|source| {
        source
            .streams
            .iter()
            .map(|stream| (source.connection.connector_key.to_string(), stream.to_string()))
    });
    rows.collect()
}

#[test]
fn a_grant_of_25_by_40_fits_one_result() {
    let provider = grant(25, 40, 1_000);
    let expected = expected(&provider);
    let (names, sizes, connections) = index(&World::new(provider));
    assert_eq!(names, expected);
    assert_eq!((sizes.len(), connections), (1, 25), "{sizes:?}");
}

#[test]
fn ten_thousand_rows_in_a_thousand_connections_continue_by_cursor() {
    let provider = grant(1_000, 10, 1_000);
    let expected = expected(&provider);
    let (names, sizes, connections) = index(&World::new(provider));
    assert_eq!(names, expected);
    assert_eq!(connections, 1_000);
    assert!(sizes.len() > 1);
}

#[test]
fn one_stream_of_forty_fields_stays_small_and_wider_ones_continue() {
    for (count, pages) in [(40, 1), (400, 2)] {
        let mut provider = family();
        for at in 0..count - 5 {
            let name = format!("field_number_{at:03}");
            provider.fields.insert(name.parse().unwrap(), provider.fields["sender"].clone());
        }
        let world = World::new(provider);
        let mut arguments = json!({"stream": "messages", "connection_id": "cin_work"});
        let (mut seen, mut rounds) = (BTreeSet::new(), 0);
        loop {
            let answer = world.call("schema", arguments.clone());
            assert!(answer.text.len() <= 6_000, "{} bytes of text", answer.text.len());
            let structured = data(&answer).to_string().len();
            assert!(structured <= 6_000, "{structured} bytes of data");
            rounds += 1;
            let row = &data(&answer)["data"]["connectors"][0]["streams"][0];
            for name in row["field_capabilities"].as_object().unwrap().keys() {
                assert!(answer.text.contains(&format!("  {name}: ")), "{name} is not in the text");
                seen.insert(name.clone());
            }
            match data(&answer)["data"]["next_cursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => break,
            }
        }
        assert_eq!(seen.len(), count);
        assert!(rounds >= pages, "{rounds}");
    }
}

#[test]
fn text_alone_is_enough_to_write_the_next_call() {
    let world = World::new(family());
    let answer = world.call("schema", json!({"stream": "messages", "connection_id": "cin_work"}));
    for words in [
        "connection_id=cin_work",
        "connector_key=gmail",
        "stream=messages",
        "\"Work mail\"",
        "always_returned: id",
        "sort: sent_at",
        "count: exact",
        "search: lexical",
        "expand: none",
        "aggregate: count",
        "sent_at: date-time, filter, range(gte,lt), sort, aggregate(group_by_time)",
    ] {
        assert!(answer.text.contains(words), "{words}: {}", answer.text);
    }
    assert!(!answer.text.contains("cin_home"), "only the chosen connection");
    let examples = answer.text.lines().filter_map(|line| line.strip_prefix("example: "));
    let mut called = 0;
    for example in examples {
        let (tool, arguments) = example.split_once(' ').unwrap();
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let answer = world.call(tool, arguments);
        assert!(!answer.is_error(), "{example}: {}", answer.text);
        called += 1;
    }
    assert_eq!(called, 3);
}

#[test]
fn a_shared_name_is_described_for_each_source() {
    let mut provider = family();
    provider.sources.push(source("cin_other", "imap", Some("Old mail"), &["messages"]));
    let world = World::new(provider);
    let answer = world.call("schema", json!({"stream": "messages"}));
    for id in ["cin_work", "cin_home", "cin_other"] {
        assert!(answer.text.contains(id), "{id}");
    }
    assert_eq!(answer.text.matches("sent_at: date-time").count(), 2, "once per kind of source");
}

#[test]
fn full_detail_is_bounded_and_names_what_follows() {
    let mut provider = family();
    for at in 0..500 {
        let name = format!("field_number_{at:03}");
        provider.fields.insert(name.parse().unwrap(), provider.fields["sender"].clone());
        provider
            .properties
            .insert(name, json!({"type": "string", "description": "words ".repeat(30)}));
    }
    let world = World::new(provider);
    let mut arguments =
        json!({"stream": "messages", "connection_id": "cin_work", "detail": "full"});
    let mut seen = BTreeSet::new();
    loop {
        let answer = world.call("schema", arguments.clone());
        assert!(wire_bytes(&answer) <= 49_152 + 4_096, "{}", wire_bytes(&answer));
        assert!(data(&answer).to_string().len() <= 48_000);
        let document = &data(&answer)["data"];
        assert_eq!(document.get("data"), None, "the document is not wrapped twice");
        assert_eq!(document.get("streams"), None, "streams stand under their connector only");
        let row = &document["connectors"][0]["streams"][0];
        for (name, property) in row["schema"]["properties"].as_object().unwrap() {
            assert_eq!(property["type"], "string");
            seen.insert(name.clone());
        }
        match document["next_cursor"].as_str() {
            Some(cursor) => {
                assert!(answer.text.contains("they are: "), "{}", &answer.text[..400]);
                arguments["cursor"] = json!(cursor);
            }
            None => break,
        }
    }
    assert_eq!(seen.len(), 505);
}

#[test]
fn a_cursor_of_another_question_is_refused() {
    let world = World::new(grant(1_000, 10, 1_000));
    let answer = world.call("schema", json!({}));
    let cursor = data(&answer)["data"]["next_cursor"].clone();
    let refusal = world.refused("schema", json!({"stream": "stream_001", "cursor": cursor}));
    assert_eq!(refusal["code"], "invalid_cursor");
    assert_eq!(world.refused("schema", json!({"cursor": "junk"}))["code"], "invalid_cursor");
}
