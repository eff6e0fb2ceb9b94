//! Erasure: after it returns, no file of the data directory holds a word of what was erased.

use std::path::{Path, PathBuf};

use pdpp_contract::StreamName;
use serde_json::{Value, json};

use crate::blobs::{attached, refers, upload};
use crate::world::{World, connection_id, message};

/// Words that occur nowhere else, in the forms in which an index might keep them.
const CANARY: &str = "Zwitscherkanarie";
const WORDS: [&str; 3] = ["Zwitscherkanarie", "zwitscherkanari", "7a776974736368"];

/// Every file under a directory, with its bytes.
fn bytes_of(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(bytes_of(&path));
        } else {
            found.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
    found
}

/// The files that hold one of the words, in UTF-8, UTF-16, hexadecimal or the index's spelling.
fn traces(world: &World) -> Vec<String> {
    let index_form = |word: &str| {
        let spelled = |c: char| if c == 'z' { "z7a".to_owned() } else { c.to_string() };
        word.to_lowercase().chars().map(spelled).collect::<String>()
    };
    let wide = |word: &str| word.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut needles: Vec<Vec<u8>> = Vec::new();
    for word in WORDS {
        needles.extend([word.as_bytes().to_vec(), wide(word), index_form(word).into_bytes()]);
    }
    // FTS5 stores a term without the beginning it shares with the one before it.
    needles.push(b"witscherkan".to_vec());
    let mut traces = Vec::new();
    for (path, bytes) in bytes_of(world.dir.path()) {
        for needle in &needles {
            if bytes.windows(needle.len()).any(|window| window == needle.as_slice()) {
                traces.push(format!("{} {}", path.display(), String::from_utf8_lossy(needle)));
            }
        }
    }
    traces
}

fn letter(id: &str, text: &str) -> Value {
    let long = format!("{} {text} ", "filler words of a long letter".repeat(600));
    let body = json!({"nested": [text, long.clone()]});
    message(
        id,
        json!({"sent_at": "2026-02-01", "subject": format!("{id} {text}"), "text": long, "body": body}),
    )
}

/// A store with other records around, so that pages are shared.
async fn world(seed: u64) -> World {
    let world = World::new(seed).await;
    let mut lines: Vec<_> = (0..40).map(|n| letter(&format!("n{n}"), "Nachbar")).collect();
    lines.insert(20, letter("c", &format!("{CANARY} singt")));
    assert_eq!(world.import("work-mail", &attached(), &lines).await.rejected, 0);
    assert!(!traces(&world).is_empty(), "the search can find what is there");
    world
}

fn messages() -> StreamName {
    StreamName::new("messages").unwrap()
}

#[tokio::test]
async fn a_deleted_record_leaves_no_trace() {
    let world = world(91).await;
    let owner = world.auth.local_owner();
    let (connection, id) = (connection_id("work-mail"), "c".parse().unwrap());
    world.engine.delete_record(&owner, &connection, &messages(), &id).await.unwrap();
    assert_eq!(traces(&world), Vec::<String>::new());
}

#[tokio::test]
async fn a_replaced_value_leaves_no_trace() {
    let world = world(92).await;
    world.import("work-mail", &attached(), &[letter("c", "nothing special")]).await;
    assert_eq!(traces(&world), Vec::<String>::new());
}

#[tokio::test]
async fn a_delete_by_import_leaves_no_trace() {
    let world = world(93).await;
    let gone = json!({"type": "RECORD", "stream": "messages", "key": "c", "op": "delete",
                      "emitted_at": "2026-11-02T00:00:00Z"});
    world.import("work-mail", &attached(), &[gone]).await;
    assert_eq!(traces(&world), Vec::<String>::new());
}

#[tokio::test]
async fn a_removed_connection_leaves_no_trace_with_blobs_and_quarantine() {
    let world = world(94).await;
    let blob = upload(&world, format!("{CANARY} in a file").as_bytes()).await;
    let bad = json!({"type": "RECORD", "stream": "messages", "key": "x", "data": {"id": CANARY},
                     "emitted_at": "2026-11-02T00:00:00Z"});
    let report = world.import("work-mail", &attached(), &[refers("b", 1, blob), bad]).await;
    assert_eq!((report.added, report.quarantined), (1, 1));
    world.import("home-mail", &attached(), &[letter("h", "stays")]).await;
    let now = jiff::Timestamp::UNIX_EPOCH;
    let erased = world.store.remove_connection(&connection_id("work-mail"), now).await.unwrap();
    assert_eq!(erased.unwrap().blobs, 1);
    assert_eq!(traces(&world), Vec::<String>::new());
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn an_emptied_stream_leaves_no_trace() {
    let world = world(95).await;
    let (owner, connection) = (world.auth.local_owner(), connection_id("work-mail"));
    world.engine.delete_stream_records(&owner, &connection, &messages()).await.unwrap();
    assert_eq!(traces(&world), Vec::<String>::new());
}
