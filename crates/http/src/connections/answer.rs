//! An answer on its way: the authority it stands on, and when that was last looked at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use axum::response::Response;
use pdpp_auth::{Auth, AuthError, Authority};
use tokio::sync::Notify;

/// Looked at again this often, whether its reader takes anything or not.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// Nothing of an answer is handed to the network when the last look is older than this.
const TRUSTED_FOR: Duration = Duration::from_millis(900);
/// How long an answer waits for a store that cannot say whether its authority stands.
const STORE_PATIENCE: Duration = Duration::from_secs(10);

/// Says on whose authority a response stands; gates leave it among the response's extensions.
#[derive(Clone)]
pub struct StandsOn {
    pub auth: Arc<Auth>,
    pub authority: Authority,
    /// When it was last looked at.
    pub checked_at: Instant,
}

impl StandsOn {
    /// Lets a response stand on it from here to the network. An answer that took long to begin is
    /// refused when the access ended meanwhile.
    pub async fn keep(mut self, mut response: Response) -> Result<Response, AuthError> {
        if self.checked_at.elapsed() >= BETWEEN_LOOKS {
            let now = Instant::now();
            self.auth.check_authority(&self.authority).await?;
            self.checked_at = now;
        }
        response.extensions_mut().insert(self);
        Ok(response)
    }
}

/// The authority of an answer is gone, or nobody can tell.
#[derive(Debug, thiserror::Error)]
#[error("the access that an answer stood on ended while it was being sent")]
pub(super) struct BrokenOff;

/// An answer on its way.
pub(super) struct Answer {
    auth: Arc<Auth>,
    authority: Authority,
    state: Mutex<State>,
    finished: Notify,
}

struct State {
    checked_at: Instant,
    /// It must not go on.
    ended: bool,
    /// When its body was done with, and how often all had been written before.
    finished_at: Option<(Instant, u64)>,
    /// Whoever waits for the next piece of the body.
    waker: Option<Waker>,
}

impl State {
    fn is_written(&self, flushes: u64) -> bool {
        self.finished_at.is_some_and(|(_, before)| flushes > before)
    }
}

impl Answer {
    pub(super) fn new(stands_on: StandsOn) -> Self {
        let StandsOn { auth, authority, checked_at } = stands_on;
        let state = State { checked_at, ended: false, finished_at: None, waker: None };
        Self { auth, authority, state: Mutex::new(state), finished: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks again. A store that cannot answer now is asked again for a while; meanwhile nothing is
    /// written.
    pub(super) async fn look(&self) -> Result<(), BrokenOff> {
        let looking = async {
            loop {
                let began = Instant::now();
                match self.auth.check_authority(&self.authority).await {
                    Ok(()) => return Some(began),
                    Err(error) if error.is_passing() => tokio::time::sleep(BETWEEN_LOOKS).await,
                    Err(error) => {
                        tracing::info!(code = %error.code(), "an answer was broken off");
                        return None;
                    }
                }
            }
        };
        let looked = tokio::time::timeout(STORE_PATIENCE, looking).await;
        let Ok(Some(began)) = looked else {
            self.end();
            return Err(BrokenOff);
        };
        let mut state = self.state();
        state.checked_at = state.checked_at.max(began);
        Ok(())
    }

    /// It must not go on: the next piece is refused.
    fn end(&self) {
        let waker = {
            let mut state = self.state();
            state.ended = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether it ended; if not, `waker` is told when it does.
    pub(super) fn has_ended(&self, waker: &Waker) -> bool {
        let mut state = self.state();
        match &mut state.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        state.ended
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        now.duration_since(self.state().checked_at) >= BETWEEN_LOOKS
    }

    /// Whether it may be written. One that ended is not held back: what follows is its reset.
    pub(super) fn is_fresh(&self, now: Instant, flushes: u64) -> bool {
        let state = self.state();
        state.ended
            || now.duration_since(state.checked_at) < TRUSTED_FOR
            || state.is_written(flushes)
    }

    /// Whether its body is done with, and all there was to write has been written since.
    pub(super) fn is_written(&self, flushes: u64) -> bool {
        self.state().is_written(flushes)
    }

    /// Its body is done with.
    pub(super) fn finish(&self, flushes: u64) {
        self.state().finished_at = Some((Instant::now(), flushes));
        self.finished.notify_one();
    }

    /// Whether nothing of it can be left. Written twice, because over HTTP/2 the first time may have
    /// been under way when the body ended.
    pub(super) fn is_sent(&self, flushes: u64) -> bool {
        let finished_at = self.state().finished_at;
        finished_at.is_some_and(|(at, before)| flushes > before + 1 || at.elapsed() >= TRUSTED_FOR)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state().finished_at.is_some()
    }

    /// Waits until its body is done with.
    pub(super) async fn finished(&self) {
        self.finished.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use std::task::Context;

    use axum::body::Body;
    use pdpp_contract::access::Resource;
    use pdpp_store::StoreOptions;
    use pdpp_testkit::{FixedClock, SeededEntropy};

    use super::super::limits::ConnectionLimits;
    use super::super::table::Table;
    use super::*;

    /// An answer to the owner that was last looked at two seconds ago, and the store's directory.
    async fn looked_at_long_ago() -> (StandsOn, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let entropy = Arc::new(SeededEntropy::new(1));
        let options = StoreOptions::new(directory.path().join("store.db"), entropy.clone());
        let store = pdpp_store::open(options).await.unwrap();
        let clock = Arc::new(FixedClock::at("2026-11-15T12:00:00Z"));
        let auth = Arc::new(Auth::new(store, clock, entropy));
        let issued = auth.create_owner_token(&auth.local_owner(), None, None).await.unwrap();
        let token = issued.access_token.reveal();
        let Ok(caller) = auth.verify_call_at(token, Resource::V1).await else { panic!("refused") };
        let authority = Authority::of(token, Resource::V1, &caller).unwrap();
        let checked_at = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
        (StandsOn { auth, authority, checked_at }, directory)
    }

    #[tokio::test]
    async fn nothing_is_written_of_an_answer_that_was_not_looked_at_for_a_second() {
        let (stands_on, _directory) = looked_at_long_ago().await;
        let table = Table::new(ConnectionLimits::default(), Vec::new());
        let connection = table.admit("127.0.0.1".parse().unwrap()).unwrap();
        let answer = Arc::new(Answer::new(stands_on));
        connection.add(Arc::clone(&answer));
        let context = Context::from_waker(Waker::noop());
        assert!(!connection.may_write(&context));
        answer.look().await.unwrap();
        assert!(connection.may_write(&context));
    }

    #[tokio::test]
    async fn an_answer_that_took_long_to_begin_is_refused_when_its_access_has_ended() {
        let (stands_on, _directory) = looked_at_long_ago().await;
        let answer = || Response::new(Body::empty());
        assert!(stands_on.clone().keep(answer()).await.is_ok());
        let owner = stands_on.auth.local_owner();
        for token in stands_on.auth.owner_tokens(&owner).await.unwrap() {
            stands_on
                .auth
                .revoke_owner_token(&owner, &token.fingerprint.to_string())
                .await
                .unwrap();
        }
        assert!(stands_on.keep(answer()).await.is_err());
    }
}
