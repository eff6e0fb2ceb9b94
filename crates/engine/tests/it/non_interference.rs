//! Two stores that are equal inside a grant and different outside give identical answers.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort, StreamsRequest};
use pdpp_contract::schema::{SchemaDetail, SchemaRequest, StreamRequest};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, FieldName, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::transcripts;
use crate::world::{World, connection_id, mail, message, thread};

/// subject and size are visible, body is not; only the first quarter of 2026.
const GRANT: &[&str] = &[
    "work-mail/messages:id,sent_at,subject,size@2026-01-01..2026-04-01",
    "home-mail/messages:id,sent_at,subject@2026-01-01..2026-04-01",
];

fn visible(id: &str, day: u32, body: &str) -> Value {
    message(
        id,
        json!({
            "sent_at": format!("2026-02-{day:02}T09:00:00Z"), "subject": format!("subject {}", day % 3),
            "body": body, "size": i64::from(day) * 100,
        }),
    )
}

/// The plain store: nothing but what the grant shows, and one value for everything hidden.
async fn plain() -> World {
    let world = World::new(7).await;
    for name in ["work-mail", "home-mail"] {
        let lines: Vec<_> = (1..=20).map(|day| visible(&format!("m{day}"), day, "-")).collect();
        world.import(name, &mail(), &lines).await;
    }
    world
}

/// The busy store: the same inside the grant, everything else different.
async fn busy() -> World {
    let world = World::new(8).await;
    world
        .import(
            "secret-mail",
            &mail(),
            &[visible("m1", 1, "kept secret"), thread("t9", "kept secret")],
        )
        .await;
    for name in ["home-mail", "work-mail"] {
        let mut lines = vec![
            thread("t1", "a hidden stream"),
            message("m0", json!({"subject": "no time"})),
            message(
                "early",
                json!({"sent_at": "2025-12-31T23:59:59.999Z", "subject": "subject 1", "size": 1}),
            ),
            message(
                "late",
                json!({"sent_at": "2026-04-01T00:00:00Z", "subject": "subject 1", "size": 1}),
            ),
            message("gone", json!({"sent_at": "2026-02-10T09:00:00Z", "subject": "deleted later"})),
        ];
        let long = "a very long hidden body ".repeat(2_000);
        lines.extend((1..=20).rev().map(|day| visible(&format!("m{day}"), day, &long)));
        world.import(name, &mail(), &lines).await;
        // Changes in hidden fields only, sent at a later time.
        let mut revised: Vec<_> =
            (1..=20).step_by(3).map(|day| visible(&format!("m{day}"), day, "other")).collect();
        for line in &mut revised {
            line["emitted_at"] = json!("2026-11-09T00:00:00Z");
        }
        revised.push(json!({"type": "RECORD", "stream": "messages", "key": "gone", "op": "delete",
                            "emitted_at": "2026-11-09T00:00:00Z"}));
        world.import(name, &mail(), &revised).await;
    }
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_grant_hides_changes_no_answer() {
    let (plain, busy) = (plain().await, busy().await);
    let (a, b) = (plain.reader(GRANT).await, busy.reader(GRANT).await);
    let answers_a = masked(transcript(&a).await);
    let answers_b = masked(transcript(&b).await);
    assert!(answers_a.len() > 100, "the transcript is too short to mean anything");
    for (one, other) in answers_a.iter().zip(&answers_b) {
        assert_eq!(one, other);
    }
    assert_eq!(answers_a.len(), answers_b.len());
    let whole = answers_b.join("\n");
    assert!(whole.contains("subject 2"));
    for hidden in ["kept secret", "hidden", "2026-11-09", "deleted later", "no time"] {
        assert!(!whole.contains(hidden), "{hidden} shows");
    }
}

/// The comparison itself must be able to fail: a grant that shows the body tells the stores apart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wider_grant_tells_the_two_stores_apart() {
    let (plain, busy) = (plain().await, busy().await);
    for wide in ["work-mail/messages:id,sent_at,body@2026-01-01..2026-04-01", "work-mail/messages"]
    {
        let (a, b) = (plain.reader(&[wide]).await, busy.reader(&[wide]).await);
        assert_ne!(masked(transcript(&a).await), masked(transcript(&b).await), "{wide}");
    }
}

/// Every operation, good and bad input, as text. Cursors are followed.
pub(crate) async fn transcript(reader: &GrantedReader) -> Vec<String> {
    let mut out = Vec::new();
    discovery(reader, &mut out).await;
    for stream in ["messages", "threads", "nowhere"] {
        for connection in [None, Some("work-mail"), Some("secret-mail"), Some("never")] {
            for (sort, descending) in
                [(None, true), (Some("sent_at"), false), (Some("size"), true), (Some("body"), true)]
            {
                let mut request = ListRequest::new(StreamName::new(stream).unwrap());
                request.connection_id = connection.map(connection_id);
                request.sort = Some(Sort { field: sort.map(field), descending });
                request.limit = Some(7);
                request.count = CountKind::Exact;
                pages(reader, request, &mut out).await;
            }
        }
    }
    filters(reader, &mut out).await;
    single(reader, &mut out).await;
    searches(reader, &mut out).await;
    transcripts::changes(reader, &mut out).await;
    transcripts::handles(reader, &mut out).await;
    transcripts::aggregates(reader, &mut out).await;
    out
}

fn field(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

async fn discovery(reader: &GrantedReader, out: &mut Vec<String>) {
    for detail in [SchemaDetail::Compact, SchemaDetail::Full] {
        for stream in [None, Some("messages"), Some("threads"), Some("nowhere")] {
            for connection in [None, Some("work-mail"), Some("secret-mail"), Some("never")] {
                let request = SchemaRequest {
                    detail,
                    stream: stream.map(|name| StreamName::new(name).unwrap()),
                    connection_id: connection.map(connection_id),
                };
                show(out, reader.schema(request).await);
            }
        }
    }
    for connection in [None, Some("work-mail"), Some("secret-mail"), Some("never")] {
        let connection_id = connection.map(connection_id);
        show(out, reader.streams(StreamsRequest { connection_id }).await);
    }
    for stream in ["messages", "threads", "nowhere"] {
        let stream = StreamName::new(stream).unwrap();
        show(out, reader.stream(StreamRequest { stream, connection_id: None }).await);
    }
}

async fn pages(reader: &GrantedReader, mut request: ListRequest, out: &mut Vec<String>) {
    loop {
        let page = reader.list(request.clone()).await;
        let next = page.as_ref().ok().and_then(|page| page.next_cursor.clone());
        show(out, page);
        match next {
            Some(next) => request.cursor = Some(next),
            None => return,
        }
    }
}

async fn filters(reader: &GrantedReader, out: &mut Vec<String>) {
    for (name, value) in [
        ("subject", "subject 1"),
        ("size", "300"),
        ("body", "-"),
        ("nowhere", "1"),
        ("size", "many"),
        ("sent_at", "2026-02-10T10:00:00+01:00"),
    ] {
        let mut request = ListRequest::new(StreamName::new("messages").unwrap());
        request.filter =
            vec![Filter { field: field(name), test: FilterTest::Equals(value.to_owned()) }];
        request.count = CountKind::Estimated;
        pages(reader, request, out).await;
    }
    for fields in [&["subject"][..], &["body"], &["nowhere"], &["id", "size"]] {
        let mut request = ListRequest::new(StreamName::new("messages").unwrap());
        request.fields = Some(fields.iter().map(|name| field(name)).collect());
        pages(reader, request, out).await;
    }
}

async fn single(reader: &GrantedReader, out: &mut Vec<String>) {
    for id in ["m1", "m4", "m20", "m0", "early", "late", "gone", "never", "t1"] {
        for connection in [None, Some("work-mail"), Some("home-mail"), Some("secret-mail")] {
            let request = RecordRequest {
                stream: StreamName::new("messages").unwrap(),
                record_id: RecordId::new(id).unwrap(),
                connection_id: connection.map(connection_id),
                fields: None,
                preview_chars: Some(10),
                expand: Vec::new(),
            };
            match reader.record(request).await {
                Ok(detail) => {
                    out.push(format!("{} {}", detail.etag, detail.links.this));
                    show(out, Ok(detail.record));
                }
                Err(error) => show::<Value>(out, Err(error)),
            }
            for path in ["subject", "body", "/body/0", "nowhere", "sent_at", "size"] {
                let request = FieldWindowRequest {
                    stream: StreamName::new("messages").unwrap(),
                    record_id: RecordId::new(id).unwrap(),
                    connection_id: connection.map(connection_id),
                    field_path: path.to_owned(),
                    selector: WindowSelector::Match {
                        q: "BODY".to_owned(),
                        before_chars: None,
                        after_chars: None,
                    },
                    limit_chars: Some(5),
                };
                show(out, reader.field_window(request.clone()).await);
                let request = FieldWindowRequest { selector: WindowSelector::Offset(1), ..request };
                show(out, reader.field_window(request).await);
            }
        }
    }
}

async fn searches(reader: &GrantedReader, out: &mut Vec<String>) {
    for q in [
        "subject",
        "subject 1",
        "which subject 1 or 2 has the long hidden body?",
        "hidden",
        "\"subject 2\"",
        "sub*",
        "long body",
        "the",
        "?",
        "m1",
    ] {
        for streams in [&[][..], &["messages"], &["threads"], &["nowhere"]] {
            for connection in [None, Some("work-mail"), Some("secret-mail")] {
                let mut request = SearchRequest {
                    q: q.to_owned(),
                    streams: streams.iter().map(|name| StreamName::new(*name).unwrap()).collect(),
                    connection_id: connection.map(connection_id),
                    limit: Some(7),
                    cursor: None,
                    filter: Vec::new(),
                };
                loop {
                    let page = reader.search(request.clone()).await;
                    let next = page.as_ref().ok().and_then(|page| page.next_cursor.clone());
                    show(out, page);
                    match next {
                        Some(next) => request.cursor = Some(next),
                        None => break,
                    }
                }
            }
        }
    }
}

/// An answer as text, with its cursors as they are.
pub(crate) fn show<T: serde::Serialize>(out: &mut Vec<String>, answer: Result<T, ApiError>) {
    out.push(match answer {
        Ok(answer) => serde_json::to_string(&answer).unwrap(),
        Err(error) => serde_json::to_string(&error).unwrap(),
    });
}

/// Answers of two stores made comparable: opaque texts are replaced by their length. Grant ids differ
/// between any two packages, so they are left out.
pub(crate) fn masked(answers: Vec<String>) -> Vec<String> {
    let mask = |text: String| match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            opaque(&mut value);
            value.to_string()
        }
        Err(_) => text,
    };
    answers.into_iter().map(mask).collect()
}

fn opaque(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("grant_id");
            for (name, member) in members.iter_mut() {
                let is_cursor = name.ends_with("_cursor")
                    || name == "next_changes_since"
                    || name == "handle"
                    || name == "next"
                    || name == "self";
                match member {
                    Value::String(text) if is_cursor => {
                        *text = format!("{} characters", text.len());
                    }
                    other => opaque(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(opaque),
        _ => {}
    }
}
