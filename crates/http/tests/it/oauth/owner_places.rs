//! The owner's credentials have no business where agents and clients are.

use pdpp_http::HttpOptions;

use super::signing_in::*;
use crate::client::Call;

#[tokio::test]
async fn t_own_5_an_owner_s_token_or_cookie_never_opens_mcp() {
    let desk = Desk::new().await;
    let (owner, tokens) = (desk.world.owner().await, desk.signed_in().await);
    let post = || Call::new("POST", "/mcp").body("{}");
    let query = format!("/mcp?access_token={owner}");
    for call in [
        post().bearer(&owner),
        post().header("Cookie", &desk.cookie),
        post().bearer(&tokens.access).header("Cookie", &desk.cookie),
        post().bearer(&tokens.access).header("X-Api-Key", &owner),
        post().bearer(&tokens.access).header("Proxy-Authorization", &format!("Bearer {owner}")),
        Call::new("POST", &query).bearer(&tokens.access).body("{}"),
        post().bearer(&tokens.refresh),
    ] {
        let reply = desk.send(call).await;
        assert_eq!(refusal(&reply), (403, "owner_credential_refused".to_owned()));
        assert_eq!(reply.header("www-authenticate"), None);
    }
}

#[tokio::test]
async fn an_agent_s_token_looks_at_no_other_token() {
    let desk = Desk::new().await;
    let (owner, tokens) = (desk.world.owner().await, desk.signed_in().await);
    let ask = |bearer: &str, token: &str| {
        let call = Call::new("POST", "/oauth/introspect").bearer(bearer);
        let call = call.header("Content-Type", "application/x-www-form-urlencoded");
        desk.send(call.body(encoded(&[("token", token)])))
    };
    assert_eq!(ask(&tokens.access, &tokens.access).await.status, 403);
    let known = ask(&owner, &tokens.access).await.json();
    assert_eq!(known["active"], true);
    assert_eq!(known["pdpp_token_kind"], "client");
    assert_eq!(known["client_id"], tokens.client.as_str());
    assert_eq!(known["aud"], serde_json::json!([format!("{ISSUER}/mcp")]));
    for other in ["", "nonsense", owner.as_str(), tokens.refresh.as_str()] {
        let answer = ask(&owner, other).await.json();
        assert_eq!(answer, serde_json::json!({"active": false}));
    }
}

#[tokio::test]
async fn t_dns_1_only_our_own_names_are_answered_and_pages_of_other_sites_act_nowhere() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    for path in
        ["/oauth/authorize", "/oauth/token", "/oauth/register", "/mcp", "/v1/token", "/owner/login"]
    {
        let method = if ["authorize", "v1", "owner"].iter().any(|part| path.contains(part)) {
            "GET"
        } else {
            "POST"
        };
        let call = Call::new(method, path).header("Host", "rebound.example");
        assert_eq!(call.send(desk.world.addr).await.status, 421, "{path}");
    }
    let page = "https://anywhere.example";
    let foreign = |method: &str, path: &str| Call::new(method, path).header("Origin", page);
    for path in [
        "/mcp",
        "/oauth/introspect",
        "/oauth/register",
        "/oauth/token",
        "/oauth/revoke",
        "/oauth/par",
        "/oauth/device_authorization",
    ] {
        assert_eq!(desk.send(foreign("POST", path).body("{}")).await.status, 403, "{path}");
        assert_eq!(desk.send(foreign("OPTIONS", path)).await.status, 403, "{path}");
    }
    let form = "application/x-www-form-urlencoded";
    let params = encoded(&[("grant_type", "refresh_token"), ("client_id", &client)]);
    let call = Call::new("POST", "/oauth/token").header("Origin", "http://localhost:6274");
    let reply = desk.send(call.header("Content-Type", form).body(params)).await;
    assert_eq!(reply.status, 400);
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn t_cors_1_browsers_may_ask_where_programs_may() {
    let desk = Desk::new().await;
    let (anywhere, here) = ("https://inspector.example", "http://localhost:6274");
    for (path, origin) in [
        ("/.well-known/oauth-authorization-server", anywhere),
        ("/.well-known/openid-configuration", anywhere),
        ("/.well-known/oauth-protected-resource/v1", anywhere),
        ("/.well-known/oauth-protected-resource/mcp", anywhere),
        ("/oauth/register", here),
        ("/oauth/token", here),
        ("/oauth/revoke", here),
    ] {
        let call = Call::new("OPTIONS", path).header("Origin", origin);
        let reply = desk.send(call.header("Access-Control-Request-Method", "POST")).await;
        assert_eq!(reply.status, 204, "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        let allowed = reply.header("access-control-allow-headers").unwrap();
        assert!(allowed.contains("MCP-Protocol-Version") && allowed.contains("Authorization"));
    }
    for path in ["/oauth/authorize", "/owner/login"] {
        let call = Call::new("OPTIONS", path).header("Origin", ISSUER);
        assert_eq!(desk.send(call).await.header("access-control-allow-origin"), None, "{path}");
    }
}

#[tokio::test]
async fn t_rate_1_one_address_registers_so_many_clients_and_then_waits() {
    let options = HttpOptions { registrations: 3, ..HttpOptions::default() };
    let world = crate::world::World::with(options).await;
    let body = serde_json::json!({"redirect_uris": [CALLBACK]}).to_string();
    let register = || Call::new("POST", "/oauth/register").body(body.clone());
    for _ in 0..3 {
        assert_eq!(register().send(world.addr).await.status, 201);
    }
    let refused = register().send(world.addr).await;
    assert_eq!(refused.status, 429);
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=361).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn t_dos_3_strangers_cannot_fill_the_table_of_clients() {
    let desk = Desk::new().await;
    let auth = &desk.world.auth;
    let document = serde_json::json!({"redirect_uris": [CALLBACK]});
    let register = async || auth.register_client(&document).await.unwrap().client_id;
    let is_known = async |client: &str| {
        let params =
            [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", client)];
        refusal(&desk.token(&params).await).1 != "invalid_client"
    };
    let (asked, first) = (register().await, register().await);
    desk.ask(&asked, &[]).await;
    for _ in 2..1_000 {
        register().await;
    }
    let last = register().await;
    assert!(!is_known(&first).await, "the oldest that never asked makes room");
    assert!(is_known(&last).await && is_known(&asked).await);
    desk.world.clock.advance(jiff::SignedDuration::from_hours(25));
    // A sweep takes a part of them, so that nobody waits for it.
    for _ in 0..3 {
        auth.sweep().await.unwrap();
    }
    assert!(!is_known(&last).await, "who was never approved goes after a day");
}

#[tokio::test]
async fn t_proxy_1_what_a_caller_says_about_itself_changes_no_address_and_no_limit() {
    let options = HttpOptions { registrations: 1, ..HttpOptions::default() };
    let world = crate::world::World::with(options).await;
    let spoof = |call: Call, number: u8| {
        call.header("Host", HOST)
            .header("X-Forwarded-Host", "evil.example")
            .header("X-Forwarded-Proto", "https")
            .header("X-Forwarded-For", &format!("203.0.113.{number}"))
            .header("Forwarded", "host=evil.example;proto=https")
    };
    let get = Call::get("/.well-known/oauth-authorization-server");
    let metadata = spoof(get, 1).send(world.addr).await;
    assert_eq!(metadata.json()["issuer"], ISSUER);
    let body = serde_json::json!({"redirect_uris": [CALLBACK]}).to_string();
    let mut answers = Vec::new();
    for number in 0..3 {
        let call = Call::new("POST", "/oauth/register").body(body.clone());
        answers.push(spoof(call, number).send(world.addr).await.status);
    }
    assert_eq!(answers, [201, 429, 429]);
}

#[tokio::test]
async fn t_proxy_1_behind_a_trusted_proxy_each_caller_has_its_own_limit_and_nothing_else_changes() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let options = HttpOptions { registrations: 1, trusted_proxies, ..HttpOptions::default() };
    let world = crate::world::World::with(options).await;
    let body = serde_json::json!({"redirect_uris": [CALLBACK]}).to_string();
    let register = |from: &str| {
        let call = Call::new("POST", "/oauth/register").header("Host", HOST).body(body.clone());
        call.header("X-Forwarded-For", from).header("X-Forwarded-Host", "evil.example")
    };
    let mut answers = Vec::new();
    for from in ["203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.9, 203.0.113.2"] {
        answers.push(register(from).send(world.addr).await.status);
    }
    assert_eq!(
        answers,
        [201, 429, 201, 429],
        "what a caller wrote before the proxy is not looked at"
    );
    let get = Call::get("/.well-known/oauth-authorization-server").header("Host", HOST);
    let metadata = get.header("X-Forwarded-Host", "evil.example").send(world.addr).await;
    assert_eq!(metadata.json()["issuer"], ISSUER);
    // Wrong passwords make the one wait who typed them.
    let owner = world.auth.local_owner();
    let password = pdpp_auth::PasswordText::new("three quiet words".to_owned());
    world.auth.set_owner_password(&owner, password).await.unwrap().unwrap();
    let login = |from: &str, password: &str| {
        let form = "application/x-www-form-urlencoded";
        let call = Call::new("POST", "/owner/login").header("Host", HOST).header("Origin", ISSUER);
        let call = call.header("Content-Type", form).header("X-Forwarded-For", from);
        call.body(encoded(&[("password", password)]))
    };
    for _ in 0..3 {
        assert_eq!(login("203.0.113.1", "wrong one").send(world.addr).await.status, 401);
    }
    assert_eq!(login("203.0.113.1", "three quiet words").send(world.addr).await.status, 429);
    assert_eq!(login("203.0.113.2", "three quiet words").send(world.addr).await.status, 303);
}

/// A page of another site in the owner's browser asks from the owner's own address.
#[tokio::test]
async fn pages_of_other_sites_use_up_no_registration_and_no_try() {
    let options = HttpOptions { registrations: 2, ..HttpOptions::default() };
    let world = crate::world::World::with(options).await;
    let body = serde_json::json!({"redirect_uris": [CALLBACK]}).to_string();
    let form = encoded(&[("grant_type", "refresh_token"), ("client_id", "x")]);
    let foreign = ["https://evil.example", "null", "http://localhost.evil.example"];
    for turn in 0..400 {
        let origin = foreign[turn % foreign.len()];
        // What a page may send without asking first.
        let register = Call::new("POST", "/oauth/register").header("Content-Type", "text/plain");
        let token = Call::new("POST", "/oauth/token");
        let token = token.header("Content-Type", "application/x-www-form-urlencoded");
        for call in [register.body(body.clone()), token.body(form.clone())] {
            let reply = call.header("Origin", origin).send(world.addr).await;
            assert_eq!(reply.status, 403, "a page of {origin}: {}", reply.text());
            assert_eq!(reply.refusal().1, "origin_not_allowed");
        }
    }
    for _ in 0..2 {
        let call = Call::new("POST", "/oauth/register").body(body.clone());
        assert_eq!(call.send(world.addr).await.status, 201, "a program still may");
    }
    let token = Call::new("POST", "/oauth/token");
    let token = token.header("Content-Type", "application/x-www-form-urlencoded").body(form);
    assert_eq!(token.send(world.addr).await.status, 400, "and is not told to wait");
}
