//! What a search may see of one record: is it in view, since when, and which terms its rows hold.

use std::collections::HashMap;

use super::driver::types::Value;
use super::driver::{AMONG, Connection, OptionalExtension, Row, params_from_iter};
use pdpp_contract::FieldName;

use super::declared::{Collection, table};
use super::emitted::visible_since;
use super::errors::{corrupt, from_driver};
use super::list_plan::Conditions;
use super::list_walk::holds;
use super::records::get;
use crate::error::StoreResult;
use crate::records::CollectionQuery;
use crate::scope::CollectionScope;
use crate::search::{Hit, Term};
use crate::search_bag::{Segment, visit};
use crate::sort_key::SortKey;

const KEY_CHANGE: &str = "
    SELECT change_no FROM record_keys WHERE record_no = ?1";

/// One collection of the scope, ready to be searched.
pub(super) struct Shelf<'a> {
    pub(super) index: usize,
    pub(super) scope: &'a CollectionScope,
    pub(super) collection: Collection,
    pub(super) fields: HashMap<u16, FieldName>,
    pub(super) conditions: Conditions<'a>,
    /// Finds the facts of a record by its number, the last value, and whether it is visible as far as
    /// SQL can tell; the values before.
    facts: (String, Vec<Value>),
    /// The column of the time by which records are recent.
    pub(super) time_column: String,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(
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
        let facts = (
            format!("SELECT p.key_order, {column}, ({tests}) FROM {table} p WHERE p.record_no = ?"),
            values,
        );
        Self { index, scope, collection, fields, conditions, facts, time_column: column }
    }

    /// Whether no record need be read to tell if it is visible.
    pub(super) fn is_decided_by_sql(&self, as_of: Option<i64>) -> bool {
        self.conditions.is_complete_in_sql() && as_of.is_none()
    }

    /// The statement for the facts of many records, and the values before those records.
    pub(super) fn facts_of_many(&self) -> (String, &[Value]) {
        let (sql, values) = &self.facts;
        let among = AMONG.replacen("?1", "?", 1);
        let sql = sql.replacen("p.record_no = ?", &format!("p.record_no {among}"), 1);
        (sql.replacen("SELECT", "SELECT p.record_no,", 1), values)
    }
}

/// What ranking needs of a visible record.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) time: Option<SortKey>,
    pub(super) key_order: Vec<u8>,
}

/// What the searched fields of an index row hold.
pub(super) struct Bag {
    /// The terms' counts.
    pub(super) hits: Vec<Hit>,
    /// How many words those fields have in the row.
    pub(super) words: u32,
    /// Whether the row holds the beginnings of fields, not a later stretch of one.
    pub(super) begins: bool,
}

/// Reads the searched fields of a row. `None` when damaged.
pub(super) fn read_bag(
    bag: &[u8],
    fields: &HashMap<u16, FieldName>,
    terms: &[Term],
) -> Option<Bag> {
    let mut read = Bag { hits: Vec::new(), words: 0, begins: true };
    // Most words of a bag begin like none of the terms.
    let mut beginnings = [false; 256];
    for first in terms.iter().filter_map(|term| term.text.as_bytes().first()) {
        if let Some(known) = beginnings.get_mut(usize::from(*first)) {
            *known = true;
        }
    }
    let mut current: Option<(Segment, Option<&FieldName>)> = None;
    visit(bag, |segment, found, count| {
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
                });
            }
        }
    })?;
    Some(read)
}

/// What ranking needs of a record the caller can see; `None` when they cannot.
pub(super) fn visible_facts(
    db: &Connection,
    shelf: &Shelf<'_>,
    record_no: i64,
    as_of: Option<i64>,
) -> StoreResult<Option<Facts>> {
    let (sql, others) = &shelf.facts;
    let number = Value::Integer(record_no);
    let values = others.iter().chain(std::iter::once(&number));
    let found = db
        .prepare_cached(sql)
        .and_then(|mut get| {
            let read = |row: &Row<'_>| {
                let time = row.get::<_, Option<Vec<u8>>>(1)?.map(SortKey::from_bytes);
                let shows: Option<bool> = row.get(2)?;
                Ok((Facts { time, key_order: row.get(0)? }, shows))
            };
            get.query_row(params_from_iter(values), read).optional()
        })
        .map_err(from_driver)?;
    let Some((facts, Some(true))) = found else {
        return Ok(None);
    };
    let conditions = &shelf.conditions;
    if !conditions.is_complete_in_sql() || as_of.is_some() {
        let Some(row) = get(db, record_no)? else {
            return Err(corrupt("records", "record_no", record_no));
        };
        if !holds(db, conditions, &row)? {
            return Ok(None);
        }
        if let Some(as_of) = as_of {
            let changed: i64 = db
                .prepare_cached(KEY_CHANGE)
                .and_then(|mut get| get.query_row([record_no], |row| row.get(0)))
                .map_err(from_driver)?;
            if changed > as_of && visible_since(db, shelf.scope, &row)?.change_no > as_of {
                return Ok(None);
            }
        }
    }
    Ok(Some(facts))
}
