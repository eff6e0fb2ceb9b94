//! What a search may see of one record: is it in view, since when, and which terms its rows hold.

use std::collections::HashMap;

use super::backend::driver::types::Value;
use super::backend::driver::{AMONG_NEXT, Connection, OptionalExtension, Row, params_from_iter};
use pdpp_contract::FieldName;

use super::backend::errors::{corrupt, from_driver};
use super::since::SinceFirst;
use super::sql::connections::collection::{Collection, table};
use super::sql::records::get;
use super::sql::records::plan::Conditions;
use super::sql::records::walk::holds;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::CollectionQuery;
use crate::records::scope::CollectionScope;
use crate::records::sort_key::SortKey;
use crate::search::postings::{Segment, visit};
use crate::search::{Hit, Term};

/// The number of a record's newest change, beside its facts.
pub(super) const NEWEST_CHANGE: &str =
    "(SELECT k.change_no FROM record_keys k WHERE k.record_no = p.record_no)";

/// What finds the facts of records, and whether they are visible as far as SQL can tell.
struct FactsQuery {
    columns: String,
    table: String,
    /// The values of the columns; the numbers of records come after them.
    values: Vec<Value>,
}

/// One collection of the scope, ready to be searched.
pub(crate) struct SearchTarget<'a> {
    pub(crate) index: usize,
    pub(crate) scope: &'a CollectionScope,
    pub(crate) collection: Collection,
    pub(crate) fields: HashMap<u16, FieldName>,
    pub(crate) conditions: Conditions<'a>,
    facts: FactsQuery,
    /// The column of the time by which records are recent.
    pub(super) time_column: String,
    /// The field of that time.
    pub(crate) order_field: Option<&'a FieldName>,
}

impl<'a> SearchTarget<'a> {
    pub(crate) fn new(
        index: usize,
        (scope, query): (&'a CollectionScope, &'a CollectionQuery),
        collection: Collection,
        fields: HashMap<u16, FieldName>,
    ) -> Self {
        let conditions = Conditions::new(&collection, scope, query);
        let column = query.order_field.as_ref().and_then(|field| collection.shape.column(field));
        let column = column.map_or("NULL".to_owned(), |(at, _)| format!("p.c{at}"));
        let table = table(collection.projection_no);
        // What is hidden is read as far as what is visible: a row costs the same either way.
        let (mut tests, mut values) = ("1 = 1".to_owned(), Vec::new());
        conditions.write_sql(&mut tests, &mut values);
        let columns = format!("p.key_order, {column}, {NEWEST_CHANGE}, ({tests})");
        let facts = FactsQuery { columns, table, values };
        let order_field = query.order_field.as_ref();
        Self {
            index,
            scope,
            collection,
            fields,
            conditions,
            facts,
            time_column: column,
            order_field,
        }
    }

    /// Whether no record need be read to tell if it is visible.
    pub(super) fn is_decided_by_sql(&self) -> bool {
        self.conditions.is_complete_in_sql()
    }

    /// The statement for the facts of many records, and the values before those records.
    pub(super) fn facts_of_many(&self) -> (String, &[Value]) {
        let FactsQuery { columns, table, values } = &self.facts;
        let sql =
            format!("SELECT p.record_no, {columns} FROM {table} p WHERE p.record_no {AMONG_NEXT}");
        (sql, values)
    }
}

/// What ranking needs of a visible record.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) time: Option<SortKey>,
    pub(crate) key_order: Vec<u8>,
    /// The record's newest change, visible or not.
    pub(crate) newest_change: ChangeNo,
    /// On a later page: when the record changed since the first one.
    pub(super) changed_at: Option<ChangeNo>,
}

impl Facts {
    /// The facts of a visible record, as they are in the database.
    pub(crate) fn new((key_order, time, newest_change): FactColumns) -> Self {
        let time = time.map(SortKey::from_bytes);
        Self { time, key_order, newest_change, changed_at: None }
    }
}

/// Key, time and newest change.
pub(crate) type FactColumns = (Vec<u8>, Option<Vec<u8>>, ChangeNo);

/// What the searched fields of an index row hold.
pub(crate) struct Postings {
    /// The terms' counts.
    pub(super) hits: Vec<Hit>,
    /// How many words those fields have in the row.
    pub(crate) words: u32,
    /// Whether the row holds the beginnings of fields, not a later span of one.
    pub(crate) begins: bool,
}

/// Reads the searched fields of a row. `None` when damaged.
pub(super) fn read_postings(
    postings: &[u8],
    fields: &HashMap<u16, FieldName>,
    terms: &[Term],
) -> Option<Postings> {
    let mut read = Postings { hits: Vec::new(), words: 0, begins: true };
    // Most words of the postings of a row begin like none of the terms.
    let mut beginnings = [false; 256];
    for first in terms.iter().filter_map(|term| term.text.as_bytes().first()) {
        if let Some(known) = beginnings.get_mut(usize::from(*first)) {
            *known = true;
        }
    }
    let mut current: Option<(Segment, Option<&FieldName>)> = None;
    visit(postings, |segment, found, count| {
        let field = match current {
            Some((known, field)) if known == *segment => field,
            _ => {
                let field = fields.get(&segment.field_no);
                if field.is_some() {
                    read.words += segment.words;
                    read.begins &= segment.start_chars == 0;
                }
                current = Some((*segment, field));
                field
            }
        };
        let known = |first: &u8| beginnings.get(usize::from(*first)).is_some_and(|known| *known);
        let (Some(field), true) = (field, found.first().is_some_and(known)) else {
            return;
        };
        for (at, term) in terms.iter().enumerate() {
            let wanted = term.text.as_bytes();
            if found == wanted || (term.prefix && found.starts_with(wanted)) {
                read.hits.push(Hit {
                    term: at,
                    field: field.clone(),
                    start_chars: segment.start_chars,
                    count,
                    words: segment.words,
                });
            }
        }
    })?;
    Some(read)
}

/// What ranking needs of a record the caller can see; `None` when they cannot.
pub(super) fn visible_facts(
    db: &Connection,
    target: &SearchTarget<'_>,
    record_no: RecordNo,
    since: &SinceFirst,
) -> StoreResult<Option<Facts>> {
    let FactsQuery { columns, table, values: others } = &target.facts;
    let sql = format!("SELECT {columns} FROM {table} p WHERE p.record_no = ?");
    let number = Value::Integer(record_no.0);
    let values = others.iter().chain(std::iter::once(&number));
    let found: Option<(FactColumns, Option<bool>)> = db
        .prepare_cached(&sql)
        .and_then(|mut get| {
            let facts = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?));
            get.query_row(params_from_iter(values), facts).optional()
        })
        .map_err(from_driver)?;
    let Some((found, Some(true))) = found else {
        return Ok(None);
    };
    let conditions = &target.conditions;
    if !conditions.is_complete_in_sql() {
        let Some(row) = get(db, record_no)? else {
            return Err(corrupt("records", "record_no", record_no));
        };
        if !holds(db, conditions, &row)? {
            return Ok(None);
        }
    }
    since.judge(db, target, record_no, Facts::new(found)).map(Some)
}
