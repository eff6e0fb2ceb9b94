//! The full check beside writers: a sound store is never called damaged, and damage is still found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use jiff::Timestamp;
use pdpp_contract::key::RecordKey;
use pdpp_contract::{ConnectionId, Json, SourceDeclaration, StreamName};

use super::backend::errors::from_driver;
use super::backend::testing::{another, fresh};
use crate::Store;
use crate::access::audit::AuditStore;
use crate::maintenance::Maintenance;
use crate::records::connections::NewConnection;
use crate::writes::WriteMode;
use crate::writes::prepare::{Classification, RecordWrite, StreamShape, prepare};
use pdpp_contract::access::{AuditChain, AuditEvent};

const ROUNDS: u32 = 40;

/// A connection with notes.
struct Notes {
    store: Arc<dyn Store>,
    connection: ConnectionId,
    shape: StreamShape,
}

impl Notes {
    async fn open(store: &Arc<dyn Store>, name: &str) -> Self {
        let sample = include_str!("../../../../store-conformance/src/sample.json");
        let declaration = SourceDeclaration::parse(sample).unwrap();
        let shape = StreamShape::new(&declaration, declaration.stream("notes").unwrap());
        let connection: ConnectionId = format!("cin_{name}").parse().unwrap();
        let new = NewConnection {
            id: connection.clone(),
            name: name.parse().unwrap(),
            display_name: None,
            declaration,
            now: Timestamp::UNIX_EPOCH,
        };
        store.ensure_connection(new).await.unwrap();
        Self { store: Arc::clone(store), connection, shape }
    }

    /// Writes a note, or deletes it.
    async fn write(&self, key: &str, note: Option<&str>) {
        let key = RecordKey::new(vec![key.to_owned()]).unwrap();
        let data = note.map(|note| match Json::parse(note) {
            Ok(Json::Object(data)) => data,
            other => panic!("{other:?}"),
        });
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: "2026-04-01T12:00:00Z".to_owned(),
            data,
            carries: Classification::default(),
        };
        let batch = vec![prepare(&self.shape, &self.store.hash_key(), write)];
        let written = self.store.write_records(&self.connection, batch, WriteMode::AllOrNothing);
        assert!(written.await.unwrap().unwrap().kept);
    }
}

/// Imports, changes, deletes, erases, prunes, uploads and forgets, over and over.
async fn write_on(store: Arc<dyn Store>, stop: Arc<AtomicBool>, written: Arc<AtomicU64>) {
    let notes = Notes::open(&store, "busy").await;
    let (stream, now): (StreamName, _) = ("notes".parse().unwrap(), Timestamp::UNIX_EPOCH);
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
        notes.write(&id, Some(&record)).await;
        match turn % 4 {
            0 => notes.write(&((turn + 5) % 17).to_string(), None).await,
            1 => {
                let gone = RecordKey::new(vec![((turn + 9) % 17).to_string()]).unwrap();
                let gone = gone.id().unwrap();
                store.erase_record(&notes.connection, &stream, &gone, now).await.unwrap();
            }
            2 => {
                let newest = store.newest_change().await.unwrap();
                store.prune_versions(newest.back(10)).await.unwrap();
            }
            _ => drop(store.collect_blobs(Timestamp::MAX).await.unwrap()),
        }
        store.append_audit(vec![AuditEvent::by_owner(now, "search")]).await.unwrap();
        written.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn the_full_check_raises_no_false_alarm_beside_a_writer_and_still_finds_damage() {
    let Some((checked, guard)) = fresh().await else { return };
    let busy: Arc<dyn Store> = Arc::new(another(&guard).await.unwrap());
    let resting = Notes::open(&busy, "resting").await;
    resting.write("1", Some(r#"{"id":"1","title":"first"}"#)).await;
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
