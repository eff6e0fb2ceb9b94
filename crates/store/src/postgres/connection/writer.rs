//! The session that writes. Users in this process take turns here, processes in the database.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Mutex as Turns;

use super::Server;
use super::pool::ReaderPool;
use super::writer_guard::{Guard, Name};
use crate::error::{StoreError, StoreResult};
use crate::postgres::driver::{Connection, Row};
use crate::postgres::errors::from_driver;

const OWN_NAME: &str = "
    SELECT CAST(pid AS bigint), CAST(extract(epoch FROM backend_start) * 1000000 AS bigint)
      FROM pg_stat_activity
     WHERE pid = pg_backend_pid()";

/// The session is in use for longer than anybody waits.
#[derive(Debug, thiserror::Error)]
#[error("the session that writes is busy")]
struct Busy;

/// The session that writes.
#[derive(Clone)]
pub(crate) struct Writer {
    server: Server,
    readers: Arc<ReaderPool>,
    session: Arc<Turns<Option<Session>>>,
    turn: Arc<Mutex<Option<Turn>>>,
    patience: Duration,
}

struct Session {
    db: Connection,
    name: Name,
}

/// Whose session is at work, and since when.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) name: Name,
    since: Instant,
}

impl Writer {
    /// Takes over a session; a turn is waited for no longer than the time given. Sessions of the readers
    /// are asked about it when it does not answer.
    pub(crate) fn new(
        server: Server,
        first: Connection,
        readers: Arc<ReaderPool>,
        patience: Duration,
    ) -> StoreResult<Self> {
        let first = Session::of(first, (&readers, patience))?;
        let session = Arc::new(Turns::new(Some(first)));
        Ok(Self { server, readers, session, turn: Arc::default(), patience })
    }

    /// Waits for its turn, then works; on a thread that may wait. A session that does not answer any
    /// more is replaced before the work begins, and never in the middle of it.
    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let turn = async { tokio::time::timeout(self.patience, self.session.lock()).await };
        let mut place =
            Handle::current().block_on(turn).map_err(|_| StoreError::unavailable(Busy))?;
        let mut session = self.renewed(place.take())?;
        self.note(Some(Turn { name: session.name.clone(), since: Instant::now() }));
        let outcome = work(&mut session.db);
        self.note(None);
        *place = Some(session).filter(|session| session.db.is_sound());
        outcome
    }

    /// Makes sure that a write could begin now; the turn of whoever has kept it for too long.
    pub(crate) fn check(&self) -> StoreResult<Option<Turn>> {
        let Ok(mut place) = self.session.try_lock() else {
            let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return Ok(turn.filter(|turn| turn.since.elapsed() > self.patience));
        };
        *place = Some(self.renewed(place.take())?);
        Ok(None)
    }

    fn renewed(&self, kept: Option<Session>) -> StoreResult<Session> {
        match kept.filter(|session| session.db.answers()) {
            Some(session) => Ok(session),
            None => Session::of(self.server.connect()?, (&self.readers, self.patience)),
        }
    }

    fn note(&self, turn: Option<Turn>) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }
}

impl Session {
    fn of(db: Connection, (readers, patience): (&Arc<ReaderPool>, Duration)) -> StoreResult<Self> {
        let name = db
            .promptly(|db| {
                let name = |row: &Row<'_>| Ok(Name { number: row.get(0)?, began: row.get(1)? });
                db.query_row(OWN_NAME, [], name)
            })
            .map_err(from_driver)?;
        db.set_watch(Box::new(Guard::new(name.clone(), Arc::clone(readers), patience)));
        Ok(Self { db, name })
    }
}
