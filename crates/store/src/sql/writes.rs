//! Batches of records in one transaction, and erasure.

use std::collections::{BTreeSet, HashMap};

use super::driver::{Connection, OptionalExtension, TransactionBehavior, params};
use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use pdpp_contract::{ConnectionId, RecordId, StreamName};

use super::Backend;
use super::blob_refs;
use super::declared::{find_collection, table};
use super::errors::from_driver;
use super::project::put_statement;
use super::quarantine;
use super::search_write::IndexFields;
use super::time_fields;
use super::write_record::{self, OpenCollection};
use crate::error::{StoreError, StoreResult};
use crate::hashing::HashKey;
use crate::prepare::PreparedRecord;
use crate::writes::{
    BatchOutcome, HeldItem, QuarantinedItem, RecordWriter, WriteMode, WriteOutcome,
};

const CONNECTION_NO: &str = "
    SELECT connection_no FROM connections WHERE connection_id = ?1";
const LIST_FIELDS: &str = "
    SELECT name, field_no FROM collection_fields WHERE collection_no = ?1";
const ADD_TO_COUNT: &str = "
    UPDATE collections SET record_count = record_count + ?2 WHERE collection_no = ?1";
const READ_COUNTER: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";
const SET_COUNTER: &str = "
    UPDATE change_counter SET change_no = ?1 WHERE only_row = 1";
/// A batch in progress.
struct Batch<'a> {
    db: &'a Connection,
    connection: &'a ConnectionId,
    open: HashMap<StreamName, Option<OpenCollection>>,
    change_no: i64,
}

impl<'a> Batch<'a> {
    fn begin(db: &'a Connection, connection: &'a ConnectionId) -> StoreResult<Self> {
        let change_no = db.query_row(READ_COUNTER, [], |row| row.get(0)).map_err(from_driver)?;
        Ok(Self { db, connection, open: HashMap::new(), change_no })
    }

    fn write(&mut self, record: &PreparedRecord) -> StoreResult<WriteOutcome> {
        let next = self.change_no + 1;
        let db = self.db;
        let Some(open) = self.collection(&record.stream)? else {
            return Ok(WriteOutcome::RefusedUnknownStream);
        };
        let outcome = write_record::write(db, open, record, next)?;
        if matches!(outcome, WriteOutcome::Added | WriteOutcome::Changed | WriteOutcome::Deleted) {
            self.change_no = next;
        }
        Ok(outcome)
    }

    fn delete(&mut self, stream: &StreamName, record_no: i64, at: &str) -> StoreResult<()> {
        let next = self.change_no + 1;
        let db = self.db;
        if let Some(open) = self.collection(stream)? {
            write_record::delete(db, open, record_no, at, next)?;
            self.change_no = next;
        }
        Ok(())
    }

    fn collection(&mut self, stream: &StreamName) -> StoreResult<Option<&mut OpenCollection>> {
        if !self.open.contains_key(stream) {
            let open = open_collection(self.db, self.connection, stream)?;
            self.open.insert(stream.clone(), open);
        }
        Ok(self.open.get_mut(stream).and_then(Option::as_mut))
    }

    /// Ends the batch; the blobs whose files go after the commit.
    fn finish(mut self) -> StoreResult<Vec<BlobId>> {
        let open = self.open.values_mut().flatten();
        let lost = open.flat_map(|open| std::mem::take(&mut open.lost_blobs)).collect();
        for open in self.open.values().flatten().filter(|open| open.added != 0) {
            self.db
                .execute(ADD_TO_COUNT, params![open.collection.no, open.added])
                .map_err(from_driver)?;
        }
        self.db.execute(SET_COUNTER, [self.change_no]).map_err(from_driver)?;
        blob_refs::forget_unused(self.db, lost)
    }
}

fn open_collection(
    db: &Connection,
    connection: &ConnectionId,
    stream: &StreamName,
) -> StoreResult<Option<OpenCollection>> {
    let Some(collection) = find_collection(db, connection, stream)? else {
        return Ok(None);
    };
    let mut list = db.prepare_cached(LIST_FIELDS).map_err(from_driver)?;
    let field_numbers = list
        .query_map([collection.no], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .map_err(from_driver)?;
    let put_projection = put_statement(collection.projection_no, collection.shape.columns.len());
    let index_fields = IndexFields::default();
    let former_times = time_fields::former(db, collection.no)?;
    Ok(Some(OpenCollection {
        collection,
        put_projection,
        field_numbers,
        index_fields,
        former_times,
        lost_blobs: BTreeSet::new(),
        added: 0,
    }))
}

/// A connection's number.
pub(super) fn connection_no(
    db: &Connection,
    connection: &ConnectionId,
) -> StoreResult<Option<i64>> {
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
        let (connection, files) = (connection.clone(), self.blobs.clone());
        let forget_replaced = self.forget_replaced();
        self.with_writer(move |writer| {
            let transaction = writer
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(from_driver)?;
            if connection_no(&transaction, &connection)?.is_none() {
                return Ok(None);
            }
            match write_all(&transaction, &connection, &batch, mode) {
                Ok((outcomes, _)) if mode == WriteMode::DryRun => {
                    Ok(Some(BatchOutcome { outcomes, kept: false }))
                }
                Ok((outcomes, gone)) => {
                    transaction.commit().map_err(from_driver)?;
                    blob_refs::unlink(writer, &files, &gone)?;
                    forget_replaced(writer, outcomes.iter().any(WriteOutcome::takes_away))?;
                    Ok(Some(BatchOutcome { outcomes, kept: true }))
                }
                Err(Undone::Refused(outcomes)) => Ok(Some(BatchOutcome { outcomes, kept: false })),
                Err(Undone::Failed(error)) => Err(error),
            }
        })
        .await
    }

    async fn erase_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let (connection, stream, id) = (connection.clone(), stream.clone(), id.clone());
        let erased = self
            .write(move |db| {
                let Some(found) = find_collection(db, &connection, &stream)? else {
                    return Ok(None);
                };
                let Some(record_no) = live_number(db, found.no, &id)? else {
                    return Ok(None);
                };
                erase(db, &connection, &stream, &[record_no], now).map(Some)
            })
            .await?;
        // Also when it was gone already: an earlier erasure may have met a long read.
        let was_there = erased.is_some();
        self.forget_old_pages(erased.unwrap_or_default()).await?;
        Ok(was_there)
    }

    async fn erase_stream(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        now: Timestamp,
    ) -> StoreResult<u64> {
        let (connection, stream) = (connection.clone(), stream.clone());
        let erased = self
            .write(move |db| {
                let Some(found) = find_collection(db, &connection, &stream)? else {
                    return Ok((0, Vec::new()));
                };
                let sql = format!(
                    "SELECT record_no FROM {} WHERE collection_no = ?1 ORDER BY record_no",
                    table(found.projection_no)
                );
                let numbers: Vec<i64> = db
                    .prepare_cached(&sql)
                    .and_then(|mut list| list.query_map([found.no], |row| row.get(0))?.collect())
                    .map_err(from_driver)?;
                let gone = erase(db, &connection, &stream, &numbers, now)?;
                Ok((u64::try_from(numbers.len()).unwrap_or(u64::MAX), gone))
            })
            .await?;
        let (erased, gone) = erased;
        self.forget_old_pages(gone).await?;
        Ok(erased)
    }

    async fn quarantine(
        &self,
        connection: &ConnectionId,
        items: Vec<QuarantinedItem>,
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

fn write_all(
    db: &Connection,
    connection: &ConnectionId,
    records: &[PreparedRecord],
    mode: WriteMode,
) -> Result<(Vec<WriteOutcome>, Vec<BlobId>), Undone> {
    let mut batch = Batch::begin(db, connection)?;
    let mut outcomes = Vec::with_capacity(records.len());
    for record in records {
        outcomes.push(batch.write(record)?);
    }
    let refused = |outcome: &WriteOutcome| {
        matches!(outcome, WriteOutcome::RefusedAppendOnly | WriteOutcome::RefusedUnknownStream)
    };
    if mode == WriteMode::AllOrNothing && outcomes.iter().any(refused) {
        return Err(Undone::Refused(outcomes));
    }
    let gone = batch.finish()?;
    Ok((outcomes, gone))
}

fn live_number(db: &Connection, collection_no: i64, id: &RecordId) -> StoreResult<Option<i64>> {
    super::records::live_number(db, collection_no, id)
}

fn erase(
    db: &Connection,
    connection: &ConnectionId,
    stream: &StreamName,
    record_numbers: &[i64],
    now: Timestamp,
) -> StoreResult<Vec<BlobId>> {
    let mut batch = Batch::begin(db, connection)?;
    let at = now.to_string();
    for record_no in record_numbers {
        batch.delete(stream, *record_no, &at)?;
    }
    batch.finish()
}
