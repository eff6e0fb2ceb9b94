//! Time, which never goes back for a store.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{CaseTable, cases};
use pdpp_contract::access::AuditEvent;
use pdpp_store::Store;
use pdpp_store::seen_time::SeenTime;

pub(super) const CASES: CaseTable = cases![
    an_earlier_instant_takes_nothing_back,
    only_a_reset_takes_time_back_and_old_servers_do_not_undo_it,
];

fn at(hour: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(500_000 + hour)
}

fn event(hour: i64) -> AuditEvent {
    AuditEvent::by_owner(at(hour), "search")
}

async fn an_earlier_instant_takes_nothing_back(store: Arc<dyn Store>) {
    let first = store.seen_time().await.unwrap();
    assert!(first.at < at(0) && first.resets == 0, "{first:?}");
    let noted = store.note_time(SeenTime { at: at(5), ..first }).await.unwrap();
    assert_eq!(noted.at, at(5));
    assert_eq!(store.note_time(SeenTime { at: at(4), ..first }).await.unwrap().at, at(5));
    store.append_audit(vec![event(3), event(7), event(6)]).await.unwrap();
    assert_eq!(store.seen_time().await.unwrap().at, at(7), "an event counts too");
    store.append_audit(vec![event(2)]).await.unwrap();
    assert_eq!(store.seen_time().await.unwrap().at, at(7));
}

async fn only_a_reset_takes_time_back_and_old_servers_do_not_undo_it(store: Arc<dyn Store>) {
    let years = 24 * 365 * 5;
    let before = store.seen_time().await.unwrap();
    let ahead = store.note_time(SeenTime { at: at(years), ..before }).await.unwrap();
    store.append_audit(vec![event(years + 1)]).await.unwrap();
    let reset = store.reset_time(at(1), event(1)).await.unwrap();
    assert_eq!(reset, Some(at(years + 1)), "what had been seen");
    let now = store.seen_time().await.unwrap();
    assert_eq!((now.at, now.resets), (at(1), 1));
    // A server that has not heard of it yet.
    let stale = store.note_time(SeenTime { at: at(years + 2), ..ahead }).await.unwrap();
    assert_eq!(stale, now, "it is told");
    store.append_audit(vec![event(years + 2)]).await.unwrap();
    assert_eq!(store.seen_time().await.unwrap(), now);
    // Time goes on from there, and has nothing to be taken back.
    store.append_audit(vec![event(2)]).await.unwrap();
    assert_eq!(store.seen_time().await.unwrap().at, at(2));
    assert_eq!(store.reset_time(at(3), event(3)).await.unwrap(), None);
    assert_eq!(store.seen_time().await.unwrap().resets, 1);
}
