//! What a scope leaves out, and what goes with it: files with their message, a thread with the message
//! that began it, and nothing else.

use std::sync::Arc;

use crate::Ask;
use crate::sample::{Account, EMITTED, declaration, one};
use pdpp_store::Store;
use pdpp_store::classification::Classify;
use pdpp_store::prepare::{Classification, prepare};
use pdpp_store::scope::ReadScope;
use pdpp_store::writes::WriteMode;

const CODES: Classification = Classification { codes: true, secrets: false };
const SECRETS: Classification = Classification { codes: false, secrets: true };
const NOTHING: Classification = Classification { codes: false, secrets: false };

/// Messages in threads, with files.
fn mail() -> pdpp_contract::SourceDeclaration {
    let stream = |name: &str, more: &str, relationships: &str| {
        format!(
            r#"{{"name":"{name}","semantics":"mutable_state","primary_key":["id"],
                "cursor_field":"at","consent_time_field":"at",
                "schema":{{"type":"object","properties":{{"id":{{"type":"string"}},
                    "at":{{"type":"string","format":"date-time"}},"title":{{"type":"string"}}{more}}}}},
                "selection":{{"fields":true,"resources":true}},"relationships":[{relationships}],
                "query":{{"search":{{"lexical_fields":["title"]}}}}}}"#
        )
    };
    let one = |name: &str, to: &str, key: &str| {
        format!(
            r#"{{"name":"{name}","stream":"{to}","foreign_key":"{key}","cardinality":"has_one"}}"#
        )
    };
    let text = format!(
        r#"{{"protocol_version":"0.1.0","source":{{"kind":"connector","id":"https://x.test/post"}},
            "declaration_version":"1","publisher":{{"id":"https://x.test/p"}},
            "display":{{"name":"Post"}},"streams":[{},{},{}]}}"#,
        stream(
            "messages",
            r#","thread_id":{"type":"string"}"#,
            &one("thread", "threads", "thread_id")
        ),
        stream("threads", "", ""),
        stream(
            "attachments",
            r#","message_id":{"type":"string"}"#,
            &one("message", "messages", "message_id")
        ),
    );
    declaration(&text)
}

async fn post(store: &Arc<dyn Store>) -> Account {
    Account::declared(store, "post", mail()).await
}

/// Writes records in one batch: stream, record, what it carries.
async fn put(account: &Account, records: &[(&str, &str, Classification)]) {
    let prepared = records.iter().map(|(stream, record, carries)| {
        let mut write = account.record_write(stream, EMITTED, record);
        write.carries = *carries;
        prepare(&account.shape(stream), &account.store.hash_key(), write)
    });
    assert!(account.write(prepared.collect(), WriteMode::AllOrNothing).await.kept);
}

fn without(account: &Account, stream: &str, codes: bool, secrets: bool) -> ReadScope {
    let mut collection = account.all(stream);
    (collection.leave_out_codes, collection.leave_out_secrets) = (codes, secrets);
    one(collection)
}

async fn sees(account: &Account, stream: &str, expected: &[&str]) {
    Ask::by_key().gives(&account.store, &without(account, stream, true, true), expected).await;
}

const MESSAGE: &str = r#"{"id":"m","at":"2026-01-02","thread_id":"t","title":"Your sign-in code"}"#;
const THREAD: &str = r#"{"id":"t","at":"2026-01-02","title":"Your sign-in code"}"#;
const FILE: &str = r#"{"id":"f","at":"2026-01-02","message_id":"m","title":"code.png"}"#;

pub(super) async fn codes_and_secrets_are_left_out_apart(store: Arc<dyn Store>) {
    let account = post(&store).await;
    let note = |id: &str| format!(r#"{{"id":"{id}","at":"2026-01-01","title":"t"}}"#);
    let both = Classification { codes: true, secrets: true };
    let (a, b, c, d) = (note("a"), note("b"), note("c"), note("d"));
    put(
        &account,
        &[
            ("threads", &a, NOTHING),
            ("threads", &b, CODES),
            ("threads", &c, SECRETS),
            ("threads", &d, both),
        ],
    )
    .await;
    let cases = [
        ((false, false), &["a", "b", "c", "d"][..]),
        ((true, false), &["a", "c"]),
        ((false, true), &["a", "b"]),
        ((true, true), &["a"]),
    ];
    for ((codes, secrets), expected) in cases {
        let scope = without(&account, "threads", codes, secrets);
        Ask::by_key().gives(&store, &scope, expected).await;
    }
}

pub(super) async fn files_and_a_new_thread_go_with_a_left_out_message(store: Arc<dyn Store>) {
    // Whichever comes first, in one batch or in several.
    let orders: [[(&str, &str, Classification); 3]; 3] = [
        [
            ("threads", THREAD, NOTHING),
            ("messages", MESSAGE, CODES),
            ("attachments", FILE, NOTHING),
        ],
        [
            ("attachments", FILE, NOTHING),
            ("messages", MESSAGE, SECRETS),
            ("threads", THREAD, NOTHING),
        ],
        [
            ("messages", MESSAGE, CODES),
            ("attachments", FILE, NOTHING),
            ("threads", THREAD, NOTHING),
        ],
    ];
    for (number, order) in orders.iter().enumerate() {
        for apart in [false, true] {
            let account = Account::declared(&store, &format!("post{number}{apart}"), mail()).await;
            if apart {
                for record in order {
                    put(&account, std::slice::from_ref(record)).await;
                }
            } else {
                put(&account, order).await;
            }
            for stream in ["messages", "threads", "attachments"] {
                sees(&account, stream, &[]).await;
                let all = without(&account, stream, false, false);
                assert_eq!(Ask::by_key().count(&store, &all).await, 1, "{stream}");
            }
        }
    }
}

pub(super) async fn a_left_out_message_that_joins_a_thread_changes_nothing(store: Arc<dyn Store>) {
    let account = post(&store).await;
    let first = r#"{"id":"a","at":"2026-01-05","thread_id":"t","title":"Hello"}"#;
    put(&account, &[("threads", THREAD, NOTHING), ("messages", first, NOTHING)]).await;
    let scope = without(&account, "threads", true, true);
    let before = Ask::by_key().records(&store, &scope).await;
    // Earlier and later than the message that began it.
    let later = r#"{"id":"b","at":"2026-01-09","thread_id":"t","title":"482913"}"#;
    let file = r#"{"id":"f","at":"2026-01-09","message_id":"b","title":"code.png"}"#;
    put(&account, &[("messages", later, CODES), ("attachments", file, NOTHING)]).await;
    put(&account, &[("messages", MESSAGE, SECRETS)]).await;
    assert_eq!(format!("{:?}", Ask::by_key().records(&store, &scope).await), format!("{before:?}"));
    sees(&account, "messages", &["a"]).await;
    sees(&account, "attachments", &[]).await;
    // An answer to a left-out message is an ordinary message in a thread that stays left out.
    let other = r#"{"id":"u","at":"2026-02-02","title":"Your sign-in code"}"#;
    let root = r#"{"id":"c","at":"2026-02-02","thread_id":"u","title":"Your sign-in code"}"#;
    let answer = r#"{"id":"d","at":"2026-02-03","thread_id":"u","title":"Thanks"}"#;
    put(&account, &[("messages", answer, NOTHING)]).await;
    put(&account, &[("threads", other, NOTHING), ("messages", root, CODES)]).await;
    sees(&account, "threads", &["t"]).await;
    sees(&account, "messages", &["a", "d"]).await;
}

pub(super) async fn files_follow_what_their_message_carries_now(store: Arc<dyn Store>) {
    let account = post(&store).await;
    put(&account, &[("messages", MESSAGE, NOTHING), ("attachments", FILE, NOTHING)]).await;
    sees(&account, "attachments", &["f"]).await;
    let changed = MESSAGE.replace("sign-in", "new sign-in");
    put(&account, &[("messages", &changed, CODES)]).await;
    sees(&account, "attachments", &[]).await;
    // The same file again is unchanged, and stays with its message.
    put(&account, &[("attachments", FILE, NOTHING)]).await;
    sees(&account, "attachments", &[]).await;
    put(&account, &[("messages", MESSAGE, NOTHING)]).await;
    sees(&account, "attachments", &["f"]).await;
}

pub(super) async fn stored_records_are_classified_again(store: Arc<dyn Store>) {
    let account = post(&store).await;
    let long = format!(r#"{{"id":"l","at":"2026-01-01","title":"{} sesame"}}"#, "x ".repeat(9_000));
    let other = r#"{"id":"n","at":"2026-01-01","title":"plain"}"#;
    put(
        &account,
        &[
            ("threads", THREAD, NOTHING),
            ("messages", MESSAGE, NOTHING),
            ("attachments", FILE, NOTHING),
        ],
    )
    .await;
    put(&account, &[("messages", &long, NOTHING), ("messages", other, CODES)]).await;
    assert!(
        !store.needs_classification().await.unwrap(),
        "a new store has nothing to classify again"
    );
    store.request_classification().await.unwrap();
    let classify: Classify = Arc::new(|data| {
        let title = data.get("title").and_then(pdpp_contract::Json::as_str).unwrap_or_default();
        Classification {
            codes: title.contains("sign-in code") && data.contains_key("thread_id"),
            secrets: title.contains("sesame"),
        }
    });
    let (mut records, mut changed) = (0, 0);
    while store.needs_classification().await.unwrap() {
        let classified = store.classify_some(Arc::clone(&classify)).await.unwrap();
        (records, changed) = (records + classified.records, changed + classified.changed);
    }
    assert_eq!((records, changed), (5, 5), "three by themselves, two that go with one of them");
    sees(&account, "messages", &["n"]).await;
    sees(&account, "threads", &[]).await;
    sees(&account, "attachments", &[]).await;
    // Once more changes nothing.
    store.request_classification().await.unwrap();
    let mut changed = 0;
    while store.needs_classification().await.unwrap() {
        changed += store.classify_some(Arc::clone(&classify)).await.unwrap().changed;
    }
    assert_eq!(changed, 0);
}
