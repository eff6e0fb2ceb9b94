//! `/`, `/healthz`, `/readyz` and `/metrics`.

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
