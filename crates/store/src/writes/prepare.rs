//! From a checked record to rows: what stays in the record, what moves out, typed copies, hashes.
//!
//! Pure and the same for every backend; runs outside the transaction.

use std::collections::BTreeMap;
use std::sync::Arc;

use pdpp_contract::blob::BlobId;
use pdpp_contract::declaration::{FieldKind, Semantics, SourceDeclaration, StreamDeclaration};
use pdpp_contract::json::write_object;
use pdpp_contract::{FieldName, Instant, Json, JsonObject, RecordId, StreamName};

use crate::records::sort_key::SortKey;
use crate::search::rows::{PreparedRow, short_rows};
use crate::writes::hashing::HashKey;
use crate::writes::inheritance::{InheritanceLinks, Tie};
pub use crate::writes::prepared_text::PreparedText;
use crate::writes::prepared_text::move_out;

/// The record carries a one-time code, a password reset or a sign-in link.
pub const FLAG_CODES: i64 = 1;
/// Some of the record's fields live outside it.
pub const FLAG_TEXTS: i64 = 2;

/// The record has earlier versions.
pub const FLAG_REVISED: i64 = 4;

/// The record carries a secret: a key, a token or a password.
pub const FLAG_SECRETS: i64 = 8;
/// The record was made from one that carries codes.
pub const FLAG_FROM_CODES: i64 = 16;
/// The record was made from one that carries secrets.
pub const FLAG_FROM_SECRETS: i64 = 32;

/// What the record itself carries.
pub(crate) const OWN_MARKS: i64 = FLAG_CODES | FLAG_SECRETS;
/// What it has from the record it was made from.
pub(crate) const INHERITED_MARKS: i64 = FLAG_FROM_CODES | FLAG_FROM_SECRETS;

/// What a record that is made from one with these marks inherits.
pub(crate) fn inherited(marks: i64) -> i64 {
    let codes = if marks & (FLAG_CODES | FLAG_FROM_CODES) == 0 { 0 } else { FLAG_FROM_CODES };
    let secrets =
        if marks & (FLAG_SECRETS | FLAG_FROM_SECRETS) == 0 { 0 } else { FLAG_FROM_SECRETS };
    codes | secrets
}

/// A checked record on its way into a store.
#[derive(Debug, Clone)]
pub struct RecordWrite {
    /// The canonical key.
    pub id: RecordId,
    /// Bytes that order the key among others.
    pub key_order: Vec<u8>,
    /// When the producer processed it, as written.
    pub emitted_at: String,
    /// The data; `None` takes the record out of the stream.
    pub data: Option<JsonObject>,
    /// What it carries that a grant may leave out.
    pub carries: Classification,
}

/// What a record carries that a grant may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classification {
    /// A one-time code, a password reset or a sign-in link.
    pub codes: bool,
    /// A key, a token or a password.
    pub secrets: bool,
}

impl Classification {
    /// As marks of a record.
    pub(crate) fn marks(self) -> i64 {
        let codes = if self.codes { FLAG_CODES } else { 0 };
        codes | if self.secrets { FLAG_SECRETS } else { 0 }
    }
}

/// A record as rows.
#[derive(Debug, Clone)]
pub struct PreparedRecord {
    /// The stream.
    pub stream: StreamName,
    /// Whether the stream only grows.
    pub append_only: bool,
    /// The fields whose words can be found.
    pub searched: Arc<[FieldName]>,
    /// The canonical key.
    pub id: RecordId,
    /// Bytes that order the key among others.
    pub key_order: Vec<u8>,
    /// When the producer processed it.
    pub emitted_at: String,
    /// The content; `None` for a delete.
    pub content: Option<PreparedContent>,
    /// Which records of other streams it goes with.
    pub inheritance: Arc<InheritanceLinks>,
}

/// The content of a record as rows.
#[derive(Debug, Clone)]
pub struct PreparedContent {
    /// Canonical JSON of the fields that stay in the record.
    pub json: String,
    /// [`FLAG_CODES`], [`FLAG_SECRETS`] and [`FLAG_TEXTS`].
    pub flags: i64,
    /// Texts that live outside, by pointer.
    pub texts: Vec<PreparedText>,
    /// Keys of the projected fields, in the order of the stream's projection.
    pub projected: Vec<Option<SortKey>>,
    /// Key of the consent time field.
    pub time_key: Option<SortKey>,
    /// Keyed hash of each field.
    pub field_hashes: Vec<(String, u64)>,
    /// Which fields refer to which blobs.
    pub blob_refs: Vec<(String, BlobId)>,
    /// The values of the fields that tie it to other records, as keys of those.
    pub ties: Vec<Tie>,
    /// Index rows of the searched fields that stay in the record; those of long fields are made
    /// when they are written.
    pub search_rows: Vec<PreparedRow>,
}

/// What a store needs to know of a stream to prepare its records.
#[derive(Debug, Clone)]
pub struct StreamShape {
    stream: StreamName,
    append_only: bool,
    projected: Vec<(FieldName, FieldKind)>,
    time_field: Option<FieldName>,
    searched: Arc<[FieldName]>,
    inheritance: Arc<InheritanceLinks>,
}

impl StreamShape {
    /// The shape a declaration gives one of its streams.
    pub fn new(declaration: &SourceDeclaration, stream: &StreamDeclaration) -> Self {
        let with_kind = |field: FieldName| {
            let kind = stream.field_kind(field.as_str()).unwrap_or(FieldKind::Structured);
            (field, kind)
        };
        Self {
            stream: stream.name.clone(),
            append_only: stream.semantics == Semantics::AppendOnly,
            projected: declaration.projected_fields(stream).into_iter().map(with_kind).collect(),
            time_field: stream.consent_time_field.clone(),
            searched: stream.query.search.lexical_fields.as_slice().into(),
            inheritance: Arc::new(InheritanceLinks::of(declaration, stream)),
        }
    }

    /// The fields whose words can be found.
    pub fn searched(&self) -> &[FieldName] {
        &self.searched
    }

    /// The field that time limits are about.
    pub(crate) fn time_field(&self) -> Option<&FieldName> {
        self.time_field.as_ref()
    }
}

/// Turns a checked record into rows.
pub fn prepare(shape: &StreamShape, key: &HashKey, write: RecordWrite) -> PreparedRecord {
    let RecordWrite { id, key_order, emitted_at, data, carries } = write;
    PreparedRecord {
        stream: shape.stream.clone(),
        append_only: shape.append_only,
        searched: Arc::clone(&shape.searched),
        id,
        key_order,
        emitted_at,
        content: data.map(|data| prepare_content(shape, key, data, carries)),
        inheritance: Arc::clone(&shape.inheritance),
    }
}

fn prepare_content(
    shape: &StreamShape,
    key: &HashKey,
    mut data: JsonObject,
    carries: Classification,
) -> PreparedContent {
    let key_of = |(field, kind): &(FieldName, FieldKind)| {
        data.get(field.as_str()).and_then(|value| SortKey::of(*kind, value))
    };
    let projected = shape.projected.iter().map(key_of).collect();
    let time_key = shape.time_field.as_ref().and_then(|field| time_key_of(&data, field.as_str()));

    let blob_refs = blob_refs(&data);
    let ties = shape.inheritance.ties(&data);
    let mut sizes = BTreeMap::new();
    let mut field_hashes = Vec::with_capacity(data.len());
    let mut scratch = String::new();
    for (name, value) in &data {
        let (hash, size) = match value {
            // Not copied: a string may be as large as a field can be.
            Json::String(text) => (key.string(text), text.len()),
            other => {
                scratch.clear();
                other.write_canonical(&mut scratch);
                (key.canonical(&scratch), scratch.len())
            }
        };
        field_hashes.push((name.clone(), hash));
        sizes.insert(name.clone(), size);
    }
    let texts = move_out(&mut data, sizes);
    let search_rows = short_rows(&shape.searched, &data);
    let mut json = scratch;
    json.clear();
    write_object(&data, &mut json);
    let outside = if texts.is_empty() { 0 } else { FLAG_TEXTS };
    let flags = carries.marks() | outside;
    PreparedContent {
        json,
        flags,
        texts,
        projected,
        time_key,
        field_hashes,
        blob_refs,
        ties,
        search_rows,
    }
}

/// The fields of a record that refer to blobs.
pub(crate) fn blob_refs(data: &JsonObject) -> Vec<(String, BlobId)> {
    let named = |(name, value): (&String, &Json)| {
        let name = name.clone();
        BlobId::named_by(value).into_iter().map(move |blob| (name.clone(), blob))
    };
    let mut refs: Vec<_> = data.iter().flat_map(named).collect();
    refs.sort();
    refs.dedup();
    refs
}

/// The time key of a field: read as an instant whatever its declared kind, as time limits do.
pub(crate) fn time_key_of(data: &JsonObject, field: &str) -> Option<SortKey> {
    data.get(field)?.as_str().and_then(Instant::parse).map(SortKey::time)
}
