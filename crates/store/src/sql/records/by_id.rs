//! Records by id or number inside a scope: what is hidden costs what is absent costs.
//!
//! An id without a record is answered with the work of the record next to it, so that the time of a
//! refusal does not tell which ids are taken.

use std::collections::BTreeSet;

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, OptionalExtension, params_from_iter};
use pdpp_contract::RecordId;

use super::backend::errors::from_driver;
use super::plan::Conditions;
use super::sql::connections::collection::{Collection, find_collection, table};
use super::sql::records::{RecordRow, get};
use super::walk::holds;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::CollectionQuery;
use crate::records::scope::CollectionScope;

/// The record with this id, if the scope shows it.
pub(crate) fn find_visible(
    db: &Connection,
    scope: &CollectionScope,
    id: &RecordId,
) -> StoreResult<Option<RecordRow>> {
    if scope.records.as_ref().is_some_and(|only| !only.contains(id)) {
        return Ok(None);
    }
    let Some(collection) = find_collection(db, &scope.connection, &scope.stream)? else {
        return Ok(None);
    };
    let none = CollectionQuery::default();
    let conditions = Conditions::new(&collection, scope, &none);
    for key_order in id.sort_bytes_candidates() {
        let nearest = nearest(db, &collection, &conditions, &key_order)?;
        if let Some(row) = judge(db, &conditions, nearest)? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// The numbers of the named records that are visible, each found by its id.
pub(crate) fn visible_numbers(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    ids: &BTreeSet<RecordId>,
) -> StoreResult<Vec<RecordNo>> {
    let mut numbers = Vec::new();
    for id in ids {
        numbers.extend(visible_number(db, collection, conditions, id)?);
    }
    Ok(numbers)
}

/// The number of a record, if the conditions hold for it.
pub(super) fn visible_number(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    id: &RecordId,
) -> StoreResult<Option<RecordNo>> {
    for key_order in id.sort_bytes_candidates() {
        let nearest = nearest(db, collection, conditions, &key_order)?;
        let found = if conditions.needs_record() {
            judge(db, conditions, nearest)?.map(|row| row.record_no)
        } else {
            nearest.filter(|key| key.is_asked && key.holds).map(|key| key.record_no)
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Whether the conditions hold for a record of a collection, as far as SQL can tell, by its number.
pub(crate) fn holds_in_sql(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    record_no: RecordNo,
) -> StoreResult<bool> {
    let table = table(collection.projection_no);
    let (mut tests, mut values) = ("p.collection_no = ?".to_owned(), Vec::new());
    values.push(Value::Integer(collection.no.0));
    conditions.write_sql(&mut tests, &mut values);
    let sql = format!("SELECT ({tests}) FROM {table} p WHERE p.record_no = ?");
    values.push(Value::Integer(record_no.0));
    let found: Option<Option<bool>> = db
        .prepare_cached(&sql)
        .and_then(|mut find| find.query_row(params_from_iter(values), |row| row.get(0)).optional())
        .map_err(from_driver)?;
    Ok(found.flatten() == Some(true))
}

/// A key at or next to the one that was asked for.
struct NearestKey {
    record_no: RecordNo,
    is_asked: bool,
    /// Whether its record is there and fulfils what SQL can tell.
    holds: bool,
}

/// The key that was asked for, else the next one, else the last one before it.
fn nearest(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    key_order: &[u8],
) -> StoreResult<Option<NearestKey>> {
    let table = table(collection.projection_no);
    let side = |test: &str, direction: &str| {
        format!(
            "SELECT * FROM (SELECT record_no, key_order FROM record_keys
                             WHERE collection_no = ? AND key_order {test} ?
                             ORDER BY key_order {direction} LIMIT 1) AS side"
        )
    };
    let (next, last) = (side(">=", "ASC"), side("<", "DESC"));
    // Said of each record that is met, so that a hidden one takes as many steps as a visible one.
    let (mut tests, mut values) = ("p.record_no IS NOT NULL".to_owned(), Vec::new());
    conditions.write_sql(&mut tests, &mut values);
    let sql = format!(
        "SELECT k.record_no, k.key_order, ({tests})
           FROM (SELECT * FROM ({next} UNION ALL {last}) AS sides LIMIT 1) AS k
           LEFT JOIN {table} p ON p.record_no = k.record_no"
    );
    for _ in 0..2 {
        values.extend([Value::Integer(collection.no.0), Value::Blob(key_order.to_vec())]);
    }
    db.prepare_cached(&sql)
        .and_then(|mut find| {
            find.query_row(params_from_iter(values), |row| {
                let (found, holds): (Vec<u8>, Option<bool>) = (row.get(1)?, row.get(2)?);
                let (is_asked, holds) = (found == key_order, holds == Some(true));
                Ok(NearestKey { record_no: row.get(0)?, is_asked, holds })
            })
            .optional()
        })
        .map_err(from_driver)
}

/// The record of a key, if it is the one that was asked for and the conditions hold. Where that takes
/// the record, the one next to it is read as well.
fn judge(
    db: &Connection,
    conditions: &Conditions<'_>,
    key: Option<NearestKey>,
) -> StoreResult<Option<RecordRow>> {
    let Some(key) = key else {
        return Ok(None);
    };
    let may_show = key.is_asked && key.holds;
    if !may_show && !conditions.needs_record() {
        return Ok(None);
    }
    let Some(row) = get(db, key.record_no)? else {
        return Ok(None);
    };
    Ok(holds(db, conditions, &row)?.then_some(row).filter(|_| may_show))
}
