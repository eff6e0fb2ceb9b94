//! What the promises need of a backend, and the records they are tried on.

use async_trait::async_trait;
use pdpp_contract::key::RecordKey;
use pdpp_contract::ports::Entropy;
use pdpp_contract::{
    ConnectionId, ConnectionName, FieldName, Json, JsonObject, RecordId, SourceDeclaration,
    StreamName,
};
use pdpp_store::connections::NewConnection;
use pdpp_store::field_path::FieldPath;
use pdpp_store::hashing::HashKey;
use pdpp_store::prepare::{Classification, PreparedRecord, RecordWrite, StreamShape, prepare};
use pdpp_store::text::{TextAnswer, TextRead, TextReader, TextWindow};
use pdpp_store::writes::WriteMode;
use pdpp_store::{CollectionScope, ReadScope, Store};

pub const DECLARATION: &str = r#"{
  "protocol_version": "0.1.0",
  "source": { "kind": "connector", "id": "https://registry.example/connectors/notes" },
  "declaration_version": "1",
  "publisher": { "id": "https://registry.example" },
  "display": { "name": "Notes" },
  "streams": [
    {
      "name": "notes",
      "semantics": "mutable_state",
      "schema": { "properties": {
        "id": { "type": "string" },
        "sent_at": { "type": "string", "format": "date-time" },
        "body": { "type": "string" },
        "parts": { "type": "object" },
        "secret": { "type": "string" },
        "secret_word": { "type": "string" },
        "secret_parts": { "type": "object" }
      } },
      "primary_key": ["id"],
      "consent_time_field": "sent_at",
      "selection": { "fields": true, "resources": true }
    }
  ]
}"#;

/// A backend under test.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Stores a record of the connection `name`.
    async fn put(&self, name: &str, record: PreparedRecord);

    /// What is tested.
    fn reader(&self) -> &dyn TextReader;

    /// Takes the tables of long text away, behind the reader's back.
    async fn lose_texts(&self);
}

/// Keys need not be secret here.
pub struct SameBytes;

impl Entropy for SameBytes {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// Makes the connections `a` and `b`.
pub async fn connect_both(store: &dyn Store) {
    for name in ["a", "b"] {
        let new = NewConnection {
            id: connection(name),
            name: ConnectionName::new(name).unwrap(),
            display_name: None,
            declaration: declaration(),
            now: "2026-04-01T00:00:00Z".parse().unwrap(),
        };
        store.ensure_connection(new).await.unwrap();
    }
}

/// Stores a record of the connection `name`.
pub async fn keep(store: &dyn Store, name: &str, record: PreparedRecord) {
    let batch = vec![record];
    let written = store.write_records(&connection(name), batch, WriteMode::AllOrNothing).await;
    assert!(written.unwrap().unwrap().kept);
}

pub fn declaration() -> SourceDeclaration {
    SourceDeclaration::parse(DECLARATION).unwrap()
}

pub fn connection(name: &str) -> ConnectionId {
    ConnectionId::new(format!("cin_{name}")).unwrap()
}

pub fn id(text: &str) -> RecordId {
    RecordId::new(text).unwrap()
}

pub fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

/// A note, ready to be stored.
pub fn note(id: &str, members: &[(&str, Json)], carries_codes: bool) -> PreparedRecord {
    let declaration = declaration();
    let shape = StreamShape::new(&declaration, declaration.stream("notes").unwrap());
    let key = RecordKey::new(vec![id.to_owned()]).unwrap();
    let mut data: JsonObject =
        members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    data.insert("id".to_owned(), text(id));
    let write = RecordWrite {
        id: key.id().unwrap(),
        key_order: key.sort_bytes(),
        emitted_at: "2026-04-01T00:00:00Z".to_owned(),
        data: Some(data),
        carries: Classification { codes: carries_codes, secrets: false },
    };
    prepare(&shape, &HashKey::new([7; 16]), write)
}

pub fn text(value: &str) -> Json {
    Json::String(value.to_owned())
}

/// The notes of one connection, without further limits.
pub fn notes(name: &str, fields: &[&str]) -> CollectionScope {
    CollectionScope {
        connection: connection(name),
        stream: StreamName::new("notes").unwrap(),
        fields: fields.iter().map(|&field| FieldName::new(field).unwrap()).collect(),
        time: None,
        records: None,
        leave_out_codes: false,
        leave_out_secrets: false,
    }
}

/// Reads a field of a note of the connection `a`; anything but text is a failure.
pub async fn read(backend: &dyn Backend, record: &str, field: &str, read: TextRead) -> TextWindow {
    let scope = ReadScope::new(vec![notes("a", &["id", "body", "parts"])]);
    let asked = format!("{record} {field} {read:?}");
    let answer = backend.reader().read_text(&scope, &id(record), &path(field), read).await;
    match answer.unwrap() {
        TextAnswer::Text(window) => window,
        other => panic!("{asked}: {other:?}"),
    }
}
