//! Taking a whole store in: what gives way to it, and what does not.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::cases;
use super::oauth::client;
use super::sample::{Account, EMITTED, time};
use pdpp_contract::access::AuditEvent;
use pdpp_store::ChangeNo;
use pdpp_store::Store;
use pdpp_store::error::StoreError;
use pdpp_store::oauth::FetchedDocument;
use pdpp_store::owner::NewPassword;
use pdpp_store::tokens::TokenHash;
use pdpp_store::transfer::{ContentsDigest, Load};

pub(super) const CASES: super::CaseTable = cases![
    what_a_server_leaves_in_an_empty_store_gives_way,
    what_an_owner_did_does_not_give_way,
    what_was_taken_has_the_digest_of_what_was_given,
];

fn now() -> Timestamp {
    time(EMITTED)
}

/// Everything that a store gives.
async fn given(store: &Arc<dyn Store>) -> Vec<Load> {
    let (out, loads) = std::sync::mpsc::sync_channel(8);
    let collecting = std::thread::spawn(move || loads.into_iter().collect());
    store.give(out).await.unwrap();
    collecting.join().unwrap()
}

async fn take(store: &Arc<dyn Store>, loads: Vec<Load>) -> Result<ContentsDigest, StoreError> {
    let (out, into) = std::sync::mpsc::sync_channel(loads.len());
    for load in loads {
        out.send(load).unwrap();
    }
    drop(out);
    store.take(into, Arc::new(|_| ())).await
}

fn counters(loads: &[Load]) -> usize {
    loads.iter().filter(|load| load.is_counter()).count()
}

/// What a server writes by itself, or for strangers, before its owner has done anything.
async fn serve_strangers(store: &Arc<dyn Store>) {
    let later = now() + SignedDuration::from_mins(30);
    assert!(store.offer_setup(&TokenHash::of("link"), later).await.unwrap());
    store.add_client(client("a"), 10).await.unwrap();
    let document = FetchedDocument { body: None, fetched_at: now(), fresh_until: later };
    store.keep_document("https://a.example/", document).await.unwrap();
    assert!(store.spend_assertion([1; 32], later).await.unwrap());
}

async fn what_a_server_leaves_in_an_empty_store_gives_way(store: Arc<dyn Store>) {
    let empty = given(&store).await;
    serve_strangers(&store).await;
    let served = given(&store).await;
    take(&store, served).await.expect("its own rows come back into it");
    store.finish_move().await.unwrap();
    assert!(store.find_client("dcr_a").await.unwrap().is_some(), "what came is there");

    take(&store, empty).await.unwrap();
    store.finish_move().await.unwrap();
    assert_eq!(store.setup_expires_at(&TokenHash::of("link")).await.unwrap(), None);
    assert!(store.find_client("dcr_a").await.unwrap().is_none());
    assert_eq!(counters(&given(&store).await), 0, "numbers begin again");
}

async fn what_an_owner_did_does_not_give_way(store: Arc<dyn Store>) {
    let empty = given(&store).await;
    let password = NewPassword { password_hash: "h".to_owned(), setup: None, keep_session: None };
    store.set_password(password, AuditEvent::by_owner(now(), "owner_setup")).await.unwrap();
    let account = Account::open(&store, "post").await;
    account.put("notes", &[r#"{"id": "a"}"#]).await;
    let refused = take(&store, empty).await.unwrap_err();
    assert!(matches!(refused, StoreError::Conflict(_)), "{refused}");
    assert_eq!(store.password_hash().await.unwrap().as_deref(), Some("h"));
    assert!(store.newest_change().await.unwrap() > ChangeNo::NONE);
}

async fn what_was_taken_has_the_digest_of_what_was_given(store: Arc<dyn Store>) {
    serve_strangers(&store).await;
    let (held, loads) = (store.contents().await.unwrap(), given(&store).await);
    assert_eq!(take(&store, loads).await.unwrap(), held);
    assert_eq!(store.contents().await.unwrap(), held, "how far a move is does not count");
    store.finish_move().await.unwrap();
    assert_eq!(store.contents().await.unwrap(), held);
    store.add_client(client("b"), 10).await.unwrap();
    assert_ne!(store.contents().await.unwrap(), held);
}
