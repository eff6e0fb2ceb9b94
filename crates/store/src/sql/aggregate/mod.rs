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
use crate::aggregate::tally::{MAX_LABEL_CHARS, Row, Spelled, Tally};
use crate::aggregate::{Aggregate, AggregateQuery, Aggregator, TimeWalk};
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
use sql::connections::collection::{Collection, StoredKind, find_collection, table};
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
    let AggregateQuery { collections, fields, measure } = query;
    let mut tally = Tally::new(measure, hashing);
    let none = CollectionQuery::default();
    let mut found = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        let collection = find_collection(db, &part.connection, &part.stream)?;
        found.extend(collection.map(|collection| (index, part, collection)));
    }
    let walks = found.iter().map(|(index, part, collection)| {
        let own = collections.get(*index).unwrap_or(&none);
        let field = fields.get(*index).and_then(Option::as_ref);
        (Walk { db, index: *index, scope: part, collection, query: own }, field)
    });
    let jobs = walks.clone().filter_map(|(walk, field)| walk.job(field?, &mut tally)).collect();
    let mut help = Help::walk(helpers, db, jobs)?;
    let mut records = 0;
    for (walk, field) in walks {
        let (part, own) = (walk.scope, walk.query);
        records += match field {
            Some(field) => walk.add(field, &mut help, &mut tally)?,
            None => {
                let count =
                    sql::records::count::count_collection(db, part, own, u64::MAX)?.unwrap_or(0);
                tally.add_missing(count);
                count
            }
        };
    }
    // The extreme value stands in the record of the winner, whichever field its collection has.
    let read = |record_no: RecordNo| {
        let field = fields.iter().flatten().next();
        field.map_or(Ok(None), |field| spelled(db, record_no, field))
    };
    Ok(Aggregate { records, measured: tally.finish(&read)? })
}

/// One collection on its way into a tally.
struct Walk<'a> {
    db: &'a Connection,
    index: usize,
    scope: &'a CollectionScope,
    collection: &'a Collection,
    query: &'a CollectionQuery,
}

impl Walk<'_> {
    /// The walk as another session could do it, where times are all that is looked at.
    fn job(&self, field: &FieldName, tally: &mut Tally) -> Option<TimeWalk> {
        let (_, column) = self.collection.shape.column(field)?;
        let is_date = column.kind == StoredKind::Date;
        let (scope, query) = (self.scope, self.query);
        let by_keys = !tally.needs_records(is_date)
            && Conditions::new(self.collection, scope, query).is_complete_in_sql();
        let counts = tally.times().filter(|_| by_keys)?.emptied();
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
    fn add(&self, field: &FieldName, help: &mut Help, tally: &mut Tally) -> StoreResult<u64> {
        let conditions = Conditions::new(self.collection, self.scope, self.query);
        let column = self.collection.shape.column(field);
        let value = column.map_or("NULL".to_owned(), |(at, _)| format!("p.c{at}"));
        let named = match conditions.only_records() {
            Some(only) => Some(visible_numbers(self.db, self.collection, &conditions, only)?),
            None => None,
        };
        let from = match &named {
            Some(numbers) => among_named(self.collection, numbers),
            None => source(self.collection, &conditions, column.map(|(at, _)| at)),
        };
        let decided = named.is_some() || conditions.is_complete_in_sql();
        let is_date = column.is_some_and(|(_, column)| column.kind == StoredKind::Date);
        // What nobody asks for is not even stepped over: this walk is all that an aggregate costs.
        let more = match (tally.needs_key_order(), tally.needs_records(is_date)) {
            (true, _) => ", p.record_no, p.key_order",
            (false, true) => ", p.record_no",
            (false, false) if named.is_some() || !decided || column.is_none() => ", p.record_no",
            (false, false) => "",
        };
        if let (Some((at, _)), Some(counts)) = (column.filter(|_| more.is_empty()), tally.times()) {
            if let Some(walked) = help.take(self.index) {
                counts.merge(walked.counts);
                return Ok(walked.records);
            }
            let whole = (self.collection, at);
            if let Some(count) = walk_packed(self.db, whole, &conditions, &from, counts)? {
                return Ok(count);
            }
        }
        let mut sql = format!("SELECT {value}{more} {from}");
        let mut values = vec![Value::Integer(self.collection.no.0)];
        conditions.write_sql(&mut sql, &mut values);
        let read = |record_no: RecordNo| spelled(self.db, record_no, field);

        let mut list = self.db.prepare_cached(&sql).map_err(from_driver)?;
        let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
        let (numbered, ordered) = (!more.is_empty(), tally.needs_key_order());
        let mut count = 0;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let record_no = if numbered { row.get(1).map_err(from_driver)? } else { RecordNo(0) };
            if !decided && !self.holds(&conditions, record_no)? {
                continue;
            }
            count += 1;
            let found = if column.is_none() { self.derived(record_no, field)? } else { None };
            let key = match (&found, row.get_ref(0).map_err(from_driver)?) {
                (Some(key), _) => Some(key.as_bytes()),
                (None, ValueRef::Blob(key)) => Some(key),
                (None, _) => None,
            };
            let key_order = match ordered.then(|| row.get_ref(2)).transpose() {
                Ok(Some(ValueRef::Blob(bytes))) => bytes,
                Ok(_) => &[],
                Err(error) => return Err(from_driver(error)),
            };
            let row = Row { record_no, collection: self.index, key, key_order, is_date };
            tally.add(&row, &read)?;
        }
        Ok(count)
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
