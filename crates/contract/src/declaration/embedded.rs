//! The JSON Schema inside a stream: the parts we read must be sound, and it must stand alone.

use serde_json::{Map, Value};

use super::fault::{DeclarationFaultCode, Faults};
use super::pointer::Pointer;
use super::{MAX_FIELDS_PER_STREAM, SCHEMA_DIALECT};
use crate::ids::FieldName;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Checks the structure of what we read: dialect, fields, their types and formats, `required`.
pub(super) fn check(schema: &Map<String, Value>, at: &Pointer<'_>, faults: &mut Faults) {
    for (keyword, value) in schema {
        let place = at.member(keyword);
        match keyword.as_str() {
            "$schema" if value != SCHEMA_DIALECT => {
                faults.structure(&place, format!("must be {SCHEMA_DIALECT}, or be left out"));
            }
            "properties" => properties(value, &place, faults),
            "required" => required(value, &place, faults),
            _ => {}
        }
    }
    if !schema.contains_key("properties") {
        faults.structure(&at.member("properties"), "missing member");
    }
}

fn properties(value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    let Value::Object(fields) = value else {
        return faults.structure(at, "must be an object");
    };
    if fields.len() > MAX_FIELDS_PER_STREAM {
        let words = format!("must not have more than {MAX_FIELDS_PER_STREAM} fields");
        return faults.structure(at, words);
    }
    for (name, property) in fields {
        let place = at.member(name);
        if let Err(fault) = FieldName::new(name) {
            faults.structure(&place, fault.to_string());
        }
        match property {
            Value::Object(keywords) => field(keywords, &place, faults),
            Value::Bool(_) => {}
            _ => faults.structure(&place, "must be a JSON Schema: an object, true or false"),
        }
    }
}

fn field(keywords: &Map<String, Value>, at: &Pointer<'_>, faults: &mut Faults) {
    for (keyword, value) in keywords {
        let place = at.member(keyword);
        match (keyword.as_str(), value) {
            ("type", Value::Array(names)) => {
                if names.is_empty() {
                    faults.structure(&place, "must not be empty");
                }
                for (index, name) in names.iter().enumerate() {
                    type_name(name, &place.item(index), faults);
                }
            }
            ("type", name) => type_name(name, &place, faults),
            ("format", format) if !format.is_string() => {
                faults.structure(&place, "must be a string");
            }
            _ => {}
        }
    }
}

fn type_name(value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    if !value.as_str().is_some_and(|name| TYPES.contains(&name)) {
        faults.structure(at, format!("must be one of: {}", TYPES.join(", ")));
    }
}

fn required(value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    let Value::Array(names) = value else {
        return faults.structure(at, "must be an array");
    };
    for (index, name) in names.iter().enumerate() {
        if !name.is_string() {
            faults.structure(&at.item(index), "must be a string");
        }
    }
}

/// Reports every reference, at any depth, that leaves the schema.
///
/// A field may be called `$ref`: what stands there then is a schema, not a reference. Values under
/// `const` or `default` are not told apart: a name that could be fetched is refused wherever it is.
pub(super) fn references(value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let place = at.member(name);
                if matches!(name.as_str(), "$ref" | "$dynamicRef") {
                    reference(member, &place, faults);
                }
                references(member, &place, faults);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                references(item, &at.item(index), faults);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn reference(value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    let target = match value {
        Value::Object(_) | Value::Bool(_) => return,
        Value::String(target) if target.starts_with('#') => return,
        Value::String(target) => target.as_str(),
        Value::Null | Value::Number(_) | Value::Array(_) => "not a string",
    };
    faults.add(DeclarationFaultCode::NonlocalSchemaReference, at, target);
}
