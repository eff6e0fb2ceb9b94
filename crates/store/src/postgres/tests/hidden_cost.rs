//! What is hidden must not show in what an answer costs, counted in rows that the server fetches.

use crate::error::StoreResult;
use crate::postgres::driver::{Connection, TransactionBehavior};
use crate::postgres::sql::records::by_id::find_visible;
use crate::postgres::sql::tests::hidden_notes::{
    CODE, CODE_MATCH, EARLIER, EARLIER_MATCH, Note, OPEN, VISIBLE, assert_alike, find_nothing, id,
    put_notes, scope, this_year,
};
use crate::postgres::testing::fresh;
use crate::records::scope::CollectionScope;

/// Rows that this transaction has fetched, and how often it has looked into an index or a table.
const FETCHED: &str = "
    SELECT CAST(coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)
                             + seq_scan + coalesce(idx_scan, 0)), 0) AS bigint)
      FROM pg_stat_xact_user_tables";

/// Something that is read.
type Call = Box<dyn Fn(&Connection) + Send>;

/// Rows that some calls fetch in a store of notes; `None` without a server.
async fn fetched<const N: usize>(parts: &[(usize, Note)], calls: [Call; N]) -> Option<[u64; N]> {
    let (store, _kept) = fresh().await?;
    put_notes(&store, parts).await;
    let counted = store.with_writer(move |session| {
        session.execute_batch("VACUUM ANALYZE").unwrap();
        let mut counts = [0; N];
        for (count, call) in counts.iter_mut().zip(calls) {
            let transaction =
                session.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
            let before: i64 = transaction.query_row(FETCHED, [], |row| row.get(0)).unwrap();
            call(&transaction);
            let after: i64 = transaction.query_row(FETCHED, [], |row| row.get(0)).unwrap();
            *count = u64::try_from(after - before).unwrap();
        }
        StoreResult::Ok(counts)
    });
    Some(counted.await.unwrap())
}

fn search(scope: &CollectionScope) -> Call {
    let scope = scope.clone();
    Box::new(move |db| find_nothing(db, &scope))
}

#[tokio::test]
async fn hidden_matches_cost_a_search_no_rows() {
    let limited = this_year();
    let none = fetched(&[(VISIBLE, OPEN), (1_000, EARLIER)], [search(&limited)]).await;
    let many = fetched(&[(VISIBLE, OPEN), (1_000, EARLIER_MATCH)], [search(&limited)]).await;
    let (Some([none]), Some([many])) = (none, many) else { return };
    assert!(none > 3_000, "{none} rows: what a search accounts for is counted");
    assert_alike("1,000 matches before the grant's time", none, many);
}

#[tokio::test]
async fn left_out_matches_cost_a_search_no_rows() {
    let limited = CollectionScope { leave_out_codes: true, ..scope() };
    let none = fetched(&[(VISIBLE, OPEN), (400, CODE)], [search(&limited)]).await;
    let many = fetched(&[(VISIBLE, OPEN), (400, CODE_MATCH)], [search(&limited)]).await;
    let (Some([none]), Some([many])) = (none, many) else { return };
    assert!(none > 500, "{none} rows: what a search accounts for is counted");
    assert_alike("400 matches with codes", none, many);
}

#[tokio::test]
async fn a_hidden_id_fetches_what_an_absent_one_fetches() {
    let shown = CollectionScope { leave_out_codes: true, ..this_year() };
    let read = |number: usize| -> Call {
        let shown = shown.clone();
        Box::new(move |db| assert!(find_visible(db, &shown, &id(number)).unwrap().is_none()))
    };
    let parts = [(20, OPEN), (20, EARLIER), (20, CODE), (20, OPEN)];
    let counted = fetched(&parts, [read(21), read(21), read(50), read(90)]).await;
    let Some([_, absent, earlier, code]) = counted else { return };
    assert!(absent > 0, "what is fetched is counted");
    assert_eq!((absent, absent), (earlier, code), "rows fetched");
}
