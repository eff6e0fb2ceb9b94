//! A batch of writes in progress: the collections it opened and the changes it counted.

use std::collections::{BTreeSet, HashMap};

use super::backend::driver::{Connection, params};
use pdpp_contract::blob::BlobId;
use pdpp_contract::{ConnectionId, StreamName};

use super::backend::errors::from_driver;
use super::backend::index_words;
use super::backend::keys::prefetch;
use super::known_keys::KnownKeys;
use super::record::{self, OpenCollection, Wrote};
use super::sql::connections::collection::{Collection, find_collection};
use super::sql::connections::projection::put_statement;
use super::sql::connections::time_fields;
use super::sql::search::write::IndexFields;
use super::sql::sensitivity::flags::{self, Numbers};
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::writes::WriteOutcome;
use crate::writes::prepare::PreparedRecord;

const LIST_FIELDS: &str = "
    SELECT name, field_no FROM collection_fields WHERE collection_no = ?1";
const ADD_TO_COUNT: &str = "
    UPDATE collections SET record_count = record_count + ?2 WHERE collection_no = ?1";
const READ_COUNTER: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";
const SET_COUNTER: &str = "
    UPDATE change_counter SET change_no = ?1 WHERE only_row = 1";

/// A batch in progress.
pub(crate) struct Batch<'a> {
    db: &'a Connection,
    connection: &'a ConnectionId,
    open: HashMap<StreamName, Option<OpenCollection>>,
    began: ChangeNo,
    change_no: ChangeNo,
}

impl<'a> Batch<'a> {
    pub(crate) fn begin(db: &'a Connection, connection: &'a ConnectionId) -> StoreResult<Self> {
        let change_no = db.query_row(READ_COUNTER, [], |row| row.get(0)).map_err(from_driver)?;
        Ok(Self { db, connection, open: HashMap::new(), began: change_no, change_no })
    }

    /// Looks up the keys of records that are about to be written.
    pub(super) fn look_ahead(&mut self, records: &[PreparedRecord]) -> StoreResult<()> {
        let mut keys: HashMap<&StreamName, Vec<&[u8]>> = HashMap::new();
        for record in records {
            keys.entry(&record.stream).or_default().push(&record.key_order);
        }
        let db = self.db;
        for (stream, keys) in keys {
            if let Some(open) = self.collection(stream)? {
                open.known = prefetch::find(db, open.collection.no, keys.into_iter())?;
            }
        }
        Ok(())
    }

    /// The transaction.
    pub(crate) fn db(&self) -> &'a Connection {
        self.db
    }

    /// A collection of the connection.
    pub(crate) fn find_collection(
        &mut self,
        stream: &StreamName,
    ) -> StoreResult<Option<Collection>> {
        Ok(self.collection(stream)?.map(|open| open.collection.clone()))
    }

    /// Sets marks of a record that this batch did not bring, or brought before.
    pub(crate) fn mark(
        &mut self,
        collection: &Collection,
        record_no: RecordNo,
        marks: (i64, i64),
    ) -> StoreResult<()> {
        let mut numbers = Numbers { began: self.began, last: self.change_no };
        flags::set(self.db, collection, record_no, marks, &mut numbers)?;
        self.change_no = numbers.last;
        Ok(())
    }

    pub(crate) fn write(&mut self, record: &PreparedRecord) -> StoreResult<Wrote> {
        let next = self.change_no.next();
        let db = self.db;
        let Some(open) = self.collection(&record.stream)? else {
            let outcome = WriteOutcome::RefusedUnknownStream;
            return Ok(Wrote { outcome, record_no: None, marks_before: 0 });
        };
        let wrote = record::write(db, open, record, next)?;
        let outcome = wrote.outcome;
        if matches!(outcome, WriteOutcome::Added | WriteOutcome::Changed | WriteOutcome::Deleted) {
            self.change_no = next;
        }
        Ok(wrote)
    }

    pub(crate) fn delete(
        &mut self,
        stream: &StreamName,
        record_no: RecordNo,
        at: &str,
    ) -> StoreResult<()> {
        let next = self.change_no.next();
        let db = self.db;
        if let Some(open) = self.collection(stream)? {
            record::delete(db, open, record_no, at, next)?;
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

    /// Ends the batch; the blobs that its records no longer refer to.
    pub(crate) fn finish(mut self) -> StoreResult<BTreeSet<BlobId>> {
        let open = self.open.values_mut().flatten();
        let lost = open.flat_map(|open| std::mem::take(&mut open.lost_blobs)).collect();
        for open in self.open.values().flatten().filter(|open| open.added != 0) {
            self.db
                .execute(ADD_TO_COUNT, params![open.collection.no, open.added])
                .map_err(from_driver)?;
        }
        index_words::settle(self.db)?;
        self.db.execute(SET_COUNTER, [self.change_no]).map_err(from_driver)?;
        Ok(lost)
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
        known: KnownKeys::default(),
    }))
}
