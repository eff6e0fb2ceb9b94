//! Relations: which records come along, in which order, how many, and for whom.

use pdpp_contract::expand::{Expand, Expanded};
use pdpp_contract::query::{ListRequest, RecordRequest};
use pdpp_contract::record::Record;
use pdpp_contract::{ErrorCode, FieldName, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message, thread};

/// Messages that name their thread, threads that have messages.
pub fn related() -> Value {
    let mut declaration = mail();
    let messages = &mut declaration["streams"][0];
    messages["schema"]["properties"]["thread_id"] = json!({"type": ["string", "null"]});
    messages["relationships"] = json!([
        {"name": "thread", "stream": "threads", "foreign_key": "thread_id", "cardinality": "has_one"}
    ]);
    messages["query"]["expand"] = json!([{"name": "thread"}]);
    let threads = &mut declaration["streams"][1];
    threads["relationships"] = json!([
        {"name": "messages", "stream": "messages", "foreign_key": "thread_id", "cardinality": "has_many"},
        {"name": "kept_apart", "stream": "messages", "foreign_key": "thread_id", "cardinality": "has_many"}
    ]);
    threads["query"] =
        json!({"expand": [{"name": "messages", "default_limit": 2, "max_limit": 4}]});
    declaration
}

fn note(id: &str, thread: Option<&str>, day: u32, subject: &str) -> Value {
    let sent_at = format!("2026-02-{day:02}");
    message(id, json!({"sent_at": sent_at, "subject": subject, "thread_id": thread, "size": 1}))
}

async fn world(seed: u64) -> World {
    let world = World::new(seed).await;
    let mut lines = vec![thread("t1", "One"), thread("t2", "Two"), thread("t3", "Three")];
    for day in 1..=5 {
        lines.push(note(&format!("a{day}"), Some("t1"), day, "first"));
    }
    lines.push(note("b1", Some("t2"), 6, "Your verification code is 482913"));
    lines.push(note("lost", Some("t9"), 7, "names nobody"));
    lines.push(note("alone", None, 8, "has no thread"));
    let report = world.import("work-mail", &related(), &lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
    // The same keys elsewhere: a relation never leaves its connection.
    let other = [thread("t1", "Elsewhere"), note("a9", Some("t1"), 9, "elsewhere")];
    world.import("home-mail", &related(), &other).await;
    world
}

fn list(stream: &str, relation: &str, limit: Option<u32>) -> ListRequest {
    let mut request = ListRequest::new(StreamName::new(stream).unwrap());
    request.expand = vec![Expand { relation: relation.to_owned(), limit }];
    request
}

fn many(record: &Record) -> (Vec<&str>, bool) {
    match &record.expanded["messages"] {
        Expanded::Many(list) => {
            (list.data.iter().map(|record| record.id.as_str()).collect(), list.has_more)
        }
        Expanded::One(_) => panic!("a list was declared"),
    }
}

async fn page(reader: &GrantedReader, request: ListRequest) -> Vec<Record> {
    reader.list(request).await.unwrap().data
}

#[tokio::test]
async fn a_thread_brings_its_newest_messages_and_says_when_there_are_more() {
    let world = world(71).await;
    let reader = world.reader_leaving_out(&["work-mail"], true).await;
    let threads = page(&reader, list("threads", "messages", None)).await;
    let shown: Vec<_> = threads.iter().map(|record| (record.id.as_str(), many(record))).collect();
    // The message that began the second thread carries a code, which this grant leaves out with it.
    let expected = [("t3", (vec![], false)), ("t1", (vec!["a5", "a4"], true))];
    assert_eq!(shown, expected);
    let threads = page(&reader, list("threads", "messages", Some(4))).await;
    assert_eq!(many(&threads[1]), (vec!["a5", "a4", "a3", "a2"], true));
    let error = reader.list(list("threads", "messages", Some(5))).await.unwrap_err();
    assert_eq!((error.code, error.param.as_deref()), (ErrorCode::InvalidExpand, Some("expand")));

    let mut request =
        RecordRequest::new(StreamName::new("threads").unwrap(), RecordId::new("t1").unwrap());
    request.expand = list("threads", "messages", None).expand;
    let detail = reader.record(request.clone()).await.unwrap();
    assert_eq!(many(&detail.record).0, ["a5", "a4"]);
    // What comes along counts in the tag: a new message is a new answer.
    world.import("work-mail", &related(), &[note("a6", Some("t1"), 10, "newer")]).await;
    let later = reader.record(request).await.unwrap();
    assert_eq!(many(&later.record).0, ["a6", "a5"]);
    assert_ne!(later.etag, detail.etag);
}

#[tokio::test]
async fn a_message_brings_its_thread_or_null() {
    let world = world(72).await;
    let reader = world.reader(&["work-mail/messages", "work-mail/threads:id"]).await;
    let mut request = list("messages", "thread", None);
    request.fields = Some(vec![FieldName::new("subject").unwrap()]);
    for record in page(&reader, request).await {
        let data = record.data.as_ref().unwrap();
        assert!(data.get("thread_id").is_none(), "nobody asked for the key");
        let Expanded::One(one) = &record.expanded["thread"] else { panic!("one was declared") };
        let expected = match record.id.as_str() {
            "lost" | "alone" => None,
            "b1" => Some(json!({"id": "t2"})),
            _ => Some(json!({"id": "t1"})),
        };
        let data = one.as_ref().map(|one| serde_json::to_value(&one.data).unwrap());
        assert_eq!(data, expected, "{}", record.id);
    }
    let error = reader.list(list("messages", "thread", Some(1))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidExpand, "one record has no limit");
}

#[tokio::test]
async fn related_records_keep_within_their_own_grant() {
    let world = world(73).await;
    let reader = world
        .reader(&["work-mail/threads", "work-mail/messages:id,thread_id@2026-02-02..2026-02-05"])
        .await;
    let threads = page(&reader, list("threads", "messages", Some(4))).await;
    let first = threads.iter().find(|record| record.id.as_str() == "t1").unwrap();
    assert_eq!(many(first), (vec!["a4", "a3", "a2"], false), "more lie outside, and no word of it");
    let Expanded::Many(list) = &first.expanded["messages"] else { panic!("a list was declared") };
    let data = serde_json::to_value(&list.data[0].data).unwrap();
    assert_eq!(data, json!({"id": "a4", "thread_id": "t1"}));
}

#[tokio::test]
async fn a_relation_outside_the_grant_looks_like_one_that_does_not_exist() {
    let world = world(74).await;
    // No related stream; no key field; neither; a relation that is declared but not offered.
    for (allow, stream, relation) in [
        (&["work-mail/threads"][..], "threads", "messages"),
        (&["work-mail/threads", "work-mail/messages:id,subject"], "threads", "messages"),
        (&["work-mail/messages"], "messages", "thread"),
        (&["work-mail/messages:id", "work-mail/threads"], "messages", "thread"),
        (&["work-mail/threads", "home-mail/messages"], "threads", "messages"),
        (&["work-mail"], "threads", "kept_apart"),
    ] {
        let reader = world.reader(allow).await;
        let told = async |name: &str| {
            let error = reader.list(list(stream, name, Some(1000))).await.unwrap_err();
            serde_json::to_string(&error).unwrap().replace(name, "NAME")
        };
        assert_eq!(told(relation).await, told("nonsense").await, "{allow:?}");
        let schema = reader
            .stream(pdpp_contract::schema::StreamRequest {
                stream: StreamName::new(stream).unwrap(),
                connection_id: None,
            })
            .await
            .unwrap();
        let offered = schema.iter().flat_map(|block| &block.expand_capabilities);
        assert!(offered.into_iter().all(|offer| offer.name != relation), "{allow:?}");
    }
    let reader = world.reader(&["work-mail"]).await;
    let mut changes = list("threads", "messages", None);
    changes.changes_since = Some("beginning".to_owned());
    assert_eq!(reader.list(changes).await.unwrap_err().code, ErrorCode::InvalidExpand);
}

#[tokio::test]
async fn a_full_answer_cuts_lists_short_and_says_so() {
    let world = World::new(75).await;
    let mut lines = Vec::new();
    let long = "x".repeat(7_000);
    for t in 0..90 {
        lines.push(thread(&format!("t{t:02}"), "T"));
        for m in 0..12 {
            let data =
                json!({"sent_at": "2026-02-01", "thread_id": format!("t{t:02}"), "subject": long});
            lines.push(message(&format!("m{t:02}-{m:02}"), data));
        }
    }
    let mut declaration = related();
    declaration["streams"][1]["query"]["expand"][0]["max_limit"] = json!(12);
    world.import("work-mail", &declaration, &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    let mut request = list("threads", "messages", Some(12));
    request.limit = Some(90);
    let page = reader.list(request).await.unwrap();
    let lists: Vec<_> = page.data.iter().map(many).collect();
    let total: usize = lists.iter().map(|(ids, _)| ids.len()).sum();
    assert!((500..=700).contains(&total), "{total} of 7 KB fill 4 MiB");
    assert!(lists.iter().all(|(ids, more)| ids.len() == 12 || *more), "what is missing is stated");
    assert!(page.meta.warnings.iter().any(|warning| warning.param.as_deref() == Some("expand")));
}
