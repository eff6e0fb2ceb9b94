//! Sessions for reading, opened when first needed and kept.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::Server;
use crate::error::{AllBusy, StoreError, StoreResult};
use crate::postgres::driver::{Caller, Connection};
use crate::postgres::errors::from_driver;
use crate::postgres::spawn;

/// One snapshot for everything that a read asks.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// A session that lay idle for longer is asked whether it is still there before it is used.
const TRUSTED_FOR: Duration = Duration::from_millis(500);

/// A few sessions with one server.
pub(crate) struct ReaderPool {
    server: Server,
    idle: Mutex<Vec<(Connection, Instant)>>,
    places: Arc<Semaphore>,
    size: usize,
}

impl ReaderPool {
    pub(crate) fn new(server: Server, size: usize) -> Self {
        let places = Arc::new(Semaphore::new(size));
        Self { server, idle: Mutex::new(Vec::new()), places, size }
    }

    /// Runs one read in a snapshot. It ends, at the server too, when nobody waits for it any more.
    pub(crate) async fn run<T, F>(pool: &Arc<Self>, limit: Duration, read: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        // Dropped together with this future.
        let (_waiting, caller) = oneshot::channel();
        Self::lend_to(pool, Some(caller), limit, |session| snapshot(session, read)).await
    }

    /// Lends a session for something that is done also when nobody waits for it any more.
    pub(crate) async fn lend<T, F>(pool: &Arc<Self>, limit: Duration, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        Self::lend_to(pool, None, limit, work).await
    }

    /// Opens a session for somebody who only looks at what the server does.
    pub(crate) async fn look<T, F>(pool: &Arc<Self>, limit: Duration, look: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let deadline = Instant::now() + limit;
        let place = Self::place(pool, limit).await?;
        let pool = Arc::clone(pool);
        spawn(move || {
            // In the place of one that waits, so that there are never more of them.
            drop(pool.idle.lock().unwrap_or_else(PoisonError::into_inner).pop());
            let session = pool.server.connect_beside(limit, deadline)?;
            session.set_deadline(Some(deadline));
            let seen = look(&session);
            drop((session, place));
            seen
        })
        .await
    }

    async fn place(pool: &Arc<Self>, limit: Duration) -> StoreResult<OwnedSemaphorePermit> {
        tokio::time::timeout(limit, Arc::clone(&pool.places).acquire_owned())
            .await
            .map_err(|_| StoreError::unavailable(AllBusy))?
            .map_err(StoreError::unavailable)
    }

    /// Lends a session. The turn counts towards the deadline.
    async fn lend_to<T, F>(
        pool: &Arc<Self>,
        caller: Option<Caller>,
        limit: Duration,
        work: F,
    ) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    {
        let deadline = Instant::now() + limit;
        let place = Self::place(pool, limit).await?;
        let pool = Arc::clone(pool);
        // The place belongs to the work: whoever asked may go away before it ends.
        spawn(move || pool.with_session(Loan { place, caller, limit, deadline }, work)).await
    }

    /// Sessions that are open and wait.
    #[cfg(test)]
    pub(crate) fn idle(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Ends the sessions that nobody uses.
    pub(super) fn dismiss(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Sessions that nobody uses.
    pub(crate) fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Lends a session to another thread at once, if nobody uses it; says whether.
    pub(crate) fn help<F>(pool: &Arc<Self>, limit: Duration, work: F) -> bool
    where
        F: FnOnce(&Connection) + Send + 'static,
    {
        let Ok(place) = Arc::clone(&pool.places).try_acquire_owned() else {
            return false;
        };
        let pool = Arc::clone(pool);
        tokio::task::spawn_blocking(move || {
            let loan = Loan { place, caller: None, limit, deadline: Instant::now() + limit };
            let helped = pool.with_session(loan, |session| {
                work(session);
                Ok(())
            });
            if let Err(error) = helped {
                tracing::warn!("no session could be opened to help: {error}");
            }
        });
        true
    }

    fn with_session<T>(
        self: &Arc<Self>,
        loan: Loan,
        work: impl FnOnce(&Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let session = self.take(loan.limit, loan.deadline)?;
        session.set_deadline(Some(loan.deadline));
        session.set_caller(loan.caller);
        let answer = work(&session);
        session.set_caller(None);
        session.set_deadline(None);
        if session.is_sound() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < self.size {
                idle.push((session, Instant::now()));
            }
        } else if session.is_unanswered() {
            let (pool, place) = (Arc::clone(self), loan.place);
            // The caller has its answer meanwhile; the place is free when the server is done too.
            tokio::task::spawn_blocking(move || {
                pool.server.cancel(session);
                drop(place);
            });
        }
        answer
    }

    /// A session that answers: the server may have gone and come back since the last read.
    fn take(&self, limit: Duration, deadline: Instant) -> StoreResult<Connection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some((session, since)) = idle {
            if since.elapsed() < TRUSTED_FOR || session.answers() {
                return Ok(session);
            }
            // The others lay idle for longer: they would be found out one by one, and slowly.
            let others =
                std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
            drop(others);
        }
        self.server.connect_reader(limit, deadline)
    }
}

/// A place among the sessions, for whom, and until when.
struct Loan {
    place: OwnedSemaphorePermit,
    caller: Option<Caller>,
    limit: Duration,
    deadline: Instant,
}

fn snapshot<T>(
    session: &Connection,
    read: impl FnOnce(&Connection) -> StoreResult<T>,
) -> StoreResult<T> {
    let transaction = session.begin_ahead(BEGIN_READ).map_err(from_driver)?;
    read(&transaction)
}
