//! Read-only connections, opened when first needed and kept.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::Semaphore;

use super::read_only::{self, Access};
use crate::error::{AllBusy, StoreError, StoreResult};
use crate::sqlite::errors::from_driver;
use crate::sqlite::spawn;

/// How many virtual machine steps pass between two looks at the clock.
const STEPS_BETWEEN_CHECKS: i32 = 4_000;
const CACHED_STATEMENTS: usize = 128;

/// A few read-only connections to one file.
pub(crate) struct ReaderPool {
    path: PathBuf,
    access: Access,
    idle: Mutex<Vec<Connection>>,
    places: Semaphore,
}

impl ReaderPool {
    pub(crate) fn new(path: PathBuf, size: usize, access: Access) -> Self {
        let places = Semaphore::new(size.max(1));
        Self { path, access, idle: Mutex::new(Vec::new()), places }
    }

    /// Runs a read that takes as long as it takes, in one snapshot and on a connection of its own.
    pub(crate) fn at_one_moment<T>(
        &self,
        read: impl FnOnce(&Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let connection = read_only::open(&self.path, self.access)?;
        connection.execute_batch("PRAGMA temp_store = MEMORY").map_err(from_driver)?;
        let transaction = connection.unchecked_transaction().map_err(from_driver)?;
        read(&transaction)
    }

    /// Runs one read in a snapshot. Past the deadline the running statement is interrupted.
    pub(crate) async fn run<T, F>(pool: &Arc<Self>, limit: Duration, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let deadline = Instant::now() + limit;
        let place = tokio::time::timeout(limit, pool.places.acquire())
            .await
            .map_err(|_| StoreError::unavailable(AllBusy))?
            .map_err(StoreError::unavailable)?;
        let pool = Arc::clone(pool);
        let answer = spawn(move || {
            let mut connection = pool.take()?;
            let answer = snapshot(&mut connection, deadline, read);
            pool.give_back(connection);
            answer
        })
        .await;
        drop(place);
        answer
    }

    /// Runs a read of a few rows where the caller stands, if a connection lies ready: to hand it to
    /// another thread and back would cost more than the read.
    pub(crate) async fn glance<T, F>(pool: &Arc<Self>, limit: Duration, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let ready = pool.places.try_acquire().ok().and_then(|place| Some((place, pool.idle()?)));
        let Some((place, mut connection)) = ready else {
            return Self::run(pool, limit, read).await;
        };
        let answer = snapshot(&mut connection, Instant::now() + limit, read);
        pool.give_back(connection);
        drop(place);
        answer
    }

    fn idle(&self) -> Option<Connection> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn give_back(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }

    fn take(&self) -> StoreResult<Connection> {
        self.idle().map_or_else(|| self.open(), Ok)
    }

    pub(crate) fn open(&self) -> StoreResult<Connection> {
        let connection = read_only::open(&self.path, self.access)?;
        connection
            .execute_batch(
                "PRAGMA query_only = ON;
                 PRAGMA busy_timeout = 5000;
                 PRAGMA cache_size = -8000;
                 PRAGMA temp_store = MEMORY;",
            )
            .map_err(from_driver)?;
        keep_plans(&connection)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        Ok(connection)
    }
}

/// A statement keeps its plan whatever is bound to it. Otherwise SQLite looks at the values of
/// equality conditions and prepares a cached statement anew for each use, which costs more than
/// most of our reads.
pub(crate) fn keep_plans(connection: &Connection) -> StoreResult<()> {
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map(|_| ())
        .map_err(from_driver)
}

fn snapshot<T>(
    connection: &mut Connection,
    deadline: Instant,
    read: impl FnOnce(&Connection) -> StoreResult<T>,
) -> StoreResult<T> {
    let late = move || Instant::now() > deadline;
    connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(late)).map_err(from_driver)?;
    let transaction = connection.unchecked_transaction().map_err(from_driver)?;
    read(&transaction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::testing::fresh;

    /// Takes far longer than the test gives it, and ends all the same if nobody interrupts it.
    const SLOW: &str = "
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 200000000)
        SELECT count(*) FROM numbers";

    #[tokio::test]
    async fn a_read_past_its_deadline_is_interrupted() {
        let (_store, directory) = fresh().await.unwrap();
        let path = directory.path().join("store.db");
        let pool = Arc::new(ReaderPool::new(path, 1, Access::Shared));
        let slow = |db: &Connection| db.query_row(SLOW, [], |row| row.get(0)).map_err(from_driver);
        let late = ReaderPool::run::<i64, _>(&pool, Duration::from_millis(50), slow).await;
        assert!(matches!(late, Err(StoreError::DeadlineExceeded)), "{late:?}");
        ReaderPool::run(&pool, Duration::from_secs(20), |_| Ok(())).await.unwrap();
    }
}
