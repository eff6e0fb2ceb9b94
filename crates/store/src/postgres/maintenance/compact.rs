//! Giving the room of deleted rows back: the server's own cleaning of our tables.

use crate::error::StoreResult;
use crate::maintenance::retention::{Compacting, DatabaseSize};
use crate::postgres::Backend;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;

/// Our tables, with what belongs to them.
const ROOM: &str = "
    SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS bigint)
      FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";

const TABLES: &str = "
    SELECT CAST(CAST(oid AS regclass) AS text)
      FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     ORDER BY oid";

pub(crate) fn room(db: &Connection) -> StoreResult<DatabaseSize> {
    let bytes: i64 = db.query_row(ROOM, [], |row| row.get(0)).map_err(from_driver)?;
    Ok(DatabaseSize { bytes: u64::try_from(bytes).unwrap_or(0), unused_bytes: None })
}

/// Each table is a statement of its own: none of them may stand in a transaction.
pub(crate) async fn compact(store: &Backend, how: Compacting) -> StoreResult<()> {
    let presence = store.presence();
    store
        .with_writer(move |db| match how {
            Compacting::Usual => vacuum(db, "ANALYZE"),
            Compacting::Rewrite => {
                presence.begin_alone(db)?;
                let rewritten = vacuum(db, "FULL, ANALYZE");
                let ended = presence.end_alone(db);
                rewritten.and(ended)
            }
        })
        .await
}

fn vacuum(db: &Connection, how: &str) -> StoreResult<()> {
    let tables: Vec<String> = db
        .prepare(TABLES)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    for table in tables {
        db.execute_batch(&format!("VACUUM ({how}) {table}")).map_err(from_driver)?;
    }
    Ok(())
}
