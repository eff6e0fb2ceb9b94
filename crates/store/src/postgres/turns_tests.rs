//! Who keeps the turn to write without using it loses it; who uses it keeps it.

use std::time::{Duration, Instant};

use super::driver::Connection;
use super::errors::from_driver;
use super::testing::{another, fresh};
use crate::error::{StoreError, StoreResult};

const TAKE_TURN: &str = "BEGIN; SELECT pg_advisory_xact_lock(1885630576, 1)";

fn run(sql: &'static str) -> impl FnOnce(&mut Connection) -> StoreResult<()> {
    move |db| db.execute_batch(sql).map_err(from_driver)
}

#[tokio::test]
async fn a_session_that_was_left_in_the_middle_of_a_write_gives_way() {
    let Some((store, guard)) = fresh().await else { return };
    store.with_writer(run(TAKE_TURN)).await.unwrap();
    let other = another(&guard).await.unwrap();
    other.with_writer(run("SET lock_timeout = '100ms'")).await.unwrap();
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
    store.with_writer(run(TAKE_TURN)).await.unwrap();
    let works = store.with_writer(run("SELECT pg_sleep(1.5); COMMIT"));
    let waits = async {
        let mut refused = 0;
        while other.write(|_| Ok(())).await.is_err() {
            refused += 1;
        }
        refused
    };
    let (worked, refused) = tokio::join!(works, waits);
    worked.expect("it was let alone");
    assert!(refused >= 5, "others were refused {refused} times meanwhile");
}
