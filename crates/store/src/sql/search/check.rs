//! The full check of the search index: the rows that every record should have, and their words.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::backend::driver::{AMONG, Connection, READ_AHEAD, among, params, walk};
use super::backend::errors::from_driver;
use super::backend::index_words;
use super::index::{shapes, stored_content};
use super::sql::connections::reproject::{StoredRow, next_rows};
use super::write::{IndexFields, expected_postings, first_row, kept_postings, record_of, token};
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::search::postings::visit;
use crate::writes::prepare::StreamShape;

/// Compares index and store in content. Says what differs, in words.
pub(crate) fn faults(db: &Connection) -> StoreResult<Vec<String>> {
    let mut check =
        IndexCheck { db, fields: IndexFields::default(), expected_rows: 0, faults: Vec::new() };
    for (collection_no, shape) in shapes(db)? {
        let mut last = RecordNo(0);
        loop {
            let rows = next_rows(db, collection_no, last)?;
            let Some(end) = rows.last() else { break };
            last = end.record_no;
            for some in rows.chunks(READ_AHEAD) {
                check.records(&shape, some)?;
            }
        }
    }
    let IndexCheck { expected_rows: expected, mut faults, .. } = check;
    let rows: i64 = db
        .query_row("SELECT count(*) FROM search_rows", [], |row| row.get(0))
        .map_err(from_driver)?;
    if rows != expected {
        faults.push(format!("{rows} index rows, {expected} expected"));
    }
    if words_of_rows(db)? != words_of_index(db)? {
        faults.push("the words in the index are not those of its rows".to_owned());
    }
    Ok(faults)
}

struct IndexCheck<'a> {
    db: &'a Connection,
    fields: IndexFields,
    expected_rows: i64,
    faults: Vec<String>,
}

impl IndexCheck<'_> {
    fn records(&mut self, shape: &StreamShape, rows: &[StoredRow]) -> StoreResult<()> {
        let mut first = self.first_postings(rows)?;
        for row in rows {
            let content = stored_content(self.db, shape, row)?;
            let wanted = expected_postings(self.db, &mut self.fields, shape.searched(), &content)?;
            self.expected_rows += i64::try_from(wanted.len()).unwrap_or(i64::MAX);
            // Nearly every record has one row. A row too many is noticed when all are counted.
            let kept = match wanted.len() {
                0 | 1 => first.remove(&row.record_no).into_iter().collect(),
                _ => kept_postings(self.db, row.record_no)?,
            };
            if wanted != kept {
                self.faults.push(format!("the index rows of record {} differ", row.record_no));
            }
        }
        Ok(())
    }

    /// The first postings of each record that has one.
    fn first_postings(&self, rows: &[StoredRow]) -> StoreResult<HashMap<RecordNo, Vec<u8>>> {
        let numbers: Vec<i64> = rows.iter().map(|row| first_row(row.record_no)).collect();
        let sql = format!("SELECT row_no, bag FROM search_rows WHERE row_no {AMONG}");
        self.db
            .prepare_cached(&sql)
            .and_then(|mut list| {
                list.query_map(params![among(&numbers)], |row| {
                    Ok((record_of(row.get(0)?), row.get(1)?))
                })?
                .collect()
            })
            .map_err(from_driver)
    }
}

/// An order-free sum over (word, row), so that two large sets can be compared in one pass each.
fn add_word(sum: &mut (u64, u64), token: &[u8], row_no: i64) {
    let mut hasher = SipHasher13::new();
    hasher.write(token);
    hasher.write_i64(row_no);
    sum.0 = sum.0.wrapping_add(hasher.finish());
    sum.1 += 1;
}

fn words_of_rows(db: &Connection) -> StoreResult<(u64, u64)> {
    let mut sum = (0, 0);
    let mut list =
        db.prepare("SELECT row_no, collection_no, bag FROM search_rows").map_err(from_driver)?;
    let mut rows = walk(&mut list, []).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let row_no: i64 = row.get(0).map_err(from_driver)?;
        let collection_no: CollectionNo = row.get(1).map_err(from_driver)?;
        let postings: Vec<u8> = row.get(2).map_err(from_driver)?;
        let mut tokens = BTreeSet::new();
        visit(&postings, |segment, term, _| {
            tokens.insert(token((collection_no, segment.field_no), term));
        })
        .ok_or_else(|| crate::search::postings::damaged(row_no))?;
        for token in &tokens {
            add_word(&mut sum, token.as_bytes(), row_no);
        }
    }
    Ok(sum)
}

fn words_of_index(db: &Connection) -> StoreResult<(u64, u64)> {
    let mut sum = (0, 0);
    index_words::each(db, |word, row_no| add_word(&mut sum, word, row_no))?;
    Ok(sum)
}
