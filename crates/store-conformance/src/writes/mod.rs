//! Writes: what each one does, what it refuses, what a batch undoes.

mod batches;
mod erasing;
mod left_out;
mod visible;

use std::sync::Arc;

use super::sample::{Account, EMITTED, found};
use super::{Ask, CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::writes::{WriteMode, WriteOutcome};

const LATER: &str = "2026-05-01T12:00:00Z";

pub(super) const CASES: CaseTable = cases![
    each_write_says_what_it_did,
    an_unchanged_write_keeps_its_time,
    a_deleted_record_comes_back_under_its_number,
    an_append_only_stream_takes_no_change,
    a_change_leaves_nothing_of_the_old_record,
    a_stream_without_a_declaration_is_refused,
    a_missing_connection_takes_nothing,
    batches::one_refusal_undoes_an_all_or_nothing_batch,
    batches::the_good_records_of_a_batch_can_be_kept,
    batches::a_dry_run_keeps_nothing,
    batches::the_last_record_of_a_key_wins,
    batches::an_empty_batch_is_kept,
    batches::concurrent_writers_lose_nothing,
    batches::concurrent_writers_of_one_key_agree,
    visible::a_change_in_a_hidden_field_shows_nowhere,
    visible::a_change_in_a_visible_field_moves_its_time,
    visible::a_change_behind_a_frozen_time_field_shows_nowhere,
    visible::a_record_that_moves_out_of_the_view_is_gone,
    visible::a_record_that_comes_back_into_the_view_is_new,
    left_out::codes_and_secrets_are_left_out_apart,
    left_out::files_and_a_new_thread_go_with_a_left_out_message,
    left_out::a_left_out_message_that_joins_a_thread_changes_nothing,
    left_out::files_follow_what_their_message_carries_now,
    left_out::stored_records_are_classified_again,
    erasing::an_erased_record_is_gone_and_can_come_back,
    erasing::an_erased_stream_is_empty,
    erasing::an_append_only_record_can_be_erased,
    erasing::the_quarantine_keeps_one_entry_per_place,
];

async fn each_write_says_what_it_did(store: Arc<dyn Store>) {
    use WriteOutcome::{Absent, Added, Changed, Deleted, Unchanged};
    let account = Account::open(&store, "a").await;
    let body = "x".repeat(9_000);
    let long = format!(r#"{{"id":"2","body":"{body}"}}"#);
    let longer = format!(r#"{{"id":"2","body":"{body}y"}}"#);
    let one = r#"{"id":"1","title":"t"}"#.to_owned();
    let respelled = "{ \"title\" : \"\\u0074\", \"id\":\"1\" }".to_owned();
    let steps = [
        (one.clone(), Added),
        (one.clone(), Unchanged),
        (respelled, Unchanged),
        (r#"{"id":"1","title":"u"}"#.to_owned(), Changed),
        (r#"{"id":"1","title":"u","count":1}"#.to_owned(), Changed),
        (r#"{"id":"1","title":"u","count":1.0}"#.to_owned(), Changed),
        (r#"{"id":"1"}"#.to_owned(), Changed),
        (long.clone(), Added),
        (long.clone(), Unchanged),
        (longer, Changed),
        (long, Changed),
    ];
    for (record, expected) in steps {
        assert_eq!(account.put("notes", &[&record]).await, [expected], "{record:.60}");
    }
    assert_eq!(account.delete("notes", "1").await, Deleted);
    assert_eq!(account.delete("notes", "1").await, Absent);
    assert_eq!(account.delete("notes", "never").await, Absent);
    assert_eq!(account.put("notes", &[&one]).await, [Added]);
    Ask::by("at").gives(&store, &account.scope("notes"), &["1", "2"]).await;
}

async fn an_unchanged_write_keeps_its_time(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = r#"{"id":"1","title":"t"}"#;
    account.put("notes", &[record]).await;
    let before = found(&store, &account.scope("notes"), "1").await.unwrap();
    account.put_at("notes", LATER, &[record]).await;
    let after = found(&store, &account.scope("notes"), "1").await.unwrap();
    assert_eq!((before[0].emitted_at.as_str(), after[0].emitted_at.as_str()), (EMITTED, EMITTED));
    assert_eq!(before[0].record_no, after[0].record_no);
    let versions = store.verify().await.unwrap().versions;
    assert_eq!(versions, 1, "nothing was written");
}

async fn a_deleted_record_comes_back_under_its_number(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = account.scope("notes");
    account.put("notes", &[r#"{"id":"1","at":"2026-01-01"}"#, r#"{"id":"2"}"#]).await;
    let number = found(&store, &scope, "1").await.unwrap()[0].record_no;
    for turn in 0..3 {
        account.delete("notes", "1").await;
        Ask::by("at").gives(&store, &scope, &["2"]).await;
        account.put("notes", &[format!(r#"{{"id":"1","count":{turn}}}"#)]).await;
        account.put("notes", &[format!(r#"{{"id":"new{turn}","at":"2026-01-01"}}"#)]).await;
        assert_eq!(found(&store, &scope, "1").await.unwrap()[0].record_no, number);
        account.delete("notes", &format!("new{turn}")).await;
    }
    Ask::by("at").gives(&store, &scope, &["1", "2"]).await;
}

async fn an_append_only_stream_takes_no_change(store: Arc<dyn Store>) {
    use WriteOutcome::{Absent, Added, RefusedAppendOnly, Unchanged};
    let account = Account::open(&store, "a").await;
    let record = r#"{"id":"1","at":"2026-01-01","text":"kept"}"#;
    assert_eq!(account.put("log", &[record]).await, [Added]);
    assert_eq!(account.put_at("log", LATER, &[record]).await, [Unchanged]);
    let changed = account.prepared("log", LATER, r#"{"id":"1","text":"other"}"#);
    let outcome = account.write(vec![changed], WriteMode::KeepGood).await;
    assert_eq!((outcome.outcomes, outcome.kept), (vec![RefusedAppendOnly], true));
    assert_eq!(account.delete("log", "1").await, RefusedAppendOnly);
    assert_eq!(account.delete("log", "2").await, Absent);
    let records = found(&store, &account.scope("log"), "1").await.unwrap();
    assert_eq!(records[0].data["text"].as_str(), Some("kept"));
    Ask::by("at").gives(&store, &account.scope("log"), &["1"]).await;
}

async fn a_change_leaves_nothing_of_the_old_record(store: Arc<dyn Store>) {
    use pdpp_contract::declaration::FieldKind::String as Text;
    let account = Account::open(&store, "a").await;
    let scope = account.scope("notes");
    let body = "x".repeat(9_000);
    let old = format!(r#"{{"id":"1","at":"2026-01-01","kind":"old","body":"{body}","title":"t"}}"#);
    account.put("notes", &[old.as_str(), r#"{"id":"2","at":"2026-01-02"}"#]).await;
    account.put("notes", &[r#"{"id":"1","at":"2026-01-03","kind":"new"}"#]).await;
    Ask::by("at").gives(&store, &scope, &["2", "1"]).await;
    Ask::by("at").only(super::equals(Text, "kind", "old")).gives(&store, &scope, &[]).await;
    Ask::by("at").only(super::equals(Text, "kind", "new")).gives(&store, &scope, &["1"]).await;
    Ask::by("at").only(super::equals(Text, "body", &body)).gives(&store, &scope, &[]).await;
    let record = &found(&store, &scope, "1").await.unwrap()[0];
    assert_eq!(record.data.keys().collect::<Vec<_>>(), ["at", "id", "kind"]);
    assert!(record.long.is_empty());
}

async fn a_stream_without_a_declaration_is_refused(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let mut stray = account.prepared("notes", EMITTED, r#"{"id":"1"}"#);
    stray.stream = super::sample::stream_name("nowhere");
    let good = account.prepared("notes", EMITTED, r#"{"id":"2"}"#);
    let outcome = account.write(vec![stray, good], WriteMode::KeepGood).await;
    assert_eq!(outcome.outcomes, [WriteOutcome::RefusedUnknownStream, WriteOutcome::Added]);
    Ask::by("at").gives(&store, &account.scope("notes"), &["2"]).await;
}

async fn a_missing_connection_takes_nothing(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let nobody = pdpp_contract::ConnectionId::new("cin_nobody").unwrap();
    let batch = vec![account.prepared("notes", EMITTED, r#"{"id":"1"}"#)];
    let outcome = store.write_records(&nobody, batch, WriteMode::KeepGood).await.unwrap();
    assert_eq!(outcome, None);
    Ask::by("at").gives(&store, &account.scope("notes"), &[]).await;
}
