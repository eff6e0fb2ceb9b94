//! The words of the index in FTS5: contentless, so that a row's words are taken out by naming them.

use crate::error::StoreResult;
use crate::numbers::CollectionNo;
use crate::sqlite::driver::{Connection, params};
use crate::sqlite::errors::from_driver;
use crate::sqlite::sql::write::record::run;

const ADD: &str = "
    INSERT INTO search_index (rowid, words) VALUES (?1, ?2)";
const REMOVE: &str = "
    INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', ?1, ?2)";
const CLEAR: &str = "
    INSERT INTO search_index (search_index) VALUES ('delete-all')";
const WALK: &str = "
    SELECT rowid FROM search_index WHERE search_index MATCH ?1 ORDER BY rowid DESC";

/// Which rows are wanted.
pub(crate) struct Asked<'a> {
    /// One of these words, each with its collection.
    pub words: &'a [(CollectionNo, String)],
    /// Or a word that begins with one of them.
    pub prefix: bool,
}

/// Adds the words of a row of a collection, separated by spaces.
pub(super) fn add(db: &Connection, row_no: i64, _: CollectionNo, words: &str) -> StoreResult<()> {
    run(db, ADD, params![row_no, words])
}

/// Takes the words of a row away; they must be those that were added.
pub(super) fn remove(db: &Connection, row_no: i64, words: &str) -> StoreResult<()> {
    run(db, REMOVE, params![row_no, words])
}

/// Nothing is left to do: this index keeps what is new in order by itself.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(super) fn settle(_: &Connection) -> StoreResult<()> {
    Ok(())
}

/// Takes every word away.
pub(super) fn clear(db: &Connection) -> StoreResult<()> {
    run(db, CLEAR, [])
}

/// Where collections have rows: of no use here.
pub(crate) struct Ground;

/// Looks where collections have rows at all.
#[expect(clippy::unnecessary_wraps, reason = "the other backend's may fail")]
pub(super) fn survey(_: &Connection, _: impl Iterator<Item = CollectionNo>) -> StoreResult<Ground> {
    Ok(Ground)
}

/// Visits the wanted rows, newest first, some at a time, until told to stop.
pub(super) fn walk(
    db: &Connection,
    _: &Ground,
    asked: &Asked<'_>,
    mut visit: impl FnMut(&[i64]) -> StoreResult<bool>,
) -> StoreResult<()> {
    let star = if asked.prefix { "*" } else { "" };
    let each: Vec<String> =
        asked.words.iter().map(|(_, word)| format!("\"{word}\"{star}")).collect();
    let mut walk = db.prepare_cached(WALK).map_err(from_driver)?;
    let mut rows = walk.query([each.join(" OR ")]).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        if !visit(&[row.get(0).map_err(from_driver)?])? {
            break;
        }
    }
    Ok(())
}

/// Visits every word of every row.
pub(super) fn each(db: &Connection, mut visit: impl FnMut(&[u8], i64)) -> StoreResult<()> {
    db.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary
             USING fts5vocab(main, search_index, instance);",
    )
    .map_err(from_driver)?;
    {
        let mut list =
            db.prepare("SELECT term, doc FROM temp.search_vocabulary").map_err(from_driver)?;
        let mut rows = list.query([]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let term: String = row.get(0).map_err(from_driver)?;
            visit(term.as_bytes(), row.get(1).map_err(from_driver)?);
        }
    }
    db.execute_batch("DROP TABLE temp.search_vocabulary").map_err(from_driver)
}
