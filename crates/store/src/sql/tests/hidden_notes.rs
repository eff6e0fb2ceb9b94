//! Notes of which a grant hides some, for tests of what hidden ones cost.

use std::collections::BTreeSet;

use pdpp_contract::declaration::SourceDeclaration;
use pdpp_contract::key::RecordKey;
use pdpp_contract::{ConnectionId, ConnectionName, FieldName, Instant, Json, RecordId, StreamName};
use serde_json::json;

use super::backend::Backend;
use super::backend::driver::Connection;
use super::sql::search::search;
use crate::records::CollectionQuery;
use crate::records::connections::{ConnectionStore, NewConnection};
use crate::records::scope::{CollectionScope, ReadScope, TimeBounds};
use crate::search::{SearchQuery, Term};
use crate::writes::prepare::{Classification, RecordWrite, StreamShape, prepare};
use crate::writes::{RecordWriter, WriteMode};

/// More than are looked at one by one.
pub(crate) const VISIBLE: usize = 3_100;

/// A note: its day, its text, and whether it carries codes.
pub(crate) type Note = (&'static str, &'static str, bool);

pub(crate) const OPEN: Note = ("2026-03-01", "weather at the harbour", false);
pub(crate) const EARLIER: Note = ("2025-03-01", "weather at the harbour", false);
pub(crate) const EARLIER_MATCH: Note = ("2025-03-01", "weather at the lighthouse", false);
pub(crate) const CODE: Note = ("2026-03-01", "weather at the harbour", true);
pub(crate) const CODE_MATCH: Note = ("2026-03-01", "weather at the lighthouse", true);

/// The id of a note; odd ones are absent.
pub(crate) fn id(number: usize) -> RecordId {
    RecordKey::new(vec![format!("{number:05}")]).unwrap().id().unwrap()
}

/// Puts notes into an empty store, with even numbers as keys.
pub(crate) async fn put_notes(store: &Backend, parts: &[(usize, Note)]) {
    let declaration = declaration();
    let shape = StreamShape::new(&declaration, declaration.stream("notes").unwrap());
    let connection = ConnectionId::new("cin_a").unwrap();
    let new = NewConnection {
        id: connection.clone(),
        name: ConnectionName::new("a").unwrap(),
        display_name: None,
        declaration,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    store.ensure_connection(new).await.unwrap();
    let all = parts.iter().flat_map(|(count, note)| std::iter::repeat_n(*note, *count));
    let mut batch = Vec::new();
    for (number, (at, body, carries_codes)) in all.enumerate() {
        let name = format!("{:05}", number * 2);
        let key = RecordKey::new(vec![name.clone()]).unwrap();
        let text = json!({"id": name, "at": at, "body": body}).to_string();
        let Ok(Json::Object(data)) = Json::parse(&text) else { panic!("{text}") };
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: "2026-04-01T12:00:00Z".to_owned(),
            data: Some(data),
            carries: Classification { codes: carries_codes, secrets: false },
        };
        batch.push(prepare(&shape, &store.secrets.hashing, write));
    }
    store.write_records(&connection, batch, WriteMode::KeepGood).await.unwrap().unwrap();
}

/// All of the notes.
pub(crate) fn scope() -> CollectionScope {
    let field = |name: &str| FieldName::new(name).unwrap();
    CollectionScope {
        connection: ConnectionId::new("cin_a").unwrap(),
        stream: StreamName::new("notes").unwrap(),
        fields: ["id", "at", "body"].map(field).into(),
        time: None,
        records: None,
        leave_out_codes: false,
        leave_out_secrets: false,
    }
}

/// The notes of one year.
pub(crate) fn this_year() -> CollectionScope {
    let field = FieldName::new("at").unwrap();
    let since = Instant::parse("2026-01-01");
    CollectionScope { time: Some(TimeBounds { field, since, until: None }), ..scope() }
}

/// Searches for a word that no visible note holds.
pub(crate) fn find_nothing(db: &Connection, scope: &CollectionScope) {
    let field = |name: &str| FieldName::new(name).unwrap();
    let query = SearchQuery {
        terms: vec![Term { text: "lighthous".to_owned(), prefix: false }],
        fields: vec![BTreeSet::from([field("body")])],
        collections: vec![CollectionQuery { order_field: Some(field("at")), conditions: vec![] }],
        cap: 20,
        seen_through: None,
    };
    let scope = ReadScope::new(vec![scope.clone()]);
    assert!(search(db, &scope, &query).unwrap().rows.is_empty());
}

/// Within two parts of a hundred.
pub(crate) fn assert_alike(what: &str, one: u64, other: u64) {
    let (least, most) = (one.min(other), one.max(other));
    assert!(most * 100 <= least * 102, "{what}: {one} and {other}");
}

/// A source of notes.
pub(crate) fn declaration() -> SourceDeclaration {
    let declaration = json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://registry.pdpp.dev/connectors/sample"},
        "declaration_version": "1",
        "publisher": {"id": "https://registry.pdpp.dev/publishers/pdpp"},
        "display": {"name": "Sample"},
        "streams": [{
            "name": "notes",
            "semantics": "mutable_state",
            "schema": {"type": "object", "properties": {
                "id": {"type": "string"}, "body": {"type": "string"},
                "at": {"type": "string", "format": "date-time"}
            }},
            "primary_key": ["id"],
            "cursor_field": "at",
            "consent_time_field": "at",
            "selection": {"fields": true, "resources": true},
            "query": {"search": {"lexical_fields": ["body"]}}
        }]
    });
    SourceDeclaration::parse(&declaration.to_string()).unwrap()
}
