//! Taking a whole store in, batch by batch: each is kept when it is whole, so that a move that broke
//! off goes on where it was.
//!
//! Who gives begins anew each time. What is here already is not taken again but compared by its digest,
//! so a store that has changed meanwhile is noticed and never mixed with what it was.

use std::sync::mpsc::Receiver;

use super::backend::blob_bytes::BlobBytes;
use super::backend::dialect::{empty, set_last_number};
use super::backend::driver::types::Value;
use super::backend::driver::{
    Connection, OptionalExtension, TransactionBehavior, params, params_from_iter,
};
use super::backend::errors::{corrupt, from_driver};
use super::backend::index_words;
use super::source::shape;
use super::sql::connections::projection::{FIXED_COLUMNS, create_table, put_statement};
use super::sql::connections::width;
use super::sql::search::write::tokens;
use super::sql::write::record::{put_row, run};
use crate::blobs::files::UploadFile;
use crate::error::{StoreError, StoreResult};
use crate::insert::Insert;
use crate::numbers::CollectionNo;
use crate::search::postings::damaged;
use crate::transfer::digest::Digesting;
use crate::transfer::layout::Layout;
use crate::transfer::{Cargo, Cell, ContentsDigest, Load, Table, Told, UNFINISHED};

/// Loads in one transaction: ten thousand rows, or some megabytes of files.
const BATCH: u64 = 20;
const FIND_MARK: &str = "
    SELECT value FROM store_meta WHERE name = ?1";
const SET_MARK: &str = "
    INSERT INTO store_meta (name, value) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const DROP_MARK: &str = "
    DELETE FROM store_meta WHERE name = ?1";

pub(crate) const NOT_EMPTY: StoreError =
    StoreError::Conflict("the store to fill is not empty; name another one");
const CHANGED: StoreError = StoreError::Conflict(
    "the move that broke off was of another store, or of this one before it changed; name an empty one",
);
const BROKEN_OFF: StoreError = StoreError::BrokenOff(
    "the other store was interrupted; run the same command again to continue",
);

/// How far a move is.
#[derive(Default)]
struct Progress {
    /// The tables that come.
    layout: Layout,
    /// What an earlier run has kept: so many loads with this digest.
    kept: Option<(u64, ContentsDigest)>,
    loads: u64,
    rows: u64,
    digest: Digesting,
    /// The file that is growing.
    file: Option<UploadFile>,
}

pub(crate) fn take(
    db: &mut Connection,
    layout: Layout,
    bytes: &BlobBytes,
    loads: &Receiver<Load>,
    told: &Told,
) -> StoreResult<ContentsDigest> {
    let mut progress = Progress { kept: mark(db)?, layout, ..Progress::default() };
    // Whoever has the turn to write uses it: what is here already is passed over before that.
    while let Some(first) = progress.next_new(loads)? {
        let transaction =
            db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(from_driver)?;
        let is_whole = progress.batch(&transaction, bytes, first, loads)?;
        transaction.commit().map_err(from_driver)?;
        told(progress.rows);
        if is_whole {
            return Ok(progress.digest.so_far());
        }
    }
    told(progress.rows);
    Ok(progress.digest.so_far())
}

/// The store is what it should be and opens for everybody.
pub(crate) fn finish(db: &Connection) -> StoreResult<()> {
    run(db, DROP_MARK, [UNFINISHED])
}

impl Progress {
    /// The next load that is not here yet; none when everything had come and only the comparison was
    /// missing.
    fn next_new(&mut self, loads: &Receiver<Load>) -> StoreResult<Option<Load>> {
        for load in loads {
            self.count(&load.what);
            let Some((kept, digest)) = self.kept.filter(|(kept, _)| self.loads <= *kept) else {
                return Ok(Some(load));
            };
            if self.loads == kept && self.digest.so_far() != digest {
                return Err(CHANGED);
            }
            match (matches!(load.what, Cargo::End), self.loads == kept) {
                (true, true) => return Ok(None),
                (true, false) => return Err(CHANGED),
                (false, _) => {}
            }
        }
        Err(BROKEN_OFF)
    }

    /// Takes a load and those after it; whether that was all.
    fn batch(
        &mut self,
        db: &Connection,
        bytes: &BlobBytes,
        first: Load,
        loads: &Receiver<Load>,
    ) -> StoreResult<bool> {
        if self.loads == 1 {
            make_room(db, self.layout)?;
        }
        let (mut next, mut taken) = (first, 0);
        loop {
            let is_whole = matches!(next.what, Cargo::End);
            self.put(db, bytes, next.what)?;
            taken += 1;
            if is_whole || (taken >= BATCH && self.file.is_none()) {
                index_words::settle(db)?;
                let mark = [&self.loads.to_le_bytes()[..], &self.digest.so_far().0].concat();
                run(db, SET_MARK, params![UNFINISHED, mark])?;
                return Ok(is_whole);
            }
            next = loads.recv().map_err(|_| BROKEN_OFF)?;
            self.count(&next.what);
        }
    }

    fn put(&mut self, db: &Connection, bytes: &BlobBytes, what: Cargo) -> StoreResult<()> {
        match what {
            Cargo::Rows { table, rows } => {
                let table = self.layout.tables.get(table).ok_or(BROKEN_OFF)?;
                rows.into_iter().try_for_each(|row| put(db, table, row))
            }
            Cargo::Copies { projection_no, rows } => {
                let columns = rows.first().map_or(0, Vec::len).saturating_sub(FIXED_COLUMNS.len());
                let insert = put_statement(projection_no, columns);
                rows.into_iter().try_for_each(|row| put_cells(db, &insert, row))
            }
            Cargo::Bytes(piece) => {
                let mut growing = match self.file.take() {
                    Some(file) => file,
                    None => bytes.upload()?,
                };
                if piece.is_empty() {
                    let (id, _) = growing.finish()?;
                    return bytes.place(db, &growing, id);
                }
                growing.write(&piece)?;
                self.file = Some(growing);
                // A file may grow for long, and a session that is not heard of loses its turn.
                db.execute_batch("").map_err(from_driver)
            }
            Cargo::Counter { table, last } => set_last_number(db, &table, last),
            Cargo::End => Ok(()),
        }
    }

    fn count(&mut self, what: &Cargo) {
        let rows = match what {
            Cargo::Rows { rows, .. } | Cargo::Copies { rows, .. } => rows.len(),
            Cargo::Counter { .. } => 1,
            Cargo::Bytes(_) | Cargo::End => 0,
        };
        self.rows += u64::try_from(rows).unwrap_or(0);
        self.loads += 1;
        self.digest.add(what);
    }
}

fn mark(db: &Connection) -> StoreResult<Option<(u64, ContentsDigest)>> {
    let found: Option<Vec<u8>> =
        db.query_row(FIND_MARK, [UNFINISHED], |row| row.get(0)).optional().map_err(from_driver)?;
    let Some(found) = found else { return Ok(None) };
    let parts = found.split_first_chunk::<8>();
    let mark = parts.and_then(|(loads, digest)| {
        Some((u64::from_le_bytes(*loads), ContentsDigest(digest.try_into().ok()?)))
    });
    mark.map(Some).ok_or_else(|| corrupt("store_meta", "value", 0))
}

/// What a store holds before its owner has done anything gives way; one that is in use does not.
fn make_room(db: &Connection, layout: Layout) -> StoreResult<()> {
    let (passing, kept): (Vec<&Table>, Vec<&Table>) =
        layout.tables.iter().partition(|table| table.gives_way);
    for table in kept {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {})", table.name);
        if db.query_row(&sql, [], |row| row.get(0)).map_err(from_driver)? {
            return Err(NOT_EMPTY);
        }
    }
    passing.into_iter().try_for_each(|table| empty(db, table.name))
}

fn put(db: &Connection, table: &Table, row: Vec<Cell>) -> StoreResult<()> {
    match (table.name, row.as_slice()) {
        ("projections", [Cell::Integer(no), _, _, Cell::Text(text)]) => {
            let sql = create_table(*no, &shape(*no, text)?);
            db.execute_batch(&sql).map_err(from_driver)?;
        }
        ("collections", [_, _, Cell::Text(stream), Cell::Integer(projection_no), ..]) => {
            width::check_taken(db, stream, *projection_no)?;
        }
        (
            "search_rows",
            [Cell::Integer(row_no), Cell::Integer(collection), Cell::Bytes(postings)],
        ) => {
            let collection_no = CollectionNo(*collection);
            let words = tokens(collection_no, postings).ok_or_else(|| damaged(*row_no))?;
            index_words::add(db, *row_no, collection_no, &words)?;
        }
        _ => {}
    }
    let names: Vec<&str> = table.cells().iter().map(|(name, _)| *name).collect();
    put_cells(db, &Insert::new(table.name, &names), row)
}

fn put_cells(db: &Connection, insert: &Insert, row: Vec<Cell>) -> StoreResult<()> {
    let values = row.into_iter().map(|cell| match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::Integer(number),
        Cell::Text(text) => Value::Text(text),
        Cell::Bytes(bytes) => Value::Blob(bytes),
    });
    put_row(db, insert, params_from_iter(values))
}
