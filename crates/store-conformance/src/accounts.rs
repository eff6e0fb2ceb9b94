//! Accounts that keep themselves current: their runs, their leases, and what a run writes.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use pdpp_store::Store;
use pdpp_store::accounts::sync::{FolderState, ItemNo, SyncCommit, SyncedItem};
use pdpp_store::accounts::{NewAccount, RunCounts, RunEnd, RunFault, RunNo, RunStart};
use pdpp_store::writes::WriteOutcome;

use super::sample::{Account, EMITTED, record_id, stream_name};
use super::{CaseTable, cases};

pub(super) const CASES: CaseTable = cases![
    a_connection_has_one_account,
    an_account_is_run_by_one_at_a_time,
    a_schedule_runs_what_is_due_and_not_paused,
    a_run_leaves_its_outcome,
    records_and_places_are_written_together,
    an_earlier_run_writes_nothing_any_more,
    a_removed_account_leaves_its_records,
    a_removed_connection_takes_its_account_along,
    credentials_are_resealed_all_or_none,
    a_whole_record_has_its_long_texts,
];

fn at(minutes: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_mins(30_000_000 + minutes)
}

async fn add(store: &Arc<dyn Store>, name: &str) -> Account {
    let account = Account::open(store, name).await;
    let new = NewAccount {
        connection: account.id.clone(),
        kind: "imap".to_owned(),
        settings_json: "{}".to_owned(),
        credential: Some(vec![1, 2]),
        every_seconds: 900,
        now: at(0),
    };
    assert!(store.add_account(new).await.unwrap());
    account
}

async fn begin(store: &Arc<dyn Store>, account: &Account, minute: i64) -> Option<RunNo> {
    let start = RunStart { is_scheduled: false, now: at(minute), lease_until: at(minute + 5) };
    store.begin_run(&account.id, start).await.unwrap()
}

fn end(minute: i64) -> RunEnd {
    RunEnd {
        now: at(minute),
        fault: None,
        counts: RunCounts { added: 2, ..RunCounts::default() },
        next_run_at: at(minute + 15),
    }
}

fn item(folder: &str, item: i64, record: &str) -> SyncedItem {
    SyncedItem {
        folder: folder.to_owned(),
        no: ItemNo { epoch: 7, item },
        record_id: record.to_owned(),
        marks: "Seen".to_owned(),
    }
}

async fn a_connection_has_one_account(store: Arc<dyn Store>) {
    assert_eq!(store.accounts().await.unwrap(), []);
    let account = add(&store, "a").await;
    let again = NewAccount {
        connection: account.id.clone(),
        kind: "feed".to_owned(),
        settings_json: "{}".to_owned(),
        credential: None,
        every_seconds: 1,
        now: at(1),
    };
    assert!(!store.add_account(again).await.unwrap());
    let all = store.accounts().await.unwrap();
    let [one] = &all[..] else { panic!("{all:?}") };
    assert_eq!((one.name.as_str(), one.kind.as_str(), one.every_seconds), ("a", "imap", 900));
    assert_eq!((one.is_paused, one.failures, one.next_run_at), (false, 0, at(0)));
    assert!(store.change_account(&account.id, r#"{"a":1}"#, Some(vec![3]), at(4)).await.unwrap());
    let one = store.accounts().await.unwrap().remove(0);
    assert_eq!((one.settings_json.as_str(), one.credential), (r#"{"a":1}"#, Some(vec![3])));
}

async fn an_account_is_run_by_one_at_a_time(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let beginning: Vec<_> = (0..8)
        .map(|_| {
            let (store, id) = (Arc::clone(&store), account.id.clone());
            tokio::spawn(async move {
                let start = RunStart { is_scheduled: true, now: at(1), lease_until: at(6) };
                store.begin_run(&id, start).await.unwrap()
            })
        })
        .collect();
    let mut begun = Vec::new();
    for run in beginning {
        begun.extend(run.await.unwrap());
    }
    let [first] = begun[..] else { panic!("{begun:?}") };
    assert_eq!(begin(&store, &account, 5).await, None, "the lease holds");
    assert!(store.keep_lease(&account.id, first, at(9)).await.unwrap());
    assert_eq!(begin(&store, &account, 8).await, None, "and was prolonged");
    let second = begin(&store, &account, 9).await.expect("it has run out");
    assert!(second > first);
    assert!(!store.keep_lease(&account.id, first, at(20)).await.unwrap());
    assert!(!store.end_run(&account.id, first, end(10)).await.unwrap());
    assert!(store.end_run(&account.id, second, end(10)).await.unwrap());
    assert!(begin(&store, &account, 10).await.is_some(), "nobody holds it");
}

async fn a_schedule_runs_what_is_due_and_not_paused(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let scheduled = async |minute| {
        let start = RunStart { is_scheduled: true, now: at(minute), lease_until: at(minute + 5) };
        store.begin_run(&account.id, start).await.unwrap()
    };
    let run = scheduled(0).await.expect("a new account is due");
    store.end_run(&account.id, run, end(0)).await.unwrap();
    assert_eq!(scheduled(14).await, None);
    assert!(store.pause_account(&account.id, true, at(14)).await.unwrap());
    assert_eq!(scheduled(60).await, None);
    let run = begin(&store, &account, 61).await.expect("the owner may");
    store.end_run(&account.id, run, end(61)).await.unwrap();
    assert!(store.pause_account(&account.id, false, at(62)).await.unwrap());
    assert!(scheduled(62).await.is_some());
}

async fn a_run_leaves_its_outcome(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let start = RunStart { is_scheduled: true, now: at(1), lease_until: at(6) };
    let first = store.begin_run(&account.id, start).await.unwrap().unwrap();
    store.end_run(&account.id, first, end(2)).await.unwrap();
    let second = begin(&store, &account, 3).await.unwrap();
    let fault = RunFault { code: "password".to_owned(), message: "refused".to_owned() };
    let failed = RunEnd { fault: Some(fault.clone()), ..end(4) };
    store.end_run(&account.id, second, failed).await.unwrap();
    let one = store.accounts().await.unwrap().remove(0);
    assert_eq!((one.current_at, one.fresh_at, one.failures), (Some(at(1)), Some(at(1)), 1));
    let third = begin(&store, &account, 20).await.unwrap();
    store.end_run(&account.id, third, end(21)).await.unwrap();
    let one = store.accounts().await.unwrap().remove(0);
    assert_eq!((one.current_at, one.failures), (Some(at(20)), 0));
    assert_eq!(one.fresh_at, Some(at(1)), "only the schedule moves it");
    let runs = store.runs(&account.id, 2).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.run_no).collect::<Vec<_>>(), [third, second]);
    assert_eq!((&runs[1].fault, runs[1].ended_at), (&Some(fault), Some(at(4))));
    assert_eq!(runs[0].counts.added, 2);
}

async fn records_and_places_are_written_together(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let run = begin(&store, &account, 1).await.unwrap();
    let batch = vec![account.prepared("notes", EMITTED, r#"{"id":"1","title":"t"}"#)];
    let state = FolderState { folder: "INBOX".to_owned(), state_json: r#"{"n":1}"#.to_owned() };
    let commit = SyncCommit {
        put: vec![item("INBOX", 2, "1"), item("INBOX", 1, ""), item("Sent", 9, "1")],
        set_states: vec![state.clone()],
        ..SyncCommit::of(run)
    };
    let wrote = store.write_synced(&account.id, batch, commit).await.unwrap().unwrap();
    assert_eq!(wrote.outcomes, [WriteOutcome::Added]);
    assert_eq!(store.folder_states(&account.id).await.unwrap(), [state]);
    let items = store.folder_items(&account.id, "INBOX").await.unwrap();
    assert_eq!(items, [item("INBOX", 1, ""), item("INBOX", 2, "1")]);
    assert_eq!(store.count_items(&account.id, "INBOX", 7).await.unwrap(), 2);
    assert_eq!(store.count_items(&account.id, "INBOX", 8).await.unwrap(), 0);
    let places = store.places_of(&account.id, vec![record_id("1")]).await.unwrap();
    assert_eq!(places, [item("INBOX", 2, "1"), item("Sent", 9, "1")]);
    let numbers = vec![ItemNo { epoch: 7, item: 3 }, ItemNo { epoch: 7, item: 2 }];
    let found = store.find_items(&account.id, "INBOX", numbers).await.unwrap();
    assert_eq!(found, [item("INBOX", 2, "1")]);
    let commit = SyncCommit {
        drop: vec![("INBOX".to_owned(), ItemNo { epoch: 7, item: 1 })],
        drop_states: vec!["INBOX".to_owned()],
        ..SyncCommit::of(run)
    };
    store.write_synced(&account.id, Vec::new(), commit).await.unwrap().unwrap();
    assert_eq!(store.folder_states(&account.id).await.unwrap(), []);
    assert_eq!(store.count_items(&account.id, "INBOX", 7).await.unwrap(), 1);
}

async fn an_earlier_run_writes_nothing_any_more(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let first = begin(&store, &account, 1).await.unwrap();
    begin(&store, &account, 7).await.expect("its lease has run out");
    let batch = vec![account.prepared("notes", EMITTED, r#"{"id":"1"}"#)];
    let commit = SyncCommit { put: vec![item("INBOX", 1, "1")], ..SyncCommit::of(first) };
    assert!(store.write_synced(&account.id, batch, commit).await.unwrap().is_none());
    assert_eq!(store.count_items(&account.id, "INBOX", 7).await.unwrap(), 0);
    let stream = stream_name("notes");
    assert!(store.whole_record(&account.id, &stream, &record_id("1")).await.unwrap().is_none());
}

async fn a_removed_account_leaves_its_records(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let run = begin(&store, &account, 1).await.unwrap();
    let batch = vec![account.prepared("notes", EMITTED, r#"{"id":"1"}"#)];
    let commit = SyncCommit { put: vec![item("INBOX", 1, "1")], ..SyncCommit::of(run) };
    store.write_synced(&account.id, batch, commit).await.unwrap().unwrap();
    assert!(store.remove_account(&account.id).await.unwrap());
    assert!(!store.remove_account(&account.id).await.unwrap());
    assert_eq!(store.accounts().await.unwrap(), []);
    assert_eq!(store.runs(&account.id, 9).await.unwrap(), []);
    assert_eq!(store.count_items(&account.id, "INBOX", 7).await.unwrap(), 0);
    let stream = stream_name("notes");
    assert!(store.whole_record(&account.id, &stream, &record_id("1")).await.unwrap().is_some());
    let late = SyncCommit::of(run);
    assert!(store.write_synced(&account.id, Vec::new(), late).await.unwrap().is_none());
}

async fn a_removed_connection_takes_its_account_along(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let other = add(&store, "b").await;
    store.remove_connection(&account.id, at(3)).await.unwrap().unwrap();
    let left = store.accounts().await.unwrap();
    assert_eq!(left.iter().map(|one| &one.connection).collect::<Vec<_>>(), [&other.id]);
}

async fn credentials_are_resealed_all_or_none(store: Arc<dyn Store>) {
    let (one, other) = (add(&store, "a").await, add(&store, "b").await);
    let pair = |account: &Account, before: u8| (account.id.clone(), vec![before, 2], vec![9]);
    let stale = vec![pair(&one, 1), pair(&other, 5)];
    assert!(!store.reseal_credentials(stale).await.unwrap());
    let kept = store.accounts().await.unwrap().remove(0).credential;
    assert_eq!(kept, Some(vec![1, 2]), "none was replaced");
    assert!(store.reseal_credentials(vec![pair(&one, 1), pair(&other, 1)]).await.unwrap());
    let accounts = store.accounts().await.unwrap();
    assert!(accounts.iter().all(|account| account.credential == Some(vec![9])));
}

async fn a_whole_record_has_its_long_texts(store: Arc<dyn Store>) {
    let account = add(&store, "a").await;
    let body = "é".repeat(9_000);
    account.put("notes", &[format!(r#"{{"id":"1","body":"{body}"}}"#)]).await;
    let stream = stream_name("notes");
    let whole = store.whole_record(&account.id, &stream, &record_id("1")).await.unwrap().unwrap();
    assert_eq!(whole.get("body").and_then(pdpp_contract::Json::as_str), Some(&*body));
    assert!(store.whole_record(&account.id, &stream, &record_id("2")).await.unwrap().is_none());
}
