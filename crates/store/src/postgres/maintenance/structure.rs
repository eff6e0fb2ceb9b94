//! What only Postgres can get wrong around the rows: indexes that are gone, words filed under another stream,
//! counters behind the numbers that were given out.

use std::collections::BTreeSet;

use crate::error::StoreResult;
use crate::postgres::dialect::NUMBERED;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::migrations::STEPS;
use crate::postgres::sql::connections::collection::Shape;
use crate::postgres::sql::connections::projection::create_table;
use crate::postgres::sql::transfer::source::shape;

const INDEXES: &str = "
    SELECT CAST(c.relname AS text)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indisvalid AND c.relnamespace = current_schema()::regnamespace";
const PROJECTIONS: &str = "
    SELECT projection_no, shape FROM projections ORDER BY projection_no";
const MISFILED: &str = "
    SELECT count(*)
      FROM search_index s LEFT JOIN search_rows r ON r.row_no = s.row_no
     WHERE r.collection_no IS DISTINCT FROM s.collection_no";

/// What is wrong, in words.
pub(crate) fn faults(db: &Connection) -> StoreResult<Vec<String>> {
    let mut faults = missing_indexes(db)?;
    let misfiled: i64 = db.query_row(MISFILED, [], |row| row.get(0)).map_err(from_driver)?;
    if misfiled > 0 {
        faults.push(format!("{misfiled} rows of words belong to another stream or to none"));
    }
    for (table, column) in NUMBERED {
        let sql = format!(
            "SELECT coalesce(max({column}), 0) >
                    (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_{column}_seq)
               FROM {table}"
        );
        if db.query_row(&sql, [], |row| row.get(0)).map_err(from_driver)? {
            faults.push(format!("{table} would give out a number that is taken"));
        }
    }
    Ok(faults)
}

fn missing_indexes(db: &Connection) -> StoreResult<Vec<String>> {
    let found: BTreeSet<String> = db
        .prepare(INDEXES)
        .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
        .map_err(from_driver)?;
    let mut wanted: BTreeSet<String> = STEPS.iter().flat_map(|step| made_by(step)).collect();
    let projections: Vec<(i64, String)> = db
        .prepare(PROJECTIONS)
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(from_driver)?;
    for (number, text) in projections {
        let shape: Shape = shape(number, &text)?;
        wanted.extend(made_by(&create_table(number, &shape)));
    }
    let missing = wanted.difference(&found);
    Ok(missing.map(|index| format!("the index {index} is missing or unfinished")).collect())
}

/// The indexes that statements make. None that a step makes is taken away for good by a later one.
fn made_by(statements: &str) -> impl Iterator<Item = String> + '_ {
    let made = statements.split("CREATE ").filter_map(|rest| {
        rest.strip_prefix("UNIQUE INDEX ").or_else(|| rest.strip_prefix("INDEX "))
    });
    made.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_known_by_the_statements_that_make_them() {
        let made: Vec<String> = made_by(
            "CREATE TABLE t (a int);CREATE INDEX x ON t (a);\nCREATE UNIQUE INDEX y ON t (a)",
        )
        .collect();
        assert_eq!(made, ["x", "y"]);
    }
}
