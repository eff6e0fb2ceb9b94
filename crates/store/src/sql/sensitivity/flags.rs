//! Marks that change without their record: what it inherits, and what a new classification says.

use super::backend::driver::{Connection, OptionalExtension, params};

use super::backend::errors::from_driver;
use super::sql::connections::collection::{Collection, table};
use super::sql::write::record::{ADD_CHANGE, put_row, run};
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::writes::prepare::FLAG_REVISED;

const FIND_FLAGS: &str = "
    SELECT flags FROM records WHERE record_no = ?1";
const SET_FLAGS: &str = "
    UPDATE records SET flags = ?2 WHERE record_no = ?1";
const NEWEST: &str = "
    SELECT MAX(change_no) FROM versions WHERE record_no = ?1";
const SET_VERSION: &str = "
    UPDATE versions SET flags = ?3 WHERE record_no = ?1 AND change_no = ?2";
const REPEAT_VERSION: &str = "
    INSERT INTO versions (record_no, change_no, deleted, flags, emitted_at, time_key,
                          field_hashes, other_times)
    SELECT record_no, ?3, deleted, ?4, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1 AND change_no = ?2";
const TOUCH_KEY: &str = "
    UPDATE record_keys SET change_no = ?2 WHERE record_no = ?1";

/// The change numbers of a transaction: where it began, and the last one it gave.
pub(crate) struct Numbers {
    pub began: ChangeNo,
    pub last: ChangeNo,
}

/// The marks of a live record.
pub(crate) fn find(db: &Connection, record_no: RecordNo) -> StoreResult<Option<i64>> {
    db.prepare_cached(FIND_FLAGS)
        .and_then(|mut find| find.query_row([record_no], |row| row.get(0)).optional())
        .map_err(from_driver)
}

/// Sets the marks under `mask` of a live record; whether that changed anything.
///
/// A version of this transaction takes them over, as nobody has seen it. An older one is followed by a
/// version that differs in nothing else.
pub(crate) fn set(
    db: &Connection,
    collection: &Collection,
    record_no: RecordNo,
    (mask, marks): (i64, i64),
    numbers: &mut Numbers,
) -> StoreResult<bool> {
    let Some(flags) = find(db, record_no)?.filter(|flags| flags & mask != marks) else {
        return Ok(false);
    };
    let flags = flags & !mask | marks;
    let newest: ChangeNo = db
        .prepare_cached(NEWEST)
        .and_then(|mut newest| newest.query_row([record_no], |row| row.get(0)))
        .map_err(from_driver)?;
    let flags = if newest > numbers.began {
        run(db, SET_VERSION, params![record_no, newest, flags])?;
        flags
    } else {
        let flags = flags | FLAG_REVISED;
        numbers.last = numbers.last.next();
        run(db, REPEAT_VERSION, params![record_no, newest, numbers.last, flags])?;
        run(db, TOUCH_KEY, params![record_no, numbers.last])?;
        put_row(db, &ADD_CHANGE, params![collection.no, numbers.last, record_no])?;
        flags
    };
    run(db, SET_FLAGS, params![record_no, flags])?;
    let copy =
        format!("UPDATE {} SET flags = ?2 WHERE record_no = ?1", table(collection.projection_no));
    run(db, &copy, params![record_no, flags])?;
    Ok(true)
}
