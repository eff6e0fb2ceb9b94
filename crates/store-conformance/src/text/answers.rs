//! What a read answers when there is no text to give.

use std::sync::Arc;

use super::super::sample::{Account, between, fields, ids, one};
use super::{find, long, note, text, window};
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;
use pdpp_store::text::TextAnswer;

pub(super) async fn numbers_booleans_and_null_are_not_text(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let pad = long("p", 9_000);
    account
        .put("notes", &[format!(
            r#"{{"id":"n","count":1,"done":true,"title":null,"tags":[1.5,false,null],"parts":{{"a":1,"b":false,"c":null,"pad":"{pad}"}}}}"#
        )])
        .await;
    let scope = account.scope("notes");
    for (path, word) in [
        ("count", "number"),
        ("done", "boolean"),
        ("title", "null"),
        ("/tags/0", "number"),
        ("/tags/1", "boolean"),
        ("/tags/2", "null"),
        ("/parts/a", "number"),
        ("/parts/b", "boolean"),
        ("/parts/c", "null"),
    ] {
        assert_eq!(
            window(&store, &scope, "n", path, (0, 5)).await,
            TextAnswer::NotText(word),
            "{path}"
        );
    }
}

pub(super) async fn a_hidden_field_is_no_field(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let secret = long("s", 9_000);
    account
        .put("notes", &[format!(
            r#"{{"id":"n","body":"shown","secret":"{secret}","parts":{{"a":"{secret}"}},"count":1}}"#
        )])
        .await;
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "body"]);
    let scope = one(collection);
    for path in ["secret", "/secret", "parts", "/parts/a", "count", "/count/x"] {
        assert_eq!(window(&store, &scope, "n", path, (0, 5)).await, TextAnswer::NoField, "{path}");
    }
    assert_eq!(text(window(&store, &scope, "n", "/body", (0, 9)).await).text, "shown");
    assert_eq!(find(&store, &scope, "s").await, text_of(&store, &scope, "s").await);
}

async fn text_of(store: &Arc<dyn Store>, scope: &ReadScope, q: &str) -> TextAnswer {
    let answer = find(store, scope, q).await;
    assert_eq!(text(answer.clone()).matched, Some((0, 1)), "only the shown field is searched");
    answer
}

pub(super) async fn a_key_in_two_connections_is_ambiguous(store: Arc<dyn Store>) {
    let (b, a) = (Account::open(&store, "b").await, Account::open(&store, "a").await);
    for account in [&a, &b] {
        account.put("notes", &[note("text")]).await;
    }
    let (of_a, mut of_b) = (a.all("notes"), b.all("notes"));
    let both = ReadScope::new(vec![of_b.clone(), of_a.clone()]);
    let answer = window(&store, &both, "n", "body", (0, 5)).await;
    assert_eq!(answer, TextAnswer::Ambiguous(vec![a.id.clone(), b.id.clone()]));
    // A record that the scope hides makes nothing ambiguous.
    of_b.records = ids(&["other"]);
    let scope = ReadScope::new(vec![of_b, of_a]);
    let found = text(window(&store, &scope, "n", "body", (0, 5)).await);
    assert_eq!((found.connection, found.text.as_str()), (a.id, "text"));
}

pub(super) async fn text_of_a_record_that_left_is_gone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = long("x", 9_000);
    let record = |at: &str| format!(r#"{{"id":"n","at":"{at}","body":"{body}"}}"#);
    account.put("notes", &[record("2026-01-01")]).await;
    let mut collection = account.all("notes");
    collection.time = between("at", "2026-01-01", "2026-02-01");
    let scope = one(collection);
    assert_eq!(text(window(&store, &scope, "n", "body", (4_000, 5)).await).text, "xxxxx");
    account.put("notes", &[record("2026-03-01")]).await;
    assert_eq!(window(&store, &scope, "n", "body", (0, 5)).await, TextAnswer::NoRecord);
    assert_eq!(find(&store, &scope, "x").await, TextAnswer::NoRecord);
    account.delete("notes", "n").await;
    let everything = account.scope("notes");
    assert_eq!(window(&store, &everything, "n", "body", (0, 5)).await, TextAnswer::NoRecord);
}

pub(super) async fn an_emptied_field_is_empty_text(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[note(&long("x", 9_000))]).await;
    account.put("notes", &[note("")]).await;
    let scope = account.scope("notes");
    let found = text(window(&store, &scope, "n", "body", (0, 5)).await);
    assert_eq!((found.text.as_str(), found.total_chars, found.start), ("", 0, 0));
    assert_eq!(find(&store, &scope, "x").await, TextAnswer::NoMatch);
}
