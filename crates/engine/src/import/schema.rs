//! Checks records against their stream's JSON Schema without copying them.

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use pdpp_contract::declaration::{SourceDeclaration, StreamDeclaration};
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json, JsonObject};
use pdpp_store::prepare::StreamShape;
use serde_json::{Map, Number, Value};

/// Longest list of allowed values in a rejection.
const MAX_OPTIONS_CHARS: usize = 200;

/// A stream ready to take records.
pub(crate) struct CheckedStream {
    pub primary_key: Vec<FieldName>,
    pub shape: StreamShape,
    validator: Validator,
    schema: Value,
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
        let (primary_key, schema) = (stream.primary_key.clone(), stream.schema.clone());
        Ok(Self { primary_key, shape, validator, schema })
    }

    /// Where the data breaks the schema: a JSON pointer and what was expected, never the value.
    pub(crate) fn fault(&self, data: &mut JsonObject) -> Option<String> {
        let value = lend_object(data);
        let fault = self.validator.iter_errors(&value).next().map(|error| {
            let place = error.instance_path().to_string();
            if let ValidationErrorKind::Required { property } = error.kind()
                && let Some(name) = property.as_str()
            {
                return format!("{place}/{name} is missing");
            }
            let place = if place.is_empty() { "the record".to_owned() } else { place };
            let rule = error.schema_path().to_string();
            let expected = expected(&rule, self.schema.pointer(&rule));
            format!("{place} {}", expected.unwrap_or_else(|| format!("breaks the rule {rule}")))
        });
        give_back_object(data, value);
        fault
    }
}

/// What a rule of the schema asks for, in words made from the schema alone.
fn expected(rule: &str, stated: Option<&Value>) -> Option<String> {
    let stated = stated?;
    let keyword = rule.rsplit('/').next()?;
    let bound = |words: &str| Some(format!("{words} {stated}"));
    match keyword {
        "type" => {
            let names = match stated {
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                one => vec![one.as_str()?],
            };
            Some(format!(
                "must be {}",
                names.into_iter().map(in_words).collect::<Vec<_>>().join(" or ")
            ))
        }
        "enum" => {
            let options: Vec<String> = stated.as_array()?.iter().map(Value::to_string).collect();
            let options: String = options.join(", ").chars().take(MAX_OPTIONS_CHARS).collect();
            Some(format!("must be one of: {options}"))
        }
        "const" => bound("must be"),
        "minLength" => bound("must have a length in characters of at least"),
        "maxLength" => bound("must have a length in characters of at most"),
        "minimum" => bound("must be at least"),
        "maximum" => bound("must be at most"),
        "exclusiveMinimum" => bound("must be more than"),
        "exclusiveMaximum" => bound("must be less than"),
        "minItems" => bound("must have a number of items of at least"),
        "maxItems" => bound("must have a number of items of at most"),
        "additionalProperties" => Some("has a field that the schema does not allow".to_owned()),
        _ => None,
    }
}

fn in_words(kind: &str) -> &str {
    match kind {
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "object" => "an object",
        "array" => "an array",
        other => other,
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
