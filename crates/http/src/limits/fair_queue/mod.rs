//! A queue in which the next place goes to the caller that got least so far.
//!
//! Each caller has a clock that runs by the work done for it. A free place goes to the waiting caller
//! whose clock is furthest behind, so callers share the work and not the answers: who asks for
//! dear things gets fewer of them, and who opens many connections gets no more. A caller that comes
//! back begins where the others stand: time spent away is not saved up.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// What a caller's first work is taken to cost until it is known.
const FIRST_GUESS: Duration = Duration::from_millis(1);
/// Callers that are remembered at once; beyond it, those that wait for nothing are forgotten.
const REMEMBERED: usize = 1_000;

/// Too many calls of this caller wait already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many calls wait already")]
pub struct QueueFull;

/// Places, and who waits for them. Cheap to clone.
pub struct FairQueue<K>(Arc<Mutex<State<K>>>);

struct State<K> {
    free: usize,
    places_each: usize,
    waiting_each: usize,
    /// Where the clock of a caller stood that was served last.
    clock: Duration,
    numbers: u64,
    lines: HashMap<K, Line>,
}

/// One caller.
struct Line {
    /// Work done for it, with a guess for what is under way.
    clock: Duration,
    /// What its last work cost.
    guess: Duration,
    working: usize,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    number: u64,
    /// Takes the guess by which the caller's clock was put forward.
    admit: oneshot::Sender<Duration>,
}

impl<K: Clone + Eq + Hash> FairQueue<K> {
    /// So many places, of which one caller gets at most `places_each`, while `waiting_each` wait.
    pub fn new(places: usize, places_each: usize, waiting_each: usize) -> Self {
        Self(Arc::new(Mutex::new(State {
            free: places.max(1),
            places_each: places_each.max(1),
            waiting_each,
            clock: Duration::ZERO,
            numbers: 0,
            lines: HashMap::new(),
        })))
    }

    /// Waits for a place with a new call. Whoever stops waiting leaves the queue.
    pub async fn enter(&self, caller: K) -> Result<Turn<K>, QueueFull> {
        let (number, admitted) = self.state().join(&caller, false)?;
        self.wait(caller, number, admitted).await
    }

    /// Waits for a place to go on with what was begun, however many wait already.
    pub async fn enter_again(&self, caller: K) -> Result<Turn<K>, QueueFull> {
        let (number, admitted) = self.state().join(&caller, true)?;
        self.wait(caller, number, admitted).await
    }

    async fn wait(
        &self,
        caller: K,
        number: u64,
        admitted: oneshot::Receiver<Duration>,
    ) -> Result<Turn<K>, QueueFull> {
        let mut ticket = Ticket { queue: self.clone(), caller, number, admitted, used: false };
        let at_once = ticket.admitted.try_recv().ok();
        let guess = match at_once {
            Some(guess) => guess,
            // The sender lives in the queue until it sends.
            None => (&mut ticket.admitted).await.map_err(|_| QueueFull)?,
        };
        ticket.used = true;
        let (queue, caller) = (self.clone(), ticket.caller.clone());
        Ok(Turn { queue, caller, guess, spent: Duration::ZERO, waited: at_once.is_none() })
    }

    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> State<K> {
    fn join(
        &mut self,
        caller: &K,
        goes_on: bool,
    ) -> Result<(u64, oneshot::Receiver<Duration>), QueueFull> {
        if self.lines.len() >= REMEMBERED {
            let now = self.clock;
            let busy = |line: &Line| line.working > 0 || !line.waiting.is_empty();
            self.lines.retain(|_, line| busy(line) || line.clock > now);
        }
        let now = self.clock;
        let line = self.lines.entry(caller.clone()).or_insert_with(|| Line {
            clock: now,
            guess: FIRST_GUESS,
            working: 0,
            waiting: VecDeque::new(),
        });
        if !goes_on && line.waiting.len() >= self.waiting_each {
            return Err(QueueFull);
        }
        if line.working == 0 && line.waiting.is_empty() {
            line.clock = line.clock.max(now);
        }
        self.numbers += 1;
        let (admit, admitted) = oneshot::channel();
        line.waiting.push_back(Waiting { number: self.numbers, admit });
        self.give_places();
        Ok((self.numbers, admitted))
    }

    /// Gives free places to those whose clocks are furthest behind.
    fn give_places(&mut self) {
        while self.free > 0 {
            let places_each = self.places_each;
            let may_work = |line: &&mut Line| line.working < places_each;
            let next = self.lines.values_mut().filter(may_work).filter_map(|line| {
                let number = line.waiting.front()?.number;
                Some((line.clock, number, line))
            });
            let Some((_, _, line)) = next.min_by_key(|(clock, number, _)| (*clock, *number)) else {
                return;
            };
            let Some(next) = line.waiting.pop_front() else { return };
            // Somebody who went away in this moment is passed over.
            if next.admit.send(line.guess).is_ok() {
                self.clock = self.clock.max(line.clock);
                line.working += 1;
                line.clock += line.guess;
                self.free -= 1;
            }
        }
    }

    /// Takes a place back and puts what the work cost in the place of the guess.
    fn leave(&mut self, caller: &K, guess: Duration, spent: Option<Duration>) {
        if let Some(line) = self.lines.get_mut(caller) {
            line.working = line.working.saturating_sub(1);
            line.clock = line.clock.saturating_sub(guess) + spent.unwrap_or_default();
            line.guess = spent.map_or(line.guess, |spent| spent.max(FIRST_GUESS));
            self.free += 1;
        }
        self.give_places();
    }

    fn forget(&mut self, caller: &K, number: u64) {
        if let Some(line) = self.lines.get_mut(caller) {
            line.waiting.retain(|waiting| waiting.number != number);
        }
    }
}

impl<K> Clone for FairQueue<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> fmt::Debug for FairQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairQueue").finish_non_exhaustive()
    }
}

/// Somebody who waits.
struct Ticket<K: Clone + Eq + Hash> {
    queue: FairQueue<K>,
    caller: K,
    number: u64,
    admitted: oneshot::Receiver<Duration>,
    used: bool,
}

impl<K: Clone + Eq + Hash> Drop for Ticket<K> {
    fn drop(&mut self) {
        if self.used {
            return;
        }
        // Places are given under the lock, so this is settled.
        let mut state = self.queue.state();
        match self.admitted.try_recv() {
            Ok(guess) => state.leave(&self.caller, guess, None),
            Err(_) => state.forget(&self.caller, self.number),
        }
    }
}

/// A place that is held until it is dropped.
pub struct Turn<K: Clone + Eq + Hash> {
    queue: FairQueue<K>,
    caller: K,
    guess: Duration,
    spent: Duration,
    waited: bool,
}

impl<K: Clone + Eq + Hash> Turn<K> {
    /// Whether others were before it.
    pub fn waited(&self) -> bool {
        self.waited
    }

    /// Says what the work cost, before the place is given up.
    pub fn spend(&mut self, cost: Duration) {
        self.spent = cost;
    }
}

impl<K: Clone + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        self.queue.state().leave(&self.caller, self.guess, Some(self.spent));
    }
}

#[cfg(test)]
mod tests;
