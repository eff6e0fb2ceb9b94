//! `schema` without a stream: an index that names everything.

use std::collections::BTreeSet;

use serde_json::json;

use crate::world::{Provider, World, data, family, source, wire_bytes};

fn grant(connections: usize, streams: usize, distinct: usize) -> Provider {
    of_kinds(25, connections, streams, distinct)
}

fn of_kinds(kinds: usize, connections: usize, streams: usize, distinct: usize) -> Provider {
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
        let connector = format!("kind{}", at % kinds);
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
        assert!(wire_bytes(&answer) <= 49_152, "{}", wire_bytes(&answer));
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
fn a_thousand_kinds_of_source_continue_by_cursor() {
    let provider = of_kinds(1_000, 1_000, 1, 1_000);
    let expected = expected(&provider);
    let (names, sizes, connections) = index(&World::new(provider));
    assert_eq!((names, connections), (expected, 1_000));
    assert!(sizes.len() > 1, "{sizes:?}");
}

#[test]
fn long_names_and_labels_stay_within_the_budget() {
    let mut provider = grant(300, 0, 1);
    for (at, source) in provider.sources.iter_mut().enumerate() {
        let name = format!("{}_{at:03}", "a_long_name_".repeat(10));
        source.streams.push(name.parse().unwrap());
        source.connection.display_name = Some(format!("\"{at}\" \\ {}", "\"é ".repeat(60)));
    }
    let expected = expected(&provider);
    let (names, _, connections) = index(&World::new(provider));
    assert_eq!((names, connections), (expected, 300));
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
