//! Moving a collection to another shape of typed copy, derived anew from its records.

use super::backend::driver::{Connection as Db, params};
use pdpp_contract::declaration::{SourceDeclaration, StreamDeclaration};
use pdpp_contract::{Json, JsonObject, RecordId};

use super::backend::errors::{corrupt, from_driver};
use super::backend::index_words;
use super::collection::{Shape, shape_of, table};
use super::projection::{self, ProjectionRow, put_statement};
use super::sql::search::index;
use super::sql::search::write::IndexFields;
use super::time_fields;
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::text::field_path::top_member;
use crate::writes::hashing::HashKey;
use crate::writes::prepare::{Classification, FLAG_TEXTS, RecordWrite, StreamShape, prepare};

/// Which collection moves from which shape to which.
pub(crate) struct ProjectionChange {
    pub collection_no: CollectionNo,
    pub from: i64,
    pub to: i64,
}

/// What the new typed copies follow.
pub(crate) struct Target<'a> {
    pub source: &'a SourceDeclaration,
    pub stream: &'a StreamDeclaration,
    pub hashing: &'a HashKey,
}

const LIST_RECORDS: &str = "
    SELECT r.record_no, k.key_order, r.flags, r.emitted_at, r.json
      FROM record_keys k JOIN records r ON r.record_no = k.record_no
     WHERE k.collection_no = ?1 AND k.record_no > ?2
     ORDER BY k.record_no
     LIMIT 500";
const SET_PROJECTION: &str = "
    UPDATE collections SET projection_no = ?2 WHERE collection_no = ?1";

/// Rewrites the typed copies of a collection.
pub(super) fn move_collection(
    db: &Db,
    change: &ProjectionChange,
    target: &Target<'_>,
) -> StoreResult<()> {
    let drop_old = format!("DELETE FROM {} WHERE collection_no = ?1", table(change.from));
    db.execute(&drop_old, [change.collection_no]).map_err(from_driver)?;
    let shape = StreamShape::new(target.source, target.stream);
    let columns = Shape::of(target.source, target.stream).columns.len();
    let put = put_statement(change.to, columns);
    let words_differ = shape_of(db, change.from)?.searched != shape.searched();
    let mut index_fields = IndexFields::default();
    let mut last = RecordNo(0);
    loop {
        let rows = next_rows(db, change.collection_no, last)?;
        for row in &rows {
            last = row.record_no;
            let keys = derive(db, &shape, target.hashing, row)?;
            let copy = ProjectionRow {
                record_no: row.record_no,
                collection_no: change.collection_no,
                flags: row.flags,
                key_order: &row.key_order,
                keys: &keys,
            };
            projection::put(db, &put, &copy)?;
            if words_differ {
                index::index_stored(db, &mut index_fields, change.collection_no, &shape, row)?;
            }
        }
        if rows.is_empty() {
            break;
        }
    }
    index_words::settle(db)?;
    time_fields::rebase(
        db,
        change.collection_no,
        &shape_of(db, change.from)?,
        &shape_of(db, change.to)?,
    )?;
    db.execute(SET_PROJECTION, params![change.collection_no, change.to]).map_err(from_driver)?;
    Ok(())
}

/// A record as it is stored.
pub(crate) struct StoredRow {
    pub record_no: RecordNo,
    pub key_order: Vec<u8>,
    pub flags: i64,
    pub emitted_at: String,
    pub json: String,
}

/// The next records of a collection by number.
pub(crate) fn next_rows(
    db: &Db,
    collection_no: CollectionNo,
    after: RecordNo,
) -> StoreResult<Vec<StoredRow>> {
    db.prepare_cached(LIST_RECORDS)
        .and_then(|mut list| {
            list.query_map(params![collection_no, after], |row| {
                Ok(StoredRow {
                    record_no: row.get(0)?,
                    key_order: row.get(1)?,
                    flags: row.get(2)?,
                    emitted_at: row.get(3)?,
                    json: row.get(4)?,
                })
            })?
            .collect()
        })
        .map_err(from_driver)
}

/// The typed copy a stored record should have.
pub(crate) fn derive(
    db: &Db,
    shape: &StreamShape,
    hashing: &HashKey,
    row: &StoredRow,
) -> StoreResult<Vec<Option<crate::SortKey>>> {
    let bad = || corrupt("records", "json", row.record_no);
    let Ok(Json::Object(mut data)) = Json::parse(&row.json) else {
        return Err(bad());
    };
    if row.flags & FLAG_TEXTS != 0 {
        add_beginnings(db, row.record_no, &mut data)?;
    }
    let write = RecordWrite {
        id: RecordId::from_sort_bytes(&row.key_order).ok_or_else(bad)?,
        key_order: row.key_order.clone(),
        emitted_at: row.emitted_at.clone(),
        data: Some(data),
        carries: Classification::default(),
    };
    let content = prepare(shape, hashing, write).content;
    Ok(content.map(|content| content.projected).unwrap_or_default())
}

const LIST_BEGINNINGS: &str = "
    SELECT t.path, c.text
      FROM texts t JOIN text_chunks c ON c.chunk_no = t.text_no << 24
     WHERE t.record_no = ?1 AND t.kind = 0";

/// Puts the first chunk of each long string in its field's place: sort keys need no more.
fn add_beginnings(db: &Db, record_no: RecordNo, data: &mut JsonObject) -> StoreResult<()> {
    let rows: Vec<(String, String)> = db
        .prepare_cached(LIST_BEGINNINGS)
        .and_then(|mut list| {
            list.query_map([record_no], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(from_driver)?;
    for (path, text) in rows {
        if let Some(name) = top_member(&path) {
            data.insert(name, Json::String(text));
        }
    }
    Ok(())
}
