//! Connections that die without a word: nothing waits for them for ever.

use std::sync::Arc;
use std::time::Duration;

use pdpp_store::StoreError;
use pdpp_store::writes::WriteMode;
use pdpp_testkit::postgres::{Cluster, is_left_out, plain, until_waiting};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::desk::{account, count, note, open, open_hasty};
use crate::proxy::Proxy;

/// More than it takes to find out, less than a read may take.
const SOON: Duration = Duration::from_secs(19);

#[tokio::test]
async fn a_first_server_that_says_nothing_leaves_the_second_its_time() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let first = format!("@127.0.0.1:{},", silent.local_addr().unwrap().port());
    let url = format!("{}?connect_timeout=2", server.url().replace('@', &first));
    let store = timeout(SOON, open(&url)).await.expect("nobody waits for ever").unwrap();
    let account = account(&store).await;
    account.put("notes", &[note(1)]).await;
    assert_eq!(count(&account).await.unwrap(), 1);
}

const WAIT_AT_COMMIT: &str = "
    CREATE TABLE gate (one integer);
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM count(*) FROM gate; RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON records
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait_at_gate();";

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_after_a_silent_end_goes_on_over_new_connections() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let proxy = Proxy::before(&server.url()).await;
    let store = open(proxy.url()).await.unwrap();
    let account = account(&store).await;
    account.put("notes", &[note(1)]).await;
    assert_eq!(count(&account).await.unwrap(), 1);
    proxy.fall_silent();
    timeout(SOON, account.put("notes", &[note(2)])).await.expect("a write goes on");
    // The write took longer than a reader's session is trusted.
    let seen = timeout(SOON, count(&account)).await.expect("a read goes on");
    assert_eq!(seen.unwrap(), 2);
    store.check().await.unwrap();
}

#[tokio::test]
async fn a_server_that_takes_a_connection_and_says_nothing_is_given_up() {
    if is_left_out() {
        return;
    }
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let url = format!("postgres://ada@127.0.0.1:{port}/db?connect_timeout=1");
    let error = timeout(SOON, open(&url)).await.expect("nobody waits for ever").err();
    let Some(StoreError::Unavailable(cause)) = error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("no answer within 1 s"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_under_way_in_a_silent_end_is_given_up_and_leaves_nothing() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    for for_good in [false, true] {
        let proxy = Proxy::before(&server.url()).await;
        let store = open_hasty(proxy.url(), 2, Duration::from_secs(2)).await;
        let own = account(&store).await;
        own.put("notes", &[note(1)]).await;
        let (locking, looking) = (plain(&server.url()).await, plain(&server.url()).await);
        locking.batch_execute("BEGIN; LOCK TABLE records").await.unwrap();
        let batch = vec![own.prepared("notes", "2026-01-01T00:00:00Z", &note(2))];
        let (writer, id) = (Arc::clone(&store), own.id.clone());
        let write =
            tokio::spawn(
                async move { writer.write_records(&id, batch, WriteMode::KeepGood).await },
            );
        until_waiting(&looking, 1).await;
        if for_good {
            proxy.fall_silent_for_good();
        } else {
            proxy.fall_silent();
        }
        locking.batch_execute("ROLLBACK").await.unwrap();
        let given_up = timeout(SOON, write).await.expect("nobody waits for ever").unwrap();
        assert!(matches!(given_up, Err(StoreError::Unavailable(_))), "{given_up:?}");
        if for_good {
            return;
        }
        timeout(SOON, own.put("notes", &[note(3)])).await.expect("the next write goes on");
        assert_eq!(count(&own).await.unwrap(), 2, "the one that was given up is not there");
        assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_said_to_be_unknown() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let proxy = Proxy::before(&server.url()).await;
    let store = open_hasty(proxy.url(), 2, Duration::from_secs(2)).await;
    let own = account(&store).await;
    own.put("notes", &[note(1)]).await;
    let (locking, looking) = (plain(&server.url()).await, plain(&server.url()).await);
    // What is checked at the end of a transaction waits there for a lock.
    locking.batch_execute(WAIT_AT_COMMIT).await.unwrap();
    locking.batch_execute("BEGIN; LOCK TABLE gate").await.unwrap();
    let batch = vec![own.prepared("notes", "2026-01-01T00:00:00Z", &note(2))];
    let (writer, id) = (Arc::clone(&store), own.id.clone());
    let write =
        tokio::spawn(async move { writer.write_records(&id, batch, WriteMode::KeepGood).await });
    until_waiting(&looking, 1).await;
    proxy.fall_silent();
    locking.batch_execute("ROLLBACK").await.unwrap();
    let lost = timeout(SOON, write).await.expect("nobody waits for ever").unwrap();
    let Err(StoreError::Unavailable(cause)) = lost else { panic!("{lost:?}") };
    assert!(cause.to_string().contains("not known"), "{cause}");
    assert_eq!(count(&own).await.unwrap(), 2, "the server kept it");
    own.put("notes", &[note(2)]).await;
    assert_eq!(count(&own).await.unwrap(), 2, "sent again it changes nothing");
}
