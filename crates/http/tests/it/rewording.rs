//! No code reads a message: the engine's refusals in other words lead an agent to the same place.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::read_api::Source;
use pdpp_contract::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest};
use pdpp_contract::{ApiError, ReadApi};
use pdpp_engine::GrantedReader;
use pdpp_mcp::{CallContext, Tool};
use serde_json::{Map, Value, json};

use crate::world::World;

/// The same reads with every message replaced.
struct Reworded(GrantedReader);

fn reworded<T>(answer: Result<T, ApiError>) -> Result<T, ApiError> {
    answer.map_err(|error| ApiError { message: "x".to_owned(), ..error })
}

#[async_trait]
impl ReadApi for Reworded {
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        reworded(self.0.schema(request).await)
    }

    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        reworded(self.0.sources().await)
    }

    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError> {
        reworded(self.0.streams(request).await)
    }

    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        reworded(self.0.stream(request).await)
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        reworded(self.0.list(request).await)
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        reworded(self.0.record(request).await)
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        reworded(self.0.field_window(request).await)
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        reworded(self.0.search(request).await)
    }

    async fn blob(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        reworded(self.0.blob(request).await)
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        reworded(self.0.aggregate(request).await)
    }
}

/// The refusal of a call, without its message.
async fn refusal(context: &CallContext, tool: Tool, arguments: &Map<String, Value>) -> Value {
    let answer = tool.call(context, arguments.clone()).await;
    let refusal = answer.refusal.unwrap_or_else(|| panic!("{arguments:?}: {}", answer.text));
    let mut object = refusal.to_json();
    object.as_object_mut().unwrap().remove("message");
    object
}

#[tokio::test]
async fn other_words_for_every_refusal_change_nothing_but_the_words() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red"]).await;
    let access = world.auth.verify(&token).await.unwrap().into_agent().unwrap();
    let reader = world.engine.reader(&access);
    let handles = Arc::new(reader.clone());
    let plain = CallContext::new(Arc::new(reader.clone()), handles.clone());
    let other = CallContext::new(Arc::new(Reworded(reader)), handles);
    let blue = |more: Value| {
        let mut call = json!({"stream": "notes", "connection_id": "cin_blue"});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let id = "cin_blue/notes:blue-1";
    let (fields, nearest) = ("nearest_fields", "nearest_streams");
    for (tool, arguments, holds) in [
        (Tool::Search, json!({"query": "note", "streams": ["notes", "notez"]}), nearest),
        (Tool::Search, json!({"query": "note", "connection_id": "cin_x"}), "suggested_call"),
        (
            Tool::Search,
            json!({"query": "note", "streams": ["notes"], "filter": {"autor": "ada"}}),
            fields,
        ),
        (Tool::Search, json!({"query": "?!"}), "param"),
        (Tool::Search, json!({"query": "note", "cursor": "x"}), "param"),
        (Tool::QueryRecords, json!({"stream": "notez", "connection_id": "cin_blue"}), nearest),
        (Tool::QueryRecords, blue(json!({"fields": ["author", "sise", "texd"]})), fields),
        (Tool::QueryRecords, blue(json!({"filter": {"author": "a", "txt": "b"}})), fields),
        (Tool::QueryRecords, blue(json!({"sort": "text"})), "sortable_fields"),
        (Tool::QueryRecords, blue(json!({"cursor": "x"})), "param"),
        (Tool::QueryRecords, blue(json!({"filter": {"at": {"gte": "soon"}}})), "param"),
        (Tool::Aggregate, blue(json!({"metric": "sum", "field": "sise"})), fields),
        (Tool::Fetch, json!({"id": id, "fields": ["txet"]}), fields),
        (Tool::Fetch, json!({"id": "cin_blue/notes:none"}), "code"),
        (Tool::ReadRecordField, json!({"id": id, "field_path": "txet"}), fields),
        (
            Tool::ReadRecordField,
            json!({"id": id, "field_path": "text", "q": "absent"}),
            "retry_with",
        ),
        (Tool::Schema, json!({"stream": "notez"}), nearest),
        (Tool::Schema, json!({"stream": "notes", "connection_id": "cin_x"}), "suggested_call"),
    ] {
        let arguments = arguments.as_object().unwrap();
        let said = refusal(&plain, tool, arguments).await;
        assert!(said.get(holds).is_some(), "{arguments:?}: {said}");
        assert_eq!(refusal(&other, tool, arguments).await, said, "{arguments:?}");
    }
    let several = json!({"query": "note", "streams": ["notes", "notez"]});
    let said = Tool::Search.call(&other, several.as_object().unwrap().clone()).await;
    assert!(said.text.contains("no stream notez"), "{}", said.text);
}
