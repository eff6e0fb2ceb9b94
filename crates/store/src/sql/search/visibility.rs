//! Which records of an index walk are in view, and how many hidden ones a walk has met.
//!
//! What a search costs must not tell what is hidden. So a walk along the rows of a word, where it can
//! meet hidden ones, always costs as much as if it had met a certain number of them.

use std::collections::{HashMap, HashSet};

use super::backend::driver::{Connection, params_from_iter, walk};
use foldhash::fast::RandomState;

use super::backend::errors::from_driver;
use super::sql::records::by_id;
use super::sql::records::count;
use super::sql::records::plan::Conditions;
use super::view::SearchTarget;
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};

/// Visible records are counted up to here; more make no difference to a word's rarity.
const COUNT_UP_TO: u64 = 10_000;
/// Of collections that show a part of themselves, so many visible records are looked at one by one:
/// a walk along a word's rows could meet any number of hidden ones. Where nothing is hidden, a walk
/// meets nothing but what the question asks for.
const LOOK_AT_EACH: u64 = 3_000;
/// So many hidden rows a search accounts for within a limit of time; the same for any fewer.
pub(super) const HIDDEN_BY_TIME: usize = 3_000;
/// The same where nothing but marked records is hidden, which are few.
pub(super) const HIDDEN_BY_MARK: usize = 500;
/// After so many hidden rows it is cheaper to list what is in view once.
const LIST_AFTER: usize = HIDDEN_BY_TIME;

/// What is known of the records in view.
pub(crate) struct VisibilityFilter {
    /// Collections whose visible records are looked at one by one; the others are walked.
    few: HashSet<CollectionNo>,
    /// Everything in the collections that are walked is in view.
    open: bool,
    /// Whether SQL alone can list what is in view.
    listable: bool,
    /// Hidden rows that were asked about, and how many are accounted for in any case.
    hidden: usize,
    floor: usize,
    listed: Option<HashSet<RecordNo, RandomState>>,
}

impl VisibilityFilter {
    /// A later page has to look at each record.
    pub(crate) fn new(
        targets: &HashMap<CollectionNo, SearchTarget<'_>>,
        few: HashSet<CollectionNo>,
        later_page: bool,
    ) -> Self {
        let walked = || targets.values().filter(|target| !few.contains(&target.collection.no));
        let all = |test: &dyn Fn(&Conditions<'_>) -> bool| {
            !later_page && walked().all(|target| test(&target.conditions))
        };
        let floor = walked().map(floor).max().unwrap_or(0);
        let open = all(&|conditions| conditions.is_empty());
        let listable = all(&|conditions| conditions.is_complete_in_sql());
        Self { open, listable, hidden: 0, floor, listed: None, few }
    }

    /// The collections whose words are walked.
    pub(crate) fn walked<'s, 'a>(
        &'s self,
        targets: &'s HashMap<CollectionNo, SearchTarget<'a>>,
    ) -> impl Iterator<Item = (&'s CollectionNo, &'s SearchTarget<'a>)> {
        targets.iter().filter(|(number, _)| !self.few.contains(*number))
    }

    /// The collections whose visible records are looked at one by one.
    pub(super) fn looked_at<'s, 'a>(
        &'s self,
        targets: &'s HashMap<CollectionNo, SearchTarget<'a>>,
    ) -> impl Iterator<Item = (&'s CollectionNo, &'s SearchTarget<'a>)> {
        targets.iter().filter(|(number, _)| self.few.contains(*number))
    }

    /// Whether a record is in view; `None` when it has to be asked about.
    pub(crate) fn shows(&self, record_no: RecordNo) -> Option<bool> {
        match &self.listed {
            Some(listed) => Some(listed.contains(&record_no)),
            None => self.open.then_some(true),
        }
    }

    /// Whether no row need be asked about.
    pub(crate) fn knows(&self) -> bool {
        self.listed.is_some() || self.open
    }

    /// Hidden rows that are accounted for and were not met.
    pub(super) fn unmet(&self) -> usize {
        self.floor.saturating_sub(self.hidden)
    }

    /// Notes a row that was asked about and is hidden.
    pub(super) fn passed_over(
        &mut self,
        db: &Connection,
        targets: &HashMap<CollectionNo, SearchTarget<'_>>,
    ) -> StoreResult<()> {
        self.hidden += 1;
        if self.hidden <= LIST_AFTER || !self.listable || self.listed.is_some() {
            return Ok(());
        }
        let mut listed = HashSet::default();
        for (_, target) in self.walked(targets) {
            each_visible(db, target, |record_no| {
                listed.insert(record_no);
            })?;
        }
        self.listed = Some(listed);
        Ok(())
    }
}

/// How many hidden rows a walk in a collection accounts for.
fn floor(target: &SearchTarget<'_>) -> usize {
    if target.scope.time.is_some() || target.scope.records.is_some() {
        HIDDEN_BY_TIME
    } else if target.scope.hidden_marks() != 0 {
        HIDDEN_BY_MARK
    } else {
        0
    }
}

/// Calls `found` with the number of every record of a collection that SQL lets through.
pub(super) fn each_visible(
    db: &Connection,
    target: &SearchTarget<'_>,
    mut found: impl FnMut(RecordNo),
) -> StoreResult<()> {
    if let Some(only) = &target.scope.records {
        let named = by_id::visible_numbers(db, &target.collection, &target.conditions, only)?;
        named.into_iter().for_each(found);
        return Ok(());
    }
    let source = count::source(&target.collection, &target.conditions);
    let mut sql = format!("SELECT p.record_no {}", source.from());
    let mut values = vec![source.value];
    target.conditions.write_sql(&mut sql, &mut values);
    let mut list = db.prepare_cached(&sql).map_err(from_driver)?;
    let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        found(row.get(0).map_err(from_driver)?);
    }
    Ok(())
}

/// How many records are visible, and the collections whose visible records are looked at one by one.
///
/// The choice follows from what is visible alone: it must not tell how much is hidden.
pub(super) fn count_visible(
    db: &Connection,
    targets: &HashMap<CollectionNo, SearchTarget<'_>>,
) -> StoreResult<(u64, HashSet<CollectionNo>)> {
    let (mut visible, mut looked_at, mut few) = (0, 0, HashSet::new());
    let mut in_order: Vec<&SearchTarget<'_>> = targets.values().collect();
    in_order.sort_unstable_by_key(|target| target.index);
    for target in in_order {
        let narrowed = !target.conditions.is_empty();
        let left = COUNT_UP_TO - visible;
        let most = if narrowed { left.max(LOOK_AT_EACH + 1) } else { left };
        let count = count::count_in(db, &target.collection, &target.conditions, most)?;
        visible = COUNT_UP_TO.min(visible + count);
        if narrowed && looked_at + count <= LOOK_AT_EACH {
            looked_at += count;
            few.insert(target.collection.no);
        }
    }
    Ok((visible, few))
}
