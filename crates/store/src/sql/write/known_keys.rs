//! Keys and what stands under them, looked up for a whole batch or one by one.

use std::collections::HashMap;

use super::backend::driver::{Connection, OptionalExtension, params};

use super::backend::errors::from_driver;
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};

const FIND_KEY: &str = "
    SELECT record_no FROM record_keys WHERE collection_no = ?1 AND key_order = ?2";
const FIND_RECORD: &str = "
    SELECT flags, json FROM records WHERE record_no = ?1";

/// Keys that were looked up ahead, and what stands under them if anything ever did.
#[derive(Default)]
pub(crate) struct KnownKeys(pub HashMap<Vec<u8>, Option<KnownKey>>);

/// A key that has a number.
pub(crate) struct KnownKey {
    pub record_no: RecordNo,
    pub live: Option<LiveRecord>,
}

pub(crate) struct LiveRecord {
    pub flags: i64,
    pub json: String,
}

impl KnownKeys {
    /// What stands under a key. What was looked up ahead is good for one use: the record may have been
    /// written since.
    pub(crate) fn look(
        &mut self,
        db: &Connection,
        collection_no: CollectionNo,
        key_order: &[u8],
    ) -> StoreResult<Option<KnownKey>> {
        if let Some(known) = self.0.remove(key_order) {
            return Ok(known);
        }
        let found: Option<RecordNo> = db
            .prepare_cached(FIND_KEY)
            .and_then(|mut find| {
                find.query_row(params![collection_no, key_order], |row| row.get(0)).optional()
            })
            .map_err(from_driver)?;
        let Some(record_no) = found else {
            return Ok(None);
        };
        Ok(Some(KnownKey { record_no, live: live_record(db, record_no)? }))
    }
}

fn live_record(db: &Connection, record_no: RecordNo) -> StoreResult<Option<LiveRecord>> {
    db.prepare_cached(FIND_RECORD)
        .and_then(|mut find| {
            find.query_row([record_no], |row| {
                Ok(LiveRecord { flags: row.get(0)?, json: row.get(1)? })
            })
            .optional()
        })
        .map_err(from_driver)
}
