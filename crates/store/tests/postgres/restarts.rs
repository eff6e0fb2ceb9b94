//! A server that goes away and comes back: reads recover, writes are never half done.

use pdpp_store::StoreError;
use pdpp_store::writes::WriteMode;
use pdpp_testkit::postgres::{Cluster, fresh_database, is_left_out, plain};

use crate::desk::{account, count, note, open};

#[tokio::test]
async fn a_server_that_returns_is_used_again_without_a_restart() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let store = open(&server.url()).await.unwrap();
    let account = account(&store).await;
    account.put("notes", &[note(1)]).await;
    assert_eq!(count(&account).await.unwrap(), 1);
    server.stop().unwrap();
    for _ in 0..2 {
        let read = count(&account).await;
        assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
        let batch = vec![account.prepared("notes", "2026-01-01T00:00:00Z", &note(2))];
        let written = store.write_records(&account.id, batch, WriteMode::KeepGood).await;
        assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    }
    server.start_again().unwrap();
    assert_eq!(count(&account).await.unwrap(), 1, "what was kept is there");
    account.put("notes", &[note(3)]).await;
    assert_eq!(count(&account).await.unwrap(), 2);
    assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new());
}

const END_SESSIONS: &str = "
    SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_in_the_middle_leaves_all_of_a_batch_or_nothing() {
    let Some(database) = fresh_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let account = account(&store).await;
    let url = database.url().to_owned();
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let enemy = tokio::spawn(async move {
        let client = plain(&url).await;
        while stopped.try_recv().is_err() {
            client.query(END_SESSIONS, &[]).await.unwrap();
            tokio::task::yield_now().await;
        }
    });
    let mut acknowledged = Vec::new();
    for batch in 0..40 {
        let numbers = batch * 20..batch * 20 + 20;
        let records =
            numbers.map(|at| account.prepared("notes", "2026-01-01T00:00:00Z", &note(at)));
        let written =
            store.write_records(&account.id, records.collect(), WriteMode::AllOrNothing).await;
        match written {
            Ok(Some(outcome)) if outcome.kept => acknowledged.push(batch),
            Err(StoreError::Unavailable(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    stop.send(()).unwrap();
    enemy.await.unwrap();
    let scope = account.scope("notes");
    let ask = pdpp_store_conformance::Ask::by_key();
    let ids = ask.ids(&store, &scope).await;
    for batch in 0..40 {
        let wanted = batch * 20..batch * 20 + 20;
        let kept = wanted.filter(|at| ids.contains(&format!("n{at}"))).count();
        assert!(kept == 0 || kept == 20, "batch {batch}: {kept}");
        assert!(kept == 20 || !acknowledged.contains(&batch), "batch {batch} was acknowledged");
    }
    assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new());
}
