//! The changes of one collection, judged one by one: which of them a reader sees.

use std::collections::{BTreeMap, HashSet};

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::backend::errors::from_driver;
use super::sql::connections::collection::{Collection, find_collection, table};
use super::sql::connections::time_fields;
use super::sql::records::get;
use super::sql::records::plan::Conditions;
use super::sql::records::walk::holds;
use super::steps::{Step, Steps};
use crate::changes::ChangesQuery;
use crate::changes::version_view::{LogKeys, Sight, VersionView};
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::CollectionQuery;
use crate::records::scope::CollectionScope;
use crate::records::time_keys::keys_from_bytes;
use crate::writes::hashing::HashKey;

const LIST_FIELDS: &str = "
    SELECT name, field_no FROM collection_fields WHERE collection_no = ?1";
const FIND_KEY: &str = "
    SELECT record_no FROM record_keys WHERE collection_no = ?1 AND key_order = ?2";
const VERSIONS_UP_TO: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1 AND change_no <= ?2
     ORDER BY change_no DESC
     LIMIT ?3";
const VERSIONS_AFTER: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1 AND change_no > ?2
     ORDER BY change_no";

/// One collection of a scope.
pub(crate) struct Track<'a> {
    pub index: usize,
    pub scope: &'a CollectionScope,
    pub collection: Collection,
    pub view: VersionView<'a>,
    pub steps: Steps,
    db: &'a Connection,
    query: &'a CollectionQuery,
    /// The only records that exist for this read, by number.
    only: Option<HashSet<RecordNo>>,
}

/// How a change shows.
pub(crate) enum Verdict {
    /// Not at all, or a later one shows instead.
    Silent,
    /// The record as it is now.
    Present,
    /// The record is gone since then.
    Gone { left_at: String },
}

impl<'a> Track<'a> {
    /// `None` when the collection does not exist.
    pub(crate) fn open(
        db: &'a Connection,
        hashing: &HashKey,
        index: usize,
        scope: &'a CollectionScope,
        query: &'a ChangesQuery,
        none: &'a CollectionQuery,
    ) -> StoreResult<Option<Self>> {
        let Some(collection) = find_collection(db, &scope.connection, &scope.stream)? else {
            return Ok(None);
        };
        let names: BTreeMap<String, u16> = db
            .prepare_cached(LIST_FIELDS)
            .and_then(|mut list| {
                list.query_map([collection.no], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            })
            .map_err(from_driver)?;
        let own = query.collections.get(index).unwrap_or(none);
        let shape = &collection.shape;
        let time_field =
            shape.time.and_then(|at| shape.columns.get(at)).map(|column| &column.field);
        let former = &time_fields::former(db, collection.no)?;
        let log = LogKeys { hashing, time_field, former };
        let view = VersionView::new(scope, own, query.fields.as_deref(), &names, &log);
        let only = only_numbers(db, &collection, scope)?;
        let steps = Steps::new(collection.no, &view, only.as_ref());
        Ok(Some(Self { index, scope, view, steps, db, query: own, only, collection }))
    }

    /// Whether a record can be seen at all, by its number.
    pub(crate) fn may_show(&self, record_no: RecordNo) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&record_no))
    }

    /// Whether a change alters what is seen of its record.
    pub(crate) fn is_visible(&self, step: &Step) -> StoreResult<bool> {
        Ok(self.seen_change(step)?.is_some())
    }

    /// How a change shows to a reader who knows everything up to `since` and asks up to `horizon`.
    pub(crate) fn judge(
        &self,
        step: &Step,
        since: ChangeNo,
        horizon: ChangeNo,
    ) -> StoreResult<Verdict> {
        let Some(sight) = self.seen_change(step)? else {
            return Ok(Verdict::Silent);
        };
        let record_no = step.record_no;
        let next = self.next_visible(record_no, step.version.change_no, &sight)?;
        if next.is_some_and(|next| next <= horizon) {
            return Ok(Verdict::Silent);
        }
        let stands = match (&sight, next) {
            // What it looked like within the horizon is gone; the later change will bring it.
            (Sight::Seen(_), Some(_)) => return Ok(Verdict::Silent),
            (Sight::Seen(_), None) => true,
            (Sight::Unsure(_), None) => self.fulfils_now(record_no)?,
            // Unsure and gone by: nothing tells any more whether it was in view; a later change
            // brings it back if it is.
            (Sight::Hidden, _) | (Sight::Unsure(_), Some(_)) => false,
        };
        if stands {
            return Ok(Verdict::Present);
        }
        Ok(if self.was_known(record_no, since)? {
            Verdict::Gone { left_at: step.version.emitted_at.clone() }
        } else {
            Verdict::Silent
        })
    }

    /// Whether a reader who knows everything up to `since` may have the record. Where the log cannot
    /// tell, the record as it is now may; else it counts as known, so that no departure is lost.
    fn was_known(&self, record_no: RecordNo, since: ChangeNo) -> StoreResult<bool> {
        let Some(known) = self.versions_up_to(record_no, since, 1)?.pop() else {
            return Ok(false);
        };
        match self.sight(record_no, &known)? {
            Sight::Hidden => Ok(false),
            Sight::Seen(_) => Ok(true),
            Sight::Unsure(_) => {
                Ok(!self.is_like_now(record_no, &known)? || self.fulfils_now(record_no)?)
            }
        }
    }

    /// What is seen of a record after a change, if that differs from what was seen before.
    fn seen_change(&self, step: &Step) -> StoreResult<Option<Sight>> {
        let sight = self.sight(step.record_no, &step.version)?;
        let before = match &step.before {
            Some(before) => self.sight(step.record_no, before)?,
            None => Sight::Hidden,
        };
        Ok((sight != before).then_some(sight))
    }

    /// The next change that alters what is seen of a record.
    fn next_visible(
        &self,
        record_no: RecordNo,
        change_no: ChangeNo,
        sight: &Sight,
    ) -> StoreResult<Option<ChangeNo>> {
        let mut list = self.db.prepare_cached(VERSIONS_AFTER).map_err(from_driver)?;
        let mut rows = list.query(params![record_no, change_no]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let version = read_version(row, 0).map_err(from_driver)?;
            if self.sight(record_no, &version)? != *sight {
                return Ok(Some(version.change_no));
            }
        }
        Ok(None)
    }

    /// What is seen of a version, told from the log: the same at every moment, so that the pages of
    /// a session agree.
    fn sight(&self, record_no: RecordNo, version: &Version) -> StoreResult<Sight> {
        if let Some(field) = self.view.unknown_time()
            && !self.has_its_time_now(record_no, version, field)?
        {
            return Ok(Sight::Hidden);
        }
        Ok(self.view.sight(version))
    }

    /// Whether the conditions are about the same values now, and the scope shows them.
    ///
    /// A record that has left the scope decides nothing: its hidden values must not show.
    fn is_like_now(&self, record_no: RecordNo, version: &Version) -> StoreResult<bool> {
        let newest = self.versions_up_to(record_no, ChangeNo::LAST, 1)?.pop();
        Ok(newest.is_some_and(|newest| {
            self.view.sight(&newest) != Sight::Hidden
                && self.view.tested(&newest) == self.view.tested(version)
        }))
    }

    /// Whether a version has the time that the record has now, and the scope shows that.
    fn has_its_time_now(
        &self,
        record_no: RecordNo,
        version: &Version,
        field: Option<u16>,
    ) -> StoreResult<bool> {
        let newest = self.versions_up_to(record_no, ChangeNo::LAST, 1)?.pop();
        let hash = |version: &Version| field.and_then(|field| version.hash(field));
        if newest.is_none_or(|newest| hash(&newest) != hash(version)) {
            return Ok(false);
        }
        Ok(get(self.db, record_no)?.is_some_and(|row| row.is_shown_by(self.scope)))
    }

    /// Whether the live record is in the scope and fulfils the conditions.
    fn fulfils_now(&self, record_no: RecordNo) -> StoreResult<bool> {
        let conditions = Conditions::new(&self.collection, self.scope, self.query);
        let projection = table(self.collection.projection_no);
        let mut sql = format!("SELECT 1 FROM {projection} p WHERE p.record_no = ?");
        let mut values = vec![Value::Integer(record_no.0)];
        conditions.write_sql(&mut sql, &mut values);
        let found: Option<i64> = self
            .db
            .prepare_cached(&sql)
            .and_then(|mut find| {
                find.query_row(params_from_iter(values), |row| row.get(0)).optional()
            })
            .map_err(from_driver)?;
        if found.is_none() || conditions.is_complete_in_sql() {
            return Ok(found.is_some());
        }
        match get(self.db, record_no)? {
            Some(row) => holds(self.db, &conditions, &row),
            None => Ok(false),
        }
    }

    fn versions_up_to(
        &self,
        record_no: RecordNo,
        change_no: ChangeNo,
        most: i64,
    ) -> StoreResult<Vec<Version>> {
        self.db
            .prepare_cached(VERSIONS_UP_TO)
            .and_then(|mut list| {
                let version = |row: &Row<'_>| read_version(row, 0);
                list.query_map(params![record_no, change_no, most], version)?.collect()
            })
            .map_err(from_driver)
    }
}

/// The numbers of the records a scope names, also of deleted ones.
fn only_numbers(
    db: &Connection,
    collection: &Collection,
    scope: &CollectionScope,
) -> StoreResult<Option<HashSet<RecordNo>>> {
    let Some(only) = &scope.records else {
        return Ok(None);
    };
    let mut numbers = HashSet::new();
    for key_order in only.iter().flat_map(pdpp_contract::RecordId::sort_bytes_candidates) {
        let found: Option<RecordNo> = db
            .prepare_cached(FIND_KEY)
            .and_then(|mut find| {
                find.query_row(params![collection.no, key_order], |row| row.get(0)).optional()
            })
            .map_err(from_driver)?;
        numbers.extend(found);
    }
    Ok(Some(numbers))
}

/// A version whose columns begin at a place of a row.
pub(crate) fn read_version(row: &Row<'_>, at: usize) -> super::backend::driver::Result<Version> {
    Ok(Version {
        change_no: row.get(at)?,
        deleted: row.get(at + 1)?,
        flags: row.get(at + 2)?,
        emitted_at: row.get(at + 3)?,
        time_key: row.get(at + 4)?,
        field_hashes: row.get(at + 5)?,
        other_times: keys_from_bytes(row.get::<_, Option<Vec<u8>>>(at + 6)?.as_deref()),
    })
}
