//! Source declarations: what a source offers, stream by stream, and what may be asked of it.
//!
//! A declaration is a closed JSON document. [`SourceDeclaration::parse`] is its only door from
//! outside: it refuses repeated and unknown members, wrong shapes and dangling names, and says for
//! every fault where it stands. A declaration that our own code builds passes
//! [`SourceDeclaration::checked`] instead. Behind either door nobody checks again. What somebody brings
//! for an import comes through [`SourceDeclaration::parse_new`], which also knows rules that stored
//! declarations may break because they are older.

mod conversation;
mod embedded;
mod fault;
mod field;
mod members;
mod pointer;
mod query;
mod rules;
mod shape;
mod source;
mod stream;
mod table;
mod uri;
mod width;

pub use fault::{DeclarationFault, DeclarationFaultCode, MAX_FAULTS};
pub use field::FieldKind;
pub use query::{
    AggregationDeclaration, ExpandDeclaration, QueryDeclaration, RangeOperator, SearchDeclaration,
};
pub use source::{
    DeclarationDisplay, DeclaredSource, PresetStream, Publisher, SelectionPreset,
    SourceDeclaration, SourceKind,
};
pub use stream::{
    Cardinality, Conversation, Relationship, Selection, Semantics, StreamDeclaration,
    StreamDisplay, View,
};

use serde::Deserialize;
use serde_json::Value;

use crate::ids::{ConnectorKey, FieldName};
use crate::json::Json;

use fault::{Faults, document_order};
use pointer::Pointer;

/// The only version of the declaration format this product reads.
pub const PROTOCOL_VERSION: &str = "0.1.0";
/// The only dialect an embedded schema may name.
pub const SCHEMA_DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Most streams in one declaration.
pub const MAX_STREAMS: usize = 1_000;
/// Most fields in one stream.
pub const MAX_FIELDS_PER_STREAM: usize = 1_000;
/// Most fields of one stream that are typed: see [`SourceDeclaration::projected_fields`].
///
/// Postgres keeps a row of typed copies in one page of 8 kB. Measured with the longest values that it
/// does not move elsewhere, 336 fit.
pub const MAX_TYPED_FIELDS: usize = 300;

impl SourceDeclaration {
    /// Reads a declaration from its JSON text.
    ///
    /// On refusal the list holds every fault, in document order, up to [`MAX_FAULTS`]. The rules
    /// about names and types are looked at once the structure is sound: before that, most of their
    /// faults would be echoes.
    pub fn parse(text: &str) -> Result<Self, Vec<DeclarationFault>> {
        let mut faults = Faults::default();
        let document: Value = match serde_json::from_str(text) {
            Ok(document) => document,
            Err(error) => {
                let place = format!("not JSON: line {} column {}", error.line(), error.column());
                faults.structure(&Pointer::ROOT, place);
                return Err(faults.into_list());
            }
        };
        members::check(text, &mut faults);
        read(&document, faults)
    }

    /// Checks a declaration that was built in code, by the same rules as [`Self::parse`].
    pub fn checked(self) -> Result<Self, Vec<DeclarationFault>> {
        let mut faults = Faults::default();
        let Ok(document) = serde_json::to_value(&self) else {
            faults.structure(&Pointer::ROOT, "cannot be written as JSON");
            return Err(faults.into_list());
        };
        read(&document, faults)
    }

    /// The kind of source: the last path segment of `source.id`.
    ///
    /// [`Self::parse`] and [`Self::checked`] refuse an id without one. A declaration that passed
    /// neither answers `unknown`.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the fallback is a constant that passes the check"
    )]
    pub fn connector_key(&self) -> ConnectorKey {
        uri::connector_key(&self.source.id)
            .or_else(|_| ConnectorKey::new("unknown"))
            .expect("a constant name passes its check")
    }

    /// The stream of this name.
    pub fn stream(&self, name: &str) -> Option<&StreamDeclaration> {
        self.streams.iter().find(|stream| stream.name.as_str() == name)
    }

    /// What [`StreamDeclaration::projected_fields`] lists, then the foreign keys by which other
    /// streams find the records of `stream`. Only the whole declaration knows those.
    pub fn projected_fields(&self, stream: &StreamDeclaration) -> Vec<FieldName> {
        let mut fields = stream.projected_fields();
        for relationship in self.streams.iter().flat_map(|other| &other.relationships) {
            let key = &relationship.foreign_key;
            let lives_here = relationship.cardinality == Cardinality::HasMany
                && relationship.stream == stream.name;
            if lives_here && !fields.contains(key) {
                fields.push(key.clone());
            }
        }
        let own = stream.conversation.iter();
        for field in own.flat_map(|own| std::iter::once(&own.field).chain(&own.order_field)) {
            if !fields.contains(field) {
                fields.push(field.clone());
            }
        }
        fields
    }

    /// Says of each stream what holds its conversations together, where it has a usual name, is not
    /// declared and would not be found by it otherwise.
    #[must_use]
    pub fn with_conversations(mut self) -> Self {
        for at in 0..self.streams.len() {
            let Some(stream) = self.streams.get(at).filter(|own| own.conversation.is_none()) else {
                continue;
            };
            let inferred = stream.inferred_conversation();
            let typed = self.projected_fields(stream);
            let has_room = typed.len() + 2 <= MAX_TYPED_FIELDS;
            let is_new = |own: &Conversation| {
                let mut wanted = std::iter::once(&own.field).chain(&own.order_field);
                wanted.any(|field| !typed.contains(field))
            };
            let inferred = inferred.filter(|own| has_room && is_new(own));
            if let Some(stream) = self.streams.get_mut(at) {
                stream.conversation = inferred;
            }
        }
        self
    }

    /// One text for equal declarations, for digests: members sorted, no white space, no defaults.
    ///
    /// Sorting loses the order of fields, so this text is for comparing, not for keeping.
    pub fn to_canonical_json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        Json::parse(&text).map_or(text, |json| json.to_canonical())
    }
}

/// Structure, then types, then rules; each step trusts the one before it.
fn read(document: &Value, mut faults: Faults) -> Result<SourceDeclaration, Vec<DeclarationFault>> {
    shape::check(&table::DECLARATION, document, &Pointer::ROOT, &mut faults);
    if !faults.is_empty() {
        return Err(document_order(document, faults));
    }
    let Ok(declaration) = SourceDeclaration::deserialize(document) else {
        // The table of shapes and the types agree (a test holds them together), so this is a last
        // line of defence. Serde's message may quote the input and is left out.
        faults.structure(&Pointer::ROOT, "not a source declaration");
        return Err(faults.into_list());
    };
    rules::check(&declaration, &mut faults);
    if faults.is_empty() { Ok(declaration) } else { Err(document_order(document, faults)) }
}
