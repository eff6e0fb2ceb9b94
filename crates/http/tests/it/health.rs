//! `/`, `/healthz`, `/readyz` and `/metrics`.

use pdpp_http::HttpOptions;
use serde_json::json;

use crate::client::Call;
use crate::world::World;

#[tokio::test]
async fn the_index_says_where_to_begin() {
    let world = World::new().await;
    let index = Call::get("/").send(world.addr).await.json();
    assert_eq!(index["object"], "pdpp_discovery_index");
    assert_eq!(index["role"], "resource_server");
    let schema = index["links"]["schema"].as_str().unwrap();
    assert_eq!(schema, format!("http://{}/v1/schema", world.addr));
}

#[tokio::test]
async fn a_working_server_is_healthy_and_ready() {
    let world = World::new().await;
    assert_eq!(Call::get("/healthz").send(world.addr).await.json(), json!({"status": "ok"}));
    assert_eq!(Call::get("/readyz").send(world.addr).await.json(), json!({"status": "ready"}));
}

#[tokio::test]
async fn metrics_count_routes_and_never_name_anything() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    world.get("/v1/streams/notes/records/blue-1?fields=author", &token).await;
    world.get("/v1/streams/notes/records/secret-id", &token).await;
    Call::new("BREW", "/pot/of/secret").send(world.addr).await;
    let reply = Call::get("/metrics").send(world.addr).await;
    assert_eq!(
        reply.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    let text = reply.text();
    let route = "route=\"/v1/streams/{stream}/records/{id}\"";
    let counted = format!("pdpp_http_requests_total{{method=\"GET\",{route},status=\"200\"}} 1");
    assert!(text.contains(&counted), "{text}");
    assert!(text.contains("method=\"other\",route=\"unmatched\",status=\"404\"} 1"), "{text}");
    assert!(text.contains("pdpp_http_request_duration_seconds_bucket"));
    assert!(text.contains("pdpp_http_requests_under_way 1"));
    for word in ["secret", "blue", "notes", "agent", "author"] {
        assert!(!text.contains(word), "{word} stands in the metrics");
    }
}

#[tokio::test]
async fn behind_a_public_url_strangers_read_no_metrics() {
    let public_url = Some("https://data.example.org".to_owned());
    let world = World::with(HttpOptions { public_url, ..HttpOptions::default() }).await;
    // A proxy on the same machine calls from loopback, whoever it calls for.
    for host in ["data.example.org", "localhost"] {
        let reply = Call::get("/metrics").header("Host", host).send(world.addr).await;
        assert_eq!(reply.status, 401, "{host}: {}", reply.text());
        assert!(!reply.text().contains("pdpp_http"));
    }
    let (owner, token) = (world.auth.local_owner(), world.owner().await);
    let issued = world.auth.create_metrics_token(&owner, None, None).await.unwrap();
    let metrics = issued.access_token.reveal();
    let asked = async |token: &str| world.get("/metrics", token).await;
    assert!(asked(metrics).await.text().contains("pdpp_http_requests_total"));
    assert_eq!(asked(&token).await.status, 403, "an owner's token of another kind");
    assert_eq!(asked("nonsense").await.status, 401);
    world.auth.revoke_owner_token(&owner, issued.fingerprint.as_str()).await.unwrap();
    assert_eq!(asked(metrics).await.status, 401, "a revoked one");
}

#[tokio::test]
async fn without_a_public_url_metrics_are_for_this_machine_or_a_token() {
    let trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let options = HttpOptions { trusted_proxies, ..HttpOptions::default() };
    for world in [World::new().await, World::with(options).await] {
        assert_eq!(Call::get("/metrics").send(world.addr).await.status, 200);
        let forwarded = Call::get("/metrics").header("X-Forwarded-For", "203.0.113.1");
        assert_eq!(forwarded.send(world.addr).await.status, 401, "for somebody else");
        let owner = world.auth.local_owner();
        let issued = world.auth.create_metrics_token(&owner, None, None).await.unwrap();
        let call = forwarded.bearer(issued.access_token.reveal());
        assert_eq!(call.send(world.addr).await.status, 200);
    }
}

#[tokio::test]
async fn a_token_for_metrics_opens_nothing_else() {
    let door = std::sync::Arc::new(crate::agents::Mirror);
    let world = World::with_agents(HttpOptions::default(), Some(door)).await;
    world.fill().await;
    let owner = world.auth.local_owner();
    let issued = world.auth.create_metrics_token(&owner, None, None).await.unwrap();
    let token = issued.access_token.reveal();
    let post = |path: &str| Call::new("POST", path).body("{}");
    for call in [
        Call::get("/v1/schema"),
        Call::get("/v1/streams"),
        Call::get("/v1/token"),
        Call::get("/v1/streams/notes/records"),
        Call::new("DELETE", "/v1/streams/notes/records/blue-1?connection_id=cin_blue"),
        post("/v1/ingest/notes"),
        post("/oauth/introspect").header("Content-Type", "application/x-www-form-urlencoded"),
        post("/mcp"),
    ] {
        let reply = call.bearer(token).send(world.addr).await;
        assert_eq!(reply.status, 403, "{}", reply.text());
    }
}
