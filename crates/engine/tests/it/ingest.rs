//! Writing through the engine: every fault has its code, a refused batch changes nothing.

use pdpp_contract::import::ImportItem;
use pdpp_contract::query::ListRequest;
use pdpp_contract::{ConnectionName, ErrorCode, ReadApi, SourceDeclaration, StreamName};
use pdpp_engine::import::ImportRequest;
use pdpp_engine::ingest::IngestRequest;
use serde_json::{Value, json};

use crate::world::{World, connection_id, mail, message};

fn batch(lines: &[String]) -> IngestRequest {
    IngestRequest {
        connection_id: connection_id("work-mail"),
        stream: StreamName::new("messages").unwrap(),
        body: lines.join("\n").into_bytes(),
    }
}

fn good(id: &str) -> String {
    message(id, json!({"subject": "s", "sent_at": "2026-02-01"})).to_string()
}

async fn count(world: &World) -> usize {
    let reader = world.reader(&["work-mail"]).await;
    let mut request = ListRequest::new(StreamName::new("messages").unwrap());
    request.limit = Some(100);
    reader.list(request).await.unwrap().data.len()
}

async fn world() -> World {
    let world = World::new(9).await;
    world.import("work-mail", &mail(), &[]).await;
    world
}

#[tokio::test]
async fn a_batch_is_taken_whole_and_the_same_batch_again_changes_nothing() {
    let world = world().await;
    let owner = world.auth.local_owner();
    let lines = [good("a"), String::new(), good("b") + "\r"];
    let first = world.engine.ingest(&owner, batch(&lines)).await.unwrap();
    assert_eq!((first.records_attempted, first.records_added), (2, 2));
    let again = world.engine.ingest(&owner, batch(&lines)).await.unwrap();
    assert_eq!((again.records_unchanged, again.records_added), (2, 0));
    assert_eq!(count(&world).await, 2);
}

#[tokio::test]
async fn one_bad_line_refuses_the_batch_and_says_which() {
    let world = world().await;
    let owner = world.auth.local_owner();
    let change = |name: &str, value: Value| {
        let mut line = message("x", json!({"subject": "s"}));
        line[name] = value;
        line.to_string()
    };
    let cases = [
        ("{".to_owned(), ErrorCode::MalformedRecord),
        ("[]".to_owned(), ErrorCode::MalformedRecord),
        (change("extra", json!(1)), ErrorCode::MalformedRecord),
        (change("key", json!(7)), ErrorCode::MalformedRecord),
        (change("key", json!("other")), ErrorCode::InvalidRecordIdentity),
        (change("key", json!(["x", "y"])), ErrorCode::InvalidRecordIdentity),
        (change("key", json!("k".repeat(600))), ErrorCode::KeyTooLong),
        (change("key", json!("a\u{0}b")), ErrorCode::InvalidText),
        (change("emitted_at", json!("today")), ErrorCode::MalformedRecord),
        (change("op", json!("merge")), ErrorCode::MalformedRecord),
        (change("stream", json!("threads")), ErrorCode::MalformedRecord),
        (change("data", json!({"id": "x", "size": "big"})), ErrorCode::InvalidRecord),
        (change("data", json!({"id": "x", "size": 1.5})), ErrorCode::InvalidRecord),
        (change("data", json!("text")), ErrorCode::MalformedRecord),
        (good("x").replace("\"s\"", "\"\\ud800\""), ErrorCode::InvalidText),
        (good("x").replace("\"s\"", "\"\\ud83d\\u0041\""), ErrorCode::InvalidText),
        (good("x").replace("\"s\"", "\"\\ude00\""), ErrorCode::InvalidText),
        (good("x").replace("\"s\"", "\"\\ud83d\\ude00\",,"), ErrorCode::MalformedRecord),
        (good("x").replace("\"s\"", "\"C:\\\\ud83d\",,"), ErrorCode::MalformedRecord),
        (good("x").replace("\"subject\"", "\"id\":\"x\",\"id\""), ErrorCode::MalformedRecord),
    ];
    for (line, expected) in cases {
        let lines = [good("good"), line.clone()];
        let error = world.engine.ingest(&owner, batch(&lines)).await.unwrap_err();
        assert_eq!(error.code, expected, "{line}");
        assert_eq!(error.rejections.len(), 1);
        assert_eq!(error.rejections[0].input_index, 1);
    }
    assert_eq!(count(&world).await, 0, "a refused batch left something behind");
}

#[tokio::test]
async fn refusals_never_repeat_content() {
    let world = world().await;
    let owner = world.auth.local_owner();
    let line = message("x", json!({"subject": 5, "size": "hunter2"})).to_string();
    let error = world.engine.ingest(&owner, batch(&[line])).await.unwrap_err();
    let text = serde_json::to_string(&error).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn numbers_come_back_as_they_were_written() {
    let world = world().await;
    let owner = world.auth.local_owner();
    let line = good("n").replace("\"s\"", "\"s\",\"size\":12345678901234567890123");
    world.engine.ingest(&owner, batch(&[line])).await.unwrap();
    let reader = world.reader(&["work-mail"]).await;
    let page = reader.list(ListRequest::new(StreamName::new("messages").unwrap())).await.unwrap();
    let text = serde_json::to_string(&page.data[0]).unwrap();
    assert!(text.contains("12345678901234567890123"), "{text}");
}

#[tokio::test]
async fn a_batch_of_wrong_lines_lists_the_first_and_counts_the_rest() {
    let world = world().await;
    let owner = world.auth.local_owner();
    let mut lines = vec![good("a")];
    lines.extend(std::iter::repeat_n("{}".to_owned(), 2_000));
    lines.push(good("b"));
    let error = world.engine.ingest(&owner, batch(&lines)).await.unwrap_err();
    assert_eq!(error.rejections.len(), 100);
    assert_eq!(error.rejections[0].input_index, 1);
    let words = &error.message;
    assert!(words.starts_with("2000 lines were refused (the first 100 are listed)"), "{words}");
    let few = world.engine.ingest(&owner, batch(&lines[..3])).await.unwrap_err();
    assert!(few.message.starts_with("2 lines were refused, so nothing"), "{}", few.message);
    assert_eq!(count(&world).await, 0);
}

#[tokio::test]
async fn an_import_that_breaks_off_says_what_is_kept() {
    let world = world().await;
    for (whole, expected) in [
        (2_500, "imported so far: 2000 added, 0 changed, 0 unchanged, 0 deleted"),
        (10, "no record was imported"),
    ] {
        let line = move |position: u64| {
            let line = good(&format!("{whole}-{position}"));
            Ok(ImportItem::from_line("test", position, line.into_bytes()))
        };
        let lines = (1..=whole).map(line);
        let broken = std::iter::once(Err(std::io::Error::other("the cable came out")));
        let request = ImportRequest {
            name: ConnectionName::new("work-mail").unwrap(),
            display_name: None,
            declaration: SourceDeclaration::parse(&mail().to_string()).unwrap(),
            new_id: connection_id("work-mail"),
            dry_run: false,
        };
        let owner = world.auth.local_owner();
        let progress = Box::new(|_: &_| {});
        let import = world.engine.import(&owner, request, Box::new(lines.chain(broken)), progress);
        let error = import.await.unwrap_err();
        assert!(error.message.contains("the cable came out"), "{}", error.message);
        assert!(error.message.contains(expected), "{}", error.message);
    }
}
