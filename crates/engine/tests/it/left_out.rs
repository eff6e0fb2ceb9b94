//! Secrets, and what goes with a left-out record, as readers meet them.

use pdpp_contract::aggregate::{AggregateRequest, Grouping, Metric};
use pdpp_contract::query::{ListRequest, RecordRequest};
use pdpp_contract::{ErrorCode, Json, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::expand::related;
use crate::world::{World, message, thread};

/// Messages, threads and files.
fn with_files() -> Value {
    let mut declaration = related();
    let files = json!({
        "name": "attachments",
        "semantics": "mutable_state",
        "schema": {"type": "object", "properties": {"id": {"type": "string"},
            "message_id": {"type": "string"}, "filename": {"type": "string"}}},
        "primary_key": ["id"],
        "selection": {"fields": true, "resources": true},
        "relationships": [{"name": "message", "stream": "messages", "foreign_key": "message_id",
            "cardinality": "has_one"}],
    });
    declaration["streams"].as_array_mut().unwrap().push(files);
    declaration
}

fn file(id: &str, message: &str) -> Value {
    json!({"type": "RECORD", "stream": "attachments", "key": id, "emitted_at": "2026-11-01T00:00:00Z",
           "data": {"id": id, "message_id": message, "filename": format!("{id}.png")}})
}

fn mail_line(id: &str, day: u32, thread: &str, subject: &str) -> Value {
    message(
        id,
        json!({"sent_at": format!("2026-02-{day:02}T09:00:00Z"), "subject": subject, "thread_id": thread}),
    )
}

async fn ids(reader: &GrantedReader, stream: &str) -> Vec<String> {
    let page = reader.list(ListRequest::new(StreamName::new(stream).unwrap())).await.unwrap();
    let mut ids: Vec<String> = page.data.iter().map(|record| record.id.to_string()).collect();
    ids.sort();
    ids
}

async fn count(reader: &GrantedReader, stream: &str) -> Json {
    let asked = AggregateRequest {
        stream: StreamName::new(stream).unwrap(),
        metric: Metric::Count,
        field: None,
        grouping: Grouping::default(),
        limit: None,
        cursor: None,
        filter: Vec::new(),
        connection_id: None,
    };
    reader.aggregate(asked).await.unwrap().value.unwrap_or(Json::Null)
}

#[tokio::test]
async fn records_with_secrets_vanish_from_a_grant_that_leaves_them_out() {
    let world = World::new(7).await;
    let key = format!("ghp_{}", "q7Zk2Vx9LmB4tRw8Yc1NsJ5Hd0Pf3GaT6uEo");
    let lines = [
        mail_line("plain", 1, "t1", "Lunch"),
        mail_line("key", 2, "t1", &format!("the deploy key {key}")),
        mail_line("login", 3, "t1", "user maya, password: hunter2"),
    ];
    world.import("work-mail", &related(), &lines).await;
    let all = world.reader(&["work-mail/messages"]).await;
    assert_eq!(ids(&all, "messages").await, ["key", "login", "plain"]);
    let without = world.reader_leaving_out(&["work-mail/messages"], true).await;
    assert_eq!(ids(&without, "messages").await, ["plain"]);
    assert_eq!(count(&without, "messages").await, Json::Number("1".to_owned()));
    let one =
        RecordRequest::new(StreamName::new("messages").unwrap(), RecordId::new("key").unwrap());
    assert_eq!(without.record(one).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn what_was_made_from_a_left_out_message_is_left_out_with_it() {
    let world = World::new(8).await;
    let lines = [
        thread("t1", "Lunch"),
        mail_line("m1", 1, "t1", "Lunch"),
        file("f1", "m1"),
        thread("t2", "Your sign-in code"),
        mail_line("m2", 2, "t2", "Your sign-in code is 482913"),
        file("f2", "m2"),
    ];
    world.import("work-mail", &with_files(), &lines).await;
    let without = world.reader_leaving_out(&["work-mail"], true).await;
    assert_eq!(ids(&without, "threads").await, ["t1"]);
    assert_eq!(ids(&without, "attachments").await, ["f1"]);
    let before =
        format!("{:?}", without.list(ListRequest::new(StreamName::new("threads").unwrap())).await);
    // A code that joins a visible thread hides itself and its files, and shows nowhere.
    let lines = [mail_line("m0", 1, "t1", "Your sign-in code is 482913"), file("f0", "m0")];
    world.import("work-mail", &with_files(), &lines).await;
    let after =
        format!("{:?}", without.list(ListRequest::new(StreamName::new("threads").unwrap())).await);
    assert_eq!(after, before);
    assert_eq!(ids(&without, "attachments").await, ["f1"]);
    let all = world.reader(&["work-mail"]).await;
    assert_eq!(ids(&all, "attachments").await, ["f0", "f1", "f2"]);
}

#[tokio::test]
async fn a_reader_that_leaves_out_waits_for_the_new_judgement() {
    let world = World::new(9).await;
    world.import("work-mail", &related(), &[mail_line("m1", 1, "t1", "Lunch")]).await;
    world.store.request_classification().await.unwrap();
    let without = world.reader_leaving_out(&["work-mail/messages"], true).await;
    let refused = without.list(ListRequest::new(StreamName::new("messages").unwrap())).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::Unavailable);
    let all = world.reader(&["work-mail/messages"]).await;
    assert_eq!(ids(&all, "messages").await, ["m1"]);
    let judged = world.engine.reclassify(&mut |_| {}).await.unwrap();
    assert_eq!((judged.records, judged.changed), (1, 0));
    assert_eq!(ids(&without, "messages").await, ["m1"]);
}
