//! One connection: what it is doing, who speaks on it, and which answers are on their way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Context;
use std::time::{Duration, Instant};

use axum::http::Version;
use futures_util::task::AtomicWaker;
use tokio::sync::Notify;

use super::answer::Answer;
use super::limits::ConnectionLimits;
use super::table::{Place, Table};

/// Who has spoken on a connection so far; the one who may most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConnectionRole {
    /// Nobody whose credential was verified.
    Stranger,
    Agent,
    Owner,
}

/// No connection is left for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRoom;

/// One connection, shared by its socket, its requests and the table.
pub struct HttpConnection {
    pub(super) place: Place,
    table: Weak<Table>,
    state: Mutex<State>,
    answers: Mutex<Vec<Arc<Answer>>>,
    /// Set once: nothing more is written, and the socket is reset.
    reset: AtomicBool,
    ends: Notify,
    changed: Notify,
    /// The writer that waits for an answer to be looked at again.
    held: AtomicWaker,
}

#[derive(Debug, Clone, Copy)]
struct State {
    role: ConnectionRole,
    requests: usize,
    /// Since when no request is under way, or since when one is.
    since: Instant,
    /// When the head began that is not complete yet.
    head_since: Option<Instant>,
    /// Since when the reader takes nothing.
    blocked_since: Option<Instant>,
    /// How often everything that was to be written had been written.
    flushes: u64,
    multiplexed: bool,
}

/// How dispensable a connection is; the smallest goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    QuietStranger(Instant),
    BusyStranger(Instant),
    QuietAgent(Instant),
    QuietOwner(Instant),
}

impl HttpConnection {
    pub(super) fn new(place: Place, table: Weak<Table>) -> Self {
        let now = Instant::now();
        let state = State {
            role: ConnectionRole::Stranger,
            requests: 0,
            since: now,
            head_since: Some(now),
            blocked_since: None,
            flushes: 0,
            multiplexed: false,
        };
        Self {
            place,
            table,
            state: Mutex::new(state),
            answers: Mutex::default(),
            reset: AtomicBool::new(false),
            ends: Notify::new(),
            changed: Notify::new(),
            held: AtomicWaker::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listed(&self) -> MutexGuard<'_, Vec<Arc<Answer>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A credential was verified on it.
    pub fn belongs_to(&self, role: ConnectionRole) -> Result<(), NoRoom> {
        if role <= self.role() {
            return Ok(());
        }
        self.table.upgrade().map_or(Ok(()), |table| table.rise(self, role))
    }

    pub(super) fn rise(&self, role: ConnectionRole) {
        self.state().role = role;
    }

    pub(super) fn role(&self) -> ConnectionRole {
        self.state().role
    }

    /// A request's head is complete.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> UnderWay {
        let mut state = self.state();
        state.requests += 1;
        state.since = Instant::now();
        state.head_since = None;
        state.multiplexed = version == Version::HTTP_2;
        UnderWay(Arc::clone(self))
    }

    /// Bytes arrived; between two requests they are the beginning of a head.
    pub(super) fn received(&self) {
        let mut state = self.state();
        if state.requests == 0 && !state.multiplexed {
            state.head_since.get_or_insert_with(Instant::now);
        }
    }

    /// The reader took something, or did not.
    pub(super) fn wrote(&self, blocked: bool) {
        let mut state = self.state();
        state.blocked_since = blocked.then(|| state.blocked_since.unwrap_or_else(Instant::now));
    }

    pub(super) fn flushed(&self) {
        let mut state = self.state();
        state.flushes += 1;
    }

    pub(super) fn flushes(&self) -> u64 {
        self.state().flushes
    }

    /// Whether several answers share it.
    pub(super) fn is_multiplexed(&self) -> bool {
        self.state().multiplexed
    }

    pub(super) fn is_blocked(&self) -> bool {
        self.state().blocked_since.is_some()
    }

    /// Whether it has kept its place for too long.
    pub(super) fn is_overdue(&self, limits: &ConnectionLimits, now: Instant) -> bool {
        let state = *self.state();
        let over = |since: Instant, limit: Duration| now.duration_since(since) >= limit;
        if state.blocked_since.is_some_and(|since| over(since, limits.stalled_timeout)) {
            // What its reader never took is not sent later either.
            self.reset.store(true, Ordering::Release);
            return true;
        }
        match (state.requests, state.head_since) {
            (0, Some(since)) => over(since, limits.head_timeout),
            (0, None) => over(state.since, limits.idle_timeout),
            _ => false,
        }
    }

    /// How dispensable it is; `None` while somebody who was verified waits for an answer.
    pub(super) fn rank(&self) -> Option<Rank> {
        let state = *self.state();
        match (state.role, state.requests) {
            (ConnectionRole::Stranger, 0) => {
                Some(Rank::QuietStranger(state.head_since.unwrap_or(state.since)))
            }
            (ConnectionRole::Stranger, _) => Some(Rank::BusyStranger(state.since)),
            (ConnectionRole::Agent, 0) => Some(Rank::QuietAgent(state.since)),
            (ConnectionRole::Owner, 0) => Some(Rank::QuietOwner(state.since)),
            (ConnectionRole::Agent | ConnectionRole::Owner, _) => None,
        }
    }

    /// Ends it now: nothing more is written, what the system still holds is thrown away, and the
    /// other side sees a reset.
    pub fn reset(&self) {
        self.reset.store(true, Ordering::Release);
        self.ends.notify_one();
    }

    pub(super) fn is_reset(&self) -> bool {
        self.reset.load(Ordering::Acquire)
    }

    /// Waits until somebody ends it.
    pub(super) async fn ended(&self) {
        self.ends.notified().await;
    }

    /// Waits until there is an answer to look after.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn add(&self, answer: Arc<Answer>) {
        let is_first = self.answers().is_empty();
        self.listed().push(answer);
        if is_first {
            self.changed.notify_one();
        }
    }

    /// Answers of which something may be left to write.
    pub(super) fn answers(&self) -> Vec<Arc<Answer>> {
        let (flushes, blocked) = (self.flushes(), self.is_blocked());
        let mut answers = self.listed();
        answers.retain(|answer| blocked || !answer.is_sent(flushes));
        answers.clone()
    }

    /// Whether an answer has to be looked at now.
    pub(super) fn is_due(&self, answer: &Answer) -> bool {
        let waits = self.is_blocked() || !answer.is_written(self.flushes());
        waits && answer.is_due(Instant::now())
    }

    /// An answer was looked at: whoever waited for that may write again.
    pub(super) fn looked_at(&self) {
        self.held.wake();
    }

    /// Whether all answers under way were looked at lately; if not, the writer is woken when they are.
    pub(super) fn may_write(&self, context: &Context<'_>) -> bool {
        let flushes = self.flushes();
        let fresh = |now| self.listed().iter().all(|answer| answer.is_fresh(now, flushes));
        if self.is_reset() {
            return false;
        }
        if fresh(Instant::now()) {
            return true;
        }
        self.held.register(context.waker());
        fresh(Instant::now())
    }
}

impl std::fmt::Debug for HttpConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpConnection").field("place", &self.place).finish_non_exhaustive()
    }
}

/// A request until its answer's last byte was taken over, or it is given up.
#[derive(Debug)]
pub(super) struct UnderWay(pub(super) Arc<HttpConnection>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests = state.requests.saturating_sub(1);
        state.since = Instant::now();
    }
}
