//! Who is let in.

use jiff::SignedDuration;
use pdpp_auth::{AuthError, Caller};
use pdpp_contract::access::{AuditEvent, OwnerTokenKind, TokenKind};
use pdpp_contract::ports::Clock;
use pdpp_store::grants::{NewGrant, NewPackage};
use pdpp_store::tokens::NewToken;
use pdpp_store::tokens::TokenHash;

use crate::bench::{Bench, connection};

const NANOSECOND: SignedDuration = SignedDuration::from_nanos(1);

#[tokio::test]
async fn an_issued_token_opens_exactly_its_grants() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail/labels", "home-mail"]).await;
    let token = issued.access_token.reveal();
    let access = bench.auth.verify(token).await.unwrap().into_agent().unwrap();
    assert_eq!(access.grants(), issued.grants);
    assert_eq!(access.client().as_str(), "claude");
    assert_eq!(access.package_id(), &issued.package_id);
    let fingerprint = access.token_fingerprint().as_str();
    assert_eq!(fingerprint.len(), 12);
    assert!(!token.contains(fingerprint));
    let debugged = format!("{access:?} {issued:?}");
    assert!(!debugged.contains(token), "{debugged}");
}

#[tokio::test]
async fn the_digest_names_what_may_be_seen_and_not_who_sees_it() {
    let bench = Bench::new().await;
    let mut digests = Vec::new();
    for specs in
        [["work-mail", "home-mail"], ["home-mail", "work-mail"], ["work-mail", "work-mail"]]
    {
        bench.clock.forward(SignedDuration::from_secs(5));
        let issued = bench.issue(&specs).await;
        let access = bench.auth.verify(issued.access_token.reveal()).await.unwrap();
        digests.push(access.into_agent().unwrap().effective_digest());
    }
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[2]);
}

#[tokio::test]
async fn a_package_is_dead_at_the_very_instant_it_expires() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    bench.clock.to(issued.expires_at - NANOSECOND);
    assert!(bench.is_live(&issued).await);
    bench.clock.to(issued.expires_at);
    let refused = bench.refusal(issued.access_token.reveal()).await;
    assert!(matches!(refused, AuthError::GrantExpired), "{refused}");
}

#[tokio::test]
async fn an_owner_token_is_dead_at_the_very_instant_it_expires() {
    let bench = Bench::new().await;
    let lifetime = Some("30m".parse().unwrap());
    let issued = bench.auth.create_owner_token(&bench.owner, None, lifetime).await.unwrap();
    let token = issued.access_token.reveal();
    bench.clock.to(issued.expires_at - NANOSECOND);
    assert!(matches!(bench.auth.verify(token).await, Ok(Caller::Owner(_))));
    bench.clock.to(issued.expires_at);
    assert!(matches!(bench.refusal(token).await, AuthError::TokenExpired));
}

#[tokio::test]
async fn a_made_up_or_damaged_token_is_unknown() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    let good = issued.access_token.reveal();
    let last = if good.ends_with('0') { "1" } else { "0" };
    let damaged = format!("{}{last}", good.strip_suffix(|_: char| true).unwrap());
    let renamed = good.replace("pdpp_client_", "pdpp_owner_");
    let padded = format!(" {good}");
    for bad in ["", "Bearer", "pdpp_client_", &damaged, &renamed, &padded] {
        let refused = bench.refusal(bad).await;
        assert!(matches!(refused, AuthError::NoSuchToken), "{bad}: {refused}");
    }
}

/// The form of a token says one kind and its row another; the row was put there by hand.
#[tokio::test]
async fn a_token_that_is_not_what_it_claims_is_refused_both_ways() {
    let [client, owner] = tokens_of_another_store().await;
    let bench = Bench::new().await;
    let now = bench.clock.now();
    let event = AuditEvent::by_owner(now, "made_by_hand");
    let row = |token: &str| NewToken {
        hash: TokenHash::of(token),
        label: None,
        created_at: now,
        expires_at: None,
    };
    let kind = OwnerTokenKind::Everything;
    bench.store.add_owner_token(kind, row(&client), event.clone()).await.unwrap();
    let refused = bench.refusal(&client).await;
    assert!(matches!(refused, AuthError::WrongKind { presented: TokenKind::Owner }), "{refused}");

    let package = package_by_hand(&bench, row(&owner), "{}");
    bench.store.issue_package(package, event).await.unwrap();
    let refused = bench.refusal(&owner).await;
    assert!(matches!(refused, AuthError::WrongKind { presented: TokenKind::Client }), "{refused}");
}

#[tokio::test]
async fn kinds_are_kept_apart_after_verification() {
    let bench = Bench::new().await;
    let agent = bench.issue(&["work-mail"]).await;
    let owner = bench.auth.create_owner_token(&bench.owner, None, None).await.unwrap();
    let agent = bench.auth.verify(agent.access_token.reveal()).await.unwrap();
    let owner = bench.auth.verify(owner.access_token.reveal()).await.unwrap();
    assert!(matches!(agent.into_owner(), Err(AuthError::WrongKind { .. })));
    assert!(matches!(owner.into_agent(), Err(AuthError::WrongKind { .. })));
}

#[tokio::test]
async fn a_grant_that_is_open_damaged_or_of_another_connection_opens_nothing() {
    let good = r#"{"version":"0.1.0","grant_id":"grt_hand","issued_at":"2026-01-01T00:00:00Z",
        "subject":{"id":"owner"},"client":{"client_id":"claude"},
        "source":{"kind":"connector","id":"https://sources.example/gmail"},
        "source_declaration":{"version":"7"},"purpose_code":"p","access_mode":"continuous",
        "streams":[{"name":"labels","instance_ids":["cin_work"],"fields":["id"]}]}"#;
    let [client, _] = tokens_of_another_store().await;
    for (from, to) in [
        ("", ""),
        ("{\"version", "[{\"version"),
        ("0.1.0", "0.2.0"),
        (r#"["id"]"#, "[]"),
        (r#"["cin_work"]"#, r#"["cin_home"]"#),
        (r#"["cin_work"]"#, r#"["cin_work","cin_home"]"#),
        ("grt_hand", "grt_other"),
        (r#""client_id":"claude""#, r#""client_id":"gemini""#),
        (r#""streams""#, r#""expires_at":"someday","streams""#),
        (r#""streams""#, r#""everything":true,"streams""#),
    ] {
        let bench = Bench::new().await;
        let now = bench.clock.now();
        let token = NewToken {
            hash: TokenHash::of(&client),
            label: None,
            created_at: now,
            expires_at: None,
        };
        let package = package_by_hand(&bench, token, &good.replacen(from, to, 1));
        let event = AuditEvent::by_owner(now, "made_by_hand");
        bench.store.issue_package(package, event).await.unwrap();
        if from.is_empty() {
            assert!(bench.auth.verify(&client).await.is_ok());
            continue;
        }
        let refused = bench.refusal(&client).await;
        assert!(matches!(refused, AuthError::GrantInvalid), "{from} -> {to}: {refused}");
    }
}

#[tokio::test]
async fn the_use_of_a_token_is_noted() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    let first = bench.clock.now();
    assert!(bench.is_live(&issued).await);
    let noted = async {
        loop {
            let packages = bench.auth.packages(&bench.owner).await.unwrap();
            if let Some(at) = packages[0].last_used_at {
                return at;
            }
        }
    };
    let limit = std::time::Duration::from_mins(1);
    assert_eq!(tokio::time::timeout(limit, noted).await.unwrap(), first);
}

/// Two well-formed tokens that a fresh store does not know.
async fn tokens_of_another_store() -> [String; 2] {
    let other = Bench::new().await;
    for _ in 0..3 {
        other.issue(&["work-mail"]).await;
    }
    let client = other.issue(&["work-mail"]).await.access_token.reveal().to_owned();
    let owner = other.auth.create_owner_token(&other.owner, None, None).await.unwrap();
    [client, owner.access_token.reveal().to_owned()]
}

fn package_by_hand(bench: &Bench, token: NewToken, grant_json: &str) -> NewPackage {
    NewPackage {
        package_id: "pkg_hand".parse().unwrap(),
        client: "claude".parse().unwrap(),
        access_mode: pdpp_contract::AccessMode::Continuous,
        created_at: bench.clock.now(),
        expires_at: None,
        grants: vec![NewGrant {
            grant_id: "grt_hand".parse().unwrap(),
            connection_id: connection("cin_work"),
            grant_json: grant_json.to_owned(),
        }],
        token: Some(token),
    }
}
