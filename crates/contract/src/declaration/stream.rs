//! One stream of a source: its name, its schema, its key, and what belongs to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::QueryDeclaration;
use crate::ids::{FieldName, StreamName};

/// A named collection of records with one schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamDeclaration {
    /// Its name, unique in the declaration.
    pub name: StreamName,
    /// Whether a record may change after it was written.
    pub semantics: Semantics,
    /// JSON Schema (2020-12) of a record's data; its `properties` are the fields.
    pub schema: serde_json::Value,
    /// The fields that identify a record, in order.
    pub primary_key: Vec<FieldName>,
    /// How finely a grant may choose.
    pub selection: Selection,
    /// What the stream holds, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<StreamDisplay>,
    /// The field that orders the stream, before the primary key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor_field: Option<FieldName>,
    /// The field that a grant's time range is about; without one the stream knows no time range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent_time_field: Option<FieldName>,
    /// What holds records together that were written one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
    /// Named sets of fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
    /// How records of this stream lead to records of others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<Relationship>,
    /// What may be asked beyond listing.
    #[serde(default, skip_serializing_if = "QueryDeclaration::is_empty")]
    pub query: QueryDeclaration,
}

/// What holds the records of a conversation together: a thread, a chat, a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The field that has the same value in all records of one conversation.
    pub field: FieldName,
    /// The field that orders records of equal time within it; else their keys do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_field: Option<FieldName>,
}

/// Whether a record may change after it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// Written once.
    AppendOnly,
    /// Replaced by key, and deletable.
    MutableState,
}

/// How finely a grant may choose inside a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Field by field.
    pub fields: bool,
    /// Record by record.
    pub resources: bool,
}

/// What people see of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamDisplay {
    /// Its name in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One sentence more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A named set of a stream's fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Its id inside the stream.
    pub id: String,
    /// What people see.
    pub label: String,
    /// The fields, at least one.
    pub fields: Vec<FieldName>,
}

/// How a record of this stream leads to records of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relationship {
    /// Its name inside the stream.
    pub name: String,
    /// The related stream.
    pub stream: StreamName,
    /// The field that holds the other record's key: on the related stream for
    /// [`Cardinality::HasMany`], on this stream for [`Cardinality::HasOne`].
    pub foreign_key: FieldName,
    /// How many related records there may be.
    pub cardinality: Cardinality,
}

/// How many records a relationship leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cardinality {
    /// Any number; each of them holds this record's key.
    HasMany,
    /// At most one; this record holds its key.
    HasOne,
}
