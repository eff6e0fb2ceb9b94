//! What servers tell each other about callers.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{CaseTable, cases};
use pdpp_contract::access::Taken;
use pdpp_store::Store;

pub(super) const CASES: CaseTable = cases![
    what_servers_took_adds_up_and_runs_off,
    callers_and_limits_are_counted_apart_and_forgotten_when_full,
];

fn taken(limit: &'static str, caller: &str, seconds: i64) -> Taken {
    Taken { limit, caller: caller.to_owned(), micros: seconds * 1_000_000 }
}

async fn full_after(store: &Arc<dyn Store>, taken: Vec<Taken>, now: Timestamp) -> Vec<i64> {
    let micros = store.add_taken(taken, now).await.unwrap();
    micros.into_iter().map(|micros| micros / 1_000_000).collect()
}

async fn what_servers_took_adds_up_and_runs_off(store: Arc<dyn Store>) {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(500_000);
    let later = |seconds| now + SignedDuration::from_secs(seconds);
    assert_eq!(full_after(&store, vec![taken("ask", "a", 10)], now).await, [10]);
    assert_eq!(full_after(&store, vec![taken("ask", "a", 5)], later(1)).await, [14]);
    assert_eq!(full_after(&store, vec![taken("ask", "a", -5)], later(1)).await, [9], "given back");
    assert_eq!(full_after(&store, vec![taken("ask", "a", 0)], later(60)).await, [0]);
    assert_eq!(full_after(&store, vec![taken("ask", "a", 3)], later(60)).await, [3], "no credit");
}

async fn callers_and_limits_are_counted_apart_and_forgotten_when_full(store: Arc<dyn Store>) {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(500_000);
    let both = vec![taken("ask", "a", 10), taken("call", "a", 20), taken("ask", "b", 30)];
    assert_eq!(full_after(&store, both, now).await, [10, 20, 30]);
    let later = now + SignedDuration::from_secs(15);
    store.forget_full(later).await.unwrap();
    let asked = vec![taken("ask", "b", 0), taken("call", "a", 0), taken("ask", "a", 0)];
    assert_eq!(full_after(&store, asked, later).await, [15, 5, 0]);
}
