//! Who looks after the session that writes. It has no deadline, because a write takes as long as it takes;
//! but when the server waits for us while we wait for the server, neither would ever go on.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::pool::ReaderPool;
use crate::error::{StoreError, StoreResult};
use crate::postgres::driver::{Connection, Watch, params};
use crate::postgres::errors::{from_driver, is_unheard};

/// Neither gone nor waiting for its client for longer than it should; a server may be told not to say.
const IS_AT_WORK: &str = "
    SELECT EXISTS (
        SELECT 1
          FROM pg_stat_activity
         WHERE pid = CAST(?1 AS bigint)
           AND CAST(extract(epoch FROM backend_start) * 1000000 AS bigint) = ?2
           AND (state = 'disabled'
             OR state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'
             OR state_change > clock_timestamp() - CAST(?3 AS bigint) * interval '1 millisecond'))";
/// What it holds is free when this returns.
const END: &str = "
    SELECT pg_terminate_backend(pid, 2000)
      FROM pg_stat_activity
     WHERE pid = CAST(?1 AS bigint)
       AND CAST(extract(epoch FROM backend_start) * 1000000 AS bigint) = ?2
       AND (state NOT IN ('active', 'disabled') OR wait_event_type = 'Client')";

/// The server waits for us while we wait for the server.
#[derive(Debug, thiserror::Error)]
#[error("the session that writes does not answer")]
struct Silent;

/// Which of the server's sessions it is: numbers are used again.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) number: i64,
    /// In microseconds.
    pub(crate) began: i64,
}

/// Looks over a session of its own.
pub(crate) struct Guard {
    name: Name,
    readers: Arc<ReaderPool>,
    patience: Duration,
}

impl Guard {
    pub(crate) fn new(name: Name, readers: Arc<ReaderPool>, patience: Duration) -> Self {
        Self { name, readers, patience }
    }

    fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Connection, &Name) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let name = self.name.clone();
        let asked = ReaderPool::look(&self.readers, self.patience, move |db| ask(db, &name));
        Handle::current().block_on(asked)
    }
}

impl Watch for Guard {
    fn every(&self) -> Duration {
        self.patience
    }

    fn sees_work(&self) -> Option<bool> {
        let patience = self.patience;
        match self.ask(move |db, name| is_at_work(db, name, patience)) {
            Ok(()) => Some(true),
            Err(error) if is_silent(&error) || is_unheard(&error) => Some(false),
            // Whoever has no room for another session is there all the same.
            Err(_) => None,
        }
    }

    fn end(&self) {
        let ended = self.ask(|db, name| {
            let end = db.query_row(END, params![name.number, name.began], |_| Ok(()));
            end.map_err(from_driver)
        });
        // Gone already, or out of reach: then the server finds out by itself.
        if let Err(error) = ended {
            tracing::debug!("the session that writes could not be ended: {error}");
        }
    }
}

/// A long turn is fine as long as the server has something to do.
pub(crate) fn is_at_work(db: &Connection, name: &Name, patience: Duration) -> StoreResult<()> {
    let millis = i64::try_from(patience.as_millis()).unwrap_or(i64::MAX);
    let is_at_work: bool = db
        .query_row(IS_AT_WORK, params![name.number, name.began, millis], |row| row.get(0))
        .map_err(from_driver)?;
    if is_at_work { Ok(()) } else { Err(StoreError::unavailable(Silent)) }
}

fn is_silent(error: &StoreError) -> bool {
    matches!(error, StoreError::Unavailable(cause) if cause.is::<Silent>())
}
