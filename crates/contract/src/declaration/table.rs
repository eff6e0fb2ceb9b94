//! The members of a declaration, level by level: the one table of its structure.

use super::shape::{Member, Shape, TextRule};
use super::{PROTOCOL_VERSION, uri};
use crate::ids::{DisplayName, FieldName, StreamName};
use crate::limits::MAX_NAME_BYTES;

/// The whole document.
pub(super) static DECLARATION: Shape = Shape::Object(&[
    required("protocol_version", &Shape::OneOf(&[PROTOCOL_VERSION])),
    required("source", &SOURCE),
    required("declaration_version", &IDENTIFIER),
    required("publisher", &Shape::Object(&[required("id", &Shape::Text(uri::absolute))])),
    required("display", &Shape::Object(&[required("name", &LABEL)])),
    optional("selection_presets", &Shape::List(false, &PRESET)),
    required("streams", &Shape::List(true, &STREAM)),
    optional("extensions", &Shape::Map(uri::absolute, &Shape::Any)),
]);

static SOURCE: Shape = Shape::Object(&[
    required("kind", &Shape::OneOf(&["connector", "provider_native"])),
    required("id", &Shape::Text(uri::source_id)),
]);

static PRESET: Shape = Shape::Object(&[
    required("id", &IDENTIFIER),
    required("label", &LABEL),
    required("streams", &Shape::List(true, &PRESET_STREAM)),
]);

static PRESET_STREAM: Shape = Shape::Object(&[
    required("name", &STREAM_NAME),
    optional("view", &IDENTIFIER),
    Member { never_with: Some("view"), ..optional("fields", &FIELDS) },
]);

static STREAM: Shape = Shape::Object(&[
    required("name", &STREAM_NAME),
    required("semantics", &Shape::OneOf(&["append_only", "mutable_state"])),
    required("schema", &Shape::Schema),
    required("primary_key", &FIELDS),
    required("selection", &SELECTION),
    optional("description", &PROSE),
    optional("display", &STREAM_DISPLAY),
    optional("cursor_field", &FIELD),
    optional("consent_time_field", &FIELD),
    optional("conversation", &CONVERSATION),
    optional("views", &Shape::List(false, &VIEW)),
    optional("relationships", &Shape::List(false, &RELATIONSHIP)),
    optional("query", &QUERY),
]);

static CONVERSATION: Shape =
    Shape::Object(&[required("field", &FIELD), optional("order_field", &FIELD)]);

static SELECTION: Shape =
    Shape::Object(&[required("fields", &Shape::Bool), required("resources", &Shape::Bool)]);

static STREAM_DISPLAY: Shape =
    Shape::Object(&[optional("label", &LABEL), optional("detail", &PROSE)]);

static VIEW: Shape = Shape::Object(&[
    required("id", &IDENTIFIER),
    required("label", &LABEL),
    required("fields", &FIELDS),
]);

static RELATIONSHIP: Shape = Shape::Object(&[
    required("name", &IDENTIFIER),
    required("stream", &STREAM_NAME),
    required("foreign_key", &FIELD),
    required("cardinality", &Shape::OneOf(&["has_many", "has_one"])),
]);

static QUERY: Shape = Shape::Object(&[
    optional("range_filters", &Shape::Map(FIELD_RULE, &OPERATORS)),
    optional("expand", &Shape::List(false, &EXPAND)),
    optional("search", &SEARCH),
    optional("aggregations", &AGGREGATIONS),
]);

static OPERATORS: Shape = Shape::List(true, &Shape::OneOf(&["gte", "gt", "lte", "lt"]));

static EXPAND: Shape = Shape::Object(&[
    required("name", &IDENTIFIER),
    optional("default_limit", &Shape::Count),
    optional("max_limit", &Shape::Count),
]);

static SEARCH: Shape =
    Shape::Object(&[optional("lexical_fields", &OFFERED), optional("semantic_fields", &OFFERED)]);

static AGGREGATIONS: Shape = Shape::Object(&[
    optional("count", &Shape::True),
    optional("count_distinct", &OFFERED),
    optional("group_by", &OFFERED),
    optional("group_by_time", &OFFERED),
    optional("max", &OFFERED),
    optional("min", &OFFERED),
    optional("sum", &OFFERED),
]);

/// Fields of which there must be one: an empty list would mean something else than its absence.
static FIELDS: Shape = Shape::List(true, &FIELD);
/// Fields for which something is offered: an empty list offers nothing, like its absence.
static OFFERED: Shape = Shape::List(false, &FIELD);
static FIELD: Shape = Shape::Text(FIELD_RULE);
static STREAM_NAME: Shape = Shape::Text(|text| in_words(StreamName::new(text)));
static LABEL: Shape = Shape::Text(|text| in_words(DisplayName::new(text)));
static IDENTIFIER: Shape = Shape::Text(identifier);
static PROSE: Shape = Shape::Text(prose);

const FIELD_RULE: TextRule = |text| in_words(FieldName::new(text));

const fn required(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, required: true, shape, never_with: None }
}

const fn optional(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, required: false, shape, never_with: None }
}

fn in_words<T>(checked: Result<T, crate::ids::InvalidName>) -> Result<(), String> {
    checked.map(|_| ()).map_err(|fault| fault.to_string())
}

/// Ids that are compared and quoted, never shown as prose.
fn identifier(text: &str) -> Result<(), String> {
    let fits = !text.is_empty() && text.len() <= MAX_NAME_BYTES;
    if !fits || text.chars().any(char::is_control) {
        let rule = "bytes, without control characters";
        return Err(format!("must have 1 to {MAX_NAME_BYTES} {rule}"));
    }
    Ok(())
}

/// Free text. U+0000 is the one character that not every store can keep.
fn prose(text: &str) -> Result<(), String> {
    if text.is_empty() || text.contains('\0') {
        return Err("must not be empty and must not contain U+0000".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::SourceDeclaration;
    use super::*;

    /// A member known to one side alone would be refused by the other after the check.
    #[test]
    fn the_table_and_the_types_name_the_same_members() {
        let schema = serde_json::to_value(schemars::schema_for!(SourceDeclaration)).unwrap();
        compare(&DECLARATION, &schema, &schema, "");
    }

    fn compare(shape: &Shape, schema: &Value, root: &Value, at: &str) {
        let schema = resolved(schema, root);
        match shape {
            Shape::Object(members) => {
                assert_eq!(schema["additionalProperties"], false, "{at} is open");
                assert_eq!(names(&schema["properties"]), sorted(members, |_| true), "{at}");
                assert_eq!(names(&schema["required"]), sorted(members, |m| m.required), "{at}");
                for member in *members {
                    let inner = &schema["properties"][member.name];
                    compare(member.shape, inner, root, &format!("{at}/{}", member.name));
                }
            }
            Shape::List(_, item) => compare(item, &schema["items"], root, &format!("{at}/0")),
            Shape::Map(_, value) => {
                compare(value, &schema["additionalProperties"], root, &format!("{at}/*"));
            }
            Shape::OneOf(wanted) if at != "/protocol_version" => {
                let mut stated: Vec<&str> = match &schema["oneOf"] {
                    Value::Array(variants) => {
                        variants.iter().map(|v| &v["const"]).map(text).collect()
                    }
                    _ => schema["enum"].as_array().unwrap().iter().map(text).collect(),
                };
                let mut wanted = wanted.to_vec();
                stated.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(stated, wanted, "{at}");
            }
            _ => {}
        }
    }

    /// Follows `$ref` and the `anyOf` with null of an optional member.
    fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
        if let Some(target) = schema["$ref"].as_str() {
            return resolved(root.pointer(&target[1..]).unwrap(), root);
        }
        schema["anyOf"].get(0).map_or(schema, |first| resolved(first, root))
    }

    fn names(value: &Value) -> Vec<&str> {
        let mut names: Vec<&str> = match value {
            Value::Object(members) => members.keys().map(String::as_str).collect(),
            Value::Array(items) => items.iter().map(text).collect(),
            _ => Vec::new(),
        };
        names.sort_unstable();
        names
    }

    fn sorted(members: &[Member], keep: fn(&Member) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = members.iter().filter(|m| keep(m)).map(|m| m.name).collect();
        names.sort_unstable();
        names
    }

    fn text(value: &Value) -> &str {
        value.as_str().unwrap()
    }
}
