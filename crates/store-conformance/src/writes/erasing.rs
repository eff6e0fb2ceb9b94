//! Erasing records for good, and the quarantine of what could not be taken.

use std::sync::Arc;

use pdpp_contract::import::{Rejected, RejectedItem};
use pdpp_contract::{ConnectionId, ErrorCode};

use super::super::Ask;
use super::super::sample::{Account, found, record_id, stream_name, time};
use pdpp_store::Store;
use pdpp_store::writes::WriteOutcome;

const NOW: &str = "2026-06-01T00:00:00Z";

pub(super) async fn an_erased_record_is_gone_and_can_come_back(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let body = "x".repeat(9_000);
    let record = format!(r#"{{"id":"1","body":"{body}"}}"#);
    for account in [&a, &b] {
        account.put("notes", &[record.as_str(), r#"{"id":"2"}"#]).await;
        account.put("titles", &[r#"{"id":"1","title":"t"}"#]).await;
    }
    let number = found(&store, &a.scope("notes"), "1").await.unwrap()[0].record_no;
    let notes = stream_name("notes");
    assert!(store.erase_record(&a.id, &notes, &record_id("1"), time(NOW)).await.unwrap());
    assert!(!store.erase_record(&a.id, &notes, &record_id("1"), time(NOW)).await.unwrap());
    assert!(!store.erase_record(&a.id, &notes, &record_id("9"), time(NOW)).await.unwrap());
    let nowhere = stream_name("nowhere");
    assert!(!store.erase_record(&a.id, &nowhere, &record_id("2"), time(NOW)).await.unwrap());
    Ask::by("at").gives(&store, &a.scope("notes"), &["2"]).await;
    Ask::by("at").gives(&store, &b.scope("notes"), &["1", "2"]).await;
    Ask::by("title").gives(&store, &a.scope("titles"), &["1"]).await;
    assert_eq!(a.put("notes", &[record]).await, [WriteOutcome::Added]);
    assert_eq!(found(&store, &a.scope("notes"), "1").await.unwrap()[0].record_no, number);
}

pub(super) async fn an_erased_stream_is_empty(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = "x".repeat(9_000);
    let record = |n: u32| format!(r#"{{"id":"{n}","body":"{body}"}}"#);
    account.put("notes", &(0..7).map(record).collect::<Vec<_>>()).await;
    account.put("titles", &[r#"{"id":"1","title":"t"}"#]).await;
    account.delete("notes", "3").await;
    let notes = stream_name("notes");
    assert_eq!(store.erase_stream(&account.id, &notes, time(NOW)).await.unwrap(), 6);
    assert_eq!(store.erase_stream(&account.id, &notes, time(NOW)).await.unwrap(), 0);
    let nowhere = stream_name("nowhere");
    assert_eq!(store.erase_stream(&account.id, &nowhere, time(NOW)).await.unwrap(), 0);
    Ask::by("at").gives(&store, &account.scope("notes"), &[]).await;
    Ask::by("title").gives(&store, &account.scope("titles"), &["1"]).await;
    assert_eq!(store.verify().await.unwrap().texts, 0);
    account.put("notes", &[record(1)]).await;
    Ask::by("at").gives(&store, &account.scope("notes"), &["1"]).await;
}

/// The owner's wish stands above the stream's own rule.
pub(super) async fn an_append_only_record_can_be_erased(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("log", &[r#"{"id":"1","text":"a"}"#, r#"{"id":"2","text":"b"}"#]).await;
    let log = stream_name("log");
    assert!(store.erase_record(&account.id, &log, &record_id("1"), time(NOW)).await.unwrap());
    Ask::by("at").gives(&store, &account.scope("log"), &["2"]).await;
    assert_eq!(store.erase_stream(&account.id, &log, time(NOW)).await.unwrap(), 1);
}

pub(super) async fn the_quarantine_keeps_one_entry_per_place(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let item = |source: &str, position: u64| RejectedItem {
        source: source.to_owned(),
        position,
        rejected: Rejected::new(ErrorCode::ALL[0], "cannot be read", b"\xff\x00 not text"),
    };
    let items = vec![item("mail.mbox", 1), item("mail.mbox", 2), item("other.mbox", 1)];
    for _ in 0..2 {
        store.quarantine(&a.id, items.clone(), time(NOW)).await.unwrap();
        assert_eq!(store.quarantined(&a.id).await.unwrap(), 3);
    }
    store
        .quarantine(&a.id, vec![item("mail.mbox", 2), item("mail.mbox", 3)], time(NOW))
        .await
        .unwrap();
    assert_eq!(store.quarantined(&a.id).await.unwrap(), 4);
    assert_eq!(store.quarantined(&b.id).await.unwrap(), 0);
    items_come_back_and_go_by_number(&store, &a.id, &b.id).await;
    store.remove_connection(&a.id, time(NOW)).await.unwrap();
    assert_eq!(store.quarantined(&a.id).await.unwrap(), 0);
}

async fn items_come_back_and_go_by_number(
    store: &Arc<dyn Store>,
    owner: &ConnectionId,
    other: &ConnectionId,
) {
    let held = store.list_quarantine(owner, 0, 3).await.unwrap();
    let last = held[2].number;
    assert!(held.windows(2).all(|pair| pair[0].number < pair[1].number));
    assert_eq!(held[0].item.rejected.item, b"\xff\x00 not text");
    assert_eq!(store.list_quarantine(owner, last, 3).await.unwrap().len(), 1);
    assert_eq!(store.list_quarantine(other, 0, 3).await.unwrap(), []);
    // Kept again, an item has a new number: the old one lets nothing go.
    store.quarantine(owner, vec![held[0].item.clone()], time(NOW)).await.unwrap();
    let numbers = vec![held[0].number, held[1].number];
    assert_eq!(store.release_quarantine(other, numbers.clone()).await.unwrap(), 0);
    assert_eq!(store.release_quarantine(owner, numbers).await.unwrap(), 1);
    assert_eq!(store.quarantined(owner).await.unwrap(), 3);
}
