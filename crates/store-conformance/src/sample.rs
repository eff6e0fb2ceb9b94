//! Small sources to test with: one declaration, a writer from JSON text to rows, scopes.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use pdpp_contract::key::key_part;
use pdpp_contract::{
    ConnectionId, ConnectionName, FieldName, Instant, Json, JsonObject, RecordId, RecordKey,
    SourceDeclaration, StreamName,
};

use pdpp_store::connections::NewConnection;
use pdpp_store::prepare::{Classification, PreparedRecord, RecordWrite, StreamShape, prepare};
use pdpp_store::scope::{CollectionScope, ReadScope, TimeBounds};
use pdpp_store::writes::{BatchOutcome, WriteMode, WriteOutcome};
use pdpp_store::{Store, StoreResult};

/// When writes of the suite happen, unless a case says otherwise.
pub const EMITTED: &str = "2026-04-01T12:00:00Z";

/// The streams of the sample source.
///
/// `notes` has every kind of field, typed copies of some; `titles` is ordered by text; `pairs` has a
/// compound key and no order; `log` only grows; `letters` has its time as text without a format.
pub const SAMPLE: &str = include_str!("sample.json");

/// The sample declaration.
pub fn sample() -> SourceDeclaration {
    declaration(SAMPLE)
}

/// Reads a declaration.
pub fn declaration(text: &str) -> SourceDeclaration {
    SourceDeclaration::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// One connection to write to and read from.
#[derive(Clone)]
pub struct Account {
    /// The store it lives in.
    pub store: Arc<dyn Store>,
    /// Its id.
    pub id: ConnectionId,
    declaration: SourceDeclaration,
}

impl Account {
    /// A connection with the sample declaration.
    pub async fn open(store: &Arc<dyn Store>, name: &str) -> Self {
        Self::declared(store, name, sample()).await
    }

    /// A connection with another declaration; an existing one changes to it.
    pub async fn declared(
        store: &Arc<dyn Store>,
        name: &str,
        declaration: SourceDeclaration,
    ) -> Self {
        let connection = store.ensure_connection(new(name, declaration.clone())).await.unwrap();
        Self { store: Arc::clone(store), id: connection.id, declaration }
    }

    /// Writes records given as JSON text; every one of them must be taken.
    pub async fn put(&self, stream: &str, records: &[impl AsRef<str>]) -> Vec<WriteOutcome> {
        self.put_at(stream, EMITTED, records).await
    }

    /// The same with the producer's time.
    pub async fn put_at(
        &self,
        stream: &str,
        emitted_at: &str,
        records: &[impl AsRef<str>],
    ) -> Vec<WriteOutcome> {
        let batch = records.iter().map(|record| self.prepared(stream, emitted_at, record.as_ref()));
        let outcome = self.write(batch.collect(), WriteMode::AllOrNothing).await;
        assert!(outcome.kept, "the batch was undone: {:?}", outcome.outcomes);
        outcome.outcomes
    }

    /// Writes a record that carries codes.
    pub async fn put_with_codes(&self, stream: &str, record: &str) {
        let mut write = self.record_write(stream, EMITTED, record);
        write.carries.codes = true;
        let prepared = prepare(&self.shape(stream), &self.store.hash_key(), write);
        assert!(self.write(vec![prepared], WriteMode::AllOrNothing).await.kept);
    }

    /// Deletes the record with a single key.
    pub async fn delete(&self, stream: &str, key: &str) -> WriteOutcome {
        let outcome = self.write(vec![self.deletion(stream, key)], WriteMode::KeepGood).await;
        outcome.outcomes[0]
    }

    /// Writes a prepared batch.
    pub async fn write(&self, batch: Vec<PreparedRecord>, mode: WriteMode) -> BatchOutcome {
        self.store.write_records(&self.id, batch, mode).await.unwrap().expect("a connection")
    }

    /// A record ready to be written.
    pub fn prepared(&self, stream: &str, emitted_at: &str, record: &str) -> PreparedRecord {
        let write = self.record_write(stream, emitted_at, record);
        prepare(&self.shape(stream), &self.store.hash_key(), write)
    }

    /// A deletion ready to be written.
    pub fn deletion(&self, stream: &str, key: &str) -> PreparedRecord {
        let key = RecordKey::new(vec![key.to_owned()]).unwrap();
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: EMITTED.to_owned(),
            data: None,
            carries: Classification::default(),
        };
        prepare(&self.shape(stream), &self.store.hash_key(), write)
    }

    pub(super) fn record_write(&self, stream: &str, emitted_at: &str, record: &str) -> RecordWrite {
        let data = object(record);
        let declared = self.declaration.stream(stream).unwrap();
        let part = |field: &FieldName| key_part(&data[field.as_str()]).unwrap();
        let key = RecordKey::new(declared.primary_key.iter().map(part).collect()).unwrap();
        RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: emitted_at.to_owned(),
            data: Some(data),
            carries: Classification::default(),
        }
    }

    pub(super) fn shape(&self, stream: &str) -> StreamShape {
        StreamShape::new(&self.declaration, self.declaration.stream(stream).unwrap())
    }

    /// Everything the stream declares.
    pub fn all(&self, stream: &str) -> CollectionScope {
        let fields = self.declaration.stream(stream).unwrap().field_names();
        CollectionScope {
            connection: self.id.clone(),
            stream: stream_name(stream),
            fields: fields.into_iter().collect(),
            time: None,
            records: None,
            leave_out_codes: false,
            leave_out_secrets: false,
        }
    }

    /// A scope over everything of one stream.
    pub fn scope(&self, stream: &str) -> ReadScope {
        one(self.all(stream))
    }
}

/// What to create a connection from. Its id follows from its name, so that ids sort like names.
pub fn new(name: &str, declaration: SourceDeclaration) -> NewConnection {
    NewConnection {
        id: ConnectionId::new(format!("cin_{name}")).unwrap(),
        name: ConnectionName::new(name).unwrap(),
        display_name: None,
        declaration,
        now: time(EMITTED),
    }
}

/// A scope over one collection.
pub fn one(collection: CollectionScope) -> ReadScope {
    ReadScope::new(vec![collection])
}

/// A span of time on a field; an empty end is open.
pub fn between(field: &str, since: &str, until: &str) -> Option<TimeBounds> {
    let end = |text: &str| (!text.is_empty()).then(|| Instant::parse(text).unwrap());
    Some(TimeBounds { field: field_name(field), since: end(since), until: end(until) })
}

/// A set of fields.
pub fn fields(names: &[&str]) -> BTreeSet<FieldName> {
    names.iter().map(|name| field_name(name)).collect()
}

/// A set of records.
pub fn ids(ids: &[&str]) -> Option<BTreeSet<RecordId>> {
    Some(ids.iter().map(|id| record_id(id)).collect())
}

/// Whether the record is there for a scope.
pub async fn finds(store: &Arc<dyn Store>, scope: &ReadScope, id: &str) -> bool {
    !found(store, scope, id).await.unwrap().is_empty()
}

/// The records with an id that a scope shows.
pub async fn found(
    store: &Arc<dyn Store>,
    scope: &ReadScope,
    id: &str,
) -> StoreResult<Vec<pdpp_store::records::StoredRecord>> {
    store.find_records(scope, &record_id(id), 100).await
}

/// Reads JSON text that holds an object.
pub fn object(text: &str) -> JsonObject {
    match Json::parse(text) {
        Ok(Json::Object(object)) => object,
        other => panic!("not an object: {other:?}"),
    }
}

/// A checked field name.
pub fn field_name(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

/// A checked stream name.
pub fn stream_name(name: &str) -> StreamName {
    StreamName::new(name).unwrap()
}

/// A checked record id.
pub fn record_id(id: &str) -> RecordId {
    RecordId::new(id).unwrap()
}

/// A point in time.
pub fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}
