//! Time limits: one reading of time, the same edges in every operation.

use std::sync::Arc;

use super::super::Ask;
use super::super::sample::{Account, between, fields, one, sample};
use super::scopes::assert_hidden;
use pdpp_store::Store;

pub(super) async fn a_time_limit_includes_its_beginning_and_excludes_its_end(
    store: Arc<dyn Store>,
) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","at":"2026-01-01T23:59:59.999999999Z","body":"b"}"#,
                r#"{"id":"2","at":"2026-01-02T01:00:00+01:00","body":"b"}"#,
                r#"{"id":"3","at":"2026-01-02","body":"b"}"#,
                r#"{"id":"4","at":"2026-01-02T23:59:59.999999999Z","body":"b"}"#,
                r#"{"id":"5","at":"2026-01-03T00:00:00Z","body":"b"}"#,
            ],
        )
        .await;
    let mut collection = account.all("notes");
    let limits = [
        ("2026-01-02", "2026-01-03", &["2", "3", "4"][..]),
        ("2026-01-02", "", &["2", "3", "4", "5"]),
        ("", "2026-01-02T00:00:00Z", &["1"]),
        ("2026-01-02", "2026-01-02", &[]),
        ("", "", &["1", "2", "3", "4", "5"]),
    ];
    for (since, until, expected) in limits {
        collection.time = between("at", since, until);
        let scope = one(collection.clone());
        Ask::by("at").gives(&store, &scope, expected).await;
        Ask::by_key().gives(&store, &scope, expected).await;
        let backwards: Vec<&str> = expected.iter().rev().copied().collect();
        Ask::by("at").descending().gives(&store, &scope, &backwards).await;
        for id in ["1", "2", "3", "4", "5"].iter().filter(|id| !expected.contains(id)) {
            assert_hidden(&store, &scope, id).await;
        }
    }
}

pub(super) async fn missing_and_unreadable_times_lie_outside(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","body":"b"}"#,
                r#"{"id":"2","at":null,"body":"b"}"#,
                r#"{"id":"3","at":"yesterday","body":"b"}"#,
                r#"{"id":"4","at":"2026-01-02T00:00:00","body":"b"}"#,
                r#"{"id":"5","at":1767312000,"body":"b"}"#,
                r#"{"id":"6","at":"2026-01-02T00:00:00Z","body":"b"}"#,
            ],
        )
        .await;
    let mut collection = account.all("notes");
    for (since, until) in [("0001-01-01", ""), ("", "9999-01-01"), ("", "")] {
        collection.time = between("at", since, until);
        let scope = one(collection.clone());
        Ask::by("at").gives(&store, &scope, &["6"]).await;
        Ask::by("count").gives(&store, &scope, &["6"]).await;
        for id in ["1", "2", "3", "4", "5"] {
            assert_hidden(&store, &scope, id).await;
        }
    }
}

pub(super) async fn a_time_limit_needs_no_format(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "letters",
            &[
                r#"{"id":"1","sent":"2026-01-01T23:30:00-01:00","body":"b"}"#,
                r#"{"id":"2","sent":"2026-01-01T23:59:59.5Z","body":"b"}"#,
                r#"{"id":"3","sent":"in spring","body":"b"}"#,
                r#"{"id":"4","body":"b"}"#,
            ],
        )
        .await;
    let mut collection = account.all("letters");
    collection.time = between("sent", "2026-01-02", "");
    let scope = one(collection);
    Ask::by_key().gives(&store, &scope, &["1"]).await;
    for id in ["2", "3", "4"] {
        assert_hidden(&store, &scope, id).await;
    }
}

/// A grant keeps its time field when a later declaration chooses another one.
pub(super) async fn a_frozen_time_field_needs_no_typed_copy(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| {
        format!(
            r#"{{"id":"{n}","at":"2026-02-0{n}","seen":"2026-01-0{}T00:00:00Z","body":"b"}}"#,
            7 - n
        )
    };
    account.put("notes", &(1..=6).map(record).collect::<Vec<_>>()).await;
    account.put("notes", &[r#"{"id":"7","at":"2026-02-07","body":"b"}"#]).await;
    let mut collection = account.all("notes");
    collection.time = between("seen", "2026-01-02", "2026-01-05");
    let scope = one(collection.clone());
    Ask::by("at").gives(&store, &scope, &["3", "4", "5"]).await;
    for id in ["1", "2", "6", "7"] {
        assert_hidden(&store, &scope, id).await;
    }
    let mut later = sample();
    later.streams[0].consent_time_field = Some(super::super::sample::field_name("day"));
    let later = Account::declared(&store, "a", later).await;
    collection.time = between("at", "2026-02-02", "2026-02-04");
    Ask::by("at").gives(&later.store, &one(collection), &["2", "3"]).await;
}

pub(super) async fn a_hidden_time_field_still_limits(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","at":"2026-01-01","body":"b"}"#,
                r#"{"id":"2","at":"2026-01-02","body":"b"}"#,
            ],
        )
        .await;
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "body"]);
    collection.time = between("at", "2026-01-02", "");
    let scope = one(collection);
    Ask::by_key().gives(&store, &scope, &["2"]).await;
    let shown = Ask::by_key().records(&store, &scope).await;
    assert_eq!(shown[0].data.keys().collect::<Vec<_>>(), ["body", "id"]);
    assert_hidden(&store, &scope, "1").await;
}

/// A record can be so wide that even short fields move out of it.
pub(super) async fn a_time_limit_sees_a_field_that_lives_outside(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let numbers: String = (0..200).map(|n| format!(r#","n{n}":{}"#, "7".repeat(200))).collect();
    let record = |id: &str, at: &str| {
        format!(r#"{{"id":"{id}","at":"{at}","seen":"{at}","body":"text","kind":"k"{numbers}}}"#)
    };
    account.put("notes", &[record("1", "2026-01-01"), record("2", "2026-01-02")]).await;
    let mut collection = account.all("notes");
    for field in ["at", "seen"] {
        collection.time = between(field, "2026-01-02", "");
        let scope = one(collection.clone());
        Ask::by("at").gives(&store, &scope, &["2"]).await;
        assert_hidden(&store, &scope, "1").await;
    }
}
