//! The structure of a declaration: closed at every level, and every departure has its place.

use serde_json::{Map, Value, json};

use crate::edit::{FULL, cases, faults, full, places, set, with, without};

const CODE: &str = "invalid_structure";

fn assert_refused(document: &Value, paths: &[&str]) {
    let expected: Vec<(String, String)> =
        paths.iter().map(|path| (CODE.to_owned(), (*path).to_owned())).collect();
    assert_eq!(places(document), expected);
}

/// Every object of the sample whose members we own.
const CLOSED: [&str; 17] = [
    "",
    "/source",
    "/publisher",
    "/display",
    "/selection_presets/0",
    "/selection_presets/0/streams/0",
    "/streams/0",
    "/streams/0/selection",
    "/streams/0/display",
    "/streams/0/views/0",
    "/streams/0/relationships/0",
    "/streams/0/query",
    "/streams/0/query/expand/0",
    "/streams/0/query/search",
    "/streams/0/query/aggregations",
    "/streams/1",
    "/streams/2/selection",
];

#[test]
fn an_unknown_member_is_refused_at_every_level() {
    for level in CLOSED {
        assert_refused(&with(&format!("{level}/x~1y"), json!(1)), &[&format!("{level}/x~1y")]);
    }
    let mut everywhere = full();
    for level in CLOSED {
        set(&mut everywhere, &format!("{level}/surprise"), json!(1));
    }
    assert_eq!(places(&everywhere).len(), CLOSED.len());
}

#[test]
fn a_missing_member_is_named_as_if_it_were_there() {
    for member in [
        "/protocol_version",
        "/source",
        "/source/kind",
        "/source/id",
        "/declaration_version",
        "/publisher",
        "/publisher/id",
        "/display",
        "/display/name",
        "/streams",
        "/selection_presets/0/id",
        "/selection_presets/0/label",
        "/selection_presets/0/streams",
        "/selection_presets/0/streams/0/name",
        "/streams/0/name",
        "/streams/0/semantics",
        "/streams/0/schema",
        "/streams/0/schema/properties",
        "/streams/0/primary_key",
        "/streams/0/selection",
        "/streams/0/selection/fields",
        "/streams/0/selection/resources",
        "/streams/0/views/0/id",
        "/streams/0/views/0/label",
        "/streams/0/views/0/fields",
        "/streams/0/relationships/0/name",
        "/streams/0/relationships/0/stream",
        "/streams/0/relationships/0/foreign_key",
        "/streams/0/relationships/0/cardinality",
        "/streams/0/query/expand/0/name",
    ] {
        let expected = (CODE.to_owned(), member.to_owned(), "missing member".to_owned());
        assert_eq!(faults(&without(member).to_string()), [expected]);
    }
}

#[test]
fn null_stands_nowhere_in_a_closed_level() {
    for level in CLOSED {
        let members = full().pointer(level).unwrap().as_object().unwrap().clone();
        for name in members.keys() {
            let place = format!("{level}/{name}");
            assert_refused(&with(&place, Value::Null), &[&place]);
        }
    }
}

#[test]
fn a_value_outside_its_rule_is_refused_in_place() {
    for case in cases(include_str!("values.json")) {
        let path = case.path.as_deref().unwrap_or(&case.set);
        assert_refused(&with(&case.set, case.value), &[path]);
    }
    for name in ["/streams/0/name", "/streams/0/cursor_field", "/streams/0/views/0/id"] {
        assert_refused(&with(name, json!("n".repeat(129))), &[name]);
    }
}

#[test]
fn a_repeated_member_is_refused_at_every_level() {
    let cases = [
        (r#""protocol_version": "0.1.0","#, "/protocol_version"),
        (r#""kind": "connector","#, "/source/kind"),
        (r#""semantics": "append_only","#, "/streams/1/semantics"),
        (r#""total": ["gte", "lt"],"#, "/streams/0/query/range_filters/total"),
        (r#""note": { "type": ["null", "string"] },"#, "/streams/0/schema/properties/note"),
        (r##""hex": "#ff0000""##, "/extensions/https:~1~1registry.example~1ext~1colour/hex"),
    ];
    for (member, path) in cases {
        let twice = format!("{}, {member}", member.trim_end_matches(','));
        let text = FULL.replacen(member, &twice, 1);
        assert_ne!(text, FULL, "{member} is not in the sample");
        let expected =
            (CODE.to_owned(), path.to_owned(), "the object has this member twice".to_owned());
        assert_eq!(faults(&text), [expected]);
    }
}

#[test]
fn limits_hold_on_both_sides() {
    let streams = |count: usize| {
        let stream = |index: usize| {
            let mut stream = full()["streams"][2].clone();
            stream["name"] = json!(format!("s{index}"));
            stream
        };
        let mut document = without("/selection_presets");
        document["streams"] = (0..count).map(stream).collect();
        document
    };
    assert_refused(&streams(1_000), &[]);
    assert_refused(&streams(1_001), &["/streams"]);

    let fields = |count: usize| {
        let field = |index: usize| (format!("f{index}"), json!({ "type": "string" }));
        let mut fields: Map<String, Value> = (1..count).map(field).collect();
        fields.insert("id".to_owned(), json!({ "type": "string" }));
        with("/streams/2/schema/properties", Value::Object(fields))
    };
    assert_refused(&fields(1_000), &[]);
    assert_refused(&fields(1_001), &["/streams/2/schema/properties"]);

    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert_refused(&with("/extensions/urn:x", nested(98)), &[]);
    let path = format!("/extensions/urn:x{}", "/0".repeat(99));
    assert_refused(&with("/extensions/urn:x", nested(99)), &[&path]);
}

#[test]
fn what_is_not_a_json_object_is_refused_as_a_whole() {
    for text in ["", "{", "[]", "null", "1", "\"text\"", "{} {}", &"[".repeat(200)] {
        let found = faults(text);
        let first = found.first().map(|(code, path, _)| (code.as_str(), path.as_str()));
        assert_eq!(first, Some((CODE, "")), "{text:?}");
    }
    let found = faults("{\n  \"secret\": hunter2 }");
    assert_eq!(found[0].2, "not JSON: line 2 column 13");
}

#[test]
fn a_hostile_document_gets_a_bounded_answer() {
    let members = (0..5_000).map(|index| format!("\"m{index}\":0"));
    let text = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
    assert_eq!(faults(&text).len(), pdpp_contract::declaration::MAX_FAULTS);
}
