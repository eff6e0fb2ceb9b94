//! `POST /v1/ingest/{stream}` and the deletes.

use serde_json::json;

use crate::client::{Call, Reply};
use crate::world::{World, note};

const INGEST: &str = "/v1/ingest/notes?connection_id=cin_blue";

async fn ingest(world: &World, token: &str, lines: &[String]) -> Reply {
    let call = Call::new("POST", INGEST).bearer(token);
    let call = call.header("Content-Type", "application/x-ndjson");
    call.body(lines.join("\n")).send(world.addr).await
}

async fn count(world: &World, token: &str) -> usize {
    let page = world.get("/v1/streams/notes/records?connection_id=cin_blue", token).await.json();
    page["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_batch_is_taken_whole_and_reported() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let lines = [
        note("new", json!({"text": "fresh"})).to_string(),
        String::new(),
        note("blue-1", json!({"text": "changed"})).to_string(),
        json!({"key": "blue-2", "op": "delete", "emitted_at": "2026-11-02T00:00:00Z"}).to_string(),
    ];
    let reply = ingest(&world, &owner, &lines).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(
        reply.json(),
        json!({
            "stream": "notes", "records_attempted": 3, "records_accepted": 3,
            "records_rejected": 0, "records_added": 1, "records_changed": 1,
            "records_unchanged": 0, "records_deleted": 1,
        })
    );
    assert_eq!(count(&world, &owner).await, 3);
}

#[tokio::test]
async fn one_bad_line_refuses_the_batch_and_is_named_without_its_content() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let lines = [note("a", json!({"text": "x"})).to_string(), "{\"hunter2\":".to_owned()];
    let reply = ingest(&world, &owner, &lines).await;
    assert_eq!(reply.status, 400);
    let error = reply.json()["error"].clone();
    assert_eq!(error["code"], "malformed_record");
    assert_eq!(error["rejections"][0]["input_index"], 1);
    assert!(!reply.text().contains("hunter2"));
    assert_eq!(count(&world, &owner).await, 3, "nothing was written");
}

#[tokio::test]
async fn a_write_names_its_connection_and_sends_lines() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let line = note("a", json!({"text": "x"})).to_string();
    let post = |target: &str| Call::new("POST", target).bearer(&owner).body(line.clone());
    let nameless = post("/v1/ingest/notes").send(world.addr).await;
    let expected = (400, "invalid_request".to_owned(), Some("connection_id".to_owned()));
    assert_eq!(nameless.refusal(), expected);
    assert_eq!(nameless.json()["error"]["retry_with"], "connection_id");
    let unknown = post("/v1/ingest/notes?connection_id=cin_blue&run_id=1").send(world.addr).await;
    assert_eq!(unknown.refusal().2.as_deref(), Some("run_id"));
    let nowhere = post("/v1/ingest/notes?connection_id=cin_nowhere").send(world.addr).await;
    assert_eq!(nowhere.refusal().1, "connection_not_found");
    let no_stream = post("/v1/ingest/nothing?connection_id=cin_blue").send(world.addr).await;
    assert_eq!(no_stream.refusal().0, 404);
    let form = post(INGEST).header("Content-Type", "application/x-www-form-urlencoded");
    let expected = (415, "unsupported_media_type".to_owned(), Some("Content-Type".to_owned()));
    assert_eq!(form.send(world.addr).await.refusal(), expected);
    let packed = post(INGEST).header("Content-Encoding", "gzip").send(world.addr).await;
    assert_eq!(packed.refusal().2.as_deref(), Some("Content-Encoding"));
}

#[tokio::test]
async fn a_body_without_a_length_is_stopped_at_the_limit() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let chunk = [format!("{:x}\r\n", 1 << 20).into_bytes(), vec![b'\n'; 1 << 20], b"\r\n".to_vec()];
    let body = chunk.concat().repeat(51);
    let call = Call::new("POST", INGEST).bearer(&owner).header("Transfer-Encoding", "chunked");
    let call = call.header("Content-Length", "").body([body, b"0\r\n\r\n".to_vec()].concat());
    // The client above adds a length of its own; this body announces none.
    let text = call.bytes();
    let text = String::from_utf8_lossy(&text).replacen("Content-Length: \r\n", "", 1);
    let mut socket = tokio::net::TcpStream::connect(world.addr).await.unwrap();
    let (mut reading, mut writing) = socket.split();
    let sending = async {
        use tokio::io::AsyncWriteExt;
        let _ = writing.write_all(text.as_bytes()).await;
    };
    let receiving = async {
        use tokio::io::AsyncReadExt;
        let mut bytes = Vec::new();
        let _ = reading.read_to_end(&mut bytes).await;
        bytes
    };
    let ((), bytes) = tokio::join!(sending, receiving);
    assert_eq!(Reply::parse(&bytes).refusal().1, "payload_too_large");
}

#[tokio::test]
async fn deletes_answer_204_whether_or_not_there_was_something() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let delete = async |target: &str| {
        let reply = Call::new("DELETE", target).bearer(&owner).send(world.addr).await;
        assert!(reply.body.is_empty() || reply.status >= 400);
        reply
    };
    let one = "/v1/streams/notes/records/blue-1?connection_id=cin_blue";
    assert_eq!(delete(one).await.status, 204);
    assert_eq!(delete(one).await.status, 204);
    assert_eq!(count(&world, &owner).await, 2);
    let all = "/v1/streams/notes/records?connection_id=cin_blue";
    assert_eq!(delete(all).await.status, 204);
    assert_eq!(count(&world, &owner).await, 0);
    let other = world.get("/v1/streams/notes/records?connection_id=cin_red", &owner).await.json();
    assert_eq!(other["data"].as_array().unwrap().len(), 3, "the other connection is untouched");
    let nameless = delete("/v1/streams/notes/records").await;
    assert_eq!(nameless.refusal().2.as_deref(), Some("connection_id"));
}
