//! How wide a typed copy may be: a new one anywhere, and one from another store where rows must fit a page.

use pdpp_contract::declaration::MAX_TYPED_FIELDS;

use super::backend::dialect::ROWS_FIT_A_PAGE;
use super::backend::driver::Connection;
use super::collection::{Shape, shape_of};
use crate::error::{StoreError, StoreResult};

/// Refuses a new table that another backend could not have. One that is there already stays.
pub(super) fn check_new(stream: &str, shape: &Shape) -> StoreResult<()> {
    let typed = shape.columns.len();
    if typed <= MAX_TYPED_FIELDS {
        return Ok(());
    }
    Err(StoreError::TooWide { stream: stream.to_owned(), typed, limit: MAX_TYPED_FIELDS })
}

/// Refuses a collection from another store whose rows might not fit here. Tables that no collection uses
/// any more stay empty and may be wide.
pub(crate) fn check_taken(db: &Connection, stream: &str, projection_no: i64) -> StoreResult<()> {
    if ROWS_FIT_A_PAGE { check_new(stream, &shape_of(db, projection_no)?) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pdpp_contract::SourceDeclaration;

    use super::super::backend::Backend;
    use super::super::backend::testing::{another, fresh};
    use super::*;
    use crate::records::connections::{ConnectionStore, NewConnection};
    use crate::transfer::{Cargo, Cell, Load, Movable, TABLES};

    const WIDE: usize = 460;

    fn connection() -> NewConnection {
        let sample = include_str!("../../../../store-conformance/src/sample.json");
        NewConnection {
            id: "cin_a".parse().unwrap(),
            name: "a".parse().unwrap(),
            display_name: None,
            declaration: SourceDeclaration::parse(sample).unwrap(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    /// What a store gives.
    async fn given(store: &Backend) -> Vec<Load> {
        let (out, loads) = std::sync::mpsc::sync_channel(8);
        let collecting = std::thread::spawn(move || loads.into_iter().collect());
        store.give(out).await.unwrap();
        collecting.join().unwrap()
    }

    async fn take(store: &Backend, loads: Vec<Load>) -> StoreResult<()> {
        let (out, into) = std::sync::mpsc::sync_channel(loads.len());
        for load in loads {
            out.send(load).unwrap();
        }
        drop(out);
        store.take(into, Arc::new(|_| ())).await.map(drop)
    }

    /// As a store from before the limit has it: the notes have more typed fields.
    fn widened(mut loads: Vec<Load>, is_used: bool) -> Vec<Load> {
        let place = |name: &str| TABLES.iter().position(|table| table.name == name);
        for load in &mut loads {
            let Cargo::Rows { table, rows } = &mut load.what else { continue };
            if Some(*table) == place("projections") {
                let notes = rows.iter_mut().find(|row| row[2] == Cell::Text("notes".to_owned()));
                let notes = notes.unwrap();
                let Cell::Text(text) = &notes[3] else { panic!("{notes:?}") };
                let mut shape: Shape = serde_json::from_str(text).unwrap();
                let last = shape.columns.last().unwrap().clone();
                shape.columns.resize(WIDE, last);
                let wide = Cell::Text(serde_json::to_string(&shape).unwrap());
                if is_used {
                    notes[3] = wide;
                } else {
                    let mut unused = notes.clone();
                    unused[0] = Cell::Integer(1_000);
                    unused[3] = wide;
                    rows.push(unused);
                }
            }
        }
        loads
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_might_not_fit_is_refused_before_anything_is_kept() {
        let Some((store, _guard)) = fresh().await else { return };
        store.ensure_connection(connection()).await.unwrap();
        let Some((target, guard)) = fresh().await else { return };
        let taken = take(&target, widened(given(&store).await, true)).await;
        if !ROWS_FIT_A_PAGE {
            taken.unwrap();
            return;
        }
        let Err(StoreError::TooWide { stream, typed, limit }) = taken else { panic!("{taken:?}") };
        assert_eq!((stream.as_str(), typed, limit), ("notes", WIDE, MAX_TYPED_FIELDS));
        assert!(another(&guard).await.is_ok(), "nothing was kept, so it is no half a store");
        assert!(target.list_connections().await.unwrap().is_empty());
        take(&target, given(&store).await).await.expect("a narrower one fits");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_wide_table_that_nobody_uses_is_taken() {
        let Some((store, _guard)) = fresh().await else { return };
        store.ensure_connection(connection()).await.unwrap();
        let Some((target, _guard)) = fresh().await else { return };
        take(&target, widened(given(&store).await, false)).await.unwrap();
    }
}
