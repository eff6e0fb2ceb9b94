//! What is hidden must not show in what an answer costs, counted in steps of SQLite's machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use crate::records::scope::CollectionScope;
use crate::sqlite::driver::Connection;
use crate::sqlite::sql::records::by_id::find_visible;
use crate::sqlite::sql::tests::hidden_notes::{
    CODE, CODE_MATCH, EARLIER, EARLIER_MATCH, Note, OPEN, VISIBLE, assert_alike, find_nothing, id,
    put_notes, scope, this_year,
};
use crate::sqlite::testing::fresh;

async fn notes(parts: &[(usize, Note)]) -> TempDir {
    let (store, directory) = fresh().await.unwrap();
    put_notes(&store, parts).await;
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

/// Steps of a search that finds nothing.
fn search_steps(directory: &TempDir, scope: &CollectionScope) -> u64 {
    steps(directory, |db| find_nothing(db, scope))
}

#[tokio::test]
async fn hidden_matches_cost_a_search_nothing() {
    let absent = notes(&[(VISIBLE, OPEN), (1_000, EARLIER)]).await;
    let plain = search_steps(&absent, &this_year());
    for hidden in [1, 100, 1_000] {
        let store =
            notes(&[(VISIBLE, OPEN), (1_000 - hidden, EARLIER), (hidden, EARLIER_MATCH)]).await;
        let what = format!("{hidden} matches before the grant's time");
        assert_alike(&what, plain, search_steps(&store, &this_year()));
    }
}

#[tokio::test]
async fn left_out_matches_cost_a_search_nothing() {
    let without_codes = CollectionScope { leave_out_codes: true, ..scope() };
    let absent = notes(&[(VISIBLE, OPEN), (400, CODE)]).await;
    let plain = search_steps(&absent, &without_codes);
    for hidden in [1, 100, 400] {
        let store = notes(&[(VISIBLE, OPEN), (400 - hidden, CODE), (hidden, CODE_MATCH)]).await;
        let what = format!("{hidden} matches with codes");
        assert_alike(&what, plain, search_steps(&store, &without_codes));
    }
}

#[tokio::test]
async fn a_grant_of_named_records_searches_those_and_no_others() {
    let named = CollectionScope { records: Some([id(2), id(4)].into()), ..scope() };
    let few = search_steps(&notes(&[(40, OPEN)]).await, &named);
    let many =
        search_steps(&notes(&[(40, OPEN), (1_000, OPEN), (1_000, EARLIER_MATCH)]).await, &named);
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
