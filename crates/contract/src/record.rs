//! Records: as producers send them and as readers receive them.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::expand::Expanded;
use crate::ids::{ConnectionId, ConnectorKey, StreamName};
use crate::json::{Json, JsonObject};
use crate::key::RecordId;
use crate::roles::Roles;

/// What a record line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordOp {
    /// Add the record, or replace the one with the same key.
    #[default]
    Upsert,
    /// Take the record with this key out of the stream.
    Delete,
}

/// One line of an import or ingest call.
///
/// `type` and `stream` may be absent where the route already says them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordLine {
    /// `RECORD`, when present.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The stream the record belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamName>,
    /// A string, or an array of strings for a compound key.
    pub key: Json,
    /// The record; may be absent for a delete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
    /// When the producer processed it, RFC 3339.
    pub emitted_at: String,
    /// Upsert when absent.
    #[serde(default)]
    pub op: RecordOp,
}

/// A record as a reader sees it; `deleted` marks a tombstone, which has no `data`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// Always `record`.
    pub object: RecordTag,
    /// The canonical key.
    pub id: RecordId,
    /// The stream.
    pub stream: StreamName,
    /// The granted and requested fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<JsonObject>,
    /// When the producer processed it.
    pub emitted_at: String,
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// What the owner calls that connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The kind of source; on a single record only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connector_key: Option<ConnectorKey>,
    /// Bytes of `data` as served in full; on a single record only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_json_bytes: Option<u64>,
    /// The record left the stream, or the reader's view of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// When it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<String>,
    /// Fields whose value in `data` is only a beginning; read on with field windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previews: Vec<FieldPreview>,
    /// The record's number, when the store that answered is in this process.
    #[serde(skip)]
    pub number: Option<RecordNumber>,
    /// What its fields are to a reader, when the store that answered is in this process.
    #[serde(skip)]
    pub roles: Option<Arc<Roles>>,
    /// Related records that were asked for, by the name of their relation. Their own long fields are
    /// always beginnings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expanded: BTreeMap<String, Expanded>,
}

/// A record's number in its store. A key keeps its number, and none is reused. Never on the wire
/// except sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordNumber(pub i64);

/// The constant `record`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordTag {
    /// `record`
    Record,
}

/// A field that is longer than its place in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldPreview {
    /// The field.
    pub field: String,
    /// Whether the field is a string or an object or array in canonical JSON.
    #[serde(rename = "type")]
    pub kind: TextKind,
    /// Characters of the preview that stands in `data`.
    pub preview_chars: u64,
    /// Characters of the whole text.
    pub size_chars: u64,
    /// Bytes of the whole text.
    pub size_bytes: u64,
    /// Digest of the whole text, where the one who cut it knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// What kind of value a text-like field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextKind {
    /// A string.
    String,
    /// An object or array, read as its canonical JSON.
    Json,
}
