//! Where the records of an account stand at their source, and writing both in one transaction.

use async_trait::async_trait;
use pdpp_contract::{ConnectionId, JsonObject, RecordId, StreamName};

use super::backend::Backend;
use super::backend::driver::{Connection, Params, Row, params};
use super::backend::errors::from_driver;
use super::runs;
use super::sql::connections::collection::find_collection;
use super::sql::records::{get, live_number};
use super::sql::sensitivity::whole_record::with_texts;
use super::sql::write::{connection_no, write_with};
use crate::accounts::sync::{FolderState, ItemNo, SyncCommit, SyncStore, SyncedItem};
use crate::error::StoreResult;
use crate::writes::prepare::PreparedRecord;
use crate::writes::{BatchOutcome, WriteMode};

const STATES: &str = "
    SELECT f.folder, f.state_json
      FROM account_folders f JOIN connections n ON n.connection_no = f.connection_no
     WHERE n.connection_id = ?1
     ORDER BY f.folder";
const ITEMS: &str = "
    SELECT i.folder, i.epoch, i.item, i.record_id, i.marks
      FROM account_items i JOIN connections n ON n.connection_no = i.connection_no
     WHERE n.connection_id = ?1 AND i.folder = ?2
     ORDER BY i.epoch, i.item";
const COUNT: &str = "
    SELECT count(*)
      FROM account_items i JOIN connections n ON n.connection_no = i.connection_no
     WHERE n.connection_id = ?1 AND i.folder = ?2 AND i.epoch = ?3";
const ITEM: &str = "
    SELECT i.folder, i.epoch, i.item, i.record_id, i.marks
      FROM account_items i JOIN connections n ON n.connection_no = i.connection_no
     WHERE n.connection_id = ?1 AND i.folder = ?2 AND i.epoch = ?3 AND i.item = ?4";
const PLACES: &str = "
    SELECT i.folder, i.epoch, i.item, i.record_id, i.marks
      FROM account_items i JOIN connections n ON n.connection_no = i.connection_no
     WHERE n.connection_id = ?1 AND i.record_id = ?2
     ORDER BY i.folder, i.epoch, i.item";
const PUT_ITEM: &str = "
    INSERT INTO account_items (connection_no, folder, epoch, item, record_id, marks)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (connection_no, folder, epoch, item)
        DO UPDATE SET record_id = ?5, marks = ?6";
const DROP_ITEM: &str = "
    DELETE FROM account_items
     WHERE connection_no = ?1 AND folder = ?2 AND epoch = ?3 AND item = ?4";
const SET_STATE: &str = "
    INSERT INTO account_folders (connection_no, folder, state_json)
    VALUES (?1, ?2, ?3)
        ON CONFLICT (connection_no, folder) DO UPDATE SET state_json = ?3";
const DROP_STATE: &str = "
    DELETE FROM account_folders WHERE connection_no = ?1 AND folder = ?2";

#[async_trait]
impl SyncStore for Backend {
    async fn folder_states(&self, connection: &ConnectionId) -> StoreResult<Vec<FolderState>> {
        let connection = connection.clone();
        self.read(move |db| {
            let state =
                |row: &Row<'_>| Ok(FolderState { folder: row.get(0)?, state_json: row.get(1)? });
            db.prepare_cached(STATES)
                .and_then(|mut list| list.query_map([connection.as_str()], state)?.collect())
                .map_err(from_driver)
        })
        .await
    }

    async fn folder_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
    ) -> StoreResult<Vec<SyncedItem>> {
        let (connection, folder) = (connection.clone(), folder.to_owned());
        self.read(move |db| items(db, ITEMS, params![connection.as_str(), folder])).await
    }

    async fn count_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
        epoch: i64,
    ) -> StoreResult<u64> {
        let (connection, folder) = (connection.clone(), folder.to_owned());
        self.read(move |db| {
            let count: i64 = db
                .query_row(COUNT, params![connection.as_str(), folder, epoch], |row| row.get(0))
                .map_err(from_driver)?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
        .await
    }

    async fn find_items(
        &self,
        connection: &ConnectionId,
        folder: &str,
        numbers: Vec<ItemNo>,
    ) -> StoreResult<Vec<SyncedItem>> {
        let (connection, folder) = (connection.clone(), folder.to_owned());
        self.read(move |db| {
            let mut found = Vec::new();
            for no in numbers {
                let values = params![connection.as_str(), folder, no.epoch, no.item];
                found.extend(items(db, ITEM, values)?);
            }
            Ok(found)
        })
        .await
    }

    async fn places_of(
        &self,
        connection: &ConnectionId,
        records: Vec<RecordId>,
    ) -> StoreResult<Vec<SyncedItem>> {
        let connection = connection.clone();
        self.read(move |db| {
            let mut found = Vec::new();
            for record in records {
                let values = params![connection.as_str(), record.as_str()];
                found.extend(items(db, PLACES, values)?);
            }
            Ok(found)
        })
        .await
    }

    async fn whole_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
    ) -> StoreResult<Option<JsonObject>> {
        let (connection, stream, id) = (connection.clone(), stream.clone(), id.clone());
        self.read(move |db| {
            let Some(collection) = find_collection(db, &connection, &stream)? else {
                return Ok(None);
            };
            let Some(record_no) = live_number(db, collection.no, &id)? else {
                return Ok(None);
            };
            let Some(row) = get(db, record_no)? else { return Ok(None) };
            with_texts(db, record_no, row.flags, row.data, &mut 0).map(Some)
        })
        .await
    }

    async fn write_synced(
        &self,
        connection: &ConnectionId,
        batch: Vec<PreparedRecord>,
        commit: SyncCommit,
    ) -> StoreResult<Option<BatchOutcome>> {
        let named = connection.clone();
        let also = move |db: &Connection| {
            if !runs::is_newest(db, &named, commit.run)? {
                return Ok(false);
            }
            put_places(db, &named, &commit).map(|()| true)
        };
        write_with(self, connection, batch, WriteMode::KeepGood, Box::new(also)).await
    }
}

fn put_places(db: &Connection, connection: &ConnectionId, commit: &SyncCommit) -> StoreResult<()> {
    let Some(connection_no) = connection_no(db, connection)? else {
        return Ok(());
    };
    for (folder, no) in &commit.drop {
        let mut drop = db.prepare_cached(DROP_ITEM).map_err(from_driver)?;
        drop.execute(params![connection_no, folder, no.epoch, no.item]).map_err(from_driver)?;
    }
    for SyncedItem { folder, no, record_id, marks } in &commit.put {
        let mut put = db.prepare_cached(PUT_ITEM).map_err(from_driver)?;
        put.execute(params![connection_no, folder, no.epoch, no.item, record_id, marks])
            .map_err(from_driver)?;
    }
    for folder in &commit.drop_states {
        db.execute(DROP_STATE, params![connection_no, folder]).map_err(from_driver)?;
    }
    for FolderState { folder, state_json } in &commit.set_states {
        db.execute(SET_STATE, params![connection_no, folder, state_json]).map_err(from_driver)?;
    }
    Ok(())
}

fn items(db: &Connection, sql: &str, values: impl Params) -> StoreResult<Vec<SyncedItem>> {
    let item = |row: &Row<'_>| {
        Ok(SyncedItem {
            folder: row.get(0)?,
            no: ItemNo { epoch: row.get(1)?, item: row.get(2)? },
            record_id: row.get(3)?,
            marks: row.get(4)?,
        })
    };
    db.prepare_cached(sql)
        .and_then(|mut list| list.query_map(values, item)?.collect())
        .map_err(from_driver)
}
