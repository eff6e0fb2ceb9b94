//! `schema` of a stream: detail that a reader of text can turn into calls.

use std::collections::BTreeSet;

use pdpp_contract::expand::ExpandCapability;
use serde_json::{Value, json};

use crate::world::{Provider, World, data, family, source, wire_bytes};

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

fn relation(name: &str) -> ExpandCapability {
    let relation = json!({
        "name": name, "stream": "files", "cardinality": "has_many",
        "foreign_key": "message_id", "default_limit": 5, "max_limit": 50,
    });
    serde_json::from_value(relation).unwrap()
}

#[test]
fn a_stream_of_long_names_in_many_connections_stays_small_in_both_views() {
    let mut provider = family();
    let long = "a_very_long_name_".repeat(7);
    provider.sources = (0..9)
        .map(|at| source(&format!("cin_{at:026}"), "gmail", Some(&"ö".repeat(80)), &["messages"]))
        .collect();
    provider.relations = (0..40).map(|at| relation(&format!("{long}{at:03}"))).collect();
    for at in 0..40 {
        let can = provider.fields["sent_at"].clone();
        provider.fields.insert(format!("{long}{at:03}").parse().unwrap(), can);
    }
    let world = World::new(provider);
    let mut relations = 0;
    for (detail, view, all) in [("compact", 6_000, 60_000), ("full", 48_000, 48_000)] {
        let mut arguments = json!({"stream": "messages", "detail": detail});
        if detail == "full" {
            arguments["connection_id"] = json!("cin_00000000000000000000000003");
        }
        let (mut fields, mut connections, mut named) = (0, 0, 0);
        loop {
            let answer = world.call("schema", arguments.clone());
            let structured = data(&answer).to_string().len();
            assert!(answer.text.len() <= view, "{detail}: {} bytes of text", answer.text.len());
            assert!(structured <= view, "{detail}: {structured} bytes of data");
            assert!(wire_bytes(&answer) <= all, "{detail}: {} bytes", wire_bytes(&answer));
            let row = &data(&answer)["data"]["connectors"][0]["streams"][0];
            fields += row["field_capabilities"].as_object().unwrap().len();
            connections += row["granted_connections"].as_array().unwrap().len();
            named += answer.text.matches("  connection_id=cin_").count();
            if let Some(shown) = row["expand_capabilities"].as_array() {
                assert_eq!(row["expand_capability_count"], 40);
                let said = answer.text.contains("more, see detail \"full\"");
                assert_eq!(said, shown.len() < 40, "{}", shown.len());
                relations = relations.max(shown.len());
            }
            match data(&answer)["data"]["next_cursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => break,
            }
        }
        let all = if detail == "full" { (1, 0) } else { (9, 1) };
        assert_eq!((fields, (connections, named)), (45, all), "{detail}");
    }
    assert!(relations > 10, "{relations}");
}

#[test]
fn text_alone_is_enough_to_write_the_next_call() {
    let world = World::new(Provider { relations: vec![relation("attachments")], ..family() });
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
        "expand: attachments (many of files, at most 50)",
        "\"expand\":[\"attachments\"]",
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
    assert_eq!(called, 4, "a list, a count, a search, related records");
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
fn a_source_that_begins_on_a_later_page_is_described_there() {
    let mut provider = family();
    provider.sources.push(source("cin_other", "imap", Some("Old mail"), &["messages"]));
    for at in 0..60 {
        let name = format!("field_number_{at:03}");
        provider.fields.insert(name.parse().unwrap(), provider.fields["sender"].clone());
    }
    let world = World::new(provider);
    let mut arguments = json!({"stream": "messages"});
    let (mut text, mut described) = (String::new(), 0);
    loop {
        let answer = world.call("schema", arguments.clone());
        text.push_str(&answer.text);
        for connector in data(&answer)["data"]["connectors"].as_array().unwrap() {
            described += usize::from(connector["streams"][0]["description"].is_string());
        }
        match data(&answer)["data"]["next_cursor"].as_str() {
            Some(cursor) => arguments["cursor"] = json!(cursor),
            None => break,
        }
    }
    assert_eq!((text.matches("always_returned: id").count(), described), (2, 2), "{text}");
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
        assert!(wire_bytes(&answer) <= 48_000, "{}", wire_bytes(&answer));
        let document = &data(&answer)["data"];
        assert_eq!(document.get("data"), None, "the document is not wrapped twice");
        assert_eq!(document.get("streams"), None, "streams stand under their connector only");
        let row = &document["connectors"][0]["streams"][0];
        for (name, property) in row["schema"]["properties"].as_object().unwrap() {
            assert_eq!(property["type"], "string");
            seen.insert(name.clone());
        }
        let schema = &row["schema"];
        let has_id = schema["properties"].get("id").is_some();
        assert_eq!(schema["required"], if has_id { json!(["id"]) } else { json!([]) });
        if arguments.get("cursor").is_none() {
            assert_eq!(schema["$defs"]["address"]["minLength"], 3, "what properties refer to");
            assert!(answer.text.contains("$defs: {\"address\""), "{}", &answer.text[..400]);
        }
        match document["next_cursor"].as_str() {
            Some(cursor) => {
                assert!(answer.text.contains("they are: "), "{}", &answer.text[..400]);
                let more = document["more_fields"].as_array().unwrap();
                assert!(
                    !more.is_empty()
                        && more.iter().all(|name| !seen.contains(name.as_str().unwrap()))
                );
                assert_eq!(document["more_field_count"], 505 - seen.len());
                arguments["cursor"] = json!(cursor);
            }
            None => break,
        }
    }
    assert_eq!(seen.len(), 505);
}
