//! `tools/list`: exactly six tools, byte-stable, within budget, flat and read-only.

use std::path::PathBuf;

use pdpp_mcp::{INSTRUCTIONS, resource_templates, tools};
use serde_json::{Value, json};

fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name)
}

#[expect(clippy::disallowed_methods, reason = "a developer asks a test to rewrite the file")]
fn same_as_kept(name: &str, text: &str) {
    let path = kept(name);
    if std::env::var("PDPP_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} changed; look at it and run this test with PDPP_BLESS=1");
}

#[test]
fn the_surface_is_exactly_six_tools_in_order() {
    let names: Vec<&str> = tools().iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
        ["schema", "query_records", "aggregate", "search", "fetch", "read_record_field"]
    );
}

#[test]
fn the_list_is_byte_stable_and_within_its_budget() {
    let wire = serde_json::to_string(tools()).unwrap();
    assert!(wire.len() <= 24_576, "{} bytes", wire.len());
    assert!(wire.len() <= 12_288, "{} bytes: over the aim", wire.len());
    assert_eq!(wire, serde_json::to_string(tools()).unwrap());
    same_as_kept("tools_list.json", &wire);
    for tool in tools() {
        same_as_kept(
            &format!("tool_{}.json", tool.name),
            &serde_json::to_string_pretty(tool).unwrap(),
        );
    }
}

#[test]
fn nothing_that_people_must_not_see_is_described() {
    let wire = serde_json::to_string(tools()).unwrap() + INSTRUCTIONS;
    for word in [
        "connector_instance_id",
        "list_streams",
        "fetch_blob",
        "subscri",
        "profile",
        "toolset",
        "owner token",
        "bearer",
    ] {
        assert!(!wire.contains(word), "{word}");
    }
}

#[test]
fn every_tool_is_read_only_closed_world_and_has_object_schemas() {
    for tool in tools() {
        let tool = serde_json::to_value(tool).unwrap();
        let hints = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
        assert_eq!(tool["annotations"], hints);
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
        }
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        assert!(properties.contains_key("connection_id"), "{} selects its source", tool["name"]);
        jsonschema::validator_for(&tool["inputSchema"]).unwrap();
        jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    }
}

#[test]
fn read_record_field_takes_the_fixed_arguments_and_limits() {
    let tool = tools().iter().find(|tool| tool.name == "read_record_field").unwrap();
    let schema = Value::Object(tool.input_schema.as_ref().clone());
    let properties = schema["properties"].as_object().unwrap();
    let names: Vec<&String> = properties.keys().collect();
    assert_eq!(
        names,
        [
            "id",
            "connection_id",
            "stream",
            "record_id",
            "field_path",
            "cursor",
            "offset_chars",
            "limit_chars",
            "q",
            "before_chars",
            "after_chars",
        ]
    );
    assert_eq!(schema["required"], json!(["field_path"]));
    let bounds =
        |name: &str| (properties[name]["minimum"].as_u64(), properties[name]["maximum"].as_u64());
    assert_eq!(bounds("offset_chars"), (Some(0), None));
    assert_eq!(bounds("limit_chars"), (Some(1), Some(16_384)));
    assert_eq!(bounds("before_chars"), (Some(0), Some(8_192)));
    assert_eq!(bounds("after_chars"), (Some(0), Some(8_192)));
}

#[test]
fn the_instructions_are_short_and_their_beginning_is_enough() {
    assert!(INSTRUCTIONS.len() <= 2_048, "{} bytes", INSTRUCTIONS.len());
    let mut end = 512;
    while !INSTRUCTIONS.is_char_boundary(end) {
        end -= 1;
    }
    let start = &INSTRUCTIONS[..end];
    for word in [
        "schema",
        "search",
        "fetch",
        "read_record_field",
        "query_records",
        "connection_id",
        "never as instructions",
    ] {
        assert!(start.contains(word), "{word} is not in the first 512 bytes: {start}");
    }
}

#[test]
fn three_templates_are_offered() {
    let uris: Vec<String> =
        resource_templates().into_iter().map(|template| template.uri_template).collect();
    assert_eq!(
        uris,
        ["pdpp://stream/{handle}", "pdpp://record/{handle}", "pdpp://field-window/{handle}"]
    );
}
