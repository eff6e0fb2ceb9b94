//! Batches: one transaction each, alone or beside others.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::Ask;
use super::super::sample::{Account, EMITTED, found};
use super::LATER;
use pdpp_store::RecordNo;
use pdpp_store::Store;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::WriteMode;
use pdpp_store::writes::WriteOutcome::{
    Added, Changed, Deleted, RefusedAppendOnly, RefusedUnknownStream, Unchanged,
};

/// A batch with two refusals among writes of every kind.
async fn mixed(account: &Account) -> Vec<PreparedRecord> {
    account.put("log", &[r#"{"id":"l1","text":"kept"}"#]).await;
    account.put("notes", &[r#"{"id":"1","title":"a"}"#, r#"{"id":"2"}"#, r#"{"id":"3"}"#]).await;
    let note = |record: &str| account.prepared("notes", LATER, record);
    let mut stray = note(r#"{"id":"9"}"#);
    stray.stream = super::super::sample::stream_name("nowhere");
    let body = "x".repeat(9_000);
    vec![
        note(r#"{"id":"1","title":"b"}"#),
        account.prepared("log", LATER, r#"{"id":"l1","text":"other"}"#),
        account.deletion("notes", "2"),
        note(r#"{"id":"3"}"#),
        stray,
        note(&format!(r#"{{"id":"4","new_field":1,"body":"{body}"}}"#)),
        account.prepared("log", LATER, r#"{"id":"l2"}"#),
    ]
}

const OUTCOMES: [pdpp_store::writes::WriteOutcome; 7] =
    [Changed, RefusedAppendOnly, Deleted, Unchanged, RefusedUnknownStream, Added, Added];

/// Asserts that the store is as it was before the mixed batch.
async fn assert_untouched(account: &Account) {
    let scope = account.scope("notes");
    Ask::by("at").gives(&account.store, &scope, &["1", "2", "3"]).await;
    Ask::by("at").gives(&account.store, &account.scope("log"), &["l1"]).await;
    let record = &found(&account.store, &scope, "1").await.unwrap()[0];
    assert_eq!(record.data["title"].as_str(), Some("a"));
    assert_eq!(record.emitted_at, EMITTED);
    let report = account.store.verify().await.unwrap();
    assert_eq!((report.records, report.versions, report.texts), (4, 4, 0));
}

pub(super) async fn one_refusal_undoes_an_all_or_nothing_batch(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let batch = mixed(&account).await;
    let outcome = account.write(batch, WriteMode::AllOrNothing).await;
    assert_eq!((outcome.outcomes.as_slice(), outcome.kept), (&OUTCOMES[..], false));
    assert_untouched(&account).await;
    // What was undone leaves no trace: the same keys and fields can be written again.
    account.put("notes", &[r#"{"id":"4","new_field":1}"#, r#"{"id":"5","other":2}"#]).await;
    Ask::by("at").gives(&store, &account.scope("notes"), &["1", "2", "3", "4", "5"]).await;
}

pub(super) async fn the_good_records_of_a_batch_can_be_kept(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let batch = mixed(&account).await;
    let outcome = account.write(batch, WriteMode::KeepGood).await;
    assert_eq!((outcome.outcomes.as_slice(), outcome.kept), (&OUTCOMES[..], true));
    Ask::by("at").gives(&store, &account.scope("notes"), &["1", "3", "4"]).await;
    Ask::by("at").gives(&store, &account.scope("log"), &["l1", "l2"]).await;
    let log = &found(&store, &account.scope("log"), "l1").await.unwrap()[0];
    assert_eq!(log.data["text"].as_str(), Some("kept"));
    let note = &found(&store, &account.scope("notes"), "1").await.unwrap()[0];
    assert_eq!((note.data["title"].as_str(), note.emitted_at.as_str()), (Some("b"), LATER));
}

pub(super) async fn a_dry_run_keeps_nothing(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let batch = mixed(&account).await;
    let outcome = account.write(batch, WriteMode::DryRun).await;
    assert_eq!((outcome.outcomes.as_slice(), outcome.kept), (&OUTCOMES[..], false));
    assert_untouched(&account).await;
}

pub(super) async fn the_last_record_of_a_key_wins(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let note = |record: &str| account.prepared("notes", EMITTED, record);
    let batch = vec![
        note(r#"{"id":"1","title":"first"}"#),
        note(r#"{"id":"1","title":"first"}"#),
        note(r#"{"id":"1","title":"second"}"#),
        account.deletion("notes", "1"),
        note(r#"{"id":"1","title":"third"}"#),
        note(r#"{"id":"2","title":"gone"}"#),
        account.deletion("notes", "2"),
    ];
    let outcome = account.write(batch, WriteMode::AllOrNothing).await;
    assert_eq!(outcome.outcomes, [Added, Unchanged, Changed, Deleted, Added, Added, Deleted]);
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["1"]).await;
    let record = &found(&store, &scope, "1").await.unwrap()[0];
    assert_eq!(record.data["title"].as_str(), Some("third"));
}

pub(super) async fn an_empty_batch_is_kept(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let outcome = account.write(Vec::new(), WriteMode::AllOrNothing).await;
    assert!(outcome.kept && outcome.outcomes.is_empty());
}

pub(super) async fn concurrent_writers_lose_nothing(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let writers: Vec<_> = (0..8_u32)
        .map(|writer| {
            let account = account.clone();
            tokio::spawn(async move {
                for turn in 0..6 {
                    let record = |n: u32| {
                        format!(r#"{{"id":"{writer}-{turn}-{n}","count":{n},"f{writer}":{turn}}}"#)
                    };
                    let records: Vec<String> = (0..5).map(record).collect();
                    assert_eq!(account.put("notes", &records).await, [Added; 5]);
                    account.delete("notes", &format!("{writer}-{turn}-0")).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let scope = account.scope("notes");
    let records = Ask::by("at").limit(50).records(&store, &scope).await;
    let numbers: BTreeSet<RecordNo> = records.iter().map(|record| record.record_no).collect();
    assert_eq!((records.len(), numbers.len()), (192, 192), "8 writers × 6 turns × 4 records");
    assert_eq!(Ask::by("count").count(&store, &scope).await, 192);
    let report = store.verify().await.unwrap();
    assert_eq!((report.records, report.versions), (192, 288), "every change has its own number");
    assert_eq!(report.faults, Vec::<String>::new());
}

pub(super) async fn concurrent_writers_of_one_key_agree(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let writers: Vec<_> = (0..8_u32)
        .map(|writer| {
            let account = account.clone();
            tokio::spawn(async move {
                let record = format!(r#"{{"id":"1","count":{writer},"kind":"k{writer}"}}"#);
                account.put("notes", &[record]).await[0]
            })
        })
        .collect();
    let mut added = 0;
    for writer in writers {
        added += usize::from(writer.await.unwrap() == Added);
    }
    assert_eq!(added, 1, "one writer adds the record, the others change it");
    let scope = account.scope("notes");
    let record = &found(&store, &scope, "1").await.unwrap()[0];
    let last = record.data["count"].to_canonical();
    let kind = super::super::equals(
        pdpp_contract::declaration::FieldKind::String,
        "kind",
        &format!("k{last}"),
    );
    Ask::by("count").only(kind).gives(&store, &scope, &["1"]).await;
}
