//! Calls that work as they stand, for the stream a reader just looked at.

use pdpp_contract::FieldName;
use pdpp_contract::roles::TITLES;
use pdpp_contract::schema::{FieldCapabilities, StreamMetadata};
use serde_json::{Map, Value, json};

use crate::ids::unnamed::is_named;
use crate::render::one_line::ascii_json;

/// A call with very long names teaches nothing that a shorter one would not.
const CALL_BYTES: usize = 600;

/// One call per way to ask, with this stream's own names.
pub(crate) fn examples(stream: &StreamMetadata) -> Vec<String> {
    let mut base = Map::new();
    base.insert("stream".to_owned(), json!(stream.name));
    let mut named = stream.granted_connections.iter().map(|granted| &granted.connection_id);
    if let Some(connection) = named.find(|id| is_named(id)) {
        base.insert("connection_id".to_owned(), json!(connection));
    }
    let mut out = vec![call("query_records", list(stream, base.clone()))];
    out.push(call("aggregate", aggregate(stream, base.clone())));
    if stream.field_capabilities.values().any(|can| can.lexical_search) {
        let mut search = Map::new();
        search.insert("query".to_owned(), json!("words to find"));
        search.insert("streams".to_owned(), json!([stream.name]));
        if let Some(id) = base.get("connection_id") {
            search.insert("connection_id".to_owned(), id.clone());
        }
        out.push(call("search", search));
    }
    if let Some(relation) = stream.expand_capabilities.first() {
        let mut expand = base;
        expand.insert("expand".to_owned(), json!([relation.name]));
        expand.insert("limit".to_owned(), json!(3));
        out.push(call("query_records", expand));
    }
    out.retain(|call| call.len() <= CALL_BYTES);
    out
}

fn list(stream: &StreamMetadata, mut arguments: Map<String, Value>) -> Map<String, Value> {
    let fields = &stream.field_capabilities;
    let time = |kind: &str| kind == "date-time" || kind == "date";
    let cursor = stream.cursor_field.as_ref();
    let cursor_first =
        || cursor.and_then(|name| fields.get_key_value(name)).into_iter().chain(fields);
    let ranged = cursor_first().find(|(_, can)| !can.range_filter.is_empty() && time(&can.kind));
    if let Some((name, can)) = ranged
        && let Some(operator) = can.range_filter.first()
    {
        let value = if can.kind == "date" { "2026-01-01" } else { "2026-01-01T00:00:00Z" };
        arguments.insert("filter".to_owned(), json!({name.as_str(): {operator.as_str(): value}}));
    }
    if let Some((name, _)) = cursor_first().find(|(_, can)| can.sortable) {
        arguments.insert("sort".to_owned(), json!(format!("-{name}")));
    }
    let telling = telling_fields(stream);
    if !telling.is_empty() {
        arguments.insert("fields".to_owned(), json!(telling));
    }
    arguments.insert("limit".to_owned(), json!(10));
    if stream.count {
        arguments.insert("count".to_owned(), json!("exact"));
    }
    arguments
}

/// Up to three fields a person would ask for first: what it is called, when it was, what it says.
fn telling_fields(stream: &StreamMetadata) -> Vec<&str> {
    let rank = |(name, can): &(&FieldName, &FieldCapabilities)| {
        if TITLES.contains(&name.as_str()) {
            0
        } else if stream.cursor_field.as_ref() == Some(*name) {
            1
        } else if stream.primary_key.contains(name) {
            // It comes unasked.
            4
        } else if can.lexical_search {
            2
        } else {
            3
        }
    };
    let mut fields: Vec<_> = stream.field_capabilities.iter().collect();
    fields.sort_by_key(rank);
    fields.into_iter().take(3).map(|(name, _)| name.as_str()).collect()
}

fn aggregate(stream: &StreamMetadata, mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.insert("metric".to_owned(), json!("count"));
    let offers = |word: &str| {
        stream
            .field_capabilities
            .iter()
            .find(|(_, can)| can.aggregation.iter().any(|own| own == word))
    };
    if let Some((name, _)) = offers("group_by_time") {
        arguments.insert("group_by_time".to_owned(), json!(name));
        arguments.insert("granularity".to_owned(), json!("month"));
    } else if let Some((name, _)) = offers("group_by") {
        arguments.insert("group_by".to_owned(), json!(name));
    }
    arguments
}

fn call(tool: &str, arguments: Map<String, Value>) -> String {
    format!("example: {tool} {}", ascii_json(&Value::Object(arguments)))
}
