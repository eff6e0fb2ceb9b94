//! What the demo and its tour rely on: keys that agree with the data, the stories, and the hard cases.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{CONNECTIONS, DemoConnection};

fn parsed(connection: &DemoConnection) -> Vec<Value> {
    connection.lines().map(|line| serde_json::from_str(&line).unwrap()).collect()
}

fn declared_streams(connection: &DemoConnection) -> Vec<Value> {
    let declaration: Value = serde_json::from_str(connection.declaration).unwrap_or_default();
    declaration["streams"].as_array().cloned().unwrap_or_default()
}

fn of(name: &str) -> Vec<Value> {
    CONNECTIONS.iter().filter(|one| one.name == name).flat_map(parsed).collect()
}

fn all_text(name: &str) -> String {
    let mine = CONNECTIONS.iter().filter(|one| one.name == name);
    mine.flat_map(DemoConnection::lines).collect::<Vec<_>>().join("\n")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn as_key_part(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[test]
fn two_calls_are_equal() {
    for connection in CONNECTIONS {
        assert!(connection.lines().eq(connection.lines()), "{}", connection.name);
    }
}

#[test]
fn every_stream_is_declared_and_every_busy_stream_is_busy() {
    let mut total = 0;
    for connection in CONNECTIONS {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for record in parsed(connection) {
            *counts.entry(as_key_part(&record["stream"])).or_default() += 1;
            total += 1;
        }
        let streams = declared_streams(connection);
        let declared: Vec<String> = streams.iter().map(|one| as_key_part(&one["name"])).collect();
        assert_eq!(counts.len(), declared.len(), "{}", connection.name);
        assert!(counts.keys().all(|stream| declared.contains(stream)), "{}", connection.name);
        assert!(counts.values().any(|count| *count >= 40), "{}: {counts:?}", connection.name);
    }
    assert!((600..=1_200).contains(&total), "{total}");
}

#[test]
fn keys_agree_with_the_data_and_are_never_repeated() {
    for connection in CONNECTIONS {
        let streams = declared_streams(connection);
        let mut seen = BTreeSet::new();
        for record in parsed(connection) {
            let stream = streams.iter().find(|one| one["name"] == record["stream"]);
            let stream = stream.cloned().unwrap_or_default();
            let data = &record["data"];
            let field = |name: &Value| data[name.as_str().unwrap_or_default()].clone();
            let from_data: Vec<String> =
                list(&stream["primary_key"]).map(|name| as_key_part(&field(name))).collect();
            let key: Vec<String> = match &record["key"] {
                Value::Array(parts) => parts.iter().map(as_key_part).collect(),
                one => vec![as_key_part(one)],
            };
            assert_eq!(key, from_data, "{}", connection.name);
            assert!(key.iter().map(String::len).sum::<usize>() < 512, "{key:?}");
            assert!(record["emitted_at"].is_string() && record["type"] == "RECORD", "{key:?}");
            let missing = list(&stream["schema"]["required"]).find(|name| field(name).is_null());
            assert_eq!(missing, None, "{key:?}");
            assert!(seen.insert((record["stream"].to_string(), key)), "{}", connection.name);
        }
        assert!(!seen.is_empty(), "{}", connection.name);
    }
}

#[test]
fn the_boiler_has_a_date_and_a_price_in_several_sources() {
    for name in ["personal-mail", "notes"] {
        let text = all_text(name);
        assert!(text.contains("58,900 SEK") && text.contains("19 November"), "{name}");
    }
    assert!(all_text("calendar").contains("\"starts_at\":\"2026-11-19T08:00:00+01:00\""));
}

#[test]
fn the_transcript_hides_one_sentence_near_its_end() {
    let notes = of("notes");
    let bodies = notes.iter().filter_map(|note| note["data"]["body"].as_str());
    let body = bodies.max_by_key(|body| body.len()).unwrap_or_default();
    assert!(body.chars().count() > 2_000_000);
    let parts: Vec<&str> = body.split("the spare key to the Harbor demo rig").collect();
    let before = parts.first().map_or(0, |text| text.chars().count());
    assert_eq!(parts.len(), 2);
    assert!((1_900_000..1_901_000).contains(&before), "{before}");
}

#[test]
fn hard_cases_are_present_as_written() {
    let orders = all_text("shop-orders");
    assert!(orders.contains("\"tracking_number\":73500184420013570246"));
    assert!(orders.contains("\"total\":1298.00,\"refunded\":1298.00"));
    assert!(orders.contains("\"key\":[\"KK-20418\",\"1\"]"));
    let personal = all_text("personal-mail");
    for part in
        ["ignore previous instructions", "engångskod", "شكرًا", "cafe\u{301}", "reset?token="]
    {
        assert!(personal.contains(part), "{part}");
    }
    let undated =
        |one: &&Value| one["stream"] == "messages" && one["data"].get("sent_at").is_none();
    assert_eq!(of("personal-mail").iter().filter(undated).count(), 1);
    let work = all_text("work-mail");
    for part in ["<mark>changes</mark>", "潮見浜港", "+09:00", "-05:00", "blob_sha256_"] {
        assert!(work.contains(part), "{part}");
    }
    let notes = all_text("notes");
    for key in ["projects/loft/insulation.md", "recipes/🍝 fresh pasta.md"] {
        assert!(notes.contains(&format!("\"key\":\"{key}\"")), "{key}");
    }
}
