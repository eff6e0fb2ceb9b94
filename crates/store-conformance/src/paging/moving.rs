//! Pages while the records move: what nobody touched is neither lost nor repeated.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::Ask;
use super::super::sample::{Account, between, one};
use super::tied;
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;

pub(super) async fn untouched_records_stay_while_others_come_and_go(store: Arc<dyn Store>) {
    for descending in [false, true] {
        let name = if descending { "d" } else { "a" };
        let account = Account::open(&store, name).await;
        account.put("notes", &tied(40, 4)).await;
        let scope = account.scope("notes");
        let mut ask = Ask::by("at").limit(3);
        ask.descending = descending;
        let (mut seen, mut after, mut turn) = (Vec::new(), None, 0);
        loop {
            let page = ask.page(&store, &scope, after).await;
            seen.extend(page.records.iter().map(|record| record.id.to_string()));
            if !page.has_more {
                break;
            }
            after = page.last;
            turn += 1;
            disturb(&account, turn).await;
        }
        let untouched: Vec<String> =
            (0..40).filter(|n| n % 5 != 0).map(|n| format!("{n:03}")).collect();
        let kept: Vec<String> = seen.into_iter().filter(|id| untouched.contains(id)).collect();
        let mut expected = untouched;
        if descending {
            expected.reverse();
        }
        assert_eq!(kept, expected);
    }
}

/// Adds a record, and changes, moves or removes one of those whose number is divisible by five.
async fn disturb(account: &Account, turn: u32) {
    let added = format!(r#"{{"id":"x{turn}","at":"2026-01-01T{:02}:00:00Z"}}"#, turn % 12);
    account.put("notes", &[added]).await;
    let id = format!("{:03}", (turn % 8) * 5);
    match turn % 3 {
        0 => {
            account.delete("notes", &id).await;
        }
        1 => {
            account.put("notes", &[format!(r#"{{"id":"{id}"}}"#)]).await;
        }
        _ => {
            let moved = format!(r#"{{"id":"{id}","at":"2026-01-01T{:02}:30:00Z"}}"#, turn % 12);
            account.put("notes", &[moved]).await;
        }
    }
}

pub(super) async fn a_page_can_end_at_a_record_that_is_gone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(9, 3)).await;
    account.put("notes", &[r#"{"id":"m1"}"#, r#"{"id":"m2"}"#, r#"{"id":"m3"}"#]).await;
    let scope = account.scope("notes");
    let ask = Ask::by("at").limit(1);
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = ask.page(&store, &scope, after).await;
        let id = page.records[0].id.to_string();
        // Every page's last record is gone before the next page is asked for.
        account.delete("notes", &id).await;
        seen.push(id);
        if !page.has_more {
            break;
        }
        after = page.last;
    }
    let expected =
        ["000", "001", "002", "003", "004", "005", "006", "007", "008", "m1", "m2", "m3"];
    assert_eq!(seen, expected);
}

pub(super) async fn a_page_can_end_at_a_record_that_moved(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(6, 2)).await;
    let scope = account.scope("notes");
    let ask = Ask::by("at").limit(2);
    let first = ask.page(&store, &scope, None).await;
    account.put("notes", &[r#"{"id":"001","at":"2026-01-01T09:00:00Z"}"#]).await;
    let second = ask.page(&store, &scope, first.last).await;
    let ids: Vec<&str> = second.records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["002", "003"], "the page goes on where it was, not where the record went");
}

pub(super) async fn a_page_can_end_at_a_record_that_left_the_view(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(6, 2)).await;
    let mut collection = account.all("notes");
    collection.time = between("at", "2026-01-01", "2026-01-02");
    let scope = one(collection);
    let ask = Ask::by("at").limit(2);
    let first = ask.page(&store, &scope, None).await;
    account.put("notes", &[r#"{"id":"001","at":"2027-01-01T00:00:00Z"}"#]).await;
    let second = ask.page(&store, &scope, first.last).await;
    let ids: Vec<&str> = second.records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["002", "003"]);
}

pub(super) async fn pages_hold_under_a_running_writer(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    a.put("notes", &tied(30, 3)).await;
    b.put("notes", &tied(30, 3)).await;
    let scope = ReadScope::new(vec![a.all("notes"), b.all("notes")]);
    let writer = a.clone();
    let writing = tokio::spawn(async move {
        for turn in 0..40 {
            let at = format!("2026-01-01T{:02}:00:00Z", turn % 10);
            writer.put("notes", &[format!(r#"{{"id":"w{turn}","at":"{at}"}}"#)]).await;
            if turn % 2 == 1 {
                writer.delete("notes", &format!("w{}", turn - 1)).await;
            }
        }
    });
    for _ in 0..4 {
        let mut seen = Ask::by("at").limit(4).places(&store, &scope).await;
        seen.retain(|place| !place.contains("/w"));
        let distinct: BTreeSet<&String> = seen.iter().collect();
        assert_eq!((seen.len(), distinct.len()), (60, 60));
    }
    writing.await.unwrap();
}
