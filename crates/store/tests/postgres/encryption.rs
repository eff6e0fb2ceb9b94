//! TLS on the way to the server.

use pdpp_store::StoreError;
use pdpp_testkit::postgres::{Cluster, is_left_out, plain, until_waiting};

use crate::desk::{account, count, note, open};

const ENCRYPTED: &str = "
    SELECT count(*)
      FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
     WHERE a.application_name = 'pdpp' AND s.ssl";

#[tokio::test]
async fn a_connection_is_as_encrypted_and_as_checked_as_its_url_asks() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let certificate = server.speak_tls().unwrap();
    let url = |options: &str| format!("{}?{options}", server.url());
    let encrypted = async || -> i64 {
        plain(&url("sslmode=disable")).await.query_one(ENCRYPTED, &[]).await.unwrap().get(0)
    };

    let store = open(&url("sslmode=require")).await.unwrap();
    let own = account(&store).await;
    own.put("notes", &[note(1)]).await;
    assert_eq!(count(&own).await.unwrap(), 1);
    assert!(encrypted().await > 0);

    let root = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    assert_eq!(count(&account(&open(&url(&root)).await.unwrap()).await).await.unwrap(), 1);
    let unknown = open(&url("sslmode=verify-full")).await;
    assert!(matches!(unknown, Err(StoreError::Unavailable(_))), "nobody vouches for this server");
    std::fs::remove_file(certificate).unwrap();
}

#[tokio::test]
async fn a_read_that_nobody_waits_for_ends_over_an_encrypted_connection_too() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let certificate = server.speak_tls().unwrap();
    let root = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    let own = account(&open(&format!("{}?{root}", server.url())).await.unwrap()).await;
    let (locking, looking) = (plain(&server.url()).await, plain(&server.url()).await);
    locking.batch_execute("BEGIN; LOCK TABLE collections").await.unwrap();
    tokio::select! {
        read = count(&own) => panic!("{read:?}"),
        () = until_waiting(&looking, 1) => {}
    }
    until_waiting(&looking, 0).await;
    locking.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(count(&own).await.unwrap(), 0);
    std::fs::remove_file(certificate).unwrap();
}

#[tokio::test]
async fn a_server_without_tls_is_refused_by_whoever_requires_it() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let refused = open(&format!("{}?sslmode=require", server.url())).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    assert!(open(&format!("{}?sslmode=prefer", server.url())).await.is_ok());
}

#[tokio::test]
async fn a_socket_in_the_file_system_needs_no_encryption_whatever_the_url_says() {
    if is_left_out() {
        return;
    }
    let server = Cluster::start().unwrap();
    let socket = server.socket_url();
    let certain = format!("{socket}&sslmode=verify-full");
    for url in [socket.replace("host=/", "host=%2F"), socket, certain] {
        let own = account(&open(&url).await.unwrap()).await;
        own.put("notes", &[note(1)]).await;
        assert_eq!(count(&own).await.unwrap(), 1);
    }
}
