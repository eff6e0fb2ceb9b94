//! `/v1/blobs`: upload, ranges, tags, names, and what the wrong caller learns.

use pdpp_contract::blob::BlobId;
use serde_json::{Value, json};

use crate::client::{Call, Reply};
use crate::world::{World, note, notebook};

const CONTENT: &[u8] = b"id;amount\n1;49.50\n2;10.00\nand so on and so on and so on and so on\n";

fn declaration() -> Value {
    let mut declaration = notebook();
    let properties = &mut declaration["streams"][0]["schema"]["properties"];
    properties["blob_ref"] = json!({"type": "object"});
    declaration
}

async fn upload(world: &World, token: &str, query: &str, bytes: &[u8]) -> Reply {
    let call = Call::new("POST", &format!("/v1/blobs{query}")).bearer(token);
    call.header("Content-Type", "text/csv").body(bytes).send(world.addr).await
}

/// A world with one blob that one note refers to.
async fn world() -> (World, String) {
    let world = World::filled().await;
    let owner = world.owner().await;
    let reply = upload(&world, &owner, "", CONTENT).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let id = reply.json()["blob_id"].as_str().unwrap().to_owned();
    let reference =
        json!({"blob_id": id, "mime_type": "text/csv", "filename": "Räkning \"1\".csv"});
    let line = note("with-file", json!({"text": "see file", "blob_ref": reference}));
    world.import("blue", &declaration(), &[line]).await;
    (world, format!("/v1/blobs/{id}"))
}

#[tokio::test]
async fn an_upload_says_what_it_kept() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let reply = upload(&world, &owner, "", CONTENT).await;
    let body = reply.json();
    let id = BlobId::parse(body["blob_id"].as_str().unwrap()).unwrap();
    assert_eq!(
        body,
        json!({"object": "blob", "blob_id": id, "sha256": id.hex(), "size_bytes": CONTENT.len(),
               "mime_type": "text/csv"})
    );
    let announced = format!("?sha256={}", id.hex());
    assert_eq!(upload(&world, &owner, &announced, CONTENT).await.status, 200);
    let reply = upload(&world, &owner, &announced, b"other bytes").await;
    assert_eq!(reply.refusal(), (400, "invalid_argument".to_owned(), Some("sha256".to_owned())));
    assert_eq!(upload(&world, &owner, "?sha256=abc", CONTENT).await.status, 400);
    let agent = world.agent(&["blue"]).await;
    assert_eq!(upload(&world, &agent, "", CONTENT).await.status, 403, "only the owner");
    // Nobody refers to it yet, so nobody sees it, its owner included.
    assert_eq!(world.get(&format!("/v1/blobs/{id}"), &owner).await.status, 404);
}

#[tokio::test]
async fn the_bytes_come_as_an_attachment_and_are_never_sniffed() {
    let (world, path) = world().await;
    let agent = world.agent(&["blue/notes:id,blob_ref"]).await;
    let call = Call::get(&path).bearer(&agent).header("Accept-Encoding", "gzip");
    let reply = call.send(world.addr).await;
    assert_eq!((reply.status, reply.body.as_slice()), (200, CONTENT));
    let name = "attachment; filename=\"R_kning 1.csv\"; filename*=UTF-8''R%C3%A4kning%201.csv";
    for (header, value) in [
        ("content-type", "text/csv"),
        ("content-length", &CONTENT.len().to_string()),
        ("content-disposition", name),
        ("x-content-type-options", "nosniff"),
        ("accept-ranges", "bytes"),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(reply.header(header), Some(value), "{header}");
    }
    assert_eq!(reply.header("content-encoding"), None, "its length was promised");
    let head = Call::new("HEAD", &path).bearer(&agent).send(world.addr).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(CONTENT.len().to_string().as_str()));
    let tag = reply.header("etag").unwrap().to_owned();
    let again = Call::get(&path).bearer(&agent).header("If-None-Match", &tag);
    let again = again.send(world.addr).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[tokio::test]
async fn a_range_is_served_as_a_part() {
    let (world, path) = world().await;
    let agent = world.agent(&["blue"]).await;
    let ask = async |range: &str| {
        Call::get(&path).bearer(&agent).header("Range", range).send(world.addr).await
    };
    let reply = ask("bytes=3-8").await;
    assert_eq!((reply.status, reply.body.as_slice()), (206, &CONTENT[3..9]));
    let total = CONTENT.len();
    assert_eq!(reply.header("content-range"), Some(format!("bytes 3-8/{total}").as_str()));
    let reply = ask("bytes=-4").await;
    assert_eq!((reply.status, reply.body.as_slice()), (206, &CONTENT[total - 4..]));
    let reply = ask("bytes=999-").await;
    assert_eq!((reply.status, reply.body.len()), (416, 0));
    assert_eq!(reply.header("content-range"), Some(format!("bytes */{total}").as_str()));
    assert_eq!(ask("bytes=5-1").await.status, 200);
}

#[tokio::test]
async fn a_blob_longer_than_a_piece_arrives_whole() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let long: Vec<u8> = (0..700_001_u64).map(|n| u8::try_from(n * n % 251).unwrap()).collect();
    let id = upload(&world, &owner, "", &long).await.json()["blob_id"].clone();
    let line = note("long", json!({"text": "x", "blob_ref": {"blob_id": id}}));
    world.import("blue", &declaration(), &[line]).await;
    let path = format!("/v1/blobs/{}", id.as_str().unwrap());
    let agent = world.agent(&["blue"]).await;
    let reply = world.get(&path, &agent).await;
    assert_eq!(reply.header("content-type"), Some("application/octet-stream"));
    assert!(reply.body == long);
    let call = Call::get(&path).bearer(&agent).header("Range", "bytes=262000-600000");
    assert!(call.send(world.addr).await.body == long[262_000..=600_000]);
}

#[tokio::test]
async fn a_blob_outside_the_grant_answers_like_one_that_does_not_exist() {
    let (world, path) = world().await;
    let without = |reply: Reply| {
        let mut body = reply.json();
        body["error"]["request_id"] = json!("-");
        (reply.status, body)
    };
    for allow in ["blue/notes:id,text", "red", "blue/notes:id,blob_ref@2030-01-01.."] {
        let agent = world.agent(&[allow]).await;
        let hidden = without(world.get(&path, &agent).await);
        for unknown in [format!("/v1/blobs/{}", BlobId([9; 32])), "/v1/blobs/nonsense".to_owned()] {
            assert_eq!(hidden, without(world.get(&unknown, &agent).await), "{allow}");
        }
        assert_eq!((hidden.0, &hidden.1["error"]["code"]), (404, &json!("blob_not_found")));
    }
    let agent = world.agent(&["blue"]).await;
    assert_eq!(world.get(&format!("{path}?connection_id=cin_red"), &agent).await.status, 404);
    assert_eq!(world.get(&format!("{path}?connection_id=cin_blue"), &agent).await.status, 200);
    assert_eq!(world.get(&format!("{path}?inline=1"), &agent).await.status, 400);
}
