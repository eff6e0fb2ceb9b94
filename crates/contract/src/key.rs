//! Record identity: ordered key parts, and the canonical string that stands for them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::InvalidName;
use crate::json::{Json, write_string};
use crate::limits::MAX_KEY_BYTES;

/// The canonical id of a record inside its stream.
///
/// A single key is the plain value. A compound key is a minified JSON array of strings, in the
/// order of the declaration's `primary_key`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RecordId(String);

impl RecordId {
    /// Checks and wraps a canonical id that came from outside.
    pub fn new(value: impl Into<String>) -> Result<Self, InvalidName> {
        let value = value.into();
        let refuse = |reason| Err(InvalidName { what: "record id", reason });
        if value.is_empty() {
            return refuse("must not be empty");
        }
        if value.len() > MAX_KEY_BYTES {
            return refuse("is longer than 512 bytes");
        }
        if value.contains('\0') {
            return refuse("must not contain U+0000");
        }
        Ok(Self(value))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of the key with these order bytes; see [`RecordKey::sort_bytes`].
    pub fn from_sort_bytes(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let parts = text.split('\0').map(str::to_owned).collect();
        RecordKey::new(parts)?.id().ok()
    }

    /// The order bytes this id can stand for: as a single key, and as a compound one if it has the
    /// canonical spelling of one. A stream has keys of one sort only, so at most one of them exists.
    pub fn sort_bytes_candidates(&self) -> Vec<Vec<u8>> {
        let single = self.0.clone().into_bytes();
        let compound = Json::parse(&self.0)
            .ok()
            .filter(|json| matches!(json, Json::Array(parts) if parts.len() > 1))
            .and_then(|json| RecordKey::from_json(&json))
            .filter(|key| compound(key.parts()) == self.0)
            .map(|key| key.sort_bytes());
        std::iter::once(single).chain(compound).collect()
    }
}

impl TryFrom<String> for RecordId {
    type Error = InvalidName;
    fn try_from(value: String) -> Result<Self, InvalidName> {
        Self::new(value)
    }
}

impl std::str::FromStr for RecordId {
    type Err = InvalidName;
    fn from_str(value: &str) -> Result<Self, InvalidName> {
        Self::new(value)
    }
}

impl From<RecordId> for String {
    fn from(value: RecordId) -> String {
        value.0
    }
}

impl std::fmt::Display for RecordId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The parts of a record's key, in the order of the stream's `primary_key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordKey(Vec<String>);

impl RecordKey {
    /// A key from its parts; an empty list or an empty single part names no record.
    pub fn new(parts: Vec<String>) -> Option<Self> {
        let named = parts.iter().any(|part| !part.is_empty());
        named.then_some(Self(parts))
    }

    /// Reads the `key` member of a record line: a string, or an array of strings.
    pub fn from_json(key: &Json) -> Option<Self> {
        match key {
            Json::String(part) => Self::new(vec![part.clone()]),
            Json::Array(parts) => {
                let parts = parts.iter().map(|part| part.as_str().map(str::to_owned));
                Self::new(parts.collect::<Option<_>>()?)
            }
            _ => None,
        }
    }

    /// The parts in order.
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// The canonical string of this key.
    pub fn id(&self) -> Result<RecordId, InvalidName> {
        RecordId::new(match self.0.as_slice() {
            [single] => single.clone(),
            parts => compound(parts),
        })
    }

    /// Bytes whose order is the order of keys: part by part, by code point.
    pub fn sort_bytes(&self) -> Vec<u8> {
        self.0.join("\0").into_bytes()
    }
}

fn compound(parts: &[String]) -> String {
    let mut out = String::from("[");
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(part, &mut out);
    }
    out.push(']');
    out
}

/// The text a key part has when its field holds `value`: strings as they are, other scalars as JSON.
pub fn key_part(value: &Json) -> Option<String> {
    match value {
        Json::String(text) | Json::Number(text) => Some(text.clone()),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> RecordKey {
        RecordKey::new(parts.iter().map(|&part| part.to_owned()).collect()).unwrap()
    }

    #[test]
    fn a_single_key_is_its_plain_value_even_when_it_looks_like_an_array() {
        assert_eq!(key(&["m1"]).id().unwrap().as_str(), "m1");
        assert_eq!(key(&[r#"["a"]"#]).id().unwrap().as_str(), r#"["a"]"#);
    }

    #[test]
    fn a_compound_key_is_a_minified_array_of_strings() {
        let id = key(&["user \"x\"", "2026-04-01"]).id().unwrap();
        assert_eq!(id.as_str(), r#"["user \"x\"","2026-04-01"]"#);
    }

    #[test]
    fn order_bytes_lead_back_to_the_id() {
        for parts in [&["m1"][..], &["a", "b"], &[r#"["a","b"]"#], &["", "x"]] {
            let key = key(parts);
            let id = key.id().unwrap();
            assert_eq!(RecordId::from_sort_bytes(&key.sort_bytes()), Some(id.clone()));
            assert!(id.sort_bytes_candidates().contains(&key.sort_bytes()));
        }
        let sloppy = RecordId::new(r#"["a", "b"]"#).unwrap();
        assert_eq!(sloppy.sort_bytes_candidates().len(), 1, "only the canonical spelling counts");
    }

    #[test]
    fn keys_sort_part_by_part() {
        assert!(key(&["a", "z"]).sort_bytes() < key(&["ab", "a"]).sort_bytes());
        assert!(key(&["a", "b"]).sort_bytes() < key(&["a", "c"]).sort_bytes());
    }

    #[test]
    fn a_key_over_the_limit_or_with_a_nul_is_refused() {
        assert!(key(&[&"k".repeat(513)]).id().is_err());
        assert!(key(&["a\0b"]).id().is_err());
        assert!(RecordKey::new(vec![]).is_none());
        assert!(RecordKey::from_json(&Json::parse("[1]").unwrap()).is_none());
    }
}
