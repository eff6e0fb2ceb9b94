//! Refresh tokens: one successor each, and what happens when one is used again.

use jiff::SignedDuration;
use pdpp_auth::{RefreshReuse, Settings};

use super::signing_in::*;

async fn strict(desk: &Desk) {
    let auth = &desk.world.auth;
    let settings = Settings { refresh_reuse: RefreshReuse::Strict, ..Settings::default() };
    auth.change_settings(&auth.local_owner(), settings).await.unwrap().unwrap();
}

fn is_dead(reply: &crate::client::Reply) -> bool {
    refusal(reply) == (400, "invalid_grant".to_owned())
}

#[tokio::test]
async fn t_ref_1_an_old_refresh_token_ends_the_whole_sign_in() {
    let desk = Desk::new().await;
    let first = desk.signed_in().await;
    let client = first.client.clone();
    let second = Tokens::of(client.clone(), &desk.refresh(&client, &first.refresh).await);
    let third = Tokens::of(client.clone(), &desk.refresh(&client, &second.refresh).await);
    assert_ne!(second.refresh, third.refresh);
    assert!(is_dead(&desk.refresh(&client, &first.refresh).await), "older than the predecessor");
    for token in [&first.access, &second.access, &third.access] {
        assert_eq!(desk.call(token).await.status, 401);
    }
    assert!(is_dead(&desk.refresh(&client, &third.refresh).await));
}

#[tokio::test]
async fn t_ref_2_two_hundred_that_refresh_at_once_get_one_successor() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let tries = (0..200).map(|_| desk.refresh(&tokens.client, &tokens.refresh));
    let replies = futures_util::future::join_all(tries).await;
    let mut successors = std::collections::BTreeSet::new();
    let mut accesses = std::collections::BTreeSet::new();
    for reply in &replies {
        let next = Tokens::of(tokens.client.clone(), reply);
        successors.insert(next.refresh);
        accesses.insert(next.access);
    }
    assert_eq!((successors.len(), accesses.len()), (1, 200));
    let successor = successors.first().unwrap();
    assert_eq!(desk.refresh(&tokens.client, successor).await.status, 200);
}

#[tokio::test]
async fn t_ref_3_a_predecessor_is_tolerated_for_half_a_minute_until_its_successor_is_used() {
    let desk = Desk::new().await;
    let first = desk.signed_in().await;
    let client = first.client.clone();
    let second = Tokens::of(client.clone(), &desk.refresh(&client, &first.refresh).await);
    desk.world.clock.advance(SignedDuration::from_secs(29));
    let again = Tokens::of(client.clone(), &desk.refresh(&client, &first.refresh).await);
    assert_eq!(again.refresh, second.refresh, "the lost answer is given again");
    assert_ne!(again.access, second.access);
    desk.world.clock.advance(SignedDuration::from_secs(1));
    assert!(is_dead(&desk.refresh(&client, &first.refresh).await));
    assert_eq!(desk.call(&second.access).await.status, 401);

    let other = desk.signed_in().await;
    let client = other.client.clone();
    let next = Tokens::of(client.clone(), &desk.refresh(&client, &other.refresh).await);
    desk.refresh(&client, &next.refresh).await;
    assert!(is_dead(&desk.refresh(&client, &other.refresh).await), "its successor was used");
}

#[tokio::test]
async fn t_ref_4_a_strict_server_tolerates_no_second_use() {
    let desk = Desk::new().await;
    strict(&desk).await;
    let first = desk.signed_in().await;
    let client = first.client.clone();
    let second = Tokens::of(client.clone(), &desk.refresh(&client, &first.refresh).await);
    assert!(is_dead(&desk.refresh(&client, &first.refresh).await));
    assert!(is_dead(&desk.refresh(&client, &second.refresh).await));
    assert_eq!(desk.call(&second.access).await.status, 401);
}

#[tokio::test]
async fn a_refresh_token_is_worth_nothing_to_another_client_or_at_another_door() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let thief = desk.client().await;
    assert!(is_dead(&desk.refresh(&thief, &tokens.refresh).await));
    assert_eq!(desk.call(&tokens.refresh).await.status, 403, "no bearer, whoever sends it");
    let v1 = format!("{ISSUER}/v1");
    let elsewhere = desk
        .token(&[
            ("grant_type", "refresh_token"),
            ("refresh_token", &tokens.refresh),
            ("client_id", &tokens.client),
            ("resource", &v1),
        ])
        .await;
    assert_eq!(refusal(&elsewhere), (400, "invalid_target".to_owned()));
    assert_eq!(desk.refresh(&tokens.client, &tokens.refresh).await.status, 200);
}

#[tokio::test]
async fn access_ends_after_an_hour_and_a_refresh_token_after_thirty_idle_days() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    desk.world.clock.advance(SignedDuration::from_hours(1));
    let reply = desk.call(&tokens.access).await;
    assert_eq!((reply.status, reply.json()["reason"].as_str()), (401, Some("token_expired")));
    let next = desk.refresh(&tokens.client, &tokens.refresh).await;
    let next = Tokens::of(tokens.client.clone(), &next);
    assert_eq!(desk.call(&next.access).await.status, 200);
    assert_eq!(next.package, tokens.package);
    desk.world.clock.advance(SignedDuration::from_hours(30 * 24));
    assert!(is_dead(&desk.refresh(&tokens.client, &next.refresh).await));
}

/// The answer was lost after the store had kept the rotation: the client comes again.
#[tokio::test]
async fn a_crash_between_keeping_and_answering_loses_nobody() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let lost = desk.refresh(&tokens.client, &tokens.refresh).await;
    drop(lost);
    let next = desk.refresh(&tokens.client, &tokens.refresh).await;
    let next = Tokens::of(tokens.client.clone(), &next);
    assert_eq!(desk.call(&next.access).await.status, 200);
    assert_eq!(desk.refresh(&tokens.client, &next.refresh).await.status, 200);
}

#[tokio::test]
async fn what_is_over_is_forgotten_and_what_lives_is_not() {
    let desk = Desk::new().await;
    let mut tokens = desk.signed_in().await;
    for _ in 0..3 {
        desk.world.clock.advance(SignedDuration::from_hours(2));
        let next = desk.refresh(&tokens.client, &tokens.refresh).await;
        tokens = Tokens::of(tokens.client.clone(), &next);
        desk.world.auth.sweep().await.unwrap();
    }
    assert_eq!(desk.call(&tokens.access).await.status, 200);
    assert_eq!(desk.refresh(&tokens.client, &tokens.refresh).await.status, 200);
    desk.world.clock.advance(SignedDuration::from_hours(24 * 29));
    desk.world.auth.sweep().await.unwrap();
    let auth = &desk.world.auth;
    let [package] = &auth.packages(&auth.local_owner()).await.unwrap()[..] else { panic!() };
    assert!(package.last_used_at.is_some(), "the last use is still known");
}
