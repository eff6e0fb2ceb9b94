//! Decisions, redemptions, refreshes and revocations that arrive at one moment, at one server and at
//! two servers of one database: one of them is first, and what it ended stays ended.

use std::collections::BTreeSet;

use futures_util::future::{join, join_all};
use pdpp_auth::oauth::Decision;
use pdpp_contract::access::GrantSelector;

use super::devices::{begin, poll};
use super::signing_in::*;
use crate::client::Reply;

/// How many times each race is run: who is first differs from round to round.
const ROUNDS: usize = 12;
/// How many take part on each side.
const RUNNERS: usize = 8;

/// Runs a race at one server on its own store, then at two servers of one database.
async fn at_one_and_at_two<F>(race: F)
where
    F: AsyncFn(&Desk, &Desk),
{
    let alone = Desk::new().await;
    for _ in 0..ROUNDS {
        race(&alone, &alone).await;
    }
    let Some(([a, b], _database)) = Desk::two().await else { return };
    for _ in 0..ROUNDS {
        race(&a, &b).await;
    }
}

/// How many packages the client has that were not revoked.
async fn active_packages(desk: &Desk) -> usize {
    let auth = &desk.world.auth;
    let packages = auth.packages(&auth.local_owner()).await.unwrap();
    packages.iter().filter(|package| package.revoked_at.is_none()).count()
}

/// The access tokens of the answers that gave some.
fn accesses(replies: &[Reply]) -> Vec<String> {
    let given = replies.iter().filter(|reply| reply.status == 200);
    given.map(|reply| reply.json()["access_token"].as_str().unwrap().to_owned()).collect()
}

async fn decide(desk: &Desk, request: &str, decision: Decision) -> Option<String> {
    let target = desk.world.auth.decide(request, decision, &desk.session).await.ok()?;
    Some(target.url.unwrap_or_default())
}

async fn end_everything(desk: &Desk) {
    let auth = &desk.world.auth;
    for package in auth.packages(&auth.local_owner()).await.unwrap() {
        let which = GrantSelector::Package(package.package_id);
        auth.revoke(&auth.local_owner(), &which).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_decision_counts_when_the_owner_allows_and_refuses_at_once() {
    at_one_and_at_two(async |a, b| {
        let client = a.client().await;
        let request = a.ask(&client, &[]).await;
        let digest = a.world.auth.save_draft(&request, &draft(&["blue"])).await.unwrap().digest;
        let before = active_packages(a).await;
        let allow = (0..RUNNERS).flat_map(|_| {
            let approve = || Decision::Approve { digest: digest.clone() };
            [decide(a, &request, approve()), decide(b, &request, approve())]
        });
        let refuse = (0..RUNNERS).map(|_| decide(b, &request, Decision::Deny));
        let (allowed, refused) = join(join_all(allow), join_all(refuse)).await;
        // Allowing twice is a double click: it answers with the same code.
        let codes: BTreeSet<_> =
            allowed.iter().flatten().filter_map(|back| param(back, "code")).collect();
        let told_no = refused.iter().flatten().count();
        assert_eq!(codes.len() + usize::from(told_no > 0), 1, "{allowed:?} {refused:?}");
        assert_eq!(active_packages(b).await - before, codes.len());
        for code in codes {
            assert_eq!(b.redeem(&client, &code).await.status, 200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_is_redeemed_at_two_servers_at_once_is_worth_nothing() {
    at_one_and_at_two(async |a, b| {
        let client = a.client().await;
        let code = a.code(&client, &[]).await;
        let tries = (0..RUNNERS).flat_map(|_| [a.redeem(&client, &code), b.redeem(&client, &code)]);
        let replies = join_all(tries).await;
        let given = accesses(&replies);
        assert!(given.len() <= 1, "{} answers gave tokens", given.len());
        for token in given {
            assert_eq!((a.call(&token).await.status, b.call(&token).await.status), (401, 401));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_refresh_outlives_the_revocation_that_it_meets() {
    at_one_and_at_two(async |a, b| {
        let tokens = a.signed_in().await;
        let which = GrantSelector::Package(tokens.package.parse().unwrap());
        let owner = b.world.auth.local_owner();
        let renew = (0..RUNNERS).map(|_| a.refresh(&tokens.client, &tokens.refresh));
        let (replies, ended) = join(join_all(renew), b.world.auth.revoke(&owner, &which)).await;
        ended.unwrap();
        for token in accesses(&replies) {
            assert_eq!((a.call(&token).await.status, b.call(&token).await.status), (401, 401));
        }
        for reply in &replies {
            let next = match reply.status {
                200 => Tokens::of(tokens.client.clone(), reply).refresh,
                _ => tokens.refresh.clone(),
            };
            assert_eq!(refusal(&b.refresh(&tokens.client, &next).await).1, "invalid_grant");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_refresh_outlives_the_sign_in_that_the_client_gives_back() {
    at_one_and_at_two(async |a, b| {
        let tokens = a.signed_in().await;
        let back = [("token", tokens.refresh.as_str()), ("client_id", tokens.client.as_str())];
        let renew = (0..RUNNERS).map(|_| a.refresh(&tokens.client, &tokens.refresh));
        let (replies, given_back) = join(join_all(renew), b.post("/oauth/revoke", &back)).await;
        assert_eq!(given_back.status, 200);
        for token in accesses(&replies) {
            assert_eq!((a.call(&token).await.status, b.call(&token).await.status), (401, 401));
        }
        assert_eq!(refusal(&b.refresh(&tokens.client, &tokens.refresh).await).1, "invalid_grant");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_meets_the_end_of_its_access_opens_nothing() {
    at_one_and_at_two(async |a, b| {
        let client = a.client().await;
        let code = a.code(&client, &[]).await;
        let (reply, ()) = join(a.redeem(&client, &code), end_everything(b)).await;
        for token in accesses(&[reply]) {
            assert_eq!((a.call(&token).await.status, b.call(&token).await.status), (401, 401));
        }
        assert_eq!(refusal(&b.redeem(&client, &code).await).1, "invalid_grant");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_comes_in_once_however_often_it_asks_at_once() {
    at_one_and_at_two(async |a, b| {
        let client = a.client().await;
        let (device, user) = begin(a, &client).await;
        let request = b.world.auth.find_device_request(&user).await.unwrap().unwrap();
        b.approve(&request, draft(&["blue"])).await;
        let asks =
            (0..RUNNERS).flat_map(|_| [poll(a, &client, &device), poll(b, &client, &device)]);
        let replies = join_all(asks).await;
        assert_eq!(accesses(&replies).len(), 1);
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            let word = refusal(reply).1;
            assert!(["invalid_grant", "slow_down"].contains(&word.as_str()), "{word}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_asks_while_the_owner_decides_gets_what_was_decided() {
    at_one_and_at_two(async |a, b| {
        let client = a.client().await;
        let (device, user) = begin(a, &client).await;
        let request = b.world.auth.find_device_request(&user).await.unwrap().unwrap();
        let digest = b.world.auth.save_draft(&request, &draft(&["blue"])).await.unwrap().digest;
        let asks = join_all((0..RUNNERS).map(|_| poll(a, &client, &device)));
        let decisions = join(
            decide(a, &request, Decision::Approve { digest }),
            decide(b, &request, Decision::Deny),
        );
        let (replies, (allowed, refused)) = join(asks, decisions).await;
        assert!(allowed.is_some() != refused.is_some(), "{allowed:?} {refused:?}");
        let given = accesses(&replies).len();
        assert!(given <= usize::from(allowed.is_some()), "{given} answers gave tokens");
        if given == 0 {
            a.world.clock.advance(jiff::SignedDuration::from_secs(60));
            let late = poll(a, &client, &device).await;
            assert_eq!(late.status == 200, allowed.is_some(), "{}", late.text());
        }
        assert_eq!(b.world.auth.find_device_request(&user).await.unwrap(), None);
    })
    .await;
}
