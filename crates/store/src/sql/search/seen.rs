//! Index rows as the caller of a search sees them, each looked at once.

use super::backend::driver::{OptionalExtension, Row};

use super::Search;
use super::backend::errors::{corrupt, from_driver};
use super::view::{Postings, read_postings, visible_facts};
use super::write::{record_of, rows_of_record};
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::search::Hit;
use crate::search::postings::damaged;

const GET_ROW: &str = "
    SELECT collection_no, bag FROM search_rows WHERE row_no = ?1";
const COLLECTION_OF_ROW: &str = "
    SELECT collection_no FROM search_rows WHERE row_no = ?1";
const ROWS_OF_RECORD: &str = "
    SELECT row_no, collection_no, bag FROM search_rows
     WHERE row_no >= ?1 AND row_no < ?2
     ORDER BY row_no
     LIMIT ?3";

/// What a caller sees of an index row.
pub(crate) struct SeenRow {
    pub(crate) collection: usize,
    /// Whether it holds beginnings of fields, not a later span of one.
    pub(crate) begins: bool,
    pub(crate) words: u32,
    pub(super) hits: Vec<Hit>,
}

impl Search<'_> {
    /// Looks at a record's first index rows; their numbers.
    pub(super) fn rows_of(&mut self, record_no: RecordNo, most: i64) -> StoreResult<Vec<i64>> {
        if let Some(rows) = self.rows.get(&record_no) {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            return Ok(rows.iter().copied().take(most).collect());
        }
        let [first, end] = rows_of_record(record_no);
        let db = self.db;
        let mut numbers = Vec::new();
        let mut list = db.prepare_cached(ROWS_OF_RECORD).map_err(from_driver)?;
        let mut rows = list.query([first, end, most]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let row_no = row.get(0).map_err(from_driver)?;
            numbers.push(row_no);
            if !self.seen.contains_key(&row_no) {
                let postings = postings_of(row)?;
                let found = self.evaluate(row_no, row.get(1).map_err(from_driver)?, postings)?;
                self.seen.insert(row_no, found);
            }
        }
        Ok(numbers)
    }

    /// What a row holds for this caller; `None` when it does not exist for them.
    pub(super) fn look_at(&mut self, row_no: i64) -> StoreResult<Option<&SeenRow>> {
        if !self.seen.contains_key(&row_no) {
            let row: Option<(CollectionNo, Vec<u8>)> = self
                .db
                .prepare_cached(GET_ROW)
                .and_then(|mut get| {
                    get.query_row([row_no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
                })
                .map_err(from_driver)?;
            let found = match row {
                Some((collection_no, postings)) => {
                    self.evaluate(row_no, collection_no, &postings)?
                }
                None => None,
            };
            self.seen.insert(row_no, found);
        }
        Ok(self.seen.get(&row_no).and_then(Option::as_ref))
    }

    /// Whether the record of a row is visible, asked once per record; nothing else of it is read.
    pub(crate) fn is_visible(&mut self, row_no: i64) -> StoreResult<bool> {
        let record_no = record_of(row_no);
        if let Some(known) = self.visible.get(&record_no) {
            return Ok(known.is_some());
        }
        let collection_no = match self.only_walked() {
            Some(only) => Some(only),
            None => self
                .db
                .prepare_cached(COLLECTION_OF_ROW)
                .and_then(|mut get| get.query_row([row_no], |row| row.get(0)).optional())
                .map_err(from_driver)?,
        };
        let target = collection_no.and_then(|number| self.targets.get(&number));
        let facts = match target {
            Some(target) => visible_facts(self.db, target, record_no, &self.since)?,
            None => None,
        };
        let is_visible = facts.is_some();
        self.visible.insert(record_no, facts);
        if !is_visible {
            self.filter.passed_over(self.db, &self.targets)?;
        }
        Ok(is_visible)
    }

    /// The collection that is walked, when it is one: a row need not be read to tell its own.
    pub(super) fn only_walked(&self) -> Option<CollectionNo> {
        let mut walked = self.filter.walked(&self.targets);
        let first = walked.next().map(|(number, _)| *number);
        first.filter(|_| walked.next().is_none())
    }

    /// What a row and its postings hold for this caller.
    pub(super) fn evaluate(
        &mut self,
        row_no: i64,
        collection_no: CollectionNo,
        postings: &[u8],
    ) -> StoreResult<Option<SeenRow>> {
        let db = self.db;
        let Some(target) = self.targets.get(&collection_no) else {
            return Ok(None);
        };
        let record_no = record_of(row_no);
        let postings = read_postings(postings, &target.fields, &self.query.terms)
            .ok_or_else(|| damaged(row_no))?;
        if postings.words == 0 {
            return Ok(None);
        }
        let collection = target.index;
        let Postings { hits, words, begins } = postings;
        // A row without a hit only lends its length to others of its record, which are asked.
        let mut visible = hits.is_empty();
        if !visible {
            if !self.visible.contains_key(&record_no) {
                let found = visible_facts(db, target, record_no, &self.since)?;
                self.visible.insert(record_no, found);
            }
            visible = self.visible.get(&record_no).is_some_and(Option::is_some);
        }
        Ok(visible.then_some(SeenRow { collection, begins, words, hits }))
    }
}

impl SeenRow {
    /// Whether it holds a term.
    pub(crate) fn holds(&self, term: usize) -> bool {
        self.hits.iter().any(|hit| hit.term == term)
    }
}

/// The postings of a row.
fn postings_of<'a>(row: &'a Row<'_>) -> StoreResult<&'a [u8]> {
    let postings = row.get_ref(2).map_err(from_driver)?;
    postings.as_bytes().map_err(|_| corrupt("search_rows", "bag", 0_i64))
}
