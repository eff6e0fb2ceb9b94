//! Giving a store away row by row, and taking one in.

use std::sync::mpsc::{Receiver, SyncSender};

use async_trait::async_trait;
use pdpp_contract::blob::BlobId;

use super::Backend;
use super::blob_bytes::BlobBytes;
use super::declared::{Shape, table};
use super::dialect::{BEGIN_SNAPSHOT, last_numbers, set_last_number};
use super::driver::types::Value;
use super::driver::{Connection, Row, TransactionBehavior, params_from_iter, walk};
use super::errors::{corrupt, from_driver};
use super::index_words;
use super::project::create_table;
use super::search_write::tokens;
use super::write_record::run;
use crate::blob_files::UploadFile;
use crate::error::{StoreError, StoreResult};
use crate::moving::{Cargo, Cell, Load, Movable, TABLES, Table};
use crate::search_bag::damaged;

/// Rows sent at once.
const ROWS: usize = 500;
/// Bytes of a file sent at once.
const BYTES: usize = 1 << 20;
const IN_USE: &str = "
    SELECT (SELECT count(*) FROM connections) + (SELECT count(*) FROM packages)
         + (SELECT count(*) FROM tokens) + (SELECT count(*) FROM audit_events)";

#[async_trait]
impl Movable for Backend {
    async fn give(&self, out: SyncSender<Load>) -> StoreResult<()> {
        let bytes = self.blobs.clone();
        self.with_writer(move |db| {
            db.execute_batch(BEGIN_SNAPSHOT).map_err(from_driver)?;
            let given = give(db, &bytes, &Out(out));
            db.execute_batch("ROLLBACK").map_err(from_driver)?;
            given
        })
        .await
    }

    async fn take(&self, loads: Receiver<Load>) -> StoreResult<()> {
        let bytes = self.blobs.clone();
        self.with_writer(move |db| {
            let transaction = db
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(from_driver)?;
            take(&transaction, &bytes, &loads)?;
            transaction.commit().map_err(from_driver)
        })
        .await
    }
}

struct Out(SyncSender<Load>);

impl Out {
    fn send(&self, what: Cargo) -> StoreResult<()> {
        let gone = |_| StoreError::Conflict("the other store takes no more; see why there");
        self.0.send(Load { what }).map_err(gone)
    }
}

fn give(db: &Connection, bytes: &BlobBytes, out: &Out) -> StoreResult<()> {
    for (at, table) in TABLES.iter().enumerate() {
        let names: Vec<&str> = table.cells().iter().map(|(name, _)| *name).collect();
        let kinds: Vec<char> = table.cells().iter().map(|(_, kind)| *kind).collect();
        let sql = format!("SELECT {} FROM {}", names.join(", "), table.name);
        each(db, &sql, &kinds, |rows| out.send(Cargo::Rows { table: at, rows }))?;
    }
    for (projection_no, columns) in projections(db)? {
        let names: String = (0..columns).map(|at| format!(", c{at}")).collect();
        let table = table(projection_no);
        let sql = format!("SELECT record_no, collection_no, flags, key_order{names} FROM {table}");
        let mut kinds = vec!['i', 'i', 'i'];
        kinds.resize(4 + columns, 'b');
        each(db, &sql, &kinds, |rows| out.send(Cargo::Copies { projection_no, rows }))?;
    }
    for blob in blobs(db)? {
        let mut offset = 0;
        loop {
            let piece = bytes.read(db, blob, offset, BYTES)?;
            let piece = piece.ok_or_else(|| corrupt("blobs", "sha256", 0))?;
            offset += u64::try_from(piece.len()).unwrap_or(0);
            let is_last = piece.is_empty();
            out.send(Cargo::Bytes(piece))?;
            if is_last {
                break;
            }
        }
    }
    for (table, last) in last_numbers(db)? {
        out.send(Cargo::Counter { table, last })?;
    }
    out.send(Cargo::End)
}

fn each(
    db: &Connection,
    sql: &str,
    kinds: &[char],
    mut send: impl FnMut(Vec<Vec<Cell>>) -> StoreResult<()>,
) -> StoreResult<()> {
    let mut list = db.prepare(sql).map_err(from_driver)?;
    let mut rows = walk(&mut list, []).map_err(from_driver)?;
    let mut some = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        some.push(cells(row, kinds)?);
        if some.len() == ROWS {
            send(std::mem::take(&mut some))?;
        }
    }
    if some.is_empty() { Ok(()) } else { send(some) }
}

fn cells(row: &Row<'_>, kinds: &[char]) -> StoreResult<Vec<Cell>> {
    let cell = |(at, kind): (usize, &char)| {
        let found = match kind {
            'i' => row.get::<_, Option<i64>>(at).map(|found| found.map(Cell::Integer)),
            't' => row.get::<_, Option<String>>(at).map(|found| found.map(Cell::Text)),
            _ => row.get::<_, Option<Vec<u8>>>(at).map(|found| found.map(Cell::Bytes)),
        };
        found.map(|found| found.unwrap_or(Cell::Null)).map_err(from_driver)
    };
    kinds.iter().enumerate().map(cell).collect()
}

fn projections(db: &Connection) -> StoreResult<Vec<(i64, usize)>> {
    let rows: Vec<(i64, String)> = db
        .prepare("SELECT projection_no, shape FROM projections")
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(from_driver)?;
    let columns = |(no, text): (i64, String)| Ok((no, shape(no, &text)?.columns.len()));
    rows.into_iter().map(columns).collect()
}

fn shape(no: i64, text: &str) -> StoreResult<Shape> {
    serde_json::from_str(text).map_err(|_| corrupt("projections", "shape", no))
}

fn blobs(db: &Connection) -> StoreResult<Vec<BlobId>> {
    db.prepare("SELECT sha256 FROM blobs")
        .and_then(|mut list| list.query_map([], |row| row.get(0).map(BlobId))?.collect())
        .map_err(from_driver)
}

fn take(db: &Connection, bytes: &BlobBytes, loads: &Receiver<Load>) -> StoreResult<()> {
    let in_use: i64 = db.query_row(IN_USE, [], |row| row.get(0)).map_err(from_driver)?;
    if in_use > 0 {
        return Err(StoreError::Conflict("the store to move into is not empty; name another one"));
    }
    for table in TABLES.iter().filter(|table| table.is_filled) {
        run(db, &format!("DELETE FROM {}", table.name), [])?;
    }
    let mut file: Option<UploadFile> = None;
    for load in loads {
        match load.what {
            Cargo::Rows { table, rows } => {
                let table = TABLES.get(table).ok_or(BROKEN_OFF)?;
                rows.into_iter().try_for_each(|row| put(db, table, row))?;
            }
            Cargo::Copies { projection_no, rows } => {
                let table = table(projection_no);
                rows.into_iter().try_for_each(|row| put_into(db, &table, None, row))?;
            }
            Cargo::Bytes(piece) => {
                let mut growing = match file.take() {
                    Some(file) => file,
                    None => bytes.upload()?,
                };
                if piece.is_empty() {
                    let (id, _) = growing.finish()?;
                    bytes.place(db, &growing, id)?;
                } else {
                    growing.write(&piece)?;
                    file = Some(growing);
                }
            }
            Cargo::Counter { table, last } => set_last_number(db, &table, last)?,
            Cargo::End => return Ok(()),
        }
    }
    Err(BROKEN_OFF)
}

const BROKEN_OFF: StoreError = StoreError::Conflict("the other store broke off; nothing was kept");

fn put(db: &Connection, table: &Table, row: Vec<Cell>) -> StoreResult<()> {
    match (table.name, row.as_slice()) {
        ("projections", [Cell::Integer(no), _, _, Cell::Text(text)]) => {
            let sql = create_table(*no, &shape(*no, text)?);
            db.execute_batch(&sql).map_err(from_driver)?;
        }
        ("search_rows", [Cell::Integer(row_no), Cell::Integer(collection), Cell::Bytes(bag)]) => {
            let words = tokens(*collection, bag).ok_or_else(|| damaged(*row_no))?;
            index_words::add(db, (*row_no, *collection), &words)?;
        }
        _ => {}
    }
    let names: Vec<&str> = table.cells().iter().map(|(name, _)| *name).collect();
    put_into(db, table.name, Some(&names.join(", ")), row)
}

fn put_into(db: &Connection, table: &str, names: Option<&str>, row: Vec<Cell>) -> StoreResult<()> {
    let places = vec!["?"; row.len()].join(", ");
    let names = names.map(|names| format!(" ({names})")).unwrap_or_default();
    let sql = format!("INSERT INTO {table}{names} VALUES ({places})");
    let values = row.into_iter().map(|cell| match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::Integer(number),
        Cell::Text(text) => Value::Text(text),
        Cell::Bytes(bytes) => Value::Blob(bytes),
    });
    run(db, &sql, params_from_iter(values))
}

#[cfg(test)]
mod tests {
    use super::super::dialect::all_columns;
    use super::super::testing::fresh;
    use super::*;

    /// Made anew, or about the database itself.
    const LEFT_BEHIND: &[&str] = &["search_index", "schema_version", "sqlite_", "blob_pieces"];

    #[tokio::test]
    async fn no_column_is_left_behind() {
        let Some((store, _guard)) = fresh().await else { return };
        let mut found = store.read(all_columns).await.unwrap();
        found.retain(|column| !LEFT_BEHIND.iter().any(|known| column.starts_with(known)));
        found.sort();
        let mut moved: Vec<String> = TABLES
            .iter()
            .flat_map(|table| {
                table.cells().into_iter().map(|(name, _)| format!("{}.{name}", table.name))
            })
            .collect();
        moved.sort();
        assert_eq!(found, moved);
    }
}
