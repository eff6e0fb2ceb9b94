//! How much of the past is kept, and the room that it leaves.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::sample::Account;
use super::{CaseTable, cases};
use pdpp_contract::access::{AuditChain, AuditEvent};
use pdpp_store::ChangeNo;
use pdpp_store::Store;
use pdpp_store::retention::Compacting;

pub(super) const CASES: CaseTable = cases![
    old_events_go_in_steps_behind_checkpoints,
    a_clock_that_jumped_ahead_makes_one_day,
    changes_are_found_by_the_day_they_were_made_before,
    a_compacted_store_is_whole_and_no_larger,
];

fn day(number: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * (20_000 + number) + 12)
}

fn events(count: i64, number: i64) -> Vec<AuditEvent> {
    let at = |second| day(number) + SignedDuration::from_secs(second);
    (0..count).map(|second| AuditEvent::by_owner(at(second), "search")).collect()
}

async fn old_events_go_in_steps_behind_checkpoints(store: Arc<dyn Store>) {
    store.append_audit(events(6_000, 0)).await.unwrap();
    store.append_audit(events(10, 2)).await.unwrap();
    let (before, now) = (day(1), day(3));
    let first = store.prune_audit(before, now).await.unwrap();
    assert!(first > 0 && first < 6_000, "a step is bounded: {first}");
    assert_eq!(first + store.prune_audit(before, now).await.unwrap(), 6_000);
    assert_eq!(store.prune_audit(before, now).await.unwrap(), 0);
    let chain = store.verify_audit().await.unwrap();
    let AuditChain::Intact { events, pruned: Some(pruned), .. } = chain else {
        panic!("{chain:?}");
    };
    assert_eq!((events, pruned.pruned_events), (12, 6_000), "ten events and two checkpoints");
    assert_eq!(pruned.until, day(0) + SignedDuration::from_secs(5_999));
    let history = store.history().await.unwrap();
    assert_eq!((history.audit_events, history.audit_from), (12, Some(day(2))));
    assert_eq!(history.audit_pruned, Some(pruned));
}

async fn a_clock_that_jumped_ahead_makes_one_day(store: Arc<dyn Store>) {
    for number in [0, 1, 2, 3_000] {
        store.append_audit(events(2, number)).await.unwrap();
    }
    let start = |number| Some(day(number) - SignedDuration::from_hours(12));
    assert_eq!(store.day_seen(0).await.unwrap(), start(3_000));
    assert_eq!(store.day_seen(2).await.unwrap(), start(1));
    assert_eq!(store.day_seen(4).await.unwrap(), None, "there were not so many");
    let reset = AuditEvent::by_owner(day(3), "clock_reset");
    store.reset_time(day(3), reset).await.unwrap();
    assert_eq!(store.day_seen(0).await.unwrap(), start(3), "the wrong one never was");
}

async fn changes_are_found_by_the_day_they_were_made_before(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[r#"{"id":"n1","text":"one"}"#]).await;
    let newest = store.newest_change().await.unwrap();
    assert_eq!(store.change_before(day(9)).await.unwrap(), ChangeNo::NONE, "nothing is known yet");
    store.append_audit(events(1, 5)).await.unwrap();
    assert_eq!(
        store.change_before(day(5)).await.unwrap(),
        ChangeNo::NONE,
        "they may be of that day"
    );
    assert_eq!(store.change_before(day(6)).await.unwrap(), newest);
}

async fn a_compacted_store_is_whole_and_no_larger(store: Arc<dyn Store>) {
    store.append_audit(events(4_900, 0)).await.unwrap();
    store.prune_audit(day(1), day(2)).await.unwrap();
    let before = store.room().await.unwrap();
    store.compact(Compacting::Usual).await.unwrap();
    store.compact(Compacting::Rewrite).await.unwrap();
    let after = store.room().await.unwrap();
    assert!(after.bytes < before.bytes, "{before:?} {after:?}");
    assert!(after.unused_bytes.is_none_or(|unused| unused == 0), "{after:?}");
    assert_eq!(store.history().await.unwrap().audit_events, 1);
}
