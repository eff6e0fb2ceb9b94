//! Codes in the wrong hands.

use jiff::SignedDuration;

use super::signing_in::*;

const INVALID: (u16, &str) = (400, "invalid_grant");

fn is_invalid(reply: &crate::client::Reply) -> bool {
    let (status, word) = refusal(reply);
    (status, word.as_str()) == INVALID
}

async fn redeem_with(
    desk: &Desk,
    client: &str,
    code: &str,
    verifier: &str,
) -> crate::client::Reply {
    desk.token(&[
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", verifier),
        ("client_id", client),
    ])
    .await
}

#[tokio::test]
async fn t_code_1_without_the_proof_key_a_code_is_worth_nothing() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    for (change, word) in [
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge_method", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
    ] {
        let back = told(&desk.open(&question(&client, &[change])).await);
        assert!(back.starts_with(CALLBACK), "{back}");
        assert_eq!(param(&back, "error").as_deref(), Some(word), "{change:?}");
        assert_eq!(param(&back, "state").as_deref(), Some("s t&a=te"));
    }
    let code = desk.code(&client, &[]).await;
    let long = "a".repeat(129);
    for verifier in ["", "short", CHALLENGE, &"x".repeat(43), &long] {
        assert!(is_invalid(&redeem_with(&desk, &client, &code, verifier).await), "{verifier}");
    }
    assert_eq!(desk.redeem(&client, &code).await.status, 200);
}

#[tokio::test]
async fn t_code_2_a_code_used_twice_ends_what_the_first_use_began() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let code = desk.code(&client, &[]).await;
    let tokens = Tokens::of(client.clone(), &desk.redeem(&client, &code).await);
    assert_eq!(desk.call(&tokens.access).await.status, 200);
    assert!(is_invalid(&desk.redeem(&client, &code).await));
    assert_eq!(desk.call(&tokens.access).await.status, 401);
    assert!(is_invalid(&desk.refresh(&client, &tokens.refresh).await));
}

#[tokio::test]
async fn two_that_race_with_one_code_get_tokens_once_at_most() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let code = desk.code(&client, &[]).await;
    let tries = (0..16).map(|_| desk.redeem(&client, &code));
    let replies = futures_util::future::join_all(tries).await;
    let won: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
    assert_eq!(won.len(), 1);
    assert!(replies.iter().filter(|reply| reply.status != 200).all(is_invalid));
    let token = won[0].json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(desk.call(&token).await.status, 401, "nobody can tell who was the thief");
}

#[tokio::test]
async fn t_code_3_another_client_cannot_use_a_code() {
    let desk = Desk::new().await;
    let (client, thief) = (desk.client().await, desk.client().await);
    let code = desk.code(&client, &[]).await;
    assert!(is_invalid(&desk.redeem(&thief, &code).await));
    assert_eq!(desk.redeem(&client, &code).await.status, 200, "the theft cost the client nothing");
}

#[tokio::test]
async fn t_code_4_a_code_is_good_only_for_the_address_it_was_sent_to() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let code = desk.code(&client, &[]).await;
    for address in ["http://127.0.0.1:4712/callback", "https://evil.example/", ""] {
        let reply = desk
            .token(&[
                ("grant_type", "authorization_code"),
                ("code", &code),
                ("redirect_uri", address),
                ("code_verifier", VERIFIER),
                ("client_id", &client),
            ])
            .await;
        assert!(is_invalid(&reply), "{address}");
    }
}

#[tokio::test]
async fn an_old_code_a_made_up_one_and_one_of_an_ended_access_are_refused() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    for made_up in ["x", "pdpp_code_", &format!("pdpp_code_{}", "a".repeat(49))] {
        assert!(is_invalid(&desk.redeem(&client, made_up).await), "{made_up}");
    }
    let late = desk.code(&client, &[]).await;
    desk.world.clock.advance(SignedDuration::from_secs(120));
    assert!(is_invalid(&desk.redeem(&client, &late).await));
    let ended = desk.code(&client, &[("state", "b")]).await;
    let auth = &desk.world.auth;
    for package in auth.packages(&auth.local_owner()).await.unwrap() {
        let which = pdpp_contract::access::GrantSelector::Package(package.package_id);
        auth.revoke(&auth.local_owner(), &which).await.unwrap();
    }
    assert!(is_invalid(&desk.redeem(&client, &ended).await));
}

#[tokio::test]
async fn parameters_given_twice_and_other_kinds_of_bodies_are_refused() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let twice = [("grant_type", "refresh_token"), ("client_id", &client), ("client_id", &client)];
    assert_eq!(refusal(&desk.token(&twice).await), (400, "invalid_request".to_owned()));
    let call = crate::client::Call::new("POST", "/oauth/token");
    let json = call.header("Content-Type", "application/json").body("{}");
    assert_eq!(refusal(&desk.send(json).await), (400, "invalid_request".to_owned()));
    let unknown = desk.token(&[("grant_type", "password"), ("client_id", &client)]).await;
    assert_eq!(refusal(&unknown), (400, "unsupported_grant_type".to_owned()));
    let stranger = desk.refresh("dcr_unknown", "x").await;
    assert_eq!(refusal(&stranger), (400, "invalid_client".to_owned()));
    let large = desk.token(&[("grant_type", &"x".repeat(20_000))]).await;
    assert_eq!(refusal(&large), (400, "invalid_request".to_owned()));
}
