//! What a reader notices of a write: changes it may see, and nothing of the others.

use std::sync::Arc;

use super::super::Ask;
use super::super::sample::{Account, EMITTED, between, fields, finds, found, ids, one};
use super::LATER;
use pdpp_store::RecordNo;
use pdpp_store::Store;
use pdpp_store::records::StoredRecord;
use pdpp_store::scope::ReadScope;

const BETWEEN: &str = "2026-04-15T12:00:00Z";

/// What a reader can compare: everything but what a change may move.
fn seen(record: &StoredRecord) -> (RecordNo, String, String, String) {
    let data = pdpp_contract::Json::Object(record.data.clone()).to_canonical();
    (record.record_no, record.emitted_at.clone(), data, format!("{:?}", record.long))
}

async fn only(store: &Arc<dyn Store>, scope: &ReadScope) -> (RecordNo, String, String, String) {
    let listed = Ask::by("at").records(store, scope).await;
    let single = found(store, scope, "1").await.unwrap();
    assert_eq!(seen(&listed[0]), seen(&single[0]), "the list and the single read agree");
    seen(&single[0])
}

pub(super) async fn a_change_in_a_hidden_field_shows_nowhere(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = "b".repeat(9_000);
    let record = |secret: &str| {
        format!(r#"{{"id":"1","at":"2026-01-01","body":"{body}","secret":"{secret}"}}"#)
    };
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "at", "body"]);
    let narrow = one(collection.clone());
    collection.time = between("at", "2026-01-01", "2026-02-01");
    let limited = one(collection.clone());
    collection.records = ids(&["1"]);
    collection.leave_out_codes = true;
    let named = one(collection);
    account.put("notes", &[record("first")]).await;
    let before =
        [only(&store, &narrow).await, only(&store, &limited).await, only(&store, &named).await];
    let long = "s".repeat(9_000);
    for secret in ["second", long.as_str(), "third"] {
        account.put_at("notes", LATER, &[record(secret)]).await;
        let after =
            [only(&store, &narrow).await, only(&store, &limited).await, only(&store, &named).await];
        assert_eq!(after, before, "a hidden change shows");
        assert_eq!(only(&store, &account.scope("notes")).await.1, LATER);
    }
    // A hidden member that appears or disappears is a hidden change too.
    account
        .put_at("notes", LATER, &[format!(r#"{{"id":"1","at":"2026-01-01","body":"{body}"}}"#)])
        .await;
    assert_eq!(only(&store, &narrow).await, before[0]);
}

pub(super) async fn a_change_in_a_visible_field_moves_its_time(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |title: &str, secret: &str| {
        format!(r#"{{"id":"1","title":"{title}","secret":"{secret}"}}"#)
    };
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "title"]);
    let scope = one(collection);
    account.put_at("notes", EMITTED, &[record("a", "x")]).await;
    account.put_at("notes", BETWEEN, &[record("b", "x")]).await;
    account.put_at("notes", LATER, &[record("b", "y")]).await;
    assert_eq!(only(&store, &scope).await.1, BETWEEN, "the time of the last visible change");
    account.put_at("notes", LATER, &[record("a", "y")]).await;
    assert_eq!(only(&store, &scope).await.1, LATER, "going back is a change as well");
}

/// A grant's time field need not be the one the declaration names now.
pub(super) async fn a_change_behind_a_frozen_time_field_shows_nowhere(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |secret: &str| {
        format!(r#"{{"id":"1","seen":"2026-01-01T00:00:00Z","title":"t","secret":"{secret}"}}"#)
    };
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "title"]);
    collection.time = between("seen", "2026-01-01", "2026-02-01");
    let scope = one(collection);
    account.put("notes", &[record("x")]).await;
    let before = only(&store, &scope).await;
    account.put_at("notes", LATER, &[record("y")]).await;
    assert_eq!(only(&store, &scope).await, before);
}

pub(super) async fn a_record_that_moves_out_of_the_view_is_gone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |at: &str| format!(r#"{{"id":"1","at":"{at}","kind":"k"}}"#);
    account
        .put("notes", &[record("2026-01-01"), r#"{"id":"2","at":"2026-01-02"}"#.to_owned()])
        .await;
    let mut collection = account.all("notes");
    collection.time = between("at", "2026-01-01", "2026-02-01");
    let scope = one(collection);
    Ask::by("at").gives(&store, &scope, &["1", "2"]).await;
    for outside in [record("2025-12-31T23:59:59Z"), record("soon"), r#"{"id":"1"}"#.to_owned()] {
        account.put("notes", &[outside]).await;
        Ask::by("at").gives(&store, &scope, &["2"]).await;
        Ask::by_key().gives(&store, &scope, &["2"]).await;
        assert!(!finds(&store, &scope, "1").await);
    }
    account.put("notes", &[record("2026-01-03")]).await;
    Ask::by("at").gives(&store, &scope, &["2", "1"]).await;
}

pub(super) async fn a_record_that_comes_back_into_the_view_is_new(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |at: &str| format!(r#"{{"id":"1","at":"{at}","title":"t"}}"#);
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "title"]);
    collection.time = between("at", "2026-01-01", "2026-02-01");
    let scope = one(collection);
    account.put_at("notes", EMITTED, &[record("2026-01-01")]).await;
    account.put_at("notes", BETWEEN, &[record("2026-03-01")]).await;
    account.put_at("notes", LATER, &[record("2026-01-05")]).await;
    assert_eq!(only(&store, &scope).await.1, LATER, "it was away in between");
    account.delete("notes", "1").await;
    account.put_at("notes", BETWEEN, &[record("2026-01-05")]).await;
    assert_eq!(only(&store, &scope).await.1, BETWEEN, "deleted and added again");
}
