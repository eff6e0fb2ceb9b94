//! Items become checked batches.

use pdpp_contract::import::{ImportItem, ImportRecord, RejectedItem};
use pdpp_store::prepare::PreparedRecord;
use tokio::sync::mpsc;

use super::ImportItems;
use super::checker::RecordChecker;

/// A batch is written when it has this many records …
const BATCH_RECORDS: usize = 1_000;
/// … or this many bytes of records.
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// A checked batch on its way to the store.
#[derive(Default)]
pub(super) struct CheckedBatch {
    pub(super) records: Vec<PreparedRecord>,
    /// The same records as they came, when they may have to be merged.
    pub(super) sources: Vec<ImportRecord>,
    /// Where each of the records was found.
    pub(super) origins: Vec<Origin>,
    /// Rejected items, each with its place in the batch.
    pub(super) rejected: Vec<(u64, RejectedItem)>,
    pub(super) items: u64,
    pub(super) bytes: u64,
}

/// Where a record was found.
pub(super) struct Origin {
    pub(super) source: String,
    pub(super) position: u64,
    /// Its place in the batch, over all sources.
    pub(super) order: u64,
    pub(super) deletes: bool,
}

/// Reads and checks items, a batch at a time, until they end or nobody listens any more.
pub(super) fn read_batches(
    checker: &RecordChecker,
    items: ImportItems,
    keeps_sources: bool,
    send: &mpsc::Sender<std::io::Result<CheckedBatch>>,
) {
    let mut batch = CheckedBatch::default();
    let mut batch_bytes = 0;
    for item in items {
        let item = match item {
            Ok(item) => item,
            Err(error) => {
                let _ = send.blocking_send(Err(error));
                return;
            }
        };
        batch.items += 1;
        batch_bytes += item.size_bytes();
        add_item(checker, item, keeps_sources, &mut batch);
        let records = batch.records.len() + batch.rejected.len();
        let is_full = records >= BATCH_RECORDS || batch_bytes >= BATCH_BYTES;
        // A thread is judged by the message that began it, which importers put right behind it.
        let last = batch.records.last();
        let begins_thread = last.is_some_and(|record| !record.inheritance.begun_by.is_empty());
        if is_full && (!begins_thread || records >= 2 * BATCH_RECORDS) {
            batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
            if send.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
                return;
            }
            batch_bytes = 0;
        }
    }
    if batch.items > 0 {
        batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
        // When nobody listens any more there is nobody to tell.
        let _ = send.blocking_send(Ok(batch));
    }
}

fn add_item(
    checker: &RecordChecker,
    item: ImportItem,
    keeps_sources: bool,
    batch: &mut CheckedBatch,
) {
    let ImportItem { source, position, content } = item;
    let order = batch.items;
    let kept = content.as_ref().ok().filter(|_| keeps_sources).cloned();
    match content.and_then(|record| checker.check(record)) {
        Ok(record) => {
            batch.sources.extend(kept);
            let deletes = record.content.is_none();
            batch.records.push(record);
            batch.origins.push(Origin { source, position, order, deletes });
        }
        Err(rejected) => {
            batch.rejected.push((order, RejectedItem { source, position, rejected }));
        }
    }
}
