//! How many typed fields a new declaration may have.

use pdpp_contract::SourceDeclaration;
use pdpp_contract::declaration::MAX_TYPED_FIELDS;
use serde_json::{Map, Value, json};

use crate::edit::{MINIMAL, set};

/// A declaration with one stream that groups by this many fields.
fn grouping_by(fields: usize) -> String {
    let mut document: Value = serde_json::from_str(MINIMAL).unwrap();
    let names: Vec<String> = (0..fields).map(|number| format!("f{number}")).collect();
    let text = |name: &String| (name.clone(), json!({ "type": "string" }));
    let mut properties: Map<String, Value> = names.iter().map(text).collect();
    let key = document["streams"][0]["primary_key"][0].as_str().unwrap().to_owned();
    properties.insert(key, json!({ "type": "string" }));
    set(&mut document, "/streams/0/schema/properties", Value::Object(properties));
    set(&mut document, "/streams/0/query", json!({ "aggregations": { "group_by": names } }));
    document.to_string()
}

#[test]
fn a_new_stream_has_at_most_so_many_typed_fields() {
    SourceDeclaration::parse_new(&grouping_by(MAX_TYPED_FIELDS)).unwrap();
    let faults = SourceDeclaration::parse_new(&grouping_by(460)).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    let wire = serde_json::to_value(&faults[0]).unwrap();
    assert_eq!(wire["code"], "source.declaration.too_many_typed_fields");
    assert_eq!(wire["path"], "/streams/0/query");
    let stream = SourceDeclaration::parse(MINIMAL).unwrap().streams[0].name.to_string();
    assert_eq!(wire["reference"], format!("{stream} has 460, at most {MAX_TYPED_FIELDS}"));
    assert!(faults[0].to_string().contains("name fewer"), "{}", faults[0]);
}

#[test]
fn a_stored_declaration_may_have_more() {
    let text = grouping_by(460);
    let declaration = SourceDeclaration::parse(&text).unwrap();
    declaration.checked().unwrap();
}

#[test]
fn other_faults_come_first() {
    let broken = grouping_by(460).replacen("f459", "missing", 1);
    let faults = SourceDeclaration::parse_new(&broken).unwrap_err();
    assert!(faults.iter().all(|fault| fault.code.as_str().ends_with("unknown_schema_field")));
}

#[test]
fn a_new_name_neither_hides_characters_nor_turns_text_around() {
    let mut document: Value = serde_json::from_str(MINIMAL).unwrap();
    document["streams"][0]["name"] = json!("orders\u{202e}txt");
    document["streams"][0]["schema"]["properties"]["to\u{200b}tal"] = json!({ "type": "string" });
    let text = document.to_string();
    SourceDeclaration::parse(&text).expect("an older store may hold such names");
    let faults = SourceDeclaration::parse_new(&text).unwrap_err();
    let places: Vec<String> = faults.iter().map(|fault| fault.path.clone()).collect();
    assert_eq!(places, ["/streams/0/name", "/streams/0/schema/properties/to\u{200b}tal"]);
    assert!(faults[0].to_string().contains("rename it"), "{}", faults[0]);
}
