//! How much of the past is kept, by the owner's settings and by a server alone.

use jiff::SignedDuration;
use pdpp_auth::{Pruned, PrunedBy, Retention, RetentionPeriod};
use pdpp_contract::access::AuditEvent;
use pdpp_contract::ports::Clock as _;

use crate::bench::Bench;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Uses the store on so many days, one event on each.
async fn live(bench: &Bench, days: u32) {
    for _ in 0..days {
        bench.clock.forward(DAY);
        let event = AuditEvent::by_owner(bench.clock.now(), "search");
        bench.auth.note(event).await.unwrap();
    }
}

async fn kept(bench: &Bench) -> u64 {
    bench.store.history().await.unwrap().audit_events
}

#[tokio::test]
async fn a_server_removes_what_is_older_than_the_settings_keep() {
    let bench = Bench::new().await;
    let days = Retention { audit: RetentionPeriod::Days(40), versions: RetentionPeriod::Forever };
    bench.auth.change_retention(&bench.owner, days).await.unwrap();
    assert_eq!(bench.auth.retention().await.unwrap(), days);
    live(&bench, 50).await;
    let pruned = bench.auth.apply_retention(PrunedBy::Server).await.unwrap();
    // The changed settings, and the first nine days.
    assert_eq!(pruned, Pruned { events: 11, versions: 0 });
    assert_eq!(kept(&bench).await, 42, "forty-one days and the checkpoint");
    assert_eq!(bench.auth.apply_retention(PrunedBy::Server).await.unwrap(), Pruned::default());
}

#[tokio::test]
async fn a_server_removes_replaced_versions_that_are_older_than_the_settings_keep() {
    let bench = Bench::new().await;
    let days = Retention { audit: RetentionPeriod::Forever, versions: RetentionPeriod::Days(40) };
    bench.auth.change_retention(&bench.owner, days).await.unwrap();
    for subject in ["one", "two", "three"] {
        bench.put_message("m1", subject).await;
    }
    live(&bench, 50).await;
    bench.put_message("m1", "four").await;
    let before = bench.store.history().await.unwrap().versions;
    let pruned = bench.auth.apply_retention(PrunedBy::Server).await.unwrap();
    assert!(pruned.versions > 0 && pruned.events == 0, "{pruned:?}");
    let after = bench.store.history().await.unwrap().versions;
    assert_eq!(after, before - pruned.versions);
    assert!(after >= 2, "what is newer stays, and what it replaced until then: {after}");
    assert_eq!(bench.auth.apply_retention(PrunedBy::Server).await.unwrap(), Pruned::default());
}

#[tokio::test]
async fn a_clock_that_jumped_ahead_removes_nothing_by_itself() {
    let bench = Bench::new().await;
    live(&bench, 50).await;
    bench.clock.forward(DAY * 3_000);
    live(&bench, 3).await;
    let pruned = bench.auth.apply_retention(PrunedBy::Server).await.unwrap();
    assert!(pruned.events < 30, "{pruned:?}");
    assert!(kept(&bench).await >= 30, "what a month of use has not passed over stays");
    let asked = bench.auth.apply_retention(PrunedBy::Owner).await.unwrap();
    assert!(asked.events >= 20, "the owner knows what time it is: {asked:?}");
}
