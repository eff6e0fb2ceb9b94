//! Numbers that a server gives out are not given back when a transaction is undone.

use pdpp_store::writes::WriteMode;
use pdpp_store_conformance::sample::EMITTED;
use pdpp_testkit::postgres::{fresh_database, plain};

use crate::desk::{note, open, searched_account};

/// There are 65,535 of them for as long as a store lives.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_undone_uses_up_no_number_of_a_searched_field() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let account = searched_account(&store).await;
    for _ in 0..3 {
        let batch = vec![account.prepared("notes", EMITTED, &note(1))];
        assert!(!account.write(batch, WriteMode::DryRun).await.kept);
    }
    account.put("notes", &[note(1)]).await;
    let question = "SELECT max(field_no) FROM search_fields";
    let last: i64 = plain(database.url()).await.query_one(question, &[]).await.unwrap().get(0);
    assert_eq!(last, 1, "one field was searched: the title");
}
