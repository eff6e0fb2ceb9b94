//! Turns of the session that writes: nobody waits for ever, and a check tells work from silence.

use std::sync::mpsc;
use std::time::Duration;

use pdpp_testkit::postgres::{plain, until_waiting};

use crate::error::StoreError;
use crate::maintenance::Maintenance;
use crate::postgres::Backend;
use crate::postgres::spawn;
use crate::postgres::testing::{fresh, fresh_with};

/// How long a turn is waited for here.
const SHORT: Duration = Duration::from_millis(200);
/// The same where somebody opens a session meanwhile.
const LONGER: Duration = Duration::from_secs(1);

/// Whether the turn is refused, after the wait.
async fn is_busy(store: &Backend) -> bool {
    matches!(store.with_writer(|_| Ok(())).await, Err(StoreError::Unavailable(_)))
}

#[tokio::test]
async fn a_turn_that_does_not_come_is_refused_and_shows_in_the_check() {
    let Some((store, _kept)) = fresh_with(SHORT).await else { return };
    let (begun, has_begun) = mpsc::channel();
    let (end, may_end) = mpsc::channel::<()>();
    let writer = store.writer.clone();
    let long = tokio::spawn(spawn(move || {
        writer.with(|_| {
            begun.send(()).unwrap();
            may_end.recv().unwrap();
            Ok(())
        })
    }));
    spawn(move || has_begun.recv().map_err(StoreError::unavailable)).await.unwrap();
    store.check_writing().await.unwrap();
    assert!(is_busy(&store).await);
    // The server waits for its next statement all the while.
    let silent = store.check_writing().await;
    let Err(StoreError::Unavailable(cause)) = silent else { panic!("{silent:?}") };
    assert!(cause.to_string().contains("does not answer"), "{cause}");

    end.send(()).unwrap();
    long.await.unwrap().unwrap();
    assert!(!is_busy(&store).await);
    store.check_writing().await.unwrap();
}

#[tokio::test]
async fn a_long_write_is_no_silence() {
    let Some((store, kept)) = fresh_with(LONGER).await else { return };
    let beside = plain(kept.0.url()).await;
    beside.batch_execute("BEGIN; LOCK TABLE paces").await.unwrap();
    let writer = store.writer.clone();
    let (begun, has_begun) = mpsc::channel();
    let long = tokio::spawn(spawn(move || {
        writer.with(|db| {
            begun.send(()).unwrap();
            db.execute_batch("DELETE FROM paces").map_err(crate::postgres::errors::from_driver)
        })
    }));
    spawn(move || has_begun.recv().map_err(StoreError::unavailable)).await.unwrap();
    // Longer than a silent one would be let alone.
    for _ in 0..4 {
        assert!(is_busy(&store).await);
    }
    store.check_writing().await.unwrap();
    beside.batch_execute("ROLLBACK").await.unwrap();
    long.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_long_write_of_whoever_has_the_store_alone_is_no_silence() {
    let Some((store, kept)) = fresh_with(LONGER).await else { return };
    let beside = plain(kept.0.url()).await;
    beside.batch_execute("BEGIN; LOCK TABLE paces").await.unwrap();
    let (writer, presence) = (store.writer.clone(), store.presence());
    let long = tokio::spawn(spawn(move || {
        writer.with(|db| {
            presence.begin_alone(db)?;
            db.execute_batch("DELETE FROM paces").map_err(crate::postgres::errors::from_driver)
        })
    }));
    until_waiting(&plain(kept.0.url()).await, 1).await;
    // Nobody else may open the store, and longer than a silent one would be let alone.
    for _ in 0..5 {
        assert!(is_busy(&store).await);
    }
    beside.batch_execute("ROLLBACK").await.unwrap();
    long.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_check_replaces_a_session_that_has_ended() {
    let Some((store, kept)) = fresh().await else { return };
    let beside = plain(kept.0.url()).await;
    let end = "SELECT pg_terminate_backend(pid)
                 FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
    beside.query(end, &[]).await.unwrap();
    store.check_writing().await.unwrap();
    store.with_writer(|_| Ok(())).await.unwrap();
}
