//! The schema document: what a reader can see, and which questions each stream answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::declaration::{RangeOperator, Relationship, Selection, View};
use crate::envelope::{Links, Meta};
use crate::expand::ExpandCapability;
use crate::ids::{ConnectionId, ConnectorKey, FieldName, GrantId, StreamName};
use crate::query::Freshness;

/// How much of the schema to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaDetail {
    /// Capabilities as short flags.
    #[default]
    Compact,
    /// The JSON Schema of one stream as well; needs a stream.
    Full,
}

/// What part of the schema to return.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchemaRequest {
    /// How much.
    pub detail: SchemaDetail,
    /// One stream; all when absent.
    pub stream: Option<StreamName>,
    /// One connection; all granted ones when absent.
    pub connection_id: Option<ConnectionId>,
}

/// The schema, grouped by kind of source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaDocument {
    /// Always `schema`.
    pub object: SchemaTag,
    /// `compact` or `full`.
    pub detail: String,
    /// Whose view this is.
    pub bearer: Bearer,
    /// Sources in view.
    pub connectors: Vec<SchemaConnector>,
    /// How many sources.
    pub connector_count: u64,
    /// How many streams.
    pub stream_count: u64,
    /// Self.
    pub links: Links,
    /// Warnings.
    pub meta: Meta,
}

/// The constant `schema`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchemaTag {
    /// `schema`
    Schema,
}

/// Whose view a schema shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bearer {
    /// `owner` or `client`.
    pub token_kind: String,
    /// `owner` or `grant`.
    pub scope: String,
    /// The agent's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
}

/// One kind of source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaConnector {
    /// Always `connector`.
    pub object: ConnectorTag,
    /// The kind.
    pub connector_key: ConnectorKey,
    /// The connections of this kind in view.
    pub granted_connections: Vec<GrantedConnection>,
    /// How many streams.
    pub stream_count: u64,
    /// The streams, by name, then connection.
    pub streams: Vec<StreamMetadata>,
}

/// The constant `connector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConnectorTag {
    /// `connector`
    Connector,
}

/// A connection in view.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct GrantedConnection {
    /// What to pass as `connection_id`.
    pub connection_id: ConnectionId,
    /// What the owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The grant that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_id: Option<GrantId>,
    /// The time limit of that grant; on a stream only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<StreamTimeLimit>,
}

/// The time limit of a grant, as it is today.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct StreamTimeLimit {
    /// The first instant inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The first instant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The first day inside, counted from today, such as `-30d`: `since` moves at midnight UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_rule: Option<String>,
    /// The first day outside, counted from today, such as `+30d`: `until` moves at midnight UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_rule: Option<String>,
    /// For limits that move: what changes do not report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One stream as its readers may use it. Holds granted fields only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamMetadata {
    /// Always `stream_metadata`.
    pub object: StreamMetadataTag,
    /// The stream.
    pub name: StreamName,
    /// The connections that carry it with these capabilities.
    pub granted_connections: Vec<GrantedConnection>,
    /// What the stream is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of the granted fields; with full detail only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
    /// The key fields, always granted.
    pub primary_key: Vec<FieldName>,
    /// The field the stream is ordered by, when it is granted.
    pub cursor_field: Option<FieldName>,
    /// The field that time limits refer to, when it is granted.
    pub consent_time_field: Option<FieldName>,
    /// What a grant may select.
    pub selection: Selection,
    /// What each granted field can do.
    pub field_capabilities: BTreeMap<FieldName, FieldCapabilities>,
    /// Whether records can be counted.
    pub count: bool,
    /// Relations whose stream and key field are granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<Relationship>,
    /// Those of them that `expand` follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expand_capabilities: Vec<ExpandCapability>,
    /// Named field sets that lie within the grant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
    /// How fresh it is; on the detail of one stream only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freshness: Option<Freshness>,
}

/// The constant `stream_metadata`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamMetadataTag {
    /// `stream_metadata`
    StreamMetadata,
}

/// The questions a field answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldCapabilities {
    /// `string`, `integer`, `number`, `boolean`, `date`, `date-time` or `structured`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `filter[field]=value` works.
    pub exact_filter: bool,
    /// The operators of `filter[field][op]=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub range_filter: Vec<RangeOperator>,
    /// `sort=field` and `sort=-field` work.
    pub sortable: bool,
    /// Searched by words.
    pub lexical_search: bool,
    /// Aggregations the field takes part in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aggregation: Vec<String>,
}

/// One stream's metadata with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRequest {
    /// The stream.
    pub stream: StreamName,
    /// One connection; all that carry it when absent.
    pub connection_id: Option<ConnectionId>,
}
