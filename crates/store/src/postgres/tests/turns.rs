//! Who keeps the turn to write without using it loses it; who uses it keeps it.

use std::time::{Duration, Instant};

use pdpp_testkit::postgres::{plain, until_waiting};

use crate::error::{StoreError, StoreResult};
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::testing::{another, fresh};

const TAKE_TURN: &str = "BEGIN; SELECT pg_advisory_xact_lock(1885630576, 1)";

fn run(sql: &'static str) -> impl FnOnce(&mut Connection) -> StoreResult<()> {
    move |db| db.execute_batch(sql).map_err(from_driver)
}

#[tokio::test]
async fn a_session_that_was_left_in_the_middle_of_a_write_gives_way() {
    let Some((store, guard)) = fresh().await else { return };
    let other = another(&guard).await.unwrap();
    other.with_writer(run("SET lock_timeout = '1s'")).await.unwrap();
    store.with_writer(run(TAKE_TURN)).await.unwrap();
    let begun = Instant::now();
    // Nobody is ended at the first look.
    let first = other.write(|_| Ok(())).await;
    assert!(matches!(first, Err(StoreError::Conflict(_))), "{first:?}");
    while let Err(error) = other.write(|_| Ok(())).await {
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(20), "it keeps the turn for ever");
    }
    store.write(|_| Ok(())).await.expect("the one that was left comes back over another session");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_works_keeps_its_turn() {
    let Some((store, guard)) = fresh().await else { return };
    let other = another(&guard).await.unwrap();
    other.with_writer(run("SET lock_timeout = '100ms'")).await.unwrap();
    let (locking, looking) = (plain(guard.0.url()).await, plain(guard.0.url()).await);
    locking.batch_execute("BEGIN; LOCK TABLE paces").await.unwrap();
    let works = tokio::spawn(async move {
        let work = "BEGIN; SELECT pg_advisory_xact_lock(1885630576, 1); DELETE FROM paces; COMMIT";
        store.with_writer(run(work)).await
    });
    until_waiting(&looking, 1).await;
    // Longer than one that was left would keep it.
    for _ in 0..6 {
        let refused = other.write(|_| Ok(())).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    }
    locking.batch_execute("ROLLBACK").await.unwrap();
    works.await.unwrap().expect("it was let alone");
    other.write(|_| Ok(())).await.expect("the turn is free");
}
