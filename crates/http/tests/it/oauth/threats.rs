//! Threats that have no other home: who asks, what goes out, what guessing is worth.

use pdpp_http::HttpOptions;
use serde_json::json;

use super::documents::{Web, desk_with};
use super::signing_in::*;
use crate::client::Call;

/// A client id that everybody can use says little about who asks: the page must say the rest.
#[tokio::test]
async fn t_cons_2_the_page_says_who_asks_where_the_answer_goes_and_whose_page_it_is() {
    let id = "https://claude.ai/oauth/claude-code-client-metadata";
    let document = json!({
        "client_id": id,
        "client_name": "Claude Code",
        "redirect_uris": ["http://localhost/callback", "https://claude.ai/back"],
    });
    let desk = desk_with(&Web::with(id, document)).await;
    for (redirect, told) in [
        ("http://localhost:4711/callback", "program on this computer (<b>localhost</b>)"),
        ("https://claude.ai/back", "Your answer goes to <b>claude.ai</b>"),
    ] {
        let request = desk.ask(id, &[("redirect_uri", redirect)]).await;
        let reply = desk.page(&format!("/consent/{request}")).await;
        let html = reply.text();
        assert!(html.contains("published by <b>claude.ai</b>"), "{html}");
        assert!(html.contains(told), "{html}");
        let own = format!("<strong>{}</strong>", desk.world.addr);
        assert!(html.contains(&own), "whose page it is: {html}");
    }
}

#[tokio::test]
async fn t_phish_2_a_client_s_picture_and_pages_are_never_fetched_nor_shown() {
    let web = Web::with("https://a.example/logo.png", json!({}));
    let desk = desk_with(&web).await;
    let registration = json!({
        "client_name": "Agent",
        "redirect_uris": [CALLBACK],
        "logo_uri": "https://a.example/logo.png",
        "tos_uri": "https://a.example/terms",
        "policy_uri": "https://a.example/policy",
    });
    let reply = desk.register(&registration).await;
    assert_eq!(reply.status, 201);
    assert!(reply.json().get("logo_uri").is_none(), "{}", reply.text());
    let client = reply.json()["client_id"].as_str().unwrap().to_owned();
    let request = desk.ask(&client, &[]).await;
    let page = desk.page(&format!("/consent/{request}")).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains("a.example"), "{}", page.text());
    let own = page.text().matches("<img src=\"/assets/icon.svg\"").count();
    assert_eq!(page.text().matches("<img").count(), own, "only the product's own mark is shown");
    assert_eq!(web.count(), 0, "nothing was fetched");
}

/// A session id opens nothing, closes nothing and is never given, in either era.
#[tokio::test]
async fn t_sess_1_a_session_id_counts_for_nothing() {
    let desk = Desk::new().await;
    let (one, other) = (desk.signed_in().await, desk.signed_in().await);
    for era in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let call = || {
            let call = Call::new("POST", "/mcp").header("MCP-Protocol-Version", era).body("{}");
            call.header("Mcp-Session-Id", "the-session-of-somebody")
        };
        let alone = desk.send(call()).await;
        assert_eq!(alone.status, 401, "{era}");
        let answers = [&one, &other].map(|tokens| desk.send(call().bearer(&tokens.access)));
        let [own, another] = answers;
        let (own, another) = (own.await, another.await);
        assert_eq!((own.status, another.status), (200, 200), "{era}");
        assert_ne!(own.text(), another.text(), "the bearer says who it is");
        for reply in [&alone, &own, &another] {
            assert_eq!(reply.header("mcp-session-id"), None, "{era}");
        }
    }
}

#[tokio::test]
async fn t_rate_3_five_codes_of_devices_can_be_tried_and_then_one_a_minute() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let begun = desk.post("/oauth/device_authorization", &[("client_id", &client)]).await;
    let code = begun.json()["user_code"].as_str().unwrap().to_owned();
    let (page, place) = (desk.page("/device").await, format!("{}/device", desk.root));
    let (_, form) = page.text().split_once(&format!("action=\"{place}\"")).unwrap();
    let csrf_token = crate::pages::browser::value_of(form, "csrf_token");
    let attempt = |code: &str| {
        let call = Call::new("POST", &place).header("Cookie", &desk.cookie);
        let call = call.header("Origin", ISSUER);
        desk.send(call.body(encoded(&[("csrf_token", &csrf_token), ("user_code", code)])))
    };
    for _ in 0..5 {
        let reply = attempt("BBBB-BBBB").await;
        assert!(reply.text().contains("This code is not valid"), "{}", reply.text());
    }
    let late = attempt(&code).await;
    assert_eq!(late.header("location"), None, "even the right one has to wait");
    assert!(late.text().contains("Too many attempts"), "{}", late.text());
}

/// A flood at one endpoint leaves the agents that are signed in alone.
#[tokio::test]
async fn a_flood_of_questions_waits_and_agents_go_on_reading() {
    let desk = Desk::with(HttpOptions::default(), pdpp_auth::oauth::OauthOptions::default()).await;
    let tokens = desk.signed_in().await;
    let mut refused = 0;
    for _ in 0..400 {
        let reply = desk.post("/oauth/token", &[("grant_type", "x"), ("client_id", "y")]).await;
        if reply.status == 429 {
            assert!(reply.header("retry-after").is_some());
            refused += 1;
        }
    }
    assert!(refused > 0, "somebody who asks 400 times at once is told to wait");
    assert_eq!(desk.call(&tokens.access).await.status, 200);
}
