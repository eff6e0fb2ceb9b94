//! Transactions of a session.

use std::ops::Deref;

use super::session::Connection;
use super::{Error, Result};

/// How a transaction begins.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum TransactionBehavior {
    /// With the store's write lock.
    Immediate,
}

/// Writers of all processes take turns: change numbers are given in the order of their commits, and
/// whoever reads the newest one has read everything below it. The number is `pdpp` in ASCII.
const BEGIN_WRITE: &str = "
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT pg_advisory_xact_lock(1885630576, 1)";

/// A transaction; dropped without a commit, it leaves nothing.
pub(in super::super) struct Transaction<'a> {
    db: &'a Connection,
    open: bool,
}

impl Connection {
    /// Begins to write.
    pub(in super::super) fn transaction_with_behavior(
        &mut self,
        behavior: TransactionBehavior,
    ) -> Result<Transaction<'_>> {
        match behavior {
            TransactionBehavior::Immediate => self.begin(BEGIN_WRITE),
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
        done
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
