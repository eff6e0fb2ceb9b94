//! Connections that die without a word: nothing waits for them for ever.

use std::time::Duration;

use pdpp_store::StoreError;
use pdpp_testkit::postgres::{Cluster, is_left_out};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::desk::{account, count, note, open};
use crate::proxy::Proxy;

/// More than it takes to find out, less than a read may take.
const SOON: Duration = Duration::from_secs(15);

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
