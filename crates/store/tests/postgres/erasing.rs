//! What was erased is in no row any more, the old ones that a server keeps included.

use std::sync::Arc;

use pdpp_store::Store;
use pdpp_store_conformance::sample::{EMITTED, time};
use pdpp_testkit::postgres::{fresh_database, plain};
use tokio_postgres::Client;

use crate::desk::{account, open};

/// Every table with the one beside it that holds its long values.
const TABLES: &str = "
    SELECT t.relname::text, pg_relation_size(t.oid) + coalesce(pg_relation_size(long.oid), 0)
      FROM pg_class t LEFT JOIN pg_class long ON long.oid = t.reltoastrelid
     WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
     ORDER BY t.relname";

/// Tables without a row that still have pages: a vacuum gives the pages of an empty table back.
async fn tables_with_old_rows(client: &Client) -> Vec<String> {
    let mut found = Vec::new();
    for row in client.query(TABLES, &[]).await.unwrap() {
        let (table, size): (String, i64) = (row.get(0), row.get(1));
        let rows = format!("SELECT count(*) FROM {table}");
        let rows: i64 = client.query_one(&rows, &[]).await.unwrap().get(0);
        if rows == 0 && size > 0 {
            found.push(table);
        }
    }
    found
}

async fn keep(store: &Arc<dyn Store>) -> String {
    let mut upload = store.new_blob().await.unwrap();
    upload.write((0..340_000_u32).map(|n| (n % 251) as u8).collect()).await.unwrap();
    upload.keep(None, time(EMITTED)).await.unwrap().unwrap().id.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_connection_leaves_no_old_rows() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let account = account(&store).await;
    let (blob, long) = (keep(&store).await, "a long letter ".repeat(5_000));
    let note = format!(
        r#"{{"id":"1","at":"2026-01-01T00:00:00Z","title":"a","body":"{long}","parts":{{"blob_id":"{blob}"}}}}"#
    );
    account.put("notes", &[note]).await;
    account.put("notes", &[r#"{"id":"1","at":"2026-01-02T00:00:00Z","title":"b"}"#]).await;
    let erased = store.remove_connection(&account.id, time(EMITTED)).await.unwrap();
    assert_eq!(erased.unwrap().records, 1);
    let client = plain(database.url()).await;
    assert_eq!(tables_with_old_rows(&client).await, Vec::<String>::new());
}
