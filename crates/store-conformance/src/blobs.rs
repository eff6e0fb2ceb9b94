//! Blobs: kept once, seen through records, gone with their last reference.

use std::sync::Arc;

use pdpp_contract::blob::BlobId;

use super::cases;
use super::sample::{Account, EMITTED, between, fields, ids, one, record_id, stream_name, time};
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;

pub(super) const CASES: super::CaseTable = cases![
    a_blob_reads_back_from_anywhere,
    a_blob_is_seen_within_the_scope_alone,
    a_blob_goes_with_its_last_reference_and_not_before,
    a_reference_may_come_first,
    what_nobody_refers_to_is_collected,
    what_an_import_has_brought_stays_until_its_record_comes,
    bytes_with_another_digest_are_not_kept,
];

async fn keep(store: &Arc<dyn Store>, bytes: &[u8]) -> BlobId {
    let mut upload = store.new_blob().await.unwrap();
    for part in bytes.chunks(1_000) {
        upload.write(part.to_vec()).await.unwrap();
    }
    upload.keep(None, time(EMITTED)).await.unwrap().unwrap().id
}

fn refers(id: &str, day: u32, blob: BlobId) -> String {
    format!(r#"{{"id":"{id}","at":"2026-01-{day:02}","parts":{{"blob_id":"{blob}"}}}}"#)
}

async fn is_seen(store: &Arc<dyn Store>, scope: &ReadScope, blob: BlobId) -> bool {
    store.read_blob(scope, blob, 0, 10).await.unwrap().is_some()
}

async fn a_blob_reads_back_from_anywhere(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let bytes: Vec<u8> = (0..5_000_u32).map(|n| (n % 251) as u8).collect();
    let blob = keep(&store, &bytes).await;
    assert_eq!(keep(&store, &bytes).await, blob, "the same bytes are one blob");
    account.put("notes", &[refers("1", 1, blob)]).await;
    let scope = account.scope("notes");
    for (offset, most) in [(0, 100), (0, 9_999), (4_990, 100), (5_000, 10), (9_000, 10), (7, 0)] {
        let read = store.read_blob(&scope, blob, offset, most).await.unwrap().unwrap();
        let from = bytes.len().min(offset as usize);
        let expected = &bytes[from..bytes.len().min(from + most)];
        assert_eq!((read.size_bytes, read.bytes.as_slice()), (5_000, expected), "{offset} {most}");
        assert_eq!((read.record.as_str(), read.field.as_str()), ("1", "parts"));
    }
    let empty = keep(&store, b"").await;
    account.put("notes", &[refers("2", 1, empty)]).await;
    assert_eq!(store.read_blob(&scope, empty, 0, 10).await.unwrap().unwrap().size_bytes, 0);
}

async fn a_blob_is_seen_within_the_scope_alone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let other = Account::open(&store, "b").await;
    let blob = keep(&store, b"bytes").await;
    account.put("notes", &[refers("1", 5, blob)]).await;
    other.put("notes", &[r#"{"id":"1"}"#]).await;
    let all = account.all("notes");
    assert!(is_seen(&store, &one(all.clone()), blob).await);
    let changed = |change: &(dyn Fn(&mut pdpp_store::CollectionScope) + Sync)| {
        let mut scope = all.clone();
        change(&mut scope);
        one(scope)
    };
    let inside = changed(&|scope| scope.time = between("at", "2026-01-05", "2026-01-06"));
    assert!(is_seen(&store, &inside, blob).await);
    for (why, scope) in [
        ("the field", changed(&|scope| scope.fields = fields(&["id", "at", "title"]))),
        ("the time", changed(&|scope| scope.time = between("at", "2026-01-06", ""))),
        ("the records", changed(&|scope| scope.records = ids(&["2"]))),
        ("the stream", one(account.all("titles"))),
        ("the connection", other.scope("notes")),
        ("everything", ReadScope::new(Vec::new())),
    ] {
        assert!(!is_seen(&store, &scope, blob).await, "hidden by {why}");
    }
    account.put_with_codes("notes", &refers("1", 5, blob)).await;
    assert!(is_seen(&store, &one(all.clone()), blob).await);
    assert!(!is_seen(&store, &changed(&|scope| scope.leave_out_codes = true), blob).await);
    let read = store.read_blob(&one(all.clone()), blob, 0, 1).await.unwrap().unwrap();
    assert!(read.data.contains_key("at"));
    let narrow = changed(&|scope| scope.fields = fields(&["parts"]));
    let read = store.read_blob(&narrow, blob, 0, 1).await.unwrap().unwrap();
    assert_eq!(read.data.keys().collect::<Vec<_>>(), ["parts"], "only visible fields come along");
}

async fn a_blob_goes_with_its_last_reference_and_not_before(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let blob = keep(&store, b"bytes").await;
    a.put("notes", &[refers("1", 1, blob), refers("2", 1, blob), refers("3", 1, blob)]).await;
    b.put("notes", &[refers("1", 1, blob)]).await;
    let scope = b.scope("notes");
    let kept = async || store.verify().await.unwrap().blobs;
    a.delete("notes", "1").await;
    a.put("notes", &[r#"{"id":"2"}"#]).await;
    store.erase_record(&a.id, &stream_name("notes"), &record_id("3"), time(EMITTED)).await.unwrap();
    assert!(is_seen(&store, &scope, blob).await);
    a.put("notes", &[refers("4", 1, blob)]).await;
    store.remove_connection(&a.id, time(EMITTED)).await.unwrap();
    assert!(is_seen(&store, &scope, blob).await && kept().await == 1);
    b.put("notes", &[refers("1", 2, blob)]).await;
    assert!(is_seen(&store, &scope, blob).await, "the same reference in a changed record");
    store.erase_stream(&b.id, &stream_name("notes"), time(EMITTED)).await.unwrap();
    assert_eq!(kept().await, 0);
    b.put("notes", &[refers("1", 1, blob)]).await;
    assert!(!is_seen(&store, &scope, blob).await, "its bytes are gone");
}

async fn a_reference_may_come_first(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let blob = keep(&store, b"bytes").await;
    store.collect_blobs(time("2026-06-01T00:00:00Z")).await.unwrap();
    account.put("notes", &[refers("1", 1, blob)]).await;
    assert!(!is_seen(&store, &account.scope("notes"), blob).await);
    keep(&store, b"bytes").await;
    assert!(is_seen(&store, &account.scope("notes"), blob).await);
}

async fn what_an_import_has_brought_stays_until_its_record_comes(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let blob = keep(&store, b"bytes").await;
    account.put("notes", &[refers("1", 1, blob)]).await;
    let importing = store.begin_arrivals().await.unwrap();
    assert_eq!(keep(&store, b"bytes").await, blob, "files come before records");
    // The record that had it comes without, and much later another one with it.
    account.put("notes", &[r#"{"id":"1"}"#]).await;
    account.put("notes", &[refers("2", 1, blob)]).await;
    assert!(is_seen(&store, &account.scope("notes"), blob).await);
    let (notes, two) = (stream_name("notes"), record_id("2"));
    store.erase_record(&account.id, &notes, &two, time(EMITTED)).await.unwrap();
    assert_eq!(store.verify().await.unwrap().blobs, 0, "an erasure spares nothing");
    drop(importing);
    let blob = keep(&store, b"bytes").await;
    account.put("notes", &[refers("3", 1, blob)]).await;
    account.put("notes", &[r#"{"id":"3"}"#]).await;
    assert_eq!(store.verify().await.unwrap().blobs, 0, "nobody holds it any more");
}

async fn what_nobody_refers_to_is_collected(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (used, unused) = (keep(&store, b"used").await, keep(&store, b"unused").await);
    account.put("notes", &[refers("1", 1, used)]).await;
    assert_eq!(store.collect_blobs(time(EMITTED)).await.unwrap(), 0, "it just came");
    assert_eq!(store.collect_blobs(time("2026-06-01T00:00:00Z")).await.unwrap(), 1);
    assert!(is_seen(&store, &account.scope("notes"), used).await);
    account.put("notes", &[refers("2", 1, unused)]).await;
    assert!(!is_seen(&store, &account.scope("notes"), unused).await);
}

async fn bytes_with_another_digest_are_not_kept(store: Arc<dyn Store>) {
    let mut upload = store.new_blob().await.unwrap();
    upload.write(b"bytes".to_vec()).await.unwrap();
    assert!(upload.keep(Some(BlobId([3; 32])), time(EMITTED)).await.unwrap().is_none());
    assert_eq!(store.verify().await.unwrap().blobs, 0);
    let digest = keep(&store, b"bytes").await;
    let mut upload = store.new_blob().await.unwrap();
    upload.write(b"bytes".to_vec()).await.unwrap();
    let kept = upload.keep(Some(digest), time(EMITTED)).await.unwrap().unwrap();
    assert_eq!((kept.id, kept.size_bytes), (digest, 5));
}
