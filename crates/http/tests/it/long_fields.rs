//! Fields that live outside their record: whole on the wire, or previewed when asked.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Call, Reply};
use crate::world::{World, note, notebook};

/// About three megabytes with everything that JSON escapes, at no even distance.
fn long_text() -> String {
    let mut text = String::new();
    for n in 0..150_000 {
        write!(text, "{n} \"é\\🎵\n\t\u{1}\u{7f}</x> ").unwrap();
    }
    text
}

async fn world(text: Value) -> (World, String) {
    let world = World::new().await;
    let line = note("long", json!({"text": text, "author": "ada", "size": 1}));
    world.import("blue", &notebook(), &[line, note("short", json!({"text": "s"}))]).await;
    let token = world.agent(&["blue"]).await;
    (world, token)
}

#[tokio::test]
async fn a_long_text_arrives_whole_in_a_record_and_in_a_list() {
    let text = long_text();
    assert!(text.len() > 3_000_000);
    let (world, token) = world(json!(text)).await;
    let record = world.get("/v1/streams/notes/records/long", &token).await.json();
    assert!(record["data"]["text"] == *text, "the text differs");
    assert_eq!(record["data"]["author"], "ada");
    assert_eq!(record.get("previews"), None);
    assert_eq!(record["links"], json!({"self": "/v1/streams/notes/records/long"}));
    let page = world.get("/v1/streams/notes/records?order=asc", &token).await.json();
    let texts: Vec<_> =
        page["data"].as_array().unwrap().iter().map(|r| &r["data"]["text"]).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().any(|found| **found == *text) && texts.iter().any(|found| **found == "s"));
    let link = page["links"]["self"].as_str().unwrap();
    assert!(!link.contains("preview_chars"), "{link}");
}

#[tokio::test]
async fn a_long_structure_arrives_as_the_structure_it_is() {
    let parts: Vec<_> = (0..4_000).map(|n| json!({"n": n, "say": "\"é\"\n"})).collect();
    let (world, token) = world(json!({"parts": parts})).await;
    let record = world.get("/v1/streams/notes/records/long", &token).await.json();
    assert_eq!(record["data"]["text"], json!({"parts": parts}));
    assert_eq!(record.get("previews"), None);
}

#[tokio::test]
async fn a_preview_is_only_a_beginning_and_says_so() {
    let text = long_text();
    let (world, token) = world(json!(text)).await;
    let target = "/v1/streams/notes/records/long?preview_chars=10";
    let record = world.get(target, &token).await.json();
    let begin: String = text.chars().take(10).collect();
    assert_eq!(record["data"]["text"], *begin);
    assert_eq!(record["previews"][0]["field"], "text");
    assert_eq!(record["previews"][0]["preview_chars"], 10);
    assert_eq!(record["previews"][0]["size_chars"], text.chars().count());
    let page = world.get("/v1/streams/notes/records?preview_chars=0", &token).await.json();
    let long = page["data"].as_array().unwrap().iter().find(|r| r["id"] == "long").unwrap();
    assert_eq!(long["data"]["text"], "");
    assert_eq!(long["previews"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn fields_that_are_not_asked_for_are_not_read() {
    let (world, token) = world(json!(long_text())).await;
    let target = "/v1/streams/notes/records/long?fields=author";
    let record = world.get(target, &token).await;
    assert!(record.body.len() < 1_000);
    assert!(record.header("content-length").is_some());
}

#[tokio::test]
async fn a_long_text_is_compressed_on_its_way() {
    let (world, token) = world(json!(long_text())).await;
    let call = Call::get("/v1/streams/notes/records/long").bearer(&token);
    let reply = call.header("Accept-Encoding", "gzip").send(world.addr).await;
    assert_eq!(reply.header("content-encoding"), Some("gzip"));
    assert!(reply.complete && reply.body.len() < 1_500_000, "{}", reply.body.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_changes_while_it_is_sent_breaks_off() {
    // More than the sockets of both sides hold, so that the server has to wait for the reader.
    let (world, token) = world(json!("x".repeat(32 << 20))).await;
    let call = Call::get("/v1/streams/notes/records/long").bearer(&token);
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    socket.write_all(&call.bytes()).await.unwrap();
    let mut bytes = vec![0; 1_000];
    socket.read_exact(&mut bytes).await.unwrap();
    let changed = note("long", json!({"text": "y".repeat(32 << 20)}));
    world.import("blue", &notebook(), &[changed]).await;
    let _ = socket.read_to_end(&mut bytes).await;
    let reply = Reply::parse(&bytes);
    assert_eq!(reply.status, 200);
    assert!(!reply.complete, "half a record looked whole");
    assert!(!reply.body.contains(&b'y'), "two versions were mixed");
}
