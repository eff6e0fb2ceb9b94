//! Transactions of a session.

use std::ops::Deref;

use tokio_postgres::error::SqlState;

use super::Error;
use super::Result;
use super::session::Connection;
use super::waiting::ends_session;

/// How a transaction begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TransactionBehavior {
    /// With the store's write lock.
    Immediate,
}

/// Writers of all processes take turns: change numbers are given in the order of their commits, and
/// whoever reads the newest one has read everything below it. The number is `pdpp` in ASCII. The second lock
/// keeps those away who change the tables.
const BEGIN_WRITE: &str = "
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT pg_advisory_xact_lock(1885630576, 1);
    SELECT pg_advisory_xact_lock_shared(1885630576, 0)";

/// A process that was cut off in the middle of a write leaves its session behind, and with it the lock: the
/// server waits for its client, which may last for hours. A writer that computes does not pause for so long,
/// nor does a line that carries anything: 60 seconds between statements, 120 within one.
const END_SILENT: &str = "
    SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid, 2000))
      FROM pg_locks l
      JOIN pg_stat_activity a ON a.pid = l.pid,
           (SELECT CAST(current_setting('lock_timeout') AS interval)) AS p (patience)
     WHERE l.locktype = 'advisory'
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (l.classid, l.objid, l.objsubid) = (1885630576, 1, 2)
       AND l.granted
       AND a.pid <> pg_backend_pid()
       AND (a.state LIKE 'idle in transaction%'
            AND a.state_change < clock_timestamp() - patience * 2
         OR a.state = 'active' AND a.wait_event_type = 'Client'
            AND a.state_change < clock_timestamp() - patience * 4)";

/// A transaction; dropped without a commit, it leaves nothing.
pub(crate) struct Transaction<'a> {
    db: &'a Connection,
    open: bool,
}

impl Connection {
    /// Begins to write.
    pub(in super::super) fn transaction_with_behavior(
        &mut self,
        behavior: TransactionBehavior,
    ) -> Result<Transaction<'_>> {
        let TransactionBehavior::Immediate = behavior;
        let db: &Self = self;
        match db.begin(BEGIN_WRITE) {
            Err(error) if is_kept_waiting(&error) && end_silent_writer(db) => db.begin(BEGIN_WRITE),
            begun => begun,
        }
    }

    /// Begins with a statement of the caller's.
    pub(in super::super) fn begin(&self, sql: &str) -> Result<Transaction<'_>> {
        let transaction = Transaction { db: self, open: true };
        self.execute_batch(sql)?;
        self.set_in_transaction(true);
        Ok(transaction)
    }

    /// The same without waiting for the server; it answers with the first statement.
    pub(in super::super) fn begin_ahead(&self, sql: &str) -> Result<Transaction<'_>> {
        self.send_text(sql.to_owned())?;
        Ok(Transaction { db: self, open: true })
    }
}

fn is_kept_waiting(error: &Error) -> bool {
    let Error::Server(error) = error else { return false };
    error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
}

/// Ends the session that has the turn and that nobody hears of any more; says whether there was one.
fn end_silent_writer(db: &Connection) -> bool {
    match db.query_row(END_SILENT, [], |row| row.get::<_, i64>(0)) {
        Ok(0) => false,
        Ok(_) => {
            tracing::warn!("ended a session that kept everybody from writing and did nothing");
            true
        }
        // Sessions of another user may be out of our hands; whoever asked is kept waiting all the same.
        Err(error) => {
            tracing::warn!(
                "a session that keeps everybody from writing could not be ended: {error}"
            );
            false
        }
    }
}

impl Transaction<'_> {
    pub(in super::super) fn commit(mut self) -> Result<()> {
        // Whoever met the failure may have passed over it; the server would say yes and keep nothing.
        if self.db.is_undone() {
            return Err(Error::Undone);
        }
        self.open = false;
        // After a statement that failed this is a rollback, and its failure is what is returned.
        let done = self.db.execute_batch("COMMIT");
        if done.is_err() {
            self.open = true;
        } else {
            self.db.set_in_transaction(false);
        }
        done.map_err(|error| if is_lost(&error) { Error::Unknown } else { error })
    }
}

/// Whether a commit may have been done all the same: the session ended before it answered.
fn is_lost(error: &Error) -> bool {
    match error {
        Error::Late | Error::Unwanted | Error::Silent => true,
        Error::Server(error) => error.as_db_error().is_none_or(|_| ends_session(error)),
        Error::NoRow | Error::WrongType(_) | Error::Unknown | Error::Undone | Error::Closed => {
            false
        }
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.db
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.db.set_in_transaction(false);
        if self.open && self.db.is_sound() {
            // What was sent ahead may have failed, which is no longer of interest.
            let _ = self.db.settle();
            let _ = self.db.execute_batch("ROLLBACK");
        }
    }
}
