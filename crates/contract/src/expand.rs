//! Expansion: related records that come along with a record.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::declaration::Cardinality;
use crate::ids::{FieldName, StreamName};
use crate::query::ListTag;
use crate::record::Record;

/// Most related records when neither the request nor the declaration says otherwise.
pub const DEFAULT_EXPAND_LIMIT: u32 = 10;
/// The most a request may ask for when the declaration names no maximum.
pub const MAX_EXPAND_LIMIT: u32 = 50;
/// Relations in one request.
pub const MAX_EXPANSIONS: usize = 8;
/// Related records of one answer.
pub const MAX_EXPANDED_RECORDS: usize = 1_000;

/// One relation to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expand {
    /// Its name, as the schema lists it.
    pub relation: String,
    /// Most related records per record; the declared default when absent.
    pub limit: Option<u32>,
}

/// What a relation leads to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Expanded {
    /// The record it names; null when there is none in view.
    One(Option<Box<Record>>),
    /// The records that name it.
    Many(ExpandedList),
}

/// Related records, in the order a list of their stream has: newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandedList {
    /// Always `list`.
    pub object: ListTag,
    /// Whether more are related than are shown; list their stream with a filter on the key field.
    pub has_more: bool,
    /// The records.
    pub data: Vec<Record>,
}

/// A relation that can be expanded, because its stream and key field are granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandCapability {
    /// What to pass as `expand`.
    pub name: String,
    /// The related stream.
    pub stream: StreamName,
    /// How many records it leads to.
    pub cardinality: Cardinality,
    /// The field that holds the key: on the related stream for `has_many`, here for `has_one`.
    pub foreign_key: FieldName,
    /// Related records per record when the request names no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_limit: Option<u32>,
    /// The most a request may ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_limit: Option<u32>,
}

impl<'de> Deserialize<'de> for Expanded {
    /// Looks at `object`. Not derived: buffering would lose how numbers are written.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tagged {
            object: String,
        }
        use serde::de::Error;
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let tag: Option<Tagged> = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        match tag {
            None => Ok(Self::One(None)),
            Some(tag) if tag.object == "list" => {
                serde_json::from_str(raw.get()).map(Self::Many).map_err(D::Error::custom)
            }
            Some(_) => serde_json::from_str(raw.get())
                .map(|record| Self::One(Some(Box::new(record))))
                .map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_reads_back_with_its_numbers_as_written() {
        let record = r#"{"object":"record","id":"a","stream":"notes","data":{"n":1.50},"emitted_at":"2026-01-01T00:00:00Z","connection_id":"cin_1"}"#;
        let list = format!(r#"{{"object":"list","has_more":true,"data":[{record}]}}"#);
        for text in ["null", record, &list] {
            let read: Expanded = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
    }
}
