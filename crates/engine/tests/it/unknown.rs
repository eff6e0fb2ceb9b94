//! What a grant hides is answered, word for word, like what does not exist.

use pdpp_contract::aggregate::{AggregateRequest, Grouping, Metric};
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort};
use pdpp_contract::schema::{SchemaDetail, SchemaRequest, StreamRequest};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, FieldName, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message, thread};

fn field(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

fn stream(name: &str) -> StreamName {
    StreamName::new(name).unwrap()
}

async fn world() -> World {
    let world = World::new(61).await;
    let data = json!({"sent_at": "2026-02-01T09:00:00Z", "subject": "s", "body": "b", "size": 7});
    let mut declaration = mail();
    declaration["streams"][0]["views"] = json!([
        {"id": "heads", "label": "Heads", "fields": ["id", "sent_at", "subject"]},
        {"id": "weights", "label": "Weights", "fields": ["id", "subject", "size"]},
    ]);
    let lines = [message("m1", data), thread("t1", "a thread")];
    let report = world.import("work-mail", &declaration, &lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
    world
}

/// A refusal with the name that was asked for taken out.
fn refused<T: std::fmt::Debug>(answer: Result<T, ApiError>, name: &str) -> String {
    let error = answer.expect_err(name);
    serde_json::to_string(&error).unwrap().replace(name, "NAME")
}

/// Every way to name a field, each refused.
async fn about_field(reader: &GrantedReader, name: &str) -> Vec<String> {
    let mut said = Vec::new();
    let list = ListRequest::new(stream("messages"));
    let mut asked = list.clone();
    asked.fields = Some(vec![field(name)]);
    said.push(refused(reader.list(asked.clone()).await, name));
    asked.changes_since = Some("beginning".to_owned());
    said.push(refused(reader.list(asked).await, name));
    let mut sorted = list.clone();
    sorted.sort = Some(Sort { field: Some(field(name)), descending: true });
    said.push(refused(reader.list(sorted).await, name));
    let filter = vec![Filter { field: field(name), test: FilterTest::Equals("7".to_owned()) }];
    let mut filtered = list;
    filtered.filter = filter.clone();
    said.push(refused(reader.list(filtered.clone()).await, name));
    filtered.changes_since = Some("beginning".to_owned());
    said.push(refused(reader.list(filtered).await, name));
    let search = SearchRequest {
        q: "s".to_owned(),
        streams: vec![stream("messages")],
        connection_id: None,
        limit: None,
        cursor: None,
        filter: filter.clone(),
    };
    said.push(refused(reader.search(search).await, name));
    let record = RecordRequest {
        stream: stream("messages"),
        record_id: RecordId::new("m1").unwrap(),
        connection_id: None,
        fields: Some(vec![field(name)]),
        preview_chars: None,
        expand: Vec::new(),
    };
    said.push(refused(reader.record(record).await, name));
    let window = FieldWindowRequest {
        stream: stream("messages"),
        record_id: RecordId::new("m1").unwrap(),
        connection_id: None,
        field_path: name.to_owned(),
        selector: WindowSelector::Offset(0),
        limit_chars: None,
    };
    said.push(refused(reader.field_window(window).await, name));
    said.extend(aggregates(reader, name, filter).await);
    said
}

/// The same for aggregates.
async fn aggregates(reader: &GrantedReader, name: &str, filter: Vec<Filter>) -> Vec<String> {
    let mut said = Vec::new();
    let aggregate = |metric, field: Option<FieldName>, grouping, filter| AggregateRequest {
        stream: stream("messages"),
        metric,
        field,
        grouping,
        limit: None,
        cursor: None,
        filter,
        connection_id: None,
    };
    for request in [
        aggregate(Metric::Sum, Some(field(name)), Grouping::default(), Vec::new()),
        aggregate(Metric::Count, None, Grouping::by(field(name)), Vec::new()),
        aggregate(Metric::Count, None, Grouping::default(), filter),
    ] {
        said.push(refused(reader.aggregate(request).await, name));
    }
    said
}

/// Every way to name a stream, each refused.
async fn about_stream(reader: &GrantedReader, name: &str) -> Vec<String> {
    let mut said = vec![refused(reader.list(ListRequest::new(stream(name))).await, name)];
    let mut changes = ListRequest::new(stream(name));
    changes.changes_since = Some("beginning".to_owned());
    said.push(refused(reader.list(changes).await, name));
    let request = StreamRequest { stream: stream(name), connection_id: None };
    said.push(refused(reader.stream(request).await, name));
    for detail in [SchemaDetail::Compact, SchemaDetail::Full] {
        let request = SchemaRequest { detail, stream: Some(stream(name)), connection_id: None };
        said.push(refused(reader.schema(request).await, name));
    }
    let search = SearchRequest {
        q: "a".to_owned(),
        streams: vec![stream(name)],
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    };
    said.push(refused(reader.search(search).await, name));
    let record = RecordRequest {
        stream: stream(name),
        record_id: RecordId::new("t1").unwrap(),
        connection_id: None,
        fields: None,
        preview_chars: None,
        expand: Vec::new(),
    };
    said.push(refused(reader.record(record).await, name));
    said
}

#[tokio::test]
async fn a_hidden_field_is_refused_in_the_words_for_an_unknown_one() {
    let world = world().await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject"]).await;
    let unknown = about_field(&reader, "wize").await;
    assert_eq!(unknown.len(), 11);
    assert_eq!(about_field(&reader, "size").await, unknown);
}

#[tokio::test]
async fn a_hidden_stream_is_refused_in_the_words_for_an_unknown_one() {
    let world = world().await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject"]).await;
    let unknown = about_stream(&reader, "thweads").await;
    assert_eq!(about_stream(&reader, "threads").await, unknown);
}

#[tokio::test]
async fn a_view_with_a_hidden_field_is_an_unknown_view() {
    let world = world().await;
    let views = async |grant: &str| {
        let reader = world.reader(&[grant]).await;
        let request = StreamRequest { stream: stream("messages"), connection_id: None };
        let detail = reader.stream(request).await.unwrap();
        let views: Vec<Value> =
            detail[0].views.iter().map(|view| serde_json::to_value(view).unwrap()).collect();
        views.iter().map(|view| view["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(views("work-mail/messages").await, ["heads", "weights"]);
    assert_eq!(views("work-mail/messages:id,sent_at,subject").await, ["heads"]);
}
