//! Handles: short names for records and windows, opened inside the caller's own view.

use pdpp_contract::handles::{FieldWindowRef, Handle, HandleKind, Handles, RecordRef};
use pdpp_contract::query::ListRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ErrorCode, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::json;

use crate::world::{World, mail, message};

async fn world() -> World {
    let world = World::new(11).await;
    let body = "all work and no play, ".repeat(3_000);
    let lines = [
        message("m1", json!({"sent_at": "2026-02-01", "subject": "s", "body": body})),
        message(
            &"k".repeat(500),
            json!({"sent_at": "2026-02-02", "subject": "t", "body": "short"}),
        ),
    ];
    let report = world.import("work-mail", &mail(), &lines).await;
    assert_eq!(report.added, 2, "{report:?}");
    world
}

async fn records(reader: &GrantedReader) -> Vec<RecordRef> {
    let mut request = ListRequest::new(StreamName::new("messages").unwrap());
    request.preview_chars = Some(100);
    let page = reader.list(request).await.unwrap();
    let named = |record: pdpp_contract::record::Record| RecordRef {
        connection_id: record.connection_id,
        stream: record.stream,
        record_id: record.id,
        number: record.number,
    };
    page.data.into_iter().map(named).collect()
}

fn window(record: &RecordRef) -> FieldWindowRef {
    FieldWindowRef {
        record: record.clone(),
        field_path: "body".to_owned(),
        start_chars: 100,
        limit_chars: 50,
        content: None,
        of_bytes: false,
    }
}

#[tokio::test]
async fn a_handle_is_short_and_leads_back_to_its_record() {
    let world = world().await;
    let reader = world.reader(&["work-mail"]).await;
    let mut lengths = Vec::new();
    for record in records(&reader).await {
        let text = reader.seal(&Handle::Record(record.clone())).unwrap();
        assert!("pdpp://record/".len() + text.len() <= 160, "{} characters", text.len());
        lengths.push(text.len());
        assert_eq!(
            reader.open(HandleKind::Record, &text).await.unwrap(),
            Handle::Record(record.clone())
        );
        let text = reader.seal(&Handle::FieldWindow(window(&record))).unwrap();
        assert!("pdpp://field-window/".len() + text.len() <= 480, "{} characters", text.len());
        let opened = reader.open(HandleKind::FieldWindow, &text).await.unwrap();
        assert_eq!(opened, Handle::FieldWindow(window(&record)));
    }
    assert_eq!(lengths[0], lengths[1], "the length tells nothing about the key");
}

#[tokio::test]
async fn a_handle_opens_only_as_its_kind_and_only_in_view() {
    let world = world().await;
    let reader = world.reader(&["work-mail"]).await;
    let record = records(&reader).await.remove(0);
    let text = reader.seal(&Handle::Record(record)).unwrap();
    for (kind, text) in [
        (HandleKind::FieldWindow, text.as_str()),
        (HandleKind::Record, "AAAA"),
        (HandleKind::Cursor, &text),
    ] {
        let refused = reader.open(kind, text).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidCursor);
    }
    let elsewhere = world.reader(&["work-mail/messages:subject@2030-01-01.."]).await;
    let hidden = elsewhere.open(HandleKind::Record, &text).await.unwrap_err();
    assert_eq!(hidden.code, ErrorCode::NotFound, "what is hidden looks like what does not exist");
}

#[tokio::test]
async fn a_ladder_s_cursor_opens_where_the_preview_ends() {
    let world = world().await;
    let reader = world.reader(&["work-mail"]).await;
    let mut request = ListRequest::new(StreamName::new("messages").unwrap());
    request.preview_chars = Some(100);
    let page = reader.list(request).await.unwrap();
    let long = page.data.iter().find(|record| record.id.as_str() == "m1").unwrap();
    let digest = long.previews[0].digest.clone().unwrap();
    let record = records(&reader)
        .await
        .into_iter()
        .find(|record| record.record_id.as_str() == "m1")
        .unwrap();
    let cursor = reader.window_cursor(&window(&record), &digest).unwrap();
    let read = FieldWindowRequest {
        stream: record.stream,
        record_id: record.record_id,
        connection_id: None,
        field_path: "body".to_owned(),
        selector: WindowSelector::Cursor(cursor),
        limit_chars: None,
    };
    let answer = reader.field_window(read).await.unwrap();
    assert_eq!((answer.window.start_chars, answer.window.end_chars), (100, 150));
    assert_eq!(answer.field.digest, Some(digest));
}

#[tokio::test]
async fn the_connections_in_view_are_those_that_the_schema_names() {
    let world = world().await;
    world.import("home-mail", &mail(), &[message("h1", json!({"sent_at": "2026-02-01"}))]).await;
    let reader = world.reader(&["work-mail/messages", "home-mail"]).await;
    let sources = reader.sources().await.unwrap();
    let schema = reader.schema(pdpp_contract::schema::SchemaRequest::default()).await.unwrap();
    for source in &sources {
        let carries = |name: &StreamName| {
            schema.connectors.iter().flat_map(|connector| &connector.streams).any(|stream| {
                stream.name == *name
                    && stream
                        .granted_connections
                        .iter()
                        .any(|granted| granted.connection_id == source.connection.connection_id)
            })
        };
        assert!(source.streams.iter().all(carries), "{source:?}");
        assert!(source.connection.grant_id.is_some());
    }
    assert_eq!(sources.len(), 2);
}
