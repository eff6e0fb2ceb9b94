//! Checks records against their stream's JSON Schema without copying them.

use jsonschema::Validator;
use pdpp_contract::declaration::{SourceDeclaration, StreamDeclaration};
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json, JsonObject};
use pdpp_store::prepare::StreamShape;
use serde_json::{Map, Number, Value};

/// A stream ready to take records.
pub(crate) struct CheckedStream {
    pub primary_key: Vec<FieldName>,
    pub shape: StreamShape,
    validator: Validator,
}

impl CheckedStream {
    pub(crate) fn new(
        source: &SourceDeclaration,
        stream: &StreamDeclaration,
    ) -> Result<Self, ApiError> {
        let validator = jsonschema::draft202012::options()
            .should_validate_formats(false)
            .build(&stream.schema)
            .map_err(|_| {
                let message = format!("the JSON Schema of stream {} cannot be used", stream.name);
                ApiError::new(ErrorCode::InvalidDeclaration, message)
            })?;
        let shape = StreamShape::new(source, stream);
        Ok(Self { primary_key: stream.primary_key.clone(), shape, validator })
    }

    /// Where the data breaks the schema: a JSON pointer and the rule, never the value.
    pub(crate) fn fault(&self, data: &mut JsonObject) -> Option<String> {
        let value = lend_object(data);
        let fault = self.validator.iter_errors(&value).next().map(|error| {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the record".to_owned() } else { place };
            format!("{place} breaks the rule {}", error.schema_path())
        });
        give_back_object(data, value);
        fault
    }
}

/// Moves a record into the validator's value type. Strings move, so even a huge one is not copied.
fn lend_object(members: &mut JsonObject) -> Value {
    let lent = members.iter_mut().map(|(name, member)| (name.clone(), lend(member)));
    Value::Object(lent.collect::<Map<_, _>>())
}

fn lend(json: &mut Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(text) => number(text),
        Json::String(text) => Value::String(std::mem::take(text)),
        Json::Array(items) => Value::Array(items.iter_mut().map(lend).collect()),
        Json::Object(members) => lend_object(members),
    }
}

/// A number the validator can compare; beyond its range the nearest float stands in.
fn number(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return Value::Number(number.into());
    }
    if let Ok(number) = text.parse::<u64>() {
        return Value::Number(number.into());
    }
    let float = text.parse::<f64>().unwrap_or(f64::MAX).clamp(f64::MIN, f64::MAX);
    Number::from_f64(float).map_or(Value::Null, Value::Number)
}

fn give_back_object(members: &mut JsonObject, value: Value) {
    if let Value::Object(lent) = value {
        for (member, (_, value)) in members.values_mut().zip(lent) {
            give_back(member, value);
        }
    }
}

fn give_back(json: &mut Json, value: Value) {
    match (json, value) {
        (Json::String(text), Value::String(lent)) => *text = lent,
        (Json::Array(items), Value::Array(lent)) => {
            for (item, value) in items.iter_mut().zip(lent) {
                give_back(item, value);
            }
        }
        (Json::Object(members), value @ Value::Object(_)) => give_back_object(members, value),
        _ => {}
    }
}
