//! Erasure: what was deleted or replaced is in no table any more.
//!
//! The server keeps old row versions until it vacuums, its log and its backups longer; both are the
//! operator's to set. An erasure that an owner asked for vacuums the tables that held content.

use pdpp_contract::blob::BlobId;

use crate::error::{StoreError, StoreResult};
use crate::postgres::Backend;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::sql::blobs::refs;
use crate::postgres::sql::connections::collection;

/// Tables whose rows hold content, words of it or names; the typed copies come on top.
const HOLD_CONTENT: [&str; 18] = [
    "records",
    "text_chunks",
    "texts",
    "search_index",
    "search_rows",
    "versions",
    "changes",
    "pruned",
    "record_keys",
    "blob_pieces",
    "blob_refs",
    "blobs",
    "quarantine",
    "grants",
    "connections",
    "collections",
    "collection_fields",
    "time_fields",
];
/// Tables of that list which belong to somebody whose part we may not take.
const FOREIGN: &str = "
    SELECT count(*)
      FROM unnest(string_to_array(?1, ', ')) AS held (name)
      JOIN pg_class c ON c.oid = to_regclass(held.name)
     WHERE NOT pg_has_role(c.relowner, 'USAGE')";
const LIST_PROJECTIONS: &str = "
    SELECT projection_no FROM projections ORDER BY projection_no";

impl Backend {
    /// Ends an erasure: the bytes of blobs that nobody refers to, then old row versions.
    pub(crate) async fn forget_old_pages(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let files = self.blobs.clone();
        self.with_writer(move |writer| {
            refs::unlink(writer, &files, &gone)?;
            tables(writer)?.iter().try_for_each(|table| vacuum(writer, table))
        })
        .await
    }

    /// The same after one step of an erasure: old row versions are left to its end.
    pub(crate) async fn forget_step(&self, gone: Vec<BlobId>) -> StoreResult<()> {
        let files = self.blobs.clone();
        self.with_writer(move |writer| refs::unlink(writer, &files, &gone).map(drop)).await
    }

    /// The same after a write that replaced or deleted something: left to the server.
    #[expect(clippy::unused_self, reason = "the other backend keeps a log to cut")]
    pub(crate) fn forget_replaced(
        &self,
    ) -> impl FnOnce(&mut Connection, bool) -> StoreResult<()> + use<> {
        |_, _| Ok(())
    }
}

/// Refuses an erasure that could not be ended: of a table that is not ours, old rows stay, and the
/// server only warns.
pub(crate) fn check_may_erase(db: &Connection) -> StoreResult<()> {
    let names = tables(db)?.join(", ");
    let foreign: i64 = db.query_row(FOREIGN, [names], |row| row.get(0)).map_err(from_driver)?;
    if foreign == 0 {
        return Ok(());
    }
    let words = "permission denied: what is erased stays in tables that belong to another role";
    Err(StoreError::NotAllowed(words.into()))
}

/// Takes away old versions of the rows of a table, and what indexes hold of them, however few they are.
fn vacuum(db: &Connection, table: &str) -> StoreResult<()> {
    match db.execute_batch(&format!("VACUUM (INDEX_CLEANUP ON) {table}")).map_err(from_driver) {
        // The erasure itself is done and kept, so it does not fail.
        Err(StoreError::Conflict(_)) => {
            tracing::warn!(
                "another vacuum holds the table {table}, and what was erased is in it until that \
                 ends; then run VACUUM {table}"
            );
            Ok(())
        }
        done => done,
    }
}

fn tables(db: &Connection) -> StoreResult<Vec<String>> {
    let copies: Vec<i64> = db
        .prepare(LIST_PROJECTIONS)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    let fixed = HOLD_CONTENT.iter().map(|table| (*table).to_owned());
    Ok(fixed.chain(copies.iter().map(|no| collection::table(*no))).collect())
}
