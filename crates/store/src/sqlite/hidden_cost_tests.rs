//! What is hidden must not show in what an answer costs, counted in steps of SQLite's machine.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdpp_contract::key::RecordKey;
use pdpp_contract::{ConnectionId, ConnectionName, FieldName, Instant, Json, RecordId, StreamName};
use serde_json::json;
use tempfile::TempDir;

use super::by_id::find_visible;
use super::driver::Connection;
use super::search::search;
use super::search_cost_tests::declaration;
use super::testing::fresh;
use crate::connections::{ConnectionStore, NewConnection};
use crate::prepare::{RecordWrite, StreamShape, prepare};
use crate::records::CollectionQuery;
use crate::scope::{CollectionScope, ReadScope, TimeBounds};
use crate::search::{SearchQuery, Term};
use crate::writes::{RecordWriter, WriteMode};

/// More than are looked at one by one.
const VISIBLE: usize = 3_100;

/// A note: its day, its text, and whether it carries codes.
type Note = (&'static str, &'static str, bool);

const OPEN: Note = ("2026-03-01", "weather at the harbour", false);
const EARLIER: Note = ("2025-03-01", "weather at the harbour", false);
const EARLIER_MATCH: Note = ("2025-03-01", "weather at the lighthouse", false);
const CODE: Note = ("2026-03-01", "weather at the harbour", true);
const CODE_MATCH: Note = ("2026-03-01", "weather at the lighthouse", true);

fn id(number: usize) -> RecordId {
    RecordKey::new(vec![format!("{number:05}")]).unwrap().id().unwrap()
}

/// A store of notes, with even numbers as keys: odd ones are absent.
async fn notes(parts: &[(usize, Note)]) -> TempDir {
    let (store, directory) = fresh().await.unwrap();
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
            carries_codes,
        };
        batch.push(prepare(&shape, &store.secrets.hashing, write));
    }
    store.write_records(&connection, batch, WriteMode::KeepGood).await.unwrap().unwrap();
    directory
}

/// Steps of one call, the second on its connection: no statement is prepared while they are counted.
fn steps(directory: &TempDir, call: impl Fn(&Connection)) -> u64 {
    let mut db = Connection::open(directory.path().join("store.db")).unwrap();
    call(&db);
    let count = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&count);
    let tick = move || counter.fetch_add(1, Ordering::Relaxed) == u64::MAX;
    db.progress_handler(1, Some(tick)).unwrap();
    call(&db);
    count.load(Ordering::Relaxed)
}

fn scope() -> CollectionScope {
    let field = |name: &str| FieldName::new(name).unwrap();
    CollectionScope {
        connection: ConnectionId::new("cin_a").unwrap(),
        stream: StreamName::new("notes").unwrap(),
        fields: ["id", "at", "body"].map(field).into(),
        time: None,
        records: None,
        leave_out_codes: false,
    }
}

fn this_year() -> CollectionScope {
    let field = FieldName::new("at").unwrap();
    let since = Instant::parse("2026-01-01");
    CollectionScope { time: Some(TimeBounds { field, since, until: None }), ..scope() }
}

/// Steps of a search that finds nothing.
fn search_steps(directory: &TempDir, scope: CollectionScope) -> u64 {
    let field = |name: &str| FieldName::new(name).unwrap();
    let query = SearchQuery {
        terms: vec![Term { text: "lighthous".to_owned(), prefix: false }],
        fields: vec![BTreeSet::from([field("body")])],
        collections: vec![CollectionQuery { order_field: Some(field("at")), conditions: vec![] }],
        cap: 20,
        as_of: None,
    };
    let scope = ReadScope::new(vec![scope]);
    steps(directory, |db| assert!(search(db, &scope, &query).unwrap().rows.is_empty()))
}

/// Within two parts of a hundred.
fn assert_alike(what: &str, one: u64, other: u64) {
    let (least, most) = (one.min(other), one.max(other));
    assert!(most * 100 <= least * 102, "{what}: {one} steps and {other} steps");
}

#[tokio::test]
async fn hidden_matches_cost_a_search_nothing() {
    let absent = notes(&[(VISIBLE, OPEN), (1_000, EARLIER)]).await;
    let plain = search_steps(&absent, this_year());
    for hidden in [1, 100, 1_000] {
        let store =
            notes(&[(VISIBLE, OPEN), (1_000 - hidden, EARLIER), (hidden, EARLIER_MATCH)]).await;
        let what = format!("{hidden} matches before the grant's time");
        assert_alike(&what, plain, search_steps(&store, this_year()));
    }
}

#[tokio::test]
async fn left_out_matches_cost_a_search_nothing() {
    let without_codes = CollectionScope { leave_out_codes: true, ..scope() };
    let absent = notes(&[(VISIBLE, OPEN), (400, CODE)]).await;
    let plain = search_steps(&absent, without_codes.clone());
    for hidden in [1, 100, 400] {
        let store = notes(&[(VISIBLE, OPEN), (400 - hidden, CODE), (hidden, CODE_MATCH)]).await;
        let what = format!("{hidden} matches with codes");
        assert_alike(&what, plain, search_steps(&store, without_codes.clone()));
    }
}

#[tokio::test]
async fn a_grant_of_named_records_searches_those_and_no_others() {
    let named = CollectionScope { records: Some([id(2), id(4)].into()), ..scope() };
    let few = search_steps(&notes(&[(40, OPEN)]).await, named.clone());
    let many =
        search_steps(&notes(&[(40, OPEN), (1_000, OPEN), (1_000, EARLIER_MATCH)]).await, named);
    assert_alike("2,000 records that are not named", few, many);
}

#[tokio::test]
async fn a_hidden_id_costs_what_an_absent_one_costs() {
    let store = notes(&[(20, OPEN), (20, EARLIER), (20, CODE), (20, OPEN)]).await;
    let shown = CollectionScope { leave_out_codes: true, ..this_year() };
    let steps_of = |number: usize| {
        steps(&store, |db| assert!(find_visible(db, &shown, &id(number)).unwrap().is_none()))
    };
    // Beside a visible record, beside a hidden one, earlier than the grant's time, with codes.
    let absent = steps_of(21);
    for number in [51, 50, 52, 90, 92] {
        assert_alike(&format!("the id {number}"), absent, steps_of(number));
    }
}
