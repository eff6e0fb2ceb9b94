//! Search over the index: candidates inside the scope, newest first, capped by visible rows only.

mod candidates;
pub(crate) mod check;
pub(crate) mod index;
pub(crate) mod neighbours;
mod prefetch;
mod seen;
mod since;
mod view;
mod visibility;
pub(crate) mod write;

use super::{backend, sql};

use std::collections::{BTreeSet, HashMap, VecDeque};

use backend::driver::{Connection, READ_AHEAD};
use foldhash::fast::RandomState;

use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::records::scope::ReadScope;
use crate::search::{MatchedRow, SearchMatches, SearchQuery, Term};
use backend::index_words::{self, Asked};
use candidates::{Candidate, CandidateList, Chosen, TermCandidates, rarest};
use seen::SeenRow;
use since::{SinceFirst, last_visible_change};
use sql::changes::newest;
use sql::connections::collection::find_collection;
use view::{Facts, SearchTarget};
use visibility::{VisibilityFilter, count_visible, each_visible};
use write::{field_number, is_first_row, record_of, token};

/// No limit on the rows of a record.
const ALL_ROWS: i64 = i64::MAX;
/// Rows among which the beginnings of a record's fields are looked for. Only a record with several
/// texts of millions of characters has beginnings further back.
const FIRST_ROWS: i64 = 128;

/// A search under way.
pub(crate) struct Search<'a> {
    pub(crate) db: &'a Connection,
    pub(crate) query: &'a SearchQuery,
    pub(super) targets: HashMap<CollectionNo, SearchTarget<'a>>,
    /// Rows already looked at; `None` for those that do not exist for this caller.
    pub(crate) seen: HashMap<i64, Option<SeenRow>, RandomState>,
    pub(crate) visible: HashMap<RecordNo, Option<Facts>, RandomState>,
    /// All rows of records that were read ahead, in order.
    pub(crate) rows: HashMap<RecordNo, Vec<i64>, RandomState>,
    pub(super) filter: VisibilityFilter,
    pub(crate) since: SinceFirst,
}

/// Index rows that hold a term, newest first, and whether each holds beginnings of fields.
type Holding = VecDeque<(i64, bool)>;

/// Runs a search inside one snapshot.
pub(crate) fn search(
    db: &Connection,
    scope: &ReadScope,
    query: &SearchQuery,
) -> StoreResult<SearchMatches> {
    let targets = targets(db, scope, query)?;
    let (visible, few) = count_visible(db, &targets)?;
    let since = SinceFirst::new(db, &targets, query.seen_through)?;
    let filter = VisibilityFilter::new(&targets, few, since.is_later_page());
    let (seen, facts) = (HashMap::default(), HashMap::default());
    let rows = HashMap::default();
    let mut search = Search { db, query, targets, seen, visible: facts, rows, filter, since };
    let looked_at = search.look_at_each()?;
    let lists = search.walk_terms(looked_at)?;
    search.even_out()?;
    search.choose(lists, visible)
}

pub(super) fn targets<'a>(
    db: &Connection,
    scope: &'a ReadScope,
    query: &'a SearchQuery,
) -> StoreResult<HashMap<CollectionNo, SearchTarget<'a>>> {
    let mut targets = HashMap::new();
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
        targets.insert(no, SearchTarget::new(index, (part, own), collection, fields));
    }
    Ok(targets)
}

impl Search<'_> {
    /// Per term, the newest candidates that hold it: rows of the index, and of what was looked at.
    fn walk_terms(&mut self, looked_at: Vec<Holding>) -> StoreResult<Vec<TermCandidates>> {
        let mut places: Vec<(CollectionNo, u16)> = Vec::new();
        for (collection_no, target) in self.filter.walked(&self.targets) {
            places.extend(target.fields.keys().map(|field_no| (*collection_no, *field_no)));
        }
        places.sort_unstable();
        let collections = self.filter.walked(&self.targets).map(|(number, _)| *number);
        let ground = index_words::survey(self.db, collections)?;
        let mut lists = Vec::with_capacity(self.query.terms.len());
        for ((at, term), mut known) in self.query.terms.iter().enumerate().zip(looked_at) {
            let (mut candidates, mut has_room) = (TermCandidates::default(), true);
            if !places.is_empty() {
                let tokens = tokens_of(&places, term);
                let asked = Asked { words: &tokens, prefix: term.prefix };
                index_words::walk(self.db, &ground, &asked, |rows| {
                    has_room = self.add_rows(rows, at, &mut known, &mut candidates)?;
                    Ok(has_room)
                })?;
            }
            if has_room {
                self.add_known(&mut known, i64::MIN, &mut candidates);
            }
            lists.push(candidates);
        }
        Ok(lists)
    }

    /// Adds the rows in view that hold a term; false when there is no room for more.
    fn add_rows(
        &mut self,
        rows: &[i64],
        term: usize,
        known: &mut Holding,
        candidates: &mut TermCandidates,
    ) -> StoreResult<bool> {
        self.read_ahead(rows)?;
        for row_no in rows {
            if !self.add_known(known, *row_no, candidates) {
                return Ok(false);
            }
            if candidates.are_full_of(record_of(*row_no)) {
                continue;
            }
            let begins = self.in_view(*row_no, term)?;
            if begins.is_some_and(|begins| !self.add(*row_no, begins, candidates)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds what was looked at and is newer than a row; false when there is no room for more.
    fn add_known(&self, known: &mut Holding, row_no: i64, candidates: &mut TermCandidates) -> bool {
        while let Some((own, begins)) = known.pop_front_if(|(own, _)| *own > row_no) {
            let is_full = candidates.are_full_of(record_of(own));
            if !is_full && !self.add(own, begins, candidates) {
                return false;
            }
        }
        true
    }

    /// Adds a row in view; false when there is no room for more.
    fn add(&self, row_no: i64, begins: bool, candidates: &mut TermCandidates) -> bool {
        if self.has_changed(record_of(row_no)) {
            candidates.changed.add(row_no, begins, self.query.cap);
            return true;
        }
        candidates.found.add(row_no, begins, self.query.cap)
    }

    /// Whether a record that was looked at has changed since the first page.
    fn has_changed(&self, record_no: RecordNo) -> bool {
        let facts = self.visible.get(&record_no).and_then(Option::as_ref);
        facts.is_some_and(|facts| facts.changed_at.is_some())
    }

    /// Whether a row that holds a term holds beginnings of fields; `None` when it is not in view.
    ///
    /// The index names collection and field of each word, so that a row is read only where a record
    /// has several. The first row of a record always holds beginnings.
    fn in_view(&mut self, row_no: i64, term: usize) -> StoreResult<Option<bool>> {
        let shows = match self.filter.shows(record_of(row_no)) {
            Some(known) => known,
            None => self.is_visible(row_no)?,
        };
        if !shows {
            return Ok(None);
        }
        if is_first_row(row_no) {
            return Ok(Some(true));
        }
        Ok(self.look_at(row_no)?.filter(|row| row.holds(term)).map(|row| row.begins))
    }

    /// The same from the other side, where few records are visible: each of them is looked at.
    fn look_at_each(&mut self) -> StoreResult<Vec<Holding>> {
        let mut records: Vec<RecordNo> = Vec::new();
        if READ_AHEAD > 1 {
            self.read_visible()?;
            records.extend(self.rows.keys().copied());
        } else {
            for (_, target) in self.filter.looked_at(&self.targets) {
                each_visible(self.db, target, |record_no| records.push(record_no))?;
            }
        }
        records.sort_unstable_by(|a, b| b.cmp(a));
        let mut lists = vec![Holding::new(); self.query.terms.len()];
        for record_no in records {
            let mut rows = self.rows_of(record_no, ALL_ROWS)?;
            rows.reverse();
            for row_no in rows {
                let Some(found) = self.look_at(row_no)? else { continue };
                for (at, list) in lists.iter_mut().enumerate() {
                    if found.holds(at) {
                        list.push_back((row_no, found.begins));
                    }
                }
            }
        }
        Ok(lists)
    }

    /// The candidates with what ranking needs of them.
    fn choose(mut self, lists: Vec<TermCandidates>, visible: u64) -> StoreResult<SearchMatches> {
        let (found, changed): (Vec<CandidateList>, Vec<CandidateList>) =
            lists.into_iter().map(|of_term| (of_term.found, of_term.changed)).unzip();
        let frequency =
            |candidates: &CandidateList| u32::try_from(candidates.list.len()).unwrap_or(u32::MAX);
        let frequencies: Vec<u32> = found.iter().map(frequency).collect();
        let Chosen { candidates: mut chosen, terms, mut complete } = rarest(&found, self.query.cap);
        // The same words choose among the changed ones: what only holds a word that chose nobody was no
        // candidate of the first page either.
        let mut also: BTreeSet<Candidate> = BTreeSet::new();
        for candidates in terms.iter().filter_map(|term| changed.get(*term)) {
            complete &= !candidates.more && also.len() < self.query.cap;
            if also.len() < self.query.cap {
                also.extend(&candidates.list);
            }
        }
        chosen.extend(also);
        self.read_chosen(&chosen)?;
        let mut rows = Vec::with_capacity(chosen.len());
        let mut records = Vec::with_capacity(chosen.len());
        for candidate in chosen.into_iter().rev() {
            let Some(row) = self.assemble(candidate)? else { continue };
            let newest = self.visible.get(&row.record_no).and_then(Option::as_ref);
            let newest = newest.map_or(ChangeNo::NONE, |facts| facts.newest_change);
            records.push((row.record_no, row.collection, newest));
            rows.push(row);
        }
        let seen_through = match self.query.seen_through {
            Some(seen_through) => seen_through,
            None => last_visible_change(self.db, &self.targets, records)?,
        };
        let as_of = newest(self.db)?;
        Ok(SearchMatches { visible, frequencies, complete, rows, seen_through, as_of })
    }

    /// All that a candidate holds, from whichever rows it lies in.
    fn assemble(&mut self, candidate: Candidate) -> StoreResult<Option<MatchedRow>> {
        let Candidate { record_no, later_row } = candidate;
        let numbers = match later_row {
            None => self.rows_of(record_no, FIRST_ROWS)?,
            Some(row_no) => {
                self.look_at(row_no)?;
                vec![row_no]
            }
        };
        let mut whole: Option<MatchedRow> = None;
        for number in numbers {
            let Some(Some(row)) = self.seen.remove(&number) else { continue };
            if row.begins != later_row.is_none() {
                continue;
            }
            let Some(Some(facts)) = self.visible.get(&record_no) else { continue };
            let whole = whole.get_or_insert_with(|| MatchedRow {
                collection: row.collection,
                record_no,
                words: 0,
                hits: Vec::new(),
                time: facts.time.clone(),
                key_order: facts.key_order.clone(),
                changed_at: facts.changed_at,
            });
            whole.words += row.words;
            whole.hits.extend(row.hits);
        }
        if let Some(whole) = &mut whole {
            whole.hits.sort_by(|a, b| (a.term, &a.field).cmp(&(b.term, &b.field)));
        }
        Ok(whole.filter(|whole| !whole.hits.is_empty()))
    }
}

/// The words of a term in any of the fields of any of the collections, each with its collection.
fn tokens_of(places: &[(CollectionNo, u16)], term: &Term) -> Vec<(CollectionNo, String)> {
    let own = |place: &(CollectionNo, u16)| (place.0, token(*place, term.text.as_bytes()));
    places.iter().map(own).collect()
}
