//! Giving a store away row by row.

use std::sync::mpsc::{Receiver, SyncSender};

use async_trait::async_trait;
use pdpp_contract::blob::BlobId;

use super::backend::Backend;
use super::backend::blob_bytes::BlobBytes;
use super::backend::dialect::last_numbers;
use super::backend::driver::{Connection, Row, walk};
use super::backend::errors::{corrupt, from_driver};
use super::sql::connections::collection::{Shape, table};
use crate::error::{StoreError, StoreResult};
use crate::transfer::digest::Digesting;
use crate::transfer::layout::Layout;
use crate::transfer::{Cargo, Cell, ContentsDigest, Load, Movable, Told, UNFINISHED};

/// Rows sent at once.
const ROWS: usize = 500;
/// Bytes of a file sent at once.
const BYTES: usize = 1 << 20;

#[async_trait]
impl Movable for Backend {
    async fn give(&self, out: SyncSender<Load>) -> StoreResult<()> {
        let gone = |_| StoreError::BrokenOff("the other store takes no more; see why there");
        let layout = self.layout;
        self.at_one_moment(move |db, bytes| {
            give(db, layout, bytes, &mut |what| out.send(Load { what }).map_err(gone))
        })
        .await
    }

    async fn contents(&self) -> StoreResult<ContentsDigest> {
        let layout = self.layout;
        self.at_one_moment(move |db, bytes| {
            let mut digesting = Digesting::default();
            give(db, layout, bytes, &mut |what| {
                digesting.add(&what);
                Ok(())
            })?;
            Ok(digesting.so_far())
        })
        .await
    }

    async fn take(&self, loads: Receiver<Load>, told: Told) -> StoreResult<ContentsDigest> {
        let (bytes, presence, layout) = (self.blobs.clone(), self.presence(), self.layout);
        self.with_writer(move |db| {
            presence.begin_alone(db)?;
            let taken = super::target::take(db, layout, &bytes, &loads, &told);
            let ended = presence.end_alone(db);
            taken.and_then(|digest| ended.map(|()| digest))
        })
        .await
    }

    async fn finish_move(&self) -> StoreResult<()> {
        self.write(|db| super::target::finish(db)).await
    }
}

/// Takes what is on its way.
type Sending<'a> = &'a mut dyn FnMut(Cargo) -> StoreResult<()>;

fn give(db: &Connection, layout: Layout, bytes: &BlobBytes, send: Sending<'_>) -> StoreResult<()> {
    for (at, table) in layout.tables.iter().enumerate() {
        let names: Vec<&str> = table.cells().iter().map(|(name, _)| *name).collect();
        let kinds: Vec<char> = table.cells().iter().map(|(_, kind)| *kind).collect();
        // How far a move is belongs to the store that takes it.
        let own = if table.name == "store_meta" {
            format!("WHERE name <> '{UNFINISHED}'")
        } else {
            String::new()
        };
        let (names, order) = (names.join(", "), table.order());
        let sql = format!("SELECT {names} FROM {} {own} ORDER BY {order}", table.name);
        each(db, &sql, &kinds, |rows| send(Cargo::Rows { table: at, rows }))?;
    }
    for (projection_no, columns) in projections(db)? {
        let names: String = (0..columns).map(|at| format!(", c{at}")).collect();
        let table = table(projection_no);
        let sql = format!(
            "SELECT record_no, collection_no, flags, key_order{names} FROM {table} ORDER BY record_no"
        );
        let mut kinds = vec!['i', 'i', 'i'];
        kinds.resize(4 + columns, 'b');
        each(db, &sql, &kinds, |rows| send(Cargo::Copies { projection_no, rows }))?;
    }
    for blob in blobs(db)? {
        let mut offset = 0;
        loop {
            let piece = bytes.read(db, blob, offset, BYTES)?;
            let piece = piece.ok_or(StoreError::LostFile)?;
            offset += u64::try_from(piece.len()).unwrap_or(0);
            let is_last = piece.is_empty();
            send(Cargo::Bytes(piece))?;
            if is_last {
                break;
            }
        }
    }
    let mut counters = last_numbers(db)?;
    // One backend lists tables that never gave out a number.
    counters.retain(|(_, last)| *last > 0);
    counters.sort();
    for (table, last) in counters {
        send(Cargo::Counter { table, last })?;
    }
    send(Cargo::End)
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
        .prepare("SELECT projection_no, shape FROM projections ORDER BY projection_no")
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(from_driver)?;
    let columns = |(no, text): (i64, String)| Ok((no, shape(no, &text)?.columns.len()));
    rows.into_iter().map(columns).collect()
}

pub(crate) fn shape(no: i64, text: &str) -> StoreResult<Shape> {
    serde_json::from_str(text).map_err(|_| corrupt("projections", "shape", no))
}

fn blobs(db: &Connection) -> StoreResult<Vec<BlobId>> {
    db.prepare("SELECT sha256 FROM blobs ORDER BY sha256")
        .and_then(|mut list| list.query_map([], |row| row.get(0).map(BlobId))?.collect())
        .map_err(from_driver)
}

#[cfg(test)]
mod tests {
    use super::super::backend::dialect::all_columns;
    use std::sync::Arc;

    use super::super::backend::testing::{another, fresh};
    use super::*;
    use crate::transfer::TABLES;

    /// Made anew, or about the database itself and the servers on it.
    const LEFT_BEHIND: &[&str] =
        &["search_index", "schema_version", "sqlite_", "blob_pieces", "paces"];

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

    #[tokio::test(flavor = "multi_thread")]
    async fn a_store_is_filled_alone() {
        let Some((store, guard)) = fresh().await else { return };
        store.read(|_| Ok(())).await.unwrap();
        let store = Arc::new(store);
        let taking = || {
            let (out, loads) = std::sync::mpsc::sync_channel(0);
            let store = Arc::clone(&store);
            (out, tokio::spawn(async move { store.take(loads, Arc::new(|_| ())).await }))
        };
        let other = another(&guard).await.unwrap();
        let (_out, taken) = taking();
        let refused = taken.await.unwrap().unwrap_err();
        assert!(matches!(refused, StoreError::InUse), "{refused}");
        drop(other);

        let (out, taken) = taking();
        let what = Cargo::Counter { table: "connections".to_owned(), last: 1 };
        out.send(Load { what }).expect("it is alone now, and takes");
        let refused = another(&guard).await.err();
        assert!(matches!(refused, Some(StoreError::BeingFilled)), "{refused:?}");
        drop(out);
        let broken_off = taken.await.unwrap().unwrap_err();
        assert!(matches!(broken_off, StoreError::BrokenOff(_)), "{broken_off}");
        assert!(another(&guard).await.is_ok(), "nothing was kept");
    }
}
