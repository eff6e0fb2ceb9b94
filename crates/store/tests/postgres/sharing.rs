//! Several processes in front of one database.

use pdpp_store::changes::{Changes, ChangesQuery, Known, RecordChange};
use pdpp_store::records::CollectionQuery;
use pdpp_testkit::postgres::fresh_database;

use crate::desk::{account, note, open};

#[tokio::test(flavor = "multi_thread")]
async fn many_start_at_once_on_an_empty_database_and_share_its_keys() {
    let Some(database) = fresh_database().await else { return };
    let openings = (0..6).map(|_| {
        let url = database.url().to_owned();
        tokio::spawn(async move { open(&url).await.unwrap().sealing_key() })
    });
    let mut keys = Vec::new();
    for opening in openings.collect::<Vec<_>>() {
        keys.push(opening.await.unwrap());
    }
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_misses_nothing_while_two_write() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let reader = account(&store).await;
    let mut writers = Vec::new();
    for writer in 0..2_usize {
        let url = database.url().to_owned();
        writers.push(tokio::spawn(async move {
            let own = account(&open(&url).await.unwrap()).await;
            for batch in 0..25 {
                let first = (writer * 25 + batch) * 4;
                let records: Vec<String> = (first..first + 4).map(note).collect();
                own.put("notes", &records).await;
            }
        }));
    }
    let mut seen = Vec::new();
    let mut known = Known::default();
    while seen.len() < 200 {
        let done = writers.iter().all(tokio::task::JoinHandle::is_finished);
        let query = ChangesQuery {
            collections: vec![CollectionQuery::default()],
            known,
            resume: None,
            limit: 500,
            max_bytes: usize::MAX,
            preview_chars: 10,
            fields: None,
        };
        let answer = store.changes(&reader.scope("notes"), query).await.unwrap();
        let Changes::Page(page) = answer else { panic!("{answer:?}") };
        seen.extend(page.changes.iter().map(|change| match change {
            RecordChange::Present(record) => record.id.to_string(),
            RecordChange::Gone(gone) => panic!("{gone:?}"),
        }));
        known = Known::up_to(page.horizon);
        assert!(!done || seen.len() == 200, "{} of 200 after the last write", seen.len());
    }
    for writer in writers {
        writer.await.unwrap();
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 200, "each once");
}
