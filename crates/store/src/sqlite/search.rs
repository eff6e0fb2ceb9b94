//! Search over the index: candidates inside the scope, newest first, capped by visible rows only.

use std::collections::{BTreeSet, HashMap};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::count;
use super::declared::{Collection, find_collection, table};
use super::errors::from_sqlite;
use super::list_plan::Conditions;
use super::search_view::{Facts, Shelf, read_bag, visible_facts};
use super::search_write::{PART_BITS, field_number, token};
use crate::error::StoreResult;
use crate::scope::ReadScope;
use crate::search::{MatchedRow, SearchMatches, SearchQuery, Term};
use crate::search_bag::damaged;

/// Visible records are counted up to here; more make no difference to a word's rarity.
const COUNT_UP_TO: u64 = 10_000;
/// With no more visible records than this, looking at each beats walking a common word's rows.
const LOOK_AT_EACH: u64 = 3_000;

const GET_ROW: &str = "
    SELECT collection_no, bag FROM search_rows WHERE row_no = ?1";
const WALK_TERM: &str = "
    SELECT rowid FROM search_index WHERE search_index MATCH ?1 ORDER BY rowid DESC";
const ROWS_OF_RECORD: &str = "
    SELECT row_no FROM search_rows WHERE row_no >= ?1 AND row_no < ?2";
const LAST_CHANGE: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";

/// A search under way.
struct Search<'a> {
    db: &'a Connection,
    query: &'a SearchQuery,
    shelves: HashMap<i64, Shelf<'a>>,
    /// Rows already looked at; `None` for those that do not exist for this caller.
    seen: HashMap<i64, Option<MatchedRow>>,
    visible: HashMap<i64, Option<Facts>>,
}

/// Runs a search inside one snapshot.
pub(super) fn search(
    db: &Connection,
    scope: &ReadScope,
    query: &SearchQuery,
) -> StoreResult<SearchMatches> {
    let visible = count::count(db, scope, &query.collections, COUNT_UP_TO)?;
    let shelves = shelves(db, scope, query)?;
    let mut search = Search { db, query, shelves, seen: HashMap::new(), visible: HashMap::new() };
    let lists =
        if visible <= LOOK_AT_EACH { search.look_at_each()? } else { search.walk_terms()? };
    let change_no = db.query_row(LAST_CHANGE, [], |row| row.get(0)).map_err(from_sqlite)?;
    Ok(search.choose(&lists, visible, change_no))
}

fn shelves<'a>(
    db: &Connection,
    scope: &'a ReadScope,
    query: &'a SearchQuery,
) -> StoreResult<HashMap<i64, Shelf<'a>>> {
    let mut shelves = HashMap::new();
    let parts = scope.collections().iter().zip(&query.fields).zip(&query.collections);
    for (index, ((part, searched), own)) in parts.enumerate() {
        let Some(collection) = find_collection(db, &part.connection, &part.stream)? else {
            continue;
        };
        let mut fields = HashMap::new();
        for field in searched.iter().filter(|field| part.fields.contains(*field)) {
            if let Some(number) = field_number(db, field.as_str())? {
                fields.insert(number, field.clone());
            }
        }
        let no = collection.no;
        shelves.insert(no, Shelf::new(index, (part, own), collection, fields));
    }
    Ok(shelves)
}

impl Search<'_> {
    /// Per term, the newest rows that hold it, each list one longer than the cap when there are more.
    fn walk_terms(&mut self) -> StoreResult<Vec<Vec<i64>>> {
        let mut places: Vec<(i64, u16)> = Vec::new();
        for (collection_no, shelf) in &self.shelves {
            places.extend(shelf.fields.keys().map(|field_no| (*collection_no, *field_no)));
        }
        places.sort_unstable();
        let mut lists = Vec::with_capacity(self.query.terms.len());
        for (at, term) in self.query.terms.iter().enumerate() {
            let mut list = Vec::new();
            if !places.is_empty() {
                let db = self.db;
                let mut walk = db.prepare_cached(WALK_TERM).map_err(from_sqlite)?;
                let mut rows = walk.query([expression(&places, term)]).map_err(from_sqlite)?;
                while list.len() <= self.query.cap
                    && let Some(row) = rows.next().map_err(from_sqlite)?
                {
                    let row_no: i64 = row.get(0).map_err(from_sqlite)?;
                    if self.look_at(row_no)?.is_some_and(|found| holds_term(found, at)) {
                        list.push(row_no);
                    }
                }
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// The same lists from the other side: every visible record is looked at.
    fn look_at_each(&mut self) -> StoreResult<Vec<Vec<i64>>> {
        let mut records: Vec<i64> = Vec::new();
        for shelf in self.shelves.values() {
            let conditions = Conditions::new(&shelf.collection, shelf.scope, shelf.query);
            let (sql, values) = visible_numbers(&shelf.collection, &conditions);
            let mut list = self.db.prepare_cached(&sql).map_err(from_sqlite)?;
            let rows = list.query_map(params_from_iter(values), |row| row.get(0));
            for number in rows.map_err(from_sqlite)? {
                records.push(number.map_err(from_sqlite)?);
            }
        }
        records.sort_unstable_by(|a, b| b.cmp(a));
        let mut lists = vec![Vec::new(); self.query.terms.len()];
        for record_no in records {
            let range = [record_no << PART_BITS, (record_no + 1) << PART_BITS];
            let mut rows: Vec<i64> = self
                .db
                .prepare_cached(ROWS_OF_RECORD)
                .and_then(|mut list| list.query_map(range, |row| row.get(0))?.collect())
                .map_err(from_sqlite)?;
            rows.reverse();
            for row_no in rows {
                let Some(found) = self.look_at(row_no)? else { continue };
                let held: Vec<usize> = found.hits.iter().map(|hit| hit.term).collect();
                for (at, list) in lists.iter_mut().enumerate() {
                    if held.contains(&at) && list.len() <= self.query.cap {
                        list.push(row_no);
                    }
                }
            }
        }
        Ok(lists)
    }

    /// What a row holds for this caller; `None` when it does not exist for them.
    fn look_at(&mut self, row_no: i64) -> StoreResult<Option<&MatchedRow>> {
        if !self.seen.contains_key(&row_no) {
            let found = self.evaluate(row_no)?;
            self.seen.insert(row_no, found);
        }
        Ok(self.seen.get(&row_no).and_then(Option::as_ref))
    }

    fn evaluate(&mut self, row_no: i64) -> StoreResult<Option<MatchedRow>> {
        let db = self.db;
        let row: Option<(i64, Vec<u8>)> = db
            .prepare_cached(GET_ROW)
            .and_then(|mut get| {
                get.query_row([row_no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(from_sqlite)?;
        let Some((collection_no, bag)) = row else {
            return Ok(None);
        };
        let Some(shelf) = self.shelves.get(&collection_no) else {
            return Ok(None);
        };
        let record_no = row_no >> PART_BITS;
        let (hits, words) =
            read_bag(&bag, &shelf.fields, &self.query.terms).ok_or_else(|| damaged(row_no))?;
        if hits.is_empty() {
            return Ok(None);
        }
        let index = shelf.index;
        let facts = if let Some(known) = self.visible.get(&record_no) {
            known.clone()
        } else {
            let found = visible_facts(db, shelf, record_no, self.query.as_of)?;
            self.visible.insert(record_no, found.clone());
            found
        };
        Ok(facts.map(|Facts { time, key_order }| MatchedRow {
            collection: index,
            record_no,
            words,
            hits,
            time,
            key_order,
        }))
    }

    /// The rarest words choose the candidates until there are as many as the cap.
    fn choose(mut self, lists: &[Vec<i64>], visible: u64, change_no: i64) -> SearchMatches {
        let cap = self.query.cap;
        let frequencies: Vec<u32> = lists
            .iter()
            .map(|list| u32::try_from(list.len().min(cap)).unwrap_or(u32::MAX))
            .collect();
        let mut complete = lists.iter().all(|list| list.len() <= cap);
        let mut by_rarity: Vec<usize> = (0..lists.len()).collect();
        by_rarity.sort_by_key(|at| lists.get(*at).map_or(0, Vec::len));
        let mut chosen: BTreeSet<i64> = BTreeSet::new();
        for at in by_rarity {
            let list = lists.get(at).map(Vec::as_slice).unwrap_or_default();
            if chosen.len() >= cap && list.iter().any(|row| !chosen.contains(row)) {
                complete = false;
                continue;
            }
            chosen.extend(list.iter().take(cap));
        }
        let rows = chosen.into_iter().rev();
        let rows = rows.filter_map(|row_no| self.seen.remove(&row_no).flatten()).collect();
        SearchMatches { visible, frequencies, complete, rows, change_no }
    }
}

fn holds_term(row: &MatchedRow, term: usize) -> bool {
    row.hits.iter().any(|hit| hit.term == term)
}

fn visible_numbers(collection: &Collection, conditions: &Conditions<'_>) -> (String, Vec<Value>) {
    let table = table(collection.projection_no);
    let mut values = vec![Value::Integer(collection.no)];
    let (mut sql, _) = count::source(collection, conditions);
    sql = sql.replacen("FROM", "SELECT p.record_no FROM", 1);
    debug_assert!(sql.contains(&table));
    conditions.write_sql(&mut sql, &mut values);
    (sql, values)
}

/// The index expression for a term in any of the fields of any of the collections.
fn expression(places: &[(i64, u16)], term: &Term) -> String {
    let star = if term.prefix { "*" } else { "" };
    let one = |place: &(i64, u16)| format!("\"{}\"{star}", token(*place, term.text.as_bytes()));
    places.iter().map(one).collect::<Vec<_>>().join(" OR ")
}
