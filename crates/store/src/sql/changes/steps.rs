//! The steps of a change log: each change with the version it made and the one before it.
//!
//! One statement reads many of them and passes over those that a scope hides on both sides, so that
//! hidden activity costs neither round trips nor rows.

use std::collections::HashSet;

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, Row, params_from_iter};

use super::backend::dialect::in_list;
use super::backend::errors::from_driver;
use super::track::read_version;
use crate::changes::version_view::VersionView;
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::records::sort_key::SortKey;

/// Steps that are read first; each further read takes twice as many.
const FIRST: i64 = 32;
/// The most that are read at once.
const MOST: i64 = 512;
/// Above every key.
const TOP: [u8; 32] = [0xFF; 32];

const SELECT: &str = "
    SELECT v.change_no, v.deleted, v.flags, v.emitted_at, v.time_key, v.field_hashes, v.other_times,
           b.change_no, b.deleted, b.flags, b.emitted_at, b.time_key, b.field_hashes, b.other_times,
           c.record_no
      FROM changes c
      CROSS JOIN versions v ON v.record_no = c.record_no AND v.change_no = c.change_no
      LEFT JOIN versions b
        ON b.record_no = c.record_no
       AND b.change_no = (SELECT MAX(o.change_no)
                            FROM versions o
                           WHERE o.record_no = c.record_no AND o.change_no < c.change_no)
     WHERE c.collection_no = ?1 AND c.change_no > ?2 AND c.change_no <= ?3";

/// One change of one record.
pub(crate) struct Step {
    pub record_no: RecordNo,
    pub version: Version,
    /// Absent when the record came with this change, or when pruning took what was before.
    pub before: Option<Version>,
}

/// Which way a log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

/// How the steps of one collection are asked for, as far as the database can tell what is hidden.
pub(crate) struct Steps {
    collection_no: CollectionNo,
    hidden: String,
    bounds: Vec<Value>,
}

impl Steps {
    /// The steps that may show through a view; of some records only, when they are named.
    pub(crate) fn new(
        collection_no: CollectionNo,
        view: &VersionView<'_>,
        only: Option<&HashSet<RecordNo>>,
    ) -> Self {
        let mut hidden = String::new();
        let time = view.logged_time();
        let mut bounds = Vec::new();
        if let Some(time) = time {
            let key = |at| SortKey::time(at).as_bytes().to_vec();
            bounds.push(Value::Blob(time.since.map_or_else(Vec::new, key)));
            bounds.push(Value::Blob(time.until.map_or_else(|| TOP.to_vec(), key)));
        }
        let marks = view.hidden_marks();
        if time.is_some() || marks != 0 {
            let shows = |version: &str| {
                let mut test = format!("{version}.deleted = 0");
                if marks != 0 {
                    test.push_str(&format!(" AND ({version}.flags & {marks}) = 0"));
                }
                if time.is_some() {
                    let key = format!("{version}.time_key");
                    test.push_str(&format!(" AND {key} >= ?5 AND {key} < ?6"));
                }
                test
            };
            hidden.push_str(&format!("\n       AND (({}) OR ({}))", shows("v"), shows("b")));
        }
        if let Some(only) = only {
            let (test, numbers) = in_list("c.record_no", 5 + bounds.len(), only);
            hidden.push_str(&format!("\n       AND {test}"));
            bounds.extend(numbers);
        }
        Self { collection_no, hidden, bounds }
    }

    /// The statement; its values are collection, above, up to, most, the bounds of the time and the list
    /// of records.
    pub(crate) fn sql(&self, direction: Direction) -> String {
        let order = match direction {
            Direction::Up => "",
            Direction::Down => " DESC",
        };
        format!("{SELECT}{}\n     ORDER BY c.change_no{order}\n     LIMIT ?4", self.hidden)
    }

    /// The next steps above `above`, none of them above `up_to`, at most so many.
    pub(crate) fn read(
        &self,
        db: &Connection,
        direction: Direction,
        above: ChangeNo,
        up_to: ChangeNo,
        most: i64,
    ) -> StoreResult<Vec<Step>> {
        let sql = self.sql(direction);
        let numbers = [self.collection_no.0, above.0, up_to.0, most].map(Value::Integer);
        let values = numbers.into_iter().chain(self.bounds.iter().cloned());
        db.prepare_cached(&sql)
            .and_then(|mut list| list.query_map(params_from_iter(values), read_step)?.collect())
            .map_err(from_driver)
    }
}

/// How many steps of a walk are read next.
pub(crate) fn next_length(last: Option<i64>) -> i64 {
    last.map_or(FIRST, |last| (last * 2).min(MOST))
}

fn read_step(row: &Row<'_>) -> super::backend::driver::Result<Step> {
    let before: Option<ChangeNo> = row.get(7)?;
    let before = before.map(|_| read_version(row, 7)).transpose()?;
    Ok(Step { record_no: row.get(14)?, version: read_version(row, 0)?, before })
}
