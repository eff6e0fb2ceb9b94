//! What the visible fields of a stream can do. Hidden fields leave no trace here.

use std::collections::{BTreeMap, BTreeSet};

use pdpp_contract::FieldName;
use pdpp_contract::declaration::{Cardinality, FieldKind, Relationship, StreamDeclaration, View};
use pdpp_contract::schema::FieldCapabilities;
use serde_json::{Map, Value};

use crate::records::conditions::sortable_fields;
use crate::view::GrantedStream;

/// The questions each visible field answers.
pub(crate) fn capabilities(granted: &GrantedStream) -> BTreeMap<FieldName, FieldCapabilities> {
    let stream = &granted.stream;
    let sortable = sortable_fields(granted);
    let visible = granted.scope.fields.iter();
    visible
        .filter_map(|field| {
            let kind = stream.field_kind(field.as_str())?;
            Some((field.clone(), of_field(stream, field, kind, sortable.contains(field))))
        })
        .collect()
}

fn of_field(
    stream: &StreamDeclaration,
    field: &FieldName,
    kind: FieldKind,
    sortable: bool,
) -> FieldCapabilities {
    FieldCapabilities {
        kind: kind_name(kind).to_owned(),
        exact_filter: kind != FieldKind::Structured,
        range_filter: stream.range_operators(field.as_str()).to_vec(),
        sortable,
        lexical_search: stream.query.search.lexical_fields.contains(field),
        aggregation: aggregations(stream, field),
    }
}

fn aggregations(stream: &StreamDeclaration, field: &FieldName) -> Vec<String> {
    let declared = &stream.query.aggregations;
    let kinds = [
        ("count_distinct", &declared.count_distinct),
        ("group_by", &declared.group_by),
        ("group_by_time", &declared.group_by_time),
        ("sum", &declared.sum),
        ("min", &declared.min),
        ("max", &declared.max),
    ];
    let takes_part = kinds.into_iter().filter(|(_, fields)| fields.contains(field));
    takes_part.map(|(name, _)| name.to_owned()).collect()
}

fn kind_name(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::String => "string",
        FieldKind::Integer => "integer",
        FieldKind::Number => "number",
        FieldKind::Boolean => "boolean",
        FieldKind::Date => "date",
        FieldKind::DateTime => "date-time",
        FieldKind::Structured => "structured",
    }
}

/// Relations whose stream and key field are both in view, on the same connection.
pub(crate) fn relationships(
    granted: &GrantedStream,
    in_view: &[GrantedStream],
) -> Vec<Relationship> {
    let usable = |relation: &&Relationship| {
        let related = in_view.iter().find(|other| {
            other.connection.id == granted.connection.id && other.scope.stream == relation.stream
        });
        related.is_some_and(|related| {
            let holder = match relation.cardinality {
                Cardinality::HasMany => related,
                Cardinality::HasOne => granted,
            };
            holder.scope.fields.contains(&relation.foreign_key)
        })
    };
    granted.stream.relationships.iter().filter(usable).cloned().collect()
}

/// Views that lie within the grant.
pub(crate) fn visible_views(granted: &GrantedStream) -> Vec<View> {
    let visible =
        |view: &&View| view.fields.iter().all(|field| granted.scope.fields.contains(field));
    granted.stream.views.iter().filter(visible).cloned().collect()
}

/// The JSON Schema of the visible fields: their properties, which of them are required, and the
/// definitions they refer to. Everything else of the schema could speak of hidden fields.
pub(crate) fn visible_schema(stream: &StreamDeclaration, fields: &BTreeSet<FieldName>) -> Value {
    let visible = |name: &str| fields.contains(name);
    let mut properties = Map::new();
    if let Some(declared) = stream.schema.get("properties").and_then(Value::as_object) {
        let kept = declared.iter().filter(|(name, _)| visible(name));
        properties.extend(kept.map(|(name, schema)| (name.clone(), schema.clone())));
    }
    let required: Vec<Value> = stream
        .required_fields()
        .into_iter()
        .filter(|field| fields.contains(field))
        .map(|field| Value::String(field.to_string()))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::String("object".to_owned()));
    let properties = Value::Object(properties);
    let definitions = definitions(&stream.schema, &properties);
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), Value::Array(required));
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Value::Object(schema)
}

/// The definitions that `from` refers to, directly or through others.
fn definitions(schema: &Value, from: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut open = references(from);
    while let Some(name) = open.pop() {
        let definition = schema.get("$defs").and_then(|all| all.get(&name));
        let Some(definition) = definition.filter(|_| !found.contains_key(&name)) else {
            continue;
        };
        open.extend(references(definition));
        found.insert(name, definition.clone());
    }
    found
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match (name.as_str(), member) {
                ("$ref", Value::String(target)) => {
                    target.strip_prefix("#/$defs/").map(str::to_owned).into_iter().collect()
                }
                _ => references(member),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
