//! What the full check compares records with, read for many at once where each question is a round trip.

use std::collections::HashMap;

use pdpp_contract::blob::BlobId;

use super::CollectionRow;
use super::backend::driver::{AMONG, Connection, Result, Row, ToSql, among, params};
use super::backend::errors::from_driver;
use super::sql::changes::track::read_version;
use super::sql::connections::collection::table;
use super::sql::connections::reproject::StoredRow;
use super::sql::connections::time_fields;
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};

const LIST_FIELDS: &str = "
    SELECT name, field_no FROM collection_fields WHERE collection_no = ?1";

/// The fields of a collection by the numbers that versions know them by.
pub(crate) struct FieldNumbers {
    all: HashMap<String, u16>,
    /// Those that were its time field once.
    pub(crate) former: Vec<(String, u16)>,
}

impl FieldNumbers {
    pub(crate) fn read(db: &Connection, collection_no: CollectionNo) -> StoreResult<Self> {
        let all: HashMap<String, u16> = db
            .prepare_cached(LIST_FIELDS)
            .and_then(|mut list| {
                list.query_map([collection_no], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            })
            .map_err(from_driver)?;
        let former = time_fields::former(db, collection_no)?;
        let former =
            former.into_iter().filter_map(|name| Some((name.clone(), *all.get(&name)?))).collect();
        Ok(Self { all, former })
    }

    pub(crate) fn get(&self, name: &str) -> Option<u16> {
        self.all.get(name).copied()
    }
}

/// A typed copy as it is stored.
#[derive(PartialEq)]
pub(crate) struct TypedCopy {
    pub(crate) flags: i64,
    pub(crate) key_order: Vec<u8>,
    pub(crate) keys: Vec<Option<Vec<u8>>>,
}

/// What is stored about some records beside themselves.
pub(crate) struct Ahead {
    pub(crate) copies: HashMap<RecordNo, TypedCopy>,
    pub(crate) newest: HashMap<RecordNo, Version>,
    pub(crate) refs: HashMap<RecordNo, Vec<(String, BlobId)>>,
}

impl Ahead {
    /// Reads it for these records of a collection, whose typed copies have so many columns.
    pub(crate) fn read(
        db: &Connection,
        collection: &CollectionRow,
        columns: usize,
        rows: &[StoredRow],
    ) -> StoreResult<Self> {
        let numbers: Vec<RecordNo> = rows.iter().map(|row| row.record_no).collect();
        let numbers = among(&numbers);
        let (mut copies, mut newest, mut refs) =
            (HashMap::new(), HashMap::new(), HashMap::<RecordNo, Vec<_>>::new());
        let names: String = (0..columns).map(|at| format!(", c{at}")).collect();
        let table = table(collection.projection_no);
        let sql = format!(
            "SELECT record_no, flags, key_order{names} FROM {table}
              WHERE record_no {AMONG} AND collection_no = ?2"
        );
        each(db, &sql, params![numbers, collection.no], |row| {
            let keys = (3..columns + 3).map(|at| row.get(at)).collect::<Result<_>>()?;
            let copy = TypedCopy { flags: row.get(1)?, key_order: row.get(2)?, keys };
            copies.insert(row.get(0)?, copy);
            Ok(())
        })?;
        let sql = format!(
            "SELECT v.record_no, v.change_no, v.deleted, v.flags, v.emitted_at, v.time_key,
                    v.field_hashes, v.other_times
               FROM versions v
              WHERE v.record_no {AMONG}
                AND NOT EXISTS (SELECT 1 FROM versions w
                                 WHERE w.record_no = v.record_no AND w.change_no > v.change_no)"
        );
        each(db, &sql, params![numbers], |row| {
            newest.insert(row.get(0)?, read_version(row, 1)?);
            Ok(())
        })?;
        let sql = format!("SELECT record_no, field, sha256 FROM blob_refs WHERE record_no {AMONG}");
        each(db, &sql, params![numbers], |row| {
            refs.entry(row.get(0)?).or_default().push((row.get(1)?, BlobId(row.get(2)?)));
            Ok(())
        })?;
        Ok(Self { copies, newest, refs })
    }
}

fn each(
    db: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
    mut take: impl FnMut(&Row<'_>) -> Result<()>,
) -> StoreResult<()> {
    let mut list = db.prepare_cached(sql).map_err(from_driver)?;
    let mut rows = list.query(values).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        take(row).map_err(from_driver)?;
    }
    Ok(())
}
