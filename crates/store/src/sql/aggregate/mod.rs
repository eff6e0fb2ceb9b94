//! Aggregates: one walk over one index per collection, added up in Rust.
//!
//! The walk reads typed copies only; a record is read where a key cannot tell its value.

pub(crate) mod plan;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::types::{Value, ValueRef};
use backend::driver::{Connection, params_from_iter, walk};
use pdpp_contract::declaration::FieldKind;
use pdpp_contract::{FieldName, Json};

use crate::SortKey;
use crate::aggregate::grouped::Collector;
use crate::aggregate::tally::{Cell, MAX_LABEL_CHARS, Part, Row, Spelled};
use crate::aggregate::{Aggregate, AggregateFields, AggregateQuery, Aggregator, TimeWalk};
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::CollectionQuery;
use crate::records::scope::{CollectionScope, ReadScope};
use crate::text::field_path::push_segment;
use crate::writes::hashing::HashKey;
use backend::Backend;
use backend::errors::from_driver;
use backend::keys::packed::walk_packed;
use backend::keys::parallel::{Help, Helpers};
use plan::source;
use sql::connections::collection::{Collection, Column, StoredKind, find_collection, table};
use sql::records::by_id::visible_numbers;
use sql::records::get;
use sql::records::plan::Conditions;
use sql::records::walk::holds;
use sql::text::{beginning, find_text};

#[async_trait]
impl Aggregator for Backend {
    async fn aggregate(&self, scope: &ReadScope, query: AggregateQuery) -> StoreResult<Aggregate> {
        let (scope, hashing) = (scope.clone(), self.secrets.hashing.clone());
        let helpers = self.helpers();
        self.read(move |db| aggregate(db, &hashing, &helpers, &scope, query)).await
    }
}

fn aggregate(
    db: &Connection,
    hashing: &HashKey,
    helpers: &Helpers,
    scope: &ReadScope,
    query: AggregateQuery,
) -> StoreResult<Aggregate> {
    let AggregateQuery { collections, fields, measure, grouping } = query;
    let mut collector = Collector::new(measure, grouping, hashing);
    let (none, unshown) = (CollectionQuery::default(), AggregateFields::default());
    let mut found = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        let collection = find_collection(db, &part.connection, &part.stream)?;
        found.extend(collection.map(|collection| (index, part, collection)));
    }
    let walks = found.iter().map(|(index, part, collection)| {
        let query = collections.get(*index).unwrap_or(&none);
        let fields = fields.get(*index).unwrap_or(&unshown);
        Walk { db, index: *index, scope: part, collection, query, fields }
    });
    let jobs = walks.clone().filter_map(|walk| walk.job(&mut collector)).collect();
    let mut help = Help::walk(helpers, db, jobs)?;
    let mut records = 0;
    for walk in walks {
        records += if Part::ALL.iter().any(|part| walk.field(*part).is_some()) {
            walk.add(&mut help, &mut collector)?
        } else {
            let (part, own) = (walk.scope, walk.query);
            let count =
                sql::records::count::count_collection(db, part, own, u64::MAX)?.unwrap_or(0);
            collector.add_missing(count);
            count
        };
    }
    // An extreme value stands in the record of the winner, whichever field its collection has.
    let read = |record_no: RecordNo, _: Part| {
        let field = fields.iter().find_map(|fields| fields.measured.as_ref());
        field.map_or(Ok(None), |field| spelled(db, record_no, field))
    };
    collector.finish(records, &read)
}

/// What a row of a walk holds, and what is left to look up in its record.
struct RowShape {
    /// The typed copies of the measured field, the grouped field and the time.
    columns: [Option<usize>; 3],
    /// The row has the number of its record.
    numbered: bool,
    /// The statement decides which records belong to the answer.
    decided: bool,
    /// A field has no typed copy and is read from the record.
    untyped: bool,
}

/// One collection on its way into an answer.
#[derive(Clone, Copy)]
struct Walk<'a> {
    db: &'a Connection,
    index: usize,
    scope: &'a CollectionScope,
    collection: &'a Collection,
    query: &'a CollectionQuery,
    fields: &'a AggregateFields,
}

impl<'a> Walk<'a> {
    fn field(&self, part: Part) -> Option<&'a FieldName> {
        match part {
            Part::Measured => self.fields.measured.as_ref(),
            Part::Grouped => self.fields.grouped.as_ref(),
            Part::Time => self.fields.time.as_ref(),
        }
    }

    /// The typed copy of a field.
    fn column(&self, part: Part) -> Option<(usize, &'a Column)> {
        self.collection.shape.column(self.field(part)?)
    }

    fn is_date(&self, part: Part) -> bool {
        self.column(part).is_some_and(|(_, column)| column.kind == StoredKind::Date)
    }

    /// The walk as another session could do it, where times are all that is looked at.
    fn job(&self, collector: &mut Collector) -> Option<TimeWalk> {
        let field = self.field(Part::Time)?;
        self.column(Part::Time)?;
        let (scope, query) = (self.scope, self.query);
        let by_keys = !collector.needs_records(self.is_date(Part::Time))
            && Conditions::new(self.collection, scope, query).is_complete_in_sql();
        let counts = collector.times().filter(|_| by_keys)?.emptied();
        Some(TimeWalk {
            index: self.index,
            records: self.collection.record_count,
            counts,
            scope: scope.clone(),
            query: query.clone(),
            field: field.clone(),
        })
    }

    /// Adds every visible record that fulfils the conditions; says how many.
    fn add(&self, help: &mut Help, collector: &mut Collector) -> StoreResult<u64> {
        let conditions = Conditions::new(self.collection, self.scope, self.query);
        let columns = Part::ALL.map(|part| self.column(part).map(|(at, _)| at));
        let typed: Vec<usize> = columns.iter().flatten().copied().collect();
        let named = match conditions.only_records() {
            Some(only) => Some(visible_numbers(self.db, self.collection, &conditions, only)?),
            None => None,
        };
        let from = match &named {
            Some(numbers) => among_named(self.collection, numbers),
            None => source(self.collection, &conditions, &typed),
        };
        let decided = named.is_some() || conditions.is_complete_in_sql();
        // A field without a typed copy is read from the record.
        let mut parts = Part::ALL.into_iter().zip(columns);
        let untyped = parts.any(|(part, column)| self.field(part).is_some() && column.is_none());
        let by_keys = decided && named.is_none() && !untyped;
        let numbered = !by_keys || collector.needs_records(self.is_date(Part::Time));
        let [_, _, time] = columns;
        if let (Some(at), Some(counts)) = (time.filter(|_| !numbered), collector.times()) {
            if let Some(walked) = help.take(self.index) {
                counts.merge(walked.counts);
                return Ok(walked.records);
            }
            let walked = walk_packed(self.db, self.collection, at, &conditions, &from, counts)?;
            if let Some(count) = walked {
                return Ok(count);
            }
        }
        let shape = RowShape { columns, numbered, decided, untyped };
        self.add_rows(&conditions, &from, &shape, collector)
    }

    /// Adds the records row by row; says how many.
    fn add_rows(
        &self,
        conditions: &Conditions<'_>,
        from: &str,
        shape: &RowShape,
        collector: &mut Collector,
    ) -> StoreResult<u64> {
        let RowShape { columns, numbered, decided, untyped } = *shape;
        let ordered = collector.needs_key_order();
        let mut sql = format!("SELECT {} {from}", selected(columns, numbered, ordered));
        let mut values = vec![Value::Integer(self.collection.no.0)];
        conditions.write_sql(&mut sql, &mut values);
        let read = |record_no: RecordNo, part: Part| match self.field(part) {
            Some(field) => spelled(self.db, record_no, field),
            None => Ok(None),
        };
        let dates = Part::ALL.map(|part| self.is_date(part));

        let mut list = self.db.prepare_cached(&sql).map_err(from_driver)?;
        let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
        let mut count = 0;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let record_no = if numbered { row.get(3).map_err(from_driver)? } else { RecordNo(0) };
            if !decided && !self.holds(conditions, record_no)? {
                continue;
            }
            count += 1;
            let found =
                if untyped { self.untyped_keys(record_no, columns)? } else { [None, None, None] };
            let mut cells = [Cell::default(); 3];
            for (at, (cell, is_date)) in cells.iter_mut().zip(dates).enumerate() {
                let key = match row.get_ref(at).map_err(from_driver)? {
                    ValueRef::Blob(key) => Some(key),
                    _ => found.get(at).and_then(Option::as_ref).map(SortKey::as_bytes),
                };
                *cell = Cell { key, is_date };
            }
            let key_order = match ordered.then(|| row.get_ref(4)).transpose() {
                Ok(Some(ValueRef::Blob(bytes))) => bytes,
                Ok(_) => &[],
                Err(error) => return Err(from_driver(error)),
            };
            let row = Row { record_no, collection: self.index, key_order, cells };
            collector.add(&row, &read)?;
        }
        Ok(count)
    }

    /// The keys of the fields that have no typed copy, by part.
    fn untyped_keys(
        &self,
        record_no: RecordNo,
        columns: [Option<usize>; 3],
    ) -> StoreResult<[Option<SortKey>; 3]> {
        let mut found = [None, None, None];
        for (key, (part, column)) in found.iter_mut().zip(Part::ALL.into_iter().zip(columns)) {
            if let Some(field) = self.field(part).filter(|_| column.is_none()) {
                *key = self.derived(record_no, field)?;
            }
        }
        Ok(found)
    }

    fn holds(&self, conditions: &Conditions<'_>, record_no: RecordNo) -> StoreResult<bool> {
        match get(self.db, record_no)? {
            Some(row) => holds(self.db, conditions, &row),
            None => Ok(false),
        }
    }

    /// The key of a field without a typed copy, by the kind of its value.
    fn derived(&self, record_no: RecordNo, field: &FieldName) -> StoreResult<Option<SortKey>> {
        let value = match spelled(self.db, record_no, field)? {
            Some(Spelled::Here(value)) => value,
            Some(Spelled::Outside(_, beginning)) => Json::String(beginning),
            None => return Ok(None),
        };
        let kind = match &value {
            Json::Bool(_) => FieldKind::Boolean,
            Json::Number(_) => FieldKind::Number,
            _ => FieldKind::String,
        };
        Ok(SortKey::of(kind, &value))
    }
}

/// The columns of a walk, by [`Part`], then the record's number and order. What nobody asks for is
/// not even stepped over: this walk is all that an aggregate costs.
fn selected(columns: [Option<usize>; 3], numbered: bool, ordered: bool) -> String {
    let value = |column: Option<usize>| column.map_or("NULL".to_owned(), |at| format!("p.c{at}"));
    let number = if numbered || ordered { ", p.record_no" } else { "" };
    let order = if ordered { ", p.key_order" } else { "" };
    format!("{}{number}{order}", columns.map(value).join(", "))
}

/// `FROM …` over the records that a scope names, and no others.
fn among_named(collection: &Collection, numbers: &[RecordNo]) -> String {
    let table = table(collection.projection_no);
    let numbers: Vec<String> = numbers.iter().map(RecordNo::to_string).collect();
    let list = if numbers.is_empty() { "NULL".to_owned() } else { numbers.join(",") };
    format!("FROM {table} p WHERE p.record_no IN ({list}) AND p.collection_no = ?")
}

/// A field's value as it stands in its record or beside it.
fn spelled(
    db: &Connection,
    record_no: RecordNo,
    field: &FieldName,
) -> StoreResult<Option<Spelled>> {
    let Some(mut row) = get(db, record_no)? else {
        return Ok(None);
    };
    if let Some(value) = row.data.remove(field.as_str()) {
        return Ok(Some(Spelled::Here(value)));
    }
    let mut pointer = String::new();
    push_segment(&mut pointer, field.as_str());
    let Some(text) = find_text(db, record_no, &pointer)? else {
        return Ok(None);
    };
    let chars = u32::try_from(MAX_LABEL_CHARS + 1).unwrap_or(u32::MAX);
    let start = beginning(db, text.text_no, chars)?;
    Ok(Some(Spelled::Outside(text.digest, start)))
}
