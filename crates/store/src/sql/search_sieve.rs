//! Which records of an index walk are in view, told without reading them where that is possible.

use std::collections::{HashMap, HashSet};

use super::driver::types::Value;
use super::driver::{Connection, OptionalExtension, READ_AHEAD, params_from_iter, walk};
use foldhash::fast::RandomState;

use super::count;
use super::errors::from_driver;
use super::list_plan::Conditions;
use super::search_view::Shelf;
use crate::error::StoreResult;

/// After so many hidden rows it is cheaper to list what is in view once.
const LIST_AFTER: u32 = 1_000;
const FLAGS: &str = "
    SELECT flags FROM records WHERE record_no = ?1";

/// What is known of the records in view.
pub(super) struct Sieve {
    /// Everything in the collections is in view, but perhaps marked records.
    open: bool,
    /// The marks of records that one of the collections hides.
    hidden_marks: i64,
    /// Whether SQL alone can list what is in view.
    listable: bool,
    hidden: u32,
    listed: Option<HashSet<i64, RandomState>>,
}

impl Sieve {
    /// `as_of` is the change that a later page goes back to.
    pub(super) fn new(shelves: &HashMap<i64, Shelf<'_>>, as_of: Option<i64>) -> Self {
        let all = |test: &dyn Fn(&Conditions<'_>) -> bool| {
            as_of.is_none() && shelves.values().all(|shelf| test(&shelf.conditions))
        };
        Self {
            open: all(&|conditions| conditions.asks_for_marks_at_most()),
            hidden_marks: shelves.values().fold(0, |all, shelf| all | shelf.scope.hidden_marks()),
            listable: all(&|conditions| conditions.is_complete_in_sql()),
            hidden: 0,
            listed: None,
        }
    }

    /// Whether a record is in view; `None` when it has to be looked at.
    pub(super) fn shows(&self, db: &Connection, record_no: i64) -> StoreResult<Option<bool>> {
        if let Some(listed) = &self.listed {
            return Ok(Some(listed.contains(&record_no)));
        }
        if !self.open {
            return Ok(None);
        }
        if self.hidden_marks == 0 {
            return Ok(Some(true));
        }
        // Where each question is a journey, the rows are read many at a time instead.
        if READ_AHEAD > 1 {
            return Ok(None);
        }
        let flags: Option<i64> = db
            .prepare_cached(FLAGS)
            .and_then(|mut find| find.query_row([record_no], |row| row.get(0)).optional())
            .map_err(from_driver)?;
        Ok(flags.is_some_and(|flags| flags & self.hidden_marks == 0).then_some(true))
    }

    /// Whether no row need be looked at to tell.
    pub(super) fn knows(&self) -> bool {
        self.listed.is_some() || (self.open && self.hidden_marks == 0)
    }

    /// Notes a row that was looked at and is hidden.
    pub(super) fn passed_over(
        &mut self,
        db: &Connection,
        shelves: &HashMap<i64, Shelf<'_>>,
    ) -> StoreResult<()> {
        self.hidden += 1;
        if self.hidden < LIST_AFTER || !self.listable || self.listed.is_some() {
            return Ok(());
        }
        let mut listed = HashSet::default();
        for shelf in shelves.values() {
            each_visible(db, shelf, |record_no| {
                listed.insert(record_no);
            })?;
        }
        self.listed = Some(listed);
        Ok(())
    }
}

/// Calls `found` with the number of every record of a collection that SQL lets through.
pub(super) fn each_visible(
    db: &Connection,
    shelf: &Shelf<'_>,
    mut found: impl FnMut(i64),
) -> StoreResult<()> {
    let mut values = vec![Value::Integer(shelf.collection.no)];
    let (mut sql, _) = count::source(&shelf.collection, &shelf.conditions);
    sql = sql.replacen("FROM", "SELECT p.record_no FROM", 1);
    shelf.conditions.write_sql(&mut sql, &mut values);
    let mut list = db.prepare_cached(&sql).map_err(from_driver)?;
    let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        found(row.get(0).map_err(from_driver)?);
    }
    Ok(())
}
