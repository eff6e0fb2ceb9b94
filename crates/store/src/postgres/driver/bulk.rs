//! Rows on their way into tables: collected inside a transaction, and copied many at once.
//!
//! Whatever else a session is asked goes out after them, so that it sees every row.

use std::collections::{HashMap, VecDeque};
use std::pin::pin;

use bytes::Bytes;
use tokio_postgres::CopyInSink;
use tokio_postgres::binary_copy::BinaryCopyInWriter;

use super::Error;
use super::Result;
use super::params::Params;
use super::session::Connection;
use super::values::{ToSql as _, Value};

/// Bytes collected before they are sent.
const MOST_BYTES: usize = 8 << 20;
/// Fewer rows go out as statements of their own, which wait for nothing.
const WORTH_COPYING: usize = 8;

/// What a session has collected.
#[derive(Default)]
pub(crate) struct Bulk {
    /// Rows by the statement that adds one of them, in the order in which they came.
    rows: Vec<(String, Vec<Vec<Value>>)>,
    bytes: usize,
    /// Numbers that the server has given out to us and that no row has yet.
    numbers: HashMap<String, VecDeque<i64>>,
}

impl Bulk {
    fn add(&mut self, sql: &str, row: Vec<Value>) {
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        match self.rows.iter_mut().find(|(own, _)| own == sql) {
            Some((_, rows)) => rows.push(row),
            None => self.rows.push((sql.to_owned(), vec![row])),
        }
    }
}

/// Adds a row with a plain `INSERT`; nobody waits for its outcome.
pub(in super::super) fn add_row(db: &Connection, sql: &str, values: impl Params) -> Result<()> {
    let row = values.into_values();
    if !db.is_in_transaction() {
        return db.send_values(sql, row);
    }
    let is_full = {
        let mut bulk = db.bulk().borrow_mut();
        bulk.add(sql, row);
        bulk.bytes >= MOST_BYTES
    };
    if is_full { db.send_rows() } else { Ok(()) }
}

/// Adds a row with a plain `INSERT` and returns its number, which stands in the named column.
pub(in super::super) fn add_numbered(
    db: &Connection,
    sql: &str,
    column: &str,
    values: impl Params,
) -> Result<i64> {
    let number = db.next_number(table_of(sql), column)?;
    let mut row = vec![number.value()];
    row.extend(values.into_values());
    add_row(db, &with_number(sql, column, row.len()), Row(row))?;
    Ok(number)
}

struct Row(Vec<Value>);

impl Params for Row {
    fn into_values(self) -> Vec<Value> {
        self.0
    }
}

impl Connection {
    /// Asks for numbers at once that so many rows will need.
    pub(in super::super) fn reserve(&self, table: &str, column: &str, count: usize) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let sequence = format!("{table}_{column}_seq");
        let sql =
            format!("SELECT nextval('{sequence}') FROM generate_series(1, CAST(?1 AS bigint))");
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let rows = self.ask_now(&sql, vec![Value::Integer(count)])?;
        let mut bulk = self.bulk().borrow_mut();
        let numbers = bulk.numbers.entry(sequence).or_default();
        for row in rows {
            numbers.push_back(row.try_get(0)?);
        }
        Ok(())
    }

    fn next_number(&self, table: &str, column: &str) -> Result<i64> {
        let sequence = format!("{table}_{column}_seq");
        let next = |bulk: &mut Bulk| bulk.numbers.get_mut(&sequence)?.pop_front();
        let ready = next(&mut self.bulk().borrow_mut());
        if let Some(number) = ready {
            return Ok(number);
        }
        self.reserve(table, column, 1)?;
        next(&mut self.bulk().borrow_mut()).ok_or(Error::NoRow)
    }

    /// Sends what was collected.
    pub(super) fn send_rows(&self) -> Result<()> {
        let rows = {
            let mut bulk = self.bulk().borrow_mut();
            bulk.bytes = 0;
            std::mem::take(&mut bulk.rows)
        };
        for (sql, rows) in rows {
            if rows.len() < WORTH_COPYING {
                rows.into_iter().try_for_each(|row| self.send_now(&sql, row))?;
            } else {
                self.copy(&sql, &rows)?;
            }
        }
        Ok(())
    }

    /// Forgets what was collected: its transaction has ended.
    pub(super) fn forget_rows(&self) {
        self.bulk().take();
    }

    fn copy(&self, sql: &str, rows: &[Vec<Value>]) -> Result<()> {
        let types = self.prepare_now(sql)?.params().to_vec();
        let copy = self.prepare_now(&copy_statement(sql))?;
        self.wait(async {
            let sink: CopyInSink<Bytes> = self.client().copy_in(&copy).await?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in rows {
                writer.as_mut().write_raw(row).await?;
            }
            writer.finish().await.map(drop)
        })
    }
}

/// `table (columns)` of a plain `INSERT`.
fn target(sql: &str) -> &str {
    let (_, after) = sql.split_once("INSERT INTO").unwrap_or_default();
    after.split_once("VALUES").map_or(after, |(target, _)| target).trim()
}

fn table_of(sql: &str) -> &str {
    target(sql).split_whitespace().next().unwrap_or_default()
}

fn copy_statement(sql: &str) -> String {
    format!("COPY {} FROM STDIN (FORMAT binary)", target(sql))
}

/// The same statement with the number as its first value.
fn with_number(sql: &str, column: &str, values: usize) -> String {
    let (table, columns) = target(sql).split_once('(').unwrap_or_default();
    let places: Vec<String> = (1..=values).map(|place| format!("?{place}")).collect();
    format!("INSERT INTO {table}({column}, {columns} VALUES ({})", places.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_becomes_a_copy() {
        let sql = "\n    INSERT INTO texts (kind, path)\n    VALUES (?1, ?2)";
        assert_eq!(copy_statement(sql), "COPY texts (kind, path) FROM STDIN (FORMAT binary)");
        assert_eq!(table_of(sql), "texts");
        assert_eq!(
            with_number(sql, "text_no", 3),
            "INSERT INTO texts (text_no, kind, path) VALUES (?1, ?2, ?3)"
        );
    }
}
