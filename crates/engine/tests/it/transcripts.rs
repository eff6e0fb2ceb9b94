//! Parts of the non-interference transcript: changes, aggregates and handles.

use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_contract::handles::{FieldWindowRef, Handle, HandleKind, Handles, RecordRef, StreamRef};
use pdpp_contract::query::{Filter, FilterTest, ListRequest};
use pdpp_contract::{FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::json;

use crate::non_interference::show;
use crate::world::connection_id;

fn field(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

/// Sessions from the beginning and on from their bookmarks.
///
/// The two stores took their records in different order, which a feed shows rightly; so the records
/// of a session are compared as a set, its pages by their number and the lengths of their texts.
pub async fn changes(reader: &GrantedReader, out: &mut Vec<String>) {
    for stream in ["messages", "threads", "nowhere"] {
        for connection in [None, Some("work-mail"), Some("secret-mail"), Some("never")] {
            let mut request = ListRequest::new(StreamName::new(stream).unwrap());
            request.connection_id = connection.map(connection_id);
            request.limit = Some(7);
            session(reader, request, out).await;
        }
    }
    for (name, value) in [("subject", "subject 1"), ("size", "300"), ("body", "-"), ("no", "1")] {
        let mut request = ListRequest::new(StreamName::new("messages").unwrap());
        let test = FilterTest::Equals(value.to_owned());
        request.filter = vec![Filter { field: field(name), test }];
        session(reader, request.clone(), out).await;
        request.fields = Some(vec![field(name)]);
        session(reader, request, out).await;
    }
}

async fn session(reader: &GrantedReader, question: ListRequest, out: &mut Vec<String>) {
    let mut records = Vec::new();
    let mut request = question.clone();
    request.changes_since = Some("beginning".to_owned());
    loop {
        let page = match reader.list(request.clone()).await {
            Ok(page) => page,
            Err(error) => return show::<()>(out, Err(error)),
        };
        out.push(format!("{} {:?}", page.data.len(), page.meta));
        records.extend(page.data.iter().map(|record| serde_json::to_string(record).unwrap()));
        request = question.clone();
        if let Some(cursor) = page.next_cursor {
            out.push(json!({"next_cursor": cursor}).to_string());
            request.cursor = Some(cursor);
        } else {
            let bookmark = page.next_changes_since.unwrap();
            out.push(json!({"next_changes_since": bookmark}).to_string());
            request.changes_since = Some(bookmark.clone());
            let later = reader.list(request).await.unwrap();
            out.push(format!("then {} and {}", later.data.len(), later.has_more));
            assert_eq!(later.next_changes_since, Some(bookmark), "an empty page moves nothing");
            break;
        }
    }
    records.sort();
    out.extend(records);
}

/// Every metric and grouping over fields that are granted, hidden and unknown.
pub async fn aggregates(reader: &GrantedReader, out: &mut Vec<String>) {
    for stream in ["messages", "threads", "nowhere"] {
        for connection in [None, Some("work-mail"), Some("secret-mail"), Some("never")] {
            for request in requests(stream) {
                let connection_id = connection.map(connection_id);
                show(out, reader.aggregate(AggregateRequest { connection_id, ..request }).await);
            }
        }
    }
}

fn requests(stream: &str) -> Vec<AggregateRequest> {
    let ask = |metric, field: Option<FieldName>, grouping| AggregateRequest {
        stream: StreamName::new(stream).unwrap(),
        metric,
        field,
        grouping,
        limit: None,
        cursor: None,
        filter: Vec::new(),
        connection_id: None,
    };
    let mut requests = vec![ask(Metric::Count, None, Grouping::default())];
    for name in ["subject", "size", "sent_at", "body", "id", "nowhere"] {
        for metric in Metric::ALL {
            requests.push(ask(metric, Some(field(name)), Grouping::default()));
        }
        requests.push(ask(Metric::Count, None, Grouping::by(field(name))));
        for granularity in Granularity::ALL {
            let time_zone = Some("Europe/Berlin".to_owned());
            let grouping =
                Grouping::per(TimeGrouping { field: field(name), granularity, time_zone });
            requests.push(ask(Metric::Count, None, grouping));
        }
        let month = TimeGrouping {
            field: field("sent_at"),
            granularity: Granularity::Month,
            time_zone: None,
        };
        let both = Grouping { field: Some(field(name)), time: Some(month) };
        requests.push(ask(Metric::Count, None, both.clone()));
        for metric in [Metric::Sum, Metric::Avg, Metric::Max, Metric::CountDistinct] {
            requests.push(ask(metric, Some(field("size")), Grouping::by(field(name))));
            requests.push(ask(metric, Some(field(name)), both.clone()));
        }
        let mut filtered = ask(Metric::Count, None, Grouping::by(field("subject")));
        filtered.limit = Some(2);
        let test = FilterTest::Equals("subject 1".to_owned());
        filtered.filter = vec![Filter { field: field(name), test }];
        requests.push(filtered);
    }
    requests
}

/// Handles of records, streams and ranges of fields, sealed and opened again.
pub async fn handles(reader: &GrantedReader, out: &mut Vec<String>) {
    let mut request = ListRequest::new(StreamName::new("messages").unwrap());
    request.limit = Some(10);
    for record in reader.list(request).await.unwrap().data {
        let own = RecordRef {
            connection_id: record.connection_id.clone(),
            stream: record.stream.clone(),
            record_id: record.id.clone(),
            number: record.number,
        };
        let range = FieldWindowRef {
            record: own.clone(),
            field_path: "subject".to_owned(),
            start_chars: 3,
            limit_chars: 5,
            content: None,
            of_bytes: false,
        };
        let digest = format!("sha256:{}", "ab".repeat(32));
        let cursor = Handles::window_cursor(reader, &range, &digest);
        out.push(json!({"handle": cursor}).to_string());
        let stream = StreamRef { connection_id: record.connection_id, stream: record.stream };
        for (kind, handle) in [
            (HandleKind::Record, Handle::Record(own)),
            (HandleKind::FieldWindow, Handle::FieldWindow(range)),
            (HandleKind::Stream, Handle::Stream(stream)),
        ] {
            let sealed = Handles::seal(reader, &handle).unwrap();
            let opened = match Handles::open(reader, kind, &sealed).await {
                Ok(opened) => opened == handle,
                Err(_) => false,
            };
            out.push(json!({"handle": sealed, "opens": opened}).to_string());
        }
    }
}
