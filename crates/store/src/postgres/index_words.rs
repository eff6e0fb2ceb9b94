//! The words of the index: an indexed vector of ready words per row, without positions.
//!
//! The index lists the rows of a word in no useful order, and all of them. So each word also names a
//! stretch of records by their numbers, and a walk asks stretch by stretch, newest first: a common word
//! is left as soon as enough of it is found, and a rare one costs a look per stretch.

use std::collections::{BTreeSet, HashMap};

use super::driver::{Connection, Row, params, walk as pull};
use super::errors::from_driver;
use super::search_write::{PART_BITS, write_number};
use super::write_record::{put_row, run};
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
const SPANS: &str = "
    SELECT c.collection_no, a.row_no, z.row_no
      FROM unnest(CAST(string_to_array(?1, ',') AS bigint[])) AS c (collection_no),
           LATERAL (SELECT s.row_no
                      FROM search_index s
                     WHERE s.collection_no = c.collection_no
                     ORDER BY s.row_no
                     LIMIT 1) AS a,
           LATERAL (SELECT s.row_no
                      FROM search_index s
                     WHERE s.collection_no = c.collection_no
                     ORDER BY s.row_no DESC
                     LIMIT 1) AS z";
const HOLDING: &str = "
    WITH found AS MATERIALIZED
         (SELECT row_no FROM search_index WHERE words @@ CAST(CAST(?1 AS text) AS tsquery))
    SELECT DISTINCT row_no FROM found ORDER BY row_no DESC";
const EACH: &str = "
    SELECT t.word, s.row_no
      FROM search_index s, unnest(tsvector_to_array(s.words)) AS t (word)";
/// Bits of a record's number within its stretch. Words are stored with it; step 11 wrote older ones so.
const STRETCH_BITS: u32 = 14;
/// Rows visited at once.
const VISITED: usize = 256;
/// Words of one question.
const MOST_ASKED: usize = 1_000;
/// A vector may not hold more than a megabyte of words; the rest goes into another one.
const MOST_BYTES: usize = 800_000;

/// Which rows are wanted.
pub(super) struct Asked<'a> {
    /// One of these words, each with its collection.
    pub words: &'a [(i64, String)],
    /// Or a word that begins with one of them.
    pub prefix: bool,
}

/// Adds the words of a row of a collection, separated by spaces.
pub(super) fn add(
    db: &Connection,
    (row_no, collection_no): (i64, i64),
    words: &str,
) -> StoreResult<()> {
    let stretch = spelled(stretch_of(row_no));
    let distinct: BTreeSet<&str> = words.split_ascii_whitespace().collect();
    let mut part = String::new();
    for word in distinct {
        if part.len() + stretch.len() + word.len() >= MOST_BYTES {
            put_row(db, ADD, params![row_no, collection_no, std::mem::take(&mut part)])?;
        }
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(&stretch);
        part.push_str(word);
    }
    if part.is_empty() { Ok(()) } else { put_row(db, ADD, params![row_no, collection_no, part]) }
}

fn stretch_of(row_no: i64) -> i64 {
    row_no >> (PART_BITS + STRETCH_BITS)
}

/// A stretch as the beginning of its words.
fn spelled(stretch: i64) -> String {
    let mut out = String::new();
    write_number(&mut out, stretch);
    out
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
    let spans = spans(db, asked)?;
    let oldest = spans.iter().map(|span| span.first).min().unwrap_or(0);
    let mut next = spans.iter().map(|span| span.last).max().unwrap_or(-1);
    let mut width = 1;
    while next >= oldest {
        let mut question = Question { prefix: asked.prefix, text: String::new(), words: 0 };
        let last = next;
        while next >= oldest && last - next < width && question.words < MOST_ASKED {
            let here = spans.iter().filter(|span| span.first <= next && next <= span.last);
            let stretch = spelled(next);
            here.for_each(|span| question.add(&stretch, span.word));
            next -= 1;
        }
        width *= 2;
        if question.words == 0 {
            continue;
        }
        for some in holding(db, &question.text)?.chunks(VISITED) {
            if !visit(some)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A word, and the stretches in which its collection has rows.
struct Span<'a> {
    word: &'a str,
    first: i64,
    last: i64,
}

fn spans<'a>(db: &Connection, asked: &Asked<'a>) -> StoreResult<Vec<Span<'a>>> {
    let numbers: BTreeSet<i64> = asked.words.iter().map(|(collection, _)| *collection).collect();
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let ends: Vec<(i64, i64, i64)> = db
        .prepare_cached(SPANS)
        .and_then(|mut list| {
            let ends = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            list.query_map([numbers.join(",")], ends)?.collect()
        })
        .map_err(from_driver)?;
    let ends: HashMap<i64, (i64, i64)> =
        ends.into_iter().map(|(collection, first, last)| (collection, (first, last))).collect();
    let span = |(collection, word): &'a (i64, String)| {
        let (first, last) = ends.get(collection)?;
        Some(Span { word, first: stretch_of(*first), last: stretch_of(*last) })
    };
    Ok(asked.words.iter().filter_map(span).collect())
}

/// Words any of which a row should hold, as the server reads them.
struct Question {
    prefix: bool,
    text: String,
    words: usize,
}

impl Question {
    fn add(&mut self, stretch: &str, word: &str) {
        let or = if self.text.is_empty() { "" } else { " | " };
        let star = if self.prefix { ":*" } else { "" };
        self.text.extend([or, "'", stretch, word, "'", star]);
        self.words += 1;
    }
}

fn holding(db: &Connection, question: &str) -> StoreResult<Vec<i64>> {
    db.prepare_cached(HOLDING)
        .and_then(|mut list| list.query_map([question], |row| row.get(0))?.collect())
        .map_err(from_driver)
}

/// Visits every word of every row, as it was added.
pub(super) fn each(db: &Connection, mut visit: impl FnMut(&[u8], i64)) -> StoreResult<()> {
    let mut list = db.prepare(EACH).map_err(from_driver)?;
    let mut rows = pull(&mut list, []).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let word: String = row.get(0).map_err(from_driver)?;
        let row_no = row.get(1).map_err(from_driver)?;
        let own = word.strip_prefix(spelled(stretch_of(row_no)).as_str());
        visit(own.unwrap_or(&word).as_bytes(), row_no);
    }
    Ok(())
}
