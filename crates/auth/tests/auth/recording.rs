//! What the audit log keeps.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_auth::{AuditLog, AuditUnwritten};
use pdpp_contract::access::{
    ActiveHour, AuditActor, AuditChain, AuditEvent, AuditQuery, AuditWord, StoredEvent,
};
use pdpp_contract::ports::Clock;
use pdpp_contract::{ErrorCode, PackageId};
use pdpp_store::audit::AuditStore;
use pdpp_store::{StoreError, StoreResult};
use tokio::sync::Notify;

use crate::bench::{Bench, connection};

#[tokio::test]
async fn everything_recorded_before_a_flush_is_kept_in_order() {
    let bench = Bench::new().await;
    let log = AuditLog::start(bench.store.clone());
    let now = bench.clock.now();
    for records_returned in 1..=1_000 {
        log.record(AuditEvent { records_returned, ..AuditEvent::by_owner(now, "search") }).await;
    }
    log.flush().await.unwrap();
    let query = AuditQuery { limit: 2_000, ..AuditQuery::default() };
    let events = bench.store.audit_events(&query).await.unwrap();
    let counts: Vec<u64> = events.iter().map(|stored| stored.event.records_returned).collect();
    assert_eq!(counts, (1..=1_000).rev().collect::<Vec<u64>>());
    let verdict = bench.store.verify_audit().await.unwrap();
    assert!(matches!(verdict, AuditChain::Intact { events: 1_000, .. }), "{verdict:?}");
}

#[tokio::test]
async fn many_writers_share_one_chain() {
    let bench = Bench::new().await;
    let log = AuditLog::start(bench.store.clone());
    let now = bench.clock.now();
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let log = log.clone();
            tokio::spawn(async move {
                for _ in 0..50 {
                    log.record(AuditEvent::by_owner(now, "fetch")).await;
                }
                log.flush().await.unwrap();
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    bench.issue(&["work-mail"]).await;
    let verdict = bench.store.verify_audit().await.unwrap();
    assert!(matches!(verdict, AuditChain::Intact { events: 401, .. }), "{verdict:?}");
}

#[tokio::test]
async fn an_event_says_who_read_what_and_never_with_which_token() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail/labels"]).await;
    let token = issued.access_token.reveal();
    let access = bench.auth.verify(token).await.unwrap().into_agent().unwrap();
    let log = AuditLog::start(bench.store.clone());
    let event = AuditEvent {
        at: bench.clock.now(),
        actor: AuditActor::Client(access.client().clone()),
        package_id: Some(access.package_id().clone()),
        token_fingerprint: Some(access.token_fingerprint().clone()),
        operation: AuditWord::new("query_records"),
        connection_ids: vec![connection("cin_work")],
        stream: Some("labels".parse().unwrap()),
        records_returned: 0,
        bytes_returned: 0,
        outcome: ErrorCode::GrantStreamNotAllowed.into(),
        request_id: Some("req_1".to_owned()),
    };
    log.record(event.clone()).await;
    log.flush().await.unwrap();
    let claude = Some("claude".parse().unwrap());
    let query = AuditQuery { client: claude, limit: 10, ..AuditQuery::default() };
    let events = bench.store.audit_events(&query).await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].event, event);
    assert!(!format!("{events:?}").contains(token));
}

#[tokio::test]
async fn issuing_is_noted_with_its_package_and_connections() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["home-mail", "work-mail"]).await;
    let query = AuditQuery { limit: 10, ..AuditQuery::default() };
    let events = bench.store.audit_events(&query).await.unwrap();
    let [stored] = events.as_slice() else { panic!("one event") };
    assert_eq!(stored.event.operation.as_str(), "grant_create");
    assert_eq!(stored.event.actor, AuditActor::Owner);
    assert_eq!(stored.event.package_id.as_ref(), Some(&issued.package_id));
    let expected = [connection("cin_home"), connection("cin_work")];
    assert_eq!(stored.event.connection_ids, expected);
}

/// A store whose disk is full for some time.
#[derive(Default)]
struct FullDisk {
    refusals_left: AtomicU32,
    /// Whether the next events are kept and nobody hears of it.
    loses_answer: AtomicBool,
    kept: Mutex<Vec<AuditEvent>>,
    taken: Notify,
}

#[async_trait]
impl AuditStore for FullDisk {
    async fn append_audit(&self, events: Vec<AuditEvent>) -> StoreResult<()> {
        let less = |left: u32| left.checked_sub(1);
        if self.loses_answer.swap(false, Ordering::SeqCst) {
            self.kept.lock().unwrap().extend(events);
            return Err(StoreError::Unavailable("the answer got lost".into()));
        }
        if self.refusals_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok() {
            return Err(StoreError::Full);
        }
        self.kept.lock().unwrap().extend(events);
        self.taken.notify_one();
        Ok(())
    }

    async fn append_audit_again(&self, events: Vec<AuditEvent>) -> StoreResult<()> {
        // A full disk has kept nothing; a lost answer may have kept everything.
        if self.kept.lock().unwrap().ends_with(&events) {
            self.taken.notify_one();
            return Ok(());
        }
        self.append_audit(events).await
    }

    async fn audit_events(&self, _query: &AuditQuery) -> StoreResult<Vec<StoredEvent>> {
        Ok(Vec::new())
    }

    async fn active_hours(
        &self,
        _: Timestamp,
        _: Option<&PackageId>,
    ) -> StoreResult<Vec<ActiveHour>> {
        Ok(Vec::new())
    }

    async fn verify_audit(&self) -> StoreResult<AuditChain> {
        Err(StoreError::Full)
    }
}

#[tokio::test]
async fn events_wait_for_a_full_disk_and_a_flush_does_not() {
    let disk = Arc::new(FullDisk::default());
    disk.refusals_left.store(1, Ordering::SeqCst);
    let log = AuditLog::start(disk.clone());
    let event = AuditEvent::by_owner("2026-03-01T00:00:00Z".parse().unwrap(), "search");
    log.record(event.clone()).await;
    assert_eq!(log.flush().await, Err(AuditUnwritten));
    disk.taken.notified().await;
    assert_eq!(log.flush().await, Ok(()));
    assert_eq!(*disk.kept.lock().unwrap(), [event]);
}

#[tokio::test]
async fn events_whose_answer_got_lost_are_noted_once() {
    let disk = Arc::new(FullDisk::default());
    disk.loses_answer.store(true, Ordering::SeqCst);
    let log = AuditLog::start(disk.clone());
    let event = AuditEvent::by_owner("2026-03-01T00:00:00Z".parse().unwrap(), "search");
    log.record(event.clone()).await;
    disk.taken.notified().await;
    assert_eq!(log.flush().await, Ok(()));
    assert_eq!(*disk.kept.lock().unwrap(), [event]);
}

#[tokio::test]
async fn sixteen_reads_are_admitted_while_the_log_cannot_be_written_and_no_more() {
    let disk = Arc::new(FullDisk::default());
    disk.refusals_left.store(u32::MAX, Ordering::SeqCst);
    let log = AuditLog::start(disk.clone());
    let event = AuditEvent::by_owner("2026-03-01T00:00:00Z".parse().unwrap(), "search");
    log.record(event.clone()).await;
    assert_eq!(log.flush().await, Err(AuditUnwritten), "the log cannot be written");
    for _ in 0..16 {
        let admission = log.admit().await.unwrap();
        log.record_admitted(event.clone(), admission).await;
    }
    assert!(log.admit().await.is_err());
    assert_eq!(log.unwritten(), 17);
    disk.refusals_left.store(0, Ordering::SeqCst);
    disk.taken.notified().await;
    while log.flush().await.is_err() {
        tokio::task::yield_now().await;
    }
    assert_eq!((log.unwritten(), disk.kept.lock().unwrap().len()), (0, 17), "none is lost");
    log.admit().await.unwrap();
}
