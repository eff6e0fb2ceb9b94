//! The audit log's writer: reads are noted off their own path, in batches, and none is dropped. While the
//! log cannot be written, reads stop after a few.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pdpp_contract::access::AuditEvent;
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_store::audit::AuditStore;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

/// Events that may wait for the store before readers have to.
const CAPACITY: usize = 4_096;
/// Reads that may wait for their place in the log at one time.
const MAX_UNWRITTEN: usize = 64;
/// Reads that are still answered once the log could not be written, until it can be again.
const UNWRITTEN_WHILE_FAILING: usize = 16;
/// Most messages written in one step. As many as may wait: the last of them is not kept waiting for more.
const BATCH: usize = MAX_UNWRITTEN;
/// How long after a write the next events gather. Every write makes readers read their pages anew, so
/// that an agent in full flow must not cause one per call; the first call after a pause is noted at once.
const GATHER: Duration = Duration::from_millis(200);
/// The same where a client ends the process, some of them a few hundredths of a second after they said so.
const GATHER_LITTLE: Duration = Duration::from_millis(100);
/// How long the writer waits before it tries a failed step again.
const PAUSE: Duration = Duration::from_millis(500);

/// The store did not take the events yet. They are kept and tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the audit log could not be written; the events wait for another try")]
pub struct AuditUnwritten;

impl From<AuditUnwritten> for ApiError {
    fn from(_: AuditUnwritten) -> Self {
        let message = "the audit log cannot be written, and nothing is read without it; try again later. \
                       The server's owner should look at its log and at the room on its disk";
        Self::new(ErrorCode::Unavailable, message)
    }
}

/// Room in the log for one read. Whoever has it may read, and records what was read with it.
#[derive(Debug)]
pub struct Admission(
    #[expect(dead_code, reason = "kept for what happens when it goes")] OwnedSemaphorePermit,
);

enum Message {
    Event(Box<AuditEvent>, Option<Admission>),
    Flush(oneshot::Sender<()>),
}

/// The way into the audit log. Cheap to clone; the last clone that goes lets the writer finish.
#[derive(Clone)]
pub struct AuditLog {
    sender: mpsc::Sender<Message>,
    failing: watch::Receiver<bool>,
    places: Arc<Semaphore>,
    unwritten: Arc<AtomicU64>,
}

impl AuditLog {
    /// Starts the writer on the current runtime.
    pub fn start(store: Arc<dyn AuditStore>) -> Self {
        Self::start_with(store, GATHER)
    }

    /// The same for a process that a client may end at any moment: little gathers before it is written.
    pub fn start_hasty(store: Arc<dyn AuditStore>) -> Self {
        Self::start_with(store, GATHER_LITTLE)
    }

    fn start_with(store: Arc<dyn AuditStore>, gather: Duration) -> Self {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        let (failing, seen) = watch::channel(false);
        let unwritten = Arc::<AtomicU64>::default();
        let writer = Writer { store, receiver, failing, gather, unwritten: Arc::clone(&unwritten) };
        tokio::spawn(writer.run());
        let places = Arc::new(Semaphore::new(MAX_UNWRITTEN));
        Self { sender, failing: seen, places, unwritten }
    }

    /// Asks whether something may be read now. Refused while the log cannot be written and enough reads
    /// wait for it; waits while more of them wait than the store can note in time.
    pub async fn admit(&self) -> Result<Admission, AuditUnwritten> {
        let waiting = MAX_UNWRITTEN.saturating_sub(self.places.available_permits());
        if *self.failing.borrow() && waiting >= UNWRITTEN_WHILE_FAILING {
            return Err(AuditUnwritten);
        }
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(Admission(place));
        }
        let mut failing = self.failing.clone();
        tokio::select! {
            place = Arc::clone(&self.places).acquire_owned() => {
                place.map(Admission).map_err(|_| AuditUnwritten)
            }
            _ = failing.wait_for(|failing| *failing) => Err(AuditUnwritten),
        }
    }

    /// How many events are not in the store yet.
    pub fn unwritten(&self) -> u64 {
        self.unwritten.load(Ordering::Relaxed)
    }

    /// Hands an event over. Waits only while more events are pending than fit: whoever reads
    /// faster than the store can note it is slowed down, and no read goes unnoted.
    pub async fn record(&self, event: AuditEvent) {
        self.hand_over(event, None).await;
    }

    /// The same for a read that was admitted.
    pub async fn record_admitted(&self, event: AuditEvent, admission: Admission) {
        self.hand_over(event, Some(admission)).await;
    }

    async fn hand_over(&self, event: AuditEvent, admission: Option<Admission>) {
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        if self.sender.send(Message::Event(Box::new(event), admission)).await.is_err() {
            tracing::error!("the audit writer is gone; an event was not kept");
        }
    }

    /// Waits until everything recorded before is in the store. Call it before the process ends.
    ///
    /// Fails at once while the store takes nothing, so that a process can end although the disk is
    /// full.
    pub async fn flush(&self) -> Result<(), AuditUnwritten> {
        let mut failing = self.failing.clone();
        tokio::select! {
            flushed = self.reach_writer() => flushed,
            _ = failing.wait_for(|failing| *failing) => Err(AuditUnwritten),
        }
    }

    async fn reach_writer(&self) -> Result<(), AuditUnwritten> {
        let (done, flushed) = oneshot::channel();
        self.sender.send(Message::Flush(done)).await.map_err(|_| AuditUnwritten)?;
        flushed.await.map_err(|_| AuditUnwritten)
    }
}

struct Writer {
    store: Arc<dyn AuditStore>,
    receiver: mpsc::Receiver<Message>,
    failing: watch::Sender<bool>,
    gather: Duration,
    unwritten: Arc<AtomicU64>,
}

impl Writer {
    async fn run(mut self) {
        let mut gathered = tokio::time::Instant::now();
        while let Some(first) = self.receiver.recv().await {
            let (mut events, mut waiting, mut admissions) = (Vec::new(), Vec::new(), Vec::new());
            let mut take = |message| match message {
                Message::Event(event, admission) => {
                    events.push(*event);
                    admissions.extend(admission);
                }
                Message::Flush(done) => waiting.push(done),
            };
            let mut urgent = matches!(first, Message::Flush(_));
            take(first);
            for _ in 1..BATCH {
                // Whoever waits for the writer gets it as soon as nothing stands before them.
                let next = if urgent {
                    self.receiver.try_recv().ok()
                } else {
                    tokio::time::timeout_at(gathered, self.receiver.recv()).await.ok().flatten()
                };
                let Some(message) = next else { break };
                urgent |= matches!(message, Message::Flush(_));
                take(message);
            }
            self.keep(events).await;
            // Their places are free once they are kept.
            drop(admissions);
            gathered = tokio::time::Instant::now() + self.gather;
            for done in waiting {
                // Whoever asked may have stopped waiting.
                let _ = done.send(());
            }
        }
    }

    /// Tries until the store has taken the events. One that failed may have kept them all the same, when
    /// its answer got lost.
    async fn keep(&self, events: Vec<AuditEvent>) {
        let count = u64::try_from(events.len()).unwrap_or(u64::MAX);
        let mut kept = self.store.append_audit(events.clone()).await;
        while let Err(error) = kept {
            if !self.failing.send_replace(true) {
                tracing::error!("the audit log cannot be written, trying again: {error}");
            }
            tokio::time::sleep(PAUSE).await;
            kept = self.store.append_audit_again(events.clone()).await;
        }
        self.unwritten.fetch_sub(count, Ordering::Relaxed);
        if self.failing.send_replace(false) {
            tracing::warn!("the audit log can be written again");
        }
    }
}
