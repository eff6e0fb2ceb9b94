//! The provider's state and its answers about sources and schema.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::expand::ExpandCapability;
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::read_api::Source;
use pdpp_contract::record::Record;
use pdpp_contract::schema::{
    Bearer, ConnectorTag, GrantedConnection, SchemaConnector, SchemaDetail, SchemaDocument,
    SchemaRequest, SchemaTag, StreamMetadata, StreamMetadataTag, StreamRequest,
};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest};
use pdpp_contract::{ApiError, ErrorCode, FieldName, ReadApi, StreamName};

use super::{reading, windows};

/// What the provider holds.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a way in which servers differ")]
pub struct Provider {
    pub sources: Vec<Source>,
    /// Fields of every stream, with their capabilities.
    pub fields: BTreeMap<FieldName, pdpp_contract::schema::FieldCapabilities>,
    pub properties: serde_json::Map<String, serde_json::Value>,
    pub records: Mutex<Vec<Record>>,
    pub calls: Mutex<Vec<&'static str>>,
    /// What the source says about each of its streams.
    pub description: Option<String>,
    /// No field windows, as an older server.
    pub without_windows: bool,
    /// No cursors and digests in windows, as an older server.
    pub without_cursors: bool,
    /// Snippets are as long as this.
    pub snippet_chars: usize,
    /// Not every match was ranked.
    pub capped: bool,
    /// Every field is granted, whatever it is called.
    pub any_field: bool,
    /// Search brings a cursor for each hit, as the engine does in this process.
    pub cursor_per_hit: bool,
    /// What cursors end with.
    pub cursor_tail: String,
    /// Relations of every stream.
    pub relations: Vec<ExpandCapability>,
}

impl Provider {
    pub fn calls(&self) -> Vec<&'static str> {
        self.calls.lock().unwrap().clone()
    }

    pub fn note(&self, call: &'static str) {
        self.calls.lock().unwrap().push(call);
    }

    /// Replaces a field's text in every record that has this id.
    pub fn change(&self, id: &str, field: &str, text: &str) {
        for record in
            self.records.lock().unwrap().iter_mut().filter(|record| record.id.as_str() == id)
        {
            let value = pdpp_contract::Json::String(text.to_owned());
            record.data.as_mut().unwrap().insert(field.to_owned(), value);
        }
    }

    pub fn check(
        &self,
        stream: &StreamName,
        connection: Option<&pdpp_contract::ConnectionId>,
    ) -> Result<(), ApiError> {
        let known =
            |source: &&Source| connection.is_none_or(|id| source.connection.connection_id == *id);
        let mut sources = self.sources.iter().filter(known).peekable();
        if sources.peek().is_none() {
            return Err(ApiError::new(ErrorCode::ConnectionNotFound, "no such connection")
                .param("connection_id"));
        }
        if !sources.any(|source| source.streams.contains(stream)) {
            return Err(
                ApiError::new(ErrorCode::GrantStreamNotAllowed, "no such stream").param("stream")
            );
        }
        Ok(())
    }

    pub fn check_field(&self, field: &str, param: &str) -> Result<(), ApiError> {
        if self.any_field || self.fields.contains_key(field) {
            return Ok(());
        }
        let message = format!("this grant includes no field {field:?} of this stream");
        Err(ApiError::new(ErrorCode::FieldNotGranted, message).param(param))
    }

    fn metadata(
        &self,
        name: &StreamName,
        connections: Vec<GrantedConnection>,
        full: bool,
    ) -> StreamMetadata {
        let schema = serde_json::json!({
            "type": "object",
            "properties": self.properties,
            "required": ["id"],
            "$defs": {"address": {"type": "string", "minLength": 3}},
        });
        StreamMetadata {
            object: StreamMetadataTag::StreamMetadata,
            name: name.clone(),
            granted_connections: connections,
            description: self.description.clone().or_else(|| Some("What people wrote.".to_owned())),
            schema: full.then_some(schema),
            primary_key: vec!["id".parse().unwrap()],
            cursor_field: self.fields.keys().find(|name| name.as_str() == "sent_at").cloned(),
            consent_time_field: None,
            selection: serde_json::from_value(
                serde_json::json!({"fields": true, "resources": false}),
            )
            .unwrap(),
            field_capabilities: self.fields.clone(),
            count: true,
            relationships: Vec::new(),
            expand_capabilities: self.relations.clone(),
            views: Vec::new(),
            freshness: None,
        }
    }
}

#[async_trait]
impl ReadApi for Provider {
    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        self.note("sources");
        Ok(self.sources.clone())
    }

    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        self.note("schema");
        if let Some(stream) = &request.stream {
            self.check(stream, request.connection_id.as_ref())?;
        }
        let full = request.detail == SchemaDetail::Full;
        let mut groups: BTreeMap<_, BTreeMap<StreamName, Vec<GrantedConnection>>> = BTreeMap::new();
        for source in &self.sources {
            let connection = &source.connection;
            if request.connection_id.as_ref().is_some_and(|id| *id != connection.connection_id) {
                continue;
            }
            for stream in source
                .streams
                .iter()
                .filter(|name| request.stream.as_ref().is_none_or(|s| s == *name))
            {
                let granted = GrantedConnection {
                    connection_id: connection.connection_id.clone(),
                    display_name: connection.display_name.clone(),
                    grant_id: connection.grant_id.clone(),
                    time_limit: None,
                };
                let group = groups.entry(connection.connector_key.clone()).or_default();
                group.entry(stream.clone()).or_default().push(granted);
            }
        }
        let carried: usize = groups.values().flat_map(BTreeMap::values).map(Vec::len).sum();
        if full && carried > 1 {
            let mut error = ApiError::new(
                ErrorCode::AmbiguousSchemaDetail,
                "several connections carry this stream",
            );
            error.retry_with = Some("connection_id".to_owned());
            error.available_connections =
                self.sources.iter().map(|source| source.connection.clone()).collect();
            return Err(error);
        }
        let connectors = groups.into_iter().map(|(connector_key, streams)| SchemaConnector {
            object: ConnectorTag::Connector,
            connector_key,
            granted_connections: Vec::new(),
            stream_count: streams.len() as u64,
            streams: streams
                .into_iter()
                .map(|(name, granted)| self.metadata(&name, granted, full))
                .collect(),
        });
        Ok(SchemaDocument {
            object: SchemaTag::Schema,
            detail: if full { "full" } else { "compact" }.to_owned(),
            bearer: Bearer { token_kind: "client".into(), scope: "grant".into(), client_id: None },
            connectors: connectors.collect(),
            connector_count: 0,
            stream_count: 0,
            links: Links::default(),
            meta: Meta::default(),
        })
    }

    async fn streams(&self, _: StreamsRequest) -> Result<StreamList, ApiError> {
        self.note("streams");
        Err(ApiError::new(ErrorCode::Unsupported, "not asked for"))
    }

    async fn stream(&self, _: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        self.note("stream");
        Err(ApiError::new(ErrorCode::Unsupported, "not asked for"))
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        self.note("list");
        reading::list(self, &request)
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        self.note("record");
        reading::record(self, &request)
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        self.note("field_window");
        windows::window(self, &request)
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        self.note("search");
        reading::search(self, &request)
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        self.note("aggregate");
        reading::aggregate(self, &request)
    }

    async fn blob(&self, _: BlobRequest) -> Result<BlobPiece, ApiError> {
        self.note("blob");
        Err(ApiError::new(ErrorCode::Unsupported, "not asked for"))
    }
}
