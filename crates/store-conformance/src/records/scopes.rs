//! What a scope hides is not there: in lists, single reads, counts, numbers and text alike.

use std::sync::Arc;

use super::super::sample::{Account, fields, finds, found, ids, one};
use super::super::text::window;
use super::super::{Ask, equals};
use pdpp_contract::declaration::FieldKind;
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;
use pdpp_store::text::TextAnswer;

pub(super) async fn only_the_fields_of_the_scope_exist(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let secret = "s".repeat(9_000);
    account
        .put(
            "notes",
            &[format!(
                r#"{{"id":"1","title":"seen","secret":"{secret}","body":"short","kind":"k"}}"#
            )],
        )
        .await;
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "title", "kind"]);
    let scope = one(collection);
    let single = found(&store, &scope, "1").await.unwrap();
    let listed = Ask::by("at").records(&store, &scope).await;
    for record in single.iter().chain(&listed) {
        assert_eq!(record.data.keys().collect::<Vec<_>>(), ["id", "kind", "title"]);
        assert!(record.long.is_empty(), "a hidden long field shows");
    }
    for path in ["secret", "body", "/secret", "nothing"] {
        assert_eq!(window(&store, &scope, "1", path, (0, 9)).await, TextAnswer::NoField, "{path}");
    }
    Ask::by("at").only(equals(FieldKind::String, "kind", "k")).gives(&store, &scope, &["1"]).await;
}

pub(super) async fn only_the_records_of_the_scope_exist(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| {
        format!(r#"{{"id":"{n}","at":"2026-01-0{n}T00:00:00Z","body":"text {n}","kind":"k"}}"#)
    };
    account.put("notes", &(1..=6).map(record).collect::<Vec<_>>()).await;
    let mut collection = account.all("notes");
    collection.records = ids(&["5", "2", "4", "none"]);
    let scope = one(collection);
    Ask::by("at").gives(&store, &scope, &["2", "4", "5"]).await;
    Ask::by("at").descending().gives(&store, &scope, &["5", "4", "2"]).await;
    Ask::by_key().gives(&store, &scope, &["2", "4", "5"]).await;
    let kind = Ask::by("at").only(equals(FieldKind::String, "kind", "k"));
    kind.gives(&store, &scope, &["2", "4", "5"]).await;
    let title = Ask::by("at").only(equals(FieldKind::String, "body", "text 4"));
    title.gives(&store, &scope, &["4"]).await;
    assert_hidden(&store, &scope, "3").await;
    account.delete("notes", "4").await;
    Ask::by("at").gives(&store, &scope, &["2", "5"]).await;
}

pub(super) async fn records_with_codes_can_be_left_out(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[r#"{"id":"1","at":"2026-01-01","kind":"k","body":"one"}"#]).await;
    account
        .put_with_codes("notes", r#"{"id":"2","at":"2026-01-02","kind":"k","body":"two"}"#)
        .await;
    account.put_with_codes("notes", r#"{"id":"3","kind":"k","body":"three"}"#).await;
    let mut collection = account.all("notes");
    Ask::by("at").gives(&store, &one(collection.clone()), &["1", "2", "3"]).await;
    collection.leave_out_codes = true;
    let scope = one(collection.clone());
    Ask::by("at").gives(&store, &scope, &["1"]).await;
    Ask::by_key().gives(&store, &scope, &["1"]).await;
    let kind = Ask::by("at").only(equals(FieldKind::String, "kind", "k"));
    kind.gives(&store, &scope, &["1"]).await;
    assert_hidden(&store, &scope, "2").await;
    collection.records = ids(&["1", "2"]);
    Ask::by("at").gives(&store, &one(collection), &["1"]).await;
    // The mark is part of the record: it comes and goes with a write of the same data.
    account.put("notes", &[r#"{"id":"2","at":"2026-01-02","kind":"k","body":"two"}"#]).await;
    account
        .put_with_codes("notes", r#"{"id":"1","at":"2026-01-01","kind":"k","body":"one"}"#)
        .await;
    Ask::by("at").gives(&store, &scope, &["2"]).await;
}

pub(super) async fn an_empty_scope_shows_nothing(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[r#"{"id":"1","body":"text"}"#]).await;
    let nothing = ReadScope::new(Vec::new());
    assert!(Ask::by("at").ids(&store, &nothing).await.is_empty());
    assert_hidden(&store, &nothing, "1").await;
    let mut collection = account.all("notes");
    collection.records = ids(&[]);
    Ask::by("at").gives(&store, &one(collection), &[]).await;
}

pub(super) async fn a_scope_shows_no_other_connection_or_stream(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    a.put("notes", &[r#"{"id":"1","body":"text"}"#]).await;
    a.put("titles", &[r#"{"id":"2","title":"text"}"#]).await;
    b.put("notes", &[r#"{"id":"3","body":"text"}"#]).await;
    let scope = a.scope("notes");
    Ask::by("at").gives(&store, &scope, &["1"]).await;
    for id in ["2", "3"] {
        assert_hidden(&store, &scope, id).await;
    }
}

pub(super) async fn limits_add_up(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    for n in 1..=8 {
        let at = format!("2026-01-0{n}T00:00:00Z");
        let record = format!(r#"{{"id":"{n}","at":"{at}","secret":"s","body":"text"}}"#);
        if n % 2 == 0 {
            account.put_with_codes("notes", &record).await;
        } else {
            account.put("notes", &[record]).await;
        }
    }
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "body"]);
    collection.time = super::super::sample::between("at", "2026-01-03", "2026-01-08");
    collection.records = ids(&["1", "3", "4", "5", "8"]);
    collection.leave_out_codes = true;
    let scope = one(collection);
    Ask::by("at").gives(&store, &scope, &["3", "5"]).await;
    for id in ["1", "2", "4", "7", "8"] {
        assert_hidden(&store, &scope, id).await;
    }
}

/// Asserts that neither the record nor its text can be read.
pub(super) async fn assert_hidden(store: &Arc<dyn Store>, scope: &ReadScope, id: &str) {
    assert!(!finds(store, scope, id).await, "{id} is found");
    let listed = Ask::by("at").ids(store, scope).await;
    assert!(!listed.contains(&id.to_owned()), "{id} is listed");
    let text = window(store, scope, id, "body", (0, 10)).await;
    assert_eq!(text, TextAnswer::NoRecord, "the text of {id} can be read");
}
