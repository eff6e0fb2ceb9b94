//! Sessions for reading when callers go away: a session counts for as long as somebody works on it.

use std::sync::{Arc, mpsc};
use std::task::{Context, Waker};
use std::time::Duration;

use pdpp_testkit::postgres::{plain, until_waiting};

use crate::Database;
use crate::error::{StoreError, StoreResult};
use crate::postgres::connection::Server;
use crate::postgres::connection::pool::ReaderPool;
use crate::postgres::testing::fresh;

const COUNT_PACES: &str = "SELECT count(*) FROM paces";
const SHORT: Duration = Duration::from_millis(100);
const SOON: Duration = Duration::from_secs(10);
const LONG: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_read_that_nobody_waits_for_keeps_its_place_until_it_ends() {
    let Some((_store, kept)) = fresh().await else { return };
    let server = Server::parse(&Database::new(kept.0.url())).unwrap();
    let pool = Arc::new(ReaderPool::new(server, 1));
    let (begun, has_begun) = mpsc::channel();
    let (end, may_end) = mpsc::channel::<()>();
    let mut read = Box::pin(ReaderPool::lend(&pool, LONG, move |_| {
        begun.send(()).unwrap();
        may_end.recv().unwrap();
        Ok(())
    }));
    assert!(read.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    has_begun.recv().unwrap();
    drop(read);
    assert_eq!(pool.free(), 0, "its session is still at work");
    let next = ReaderPool::lend(&pool, SHORT, |_| Ok(())).await;
    assert!(matches!(next, Err(StoreError::Unavailable(_))), "{next:?}");

    end.send(()).unwrap();
    ReaderPool::lend(&pool, LONG, |_| StoreResult::Ok(())).await.unwrap();
    assert_eq!((pool.free(), pool.idle()), (1, 1), "one session, used again");
}

#[tokio::test]
async fn a_read_that_nobody_waits_for_ends_at_the_server_too() {
    let Some((_store, kept)) = fresh().await else { return };
    let (locking, looking) = (plain(kept.0.url()).await, plain(kept.0.url()).await);
    locking.batch_execute("BEGIN; LOCK TABLE paces").await.unwrap();
    let server = Server::parse(&Database::new(kept.0.url())).unwrap();
    let pool = Arc::new(ReaderPool::new(server, 1));
    let mut read = Box::pin(ReaderPool::run(&pool, LONG, |db| {
        db.execute_batch(COUNT_PACES).map_err(crate::postgres::errors::from_driver)
    }));
    assert!(read.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    until_waiting(&looking, 1).await;
    drop(read);
    ReaderPool::run(&pool, SOON, |_| Ok(())).await.expect("its place is free");
    until_waiting(&looking, 0).await;
    assert_eq!(pool.idle(), 1, "a new session took its place");
}

#[tokio::test]
async fn a_read_whose_time_is_over_ends_at_the_server_too() {
    let Some((_store, kept)) = fresh().await else { return };
    let (locking, looking) = (plain(kept.0.url()).await, plain(kept.0.url()).await);
    locking.batch_execute("BEGIN; LOCK TABLE paces").await.unwrap();
    let server = Server::parse(&Database::new(kept.0.url())).unwrap();
    let pool = Arc::new(ReaderPool::new(server, 1));
    ReaderPool::run(&pool, LONG, |_| Ok(())).await.unwrap();
    // The server gives every statement its own time: the last one may have nearly all of it left.
    let read = ReaderPool::run(&pool, SHORT, |db| {
        db.execute_batch(COUNT_PACES).map_err(crate::postgres::errors::from_driver)
    });
    let late = read.await;
    assert!(matches!(late, Err(StoreError::DeadlineExceeded)), "{late:?}");
    until_waiting(&looking, 0).await;
    ReaderPool::run(&pool, SOON, |_| Ok(())).await.expect("its place is free");
}
