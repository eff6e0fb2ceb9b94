//! What became of a search's candidates since its first page, told from what the scope shows.
//!
//! A change that the scope hides has a number, too; none of these numbers is ever used. The first page
//! notes the last *visible* change of its candidates. Later pages take the records whose searched
//! fields have not changed since, as they stood then, and tell the others apart.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use pdpp_contract::FieldName;

use super::backend::driver::{Connection, OptionalExtension, Row, params};

use super::backend::errors::from_driver;
use super::sql::changes::emitted::{Fields, unchanged_since};
use super::sql::changes::track::read_version;
use super::view::{Facts, SearchTarget};
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::records::scope::CollectionScope;
use crate::records::sort_key::SortKey;
use crate::search::NeighbourQuery;

const FIND_FIELD: &str = "
    SELECT field_no FROM collection_fields WHERE collection_no = ?1 AND name = ?2";
const VERSION_THEN: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1 AND change_no <= ?2
     ORDER BY change_no DESC
     LIMIT 1";

const CHANGED_SINCE: &str = "
    SELECT change_no, record_no FROM changes
     WHERE collection_no = ?1 AND change_no > ?2
     ORDER BY change_no DESC";

/// What a later page goes back to; nothing on a first page.
pub(crate) struct SinceFirst {
    seen_through: Option<ChangeNo>,
    /// By collection: the searched fields.
    searched: HashMap<CollectionNo, Fields>,
}

impl SinceFirst {
    pub(crate) fn new(
        db: &Connection,
        targets: &HashMap<CollectionNo, SearchTarget<'_>>,
        seen_through: Option<ChangeNo>,
    ) -> StoreResult<Self> {
        let mut searched = HashMap::new();
        if seen_through.is_some() {
            for (collection_no, target) in targets {
                let is_searched =
                    |name: &str| target.fields.values().any(|field| field.as_str() == name);
                let fields = Fields::of(db, target.scope, *collection_no, is_searched)?;
                searched.insert(*collection_no, fields);
            }
        }
        Ok(Self { seen_through, searched })
    }

    /// For the neighbours of candidates: where they stand counts as well as what they hold.
    pub(super) fn of_neighbours(
        db: &Connection,
        targets: &HashMap<CollectionNo, SearchTarget<'_>>,
        query: &NeighbourQuery,
    ) -> StoreResult<Self> {
        let seen_through = query.search.seen_through.or(Some(query.as_of));
        let mut searched = HashMap::new();
        for (collection_no, target) in targets {
            let conversation = query.conversations.get(target.index).and_then(Option::as_ref);
            let places = conversation.map_or([None, None], |own| {
                [Some(own.field.as_str()), own.order_field.as_ref().map(FieldName::as_str)]
            });
            let time = target.collection.shape.cursor.and_then(|at| {
                target.collection.shape.columns.get(at).map(|column| column.field.as_str())
            });
            let counts = |name: &str| {
                let is_place = places.contains(&Some(name)) || time == Some(name);
                is_place || target.fields.values().any(|field| field.as_str() == name)
            };
            let fields = Fields::of(db, target.scope, *collection_no, counts)?;
            searched.insert(*collection_no, fields);
        }
        Ok(Self { seen_through, searched })
    }

    /// Whether this is a later page.
    pub(super) fn is_later_page(&self) -> bool {
        self.seen_through.is_some()
    }

    /// The facts of a visible record as the first page saw them, or with the number of its change.
    pub(crate) fn judge(
        &self,
        db: &Connection,
        target: &SearchTarget<'_>,
        record_no: RecordNo,
        mut facts: Facts,
    ) -> StoreResult<Facts> {
        let Some(seen_through) = self.seen_through.filter(|seen| facts.newest_change > *seen)
        else {
            return Ok(facts);
        };
        if let Some(searched) = self.searched.get(&target.collection.no) {
            let since = unchanged_since(db, target.scope, searched, record_no)?;
            facts.changed_at =
                since.map(|since| since.change_no).filter(|change| *change > seen_through);
        }
        if facts.changed_at.is_none() {
            facts.time = time_then(db, target, (record_no, seen_through), facts.time)?;
        }
        Ok(facts)
    }
}

/// Whether the scope showed a record when the first page was made.
pub(super) fn stood_there(
    db: &Connection,
    target: &SearchTarget<'_>,
    record_no: RecordNo,
    seen_through: ChangeNo,
) -> StoreResult<bool> {
    let version = version_at(db, record_no, seen_through)?;
    Ok(version.is_some_and(|version| shows(target, &version)))
}

/// The newest change by which a record that the scope showed has gone from a collection.
pub(super) fn departed_since(
    db: &Connection,
    target: &SearchTarget<'_>,
    seen_through: ChangeNo,
) -> StoreResult<Option<ChangeNo>> {
    let changed: Vec<(ChangeNo, RecordNo)> = db
        .prepare_cached(CHANGED_SINCE)
        .and_then(|mut list| {
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            list.query_map(params![target.collection.no, seen_through], read)?.collect()
        })
        .map_err(from_driver)?;
    let mut asked = HashSet::new();
    for (change_no, record_no) in changed {
        if !asked.insert(record_no) {
            continue;
        }
        let now = version_at(db, record_no, ChangeNo::LAST)?;
        let is_gone = now.is_none_or(|version| !shows(target, &version));
        if is_gone && stood_there(db, target, record_no, seen_through)? {
            return Ok(Some(change_no));
        }
    }
    Ok(None)
}

/// Whether the scope shows a version, as far as its marks and its time tell.
fn shows(target: &SearchTarget<'_>, version: &Version) -> bool {
    let time = target.scope.time.as_ref();
    let key = version.time_key.clone().map(SortKey::from_bytes);
    let inside = time.is_none_or(|bounds| {
        key.is_some_and(|key| {
            bounds.since.is_none_or(|since| key >= SortKey::time(since))
                && bounds.until.is_none_or(|until| key < SortKey::time(until))
        })
    });
    !version.deleted && version.flags & target.scope.hidden_marks() == 0 && inside
}

fn version_at(
    db: &Connection,
    record_no: RecordNo,
    through: ChangeNo,
) -> StoreResult<Option<Version>> {
    db.prepare_cached(VERSION_THEN)
        .and_then(|mut find| {
            let read = |row: &Row<'_>| read_version(row, 0);
            find.query_row(params![record_no, through], read).optional()
        })
        .map_err(from_driver)
}

/// The time by which a record was recent on the first page; `None` when the log has forgotten it.
fn time_then(
    db: &Connection,
    target: &SearchTarget<'_>,
    (record_no, seen_through): (RecordNo, ChangeNo),
    now: Option<SortKey>,
) -> StoreResult<Option<SortKey>> {
    let Some(field) = target.order_field else {
        return Ok(now);
    };
    let field_no: Option<u16> = db
        .prepare_cached(FIND_FIELD)
        .and_then(|mut find| {
            let asked = params![target.collection.no, field.as_str()];
            find.query_row(asked, |row| row.get(0)).optional()
        })
        .map_err(from_driver)?;
    let version = |through: ChangeNo| version_at(db, record_no, through);
    let hash = |version: &Version| field_no.and_then(|number| version.hash(number));
    let Some(then) = version(seen_through)? else {
        return Ok(None);
    };
    if version(ChangeNo::LAST)?.is_some_and(|newest| hash(&newest) == hash(&then)) {
        return Ok(now);
    }
    let shape = &target.collection.shape;
    let logged = shape.time.and_then(|at| shape.columns.get(at));
    let is_logged = logged.is_some_and(|column| column.field == *field);
    Ok(then.time_key.filter(|_| is_logged).map(SortKey::from_bytes))
}

/// The last change that the scope shows of any of these records, each with the place of its collection
/// in the scope and its newest change.
pub(super) fn last_visible_change(
    db: &Connection,
    targets: &HashMap<CollectionNo, SearchTarget<'_>>,
    mut records: Vec<(RecordNo, usize, ChangeNo)>,
) -> StoreResult<ChangeNo> {
    records.sort_unstable_by_key(|(_, _, newest)| std::cmp::Reverse(*newest));
    let mut shown: HashMap<usize, (&CollectionScope, Fields)> = HashMap::new();
    let mut last = ChangeNo::NONE;
    for (record_no, index, newest) in records {
        // What is visible of the others is older still.
        if newest <= last {
            break;
        }
        let (scope, fields) = match shown.entry(index) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let of_index = |target: &&SearchTarget<'_>| target.index == index;
                let Some(target) = targets.values().find(of_index) else { continue };
                let (scope, number) = (target.scope, target.collection.no);
                let is_shown = |name: &str| scope.fields.contains(name);
                new.insert((scope, Fields::of(db, scope, number, is_shown)?))
            }
        };
        let since = unchanged_since(db, scope, fields, record_no)?;
        last = last.max(since.map_or(ChangeNo::NONE, |since| since.change_no));
    }
    Ok(last)
}
