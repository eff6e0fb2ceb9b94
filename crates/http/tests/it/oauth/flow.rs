//! The whole way: discovery, registration, consent, tokens, reads.

use jiff::SignedDuration;
use pdpp_auth::oauth::{ConsentError, Decision};
use pdpp_contract::AccessMode;
use serde_json::json;

use super::signing_in::*;
use crate::client::Call;

#[tokio::test]
async fn a_client_that_knows_only_the_address_of_mcp_comes_to_its_tokens() {
    let desk = Desk::new().await;
    let refused = desk.send(Call::new("POST", "/mcp").body("{}")).await;
    let challenge = refused.header("www-authenticate").unwrap().to_owned();
    let metadata = challenge.split('"').nth(1).unwrap();
    let resource = desk.send(Call::get(metadata.strip_prefix(ISSUER).unwrap())).await.json();
    assert_eq!(resource["resource"], format!("{ISSUER}/mcp"));
    assert_eq!(resource["authorization_servers"], json!([ISSUER]));
    let server = desk.send(Call::get("/.well-known/oauth-authorization-server")).await.json();
    assert_eq!(server["issuer"], ISSUER);
    let client = desk.client().await;
    let mcp = format!("{ISSUER}/mcp");
    let asked = [("resource", mcp.as_str()), ("scope", "pdpp:read offline_access made:up")];
    let request = desk.ask(&client, &asked).await;
    let back = desk.approve(&request, draft(&["blue"])).await;
    assert!(back.starts_with(&format!("{CALLBACK}?code=")), "{back}");
    assert_eq!(param(&back, "state").as_deref(), Some("s t&a=te"));
    assert_eq!(param(&back, "iss").as_deref(), Some(ISSUER));
    let reply = desk.redeem(&client, &param(&back, "code").unwrap()).await;
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let body = reply.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert_eq!(body["scope"], "pdpp:read offline_access");
    let tokens = Tokens::of(client, &reply);
    assert_eq!(desk.call(&tokens.access).await.status, 200);
    let info = desk.send(Call::get("/v1/token").bearer(&tokens.access)).await.json();
    assert_eq!((&info["token_kind"], &info["resource"]), (&json!("client"), &json!([mcp])));
    assert_eq!(info["grants"][0]["connection_id"], "cin_blue");
    assert_eq!(info["client_id"], tokens.client.as_str());
}

#[tokio::test]
async fn a_visitor_who_is_not_signed_in_is_led_to_the_login_page_and_back() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let target = format!("/oauth/authorize?{}", encoded(&question(&client, &[])));
    let reply = desk.send(Call::get(&target)).await;
    assert_eq!(reply.status, 303);
    let place = reply.header("location").unwrap();
    assert!(place.starts_with("/owner/login?next="), "{place}");
    assert_eq!(param(place, "next").as_deref(), Some(target.as_str()));
}

#[tokio::test]
async fn t_cons_1_nobody_is_approved_without_a_click_not_even_the_second_time() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let first = desk.ask(&tokens.client, &[]).await;
    assert_eq!(desk.ask(&tokens.client, &[]).await, first, "the same question is one request");
    let second = desk.ask(&tokens.client, &[("state", "other")]).await;
    assert_ne!(first, second);
    let pending = desk.world.auth.pending_authorization(&second).await.unwrap();
    assert!(pending.draft.is_none(), "nothing is chosen before the owner chooses");
    let none = desk.open(&question(&tokens.client, &[("prompt", "none")])).await;
    let back = told(&none);
    assert_eq!(param(&back, "error").as_deref(), Some("interaction_required"));
    assert_eq!(param(&back, "iss").as_deref(), Some(ISSUER));
}

#[tokio::test]
async fn an_approval_is_bound_to_what_was_shown_and_can_be_repeated_until_it_is_redeemed() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let request = desk.ask(&client, &[]).await;
    let old = auth.save_draft(&request, &draft(&["blue"])).await.unwrap().digest;
    let shown = auth.save_draft(&request, &draft(&["blue", "red"])).await.unwrap().digest;
    let approve = |digest: &str| Decision::Approve { digest: digest.to_owned() };
    let stale = auth.decide(&request, approve(&old), &desk.session).await;
    assert!(matches!(stale, Err(ConsentError::Stale)), "{stale:?}");
    let first = auth.decide(&request, approve(&shown), &desk.session).await.unwrap();
    let again = auth.decide(&request, approve(&shown), &desk.session).await.unwrap();
    assert!(first == again, "a second click shows the same page");
    let deny = auth.decide(&request, Decision::Deny, &desk.session).await;
    assert!(matches!(deny, Err(ConsentError::Finished)), "{deny:?}");
    let code = param(&first.url.unwrap(), "code").unwrap();
    assert_eq!(desk.redeem(&client, &code).await.status, 200);
    let after = auth.decide(&request, approve(&shown), &desk.session).await;
    assert!(matches!(after, Err(ConsentError::Finished)), "{after:?}");
}

#[tokio::test]
async fn an_old_login_decides_nothing_and_a_removed_connection_makes_a_review_stale() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let request = desk.ask(&client, &[]).await;
    let shown = auth.save_draft(&request, &draft(&["blue", "red"])).await.unwrap().digest;
    let approve = || Decision::Approve { digest: shown.clone() };
    let red = crate::world::connection_id("red");
    let now = pdpp_contract::ports::Clock::now(&*desk.world.clock);
    desk.world.store.remove_connection(&red, now).await.unwrap();
    let stale = auth.decide(&request, approve(), &desk.session).await;
    assert!(matches!(stale, Err(ConsentError::Stale)), "{stale:?}");
    desk.world.clock.advance(SignedDuration::from_mins(11));
    let old = auth.decide(&request, approve(), &desk.session).await;
    assert!(matches!(old, Err(ConsentError::NotFresh)), "{old:?}");
    desk.world.clock.advance(SignedDuration::from_mins(5));
    let gone = auth.decide(&request, approve(), &desk.session).await;
    assert!(matches!(gone, Err(ConsentError::Gone)), "{gone:?}");
    assert!(auth.packages(&auth.local_owner()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_refusal_of_the_owner_goes_back_to_the_client() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let request = desk.ask(&client, &[]).await;
    let target = desk.world.auth.decide(&request, Decision::Deny, &desk.session).await.unwrap();
    let url = target.url.unwrap();
    assert_eq!(param(&url, "error").as_deref(), Some("access_denied"));
    assert_eq!(param(&url, "iss").as_deref(), Some(ISSUER));
    assert_eq!(param(&url, "code"), None);
}

#[tokio::test]
async fn t_single_1_a_single_use_gives_one_token_and_no_way_to_renew_it() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let request = desk.ask(&client, &[]).await;
    let mut once = draft(&["blue"]);
    (once.access_mode, once.expires_in) = (AccessMode::SingleUse, Some("15m".parse().unwrap()));
    let code = param(&desk.approve(&request, once).await, "code").unwrap();
    let body = desk.redeem(&client, &code).await.json();
    assert_eq!(body["expires_in"], 900);
    assert!(body.get("refresh_token").is_none(), "{body}");
    let token = body["access_token"].as_str().unwrap();
    assert_eq!(desk.call(token).await.status, 200);
    desk.world.clock.advance(SignedDuration::from_mins(15));
    assert_eq!(desk.call(token).await.status, 401);
}

#[tokio::test]
async fn t_aud_1_a_token_opens_the_door_it_was_asked_for_and_no_other() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let v1 = format!("{ISSUER}/v1");
    for (resource, mcp, plain) in [("", 200, 401), (v1.as_str(), 401, 200)] {
        let state = format!("for {resource}");
        let code = desk.code(&client, &[("resource", resource), ("state", &state)]).await;
        let tokens = Tokens::of(client.clone(), &desk.redeem(&client, &code).await);
        assert_eq!(desk.call(&tokens.access).await.status, mcp, "{resource}");
        let read = desk.send(Call::get("/v1/schema").bearer(&tokens.access)).await;
        assert_eq!(read.status, plain, "{resource}");
    }
    let local = desk.world.agent(&["blue"]).await;
    assert_eq!(desk.call(&local).await.status, 200, "a token of the command line opens both");
    assert_eq!(desk.send(Call::get("/v1/schema").bearer(&local)).await.status, 200);
}

#[tokio::test]
async fn t_aud_2_a_foreign_resource_is_no_target() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let foreign = [("resource", "https://evil.example/mcp")];
    let back = told(&desk.open(&question(&client, &foreign)).await);
    assert_eq!(param(&back, "error").as_deref(), Some("invalid_target"));
    let code = desk.code(&client, &[]).await;
    let v1 = format!("{ISSUER}/v1");
    for (resource, word) in
        [(v1.as_str(), "invalid_target"), ("https://evil.example", "invalid_target")]
    {
        let reply = desk
            .token(&[
                ("grant_type", "authorization_code"),
                ("code", &code),
                ("redirect_uri", CALLBACK),
                ("code_verifier", VERIFIER),
                ("client_id", &client),
                ("resource", resource),
            ])
            .await;
        assert_eq!(refusal(&reply), (400, word.to_owned()));
    }
    assert_eq!(desk.redeem(&client, &code).await.status, 200, "nothing was used up");
}

#[tokio::test]
async fn a_new_access_can_replace_the_old_one_in_the_same_step() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let request = desk.ask(&tokens.client, &[("state", "again")]).await;
    let mut next = draft(&["red"]);
    next.replaces = Some(tokens.package.parse().unwrap());
    let code = param(&desk.approve(&request, next).await, "code").unwrap();
    assert_eq!(desk.call(&tokens.access).await.status, 401);
    assert_eq!(desk.redeem(&tokens.client, &code).await.status, 200);
    let other = desk.client().await;
    let request = desk.ask(&other, &[]).await;
    let mut foreign = draft(&["red"]);
    foreign.replaces = Some(tokens.package.parse().unwrap());
    let refused = desk.world.auth.save_draft(&request, &foreign).await;
    assert!(refused.is_err(), "a client replaces only its own");
}

/// Everything that is secret on the way, looked for in every byte of the store's files.
#[tokio::test]
async fn t_log_2_no_secret_stands_in_the_store() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let code = desk.code(&client, &[]).await;
    let waiting = desk.code(&client, &[("state", "b")]).await;
    let tokens = Tokens::of(client.clone(), &desk.redeem(&client, &code).await);
    let next = Tokens::of(client.clone(), &desk.refresh(&client, &tokens.refresh).await);
    let device = desk.post("/oauth/device_authorization", &[("client_id", &client)]).await.json();
    let device = |name: &str| device[name].as_str().unwrap().to_owned();
    let cookie = desk.cookie.split_once('=').unwrap().1.to_owned();
    let secrets = [
        code,
        waiting,
        tokens.access,
        tokens.refresh,
        next.access,
        next.refresh,
        device("device_code"),
        device("user_code"),
        cookie,
        desk.root.rsplit('/').next().unwrap().to_owned(),
        VERIFIER.to_owned(),
    ];
    let mut looked_at = 0;
    for file in std::fs::read_dir(desk.world.dir.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        looked_at += bytes.len();
        for secret in &secrets {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{}", &secret[..12]);
        }
    }
    assert!(looked_at > 100_000, "{looked_at}");
}
