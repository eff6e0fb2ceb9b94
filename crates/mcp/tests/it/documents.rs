//! `fetch`: five members, mirrored, bounded, projected before anything is rendered.

use pdpp_contract::Json;
use serde_json::{Value, json};

use crate::world::{Provider, World, data, family, record};

fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn a_document_has_exactly_five_members_and_its_text_mirrors_it() {
    let world = World::new(family());
    for id in ["cin_work/messages:m1", "cin_work/messages:m2"] {
        let answer = world.call("fetch", json!({"id": id}));
        assert_eq!(keys(data(&answer)), ["id", "title", "text", "url", "metadata"]);
        let mirror: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(&mirror, data(&answer));
        assert_eq!(data(&answer)["id"], id);
        assert_eq!(data(&answer)["metadata"]["connection_id"], "cin_work");
    }
}

#[test]
fn a_projected_document_holds_nothing_else() {
    let world = World::new(family());
    let answer = world.call("fetch", json!({"id": "cin_work/messages:m1", "fields": ["sender"]}));
    let document = data(&answer);
    assert_eq!(document["text"], "sender: anna@example.org");
    assert_eq!(
        document["title"], "Work mail / messages / m1",
        "the title is not taken from a hidden subject"
    );
    for hidden in ["Kitchen", "kitchen", "2026-04-02", "emitted_at"] {
        assert!(!answer.text.contains(hidden), "{hidden}: {}", answer.text);
    }
    let long = world.call("fetch", json!({"id": "cin_work/messages:m2", "fields": ["subject"]}));
    assert!(!long.text.contains("content_ladder") && long.links.is_empty(), "{}", long.text);
}

#[test]
fn long_text_is_cut_with_a_call_that_goes_on_exactly_there() {
    let world = World::new(family());
    let body: String = (0..40_000).map(|at| char::from_digit(at % 10, 10).unwrap()).collect();
    world.provider.change("m2", "body", &body);
    let answer = world.call("fetch", json!({"id": "cin_work/messages:m2"}));
    let document = data(&answer);
    let text = document["text"].as_str().unwrap();
    assert!(text.chars().count() <= 16_384);
    let field = &document["metadata"]["content_ladder"]["records"][0]["fields"][0];
    let shown = usize::try_from(field["preview"]["end_chars"].as_u64().unwrap()).unwrap();
    assert!(shown > 15_000, "{shown}");
    assert!(text.contains(&body[..shown]) && !text.contains(&body[..=shown]));
    let rest = world.call("read_record_field", field["read"]["arguments"].clone());
    assert_eq!(data(&rest)["window"]["text"].as_str().unwrap(), &body[shown..shown + 4_096]);
    let uris: Vec<&str> = answer.links.iter().map(|link| link.uri.as_str()).collect();
    assert!(uris[1].starts_with("pdpp://record/") && uris.len() == 2, "{uris:?}");
    assert_eq!(json!(uris[0]), field["resource_uri"]);
    let quiet = World::without_links(family());
    quiet.provider.change("m2", "body", &body);
    let answer = quiet.call("fetch", json!({"id": "cin_work/messages:m2"}));
    assert!(answer.links.is_empty());
    assert!(answer.text.contains("resource_uri"), "the address stays in the ladder");
    assert!(data(&answer)["url"].as_str().unwrap().starts_with("pdpp://record/"));
}

#[test]
fn a_wide_record_lists_what_it_could_not_show() {
    let provider = family();
    let mut wide = record("cin_work", "messages", "w", &[]);
    for at in 0..300 {
        let name = format!("field_{at:03}");
        wide.data.as_mut().unwrap().insert(name, Json::String("many words here. ".repeat(120)));
    }
    provider.records.lock().unwrap().push(wide);
    let world = World::new(provider);
    let answer = world.call("fetch", json!({"id": "cin_work/messages:w"}));
    let metadata = &data(&answer)["metadata"];
    assert!(metadata.to_string().len() <= 16_384, "{}", metadata.to_string().len());
    assert!(data(&answer)["text"].as_str().unwrap().chars().count() <= 16_384);
    let ladder = metadata["content_ladder"]["records"][0]["fields"].as_array().unwrap().len();
    let more = metadata["more_field_count"].as_u64().unwrap();
    assert!(ladder > 5 && more > 200, "{ladder} {more}");
    assert!(metadata["more_fields"].as_array().unwrap().len() as u64 <= more);
}

#[test]
fn binary_fields_are_told_and_never_inlined() {
    let provider = family();
    let mut mail = record("cin_work", "messages", "b", &[("subject", "Photo")]);
    let blob = format!(
        "{{\"blob_id\":\"blob_sha256_{}\",\"mime_type\":\"image/png\",\"size_bytes\":123456,\"sha256\":\"{}\"}}",
        "ab".repeat(32),
        "ab".repeat(32)
    );
    let encoded = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB9k".repeat(60);
    mail.data.as_mut().unwrap().insert("blob_ref".to_owned(), Json::parse(&blob).unwrap());
    mail.data.as_mut().unwrap().insert("thumb".to_owned(), Json::String(encoded.clone()));
    provider.records.lock().unwrap().push(mail);
    let world = World::new(provider);
    let fetched = world.call("fetch", json!({"id": "cin_work/messages:b"}));
    let listed =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    for answer in [&fetched, &listed] {
        let all = format!("{}{}", answer.text, data(answer));
        assert!(!all.contains(&encoded[..100]), "{all}");
        assert!(all.contains("binary-only") && all.contains("image/png"), "{all}");
    }
    let ladder = &data(&fetched)["metadata"]["content_ladder"]["records"][0]["fields"];
    let blob = ladder.as_array().unwrap().iter().find(|field| field["path"] == "blob_ref").unwrap();
    assert_eq!(
        (&blob["text_like"], &blob["size_bytes"], &blob["mime_type"]),
        (&json!(false), &json!(123_456), &json!("image/png"))
    );
    assert_eq!(blob["digest"], format!("sha256:{}", "ab".repeat(32)));
    assert!(blob["resource_uri"].as_str().unwrap().starts_with("pdpp://field-window/"));
}

#[test]
fn a_provider_without_windows_is_never_asked_for_the_whole_instead() {
    let world = World::new(Provider { without_windows: true, ..family() });
    let refusal = world
        .refused("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    assert_eq!(
        (&refusal["code"], &refusal["status"]),
        (&json!("field_window_unsupported"), &json!(501))
    );
    assert_eq!(world.provider.calls(), ["field_window"], "nothing else was read");
}

#[test]
fn numbers_keep_their_value() {
    let provider = family();
    let mut order = record("cin_work", "messages", "n", &[]);
    let numbers = [
        ("a", "12345678901234567890123", json!("12345678901234567890123")),
        ("b", "1.10", json!(1.1)),
        ("c", "42", json!(42)),
        ("d", "9007199254740993", json!("9007199254740993")),
        ("e", "-9007199254740992", json!(-9_007_199_254_740_992_i64)),
        ("f", "-9007199254740993", json!("-9007199254740993")),
        ("g", "9007199254740993.0", json!("9007199254740993.0")),
        ("h", "0.1234567890123456", json!(0.123_456_789_012_345_6)),
        ("i", "0.12345678901234567890", json!("0.12345678901234567890")),
        ("j", "1.5e300", json!(1.5e300)),
        ("k", "1e400", json!("1e400")),
        ("l", "1.2345678e-320", json!("1.2345678e-320")),
        ("m", "-0.50", json!(-0.5)),
        ("n", "0.000e7", json!(0.0)),
    ];
    for (name, number, _) in &numbers {
        let written = Json::Number((*number).to_owned());
        order.data.as_mut().unwrap().insert((*name).to_owned(), written);
    }
    *provider.records.lock().unwrap() = vec![order];
    let world = World::new(provider);
    let answer =
        world.call("query_records", json!({"stream": "messages", "connection_id": "cin_work"}));
    let shown = &data(&answer)["data"]["data"][0]["data"];
    for (name, number, expected) in &numbers {
        assert_eq!(&shown[name], expected, "{number}");
    }
    assert!(answer.text.contains("a=12345678901234567890123 b=1.10 c=42"), "{}", answer.text);
}

#[test]
fn short_values_are_verbatim_too() {
    let provider = family();
    let fields = [("subject", "emoji 🎙️  two  spaces"), ("sender", "a\u{202e}b"), ("body", "")];
    *provider.records.lock().unwrap() = vec![record("cin_work", "messages", "v", &fields)];
    let world = World::new(provider);
    let arguments = json!({"id": "cin_work/messages:v", "fields": ["subject", "sender"]});
    let answer = world.call("fetch", arguments);
    let expected = "subject: emoji 🎙️  two  spaces\n\nsender:\na\u{202e}b";
    assert_eq!(data(&answer)["text"], expected, "what is unsafe in a line gets its own section");
}
