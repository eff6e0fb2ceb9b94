//! Signing in on another device.

use jiff::SignedDuration;
use pdpp_auth::oauth::Decision;

use super::signing_in::*;

pub async fn begin(desk: &Desk, client: &str) -> (String, String) {
    let reply = desk.post("/oauth/device_authorization", &[("client_id", client)]).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let body = reply.json();
    assert_eq!(body["verification_uri"], format!("{ISSUER}/device"));
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    (text("device_code"), text("user_code"))
}

pub async fn poll(desk: &Desk, client: &str, device: &str) -> crate::client::Reply {
    desk.token(&[
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", device),
        ("client_id", client),
    ])
    .await
}

#[tokio::test]
async fn a_device_waits_for_the_owner_and_comes_in_once() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let (device, user) = begin(&desk, &client).await;
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "authorization_pending");
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "slow_down");
    desk.world.clock.advance(SignedDuration::from_secs(10));
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "authorization_pending");
    assert_eq!(auth.find_device_request("BBBB-BBBB").await.unwrap(), None);
    let typed = user.to_lowercase().replace('-', " ");
    let request = auth.find_device_request(&typed).await.unwrap().unwrap();
    let pending = auth.pending_authorization(&request).await.unwrap();
    assert!(pending.redirect.is_none());
    assert_eq!(pending.requested_from.as_deref(), Some("127.0.0.1"));
    assert_eq!(desk.approve(&request, draft(&["blue"])).await, "");
    let thief = desk.client().await;
    assert_eq!(refusal(&poll(&desk, &thief, &device).await).1, "invalid_grant");
    let tokens = Tokens::of(client.clone(), &poll(&desk, &client, &device).await);
    assert_eq!(desk.call(&tokens.access).await.status, 200);
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "invalid_grant");
    assert_eq!(auth.find_device_request(&user).await.unwrap(), None);
    assert_eq!(desk.refresh(&client, &tokens.refresh).await.status, 200);
}

#[tokio::test]
async fn a_device_is_told_no_and_told_that_it_is_too_late() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let (device, user) = begin(&desk, &client).await;
    let request = auth.find_device_request(&user).await.unwrap().unwrap();
    auth.decide(&request, Decision::Deny, &desk.session).await.unwrap();
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "access_denied");
    let (device, user) = begin(&desk, &client).await;
    desk.world.clock.advance(SignedDuration::from_secs(600));
    assert_eq!(refusal(&poll(&desk, &client, &device).await).1, "expired_token");
    assert_eq!(auth.find_device_request(&user).await.unwrap(), None);
    assert_eq!(refusal(&poll(&desk, &client, "pdpp_device_x").await).1, "invalid_grant");
}
