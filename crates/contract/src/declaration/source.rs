//! The top of a declaration: which source it describes, who publishes it, what it offers ready-made.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stream::StreamDeclaration;
use crate::ids::{FieldName, StreamName};

/// A source and everything it offers.
///
/// Deserializing checks the structure alone and stops at the first fault: it is for documents that
/// were checked before, such as the store's own. Documents from outside go through
/// [`SourceDeclaration::parse`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceDeclaration {
    /// Always [`super::PROTOCOL_VERSION`].
    pub protocol_version: String,
    /// The source that is described.
    pub source: DeclaredSource,
    /// The publisher's own mark for this version: opaque, without order.
    pub declaration_version: String,
    /// Who wrote the declaration.
    pub publisher: Publisher,
    /// What people see.
    pub display: DeclarationDisplay,
    /// Ready-made choices of streams and fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection_presets: Vec<SelectionPreset>,
    /// The streams, at least one.
    pub streams: Vec<StreamDeclaration>,
    /// Additions of others, each under an absolute URI. We keep them and read none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: BTreeMap<String, serde_json::Value>,
}

/// The identity of a data surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclaredSource {
    /// Where the records come from.
    pub kind: SourceKind,
    /// An absolute URI; its last path segment is the connector key.
    pub id: String,
}

/// Where the records of a source come from. Provenance only: it never selects or compares sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// Software of ours or of others fetched or imported them.
    Connector,
    /// The provider itself serves them.
    ProviderNative,
}

/// Who wrote a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Publisher {
    /// An absolute URI.
    pub id: String,
}

/// What people see of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclarationDisplay {
    /// The name of the source, such as "Gmail".
    pub name: String,
}

/// A ready-made choice that a person can take as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectionPreset {
    /// Its id inside the declaration.
    pub id: String,
    /// What people see.
    pub label: String,
    /// The streams it takes, at least one.
    pub streams: Vec<PresetStream>,
}

/// One stream of a preset: all its fields, those of a view, or those listed; never two of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PresetStream {
    /// The stream.
    pub name: StreamName,
    /// The id of one of its views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// Some of its fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FieldName>>,
}
