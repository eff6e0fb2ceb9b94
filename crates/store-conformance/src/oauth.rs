//! Signing in: what may happen once happens once, and what is over stays over.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::AccessMode;

use super::cases;
use super::sample::{Account, EMITTED, time};
use pdpp_contract::access::{AuditEvent, AuditWord, Resource};
use pdpp_store::Store;
use pdpp_store::error::StoreError;
use pdpp_store::grants::{NewGrant, NewPackage};
use pdpp_store::oauth::{
    Approval, ClientKind, FetchedDocument, NewClient, NewCode, NewFamily, NewRefresh, NewRequest,
    RequestKey, RequestStatus, Rotation, TokenIssue,
};
use pdpp_store::tokens::{NewToken, TokenHash};

pub(super) const CASES: super::CaseTable = cases![
    clients_are_found_by_id_and_by_handle_and_counted_until_approved,
    clients_that_nobody_approved_are_collected,
    a_request_is_decided_once_and_only_as_it_was_shown,
    a_request_is_redeemed_once,
    a_refresh_token_has_one_successor,
    a_family_ends_with_all_its_tokens,
    pushed_requests_documents_and_assertions_end,
    what_strangers_send_is_kept_as_it_came,
];

fn now() -> Timestamp {
    time(EMITTED)
}

fn later(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

fn event() -> AuditEvent {
    AuditEvent::by_owner(now(), "test")
}

pub(super) fn client(name: &str) -> NewClient {
    NewClient {
        client_id: format!("dcr_{name}"),
        kind: ClientKind::Registered,
        handle: format!("{name} #1").parse().unwrap(),
        metadata_json: "{}".to_owned(),
        security_hash: [1; 32],
        created_at: now(),
    }
}

fn request(name: &str) -> NewRequest {
    NewRequest {
        request_id: format!("areq_{name}"),
        client_id: "dcr_a".to_owned(),
        redirect_uri: Some("https://a.example/".to_owned()),
        state: None,
        code_challenge: Some("c".to_owned()),
        resource: Resource::V1,
        scope: "s".to_owned(),
        details_json: None,
        issuer: "i".to_owned(),
        requested_from: None,
        same_as: Some([7; 32]),
        user_code_hash: None,
        device_hash: None,
        poll_interval: 5,
        created_at: now(),
        expires_at: later(900),
    }
}

fn approval(account: &Account, name: &str, digest: [u8; 32]) -> Approval {
    let grant = NewGrant {
        grant_id: format!("grt_{name}").parse().unwrap(),
        connection_id: account.id.clone(),
        grant_json: r#"{"streams":[{"name":"s"}]}"#.to_owned(),
    };
    Approval {
        digest,
        package: NewPackage {
            package_id: format!("pkg_{name}").parse().unwrap(),
            client: "a #1".parse().unwrap(),
            access_mode: AccessMode::Continuous,
            created_at: now(),
            expires_at: None,
            grants: vec![grant],
            token: None,
        },
        code: Some(NewCode { hash: code_hash(name), sealed: vec![1], expires_at: later(120) }),
        session: "session".to_owned(),
        replaces: None,
    }
}

/// A different hash for each name of one letter.
fn code_hash(name: &str) -> [u8; 32] {
    [name.as_bytes()[0]; 32]
}

fn access(text: &str) -> NewToken {
    let hash = TokenHash::of(text);
    NewToken { hash, label: None, created_at: now(), expires_at: Some(later(3_600)) }
}

fn refresh(text: &str) -> NewRefresh {
    NewRefresh { hash: TokenHash::of(text), created_at: now(), expires_at: later(10_000) }
}

fn issue(name: &str) -> TokenIssue {
    TokenIssue {
        family: NewFamily { security_hash: [1; 32], by_key: false, expires_at: later(20_000) },
        refresh: Some(refresh(&format!("refresh {name}"))),
        access: access(&format!("access {name}")),
    }
}

fn rotation(name: &str) -> Rotation {
    Rotation {
        refresh: refresh(&format!("refresh {name}")),
        sealed: Some(vec![2]),
        access: access(&format!("access {name}")),
    }
}

/// A request that was approved.
async fn approved(store: &Arc<dyn Store>, name: &str) {
    let account = Account::open(store, "mail").await;
    if store.find_client("dcr_a").await.unwrap().is_none() {
        store.add_client(client("a"), 10).await.unwrap();
    }
    store.add_request(request(name), Some(event())).await.unwrap();
    let id = format!("areq_{name}");
    assert!(store.save_draft(&id, "{}".to_owned()).await.unwrap());
    assert!(store.save_review(&id, [3; 32], "{}".to_owned()).await.unwrap());
    let done = store.approve_request(&id, approval(&account, name, [3; 32]), event()).await;
    assert!(done.unwrap());
}

async fn clients_are_found_by_id_and_by_handle_and_counted_until_approved(store: Arc<dyn Store>) {
    store.add_client(client("a"), 2).await.unwrap();
    store.add_request(request("x"), Some(event())).await.unwrap();
    store.add_client(client("c"), 2).await.unwrap();
    store.add_client(client("b"), 2).await.unwrap();
    assert!(store.find_client("dcr_c").await.unwrap().is_none(), "two wait; this one never asked");
    let taken = store.add_client(client("a"), 10).await;
    assert!(matches!(taken, Err(StoreError::Conflict(_))), "{taken:?}");
    let found = store.find_client("dcr_b").await.unwrap().unwrap();
    assert_eq!((found.handle.as_str(), found.approved_at), ("b #1", None));
    let handle = "a #1".parse().unwrap();
    let by_handle = store.find_client_by_handle(&handle).await.unwrap().unwrap();
    assert_eq!(by_handle.client_id, "dcr_a");
    store.update_client("dcr_b", "[]".to_owned(), [9; 32]).await.unwrap();
    let changed = store.find_client("dcr_b").await.unwrap().unwrap();
    assert_eq!((changed.metadata_json.as_str(), changed.security_hash), ("[]", [9; 32]));
}

async fn clients_that_nobody_approved_are_collected(store: Arc<dyn Store>) {
    approved(&store, "x").await;
    store.add_client(client("b"), 10).await.unwrap();
    assert_eq!(store.collect_clients(now(), now()).await.unwrap(), 0, "not old enough");
    assert_eq!(store.collect_clients(later(1), later(1)).await.unwrap(), 1);
    assert!(store.find_client("dcr_b").await.unwrap().is_none());
    assert!(store.find_client("dcr_a").await.unwrap().is_some(), "it has a package");
}

async fn a_request_is_decided_once_and_only_as_it_was_shown(store: Arc<dyn Store>) {
    let unknown = store.add_request(request("x"), Some(event())).await;
    assert!(matches!(unknown, Err(StoreError::Conflict(_))), "{unknown:?}");
    approved(&store, "x").await;
    let account = Account::open(&store, "mail").await;
    let again = approval(&account, "y", [3; 32]);
    assert!(!store.approve_request("areq_x", again, event()).await.unwrap());
    assert!(!store.deny_request("areq_x", "session", event()).await.unwrap());
    assert!(!store.save_draft("areq_x", "{}".to_owned()).await.unwrap());
    let found = store.find_request(RequestKey::Code(code_hash("x"))).await.unwrap().unwrap();
    assert_eq!((found.status, found.request_id.as_str()), (RequestStatus::Approved, "areq_x"));
    assert_eq!(found.package.unwrap().package_id.as_str(), "pkg_x");
    assert!(found.client.approved_at.is_some());
    let open = RequestKey::SameAs([7; 32], now());
    assert!(store.find_request(open.clone()).await.unwrap().is_none(), "it is not open");

    store.add_request(request("z"), Some(event())).await.unwrap();
    assert!(store.find_request(open).await.unwrap().is_some());
    assert!(store.save_review("areq_z", [4; 32], "{}".to_owned()).await.unwrap());
    let other = approval(&account, "z", [5; 32]);
    assert!(!store.approve_request("areq_z", other, event()).await.unwrap(), "not what was shown");
    let late = AuditEvent { at: later(900), ..event() };
    let right = approval(&account, "z", [4; 32]);
    assert!(!store.approve_request("areq_z", right, late).await.unwrap(), "too late");
    assert!(store.deny_request("areq_z", "session", event()).await.unwrap());
    assert_eq!(store.list_packages().await.unwrap().len(), 1);
}

async fn a_request_is_redeemed_once(store: Arc<dyn Store>) {
    approved(&store, "x").await;
    assert!(store.redeem_request("areq_x", issue("1"), event()).await.unwrap());
    assert!(!store.redeem_request("areq_x", issue("2"), event()).await.unwrap());
    assert!(store.find_access(&TokenHash::of("access 2")).await.unwrap().is_none());
    let token = store.find_access(&TokenHash::of("access 1")).await.unwrap().unwrap().token;
    assert_eq!(token.resource, Some(Resource::V1));
    let request = store.find_request(RequestKey::Id("areq_x".to_owned())).await.unwrap().unwrap();
    assert_eq!(request.code_sealed, None, "a redeemed code is not shown again");
    let family = store.find_family(request.family_no.unwrap()).await.unwrap().unwrap();
    assert_eq!((family.client.client_id.as_str(), family.scope.as_str()), ("dcr_a", "s"));
    let of_access = store.family_of_access(&TokenHash::of("access 1")).await.unwrap().unwrap();
    assert_eq!(of_access.family_no, family.family_no);
}

async fn a_refresh_token_has_one_successor(store: Arc<dyn Store>) {
    approved(&store, "x").await;
    store.redeem_request("areq_x", issue("1"), event()).await.unwrap();
    let first = TokenHash::of("refresh 1");
    assert!(store.rotate_refresh(&first, rotation("2"), event()).await.unwrap());
    assert!(!store.rotate_refresh(&first, rotation("3"), event()).await.unwrap());
    assert!(store.find_refresh(&TokenHash::of("refresh 3")).await.unwrap().is_none());
    let old = store.find_refresh(&first).await.unwrap().unwrap();
    assert_eq!((old.generation, old.superseded_at), (1, Some(now())));
    assert_eq!((old.successor_sealed.as_deref(), old.successor_unused), (Some(&[2][..]), true));
    assert!(store.reissue_access(&first, access("another"), event()).await.unwrap());
    let second = TokenHash::of("refresh 2");
    assert!(store.rotate_refresh(&second, rotation("4"), event()).await.unwrap());
    assert!(!store.reissue_access(&first, access("late"), event()).await.unwrap());
    assert!(!store.find_refresh(&first).await.unwrap().unwrap().successor_unused);
    store.sweep_oauth(now(), later(1)).await.unwrap();
    let swept = store.find_refresh(&first).await.unwrap().unwrap();
    assert_eq!(swept.successor_sealed, None);
    store.sweep_oauth(later(10_001), later(1)).await.unwrap();
    assert!(store.find_refresh(&first).await.unwrap().is_none());
    let newest = store.find_refresh(&TokenHash::of("refresh 4")).await.unwrap();
    assert!(newest.is_some(), "the active one stays");
}

async fn a_family_ends_with_all_its_tokens(store: Arc<dyn Store>) {
    approved(&store, "x").await;
    store.redeem_request("areq_x", issue("1"), event()).await.unwrap();
    store.rotate_refresh(&TokenHash::of("refresh 1"), rotation("2"), event()).await.unwrap();
    let one = TokenHash::of("access 1");
    assert!(store.revoke_access(&one, event()).await.unwrap());
    assert!(!store.revoke_access(&one, event()).await.unwrap());
    let family = store.family_of_access(&one).await.unwrap().unwrap();
    let why = || AuditWord::new("test");
    assert!(store.revoke_family(family.family_no, why(), event()).await.unwrap());
    assert!(!store.revoke_family(family.family_no, why(), event()).await.unwrap());
    let token = store.find_access(&TokenHash::of("access 2")).await.unwrap().unwrap().token;
    assert_eq!(token.revoked_at, Some(now()));
    let second = TokenHash::of("refresh 2");
    assert!(!store.rotate_refresh(&second, rotation("3"), event()).await.unwrap());
    assert!(store.find_family(family.family_no).await.unwrap().unwrap().revoked_at.is_some());
}

async fn pushed_requests_documents_and_assertions_end(store: Arc<dyn Store>) {
    store.add_client(client("a"), 10).await.unwrap();
    store.push_request([1; 32], "dcr_a", "{}".to_owned(), later(90)).await.unwrap();
    let found = store.find_pushed([1; 32], now()).await.unwrap();
    assert_eq!(found, Some(("dcr_a".to_owned(), "{}".to_owned())));
    assert_eq!(store.find_pushed([1; 32], later(90)).await.unwrap(), None);
    assert!(store.spend_assertion([2; 32], later(60)).await.unwrap());
    assert!(!store.spend_assertion([2; 32], later(60)).await.unwrap());
    let document =
        FetchedDocument { body: Some("x".to_owned()), fetched_at: now(), fresh_until: later(60) };
    store.keep_document("u", document.clone()).await.unwrap();
    assert_eq!(store.find_document("u").await.unwrap(), Some(document.clone()));
    let failed = FetchedDocument { body: None, ..document };
    store.keep_document("u", failed.clone()).await.unwrap();
    assert_eq!(store.find_document("u").await.unwrap(), Some(failed));
    store.sweep_oauth(later(100), now()).await.unwrap();
    assert_eq!(store.find_document("u").await.unwrap(), None);
    assert!(store.spend_assertion([2; 32], later(60)).await.unwrap(), "forgotten when it was dead");
}

/// Ids, states and documents come from outside: a character that a database could choke on is either
/// kept or not found, and never a fault.
async fn what_strangers_send_is_kept_as_it_came(store: Arc<dyn Store>) {
    const ODD: &str = "a\0b'\\\u{feff}\u{202e}é";
    assert!(store.find_client(ODD).await.unwrap().is_none());
    assert!(store.find_request(RequestKey::Id(ODD.to_owned())).await.unwrap().is_none());
    assert!(!store.save_draft(ODD, "{}".to_owned()).await.unwrap());
    assert!(!store.deny_request(ODD, "session", event()).await.unwrap());
    store.add_client(client("a"), 10).await.unwrap();
    let odd = NewRequest { state: Some(ODD.to_owned()), ..request("x") };
    store.add_request(odd, Some(event())).await.unwrap();
    let found = store.find_request(RequestKey::Id("areq_x".to_owned())).await.unwrap().unwrap();
    assert_eq!(found.state.as_deref(), Some(ODD));
    let body = Some(ODD.to_owned());
    let document = FetchedDocument { body, fetched_at: now(), fresh_until: later(60) };
    let address = format!("https://a.example/{}", "x".repeat(1_980));
    store.keep_document(&address, document.clone()).await.unwrap();
    assert_eq!(store.find_document(&address).await.unwrap(), Some(document));
}
