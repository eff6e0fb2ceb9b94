//! The words of the index: an indexed vector of ready words per row, without positions.
//!
//! The index lists the rows of a word in no useful order, and all of them. So each word also names a
//! range of records by their numbers, and a walk asks range by range, newest first: a common word
//! is left as soon as enough of it is found, and a rare one costs a look per range.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::StoreResult;
use crate::insert::{Insert, insert};
use crate::numbers::CollectionNo;
use crate::postgres::driver::{Connection, params, walk as pull};
use crate::postgres::errors::from_driver;
use crate::postgres::sql::search::write::{PART_BITS, write_number};
use crate::postgres::sql::write::record::{put_row, run};

const ADD: Insert = insert!(search_index(row_no, collection_no, words));
const REMOVE: &str = "
    DELETE FROM search_index WHERE row_no = ?1";
const SETTLE: &str = "
    SELECT gin_clean_pending_list('search_index_by_word')";
const CLEAR: &str = "
    DELETE FROM search_index";
/// From each collection's newest row to the newest one of an earlier range, and so on.
const SURVEY: &str = "
    WITH RECURSIVE held (collection_no, range) AS
         (SELECT c.collection_no,
                 (SELECT max(s.row_no) FROM search_index s
                   WHERE s.collection_no = c.collection_no) >> 30
            FROM unnest(CAST(string_to_array(?1, ',') AS bigint[])) AS c (collection_no)
          UNION ALL
          SELECT h.collection_no,
                 (SELECT max(s.row_no) FROM search_index s
                   WHERE s.collection_no = h.collection_no AND s.row_no < h.range << 30) >> 30
            FROM held h
           WHERE h.range IS NOT NULL)
    SELECT range, collection_no FROM held WHERE range IS NOT NULL";
const HOLDING: &str = "
    WITH found AS MATERIALIZED
         (SELECT row_no FROM search_index WHERE words @@ CAST(CAST(?1 AS text) AS tsquery))
    SELECT DISTINCT row_no FROM found ORDER BY row_no DESC";
const EACH: &str = "
    SELECT t.word, s.row_no
      FROM search_index s, unnest(tsvector_to_array(s.words)) AS t (word)";
/// Bits of a row's number within its range, 14 of them of its record's. Words are stored with the
/// range; step 11 wrote older ones so.
const RANGE_BITS: u32 = PART_BITS + 14;
/// One question is about 16 ranges at most: a word may be common in all of them.
const MOST_POWER: u32 = 4;
/// Rows visited at once.
const VISITED: usize = 256;
/// Words of one question.
const MOST_ASKED: usize = 1_000;
/// A vector may not hold more than a megabyte of words; the rest goes into another one.
const MOST_BYTES: usize = 800_000;

/// Which rows are wanted.
pub(crate) struct Asked<'a> {
    /// One of these words, each with its collection.
    pub words: &'a [(CollectionNo, String)],
    /// Or a word that begins with one of them.
    pub prefix: bool,
}

/// Adds the words of a row of a collection, separated by spaces.
pub(super) fn add(
    db: &Connection,
    row_no: i64,
    collection_no: CollectionNo,
    words: &str,
) -> StoreResult<()> {
    let range = spelled(range_of(row_no));
    let distinct: BTreeSet<&str> = words.split_ascii_whitespace().collect();
    let mut part = String::new();
    for word in distinct {
        if part.len() + range.len() + word.len() >= MOST_BYTES {
            put_row(db, &ADD, params![row_no, collection_no, std::mem::take(&mut part)])?;
        }
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(&range);
        part.push_str(word);
    }
    if part.is_empty() { Ok(()) } else { put_row(db, &ADD, params![row_no, collection_no, part]) }
}

fn range_of(row_no: i64) -> i64 {
    row_no >> RANGE_BITS
}

/// A range as the beginning of its words.
fn spelled(range: i64) -> String {
    let mut out = String::new();
    write_number(&mut out, range);
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

/// In which ranges some collections have rows.
pub(crate) struct Ground(BTreeMap<i64, BTreeSet<CollectionNo>>);

/// Looks where collections have rows at all.
pub(super) fn survey(
    db: &Connection,
    collections: impl Iterator<Item = CollectionNo>,
) -> StoreResult<Ground> {
    let numbers: Vec<String> = collections.map(|number| number.to_string()).collect();
    let held: Vec<(i64, CollectionNo)> = db
        .prepare_cached(SURVEY)
        .and_then(|mut list| {
            list.query_map([numbers.join(",")], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(from_driver)?;
    let mut ground = Ground(BTreeMap::new());
    for (range, collection_no) in held {
        ground.0.entry(range).or_default().insert(collection_no);
    }
    Ok(ground)
}

/// Visits the wanted rows, newest first, some at a time, until told to stop.
pub(super) fn walk(
    db: &Connection,
    ground: &Ground,
    asked: &Asked<'_>,
    mut visit: impl FnMut(&[i64]) -> StoreResult<bool>,
) -> StoreResult<()> {
    let mut ranges = ground.0.iter().rev().peekable();
    // The newest range may hold little else than a long text, so the second one is asked for alone too.
    let widths = [1, 1].into_iter().chain((1..).map(|power| 1_usize << power.min(MOST_POWER)));
    for width in widths {
        if ranges.peek().is_none() {
            break;
        }
        let mut question = Question { prefix: asked.prefix, text: String::new(), words: 0 };
        for _ in 0..width {
            let next = ranges.next_if(|_| question.words < MOST_ASKED);
            let Some((range, collections)) = next else { break };
            let range = spelled(*range);
            let here = asked.words.iter().filter(|(number, _)| collections.contains(number));
            here.for_each(|(_, word)| question.add(&range, word));
        }
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

/// Words any of which a row should hold, as the server reads them.
struct Question {
    prefix: bool,
    text: String,
    words: usize,
}

impl Question {
    fn add(&mut self, range: &str, word: &str) {
        let or = if self.text.is_empty() { "" } else { " | " };
        let star = if self.prefix { ":*" } else { "" };
        self.text.extend([or, "'", range, word, "'", star]);
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
        let own = word.strip_prefix(spelled(range_of(row_no)).as_str());
        visit(own.unwrap_or(&word).as_bytes(), row_no);
    }
    Ok(())
}
