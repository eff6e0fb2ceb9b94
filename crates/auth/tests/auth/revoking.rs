//! How access ends.

use jiff::SignedDuration;
use pdpp_auth::{AuthError, IssuedPackage, Standing};
use pdpp_contract::access::{AuditQuery, GrantSelector, Revocation};
use pdpp_contract::ports::Clock;
use pdpp_store::StoreError;

use crate::bench::{Bench, connection, request};

fn package(issued: &IssuedPackage) -> GrantSelector {
    GrantSelector::Package(issued.package_id.clone())
}

fn grant(issued: &IssuedPackage, index: usize) -> GrantSelector {
    GrantSelector::Grant(issued.grants[index].grant_id.clone())
}

#[tokio::test]
async fn a_revoked_package_is_refused_on_the_next_call() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail", "home-mail"]).await;
    let other = bench.issue(&["work-mail"]).await;
    assert!(bench.is_live(&issued).await);
    let revoked = bench.auth.revoke(&bench.owner, &package(&issued)).await.unwrap();
    assert_eq!(revoked.packages, std::slice::from_ref(&issued.package_id));
    assert_eq!(revoked.grants.len(), 2);
    let refused = bench.refusal(issued.access_token.reveal()).await;
    assert!(matches!(refused, AuthError::GrantRevoked), "{refused}");
    assert!(bench.is_live(&other).await);
}

#[tokio::test]
async fn revoking_again_is_no_error_and_ends_nothing() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    bench.auth.revoke(&bench.owner, &package(&issued)).await.unwrap();
    let first = bench.auth.package(&bench.owner, &package(&issued)).await.unwrap();
    bench.clock.forward(SignedDuration::from_hours(1));
    for what in [package(&issued), grant(&issued, 0), "claude".parse().unwrap()] {
        let again = bench.auth.revoke(&bench.owner, &what).await.unwrap();
        assert_eq!(again, Revocation::default());
    }
    assert_eq!(bench.auth.package(&bench.owner, &package(&issued)).await.unwrap(), first);
    assert_eq!(operations(&bench).await, ["grant_revoke", "grant_create"]);
}

#[tokio::test]
async fn one_revoked_grant_takes_away_one_connection_and_the_last_one_everything() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail", "home-mail"]).await;
    let token = issued.access_token.reveal();
    let revoked = bench.auth.revoke(&bench.owner, &grant(&issued, 0)).await.unwrap();
    assert_eq!((revoked.packages.len(), revoked.grants.len()), (0, 1));
    let access = bench.auth.verify(token).await.unwrap().into_agent().unwrap();
    assert_eq!(access.grants(), &issued.grants[1..]);
    let revoked = bench.auth.revoke(&bench.owner, &grant(&issued, 1)).await.unwrap();
    assert_eq!((revoked.packages.len(), revoked.grants.len()), (1, 1));
    assert!(matches!(bench.refusal(token).await, AuthError::GrantRevoked));
}

#[tokio::test]
async fn an_agent_loses_all_its_packages_by_name() {
    let bench = Bench::new().await;
    let first = bench.issue(&["work-mail"]).await;
    let second = bench.issue(&["home-mail"]).await;
    let mut other = request(&["work-mail"]);
    other.client = "gemini".parse().unwrap();
    let other = bench.auth.issue_package(&bench.owner, other).await.unwrap();
    let revoked = bench.auth.revoke(&bench.owner, &"claude".parse().unwrap()).await.unwrap();
    assert_eq!(revoked.packages, [first.package_id.clone(), second.package_id.clone()]);
    assert!(!bench.is_live(&first).await && !bench.is_live(&second).await);
    assert!(bench.is_live(&other).await);
}

#[tokio::test]
async fn a_name_that_nothing_goes_by_is_said() {
    let bench = Bench::new().await;
    let unknown = format!("pkg_{}", "0".repeat(32));
    for what in ["nobody", unknown.as_str()] {
        let what: GrantSelector = what.parse().unwrap();
        let refused = bench.auth.revoke(&bench.owner, &what).await.unwrap_err();
        assert!(matches!(refused, AuthError::NothingMatches { .. }), "{refused}");
        assert!(bench.auth.package(&bench.owner, &what).await.is_err());
    }
}

#[tokio::test]
async fn a_removed_connection_ends_its_grants_and_leaves_the_others() {
    let bench = Bench::new().await;
    let both = bench.issue(&["work-mail", "home-mail"]).await;
    let only = bench.issue(&["work-mail"]).await;
    let now = bench.clock.now();
    let erased = bench.store.remove_connection(&connection("cin_work"), now).await.unwrap();
    assert_eq!(erased.unwrap().grants, 2);
    let refused = bench.refusal(only.access_token.reveal()).await;
    assert!(matches!(refused, AuthError::GrantRevoked), "{refused}");
    let access = bench.auth.verify(both.access_token.reveal()).await.unwrap();
    assert_eq!(access.into_agent().unwrap().grants(), &both.grants[1..]);
    let standings: Vec<_> = bench.auth.packages(&bench.owner).await.unwrap();
    let standings: Vec<_> = standings.iter().map(|package| package.standing).collect();
    assert_eq!(standings, [Standing::Live, Standing::Revoked]);
}

#[tokio::test]
async fn a_grant_for_a_connection_removed_meanwhile_is_not_kept() {
    let bench = Bench::new().await;
    bench.store.remove_connection(&connection("cin_work"), bench.clock.now()).await.unwrap();
    let package = pdpp_store::grants::NewPackage {
        package_id: "pkg_late".parse().unwrap(),
        client: "claude".parse().unwrap(),
        access_mode: pdpp_contract::AccessMode::Continuous,
        created_at: bench.clock.now(),
        expires_at: None,
        grants: vec![pdpp_store::grants::NewGrant {
            grant_id: "grt_late".parse().unwrap(),
            connection_id: connection("cin_work"),
            grant_json: "{}".to_owned(),
        }],
        token: Some(pdpp_store::tokens::NewToken {
            hash: pdpp_store::tokens::TokenHash::of("late"),
            label: None,
            created_at: bench.clock.now(),
            expires_at: None,
        }),
    };
    let event = pdpp_contract::access::AuditEvent::by_owner(bench.clock.now(), "grant_create");
    let refused = bench.store.issue_package(package, event).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))));
    assert_eq!(bench.auth.packages(&bench.owner).await.unwrap(), []);
}

/// The operations in the audit log, the newest first.
async fn operations(bench: &Bench) -> Vec<String> {
    let every = AuditQuery { limit: 100, ..AuditQuery::default() };
    let events = bench.store.audit_events(&every).await.unwrap();
    events.iter().map(|stored| stored.event.operation.as_str().to_owned()).collect()
}
