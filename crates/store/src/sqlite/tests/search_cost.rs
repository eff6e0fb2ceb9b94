//! What a search costs, in steps of SQLite's machine, which are the same on every computer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdpp_contract::key::RecordKey;
use pdpp_contract::{ConnectionId, ConnectionName, FieldName, Instant, Json, StreamName};
use serde_json::json;

use crate::records::CollectionQuery;
use crate::records::connections::{ConnectionStore, NewConnection};
use crate::records::scope::{CollectionScope, ReadScope, TimeBounds};
use crate::search::{SearchQuery, Term};
use crate::sqlite::driver::Connection;
use crate::sqlite::sql::search::search;
use crate::sqlite::sql::tests::hidden_notes::declaration;
use crate::sqlite::testing::fresh;
use crate::writes::prepare::{Classification, RecordWrite, StreamShape, prepare};
use crate::writes::{RecordWriter, WriteMode};

/// A store of so many notes, of which the first alone holds `lighthouse` and all hold `weather`.
/// Steps of a search for each word, and of one for the rare word within a time.
async fn steps(notes: usize) -> [u64; 3] {
    let (store, directory) = fresh().await.unwrap();
    let declaration = declaration();
    let shape = StreamShape::new(&declaration, declaration.stream("notes").unwrap());
    let id = ConnectionId::new("cin_a").unwrap();
    let new = NewConnection {
        id: id.clone(),
        name: ConnectionName::new("a").unwrap(),
        display_name: None,
        declaration,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    store.ensure_connection(new).await.unwrap();
    let note = |number: usize| {
        let key = RecordKey::new(vec![format!("{number:05}")]).unwrap();
        let body = if number == 0 { "weather at the lighthouse" } else { "weather at the harbour" };
        let text = json!({"id": format!("{number:05}"), "at": "2026-01-02", "body": body});
        let Ok(Json::Object(data)) = Json::parse(&text.to_string()) else { panic!("{text}") };
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: "2026-04-01T12:00:00Z".to_owned(),
            data: Some(data),
            carries: Classification::default(),
        };
        prepare(&shape, &store.secrets.hashing, write)
    };
    let batch = (0..notes).map(note).collect();
    store.write_records(&id, batch, WriteMode::KeepGood).await.unwrap().unwrap();
    let mut found = [0; 3];
    let asked = [("lighthous", None), ("weather", None), ("lighthous", Some("2026-01-01"))];
    for (steps, (word, since)) in found.iter_mut().zip(asked) {
        let (scope, query) = question(word, since);
        let mut db = Connection::open(directory.path().join("store.db")).unwrap();
        // Once before, so that no statement is prepared while steps are counted.
        assert!(!search(&db, &scope, &query).unwrap().rows.is_empty());
        let count = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&count);
        let tick = move || counter.fetch_add(1, Ordering::Relaxed) == u64::MAX;
        db.progress_handler(1, Some(tick)).unwrap();
        search(&db, &scope, &query).unwrap();
        *steps = count.load(Ordering::Relaxed);
    }
    found
}

fn question(word: &str, since: Option<&str>) -> (ReadScope, SearchQuery) {
    let field = |name: &str| FieldName::new(name).unwrap();
    let scope = CollectionScope {
        connection: ConnectionId::new("cin_a").unwrap(),
        stream: StreamName::new("notes").unwrap(),
        fields: ["id", "at", "body"].map(field).into(),
        time: since.map(|since| TimeBounds {
            field: field("at"),
            since: Instant::parse(since),
            until: None,
        }),
        records: None,
        leave_out_codes: false,
        leave_out_secrets: false,
    };
    let query = SearchQuery {
        terms: vec![Term { text: word.to_owned(), prefix: false }],
        fields: vec![BTreeSet::from([field("body")])],
        collections: vec![CollectionQuery { order_field: Some(field("at")), conditions: vec![] }],
        cap: 20,
        seen_through: None,
    };
    (ReadScope::new(vec![scope]), query)
}

#[tokio::test]
async fn a_word_costs_what_it_finds_however_many_records_lie_around_it() {
    let (few, many) = (steps(40).await, steps(2_000).await);
    for (word, few, many) in [("rare", few[0], many[0]), ("everywhere", few[1], many[1])] {
        assert!(many <= few * 2, "{word}: {few} steps among 40 records, {many} among 2,000");
    }
    // Within a time each visible record is looked at, for a walk could meet any number of hidden
    // ones; one question for each of them is enough.
    assert!(many[2] < 2_000 * 40, "{} steps for 2,000 visible records", many[2]);
}
