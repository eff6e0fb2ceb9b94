//! `GET /v1/schema`, `/v1/streams` and `/v1/streams/{stream}` over the wire.

use serde_json::json;

use crate::world::{World, diary};

#[tokio::test]
async fn the_schema_shows_the_grant_and_nothing_else() {
    let world = World::filled().await;
    let token = world.agent(&["blue/notes:text"]).await;
    let schema = world.get("/v1/schema", &token).await.json();
    assert_eq!(schema["object"], "schema");
    assert_eq!(schema["detail"], "compact");
    assert_eq!(
        schema["bearer"],
        json!({"token_kind": "client", "scope": "grant", "client_id": "agent"})
    );
    assert_eq!((&schema["connector_count"], &schema["stream_count"]), (&json!(1), &json!(1)));
    assert!(!schema.to_string().contains("author"));
    assert!(!schema.to_string().contains("cin_red"));
    let compact = world.get("/v1/schema?view=compact", &token).await.json();
    assert_eq!(compact["connectors"], schema["connectors"]);
}

#[tokio::test]
async fn the_full_schema_is_for_one_stream() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let full = world.get("/v1/schema?detail=full&stream=notes", &token).await.json();
    assert_eq!(full["detail"], "full");
    let whole = world.get("/v1/schema?detail=full", &token).await;
    let expected = (400, "invalid_request".to_owned(), Some("detail".to_owned()));
    assert_eq!(whole.refusal(), expected);
    for (query, param) in [("view=wide", "view"), ("detail=all", "detail"), ("limit=1", "limit")] {
        let reply = world.get(&format!("/v1/schema?{query}"), &token).await;
        assert_eq!(reply.refusal(), (400, "invalid_request".to_owned(), Some(param.to_owned())));
    }
}

#[tokio::test]
async fn streams_have_one_row_per_connection() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red"]).await;
    let list = world.get("/v1/streams", &token).await.json();
    assert_eq!(list["object"], "list");
    let rows: Vec<_> = list["data"].as_array().unwrap().iter().collect();
    let ids: Vec<_> = rows.iter().map(|row| row["connection_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["cin_blue", "cin_red"]);
    assert_eq!(rows[0]["record_count"], 3);
    let one = world.get("/v1/streams?connection_id=cin_red", &token).await.json();
    assert_eq!(one["data"].as_array().unwrap().len(), 1);
    let foreign = world.get("/v1/streams?connection_id=cin_diary", &token).await;
    assert_eq!(foreign.refusal().1, "connection_not_found");
}

#[tokio::test]
async fn equal_streams_share_one_detail() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red"]).await;
    let detail = world.get("/v1/streams/notes", &token).await.json();
    assert_eq!(detail["object"], "stream_metadata");
    assert_eq!(detail["name"], "notes");
    assert_eq!(detail["granted_connections"].as_array().unwrap().len(), 2);
    assert_eq!(detail["links"]["self"], "/v1/streams/notes");
    assert_eq!(detail["meta"], json!({"count": {"kind": "none"}, "warnings": []}));
}

#[tokio::test]
async fn unlike_streams_of_one_name_ask_for_a_connection() {
    let world = World::filled().await;
    let mut other = diary();
    other["streams"][0]["name"] = json!("notes");
    world.import("green", &other, &[]).await;
    let token = world.agent(&["blue", "green"]).await;
    let reply = world.get("/v1/streams/notes", &token).await;
    let expected = (409, "ambiguous_connection".to_owned(), Some("connection_id".to_owned()));
    assert_eq!(reply.refusal(), expected);
    let error = reply.json()["error"].clone();
    assert_eq!(error["available_connection_count"], 2);
    assert_eq!(error["available_connections"][0]["stream"], "notes");
    let one = world.get("/v1/streams/notes?connection_id=cin_green", &token).await.json();
    assert_eq!(one["primary_key"], json!(["who", "day"]));
}
