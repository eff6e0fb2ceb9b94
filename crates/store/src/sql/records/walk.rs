//! The walk through one collection's index, as far as one page could need.

use std::cmp::Ordering;

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, OptionalExtension, params_from_iter, walk as pull};
use pdpp_contract::record::TextKind;
use pdpp_contract::{ConnectionId, StreamName};

use super::backend::errors::from_driver;
use super::by_id::visible_number;
use super::plan::{After, Conditions, Walk};
use super::sql::connections::collection::Collection;
use super::sql::records::{RecordRow, get};
use super::sql::text::find_text;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::ListQuery;
use crate::records::scope::CollectionScope;
use crate::records::sort_key::SortKey;
use crate::text::field_path::push_segment;

/// A row of a page before its record is read.
pub(crate) struct Candidate<'a> {
    pub(crate) collection: usize,
    pub(crate) connection: &'a ConnectionId,
    pub(crate) stream: &'a StreamName,
    pub(crate) record_no: RecordNo,
    pub(crate) key: Option<SortKey>,
    pub(crate) key_order: Vec<u8>,
}

/// The last record of the previous page, as far as it orders others.
pub(crate) struct Resume {
    pub(crate) key: Option<SortKey>,
    pub(crate) key_order: Vec<u8>,
    pub(crate) connection: ConnectionId,
    pub(crate) stream: StreamName,
}

/// (has a value, value, key, connection, stream): the direction turns value and key alone.
pub(crate) fn order(a: &Candidate<'_>, b: &Candidate<'_>, descending: bool) -> Ordering {
    let turned = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    let missing = a.key.is_none().cmp(&b.key.is_none());
    missing
        .then_with(|| turned(a.key.cmp(&b.key)))
        .then_with(|| turned(a.key_order.cmp(&b.key_order)))
        .then_with(|| a.connection.cmp(b.connection))
        .then_with(|| a.stream.cmp(b.stream))
}

/// One part of a collection's order: the records with a value, or those without.
struct Part {
    order: Option<usize>,
    missing: bool,
    wanted: usize,
}

/// Walks one collection.
pub(crate) struct Walker<'a, 'c> {
    pub(crate) db: &'a Connection,
    pub(crate) scope: &'a CollectionScope,
    pub(crate) query: &'a ListQuery,
    pub(crate) index: usize,
    pub(crate) collection: &'c Collection,
}

impl<'a> Walker<'a, '_> {
    /// Adds as many candidates as one page could need from this collection.
    pub(crate) fn collect(
        &self,
        resume: Option<&Resume>,
        into: &mut Vec<Candidate<'a>>,
    ) -> StoreResult<()> {
        let default = crate::records::CollectionQuery::default();
        let own = self.query.collections.get(self.index).unwrap_or(&default);
        let conditions = Conditions::new(self.collection, self.scope, own);
        let column = own
            .order_field
            .as_ref()
            .and_then(|field| self.collection.shape.column(field).map(|(at, _)| at));
        let wanted = self.query.limit + 1;
        if self.scope.records.is_some() {
            return self.by_ids(&conditions, column, resume, into);
        }
        let before = into.len();
        if column.is_some() && resume.is_none_or(|resume| resume.key.is_some()) {
            let part = Part { order: column, missing: false, wanted };
            self.walk(&conditions, &part, resume, into)?;
        }
        let left = wanted - (into.len() - before).min(wanted);
        // A missing value fulfils no test, and who lacks the time that limits a grant is hidden.
        let may_be_missing = !conditions.columns.iter().any(|test| Some(test.column) == column);
        if left > 0 && may_be_missing {
            let resume = resume.filter(|resume| resume.key.is_none());
            let part = Part { order: column, missing: true, wanted: left };
            self.walk(&conditions, &part, resume, into)?;
        }
        Ok(())
    }

    fn walk(
        &self,
        conditions: &Conditions<'_>,
        part: &Part,
        resume: Option<&Resume>,
        into: &mut Vec<Candidate<'a>>,
    ) -> StoreResult<()> {
        let walk = Walk {
            collection: self.collection,
            conditions,
            order: part.order,
            missing: part.missing,
            descending: self.query.descending,
            after: resume.map(|resume| After {
                key: resume.key.as_ref(),
                key_order: &resume.key_order,
                inclusive: (&self.scope.connection, &self.scope.stream)
                    > (&resume.connection, &resume.stream),
            }),
        };
        let (mut sql, mut values) = walk.sql();
        let decided = conditions.is_complete_in_sql();
        if decided {
            sql.push_str(" LIMIT ?");
            values.push(Value::Integer(i64::try_from(part.wanted).unwrap_or(i64::MAX)));
        }
        let mut statement = self.db.prepare_cached(&sql).map_err(from_driver)?;
        let values = params_from_iter(values);
        // A limited answer comes whole; what is decided row by row is pulled as far as needed.
        let rows = if decided { statement.query(values) } else { pull(&mut statement, values) };
        let mut rows = rows.map_err(from_driver)?;
        let mut found = 0;
        while found < part.wanted
            && let Some(row) = rows.next().map_err(from_driver)?
        {
            let record_no = row.get(0).map_err(from_driver)?;
            if !decided && !self.holds(conditions, record_no)? {
                continue;
            }
            let key: Option<Vec<u8>> = row.get(2).map_err(from_driver)?;
            into.push(Candidate {
                collection: self.index,
                connection: &self.scope.connection,
                stream: &self.scope.stream,
                record_no,
                key: key.map(SortKey::from_bytes),
                key_order: row.get(1).map_err(from_driver)?,
            });
            found += 1;
        }
        Ok(())
    }

    fn holds(&self, conditions: &Conditions<'_>, record_no: RecordNo) -> StoreResult<bool> {
        let Some(row) = get(self.db, record_no)? else {
            return Ok(false);
        };
        holds(self.db, conditions, &row)
    }

    /// A scope of named records: looked up one by one, ordered here.
    fn by_ids(
        &self,
        conditions: &Conditions<'_>,
        column: Option<usize>,
        resume: Option<&Resume>,
        into: &mut Vec<Candidate<'a>>,
    ) -> StoreResult<()> {
        let order_value = column.map_or("NULL".to_owned(), |at| format!("p.c{at}"));
        let table = super::sql::connections::collection::table(self.collection.projection_no);
        let sql = format!("SELECT p.key_order, {order_value} FROM {table} p WHERE p.record_no = ?");
        for id in self.scope.records.iter().flatten() {
            let found = visible_number(self.db, self.collection, conditions, id)?;
            let Some(record_no) = found else { continue };
            let row: Option<(Vec<u8>, Option<Vec<u8>>)> = self
                .db
                .prepare_cached(&sql)
                .and_then(|mut find| {
                    find.query_row([record_no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
                })
                .map_err(from_driver)?;
            let Some((key_order, key)) = row else {
                continue;
            };
            let candidate = Candidate {
                collection: self.index,
                connection: &self.scope.connection,
                stream: &self.scope.stream,
                record_no,
                key: key.map(SortKey::from_bytes),
                key_order,
            };
            if resume.is_none_or(|resume| self.follows(&candidate, resume)) {
                into.push(candidate);
            }
        }
        Ok(())
    }

    fn follows(&self, candidate: &Candidate<'_>, resume: &Resume) -> bool {
        let last = Candidate {
            collection: 0,
            connection: &resume.connection,
            stream: &resume.stream,
            record_no: RecordNo(0),
            key: resume.key.clone(),
            key_order: resume.key_order.clone(),
        };
        order(candidate, &last, self.query.descending) == Ordering::Greater
    }
}

/// Whether what SQL leaves open holds for a record.
pub(crate) fn holds(
    db: &Connection,
    conditions: &Conditions<'_>,
    row: &RecordRow,
) -> StoreResult<bool> {
    let long = |field: &str| {
        let mut pointer = String::new();
        push_segment(&mut pointer, field);
        let text = find_text(db, row.record_no, &pointer)?;
        Ok(text.filter(|text| text.kind == TextKind::String).map(|text| text.digest))
    };
    conditions.hold_for(row, &long)
}
