//! What a search reads before it is asked: many rows with one question, where each costs a round trip.

use std::collections::{BTreeSet, HashMap};

use super::Search;
use super::backend::driver::types::Value;
use super::backend::driver::{AMONG, READ_AHEAD, Row, among, params, params_from_iter, walk};
use super::backend::errors::from_driver;
use super::candidates::Candidate;
use super::sql::records::count;
use super::view::{Facts, NEWEST_CHANGE, SearchTarget, visible_facts};
use super::visibility::each_visible;
use super::write::{first_row, is_first_row, record_of};
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};

/// Keys of a collection, in the order of an index: their records lie scattered, as those of a word do.
const SOME_KEYS: &str = "
    SELECT record_no FROM record_keys
     WHERE collection_no = ?1
     ORDER BY key_order
     LIMIT ?2";

/// The index rows of a record of a typed copy.
const ROWS_OF_RECORD: &str = "
    CROSS JOIN search_rows s
       ON s.row_no >= p.record_no << 16 AND s.row_no < (p.record_no + 1) << 16";

impl Search<'_> {
    /// Looks at every index row of every visible record, in the collections that show few.
    pub(super) fn read_visible(&mut self) -> StoreResult<()> {
        let collections: Vec<CollectionNo> =
            self.filter.looked_at(&self.targets).map(|(number, _)| *number).collect();
        for collection_no in collections {
            let Some(target) = self.targets.get(&collection_no) else { continue };
            if target.scope.records.is_some() {
                let mut named = Vec::new();
                each_visible(self.db, target, |record_no| named.push(record_no))?;
                for record_no in named {
                    let rows = self.rows_of(record_no, i64::MAX)?;
                    self.rows.insert(record_no, rows);
                }
                continue;
            }
            let decided = target.is_decided_by_sql();
            let (sql, values) = rows_of_visible(target);
            let mut list = self.db.prepare_cached(&sql).map_err(from_driver)?;
            let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
            while let Some(row) = rows.next().map_err(from_driver)? {
                let record_no: RecordNo = row.get(0).map_err(from_driver)?;
                if decided && !self.visible.contains_key(&record_no) {
                    let columns = |row: &Row<'_>| Ok((row.get(1)?, row.get(2)?, row.get(5)?));
                    let facts = Facts::new(columns(row).map_err(from_driver)?);
                    let Some(target) = self.targets.get(&collection_no) else { continue };
                    let facts = self.since.judge(self.db, target, record_no, facts)?;
                    self.visible.insert(record_no, Some(facts));
                }
                let row_no: i64 = row.get(3).map_err(from_driver)?;
                let postings: Vec<u8> = row.get(4).map_err(from_driver)?;
                let found = self.evaluate(row_no, collection_no, &postings)?;
                self.seen.insert(row_no, found);
                self.rows.entry(record_no).or_default().push(row_no);
            }
        }
        self.rows.values_mut().for_each(|rows| rows.sort_unstable());
        Ok(())
    }

    /// Asks about the rows of a walk, several at once, unless all are known to be in view. Hidden
    /// ones are not looked at.
    pub(super) fn read_ahead(&mut self, rows: &[i64]) -> StoreResult<()> {
        if READ_AHEAD < 2 || self.filter.knows() {
            return Ok(());
        }
        let is_unknown = |row_no: &&i64| !self.visible.contains_key(&record_of(**row_no));
        let unknown: Vec<i64> = rows.iter().filter(is_unknown).copied().collect();
        for some in unknown.chunks(READ_AHEAD) {
            let owned = self.collections_of(some)?;
            self.read_facts(&owned)?;
        }
        let later = |row_no: &&i64| {
            let facts = self.visible.get(&record_of(**row_no));
            !is_first_row(**row_no) && facts.is_none_or(Option::is_some)
        };
        let later: Vec<i64> = rows.iter().filter(later).copied().collect();
        self.read_rows(&later)
    }

    /// Rows with the collection of each.
    fn collections_of(&self, rows: &[i64]) -> StoreResult<Vec<(i64, CollectionNo)>> {
        if let Some(only) = self.only_walked() {
            return Ok(rows.iter().map(|row_no| (*row_no, only)).collect());
        }
        let sql = format!("SELECT row_no, collection_no FROM search_rows WHERE row_no {AMONG}");
        self.db
            .prepare_cached(&sql)
            .and_then(|mut list| {
                list.query_map([among(rows)], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            })
            .map_err(from_driver)
    }

    /// Does for as many records as a search accounts for what it does for a hidden row, less those it
    /// has met: what is hidden does not show in the work of a search.
    pub(super) fn even_out(&mut self) -> StoreResult<()> {
        let mut left = self.filter.unmet();
        for (collection_no, target) in self.filter.walked(&self.targets) {
            if left == 0 || target.conditions.is_empty() {
                continue;
            }
            let most = i64::try_from(left).unwrap_or(i64::MAX);
            let records: Vec<RecordNo> = self
                .db
                .prepare_cached(SOME_KEYS)
                .and_then(|mut list| {
                    list.query_map(params![collection_no, most], |row| row.get(0))?.collect()
                })
                .map_err(from_driver)?;
            left = left.saturating_sub(records.len());
            let rows: Vec<i64> = records.iter().copied().map(first_row).collect();
            for (some, records) in rows.chunks(READ_AHEAD).zip(records.chunks(READ_AHEAD)) {
                self.collections_of(some)?;
                if READ_AHEAD > 1 && target.is_decided_by_sql() {
                    self.facts_of(target, records)?;
                } else {
                    for record_no in records {
                        visible_facts(self.db, target, *record_no, &self.since)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Looks at the candidates that were chosen.
    pub(super) fn read_chosen(&mut self, chosen: &BTreeSet<Candidate>) -> StoreResult<()> {
        if READ_AHEAD < 2 {
            return Ok(());
        }
        let first = |own: &Candidate| own.later_row.unwrap_or(first_row(own.record_no));
        let rows: Vec<i64> = chosen.iter().map(first).collect();
        self.read_rows(&rows)?;
        self.note_single_rows(chosen)
    }

    fn read_rows(&mut self, rows: &[i64]) -> StoreResult<()> {
        let unseen: Vec<i64> =
            rows.iter().copied().filter(|row_no| !self.seen.contains_key(row_no)).collect();
        for some in unseen.chunks(READ_AHEAD) {
            let sql =
                format!("SELECT row_no, collection_no, bag FROM search_rows WHERE row_no {AMONG}");
            let found: Vec<(i64, CollectionNo, Vec<u8>)> = self
                .db
                .prepare_cached(&sql)
                .and_then(|mut list| {
                    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                    list.query_map([among(some)], read)?.collect()
                })
                .map_err(from_driver)?;
            let owned: Vec<(i64, CollectionNo)> =
                found.iter().map(|(row, own, _)| (*row, *own)).collect();
            self.read_facts(&owned)?;
            for (row_no, collection_no, postings) in found {
                let seen = self.evaluate(row_no, collection_no, &postings)?;
                self.seen.insert(row_no, seen);
            }
        }
        Ok(())
    }

    /// The facts of the records that some rows belong to, where SQL alone decides what is visible.
    fn read_facts(&mut self, found: &[(i64, CollectionNo)]) -> StoreResult<()> {
        let mut wanted: HashMap<CollectionNo, BTreeSet<RecordNo>> = HashMap::new();
        for (row_no, collection_no) in found {
            let record_no = record_of(*row_no);
            if !self.visible.contains_key(&record_no) {
                wanted.entry(*collection_no).or_default().insert(record_no);
            }
        }
        for (collection_no, records) in wanted {
            let Some(target) = self.targets.get(&collection_no) else { continue };
            if !target.is_decided_by_sql() {
                continue;
            }
            let records: Vec<RecordNo> = records.into_iter().collect();
            let rows = self.facts_of(target, &records)?;
            let hidden = records.len().saturating_sub(rows.len());
            self.visible.extend(records.iter().map(|record_no| (*record_no, None)));
            for (record_no, facts) in rows {
                let facts = self.since.judge(self.db, target, record_no, facts)?;
                self.visible.insert(record_no, Some(facts));
            }
            for _ in 0..hidden {
                self.filter.passed_over(self.db, &self.targets)?;
            }
        }
        Ok(())
    }

    /// The facts of those among some records that are visible.
    fn facts_of(
        &self,
        target: &SearchTarget<'_>,
        records: &[RecordNo],
    ) -> StoreResult<Vec<(RecordNo, Facts)>> {
        let (sql, others) = target.facts_of_many();
        let values = others.iter().cloned().chain(std::iter::once(among(records)));
        let found: Vec<(RecordNo, Facts, Option<bool>)> = self
            .db
            .prepare_cached(&sql)
            .and_then(|mut list| {
                list.query_map(params_from_iter(values), |row| {
                    let facts = Facts::new((row.get(1)?, row.get(2)?, row.get(3)?));
                    Ok((row.get(0)?, facts, row.get(4)?))
                })?
                .collect()
            })
            .map_err(from_driver)?;
        let visible = found.into_iter().filter(|(.., shows)| *shows == Some(true));
        Ok(visible.map(|(record_no, facts, _)| (record_no, facts)).collect())
    }

    /// Most records have one index row; that they have no second one is asked for many at once.
    fn note_single_rows(&mut self, chosen: &BTreeSet<Candidate>) -> StoreResult<()> {
        let begun = chosen.iter().filter(|own| own.later_row.is_none()).map(|own| own.record_no);
        let unknown: Vec<RecordNo> = begun.filter(|no| !self.rows.contains_key(no)).collect();
        for some in unknown.chunks(READ_AHEAD) {
            let seconds: Vec<i64> = some.iter().map(|no| first_row(*no) + 1).collect();
            let sql = format!("SELECT row_no FROM search_rows WHERE row_no {AMONG}");
            let found: BTreeSet<i64> = self
                .db
                .prepare_cached(&sql)
                .and_then(|mut list| list.query_map([among(&seconds)], |row| row.get(0))?.collect())
                .map_err(from_driver)?;
            for (record_no, second) in some.iter().zip(&seconds) {
                if !found.contains(second) {
                    self.rows.insert(*record_no, vec![first_row(*record_no)]);
                }
            }
        }
        Ok(())
    }
}

/// Record, key, time, row, postings and newest change of every visible record of a target.
fn rows_of_visible(target: &SearchTarget<'_>) -> (String, Vec<Value>) {
    let source = count::source(&target.collection, &target.conditions);
    let from = source.joined_with(ROWS_OF_RECORD);
    let mut values = vec![source.value];
    let time = &target.time_column;
    let mut sql =
        format!("SELECT p.record_no, p.key_order, {time}, s.row_no, s.bag, {NEWEST_CHANGE} {from}");
    target.conditions.write_sql(&mut sql, &mut values);
    (sql, values)
}
