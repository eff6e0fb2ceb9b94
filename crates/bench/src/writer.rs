//! A writer that never rests: batches of fifty records, each on disk before the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pdpp_engine::ingest::IngestRequest;
use tokio::task::JoinHandle;

use super::data::{Vocabulary, mail};
use super::requests::messages;
use super::world::{World, unexpected};
use crate::error::BenchError;

/// Records in one batch.
const BATCH: u64 = 50;
/// Numbers of records that no sample store holds.
const FIRST_NUMBER: u64 = 1 << 40;
/// Numbers set aside for one writer.
const NUMBERS: u64 = 1 << 30;

/// A writer at work.
pub struct Writer {
    stop: Arc<AtomicBool>,
    task: JoinHandle<Result<u64, BenchError>>,
}

/// Starts writing into the first connection; each `round` writes other records.
pub async fn start(
    world: &World,
    words: &Arc<Vocabulary>,
    round: usize,
) -> Result<Writer, BenchError> {
    let connection_id = world.connection_id(0).await?;
    let stop = Arc::new(AtomicBool::new(false));
    let (stopped, words) = (Arc::clone(&stop), Arc::clone(words));
    let (engine, owner) = (world.engine.clone(), world.owner());
    let first = FIRST_NUMBER + NUMBERS * u64::try_from(round).unwrap_or(0);
    let task = tokio::spawn(async move {
        let mut next = first;
        while !stopped.load(Ordering::Relaxed) {
            let body = batch(next, &words);
            let (connection_id, stream) = (connection_id.clone(), messages()?);
            let request = IngestRequest { connection_id, stream, body };
            engine.ingest(&owner, request).await?;
            next += BATCH;
        }
        Ok(next - first)
    });
    Ok(Writer { stop, task })
}

impl Writer {
    /// Stops after the batch at hand; says how many records were written.
    pub async fn stop(self) -> Result<u64, BenchError> {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.map_err(|_| unexpected("the writer stopped"))?
    }
}

/// Lines of messages; every fifth number is a note and left out.
fn batch(first: u64, words: &Vocabulary) -> Vec<u8> {
    let mut body = Vec::new();
    for number in first..first + BATCH {
        // Five consecutive numbers in a row hold one note, so four fifths of them fill the batch.
        let line = mail::line(number / 4 * 5 + number % 4, words);
        body.extend_from_slice(&line.bytes);
        body.push(b'\n');
    }
    body
}
