//! Lines become checked batches.

use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::QuarantinedItem;
use tokio::sync::mpsc;

use super::{ImportLine, ImportLines, RefusedLine};
use crate::line::{LineChecker, LineFault};

/// A batch is written when it has this many records …
const BATCH_RECORDS: usize = 1_000;
/// … or this many bytes of lines.
const BATCH_BYTES: usize = 4 * 1024 * 1024;
/// A refused line longer than this is set aside without its content.
const MAX_QUARANTINED_BYTES: usize = 1024 * 1024;

/// A checked batch on its way to the store.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) records: Vec<PreparedRecord>,
    pub(super) places: Vec<Place>,
    pub(super) rejected: Vec<Refused>,
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

/// Where a record stood.
pub(super) struct Place {
    pub(super) source: String,
    pub(super) position: u64,
    /// Its place in the batch, over all sources.
    pub(super) order: u64,
    pub(super) deletes: bool,
}

/// A refused line and its place in the batch.
pub(super) struct Refused {
    pub(super) order: u64,
    pub(super) item: QuarantinedItem,
}

/// Reads and checks lines, a batch at a time, until they end or nobody listens any more.
pub(super) fn read_batches(
    checker: &LineChecker,
    lines: ImportLines,
    send: &mpsc::Sender<std::io::Result<Batch>>,
) {
    let mut batch = Batch::default();
    let mut batch_bytes = 0;
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                let _ = send.blocking_send(Err(error));
                return;
            }
        };
        batch.lines += 1;
        batch_bytes += line.len();
        add_line(checker, line, &mut batch);
        let records = batch.records.len() + batch.rejected.len();
        let is_full = records >= BATCH_RECORDS || batch_bytes >= BATCH_BYTES;
        // A thread is judged by the message that began it, which importers put right behind it.
        let last = batch.records.last();
        let begins_thread = last.is_some_and(|record| !record.kinship.begun_by.is_empty());
        if is_full && (!begins_thread || records >= 2 * BATCH_RECORDS) {
            batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
            if send.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
                return;
            }
            batch_bytes = 0;
        }
    }
    if batch.lines > 0 {
        batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
        // When nobody listens any more there is nobody to tell.
        let _ = send.blocking_send(Ok(batch));
    }
}

fn add_line(checker: &LineChecker, line: ImportLine, batch: &mut Batch) {
    let ImportLine { source, position, content } = line;
    let order = batch.lines;
    let bytes = match content {
        Ok(bytes) => bytes,
        Err(RefusedLine { code, message, item }) => {
            let item = QuarantinedItem { source, position, code, message, item };
            batch.rejected.push(Refused { order, item });
            return;
        }
    };
    // Kept until the line is known to be good; huge ones are not worth a second copy.
    let copy = if bytes.len() <= MAX_QUARANTINED_BYTES { bytes.clone() } else { Vec::new() };
    match checker.check(bytes, None) {
        Ok(record) => {
            let deletes = record.content.is_none();
            batch.records.push(record);
            batch.places.push(Place { source, position, order, deletes });
        }
        Err(LineFault { code, message }) => {
            let item = QuarantinedItem { source, position, code, message, item: copy };
            batch.rejected.push(Refused { order, item });
        }
    }
}
