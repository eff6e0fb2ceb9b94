//! Who works on a store. Every session holds a lock on it together with all others, as long as it lives;
//! whoever fills the store holds it alone, so that nobody goes on with the keys of what was there before.
//!
//! A session that comes back after a pause in which others could fill the store looks at its keys first.

use std::sync::Arc;

use super::pool::ReaderPool;
use crate::error::{StoreError, StoreResult};
use crate::postgres::Backend;
use crate::postgres::driver::{Connection, OptionalExtension};
use crate::postgres::errors::from_driver;

/// A session whose program was killed ends when the server notices; so long it is waited for.
const PATIENCE: &str = "3s";
/// `pdpp` in ASCII + 1, and the schema: a database may hold the demo's store too.
const STORE: &str = "1885630577, ('x' || substr(md5(current_schema()), 1, 8))::bit(32)::integer";
const FIND_KEY: &str = "
    SELECT value FROM store_meta WHERE name = 'sealing_key'";

/// The store was filled anew while nobody of this process was there.
#[derive(Debug, thiserror::Error)]
#[error("another store has taken the place of this one; start the program again")]
struct Replaced;

/// The sessions of one process.
pub(crate) struct Presence(Arc<ReaderPool>);

/// Joins those who work on a store; the store with this key, if one is given.
pub(crate) fn join(session: &Connection, key: Option<&[u8; 32]>) -> StoreResult<()> {
    lock(session, "pg_advisory_lock_shared", StoreError::BeingFilled)?;
    let Some(key) = key else { return Ok(()) };
    let found: Option<Vec<u8>> =
        session.query_row(FIND_KEY, [], |row| row.get(0)).optional().map_err(from_driver)?;
    if found.as_deref() == Some(key) { Ok(()) } else { Err(StoreError::unavailable(Replaced)) }
}

/// Has the store alone as long as the session lives; `InUse` when others work on it.
pub(crate) fn alone(session: &Connection) -> StoreResult<()> {
    lock(session, "pg_advisory_lock", StoreError::InUse)
}

impl Backend {
    pub(crate) fn presence(&self) -> Presence {
        Presence(Arc::clone(&self.readers))
    }
}

impl Presence {
    /// Has the store alone from now on; `InUse` when others work on it.
    pub(crate) fn begin_alone(&self, session: &Connection) -> StoreResult<()> {
        self.0.dismiss();
        alone(session)
    }

    /// Lets others in again.
    #[expect(clippy::unused_self, reason = "the other backend's lock is a file")]
    pub(crate) fn end_alone(&self, session: &Connection) -> StoreResult<()> {
        session.execute_batch(&format!("SELECT pg_advisory_unlock({STORE})")).map_err(from_driver)
    }
}

fn lock(session: &Connection, how: &str, refusal: StoreError) -> StoreResult<()> {
    // One batch is one transaction, and the patience lasts as long; the lock stays.
    let sql =
        format!("SELECT set_config('lock_timeout', '{PATIENCE}', true); SELECT {how}({STORE})");
    match session.execute_batch(&sql).map_err(from_driver) {
        Err(StoreError::Conflict(_)) => Err(refusal),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::testing::{another, fresh};

    #[tokio::test]
    async fn a_session_that_comes_back_notices_that_the_store_was_replaced() {
        let Some((store, guard)) = fresh().await else { return };
        let other = another(&guard).await.unwrap();
        let end_others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                           WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let end = move |db: &Connection| db.execute_batch(end_others).map_err(from_driver);
        other.with_writer(move |db| end(db)).await.unwrap();
        store.write(|_| Ok(())).await.expect("the same store is there again");
        let replace = "UPDATE store_meta SET value = decode(repeat('01', 32), 'hex')
                        WHERE name = 'sealing_key'";
        other.with_writer(move |db| db.execute_batch(replace).map_err(from_driver)).await.unwrap();
        other.with_writer(move |db| end(db)).await.unwrap();
        let refused = store.write(|_| Ok(())).await.unwrap_err();
        let Err(refused_too) = store.read(|_| Ok(())).await else { panic!("it reads on") };
        for refused in [refused, refused_too] {
            let StoreError::Unavailable(cause) = refused else { panic!("{refused}") };
            assert!(cause.is::<Replaced>(), "{cause}");
        }
    }
}
