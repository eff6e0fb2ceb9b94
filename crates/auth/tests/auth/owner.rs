//! Owner tokens.

use pdpp_auth::{AuthError, Caller, Standing};

use crate::bench::Bench;

#[tokio::test]
async fn an_owner_token_opens_the_owner_routes_until_it_is_revoked() {
    let bench = Bench::new().await;
    let label = Some("laptop".parse().unwrap());
    let issued = bench.auth.create_owner_token(&bench.owner, label, None).await.unwrap();
    let token = issued.access_token.reveal();
    assert!(token.starts_with("pdpp_owner_"));
    let Ok(Caller::Owner(access)) = bench.auth.verify(token).await else { panic!() };
    assert_eq!(access.fingerprint(), Some(&issued.fingerprint));
    let what = issued.fingerprint.as_str();
    assert_eq!(bench.auth.revoke_owner_token(&access, what).await.unwrap(), 1);
    assert_eq!(bench.auth.revoke_owner_token(&bench.owner, what).await.unwrap(), 0);
    assert!(matches!(bench.refusal(token).await, AuthError::TokenRevoked));
}

#[tokio::test]
async fn owner_tokens_are_listed_without_being_shown_and_revoked_by_label() {
    let bench = Bench::new().await;
    for label in ["laptop", "backup"] {
        let label = Some(label.parse().unwrap());
        bench.auth.create_owner_token(&bench.owner, label, None).await.unwrap();
    }
    assert_eq!(bench.auth.revoke_owner_token(&bench.owner, "backup").await.unwrap(), 1);
    let listed = bench.auth.owner_tokens(&bench.owner).await.unwrap();
    let standing = |label: &str| {
        let named = |token: &&pdpp_auth::OwnerTokenSummary| {
            token.label.as_ref().is_some_and(|name| name.as_str() == label)
        };
        listed.iter().find(named).unwrap().standing
    };
    assert_eq!(standing("laptop"), Standing::Live);
    assert_eq!(standing("backup"), Standing::Revoked);
    assert!(!format!("{listed:?}").contains("pdpp_owner_"));
}

#[tokio::test]
async fn an_agents_token_is_no_owner_token_to_revoke() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    let access = bench.auth.verify(issued.access_token.reveal()).await.unwrap();
    let access = access.into_agent().unwrap();
    let what = access.token_fingerprint().as_str();
    let refused = bench.auth.revoke_owner_token(&bench.owner, what).await.unwrap_err();
    assert!(matches!(refused, AuthError::NothingMatches { .. }), "{refused}");
    assert!(bench.is_live(&issued).await);
}
