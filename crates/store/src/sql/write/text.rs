//! Long text into chunks, inside the batch's transaction.

use std::collections::HashMap;

use super::backend::driver::{Connection, add_numbered, params};

use super::backend::errors::from_driver;
use super::record::{put_row, run};
use crate::error::StoreResult;
use crate::insert::{Insert, NumberedInsert, insert, numbered_insert};
use crate::numbers::RecordNo;
pub(crate) use crate::text::chunks::CHUNK_BITS;
use crate::text::chunks::{chunks_of, kind_number};
use crate::writes::prepare::PreparedText;

const LIST_TEXTS: &str = "
    SELECT path, kind, digest, text_no FROM texts WHERE record_no = ?1";
const ADD_TEXT: NumberedInsert =
    numbered_insert!(texts(text_no; record_no, kind, chars, bytes, digest, path));
const DROP_TEXT: &str = "
    DELETE FROM texts WHERE text_no = ?1";
const ADD_CHUNK: Insert = insert!(text_chunks(chunk_no, text));
const DROP_CHUNKS: &str = "
    DELETE FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2";

/// A text already kept for a record.
pub(crate) struct KeptText {
    text_no: i64,
    kind: i64,
    digest: Vec<u8>,
}

impl KeptText {
    pub(crate) fn is(&self, text: &PreparedText) -> bool {
        self.kind == kind_number(text.kind) && self.digest == text.digest.0
    }
}

/// The texts already kept for a record, by path.
pub(super) fn kept_texts(
    db: &Connection,
    record_no: RecordNo,
) -> StoreResult<HashMap<String, KeptText>> {
    let mut list = db.prepare_cached(LIST_TEXTS).map_err(from_driver)?;
    let rows = list
        .query_map([record_no], |row| {
            let text = KeptText { kind: row.get(1)?, digest: row.get(2)?, text_no: row.get(3)? };
            Ok((row.get(0)?, text))
        })
        .map_err(from_driver)?;
    rows.collect::<Result<_, _>>().map_err(from_driver)
}

/// Brings the texts of a record up to date; unchanged ones are not touched.
pub(super) fn put_texts(
    db: &Connection,
    record_no: RecordNo,
    texts: &[PreparedText],
) -> StoreResult<()> {
    let mut kept = kept_texts(db, record_no)?;
    let is_kept = |text: &&PreparedText| kept.get(&text.path).is_some_and(|old| old.is(text));
    let (unchanged, new): (Vec<_>, Vec<_>) = texts.iter().partition(is_kept);
    for text in unchanged {
        kept.remove(&text.path);
    }
    for old in kept.into_values() {
        run(db, DROP_TEXT, [old.text_no])?;
        let (from, to) = chunks_of(old.text_no);
        run(db, DROP_CHUNKS, [from, to])?;
    }
    new.into_iter().try_for_each(|text| add_text(db, record_no, text))
}

/// Writes the texts of a record that has none.
pub(super) fn add_texts(
    db: &Connection,
    record_no: RecordNo,
    texts: &[PreparedText],
) -> StoreResult<()> {
    texts.iter().try_for_each(|text| add_text(db, record_no, text))
}

fn add_text(db: &Connection, record_no: RecordNo, text: &PreparedText) -> StoreResult<()> {
    let bytes = i64::try_from(text.text.len()).unwrap_or(i64::MAX);
    let chars = i64::try_from(text.chars).unwrap_or(i64::MAX);
    let digest: &[u8] = &text.digest.0;
    let values = params![record_no, kind_number(text.kind), chars, bytes, digest, text.path];
    let text_no = add_numbered(db, &ADD_TEXT, values).map_err(from_driver)?;
    let (first, _) = chunks_of(text_no);
    for (chunk_no, chunk) in (first..).zip(text.chunks()) {
        put_row(db, &ADD_CHUNK, params![chunk_no, chunk])?;
    }
    Ok(())
}
