//! Waiting for answers: until the deadline, for as long as anybody wants them, and while the server works.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, error::TryRecvError};
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::Error;
use super::Result;
use super::session::{Connection, Sent};

/// How often in a row the server may be seen waiting before the session is given up: over a slow line
/// it may be waiting for what we have sent.
const MOST_DOUBTS: u32 = 3;

/// Whoever wants the answers; its other end is dropped when they went away.
pub(crate) type Caller = oneshot::Receiver<Infallible>;

/// Somebody who looks from elsewhere whether the server still works for a session that waits.
pub(crate) trait Watch: Send {
    /// How long an answer is waited for before somebody looks, and looks again.
    fn every(&self) -> Duration;

    /// Whether the server has something to do; `None` when that could not be found out now.
    fn sees_work(&self) -> Option<bool>;

    /// Has the server end the session.
    fn end(&self);
}

/// Until when answers are waited for, for whom, and who looks meanwhile.
#[derive(Default)]
pub(crate) struct Patience {
    deadline: Cell<Option<Instant>>,
    caller: RefCell<Option<Caller>>,
    watch: RefCell<Option<Box<dyn Watch>>>,
}

impl Patience {
    /// Why nobody waits for an answer any more.
    fn is_over(&self) -> Option<Error> {
        let is_late = self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline);
        let mut caller = self.caller.borrow_mut();
        let is_gone =
            caller.as_mut().is_some_and(|one| one.try_recv() == Err(TryRecvError::Closed));
        match (is_late, is_gone) {
            (true, _) => Some(Error::Late),
            (false, true) => Some(Error::Unwanted),
            (false, false) => None,
        }
    }
}

impl Connection {
    /// Until when answers are waited for.
    pub(in super::super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.patience.deadline.set(deadline);
    }

    /// Who looks when answers do not come. Without anybody they are waited for as long as it takes.
    pub(in super::super) fn set_watch(&self, watch: Box<dyn Watch>) {
        *self.patience.watch.borrow_mut() = Some(watch);
    }

    /// For whom the session works from here on. Without anybody it finishes what it began.
    pub(in super::super) fn set_caller(&self, caller: Option<Caller>) {
        *self.patience.caller.borrow_mut() = caller;
    }

    /// Drives the connection until the work is done, after everything that was sent before it.
    pub(super) fn wait<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        let Some(runtime) = &self.runtime else {
            return Err(Error::Closed);
        };
        if self.broken.get() {
            return Err(Error::Closed);
        }
        let sent = self.sent.take();
        self.sent_bytes.set(0);
        if let Some(reason) = self.patience.is_over() {
            // What was not sent is not sent any more. A transaction may be open, so nothing else is either.
            return Err(self.give_up(reason, !sent.is_empty()));
        }
        let mut wire = self.wire.borrow_mut();
        let mut caller = self.patience.caller.borrow_mut();
        let deadline = self.patience.deadline.get();
        let watch = self.patience.watch.borrow();
        let mut work = pin!(in_order(sent, work));
        let mut both = pin!(poll_fn(|context| {
            let ended = wire.as_mut().map(|wire| wire.as_mut().poll(context).is_ready());
            if ended == Some(true) {
                *wire = None;
            }
            if let Poll::Ready(done) = work.as_mut().poll(context) {
                return Poll::Ready(Ok(done));
            }
            // Its other end goes away with whoever asked.
            let gone = caller.as_mut().is_some_and(|one| Pin::new(one).poll(context).is_ready());
            if gone { Poll::Ready(Err(Error::Unwanted)) } else { Poll::Pending }
        }));
        let mut doubts = 0;
        let outcome = loop {
            let next_look = watch.as_ref().map(|watch| Instant::now() + watch.every());
            let until = deadline.into_iter().chain(next_look).min();
            let outcome = runtime.block_on(async {
                let Some(at) = until else { return both.as_mut().await };
                let outcome = tokio::time::timeout_at(at.into(), both.as_mut()).await;
                outcome.unwrap_or(Err(Error::Late))
            });
            match (&outcome, &*watch) {
                (Err(Error::Late), Some(watch)) if until != deadline => {
                    doubts = match watch.sees_work() {
                        Some(true) => 0,
                        Some(false) => doubts + 1,
                        None => doubts,
                    };
                    if doubts == MOST_DOUBTS {
                        watch.end();
                        break Err(Error::Silent);
                    }
                }
                _ => break outcome,
            }
        };
        match outcome {
            Ok(done) => done.map_err(|error| self.failed(error)),
            // Its answer may still come; nobody could tell it from the next one's.
            Err(reason) => Err(self.give_up(reason, true)),
        }
    }

    fn give_up(&self, reason: Error, is_unanswered: bool) -> Error {
        self.broken.set(true);
        self.unanswered.set(is_unanswered);
        reason
    }

    pub(super) fn failed(&self, error: tokio_postgres::Error) -> Error {
        self.undone.set(true);
        if error.as_db_error().is_none() || ends_session(&error) || is_leaving(&error) {
            self.broken.set(true);
        }
        Error::Server(error)
    }
}

/// Whether these were the server's last words.
pub(super) fn ends_session(error: &tokio_postgres::Error) -> bool {
    let severity = error.as_db_error().and_then(DbError::parsed_severity);
    matches!(severity, Some(Severity::Fatal | Severity::Panic))
}

/// Whether the server is about to go, or has become one that takes no writes: 0A000 and 25006 are what a
/// replica says. Another session may find its successor.
fn is_leaving(error: &tokio_postgres::Error) -> bool {
    let leaving = [
        SqlState::FEATURE_NOT_SUPPORTED,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    let is_class = |class: &str| error.code().is_some_and(|code| code.code().starts_with(class));
    error.code().is_some_and(|code| leaving.contains(code)) || is_class("08") || is_class("57P")
}

/// What was sent ahead first: the first failure is the cause of all later ones.
async fn in_order<T>(
    sent: Vec<Sent>,
    work: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
) -> std::result::Result<T, tokio_postgres::Error> {
    let mut work = pin!(work);
    let mut early = None;
    // One step, so that the question goes out before the earlier answers are waited for.
    poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            early = Some(done);
        }
        Poll::Ready(())
    })
    .await;
    for one in sent {
        one.await?;
    }
    match early {
        Some(done) => done,
        None => work.await,
    }
}
