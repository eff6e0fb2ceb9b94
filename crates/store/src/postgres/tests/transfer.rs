//! A move that goes on: what is here already is passed over before anybody has the turn to write.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use pdpp_testkit::postgres::plain;

use crate::postgres::testing::fresh;
use crate::transfer::{Cargo, Cell, Load, Movable, TABLES};

const HAVE_THE_TURN: &str = "
    SELECT count(*)
      FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND (classid, objid) = (1885630576, 1)
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
/// As many as are kept together.
const BATCH: i64 = 20;

fn setting(number: i64) -> Load {
    let table = TABLES.iter().position(|table| table.name == "settings").unwrap();
    let row = vec![Cell::Text(format!("s{number:03}")), Cell::Text("x".to_owned())];
    Load { what: Cargo::Rows { table, rows: vec![row] } }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_goes_on_passes_over_what_is_here_without_the_turn_to_write() {
    let Some((store, kept)) = fresh().await else { return };
    let store = Arc::new(store);
    let (give, loads) = sync_channel(100);
    (0..=BATCH).for_each(|number| give.send(setting(number)).unwrap());
    drop(give);
    store.take(loads, Arc::new(|_| ())).await.expect_err("it broke off after the first batch");

    let (give, loads) = sync_channel(0);
    let again = Arc::clone(&store);
    let taking = tokio::spawn(async move { again.take(loads, Arc::new(|_| ())).await });
    // Nothing is kept between giver and taker: when the last one is gone, those before it were looked at.
    let give = tokio::task::spawn_blocking(move || {
        (0..BATCH).for_each(|number| give.send(setting(number)).unwrap());
        give
    });
    let give = give.await.unwrap();
    let looking = plain(kept.0.url()).await;
    let turns: i64 = looking.query_one(HAVE_THE_TURN, &[]).await.unwrap().get(0);
    assert_eq!(turns, 0);

    let rest = tokio::task::spawn_blocking(move || {
        give.send(setting(BATCH)).unwrap();
        give.send(Load { what: Cargo::End }).unwrap();
    });
    rest.await.unwrap();
    taking.await.unwrap().unwrap();
    let settings = "SELECT count(*) FROM settings WHERE value = 'x'";
    let settings: i64 = looking.query_one(settings, &[]).await.unwrap().get(0);
    assert_eq!(settings, BATCH + 1);
}
