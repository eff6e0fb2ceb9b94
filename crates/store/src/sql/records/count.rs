//! Counting what a scope shows.

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, params_from_iter, walk};

use super::backend::errors::from_driver;
use super::by_id;
use super::get;
use super::plan::Conditions;
use super::sql::connections::collection::{Collection, Index, find_collection, index_name, table};
use super::walk::holds;
use crate::error::StoreResult;
use crate::records::scope::{CollectionScope, ReadScope};
use crate::records::{CollectionQuery, CollectionStats};

/// Visible records that fulfil the conditions, up to a bound.
pub(crate) fn count(
    db: &Connection,
    scope: &ReadScope,
    queries: &[CollectionQuery],
    at_most: u64,
) -> StoreResult<u64> {
    let default = CollectionQuery::default();
    let mut total = 0;
    for (index, part) in scope.collections().iter().enumerate() {
        let query = queries.get(index).unwrap_or(&default);
        total += count_collection(db, part, query, at_most - total)?.unwrap_or(0);
        if total >= at_most {
            return Ok(at_most);
        }
    }
    Ok(total)
}

/// Numbers of each collection.
pub(super) fn stats(db: &Connection, scope: &ReadScope) -> StoreResult<Vec<CollectionStats>> {
    let default = CollectionQuery::default();
    let mut stats = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        let Some(record_count) = count_collection(db, part, &default, u64::MAX)? else {
            continue;
        };
        stats.push(CollectionStats { collection: index, record_count });
    }
    Ok(stats)
}

/// `None` when the collection does not exist.
pub(crate) fn count_collection(
    db: &Connection,
    scope: &CollectionScope,
    query: &CollectionQuery,
    at_most: u64,
) -> StoreResult<Option<u64>> {
    let Some(collection) = find_collection(db, &scope.connection, &scope.stream)? else {
        return Ok(None);
    };
    let conditions = Conditions::new(&collection, scope, query);
    count_in(db, &collection, &conditions, at_most).map(Some)
}

/// Records of a collection that fulfil conditions, up to a bound.
pub(crate) fn count_in(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    at_most: u64,
) -> StoreResult<u64> {
    if conditions.is_empty() {
        return Ok(collection.record_count.min(at_most));
    }
    if let Some(only) = conditions.only_records() {
        let named = by_id::visible_numbers(db, collection, conditions, only)?;
        return Ok(u64::try_from(named.len()).unwrap_or(u64::MAX).min(at_most));
    }
    if conditions.is_complete_in_sql() {
        return count_in_sql(db, collection, conditions, at_most);
    }
    count_by_record(db, collection, conditions, at_most)
}

fn count_in_sql(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    at_most: u64,
) -> StoreResult<u64> {
    let source = source(collection, conditions);
    let mut sql = format!("SELECT count(*) FROM (SELECT 1 {}", source.from());
    let mut values = vec![source.value];
    conditions.write_sql(&mut sql, &mut values);
    sql.push_str(" LIMIT ?) AS counted");
    values.push(Value::Integer(i64::try_from(at_most).unwrap_or(i64::MAX)));
    let count: i64 = db
        .prepare_cached(&sql)
        .and_then(|mut count| count.query_row(params_from_iter(values), |row| row.get(0)))
        .map_err(from_driver)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

fn count_by_record(
    db: &Connection,
    collection: &Collection,
    conditions: &Conditions<'_>,
    at_most: u64,
) -> StoreResult<u64> {
    let source = source(collection, conditions);
    let mut sql = format!("SELECT p.record_no {}", source.from());
    let mut values = vec![source.value];
    conditions.write_sql(&mut sql, &mut values);
    let mut list = db.prepare_cached(&sql).map_err(from_driver)?;
    let mut rows = walk(&mut list, params_from_iter(values)).map_err(from_driver)?;
    let mut count = 0;
    while count < at_most
        && let Some(row) = rows.next().map_err(from_driver)?
    {
        let row = get(db, row.get(0).map_err(from_driver)?)?;
        if let Some(row) = row
            && holds(db, conditions, &row)?
        {
            count += 1;
        }
    }
    Ok(count)
}

/// The records of a collection over the index that narrows most: tables, first test and its value.
pub(crate) struct Source {
    tables: String,
    test: &'static str,
    pub(crate) value: Value,
}

impl Source {
    /// `FROM … WHERE …`, to which further tests are added.
    pub(crate) fn from(&self) -> String {
        self.joined_with("")
    }

    /// The same with a table joined to the typed copy `p`.
    pub(crate) fn joined_with(&self, join: &str) -> String {
        format!("FROM {} {join} WHERE {}", self.tables, self.test)
    }
}

/// Where the records that fulfil some conditions are looked for.
pub(crate) fn source(collection: &Collection, conditions: &Conditions<'_>) -> Source {
    let indexed = |column: usize| {
        collection.shape.columns.get(column).is_some_and(|column| column.index != Index::None)
    };
    let equal = conditions.columns.iter().find(|test| test.operator == "=" && indexed(test.column));
    let driver = equal.or_else(|| conditions.columns.iter().find(|test| indexed(test.column)));
    let table = table(collection.projection_no);
    let (tables, test) = match driver {
        Some(test) => {
            let index = index_name(collection.projection_no, test.column);
            (format!("{table} p INDEXED BY {index}"), "p.collection_no = ?")
        }
        None => (
            format!("record_keys k CROSS JOIN {table} p ON p.record_no = k.record_no"),
            "k.collection_no = ?",
        ),
    };
    Source { tables, test, value: Value::Integer(collection.no.0) }
}
