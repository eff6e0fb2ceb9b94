//! `GET /v1/streams/{stream}/records/{id}`: addresses, shapes, conditional reads.

use serde_json::{Value, json};

use crate::client::Call;
use crate::world::{World, note, notebook};

/// Percent-encodes everything, so that decoding twice or not at all shows.
fn encoded(id: &str) -> String {
    id.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02X}"))
}

#[tokio::test]
async fn a_record_stands_at_the_top_with_its_surroundings() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let reply = world.get("/v1/streams/notes/records/blue-1?fields=author", &token).await;
    let record = reply.json();
    assert_eq!(
        record,
        json!({
            "object": "record",
            "id": "blue-1",
            "stream": "notes",
            "data": {"author": "ada", "id": "blue-1"},
            "emitted_at": "2026-11-01T00:00:00Z",
            "connection_id": "cin_blue",
            "display_name": "The blue one",
            "connector_key": "notebook",
            "record_json_bytes": 30,
            "links": {"self": "/v1/streams/notes/records/blue-1?fields=author"},
            "meta": {"count": {"kind": "none"}, "warnings": []},
        })
    );
}

#[tokio::test]
async fn any_key_can_be_addressed_and_is_decoded_once() {
    let world = World::new().await;
    let keys =
        ["100%", "100%25", "a/b", "a\\b", "..", "é", "🎵", "a b+c", "?x=1&y", "#", "\"quoted\""];
    let lines: Vec<Value> = keys.iter().map(|key| note(key, json!({"text": *key}))).collect();
    world.import("blue", &notebook(), &lines).await;
    let token = world.agent(&["blue"]).await;
    for key in keys {
        let target = format!("/v1/streams/notes/records/{}", encoded(key));
        let record = world.get(&target, &token).await.json();
        assert_eq!(record["data"]["text"], *key, "{key}");
        let link = record["links"]["self"].as_str().unwrap().to_owned();
        if key != ".." {
            assert_eq!(world.get(&link, &token).await.json()["id"], *key, "{key}");
        }
    }
    let twice = format!("/v1/streams/notes/records/{}", encoded(&encoded("a/b")));
    assert_eq!(world.get(&twice, &token).await.status, 404, "decoded twice");
}

#[tokio::test]
async fn a_compound_key_is_its_canonical_array() {
    let world = World::filled().await;
    let token = world.agent(&["diary"]).await;
    let id = r#"["ada","2026-01-02"]"#;
    let target = format!("/v1/streams/entries/records/{}", encoded(id));
    let record = world.get(&target, &token).await.json();
    assert_eq!(record["id"], id);
    assert_eq!(record["data"]["weather"], "sun");
}

#[tokio::test]
async fn a_path_that_names_nothing_is_a_typed_refusal() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    for (path, param) in [
        ("/v1/streams/../records/x", "stream"),
        ("/v1/streams/%2E%2E/records/x", "stream"),
        ("/v1/streams/a%2Fb/records/x", "stream"),
        ("/v1/streams/a:b/records/x", "stream"),
        ("/v1/streams/%ff/records/x", "stream"),
        ("/v1/streams/notes/records/..", "id"),
        ("/v1/streams/notes/records/%zz", "id"),
        ("/v1/streams/notes/records/%00", "id"),
        (&format!("/v1/streams/notes/records/{}", "k".repeat(513)), "id"),
        ("/v1/streams/..", "stream"),
        ("/v1/streams//records", "stream"),
    ] {
        let expected = (400, "invalid_request".to_owned(), Some(param.to_owned()));
        assert_eq!(world.get(path, &token).await.refusal(), expected, "{path}");
    }
    for path in ["/v1/streams/notes/records/", "/v1/streams/notes/x"] {
        assert_eq!(world.get(path, &token).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_record_is_not_sent_again() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let target = "/v1/streams/notes/records/blue-1";
    let first = world.get(target, &token).await;
    let etag = first.header("etag").unwrap().to_owned();
    assert!(etag.starts_with('"') && etag.ends_with('"'));
    let again = |tag: &str| Call::get(target).bearer(&token).header("If-None-Match", tag);
    for tag in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let reply = again(&tag).send(world.addr).await;
        assert_eq!((reply.status, reply.body.len()), (304, 0), "{tag}");
        assert_eq!(reply.header("etag"), Some(etag.as_str()));
    }
    assert_eq!(again("\"other\"").send(world.addr).await.status, 200);

    let changed = note("blue-1", json!({"author": "ada", "text": "changed"}));
    world.import("blue", &notebook(), &[changed]).await;
    let reply = again(&etag).send(world.addr).await;
    assert_eq!(reply.status, 200);
    assert_ne!(reply.header("etag"), Some(etag.as_str()));
}

#[tokio::test]
async fn an_id_in_two_connections_asks_for_one() {
    let world = World::filled().await;
    for name in ["blue", "red"] {
        world.import(name, &notebook(), &[note("both", json!({"text": name}))]).await;
    }
    let token = world.agent(&["blue", "red"]).await;
    let target = "/v1/streams/notes/records/both";
    let reply = world.get(target, &token).await;
    let expected = (409, "ambiguous_connection".to_owned(), Some("connection_id".to_owned()));
    assert_eq!(reply.refusal(), expected);
    let error = reply.json()["error"].clone();
    assert_eq!(error["retry_with"], "connection_id");
    assert_eq!(error["available_connections"].as_array().unwrap().len(), 2);
    let one = world.get(&format!("{target}?connection_id=cin_red"), &token).await.json();
    assert_eq!(one["data"]["text"], "red");
}

#[tokio::test]
async fn numbers_keep_their_spelling_on_the_wire() {
    let world = World::filled().await;
    let line = note("n", json!({"size": 0})).to_string();
    let line = line.replace("\"size\":0", "\"size\":1.10");
    let owner = world.owner().await;
    let call = Call::new("POST", "/v1/ingest/notes?connection_id=cin_blue").bearer(&owner);
    assert_eq!(call.body(line).send(world.addr).await.status, 200);
    let token = world.agent(&["blue"]).await;
    let record = world.get("/v1/streams/notes/records/n", &token).await;
    assert!(record.text().contains("\"size\":1.10"), "{}", record.text());
    let page = world.get("/v1/streams/notes/records?filter[size][gte]=1", &token).await;
    assert!(page.text().contains("\"size\":1.10"), "{}", page.text());
}
