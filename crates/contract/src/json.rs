//! Record JSON: numbers kept as written, object members sorted, one canonical text.
//!
//! `serde_json::Value` turns `12345678901234567890` and `1.10` into floats or shorter numbers. A
//! store must give back what it was given, so records use this type instead.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::limits::MAX_JSON_DEPTH;

/// The members of an object, sorted by name.
pub type JsonObject = BTreeMap<String, Json>;

/// A JSON value whose numbers keep their spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, exactly as it was written.
    Number(String),
    /// A string, decoded.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object, its members sorted by name.
    Object(JsonObject),
}

/// Why a text is not acceptable JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// Not JSON at all, or a lone surrogate in a string.
    #[error("not valid JSON: {0}")]
    Malformed(String),
    /// The same member twice in one object: readers would disagree about which one counts.
    #[error("an object names the member {0:?} twice")]
    DuplicateMember(String),
    /// Nested deeper than the limit.
    #[error("nested deeper than {MAX_JSON_DEPTH} levels")]
    TooDeep,
}

impl Json {
    /// Reads one JSON document.
    pub fn parse(text: &str) -> Result<Self, JsonFault> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| malformed(&error))?;
        from_raw(raw, 0)
    }

    /// The canonical text: sorted members, no white space, numbers as written.
    pub fn to_canonical(&self) -> String {
        let mut out = String::new();
        self.write_canonical(&mut out);
        out
    }

    /// Appends the canonical text to `out`.
    pub fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(text) => out.push_str(text),
            Self::String(text) => write_string(text, out),
            Self::Array(items) => write_array(items, out),
            Self::Object(members) => write_object(members, out),
        }
    }

    /// The string, when this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The object, when this is one.
    pub fn as_object(&self) -> Option<&JsonObject> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The kind of value, in the words of JSON Schema.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

/// Appends the canonical text of an object's members.
pub fn write_object(members: &JsonObject, out: &mut String) {
    out.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        value.write_canonical(out);
    }
    out.push('}');
}

fn write_array(items: &[Json], out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        item.write_canonical(out);
    }
    out.push(']');
}

/// Appends `text` as a JSON string literal, escaping only what JSON demands.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    escape_into(text, out);
    out.push('"');
}

/// Appends the inside of a JSON string literal, so that long text can be written in pieces.
pub fn escape_into(text: &str, out: &mut String) {
    let mut plain_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0x00..=0x1f => "",
            _ => continue,
        };
        out.push_str(text.get(plain_from..at).unwrap_or_default());
        if short.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(short);
        }
        plain_from = at + 1;
    }
    out.push_str(text.get(plain_from..).unwrap_or_default());
}

fn from_raw(raw: &RawValue, depth: usize) -> Result<Json, JsonFault> {
    if depth > MAX_JSON_DEPTH {
        return Err(JsonFault::TooDeep);
    }
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => object_from_raw(text, depth),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|e| malformed(&e))?;
            let items = items.into_iter().map(|item| from_raw(item, depth + 1));
            Ok(Json::Array(items.collect::<Result<_, _>>()?))
        }
        Some(b'"') => serde_json::from_str(text).map(Json::String).map_err(|e| malformed(&e)),
        Some(b't') => Ok(Json::Bool(true)),
        Some(b'f') => Ok(Json::Bool(false)),
        Some(b'n') => Ok(Json::Null),
        _ => Ok(Json::Number(text.to_owned())),
    }
}

fn object_from_raw(text: &str, depth: usize) -> Result<Json, JsonFault> {
    let members: Members<'_> = serde_json::from_str(text).map_err(|e| malformed(&e))?;
    let mut object = JsonObject::new();
    for (name, raw) in members.0 {
        let value = from_raw(raw, depth + 1)?;
        if object.contains_key(&name) {
            return Err(JsonFault::DuplicateMember(name));
        }
        object.insert(name, value);
    }
    Ok(Json::Object(object))
}

/// An object's members in document order, duplicates included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> serde::de::Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// Keeps the position and drops the rest: serde's message may quote the input.
fn malformed(error: &serde_json::Error) -> JsonFault {
    JsonFault::Malformed(format!("{:?} error at column {}", error.classify(), error.column()))
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => {
                RawValue::from_string(text.clone()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        from_raw(&raw, 0).map_err(D::Error::custom)
    }
}

impl JsonSchema for Json {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "Any JSON value; numbers keep their spelling." })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_keep_their_spelling() {
        let text = r#"{"big":123456789012345678901234567890,"money":1.10,"tiny":1e-400}"#;
        assert_eq!(Json::parse(text).unwrap().to_canonical(), text);
        assert_eq!(serde_json::to_string(&Json::parse(text).unwrap()).unwrap(), text);
        assert_eq!(serde_json::from_str::<Json>(text).unwrap().to_canonical(), text);
    }

    #[test]
    fn member_order_and_white_space_do_not_matter() {
        let one = Json::parse("{ \"b\" : [1, 2],\n \"a\": null }").unwrap();
        assert_eq!(one.to_canonical(), r#"{"a":null,"b":[1,2]}"#);
    }

    #[test]
    fn duplicate_members_lone_surrogates_and_depth_are_refused() {
        assert_eq!(
            Json::parse(r#"{"a":1,"a":2}"#),
            Err(JsonFault::DuplicateMember("a".to_owned()))
        );
        assert!(matches!(Json::parse(r#""\ud800""#), Err(JsonFault::Malformed(_))));
        let deep = "[".repeat(110) + &"]".repeat(110);
        assert!(Json::parse(&deep).is_err());
        assert!(Json::parse("{} trailing").is_err());
    }

    #[test]
    fn a_fault_never_repeats_the_input() {
        let fault = Json::parse("{\"secret\": hunter2}").unwrap_err().to_string();
        assert!(!fault.contains("hunter2"), "{fault}");
    }

    proptest! {
        #[test]
        fn any_string_survives_the_canonical_text(text in ".*") {
            let json = Json::String(text.clone());
            prop_assert_eq!(Json::parse(&json.to_canonical()).unwrap(), json.clone());
            prop_assert_eq!(serde_json::to_string(&text).unwrap(), json.to_canonical());
        }
    }
}
