//! What the audit chain notices.

use pdpp_contract::ErrorCode;

use super::backend::testing::{ODD_EDITS, fresh};
use super::*;
use crate::maintenance::retention::{RetentionStore, StorageUsage};
use pdpp_contract::access::{
    AuditActor, AuditChain, AuditCheckpoint, AuditEvent, AuditQuery, TokenFingerprint,
};

struct Bench<G> {
    store: Backend,
    _guard: G,
}

impl Bench<()> {
    async fn new() -> Option<Bench<impl Sized>> {
        let (store, guard) = fresh().await?;
        Some(Bench { store, _guard: guard })
    }

    /// A store whose log holds `count` events, written in batches of two.
    async fn with_events(count: u64) -> Option<Bench<impl Sized>> {
        let bench = Self::new().await?;
        let events: Vec<AuditEvent> = (1..=count).map(event).collect();
        for batch in events.chunks(2) {
            bench.store.append_audit(batch.to_vec()).await.unwrap();
        }
        Some(bench)
    }
}

impl<G> Bench<G> {
    /// Changes the log behind the store's back.
    async fn edit(&self, sql: &str) {
        let edit = sql.to_owned();
        let changed = self.store.write(move |db| db.execute(&edit, []).map_err(from_driver)).await;
        assert!(changed.unwrap() > 0, "{sql} changed nothing");
    }

    async fn verdict(&self) -> AuditChain {
        self.store.verify_audit().await.unwrap()
    }
}

fn event(number: u64) -> AuditEvent {
    let second = i64::try_from(number).unwrap();
    let at = jiff::Timestamp::from_second(1_770_000_000 + second).unwrap();
    AuditEvent {
        actor: AuditActor::Client("claude".parse().unwrap()),
        package_id: Some("pkg_1".parse().unwrap()),
        token_fingerprint: TokenFingerprint::parse("0123456789ab"),
        connection_ids: vec!["cin_1".parse().unwrap(), "cin_2".parse().unwrap()],
        stream: Some("messages".parse().unwrap()),
        records_returned: number,
        bytes_returned: 100 * number,
        request_id: Some(format!("req_{number}")),
        ..AuditEvent::by_owner(at, "search")
    }
}

#[tokio::test]
async fn a_list_that_is_given_again_stands_in_the_log_once() {
    let Some(bench) = Bench::with_events(6).await else { return };
    let given = |numbers: &[u64]| numbers.iter().copied().map(event).collect::<Vec<_>>();
    let again = async |numbers: &[u64]| {
        bench.store.append_audit_again(given(numbers)).await.unwrap();
        let AuditChain::Intact { events, .. } = bench.verdict().await else { panic!("broken") };
        events
    };
    for kept in [&[1, 2][..], &[3, 4], &[5, 6], &[2, 3, 4], &[6], &[]] {
        assert_eq!(again(kept).await, 6, "{kept:?}");
    }
    let changed = AuditEvent { records_returned: 0, ..event(6) };
    bench.store.append_audit_again(vec![event(5), changed]).await.unwrap();
    assert_eq!(again(&[5, 6, 7]).await, 11, "only a part of it is there");
    assert_eq!(again(&[5, 6, 7]).await, 11);
}

#[tokio::test]
async fn an_untouched_chain_is_intact_and_ends_at_its_last_event() {
    let Some(empty) = Bench::new().await else { return };
    let expected = AuditChain::Intact { events: 0, pruned: None, head: CHAIN_START };
    assert_eq!(empty.verdict().await, expected);
    let head = (1..=5).fold(CHAIN_START, |hash, number| chain_hash(&event(number), &hash));
    let Some(bench) = Bench::with_events(5).await else { return };
    assert_eq!(bench.verdict().await, AuditChain::Intact { events: 5, pruned: None, head });
}

#[tokio::test]
async fn an_edited_event_is_named_whatever_was_edited() {
    for change in [
        "at = '2020-01-01T00:00:00.000000000Z'",
        "at = 'yesterday'",
        "client = NULL",
        "client = 'gemini'",
        "package_id = NULL",
        "token_fingerprint = 'ffffffffffff'",
        "token_fingerprint = 'no fingerprint'",
        "operation = 'fetch'",
        "connection_ids = '[]'",
        "connection_ids = 'nonsense'",
        "stream = 'orders'",
        "stream = 'a/b'",
        "records_returned = 0",
        "bytes_returned = -1",
        "outcome = 'not_found'",
        "request_id = NULL",
    ]
    .iter()
    .chain(ODD_EDITS)
    {
        let Some(bench) = Bench::with_events(5).await else { return };
        bench.edit(&format!("UPDATE audit_events SET {change} WHERE event_no = 3")).await;
        let verdict = bench.verdict().await;
        assert_eq!(verdict, AuditChain::Broken { event_no: 3 }, "{change}");
    }
}

#[tokio::test]
async fn a_missing_event_is_named_wherever_it_stood() {
    for event_no in [1, 3, 5] {
        let Some(bench) = Bench::with_events(5).await else { return };
        bench.edit(&format!("DELETE FROM audit_events WHERE event_no = {event_no}")).await;
        assert_eq!(bench.verdict().await, AuditChain::Broken { event_no });
    }
}

#[tokio::test]
async fn an_event_slipped_in_at_the_end_is_noticed() {
    let Some(bench) = Bench::with_events(3).await else { return };
    bench.edit("UPDATE audit_head SET event_no = 2").await;
    assert_eq!(bench.verdict().await, AuditChain::Broken { event_no: 3 });
}

#[tokio::test]
async fn a_chain_longer_than_a_page_is_walked_to_its_end() {
    let Some(bench) = Bench::new().await else { return };
    let count = u64::try_from(VERIFY_PAGE).unwrap();
    bench.store.append_audit((1..=count).map(event).collect()).await.unwrap();
    assert!(matches!(bench.verdict().await, AuditChain::Intact { events, .. } if events == count));
    bench.store.append_audit(vec![event(count + 1)]).await.unwrap();
    bench.edit(&format!("DELETE FROM audit_events WHERE event_no = {}", count + 1)).await;
    assert_eq!(bench.verdict().await, AuditChain::Broken { event_no: count + 1 });
}

#[tokio::test]
async fn events_come_back_as_they_were_written_the_newest_first() {
    let Some(bench) = Bench::with_events(4).await else { return };
    let mut refusal = AuditEvent::by_owner(event(9).at, "grant_revoke");
    refusal.outcome = ErrorCode::NotFound.into();
    bench.store.append_audit(vec![refusal.clone()]).await.unwrap();
    let store = &bench.store;
    let page = |query: AuditQuery| async move { store.audit_events(&query).await.unwrap() };
    let all = page(AuditQuery { limit: 10, ..AuditQuery::default() }).await;
    let numbers: Vec<u64> = all.iter().map(|stored| stored.event_no).collect();
    assert_eq!(numbers, [5, 4, 3, 2, 1]);
    assert_eq!(all[0].event, refusal);
    assert_eq!(all[1].event, event(4));
    let claude = AuditQuery {
        client: Some("claude".parse().unwrap()),
        since: Some(event(2).at),
        before: Some(4),
        limit: 10,
        ..AuditQuery::default()
    };
    let numbers: Vec<u64> = page(claude).await.iter().map(|stored| stored.event_no).collect();
    assert_eq!(numbers, [3, 2]);
    assert_eq!(page(AuditQuery::default()).await, []);
}

/// Prunes everything before this event, as one step after another.
async fn prune(store: &Backend, before: u64) -> u64 {
    let mut pruned = 0;
    loop {
        let step = store.prune_audit(event(before).at, event(1_000).at).await.unwrap();
        pruned += step;
        if step == 0 {
            return pruned;
        }
    }
}

#[tokio::test]
async fn a_pruned_log_is_verified_from_its_checkpoint() {
    let Some(bench) = Bench::with_events(9).await else { return };
    assert_eq!(prune(&bench.store, 6).await, 5);
    assert_eq!(prune(&bench.store, 6).await, 0, "nothing twice");
    let hash = (1..=5).fold(CHAIN_START, |hash, number| chain_hash(&event(number), &hash));
    let checkpoint = AuditCheckpoint { pruned_events: 5, until: event(5).at, hash };
    let AuditChain::Intact { events, pruned, .. } = bench.verdict().await else { panic!("broken") };
    assert_eq!((events, pruned), (5, Some(checkpoint)), "four are left, and the checkpoint");
    let history = bench.store.history().await.unwrap();
    assert_eq!((history.audit_events, history.audit_from), (5, Some(event(6).at)));
    // The log goes on, and is pruned again behind a newer checkpoint.
    bench.store.append_audit((1_001..=1_003).map(event).collect()).await.unwrap();
    assert_eq!(prune(&bench.store, 8).await, 2);
    let AuditChain::Intact { events, pruned, .. } = bench.verdict().await else { panic!("broken") };
    assert_eq!((events, pruned.unwrap().pruned_events), (7, 7));
}

#[tokio::test]
async fn nothing_but_a_checkpoint_excuses_a_missing_beginning() {
    for (edit, broken) in [
        ("DELETE FROM audit_events WHERE event_no = 6", 6),
        ("DELETE FROM audit_events WHERE operation = 'audit_pruned'", 1),
        ("UPDATE audit_events SET records_returned = 6 WHERE operation = 'audit_pruned'", 7),
        (
            "UPDATE audit_events SET at = '2020-01-01T00:00:00Z' WHERE operation = 'audit_pruned'",
            10,
        ),
        ("UPDATE audit_events SET request_id = NULL WHERE operation = 'audit_pruned'", 1),
    ] {
        let Some(bench) = Bench::with_events(9).await else { return };
        assert_eq!(prune(&bench.store, 6).await, 5);
        bench.edit(edit).await;
        assert_eq!(bench.verdict().await, AuditChain::Broken { event_no: broken }, "{edit}");
    }
}

#[tokio::test]
async fn an_event_from_a_wrong_clock_neither_goes_early_nor_keeps_the_rest() {
    let Some(bench) = Bench::with_events(4).await else { return };
    // A clock that was years ahead, and right again.
    bench.store.append_audit(vec![event(900_000_000)]).await.unwrap();
    assert_eq!(prune(&bench.store, 5).await, 4, "it is not old itself");
    let Some(bench) = Bench::with_events(4).await else { return };
    let later = vec![event(900_000_000), event(6), event(20)];
    bench.store.append_audit(later).await.unwrap();
    assert_eq!(prune(&bench.store, 10).await, 6, "it goes with the older one behind it");
}

/// What an agent's calls cost on the disk, indexes included.
#[tokio::test]
async fn a_call_adds_a_few_hundred_bytes_to_the_log() {
    const CALLS: u64 = 3_000;
    let Some(bench) = Bench::new().await else { return };
    let before = bench.store.room().await.unwrap().bytes;
    let events: Vec<AuditEvent> = (1..=CALLS).map(event).collect();
    for batch in events.chunks(20) {
        bench.store.append_audit(batch.to_vec()).await.unwrap();
    }
    let each = (bench.store.room().await.unwrap().bytes - before) / CALLS;
    println!("{each} bytes for each call");
    assert!((100..700).contains(&each), "{each}");
}
