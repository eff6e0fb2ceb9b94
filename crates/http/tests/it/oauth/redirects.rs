//! Addresses that a client never registered: the owner is told, and sent nowhere. Faulty questions: the
//! owner sees why before anybody else does.

use serde_json::json;

use super::signing_in::*;

#[tokio::test]
async fn t_red_1_a_foreign_address_gets_a_page_and_no_answer() {
    let desk = Desk::new().await;
    let registered = json!({"redirect_uris": ["https://app.example/cb", "http://localhost/cb"]});
    let client = desk.register(&registered).await.json()["client_id"].as_str().unwrap().to_owned();
    for good in ["https://app.example/cb", "http://localhost:5123/cb"] {
        let reply = desk.open(&question(&client, &[("redirect_uri", good)])).await;
        assert_eq!(reply.status, 303, "{good}");
    }
    for bad in [
        "https://app.example/cb/",
        "https://app.example/cb/../x",
        "https://app.example/CB",
        "https://app.example/%63b",
        "https://app.example:8443/cb",
        "https://app.example.evil.example/cb",
        "https://app.example@evil.example/cb",
        "https://evil.example/cb",
        "http://app.example/cb",
        "https://app.example/cb?x=1",
        "https://app.example/cb#x",
        "http://127.0.0.1:5123/cb",
        "http://localhost.evil.example/cb",
        "javascript:alert(1)",
        "//evil.example/cb",
        "",
    ] {
        let reply = desk.open(&question(&client, &[("redirect_uri", bad)])).await;
        assert_eq!((reply.status, reply.header("location")), (400, None), "{bad}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(!reply.text().contains("evil.example"), "{bad}");
    }
}

#[tokio::test]
async fn an_unknown_client_gets_a_page_and_no_answer() {
    let desk = Desk::new().await;
    for client in ["dcr_unknown", "man_x", "", "nonsense", "https://unfetched.example/client.json"]
    {
        let reply = desk.open(&question(client, &[("client_id", client)])).await;
        assert_eq!((reply.status, reply.header("location")), (400, None), "{client}");
    }
}

#[tokio::test]
async fn registrations_without_a_usable_address_are_refused() {
    let desk = Desk::new().await;
    let many: Vec<String> = (0..11).map(|n| format!("https://a.example/{n}")).collect();
    for uris in [
        json!(["http://evil.example/cb"]),
        json!(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"]),
        json!(["https://a.example/#x", "https://u@a.example/"]),
        json!([]),
        json!("https://a.example/"),
        json!(null),
        json!(many),
    ] {
        let reply = desk.register(&json!({"redirect_uris": uris})).await;
        assert_eq!(refusal(&reply), (400, "invalid_redirect_uri".to_owned()), "{uris}");
    }
}

#[tokio::test]
async fn an_error_for_the_client_cannot_be_turned_into_another_address() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let state = "x&iss=https://evil.example#\r\nLocation: https://evil.example";
    let reply = desk
        .open(&question(&client, &[("state", state), ("scope", "a"), ("response_type", "x")]))
        .await;
    let back = told(&reply);
    assert!(back.starts_with(CALLBACK) && !back.contains('#'), "{back}");
    assert_eq!(param(&back, "state").as_deref(), Some(state));
    assert_eq!(param(&back, "iss").as_deref(), Some(ISSUER));
}
