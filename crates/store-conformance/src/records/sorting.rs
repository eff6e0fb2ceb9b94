//! The order of records: by value, whatever its spelling, then by key.

use std::sync::Arc;

use super::super::Ask;
use super::super::sample::Account;
use pdpp_store::Store;

pub(super) async fn offsets_sort_as_instants(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","at":"2026-04-01T09:00:00+02:00"}"#,
                r#"{"id":"2","at":"2026-04-01T08:30:00Z"}"#,
                r#"{"id":"3","at":"2026-04-01T03:00:00-05:00"}"#,
                r#"{"id":"4","at":"2026-04-01t07:00:00.5z"}"#,
                r#"{"id":"5","at":"1969-12-31T23:59:59.999999999Z"}"#,
                r#"{"id":"6","at":"1970-01-01T00:00:00Z"}"#,
                r#"{"id":"7","at":"0001-01-01T00:00:00Z"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["7", "5", "6", "1", "4", "3", "2"]).await;
    let backwards = ["2", "3", "4", "1", "6", "5", "7"];
    Ask::by("at").descending().gives(&store, &scope, &backwards).await;
}

pub(super) async fn dates_stand_beside_date_times(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","at":"2026-04-02"}"#,
                r#"{"id":"2","at":"2026-04-01T23:59:59Z"}"#,
                r#"{"id":"3","at":"2026-04-02T00:00:00Z"}"#,
                r#"{"id":"4","at":"2026-04-02T00:00:00+00:01"}"#,
                r#"{"id":"5","at":"2026-04-02T00:00:00.1Z"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["4", "2", "1", "3", "5"]).await;
}

pub(super) async fn big_numbers_and_decimals_sort_by_value(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let ascending = [
        "-123456789012345678901234567891",
        "-123456789012345678901234567890",
        "-1e3",
        "-12.5",
        "-12.25",
        "-0.1",
        "0",
        "1e-9",
        "0.001",
        "0.30000000000000004",
        "0.3000000000000001",
        "9",
        "10",
        "9007199254740992",
        "9007199254740993",
        "123456789012345678901234567890",
        "123456789012345678901234567890.5",
        "1E+100",
    ];
    // Keys in another order than the values, so that the key alone cannot give the answer.
    let id = |at: usize| format!("{:02}", (at * 7) % ascending.len());
    let mut ids: Vec<String> = (0..ascending.len()).map(id).collect();
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ascending.len());
    let record = |(id, text): (&String, &&str)| format!(r#"{{"id":"{id}","amount":{text}}}"#);
    account.put("notes", &ids.iter().zip(&ascending).map(record).collect::<Vec<_>>()).await;
    let scope = account.scope("notes");
    Ask::by("amount").gives(&store, &scope, &refs(&ids)).await;
    ids.reverse();
    Ask::by("amount").descending().gives(&store, &scope, &refs(&ids)).await;
}

pub(super) async fn long_strings_sort_by_their_beginning_then_by_key(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let stem = "s".repeat(64);
    let record = |id: &str, title: &str| format!(r#"{{"id":"{id}","title":"{title}"}}"#);
    account
        .put(
            "titles",
            &[
                record("4", &format!("{stem}a")),
                record("3", &format!("{stem}b")),
                record("2", &"s".repeat(63)),
                record("1", &format!("{}t", "s".repeat(63))),
                record("5", &"S".repeat(100)),
                record("6", "é"),
                record("7", ""),
                record("8", &format!("{}é", "z".repeat(63))),
                record("9", &format!("{}ê", "z".repeat(63))),
            ],
        )
        .await;
    let scope = account.scope("titles");
    let expected = ["7", "5", "2", "3", "4", "1", "8", "9", "6"];
    Ask::by("title").gives(&store, &scope, &expected).await;
    let backwards: Vec<&str> = expected.iter().rev().copied().collect();
    Ask::by("title").descending().gives(&store, &scope, &backwards).await;
}

pub(super) async fn missing_values_come_last_in_both_directions(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"a"}"#,
                r#"{"id":"b","at":null}"#,
                r#"{"id":"c","at":"soon"}"#,
                r#"{"id":"d","at":"2026-01-02T00:00:00"}"#,
                r#"{"id":"e","at":"2026-01-02T00:00:00Z"}"#,
                r#"{"id":"f","at":"2026-01-01T00:00:00Z"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["f", "e", "a", "b", "c", "d"]).await;
    Ask::by("at").descending().gives(&store, &scope, &["e", "f", "d", "c", "b", "a"]).await;
}

pub(super) async fn without_an_order_field_the_key_orders(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"b","at":"2026-01-01T00:00:00Z"}"#,
                r#"{"id":"a","at":"2026-01-03T00:00:00Z"}"#,
                r#"{"id":"B","at":"2026-01-02T00:00:00Z"}"#,
                r#"{"id":"10"}"#,
                r#"{"id":"9"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    Ask::by_key().gives(&store, &scope, &["10", "9", "B", "a", "b"]).await;
    Ask::by_key().descending().gives(&store, &scope, &["b", "a", "B", "9", "10"]).await;
}

pub(super) async fn a_field_without_a_typed_copy_orders_nothing(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[r#"{"id":"2","title":"a"}"#, r#"{"id":"1","title":"b"}"#]).await;
    Ask::by("title").gives(&store, &account.scope("notes"), &["1", "2"]).await;
}

fn refs(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}
