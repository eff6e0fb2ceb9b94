//! What the tool interfaces of Anthropic, OpenAI and Gemini accept: tools that any of them drops are lost.

use pdpp_mcp::tools;
use serde_json::Value;

fn faults(name: &str, description: &str, schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |text: String| faults.push(text);
    if name.len() > 64 || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        fault(format!("name {name}"));
    }
    if description.len() > 1_024 {
        fault(format!("description of {} bytes", description.len()));
    }
    if schema["type"] != "object" || !schema["properties"].is_object() {
        fault("the root is no plain object".to_owned());
    }
    walk("", schema, &mut fault);
    for required in schema["required"].as_array().into_iter().flatten() {
        if schema["properties"].get(required.as_str().unwrap_or_default()).is_none() {
            fault(format!("{required} is required but not described"));
        }
    }
    faults
}

fn walk(path: &str, schema: &Value, fault: &mut dyn FnMut(String)) {
    let Some(members) = schema.as_object() else { return };
    for word in [
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "$ref",
        "$defs",
        "if",
        "patternProperties",
        "const",
        "format",
    ] {
        if members.contains_key(word) {
            fault(format!("{path}: {word}"));
        }
    }
    if !members["type"].is_string() {
        fault(format!("{path}: not exactly one type"));
    }
    match (schema["type"].as_str(), &schema["items"]) {
        (Some("array"), Value::Object(_)) => walk(&format!("{path}[]"), &schema["items"], fault),
        (Some("array"), _) => fault(format!("{path}: an array without items")),
        _ => {}
    }
    if schema["additionalProperties"].is_object() {
        walk(&format!("{path}/*"), &schema["additionalProperties"], fault);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if name.len() > 64 || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            fault(format!("{path}/{name}: property name"));
        }
        walk(&format!("{path}/{name}"), property, fault);
    }
    if let Some(word) =
        schema["enum"].as_array().and_then(|words| words.iter().find(|word| !word.is_string()))
    {
        fault(format!("{path}: enum with {word}"));
    }
}

#[test]
fn every_input_schema_is_accepted_everywhere() {
    for tool in tools() {
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        let found = faults(&tool.name, tool.description.as_deref().unwrap_or_default(), &schema);
        assert_eq!(found, Vec::<String>::new(), "{}", tool.name);
    }
}

#[test]
fn the_lint_notices_what_it_is_for() {
    let bad = serde_json::json!({
        "type": "object",
        "oneOf": [{"required": ["a"]}],
        "properties": {
            "a": {"type": ["string", "null"]},
            "b": {"type": "array"},
            "d": {"type": "array", "items": {"type": "string", "format": "date"}},
            "e": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
        },
        "required": ["c"],
    });
    assert_eq!(faults("x y", &"d".repeat(2_000), &bad).len(), 8);
}
