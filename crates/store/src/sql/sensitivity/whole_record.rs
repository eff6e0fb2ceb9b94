//! A stored record with its long texts put back, as its importer saw it.

use super::backend::driver::Connection;
use pdpp_contract::{Json, JsonObject};

use super::backend::errors::{corrupt, from_driver};
use super::sql::connections::reproject::StoredRow;
use super::sql::write::text::CHUNK_BITS;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::text::field_path::top_member;
use crate::writes::prepare::FLAG_TEXTS;

const LIST_TEXTS: &str = "
    SELECT text_no, path, kind FROM texts WHERE record_no = ?1 ORDER BY path";
const LIST_CHUNKS: &str = "
    SELECT text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no";

/// A record with the texts that live outside it.
pub(super) fn whole(
    db: &Connection,
    row: &StoredRow,
    bytes: &mut usize,
) -> StoreResult<JsonObject> {
    *bytes += row.json.len();
    let Ok(Json::Object(data)) = Json::parse(&row.json) else {
        return Err(corrupt("records", "json", row.record_no));
    };
    with_texts(db, row.record_no, row.flags, data, bytes)
}

/// The data of a record with the texts that live outside it.
pub(crate) fn with_texts(
    db: &Connection,
    record_no: RecordNo,
    flags: i64,
    mut data: JsonObject,
    bytes: &mut usize,
) -> StoreResult<JsonObject> {
    if flags & FLAG_TEXTS == 0 {
        return Ok(data);
    }
    let texts: Vec<(i64, String, i64)> = db
        .prepare_cached(LIST_TEXTS)
        .and_then(|mut list| {
            list.query_map([record_no], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })
        .map_err(from_driver)?;
    for (text_no, path, kind) in texts {
        // Long strings inside a container are kept a second time.
        let Some(name) = top_member(&path) else {
            continue;
        };
        let text = whole_text(db, text_no)?;
        *bytes += text.len();
        let value = if kind == 0 {
            Json::String(text)
        } else {
            Json::parse(&text).map_err(|_| corrupt("texts", "text", text_no))?
        };
        data.insert(name, value);
    }
    Ok(data)
}

fn whole_text(db: &Connection, text_no: i64) -> StoreResult<String> {
    let mut list = db.prepare_cached(LIST_CHUNKS).map_err(from_driver)?;
    let mut rows =
        list.query([text_no << CHUNK_BITS, (text_no + 1) << CHUNK_BITS]).map_err(from_driver)?;
    let mut text = String::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let chunk: String = row.get(0).map_err(from_driver)?;
        text.push_str(&chunk);
    }
    Ok(text)
}
