//! Opening a store: which backend answers is decided here and nowhere else.

pub(crate) mod file_id;
pub(crate) mod options;
pub(crate) mod reserve;
pub(crate) mod schema_check;
pub(crate) mod secrets;

use std::sync::Arc;

use crate::{Database, Store, StoreOptions, StoreResult, postgres, sqlite};

/// Opens a store, creating it when it does not exist, and brings its schema up to date.
///
/// Refuses a file or database that is not ours and one that a newer version wrote, and changes
/// neither.
pub async fn open(options: StoreOptions) -> StoreResult<Arc<dyn Store>> {
    match options.database.clone() {
        Some(database) => Ok(Arc::new(postgres::Backend::open(&database, options).await?)),
        None => Ok(Arc::new(sqlite::Backend::open(options).await?)),
    }
}

/// Drops the schema of a database with the store in it, if it is there. Only one that was named: the
/// schema that a user finds first may hold more than a store.
pub async fn erase_schema(database: Database) -> StoreResult<()> {
    postgres::erase_schema(database).await
}
