//! The one connection that writes. Its users take turns; before each turn the file is still the one that
//! was opened, and an ordinary write leaves the reserved disk space alone.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::reserve_file::ReserveFile;
use super::store_file::StoreFile;
use crate::error::{StoreError, StoreResult};
use crate::opening::reserve::Reserve;
use crate::sqlite::errors::from_driver;
use crate::sqlite::maintenance::erasing;
use crate::sqlite::migrations;

/// Writes what stands there already: what it needs is room in the log.
const WRITE_AGAIN: &str = "
    UPDATE change_counter SET change_no = change_no WHERE only_row = 1";

/// The connection that writes.
#[derive(Clone)]
pub(crate) struct Writer {
    /// Absent where the store can only be read.
    connection: Arc<Mutex<Option<Connection>>>,
    pub(crate) file: Arc<StoreFile>,
    reserve: ReserveFile,
    /// Whether the last write found no room.
    found_no_room: Arc<AtomicBool>,
}

impl Writer {
    /// Takes over a connection; without one, every write is refused.
    pub(crate) fn new(
        connection: Option<Connection>,
        path: &Path,
        reserve: ReserveFile,
    ) -> StoreResult<Self> {
        Ok(Self {
            connection: Arc::new(Mutex::new(connection)),
            file: Arc::new(StoreFile::opened(path)?),
            reserve,
            found_no_room: Arc::default(),
        })
    }

    /// Waits for its turn, then works.
    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.in_turn(|connection| {
            self.make_room(connection)?;
            work(connection)
        })
    }

    /// The same for a write that a full disk must not stop: it may be tried more than once, with less and
    /// less of the reserved space kept back.
    pub(crate) fn with_reserve<T>(
        &self,
        reserve: Reserve,
        mut work: impl FnMut(&mut Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.in_turn(|connection| {
            let mut outcome = work(connection);
            if matches!(outcome, Err(StoreError::Full)) && erasing::cut_log_soon(connection) {
                outcome = work(connection);
            }
            while matches!(outcome, Err(StoreError::Full)) && self.reserve.release(reserve)? {
                outcome = work(connection);
            }
            outcome
        })
    }

    /// Fails when a write could not be kept now.
    pub(crate) fn check(&self) -> StoreResult<()> {
        self.file.check()?;
        self.reserve.probe()?;
        if !self.found_no_room.load(Ordering::Relaxed) {
            return Ok(());
        }
        // The last one found no room: only another one can tell.
        self.with(|connection| connection.execute(WRITE_AGAIN, []).map(drop).map_err(from_driver))
    }

    fn in_turn<T>(&self, work: impl FnOnce(&mut Connection) -> StoreResult<T>) -> StoreResult<T> {
        // A panic in an earlier write rolled its transaction back; the connection is sound.
        let mut place = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = place.as_mut().ok_or(StoreError::ReadOnly)?;
        self.file.check()?;
        migrations::check_version(connection)?;
        let outcome = work(connection);
        match &outcome {
            Ok(_) => self.found_no_room.store(false, Ordering::Relaxed),
            Err(StoreError::Full) => self.found_no_room.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
        outcome
    }

    /// Makes sure that the reserved space is whole before an ordinary write takes what is free.
    fn make_room(&self, connection: &Connection) -> StoreResult<()> {
        match self.reserve.ensure() {
            Err(StoreError::Full) if erasing::cut_log_soon(connection) => self.reserve.ensure(),
            made => made,
        }
    }
}

/// Begins to write, on the tables that this version knows.
pub(crate) fn begin_write(connection: &mut Connection) -> StoreResult<Transaction<'_>> {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(from_driver)?;
    migrations::check_version(&transaction)?;
    Ok(transaction)
}
