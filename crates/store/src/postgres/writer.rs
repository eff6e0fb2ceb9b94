//! The session that writes. Users in this process take turns here, processes in the database.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Mutex as Turns;

use super::connect::Server;
use super::driver::{Connection, params};
use super::errors::from_driver;
use crate::error::{StoreError, StoreResult};

const OWN_NUMBER: &str = "
    SELECT CAST(pg_backend_pid() AS bigint)";
/// Neither gone nor waiting for its client for longer than it should.
const IS_AT_WORK: &str = "
    SELECT EXISTS (
        SELECT 1
          FROM pg_stat_activity
         WHERE pid = CAST(?1 AS bigint)
           AND (state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'
             OR state_change > clock_timestamp() - CAST(?2 AS bigint) * interval '1 millisecond'))";

/// The session is in use for longer than anybody waits.
#[derive(Debug, thiserror::Error)]
#[error("the session that writes is busy")]
struct Busy;

/// The server waits for us while we wait for the server.
#[derive(Debug, thiserror::Error)]
#[error("the session that writes does not answer")]
struct Silent;

/// The session that writes.
#[derive(Clone)]
pub(crate) struct Writer {
    server: Server,
    session: Arc<Turns<Option<Session>>>,
    turn: Arc<Mutex<Option<Turn>>>,
    patience: Duration,
}

struct Session {
    db: Connection,
    number: i64,
}

/// Whose session is at work, and since when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    number: i64,
    since: Instant,
}

impl Writer {
    /// Takes over a session; a turn is waited for no longer than the time given.
    pub(super) fn new(server: Server, first: Connection, patience: Duration) -> StoreResult<Self> {
        let session = Arc::new(Turns::new(Some(Session::of(first)?)));
        Ok(Self { server, session, turn: Arc::default(), patience })
    }

    /// Waits for its turn, then works; on a thread that may wait. A session that does not answer any
    /// more is replaced before the work begins, and never in the middle of it.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let turn = async { tokio::time::timeout(self.patience, self.session.lock()).await };
        let mut place =
            Handle::current().block_on(turn).map_err(|_| StoreError::unavailable(Busy))?;
        let mut session = self.renewed(place.take())?;
        self.note(Some(Turn { number: session.number, since: Instant::now() }));
        let outcome = work(&mut session.db);
        self.note(None);
        *place = Some(session).filter(|session| session.db.is_sound());
        outcome
    }

    /// Makes sure that a write could begin now; the turn of whoever has kept it for too long.
    pub(super) fn check(&self) -> StoreResult<Option<Turn>> {
        let Ok(mut place) = self.session.try_lock() else {
            let turn = *self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(turn.filter(|turn| turn.since.elapsed() > self.patience));
        };
        *place = Some(self.renewed(place.take())?);
        Ok(None)
    }

    fn renewed(&self, kept: Option<Session>) -> StoreResult<Session> {
        match kept.filter(|session| session.db.answers()) {
            Some(session) => Ok(session),
            None => Session::of(self.server.connect()?),
        }
    }

    fn note(&self, turn: Option<Turn>) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }

    /// A long turn is fine as long as the server has something to do.
    pub(super) fn is_at_work(&self, db: &Connection, turn: Turn) -> StoreResult<()> {
        let millis = i64::try_from(self.patience.as_millis()).unwrap_or(i64::MAX);
        let is_at_work: bool = db
            .query_row(IS_AT_WORK, params![turn.number, millis], |row| row.get(0))
            .map_err(from_driver)?;
        if is_at_work { Ok(()) } else { Err(StoreError::unavailable(Silent)) }
    }
}

impl Session {
    fn of(db: Connection) -> StoreResult<Self> {
        let number = db
            .promptly(|db| db.query_row(OWN_NUMBER, [], |row| row.get(0)))
            .map_err(from_driver)?;
        Ok(Self { db, number })
    }
}
