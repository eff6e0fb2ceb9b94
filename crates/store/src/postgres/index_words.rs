//! The words of the index: an indexed vector of ready words per row, without positions.
//!
//! The index finds the rows of a rare word at once but cannot give those of a common one newest
//! first. So the newest rows are looked at first: where many of them hold the word, going on like
//! that reaches any cap soon; where few do, the index lists them all.

use std::collections::BTreeSet;

use super::driver::{Connection, ToSql, params, walk as pull};
use super::errors::from_driver;
use super::search_write::PART_BITS;
use super::write_record::{put_row as put, run};
use crate::error::StoreResult;

const ADD: &str = "
    INSERT INTO search_index (row_no, collection_no, words)
    VALUES (?1, ?2, ?3)";
const REMOVE: &str = "
    DELETE FROM search_index WHERE row_no = ?1";
const SETTLE: &str = "
    SELECT gin_clean_pending_list('search_index_by_word')";
const CLEAR: &str = "
    DELETE FROM search_index";
const NEWEST: &str = "
    SELECT coalesce(max(n.row_no), 0)
      FROM unnest(CAST(string_to_array(?1, ',') AS bigint[])) AS c (collection_no),
           LATERAL (SELECT s.row_no
                      FROM search_index s
                     WHERE s.collection_no = c.collection_no
                     ORDER BY s.row_no DESC
                     LIMIT 1) AS n";
const NEAR: &str = "
    WITH near AS MATERIALIZED
         (SELECT row_no, words
            FROM search_index
           WHERE collection_no = ANY (CAST(string_to_array(?1, ',') AS bigint[]))
             AND row_no > ?2 AND row_no <= ?3)
    SELECT DISTINCT row_no FROM near WHERE words @@ CAST(CAST(?4 AS text) AS tsquery)
     ORDER BY row_no DESC";
const BY_WORD: &str = "
    WITH found AS MATERIALIZED
         (SELECT row_no FROM search_index WHERE words @@ CAST(CAST(?1 AS text) AS tsquery))
    SELECT DISTINCT row_no FROM found WHERE row_no <= ?2 ORDER BY row_no DESC LIMIT ?3";
const EACH: &str = "
    SELECT t.word, s.row_no
      FROM search_index s, unnest(tsvector_to_array(s.words)) AS t (word)";
/// Rows listed at once.
const STRIDE: i64 = 4_000;
/// Rows visited at once.
const VISITED: usize = 256;
/// Numbers of records in the first stretch that is looked at row by row.
const FIRST_STRETCH: i64 = 1_000;
/// A word that fewer than one of so many records hold is left to the index.
const COMMON_ONE_IN: i64 = 20;
/// A vector may not hold more than a megabyte of words; the rest goes into another one.
const MOST_BYTES: usize = 800_000;

/// Which rows are wanted.
pub(super) struct Asked<'a> {
    /// One of these words, each of which names its collection.
    pub words: &'a [String],
    /// Or a word that begins with one of them.
    pub prefix: bool,
    /// The collections of the words.
    pub collections: &'a [i64],
}

/// Adds the words of a row of a collection, separated by spaces.
pub(super) fn add(
    db: &Connection,
    (row_no, collection_no): (i64, i64),
    words: &str,
) -> StoreResult<()> {
    let distinct: BTreeSet<&str> = words.split_ascii_whitespace().collect();
    let mut part = String::new();
    for word in distinct {
        if part.len() + word.len() >= MOST_BYTES {
            put(db, ADD, params![row_no, collection_no, std::mem::take(&mut part)])?;
        }
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(word);
    }
    if part.is_empty() { Ok(()) } else { put(db, ADD, params![row_no, collection_no, part]) }
}

/// Takes the words of a row away.
pub(super) fn remove(db: &Connection, row_no: i64, _: &str) -> StoreResult<()> {
    run(db, REMOVE, [row_no])
}

/// Sorts the words that were added into the index, all at once. At the end of a transaction.
pub(super) fn settle(db: &Connection) -> StoreResult<()> {
    run(db, SETTLE, [])
}

/// Takes every word away.
pub(super) fn clear(db: &Connection) -> StoreResult<()> {
    run(db, CLEAR, [])
}

/// Visits the wanted rows, newest first, some at a time, until told to stop.
pub(super) fn walk(
    db: &Connection,
    asked: &Asked<'_>,
    mut visit: impl FnMut(&[i64]) -> StoreResult<bool>,
) -> StoreResult<()> {
    let star = if asked.prefix { ":*" } else { "" };
    let each: Vec<String> = asked.words.iter().map(|word| format!("'{word}'{star}")).collect();
    let question = each.join(" | ");
    let collections: Vec<String> = asked.collections.iter().map(i64::to_string).collect();
    let collections = collections.join(",");
    let mut visit_all = |rows: &[i64]| -> StoreResult<bool> {
        for some in rows.chunks(VISITED) {
            if !visit(some)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let mut below: i64 =
        db.query_row(NEWEST, [&collections], |row| row.get(0)).map_err(from_driver)?;
    let (mut width, mut walked, mut found) = (FIRST_STRETCH, 0, 0);
    while below > 0 {
        let from = below - (width << PART_BITS);
        let near = numbers(db, NEAR, params![collections, from, below, question])?;
        if !visit_all(&near)? {
            return Ok(());
        }
        (below, walked, found) =
            (from, walked + width, found + i64::try_from(near.len()).unwrap_or(0));
        if found * COMMON_ONE_IN < walked {
            break;
        }
        width *= 2;
    }
    while below > 0 {
        let rows = numbers(db, BY_WORD, params![question, below, STRIDE])?;
        let last = rows.last().copied();
        let is_full = i64::try_from(rows.len()).is_ok_and(|found| found == STRIDE);
        if !visit_all(&rows)? || !is_full {
            return Ok(());
        }
        below = last.map_or(0, |last| last - 1);
    }
    Ok(())
}

fn numbers(db: &Connection, sql: &str, values: &[&dyn ToSql]) -> StoreResult<Vec<i64>> {
    db.prepare_cached(sql)
        .and_then(|mut list| list.query_map(values, |row| row.get(0))?.collect())
        .map_err(from_driver)
}

/// Visits every word of every row.
pub(super) fn each(db: &Connection, mut visit: impl FnMut(&[u8], i64)) -> StoreResult<()> {
    let mut list = db.prepare(EACH).map_err(from_driver)?;
    let mut rows = pull(&mut list, []).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let word: String = row.get(0).map_err(from_driver)?;
        visit(word.as_bytes(), row.get(1).map_err(from_driver)?);
    }
    Ok(())
}
