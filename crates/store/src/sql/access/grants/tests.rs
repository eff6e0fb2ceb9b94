//! What stays of a grant when its connection goes, and what never gets in.

use jiff::Timestamp;
use pdpp_contract::ConnectionId;
use pdpp_contract::access::{AuditEvent, GrantSelector};

use super::backend::testing::fresh;
use super::*;
use crate::access::tokens::{NewToken, TokenHash, TokenStore};

const DECLARATION: &str = "
    INSERT INTO declarations (digest, connector_key, json) VALUES ('', 'gmail', '{}')";
const CONNECTION: &str = "
    INSERT INTO connections (connection_id, name, connector_key, declaration_no, created_at)
    VALUES (?1, ?1, 'gmail', 1, '2026-01-01T00:00:00.000000000Z')";

async fn store() -> Option<(Backend, impl Sized)> {
    let (store, guard) = fresh().await?;
    let insert = |tx: &Transaction<'_>| {
        tx.execute(DECLARATION, []).map_err(from_driver)?;
        for id in ["cin_a", "cin_b"] {
            tx.execute(CONNECTION, [id]).map_err(from_driver)?;
        }
        Ok(())
    };
    store.write(insert).await.unwrap();
    Some((store, guard))
}

fn now() -> Timestamp {
    "2026-03-01T00:00:00Z".parse().unwrap()
}

fn event() -> AuditEvent {
    AuditEvent::by_owner(now(), "grant_create")
}

/// A package called `name` with a grant for each connection, limited to one record.
fn package(name: &str, connections: &[&str]) -> NewPackage {
    let grant = |id: &&str| NewGrant {
        grant_id: format!("grt_{name}_{id}").parse().unwrap(),
        connection_id: id.parse().unwrap(),
        grant_json: format!(r#"{{"streams":[{{"name":"s","resources":["record-of-{id}"]}}]}}"#),
    };
    NewPackage {
        package_id: format!("pkg_{name}").parse().unwrap(),
        client: "claude".parse().unwrap(),
        access_mode: AccessMode::Continuous,
        created_at: now(),
        expires_at: None,
        grants: connections.iter().map(grant).collect(),
        token: Some(NewToken {
            hash: TokenHash::of(name),
            label: None,
            created_at: now(),
            expires_at: None,
        }),
    }
}

#[tokio::test]
async fn a_removed_connection_takes_its_record_ids_out_of_every_grant() {
    let Some((store, _guard)) = store().await else { return };
    store.issue_package(package("ended", &["cin_a"]), event()).await.unwrap();
    let ended = GrantSelector::Package("pkg_ended".parse().unwrap());
    store.revoke_grants(&ended, event()).await.unwrap();
    store.issue_package(package("both", &["cin_a", "cin_b"]), event()).await.unwrap();
    store.issue_package(package("one", &["cin_a"]), event()).await.unwrap();
    let id: ConnectionId = "cin_a".parse().unwrap();
    let count = store.write(move |tx| end_for_connection(tx, &id, now())).await.unwrap();
    assert_eq!(count, 2, "what was revoked before does not end again");
    let packages = store.list_packages().await.unwrap();
    let texts: Vec<&str> = packages
        .iter()
        .flat_map(|package| &package.grants)
        .map(|grant| grant.grant_json.as_str())
        .collect();
    let erased = r#"{"streams":[{"name":"s","resources":[]}]}"#;
    let kept = r#"{"streams":[{"name":"s","resources":["record-of-cin_b"]}]}"#;
    assert_eq!(texts, [erased, erased, kept, erased]);
    let ended: Vec<bool> = packages.iter().map(|package| package.revoked_at.is_some()).collect();
    assert_eq!(ended, [true, false, true]);
}

#[tokio::test]
async fn a_grant_comes_back_byte_for_byte() {
    let Some((store, _guard)) = store().await else { return };
    let mut odd = package("odd", &["cin_a"]);
    odd.grants[0].grant_json = "{ \"b\" : 1,\n\"a\":2 }".to_owned();
    store.issue_package(odd.clone(), event()).await.unwrap();
    let found = store.find_access(&TokenHash::of("odd")).await.unwrap().unwrap();
    assert_eq!(found.package.unwrap().grants[0].grant_json, odd.grants[0].grant_json);
    assert_eq!(store.find_access(&TokenHash::of("unknown")).await.unwrap(), None);
}

#[tokio::test]
async fn a_taken_id_and_a_taken_token_are_conflicts_and_leave_nothing_behind() {
    let Some((store, _guard)) = store().await else { return };
    store.issue_package(package("first", &["cin_a"]), event()).await.unwrap();
    let same_token =
        NewPackage { token: package("first", &[]).token, ..package("second", &["cin_a", "cin_b"]) };
    for refused in [package("first", &["cin_b"]), same_token, package("twice", &["cin_a", "cin_a"])]
    {
        let outcome = store.issue_package(refused, event()).await;
        assert!(matches!(outcome, Err(StoreError::Conflict(_))), "{outcome:?}");
    }
    let packages = store.list_packages().await.unwrap();
    assert_eq!((packages.len(), packages[0].grants.len()), (1, 1));
}
