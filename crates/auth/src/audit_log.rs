//! The audit log's writer: reads are noted off their own path, in batches, and none is dropped.

use std::sync::Arc;
use std::time::Duration;

use pdpp_store::audit::{AuditEvent, AuditStore};
use tokio::sync::{mpsc, oneshot, watch};

/// Events that may wait for the store before readers have to.
const CAPACITY: usize = 4_096;
/// Most messages written in one step.
const BATCH: usize = 256;
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

enum Message {
    Event(Box<AuditEvent>),
    Flush(oneshot::Sender<()>),
}

/// The way into the audit log. Cheap to clone; the last clone that goes lets the writer finish.
#[derive(Clone)]
pub struct AuditLog {
    sender: mpsc::Sender<Message>,
    failing: watch::Receiver<bool>,
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
        tokio::spawn(Writer { store, receiver, failing, gather }.run());
        Self { sender, failing: seen }
    }

    /// Hands an event over. Waits only while more events are pending than fit: whoever reads
    /// faster than the store can note it is slowed down, and no read goes unnoted.
    pub async fn record(&self, event: AuditEvent) {
        if self.sender.send(Message::Event(Box::new(event))).await.is_err() {
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
}

impl Writer {
    async fn run(mut self) {
        let mut gathered = tokio::time::Instant::now();
        while let Some(first) = self.receiver.recv().await {
            let (mut events, mut waiting) = (Vec::new(), Vec::new());
            let mut take = |message| match message {
                Message::Event(event) => events.push(*event),
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
        let mut kept = self.store.append_audit(events.clone()).await;
        while let Err(error) = kept {
            tracing::error!("the audit log cannot be written, trying again: {error}");
            self.failing.send_replace(true);
            tokio::time::sleep(PAUSE).await;
            kept = self.store.append_audit_again(events.clone()).await;
        }
        self.failing.send_replace(false);
    }
}
