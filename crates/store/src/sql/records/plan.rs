//! From a scope and a query to SQL over one collection's typed copy.
//!
//! Conditions on projected fields become SQL on typed columns. The few that cannot (an exact filter
//! on a field without a column, a cut key, a time limit on a field that is no longer projected) are
//! checked on the record itself, row by row.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::backend::driver::types::Value;
use pdpp_contract::{Instant, Json, RecordId};

use super::RecordRow;
use super::sql::connections::collection::{Collection, Index, StoredKind, index_name, table};
use crate::error::StoreResult;
use crate::records::scope::{CollectionScope, TimeBounds};
use crate::records::sort_key::{KeyKind, SortKey};
use crate::records::{CollectionQuery, Test};
use crate::writes::hashing::TextDigest;

/// What must hold for a record of one collection.
pub(crate) struct Conditions<'a> {
    /// Conditions in SQL, by column.
    pub columns: Vec<ColumnTest>,
    /// Leave out records with one of these marks.
    hidden_marks: i64,
    /// Exact values to check on the record itself.
    values: Vec<ExactValue<'a>>,
    /// A time limit to check on the record itself.
    time: Option<&'a TimeBounds>,
    scope: &'a CollectionScope,
}

/// A value that a field of the record must have.
struct ExactValue<'a> {
    field: &'a str,
    key: &'a SortKey,
    text: &'a str,
}

/// A comparison of one typed column.
pub(crate) struct ColumnTest {
    pub column: usize,
    pub operator: &'static str,
    pub key: Vec<u8>,
}

impl<'a> Conditions<'a> {
    pub(crate) fn new(
        collection: &Collection,
        scope: &'a CollectionScope,
        query: &'a CollectionQuery,
    ) -> Self {
        let mut conditions = Self {
            columns: Vec::new(),
            hidden_marks: scope.hidden_marks(),
            values: Vec::new(),
            time: None,
            scope,
        };
        for condition in &query.conditions {
            let column = collection.shape.column(&condition.field).map(|(at, _)| at);
            let (operator, key) = match &condition.test {
                Test::Equals { key, text } => {
                    if column.is_none() || key.is_cut() {
                        let field = condition.field.as_str();
                        conditions.values.push(ExactValue { field, key, text });
                    }
                    ("=", key)
                }
                Test::AtLeast(key) => (">=", key),
                Test::Above(key) => (">", key),
                Test::AtMost(key) => ("<=", key),
                Test::Below(key) => ("<", key),
            };
            if let Some(column) = column {
                conditions.test(column, operator, key);
            }
        }
        if let Some(time) = &scope.time {
            conditions.limit_time(collection, time);
        }
        conditions
    }

    fn test(&mut self, column: usize, operator: &'static str, key: &SortKey) {
        self.columns.push(ColumnTest { column, operator, key: key.as_bytes().to_vec() });
    }

    fn limit_time(&mut self, collection: &Collection, time: &'a TimeBounds) {
        let column = collection
            .shape
            .column(&time.field)
            .filter(|(_, column)| matches!(column.kind, StoredKind::Date | StoredKind::DateTime))
            // Without an end there is nothing to compare in SQL, but a missing time lies outside.
            .filter(|_| time.since.is_some() || time.until.is_some());
        let Some((column, _)) = column else {
            self.time = Some(time);
            return;
        };
        if let Some(since) = time.since {
            self.test(column, ">=", &SortKey::time(since));
        }
        if let Some(until) = time.until {
            self.test(column, "<", &SortKey::time(until));
        }
    }

    /// Whether SQL alone decides.
    pub(crate) fn is_complete_in_sql(&self) -> bool {
        self.values.is_empty() && self.time.is_none() && self.scope.records.is_none()
    }

    /// The only records that exist, where a scope names them.
    pub(crate) fn only_records(&self) -> Option<&'a BTreeSet<RecordId>> {
        self.scope.records.as_ref()
    }

    /// Whether a record must be read to tell.
    pub(super) fn needs_record(&self) -> bool {
        !self.values.is_empty() || self.time.is_some()
    }

    /// Whether nothing is asked, except perhaps that marked records are left out.
    pub(super) fn asks_for_marks_at_most(&self) -> bool {
        self.is_complete_in_sql() && self.columns.is_empty()
    }

    /// Whether nothing is asked at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.asks_for_marks_at_most() && self.hidden_marks == 0
    }

    /// What SQL leaves open, checked on the record. `long` gives the digest of a string that lives
    /// outside it.
    pub(super) fn hold_for(
        &self,
        row: &RecordRow,
        long: &dyn Fn(&str) -> StoreResult<Option<TextDigest>>,
    ) -> StoreResult<bool> {
        if self.scope.records.as_ref().is_some_and(|only| !only.contains(&row.id)) {
            return Ok(false);
        }
        let time_holds = self.time.is_none_or(|time| {
            let value = row.data.get(time.field.as_str()).and_then(Json::as_str);
            time.contains(value.and_then(Instant::parse))
        });
        if !time_holds {
            return Ok(false);
        }
        for wanted in &self.values {
            let equal = match row.data.get(wanted.field) {
                Some(value) => wanted.key.is_of(value, wanted.text),
                None if wanted.key.kind() != Some(KeyKind::Text) => false,
                None => long(wanted.field)? == Some(TextDigest::of(wanted.text)),
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Appends `AND …` for every condition in SQL; the values follow in the same order.
    pub(crate) fn write_sql(&self, sql: &mut String, values: &mut Vec<Value>) {
        for test in &self.columns {
            let _ = write!(sql, " AND p.c{} {} ?", test.column, test.operator);
            values.push(Value::Blob(test.key.clone()));
        }
        if self.hidden_marks != 0 {
            let _ = write!(sql, " AND p.flags & {} = 0", self.hidden_marks);
        }
    }
}

/// One walk over a collection in order.
pub(crate) struct Walk<'a> {
    pub collection: &'a Collection,
    pub conditions: &'a Conditions<'a>,
    /// The column to sort by; `None` sorts by key alone.
    pub order: Option<usize>,
    /// Rows that lack a value in the order column, instead of those that have one.
    pub missing: bool,
    pub descending: bool,
    /// Continue after (value, key); inclusive when the tie is decided elsewhere.
    pub after: Option<After<'a>>,
}

/// Where a walk continues.
pub(crate) struct After<'a> {
    pub key: Option<&'a SortKey>,
    pub key_order: &'a [u8],
    pub inclusive: bool,
}

impl Walk<'_> {
    /// `SELECT record_no, key_order, order value …`, in order, without a limit: rows are pulled.
    pub(crate) fn sql(&self) -> (String, Vec<Value>) {
        let table = table(self.collection.projection_no);
        let direction = if self.descending { "DESC" } else { "ASC" };
        let mut values = vec![Value::Integer(self.collection.no.0)];
        let Some(order) = self.order else {
            let mut sql = format!(
                "SELECT p.record_no, k.key_order, NULL FROM record_keys k
                 CROSS JOIN {table} p ON p.record_no = k.record_no
                 WHERE k.collection_no = ?"
            );
            self.after_key(&mut sql, &mut values, "k.key_order");
            self.conditions.write_sql(&mut sql, &mut values);
            let _ = write!(sql, " ORDER BY k.key_order {direction}");
            return (sql, values);
        };
        let driver = self.driver(order);
        let index = index_name(self.collection.projection_no, driver);
        let presence = if self.missing { "IS NULL" } else { "IS NOT NULL" };
        let mut sql = format!(
            "SELECT p.record_no, p.key_order, p.c{order} FROM {table} p INDEXED BY {index}
             WHERE p.collection_no = ? AND p.c{order} {presence}"
        );
        if self.missing {
            self.after_key(&mut sql, &mut values, "p.key_order");
        } else {
            self.after_value(&mut sql, &mut values, order);
        }
        self.conditions.write_sql(&mut sql, &mut values);
        let _ = write!(sql, " ORDER BY p.c{order} {direction}, p.key_order {direction}");
        (sql, values)
    }

    /// The index to walk: one that filters and sorts at once when there is one.
    fn driver(&self, order: usize) -> usize {
        if self.collection.shape.cursor != Some(order) {
            return order;
        }
        let by_value = |test: &&ColumnTest| {
            let column = self.collection.shape.columns.get(test.column);
            test.operator == "=" && column.is_some_and(|column| column.index == Index::Value)
        };
        self.conditions.columns.iter().find(by_value).map_or(order, |test| test.column)
    }

    fn after_key(&self, sql: &mut String, values: &mut Vec<Value>, column: &str) {
        if let Some(after) = &self.after {
            let _ = write!(sql, " AND {column} {} ?", self.beyond(after));
            values.push(Value::Blob(after.key_order.to_vec()));
        }
    }

    fn after_value(&self, sql: &mut String, values: &mut Vec<Value>, order: usize) {
        if let Some(after) = &self.after
            && let Some(key) = after.key
        {
            let _ = write!(sql, " AND (p.c{order}, p.key_order) {} (?, ?)", self.beyond(after));
            values.push(Value::Blob(key.as_bytes().to_vec()));
            values.push(Value::Blob(after.key_order.to_vec()));
        }
    }

    fn beyond(&self, after: &After<'_>) -> &'static str {
        match (self.descending, after.inclusive) {
            (false, false) => ">",
            (false, true) => ">=",
            (true, false) => "<",
            (true, true) => "<=",
        }
    }
}
