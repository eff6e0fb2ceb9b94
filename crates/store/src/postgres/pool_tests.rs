//! Sessions for reading when callers go away: a session counts for as long as somebody works on it.

use std::sync::{Arc, mpsc};
use std::task::{Context, Waker};
use std::time::Duration;

use super::connect::Server;
use super::pool::ReaderPool;
use super::testing::fresh;
use crate::Database;
use crate::error::{StoreError, StoreResult};

const SHORT: Duration = Duration::from_millis(100);
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
