//! Requests and answers of record reads: lists, single records, streams.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::declaration::RangeOperator;
use crate::envelope::{CountKind, Links, Meta};
use crate::expand::Expand;
use crate::ids::{ConnectionId, FieldName, StreamName};
use crate::key::RecordId;
use crate::record::Record;

/// One page of a stream's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRequest {
    /// The stream.
    pub stream: StreamName,
    /// One connection; all granted ones when absent.
    pub connection_id: Option<ConnectionId>,
    /// Records on the page; the default when absent.
    pub limit: Option<u32>,
    /// Where the previous page ended.
    pub cursor: Option<String>,
    /// A sortable field and a direction; the stream's own order when absent.
    pub sort: Option<Sort>,
    /// Conditions, all of which must hold.
    pub filter: Vec<Filter>,
    /// The fields to return; all granted ones when absent.
    pub fields: Option<Vec<FieldName>>,
    /// Whether to count what matches.
    pub count: CountKind,
    /// `beginning` or a bookmark: changes instead of records.
    pub changes_since: Option<String>,
    /// Show only the beginning of long fields, this many characters; whole values when absent.
    pub preview_chars: Option<u32>,
    /// Relations whose records come along.
    pub expand: Vec<Expand>,
}

impl ListRequest {
    /// The first page of a stream, nothing else asked.
    pub fn new(stream: StreamName) -> Self {
        Self {
            stream,
            connection_id: None,
            limit: None,
            cursor: None,
            sort: None,
            filter: Vec::new(),
            fields: None,
            count: CountKind::None,
            changes_since: None,
            preview_chars: None,
            expand: Vec::new(),
        }
    }
}

/// A field and a direction. `field: None` is the stream's own order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The field; the stream's cursor field when absent.
    pub field: Option<FieldName>,
    /// Newest or largest first.
    pub descending: bool,
}

/// One condition on one field. Values are text as they stand in a URL; the field's type reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The field.
    pub field: FieldName,
    /// The comparison.
    pub test: FilterTest,
}

/// A comparison with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterTest {
    /// Equal to the value.
    Equals(String),
    /// Within a bound.
    Range(RangeOperator, String),
}

/// A page of records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordPage {
    /// Always `list`.
    pub object: ListTag,
    /// The path of the list.
    pub url: String,
    /// The records, in order.
    pub data: Vec<Record>,
    /// Whether another page follows.
    pub has_more: bool,
    /// What to pass as `cursor` for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// What to pass as `changes_since` later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_changes_since: Option<String>,
    /// Self and next.
    pub links: Links,
    /// Count and warnings.
    pub meta: Meta,
}

/// The constant `list`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListTag {
    /// `list`
    List,
}

/// One record by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRequest {
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_id: RecordId,
    /// One connection; the only one that holds the record when absent.
    pub connection_id: Option<ConnectionId>,
    /// The fields to return; all granted ones when absent.
    pub fields: Option<Vec<FieldName>>,
    /// Show only the beginning of long fields, this many characters; whole values when absent.
    pub preview_chars: Option<u32>,
    /// Relations whose records come along.
    pub expand: Vec<Expand>,
}

impl RecordRequest {
    /// One record with all its granted fields, nothing else asked.
    pub fn new(stream: StreamName, record_id: RecordId) -> Self {
        Self {
            stream,
            record_id,
            connection_id: None,
            fields: None,
            preview_chars: None,
            expand: Vec::new(),
        }
    }
}

/// One record with its surroundings. On the wire the record's members stand at the top.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordDetail {
    /// The record.
    pub record: Record,
    /// Digest of exactly what is served; the same view of the same content has the same one.
    pub etag: String,
    /// Self.
    pub links: Links,
    /// Warnings.
    pub meta: Meta,
}

/// The streams a reader can see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamsRequest {
    /// One connection; all granted ones when absent.
    pub connection_id: Option<ConnectionId>,
}

/// One row per stream and connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamList {
    /// Always `list`.
    pub object: ListTag,
    /// The rows, by stream name, then connection.
    pub data: Vec<StreamRow>,
    /// Always false: the list is complete.
    pub has_more: bool,
    /// Self.
    pub links: Links,
    /// Warnings.
    pub meta: Meta,
}

/// One stream of one connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamRow {
    /// Always `stream`.
    pub object: StreamTag,
    /// The stream.
    pub name: StreamName,
    /// How many records the reader can see.
    pub record_count: u64,
    /// When the newest visible record was processed; null when there is none.
    pub last_updated: Option<String>,
    /// How fresh the stream is.
    pub freshness: Freshness,
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// What the owner calls that connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

/// The constant `stream`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamTag {
    /// `stream`
    Stream,
}

/// How fresh a stream is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Freshness {
    /// When the newest visible record was processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
    /// `unknown` unless the source declares how fresh it must be.
    pub status: FreshnessStatus,
}

/// The words for freshness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FreshnessStatus {
    /// As fresh as the source promises.
    Current,
    /// Older than the source promises.
    Stale,
    /// The source promises nothing.
    Unknown,
}
