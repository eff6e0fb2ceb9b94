//! The full check beside writers: a sound store is never called damaged, and damage is still found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::backend::errors::from_driver;
use super::backend::testing::{another, fresh};
use crate::Store;
use crate::access::audit::{AuditChain, AuditEvent, AuditStore};
use crate::conformance::sample::{Account, EMITTED, record_id, stream_name, time};
use crate::maintenance::Maintenance;
use crate::numbers::ChangeNo;

const ROUNDS: u32 = 40;

/// Imports, changes, deletes, erases, prunes, uploads and forgets, over and over.
async fn write_on(store: Arc<dyn Store>, stop: Arc<AtomicBool>, written: Arc<AtomicU64>) {
    let account = Account::open(&store, "busy").await;
    let (stream, now) = (stream_name("notes"), time(EMITTED));
    let mut turn = 0_u64;
    while !stop.load(Ordering::Relaxed) {
        turn += 1;
        let id = (turn % 17).to_string();
        let mut upload = store.new_blob().await.unwrap();
        upload.write(format!("bytes {}", turn % 5).into_bytes()).await.unwrap();
        let blob = upload.keep(None, now).await.unwrap().unwrap().id;
        let body = "long text ".repeat(if turn.is_multiple_of(3) { 1_000 } else { 2 });
        let record = format!(
            r#"{{"id":"{id}","title":"turn {turn}","body":"{body}","parts":{{"blob_id":"{blob}"}}}}"#
        );
        account.put("notes", &[record]).await;
        match turn % 4 {
            0 => drop(account.delete("notes", &((turn + 5) % 17).to_string()).await),
            1 => {
                let gone = record_id(&((turn + 9) % 17).to_string());
                store.erase_record(&account.id, &stream, &gone, now).await.unwrap();
            }
            2 => {
                let newest = store.newest_change().await.unwrap();
                store.prune_versions(ChangeNo(newest.0 - 10)).await.unwrap();
            }
            _ => drop(store.collect_blobs(jiff::Timestamp::MAX).await.unwrap()),
        }
        store.append_audit(vec![AuditEvent::by_owner(now, "search")]).await.unwrap();
        written.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn the_full_check_raises_no_false_alarm_beside_a_writer_and_still_finds_damage() {
    let Some((checked, guard)) = fresh().await else { return };
    let busy: Arc<dyn Store> = Arc::new(another(&guard).await.unwrap());
    let resting = Account::open(&busy, "resting").await;
    resting.put("notes", &[r#"{"id":"1","title":"first"}"#]).await;
    let stop = Arc::new(AtomicBool::new(false));
    let written = Arc::new(AtomicU64::new(0));
    let writer = tokio::spawn(write_on(Arc::clone(&busy), Arc::clone(&stop), Arc::clone(&written)));
    let mut alarms = Vec::new();
    for _ in 0..ROUNDS {
        // Something is written around each check.
        let before = written.load(Ordering::Relaxed);
        while written.load(Ordering::Relaxed) == before {
            assert!(!writer.is_finished(), "the writer ended");
            tokio::task::yield_now().await;
        }
        alarms.extend(checked.verify().await.unwrap().faults.into_iter().take(1));
        let chain = checked.verify_audit().await.unwrap();
        assert!(matches!(chain, AuditChain::Intact { .. }), "{chain:?}");
    }
    assert_eq!(alarms, Vec::<String>::new(), "{} of {ROUNDS}", alarms.len());
    let damage = "UPDATE records SET json = replace(json, 'first', 'worst')";
    checked.write(|db| db.execute(damage, []).map_err(from_driver)).await.unwrap();
    let faults = checked.verify().await.unwrap().faults;
    assert!(faults.iter().any(|fault| fault.contains("newest version")), "{faults:?}");
    stop.store(true, Ordering::Relaxed);
    writer.await.unwrap();
}
