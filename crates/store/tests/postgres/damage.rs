//! Damage that the server itself meets: the full check names it, and goes on with the rest.

use pdpp_testkit::postgres::{fresh_database, plain};

use crate::desk::{account, note, open, searched_account};

fn long_note(number: usize) -> String {
    let body = "a long letter ".repeat(2_000);
    format!(r#"{{"id":"{number}","at":"2026-01-01T00:00:00Z","title":"a","body":"{body}"}}"#)
}

/// Each is noticed by itself, and mended again.
#[tokio::test(flavor = "multi_thread")]
async fn damage_around_the_rows_is_named() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let account = searched_account(&store).await;
    account.put("notes", &[note(1), note(2), long_note(3)]).await;
    let client = plain(database.url()).await;
    for (damage, repair, words) in [
        (
            "UPDATE search_index SET collection_no = collection_no + 100",
            "UPDATE search_index SET collection_no = collection_no - 100",
            "rows of words belong to another stream",
        ),
        (
            "SELECT setval('record_keys_record_no_seq', 1)",
            "SELECT setval('record_keys_record_no_seq', 3)",
            "record_keys would give out a number that is taken",
        ),
        (
            "DROP INDEX texts_by_record",
            "CREATE INDEX texts_by_record ON texts (record_no)",
            "the index texts_by_record is missing",
        ),
    ] {
        client.batch_execute(damage).await.unwrap();
        let faults = store.verify().await.unwrap().faults;
        assert!(faults.iter().any(|fault| fault.contains(words)), "{damage}: {faults:?}");
        client.batch_execute(repair).await.unwrap();
        assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new(), "{repair}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_gone_is_named_and_the_rest_is_checked() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let account = account(&store).await;
    let notes: Vec<String> = (1..=40).map(note).collect();
    account.put("notes", &notes).await;
    account.put("notes", &[long_note(41), long_note(42)]).await;
    let whole = store.verify().await.unwrap();
    assert_eq!((whole.records, whole.faults), (42, Vec::new()));
    let client = plain(database.url()).await;

    client.batch_execute("ALTER TABLE text_chunks RENAME TO lost").await.unwrap();
    let without_texts = store.verify().await.unwrap();
    assert_eq!(without_texts.records, 42, "{without_texts:?}");
    for record in ["record 41", "record 42"] {
        let is_named = |fault: &&String| fault.contains(record) && fault.contains("text_chunks");
        let named = without_texts.faults.iter().filter(is_named).count();
        assert_eq!(named, 1, "{without_texts:?}");
    }
    assert!(!without_texts.faults.iter().any(|fault| fault.contains("record 40")));

    client.batch_execute("ALTER TABLE lost RENAME TO text_chunks").await.unwrap();
    client.batch_execute("DROP TABLE projection_1 CASCADE").await.unwrap();
    let without_copies = store.verify().await.unwrap();
    assert!(!without_copies.faults.is_empty());
    assert_eq!(without_copies.versions, 42, "counts are made all the same");
}
