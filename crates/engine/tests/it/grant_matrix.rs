//! Every subset of connections, streams, fields and time edges, each operation compared with the
//! oracle.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort, StreamsRequest};
use pdpp_contract::schema::{SchemaDetail, SchemaRequest, StreamRequest};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ErrorCode, FieldName, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::Value;

use crate::matrix_more;
use crate::oracle::{Allowed, Sent, records};
use crate::world::{World, connection_id, mail};

const MESSAGE_FIELDS: [&str; 4] = ["sent_at", "subject", "body", "size"];
/// None, each edge of a record's time as either bound, and a window that holds one instant only.
const WINDOWS: [(Option<&str>, Option<&str>); 6] = [
    (None, None),
    (Some("2026-02-01T00:00:00Z"), None),
    (None, Some("2026-02-01T00:00:00Z")),
    (Some("2026-01-01"), Some("2026-02-01T00:00:01Z")),
    (Some("2026-02-01T00:00:00Z"), Some("2026-02-01T00:00:00.000000001Z")),
    (Some("2027-01-01"), None),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_grant_shows_exactly_what_the_oracle_says() {
    let world = World::new(1).await;
    let all = records();
    for connection in ["work-mail", "home-mail"] {
        let own = all.iter().filter(|record| record.connection == connection);
        let report =
            world.import(connection, &mail(), &own.map(Sent::line).collect::<Vec<_>>()).await;
        assert_eq!(report.rejected, 0, "{report:?}");
    }
    let mut grants = 0;
    for allowed in every_grant() {
        let specs = allowed.specs();
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let reader = world.reader(&specs).await;
        check_lists(&reader, &allowed, &all).await;
        check_filters(&reader, &allowed, &all).await;
        check_records(&reader, &allowed, &all).await;
        check_windows(&reader, &allowed, &all).await;
        check_discovery(&reader, &allowed, &all).await;
        matrix_more::check_changes(&reader, &allowed, &all).await;
        matrix_more::check_aggregates(&reader, &allowed, &all).await;
        grants += 1;
    }
    assert_eq!(grants, 3 * (16 * 6 + 2 + 16 * 6 * 2), "the matrix lost some grants");
}

fn every_grant() -> Vec<Allowed> {
    let mut grants = Vec::new();
    for connections in [vec!["work-mail"], vec!["home-mail"], vec!["home-mail", "work-mail"]] {
        for threads in [None, Some(vec!["id"]), Some(vec!["id", "title"])] {
            for subset in 0..=(1 << MESSAGE_FIELDS.len()) {
                // One past the last subset stands for: no messages at all.
                let with_messages = subset < 1 << MESSAGE_FIELDS.len();
                if !with_messages && threads.is_none() {
                    continue;
                }
                let messages = with_messages.then(|| {
                    let chosen = MESSAGE_FIELDS.iter().enumerate();
                    let chosen = chosen.filter(|(at, _)| subset & (1 << at) != 0);
                    std::iter::once("id").chain(chosen.map(|(_, field)| *field)).collect()
                });
                for (since, until) in WINDOWS.iter().take(if with_messages { 6 } else { 1 }) {
                    grants.push(Allowed {
                        connections: connections.clone(),
                        messages: messages.clone(),
                        threads: threads.clone(),
                        since: *since,
                        until: *until,
                    });
                }
            }
        }
    }
    grants
}

fn stream(name: &str) -> StreamName {
    StreamName::new(name).unwrap()
}

async fn check_lists(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    for (name, sorts) in
        [("messages", &[None, Some("sent_at"), Some("size")][..]), ("threads", &[None])]
    {
        for sort in sorts {
            for descending in [false, true] {
                check_list(reader, allowed, all, name, (*sort, descending)).await;
            }
        }
    }
}

async fn check_list(
    reader: &GrantedReader,
    allowed: &Allowed,
    all: &[Sent],
    name: &str,
    (sort, descending): (Option<&str>, bool),
) {
    let mut request = ListRequest::new(stream(name));
    request.sort = Some(Sort { field: sort.map(|f| FieldName::new(f).unwrap()), descending });
    request.limit = Some(2);
    request.count = CountKind::Exact;
    let Some(fields) = allowed.fields(name) else {
        let error = reader.list(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::GrantStreamNotAllowed, "{allowed:?}");
        return;
    };
    if sort.is_some_and(|field| !fields.contains(&field)) {
        assert_eq!(reader.list(request).await.unwrap_err().code, ErrorCode::InvalidSort);
        return;
    }
    let expected = allowed.list(all, name, sort, descending);
    let mut seen: Vec<(String, String, Value)> = Vec::new();
    loop {
        let page = reader.list(request.clone()).await.unwrap();
        let count = u64::try_from(expected.len()).unwrap();
        assert_eq!(page.meta.count.value, Some(count), "{allowed:?}");
        for record in page.data {
            let data = serde_json::to_value(record.data.unwrap()).unwrap();
            seen.push((record.connection_id.to_string(), record.id.to_string(), data));
        }
        assert_eq!(page.has_more, page.next_cursor.is_some());
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => break,
        }
    }
    let expected: Vec<_> = expected
        .into_iter()
        .map(|record| {
            let connection = connection_id(record.connection).to_string();
            (connection, record.id().to_owned(), allowed.project(record))
        })
        .collect();
    assert_eq!(seen, expected, "{allowed:?} {name} {sort:?} {descending}");
}

async fn check_filters(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    let name = "messages";
    let Some(fields) = allowed.fields(name) else { return };
    for (field, value) in
        [("subject", "a"), ("body", "body of m1"), ("size", "9"), ("nowhere", "x")]
    {
        let mut request = ListRequest::new(stream(name));
        let test = FilterTest::Equals(value.to_owned());
        request.filter = vec![Filter { field: FieldName::new(field).unwrap(), test }];
        request.count = CountKind::Exact;
        let answer = reader.list(request).await;
        if !fields.contains(&field) {
            assert_eq!(answer.unwrap_err().code, ErrorCode::FieldNotGranted, "{field} {allowed:?}");
            continue;
        }
        // The body of a message may be structured, so it takes no filter at all.
        if field == "body" {
            assert_eq!(answer.unwrap_err().code, ErrorCode::InvalidFilter);
            continue;
        }
        let expected = allowed.list(all, name, None, true).into_iter().filter(|record| {
            let own = &record.data[field];
            own.as_str() == Some(value) || own.as_i64().is_some_and(|n| n.to_string() == value)
        });
        let expected: Vec<_> = expected.map(Sent::id).collect();
        let page = answer.unwrap();
        let seen: Vec<_> = page.data.iter().map(|record| record.id.as_str()).collect();
        assert_eq!(seen, expected, "{field} {allowed:?}");
        assert_eq!(page.meta.count.value, u64::try_from(expected.len()).ok());
    }
}

async fn check_records(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    for record in all {
        let request = RecordRequest {
            stream: stream(record.stream),
            record_id: RecordId::new(record.id()).unwrap(),
            connection_id: Some(connection_id(record.connection)),
            fields: None,
            preview_chars: None,
            expand: Vec::new(),
        };
        let answer = reader.record(request).await;
        match answer {
            Ok(detail) => {
                assert!(allowed.shows(record), "{allowed:?} showed {}", record.id());
                let data = serde_json::to_value(detail.record.data.unwrap()).unwrap();
                assert_eq!(data, allowed.project(record));
            }
            Err(error) => {
                assert!(!allowed.shows(record), "{allowed:?} hid {}: {error}", record.id());
                let expected = if !allowed.connections.contains(&record.connection) {
                    ErrorCode::ConnectionNotFound
                } else if allowed.fields(record.stream).is_none() {
                    ErrorCode::GrantStreamNotAllowed
                } else {
                    ErrorCode::NotFound
                };
                assert_eq!(error.code, expected);
            }
        }
    }
}

async fn check_windows(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    for record in all.iter().filter(|record| record.stream == "messages") {
        for field in ["body", "subject", "sent_at", "size", "nowhere"] {
            let request = FieldWindowRequest {
                stream: stream("messages"),
                record_id: RecordId::new(record.id()).unwrap(),
                connection_id: Some(connection_id(record.connection)),
                field_path: field.to_owned(),
                selector: WindowSelector::Offset(0),
                limit_chars: None,
            };
            let answer = reader.field_window(request).await;
            let in_view = allowed.connections.contains(&record.connection);
            let granted = allowed.messages.as_ref().map(|fields| fields.contains(&field));
            let expected = match (in_view, granted) {
                (false, _) => Err(ErrorCode::ConnectionNotFound),
                (true, None) => Err(ErrorCode::GrantStreamNotAllowed),
                (true, Some(false)) => Err(ErrorCode::FieldNotGranted),
                (true, Some(true)) if !allowed.shows(record) => Err(ErrorCode::NotFound),
                (true, Some(true)) => match &record.data[field] {
                    Value::String(text) => Ok(text.clone()),
                    _ => Err(ErrorCode::FieldNotText),
                },
            };
            let answer = answer.map(|found| found.window.text).map_err(|error| error.code);
            assert_eq!(answer, expected, "{allowed:?} {} {field}", record.id());
        }
    }
}

async fn check_discovery(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    let streams = reader.streams(StreamsRequest::default()).await.unwrap();
    let seen: Vec<_> = streams
        .data
        .iter()
        .map(|row| (row.name.to_string(), row.connection_id.to_string(), row.record_count))
        .collect();
    let mut expected = Vec::new();
    for name in ["messages", "threads"] {
        for connection in allowed.connections.iter().filter(|_| allowed.fields(name).is_some()) {
            let own = all.iter().filter(|record| {
                record.stream == name && record.connection == *connection && allowed.shows(record)
            });
            let count = u64::try_from(own.count()).unwrap();
            expected.push((name.to_owned(), connection_id(connection).to_string(), count));
        }
    }
    expected.sort();
    assert_eq!(seen, expected, "{allowed:?}");

    let schema = reader.schema(SchemaRequest::default()).await.unwrap();
    let mut texts = vec![serde_json::to_string(&schema).unwrap()];
    // In full detail the JSON Schema of the stream is part of the answer.
    for connection in allowed.connections.iter().filter(|_| allowed.messages.is_some()) {
        let (stream, connection_id) = (stream("messages"), Some(connection_id(connection)));
        let detail = SchemaDetail::Full;
        let request = SchemaRequest {
            detail,
            stream: Some(stream.clone()),
            connection_id: connection_id.clone(),
        };
        texts.push(serde_json::to_string(&reader.schema(request).await.unwrap()).unwrap());
        let request = StreamRequest { stream, connection_id };
        texts.push(serde_json::to_string(&reader.stream(request).await.unwrap()).unwrap());
    }
    for (field, text) in
        MESSAGE_FIELDS.iter().flat_map(|field| texts.iter().map(move |t| (field, t)))
    {
        let granted = allowed.messages.as_ref().is_some_and(|fields| fields.contains(field));
        assert_eq!(text.contains(&format!("\"{field}\"")), granted, "{field} {allowed:?} {text}");
    }
}
