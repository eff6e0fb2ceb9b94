//! Writes a declaration for streams whose shape was found by looking.

use serde_json::{Map, Value, json};

use super::ROW_ID;
use super::typed::{TypedFields, can_group};

/// Comparisons that numbers and times allow.
const COMPARISONS: [&str; 4] = ["gte", "gt", "lte", "lt"];
/// Names of the time at which something happened, likeliest first.
const TIME_NAMES: [&str; 8] =
    ["created_at", "sent_at", "date", "time", "timestamp", "datetime", "started_at", "updated_at"];

/// A field that was found.
pub struct FoundField {
    /// Its name.
    pub name: String,
    /// Its heading, where the name was made from one.
    pub heading: Option<String>,
    /// Its JSON Schema: `type` and perhaps `format`.
    pub schema: Value,
    /// Whether its values can form groups.
    pub groups: bool,
}

/// A stream that was found.
pub struct FoundStream {
    /// Its name.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<FoundField>,
    /// The fields that name a record; none when the row itself must.
    pub key: Vec<String>,
}

/// The declaration of a source of this kind; none without a stream.
pub fn declaration(connector: &str, name: &str, streams: Vec<FoundStream>) -> Option<String> {
    if streams.is_empty() {
        return None;
    }
    let streams: Vec<Value> = streams.into_iter().map(stream).collect();
    let document = json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": format!("https://registry.pdpp.dev/connectors/{connector}")},
        "declaration_version": "1",
        "publisher": {"id": "https://registry.pdpp.dev/publishers/pdpp"},
        "display": {"name": name},
        "streams": streams,
    });
    serde_json::to_string_pretty(&document).ok()
}

#[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
fn stream(found: FoundStream) -> Value {
    let FoundStream { name, mut fields, mut key } = found;
    if key.is_empty() {
        let schema = json!({"type": "string", "description": "A digest of the row, which has no key of its own"});
        fields.insert(
            0,
            FoundField { name: ROW_ID.to_owned(), heading: None, schema, groups: false },
        );
        key.push(ROW_ID.to_owned());
    }
    let time = time_field(&fields);
    let typed = TypedFields::choose(&fields, &key, time);
    let mut properties = Map::new();
    for field in &fields {
        let mut schema = field.schema.clone();
        if let Some(heading) = field.heading.as_ref().filter(|heading| **heading != field.name) {
            schema["description"] = json!(heading);
        }
        properties.insert(field.name.clone(), schema);
    }
    let label: String = name.replace('_', " ");
    let mut stream = json!({
        "name": name,
        "semantics": "mutable_state",
        "display": {"label": label},
        "schema": {"type": "object", "required": key, "properties": properties},
        "primary_key": key,
        "selection": {"fields": true, "resources": true},
        "query": query(&fields, &key, &typed),
    });
    if let Some(note) = typed.note() {
        stream["description"] = json!(note);
    }
    if let Some(time) = time {
        stream["cursor_field"] = json!(time);
        stream["consent_time_field"] = json!(time);
    }
    stream
}

#[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
fn query(fields: &[FoundField], key: &[String], typed: &TypedFields) -> Value {
    let named = |keep: &dyn Fn(&FoundField) -> bool| -> Vec<&str> {
        fields.iter().filter(|field| keep(field)).map(|field| field.name.as_str()).collect()
    };
    let typed =
        |keep: &dyn Fn(&FoundField) -> bool| named(&|field| typed.has(field) && keep(field));
    let is_key = |field: &FoundField| key.contains(&field.name);
    let ordered = typed(&|field| is_numeric(field) || is_time(field));
    let ranges: Map<String, Value> =
        ordered.iter().map(|name| ((*name).to_owned(), json!(COMPARISONS))).collect();
    let sums = typed(&|field| is_numeric(field) && !is_key(field) && !field.name.ends_with("id"));
    let groups = typed(&|field| can_group(field, is_key(field)));
    let mut query = json!({ "aggregations": {"count": true} });
    let texts = named(&|field| is_text(field) && field.name != ROW_ID && !is_bookkeeping(field));
    let times = typed(&|field| is_time(field));
    for (pointer, list) in [
        ("group_by", &groups),
        ("count_distinct", &groups),
        ("group_by_time", &times),
        ("sum", &sums),
        ("min", &ordered),
        ("max", &ordered),
    ] {
        if !list.is_empty() {
            query["aggregations"][pointer] = json!(list);
        }
    }
    if !texts.is_empty() {
        query["search"] = json!({ "lexical_fields": texts });
    }
    if !ranges.is_empty() {
        query["range_filters"] = Value::Object(ranges);
    }
    query
}

/// The time that orders the stream and that time limits refer to. When a tap ran says nothing about
/// when something happened.
fn time_field(fields: &[FoundField]) -> Option<&str> {
    let times = fields.iter().filter(|field| is_time(field) && !is_bookkeeping(field));
    let times: Vec<&str> = times.map(|field| field.name.as_str()).collect();
    let known = TIME_NAMES.iter().find_map(|name| times.iter().find(|time| *time == name));
    known.or(times.first()).copied()
}

/// The only type besides null, and the format.
fn kind(field: &FoundField) -> (Option<&str>, Option<&str>) {
    let names = match field.schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut names = names.into_iter().filter(|name| *name != "null");
    let only = match (names.next(), names.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    (only, field.schema.get("format").and_then(Value::as_str))
}

/// What Singer taps add for themselves: the file they read, when they ran.
fn is_bookkeeping(field: &FoundField) -> bool {
    field.name.starts_with("_sdc_")
}

fn is_text(field: &FoundField) -> bool {
    kind(field) == (Some("string"), None)
}

/// Whether it holds days or instants.
pub fn is_time(field: &FoundField) -> bool {
    matches!(kind(field), (Some("string"), Some("date" | "date-time")))
}

/// Whether it holds numbers.
pub fn is_numeric(field: &FoundField) -> bool {
    matches!(kind(field).0, Some("integer" | "number"))
}

/// Whether it holds single values.
pub fn is_scalar(field: &FoundField) -> bool {
    matches!(kind(field).0, Some("string" | "integer" | "number" | "boolean"))
}
