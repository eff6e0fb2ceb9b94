//! What every answer looks like, whatever was asked.

use serde_json::json;

use crate::client::Call;
use crate::world::World;

#[tokio::test]
async fn a_refusal_is_one_exact_envelope() {
    let world = World::new().await;
    let reply = Call::get("/v1/nowhere").header("Request-Id", "my-1").send(world.addr).await;
    assert_eq!(reply.status, 404);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(
        reply.json(),
        json!({"error": {
            "type": "not_found_error",
            "code": "not_found",
            "message": "no such path; GET / lists where to begin",
            "request_id": "my-1",
        }})
    );
}

#[tokio::test]
async fn every_answer_carries_the_same_headers() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let calls = [
        Call::get("/"),
        Call::get("/healthz"),
        Call::get("/metrics"),
        Call::get("/v1/streams").bearer(&token),
        Call::get("/v1/streams"),
        Call::get("/nowhere"),
        Call::new("PUT", "/v1/streams"),
        Call::get("/v1/streams").header("Host", "evil.example"),
    ];
    for call in calls {
        let reply = call.send(world.addr).await;
        let id = reply.header("request-id").unwrap();
        assert!(id.len() == 20 && id.starts_with("req_"), "{id}");
        assert_eq!(reply.header("pdpp-version"), Some("2026-04-06"));
        assert_eq!(reply.header("cache-control"), Some("private, no-store"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert!(reply.header("content-security-policy").is_some());
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn only_a_harmless_request_id_comes_back() {
    let world = World::new().await;
    let echoed = |given: &str| {
        let call = Call::get("/").header("Request-Id", given);
        async move { call.send(world.addr).await.header("request-id").unwrap().to_owned() }
    };
    assert_eq!(echoed("trace_1.A-b").await, "trace_1.A-b");
    for given in ["a b", "<script>", &"x".repeat(65), "a;b", ""] {
        assert!(echoed(given).await.starts_with("req_"), "{given}");
    }
}

#[tokio::test]
async fn a_wrong_method_names_the_right_ones() {
    let world = World::new().await;
    for (method, path, allowed) in [
        ("POST", "/v1/schema", &["GET", "HEAD"][..]),
        ("PUT", "/v1/streams/notes/records", &["GET", "HEAD", "DELETE"]),
        ("GET", "/v1/ingest/notes", &["POST"]),
        ("DELETE", "/healthz", &["GET", "HEAD"]),
        ("OPTIONS", "/v1/schema", &["GET", "HEAD"]),
    ] {
        let reply = Call::new(method, path).send(world.addr).await;
        assert_eq!(reply.refusal(), (405, "method_not_allowed".to_owned(), None), "{path}");
        assert_eq!(reply.json()["error"]["type"], "invalid_request_error", "{path}");
        let mut named: Vec<_> = reply.header("allow").unwrap().split(',').map(str::trim).collect();
        let mut allowed = allowed.to_vec();
        named.sort_unstable();
        allowed.sort_unstable();
        assert_eq!(named, allowed, "{path}");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    for path in ["/", "/healthz", "/v1/streams", "/v1/streams/notes/records/blue-1"] {
        let get = Call::get(path).bearer(&token).send(world.addr).await;
        let head = Call::new("HEAD", path).bearer(&token).send(world.addr).await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        assert_eq!(head.header("etag"), get.header("etag"), "{path}");
    }
    let refused = Call::new("HEAD", "/v1/streams").send(world.addr).await;
    assert_eq!((refused.status, refused.body.len()), (401, 0));
}

#[tokio::test]
async fn answers_are_compressed_when_asked() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red", "diary"]).await;
    let plain = world.get("/v1/schema", &token).await;
    let call = Call::get("/v1/schema").bearer(&token).header("Accept-Encoding", "gzip");
    let packed = call.send(world.addr).await;
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.header("vary"), Some("accept-encoding"));
    assert!(packed.complete && packed.body.len() < plain.body.len());
    assert_eq!(packed.body[..2], [0x1f, 0x8b]);
}
