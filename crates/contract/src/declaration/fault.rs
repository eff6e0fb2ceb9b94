//! What is wrong with a declaration: a closed list of codes, each fault with its place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pointer::Pointer;
use crate::json_pointer::unescaped;

/// Most faults that one check reports.
///
/// A hostile document could otherwise make the report far larger than itself.
pub const MAX_FAULTS: usize = 1_000;
/// Longest quotation of the document in a fault, in characters.
const MAX_REFERENCE_CHARS: usize = 200;

/// Defines the codes with their wire name and meaning, so that no code can lack either.
macro_rules! fault_codes {
    ($($(#[$doc:meta])* $variant:ident = $wire:literal, $meaning:literal;)*) => {
        /// The rule that a declaration breaks.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
            JsonSchema,
        )]
        pub enum DeclarationFaultCode {
            $($(#[$doc])* #[serde(rename = $wire)] $variant,)*
        }

        impl DeclarationFaultCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }

            /// What is wrong, in words; the fault's `reference` completes the sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

fault_codes! {
    /// Not JSON, an unknown, missing or repeated member, a wrong type, a bad name, a broken limit.
    InvalidStructure = "source.declaration.invalid_structure", "wrong structure";
    /// Two presets share an id.
    DuplicatePresetId = "source.declaration.duplicate_preset_id", "another preset has this id";
    /// A preset names a stream twice.
    DuplicatePresetStreamName = "source.declaration.duplicate_preset_stream_name",
        "the preset names this stream twice";
    /// A stream offers one expansion twice.
    DuplicateExpandName = "source.declaration.duplicate_expand_name",
        "the stream lists this expansion twice";
    /// Two relationships of a stream share a name.
    DuplicateRelationshipName = "source.declaration.duplicate_relationship_name",
        "another relationship of the stream has this name";
    /// Two streams share a name.
    DuplicateStreamName = "source.declaration.duplicate_stream_name",
        "another stream has this name";
    /// Two views of a stream share an id.
    DuplicateViewId = "source.declaration.duplicate_view_id",
        "another view of the stream has this id";
    /// Limits on a relationship to one record, or a default above the maximum.
    InvalidExpandLimits = "source.declaration.invalid_expand_limits",
        "these limits do not fit the relationship";
    /// A key field that holds no single scalar.
    InvalidKeyFieldType = "source.declaration.invalid_key_field_type",
        "a key needs a field of one scalar type";
    /// A field whose type does not allow what is offered for it.
    InvalidQueryFieldType = "source.declaration.invalid_query_field_type",
        "the type of this field does not allow it";
    /// A schema that points outside itself.
    NonlocalSchemaReference = "source.declaration.nonlocal_schema_reference",
        "a reference must begin with '#'";
    /// More typed fields than a store keeps of one stream.
    TooManyTypedFields = "source.declaration.too_many_typed_fields",
        "too many fields can be compared, sorted, grouped or measured; name fewer of them in the \
         stream's query";
    /// An expansion without its relationship.
    UnknownRelationship = "source.declaration.unknown_relationship",
        "the stream declares no such relationship";
    /// A field name that the schema does not declare.
    UnknownSchemaField = "source.declaration.unknown_schema_field",
        "the schema of the stream declares no such field";
    /// A stream name that the declaration does not have.
    UnknownStream = "source.declaration.unknown_stream", "the declaration has no such stream";
    /// A view that the stream does not have.
    UnknownView = "source.declaration.unknown_view", "the stream has no such view";
}

impl std::fmt::Display for DeclarationFaultCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with a declaration, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{path:?}: {}: {reference}", code.meaning())]
pub struct DeclarationFault {
    /// The rule that is broken.
    pub code: DeclarationFaultCode,
    /// Where: a JSON pointer. A missing member is named as if it were there.
    pub path: String,
    /// The name that caused it; for a fault of structure, what is wrong in words.
    pub reference: String,
}

/// Collects the faults of one check.
#[derive(Default)]
pub(super) struct Faults(Vec<DeclarationFault>);

impl Faults {
    /// Reports `code` at `at`.
    pub(super) fn add(
        &mut self,
        code: DeclarationFaultCode,
        at: &Pointer<'_>,
        reference: impl AsRef<str>,
    ) {
        if self.0.len() < MAX_FAULTS {
            let reference = reference.as_ref().chars().take(MAX_REFERENCE_CHARS).collect();
            self.0.push(DeclarationFault { code, path: at.to_string(), reference });
        }
    }

    /// Reports a fault of structure at `at`; `words` never repeat a value of the document.
    pub(super) fn structure(&mut self, at: &Pointer<'_>, words: impl AsRef<str>) {
        self.add(DeclarationFaultCode::InvalidStructure, at, words);
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults in the order they were found.
    pub(super) fn into_list(self) -> Vec<DeclarationFault> {
        self.0
    }
}

/// The faults in the order in which a reader of the document meets their places.
pub(super) fn document_order(document: &Value, faults: Faults) -> Vec<DeclarationFault> {
    let mut list = faults.into_list();
    list.sort_by_cached_key(|fault| position(document, &fault.path));
    list
}

/// The index of each step of `path`; a missing member stands after its sisters.
fn position(document: &Value, path: &str) -> Vec<usize> {
    let mut here = Some(document);
    let step = |token: &str| {
        let (index, next) = match here {
            Some(Value::Object(members)) => {
                let name = unescaped(token);
                (members.keys().position(|key| *key == name), members.get(&name))
            }
            Some(Value::Array(items)) => {
                let index = token.parse().ok();
                (index, index.and_then(|index: usize| items.get(index)))
            }
            _ => (None, None),
        };
        here = next;
        index.unwrap_or(usize::MAX)
    };
    path.split('/').skip(1).map(step).collect()
}
