//! Giving the room of deleted rows back to the disk: the file is written anew.

use rusqlite::Connection;

use crate::error::StoreResult;
use crate::maintenance::retention::{Compacting, DatabaseSize};
use crate::sqlite::Backend;
use crate::sqlite::errors::from_driver;

pub(crate) fn room(db: &Connection) -> StoreResult<DatabaseSize> {
    let pragma = |name: &str| {
        let value = db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        value.map(|value| u64::try_from(value).unwrap_or(0)).map_err(from_driver)
    };
    let page = pragma("page_size")?;
    let unused = pragma("freelist_count")? * page;
    Ok(DatabaseSize { bytes: pragma("page_count")? * page, unused_bytes: Some(unused) })
}

/// Both ways write the file anew, which nobody else may look at meanwhile.
pub(crate) async fn compact(store: &Backend, _: Compacting) -> StoreResult<()> {
    let (presence, directory) = (store.presence(), store.temporary_files());
    store
        .with_writer(move |db| {
            presence.begin_alone(db)?;
            let rewritten = rewrite(db, &directory);
            let ended = presence.end_alone(db);
            rewritten.and(ended)
        })
        .await
}

/// The copy grows beside the store and not in memory or in a directory that others share. It is
/// written into the log and from there into the file, so twice the room of what is used is needed.
fn rewrite(db: &Connection, directory: &str) -> StoreResult<()> {
    let quoted = directory.replace('\'', "''");
    let begin = format!("PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '{quoted}';");
    let end = "PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY;";
    db.execute_batch(&begin).map_err(from_driver)?;
    let rewritten = db.execute_batch("VACUUM").map_err(from_driver);
    db.execute_batch(end).map_err(from_driver)?;
    rewritten?;
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(from_driver)
}
