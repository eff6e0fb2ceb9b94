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
use crate::insert::{Insert, NumberedInsert};

/// Bytes collected before they are sent.
const MOST_BYTES: usize = 8 << 20;
/// Fewer rows go out as statements of their own, which wait for nothing.
const WORTH_COPYING: usize = 8;

/// What a session has collected.
#[derive(Default)]
pub(crate) struct Bulk {
    /// Rows by the statement that adds one of them, in the order in which they came.
    rows: Vec<(Insert, Vec<Vec<Value>>)>,
    bytes: usize,
    /// Numbers that the server has given out to us and that no row has yet.
    numbers: HashMap<String, VecDeque<i64>>,
}

impl Bulk {
    fn add(&mut self, insert: &Insert, row: Vec<Value>) {
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        match self.rows.iter_mut().find(|(own, _)| own == insert) {
            Some((_, rows)) => rows.push(row),
            None => self.rows.push((insert.clone(), vec![row])),
        }
    }
}

/// Adds a row; nobody waits for its outcome.
pub(in super::super) fn add_row(
    db: &Connection,
    insert: &Insert,
    values: impl Params,
) -> Result<()> {
    add_values(db, insert, values.into_values())
}

fn add_values(db: &Connection, insert: &Insert, row: Vec<Value>) -> Result<()> {
    if !db.is_in_transaction() {
        return db.send_values(&insert.statement, row);
    }
    let is_full = {
        let mut bulk = db.bulk().borrow_mut();
        bulk.add(insert, row);
        bulk.bytes >= MOST_BYTES
    };
    if is_full { db.send_rows() } else { Ok(()) }
}

/// Adds one of many rows; the number it was given.
pub(in super::super) fn add_numbered(
    db: &Connection,
    insert: &NumberedInsert,
    values: impl Params,
) -> Result<i64> {
    let number = db.next_number(insert)?;
    let mut row = vec![number.value()];
    row.extend(values.into_values());
    add_values(db, &insert.numbered, row)?;
    Ok(number)
}

/// The sequence that gives out the numbers of a table.
fn sequence(insert: &NumberedInsert) -> String {
    format!("{}_{}_seq", insert.table, insert.number)
}

impl Connection {
    /// Asks for numbers at once that so many rows will need.
    pub(in super::super) fn reserve(&self, insert: &NumberedInsert, count: usize) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let sequence = sequence(insert);
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

    fn next_number(&self, insert: &NumberedInsert) -> Result<i64> {
        let sequence = sequence(insert);
        let next = |bulk: &mut Bulk| bulk.numbers.get_mut(&sequence)?.pop_front();
        let ready = next(&mut self.bulk().borrow_mut());
        if let Some(number) = ready {
            return Ok(number);
        }
        self.reserve(insert, 1)?;
        next(&mut self.bulk().borrow_mut()).ok_or(Error::NoRow)
    }

    /// Sends what was collected.
    pub(super) fn send_rows(&self) -> Result<()> {
        let rows = {
            let mut bulk = self.bulk().borrow_mut();
            bulk.bytes = 0;
            std::mem::take(&mut bulk.rows)
        };
        for (insert, rows) in rows {
            if rows.len() < WORTH_COPYING {
                rows.into_iter().try_for_each(|row| self.send_now(&insert.statement, row))?;
            } else {
                self.copy(&insert, &rows)?;
            }
        }
        Ok(())
    }

    /// Forgets what was collected: its transaction has ended.
    pub(super) fn forget_rows(&self) {
        self.bulk().take();
    }

    fn copy(&self, insert: &Insert, rows: &[Vec<Value>]) -> Result<()> {
        let types = self.prepare_now(&insert.statement)?.params().to_vec();
        let copy = format!("COPY {} FROM STDIN (FORMAT binary)", insert.target);
        let copy = self.prepare_now(&copy)?;
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
