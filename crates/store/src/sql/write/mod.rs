//! Batches of records in one transaction, and erasure.

pub(crate) mod batch;
mod field_hashes;
pub(crate) mod known_keys;
pub(crate) mod record;
pub(crate) mod text;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, OptionalExtension, params};
use jiff::Timestamp;
use pdpp_contract::import::RejectedItem;
use pdpp_contract::{ConnectionId, RecordId, StreamName};

use crate::error::{StoreError, StoreResult};
use crate::numbers::{CollectionNo, RecordNo};
use crate::opening::reserve::Reserve;
use crate::writes::hashing::HashKey;
use crate::writes::prepare::PreparedRecord;
use crate::writes::{BatchOutcome, HeldItem, RecordWriter, WriteMode, WriteOutcome};
use backend::Backend;
use backend::begin_write;
use backend::blob_bytes::BlobBytes;
use backend::errors::from_driver;
use backend::maintenance::erasing::check_may_erase;
use batch::Batch;
use sql::blobs::refs::{self, Forgotten};
use sql::connections::collection::{find_collection, table};
use sql::connections::quarantine;
use sql::sensitivity::inheritance;

const CONNECTION_NO: &str = "
    SELECT connection_no FROM connections WHERE connection_id = ?1";
/// Records that one transaction erases.
const ERASE_STEP: u32 = 200;

/// A connection's number.
pub(crate) fn connection_no(
    db: &Connection,
    connection: &ConnectionId,
) -> StoreResult<Option<RecordNo>> {
    db.prepare_cached(CONNECTION_NO)
        .and_then(|mut find| find.query_row([connection.as_str()], |row| row.get(0)).optional())
        .map_err(from_driver)
}

/// Why a batch is undone; travels as an error so that the transaction rolls back.
enum Undone {
    Refused(Vec<WriteOutcome>),
    Failed(StoreError),
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

#[async_trait]
impl RecordWriter for Backend {
    fn hash_key(&self) -> HashKey {
        self.secrets.hashing.clone()
    }

    async fn write_records(
        &self,
        connection: &ConnectionId,
        batch: Vec<PreparedRecord>,
        mode: WriteMode,
    ) -> StoreResult<Option<BatchOutcome>> {
        write_with(self, connection, batch, mode, Box::new(|_| Ok(true))).await
    }

    async fn erase_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let (connection, stream, id) = (connection.clone(), stream.clone(), id.clone());
        let files = self.blobs.clone();
        let erased = self
            .write_reserved(Reserve::Ending, move |db| {
                check_may_erase(db)?;
                let Some(found) = find_collection(db, &connection, &stream)? else {
                    return Ok(None);
                };
                let Some(record_no) = live_number(db, found.no, &id)? else {
                    return Ok(None);
                };
                erase(db, &connection, &files, &stream, &[record_no], now).map(Some)
            })
            .await?;
        // Also when it was gone already: an earlier erasure may have met a long read.
        let was_there = erased.is_some();
        self.forget_old_pages(erased.unwrap_or_default().files).await?;
        Ok(was_there)
    }

    async fn erase_stream(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        now: Timestamp,
    ) -> StoreResult<u64> {
        // Step by step, so that a large stream needs no more room than a small one.
        let (mut after, mut erased) = (RecordNo(0), 0);
        loop {
            let (connection, stream) = (connection.clone(), stream.clone());
            let files = self.blobs.clone();
            let step = self
                .write_reserved(Reserve::Ending, move |db| {
                    check_may_erase(db)?;
                    let Some(found) = find_collection(db, &connection, &stream)? else {
                        return Ok(None);
                    };
                    let sql = format!(
                        "SELECT record_no FROM {} WHERE collection_no = ?1 AND record_no > ?2
                          ORDER BY record_no
                          LIMIT {ERASE_STEP}",
                        table(found.projection_no)
                    );
                    let numbers: Vec<RecordNo> = db
                        .prepare_cached(&sql)
                        .and_then(|mut list| {
                            list.query_map(params![found.no, after], |row| row.get(0))?.collect()
                        })
                        .map_err(from_driver)?;
                    let Some(last) = numbers.last().copied() else {
                        return Ok(None);
                    };
                    let gone = erase(db, &connection, &files, &stream, &numbers, now)?;
                    Ok(Some((last, u64::try_from(numbers.len()).unwrap_or(u64::MAX), gone.files)))
                })
                .await?;
            let Some((last, more, files)) = step else { break };
            (after, erased) = (last, erased + more);
            self.forget_step(files).await?;
        }
        self.forget_old_pages(Vec::new()).await?;
        Ok(erased)
    }

    async fn quarantine(
        &self,
        connection: &ConnectionId,
        items: Vec<RejectedItem>,
        now: Timestamp,
    ) -> StoreResult<()> {
        let connection = connection.clone();
        self.write(move |db| quarantine::keep(db, &connection, &items, now)).await
    }

    async fn quarantined(&self, connection: &ConnectionId) -> StoreResult<u64> {
        let connection = connection.clone();
        self.read(move |db| quarantine::count(db, &connection)).await
    }

    async fn list_quarantine(
        &self,
        connection: &ConnectionId,
        after: u64,
        limit: u32,
    ) -> StoreResult<Vec<HeldItem>> {
        let connection = connection.clone();
        self.read(move |db| quarantine::list(db, &connection, after, limit)).await
    }

    async fn release_quarantine(
        &self,
        connection: &ConnectionId,
        numbers: Vec<u64>,
    ) -> StoreResult<u64> {
        let connection = connection.clone();
        self.write(move |db| quarantine::release(db, &connection, &numbers)).await
    }
}

/// What else belongs to a batch and is written in its transaction; `false` when the batch must not be.
pub(crate) type AlsoWrite = Box<dyn FnOnce(&Connection) -> StoreResult<bool> + Send>;

/// Writes a batch, and what belongs to it.
pub(crate) async fn write_with(
    store: &Backend,
    connection: &ConnectionId,
    batch: Vec<PreparedRecord>,
    mode: WriteMode,
    also: AlsoWrite,
) -> StoreResult<Option<BatchOutcome>> {
    let (connection, files) = (connection.clone(), store.blobs.clone());
    let forget_replaced = store.forget_replaced();
    store
        .with_writer(move |writer| {
            let transaction = begin_write(writer)?;
            if connection_no(&transaction, &connection)?.is_none() || !also(&transaction)? {
                return Ok(None);
            }
            match write_all(&transaction, &connection, &files, &batch, mode) {
                Ok((outcomes, _)) if mode == WriteMode::DryRun => {
                    Ok(Some(BatchOutcome { outcomes, kept: false }))
                }
                Ok((outcomes, gone)) => {
                    transaction.commit().map_err(from_driver)?;
                    // The batch is kept, whatever becomes of what it replaced.
                    let takes_away = outcomes.iter().any(WriteOutcome::takes_away);
                    let unlinked = refs::unlink(writer, &files, &gone.files).map(drop);
                    for error in [unlinked, forget_replaced(writer, takes_away)]
                        .into_iter()
                        .filter_map(Result::err)
                    {
                        tracing::warn!("what was replaced is cleared away later: {error}");
                    }
                    Ok(Some(BatchOutcome { outcomes, kept: true }))
                }
                Err(Undone::Refused(outcomes)) => Ok(Some(BatchOutcome { outcomes, kept: false })),
                Err(Undone::Failed(error)) => Err(error),
            }
        })
        .await
}

fn write_all(
    db: &Connection,
    connection: &ConnectionId,
    files: &BlobBytes,
    records: &[PreparedRecord],
    mode: WriteMode,
) -> Result<(Vec<WriteOutcome>, Forgotten), Undone> {
    let mut batch = Batch::begin(db, connection)?;
    batch.look_ahead(records)?;
    let mut wrote = Vec::with_capacity(records.len());
    for record in records {
        wrote.push(batch.write(record)?);
    }
    inheritance::settle(&mut batch, records, &wrote)?;
    let outcomes: Vec<WriteOutcome> = wrote.iter().map(|wrote| wrote.outcome).collect();
    let refused = |outcome: &WriteOutcome| {
        matches!(outcome, WriteOutcome::RefusedAppendOnly | WriteOutcome::RefusedUnknownStream)
    };
    if mode == WriteMode::AllOrNothing && outcomes.iter().any(refused) {
        return Err(Undone::Refused(outcomes));
    }
    let gone = refs::forget_replaced(db, files, batch.finish()?)?;
    Ok((outcomes, gone))
}

fn live_number(
    db: &Connection,
    collection_no: CollectionNo,
    id: &RecordId,
) -> StoreResult<Option<RecordNo>> {
    sql::records::live_number(db, collection_no, id)
}

fn erase(
    db: &Connection,
    connection: &ConnectionId,
    files: &BlobBytes,
    stream: &StreamName,
    record_numbers: &[RecordNo],
    now: Timestamp,
) -> StoreResult<Forgotten> {
    let mut batch = Batch::begin(db, connection)?;
    let at = now.to_string();
    for record_no in record_numbers {
        batch.delete(stream, *record_no, &at)?;
    }
    refs::forget(db, files, batch.finish()?)
}
