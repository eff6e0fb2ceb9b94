//! Everything a reader can ask, as one trait. The engine answers it in-process; a remote provider
//! answers it over HTTP. Who may read is settled before a value of this trait exists.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::aggregate::{AggregateRequest, Aggregation};
use crate::blob::{BlobPiece, BlobRequest};
use crate::error::{ApiError, AvailableConnection, ErrorCode};
use crate::ids::{ConnectionId, StreamName};
use crate::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use crate::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use crate::search::{SearchPage, SearchRequest};
use crate::window::{FieldWindow, FieldWindowRequest};

/// One connection in view, and the streams of it that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The connection.
    pub connection: AvailableConnection,
    /// Its streams, by name.
    pub streams: Vec<StreamName>,
}

/// What a grant limits of one stream beyond naming it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamLimits {
    /// The connection.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// The first instant in view.
    pub since: Option<String>,
    /// The first instant after it.
    pub until: Option<String>,
    /// How many fields are in view, where the stream has more.
    pub fields: Option<usize>,
    /// How many records the grant names, where it names them.
    pub records: Option<usize>,
    /// When the grant ends.
    pub expires_at: Option<String>,
}

/// The reads of one caller. A provider that lacks an operation keeps its default, a typed refusal.
#[async_trait]
pub trait ReadApi: Send + Sync {
    /// What the caller can see and ask.
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError>;

    /// The connections in view, by id. Known from the grant alone: no record is looked at.
    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        Ok(sources_of(&self.schema(SchemaRequest::default()).await?))
    }

    /// What the grant limits, by connection and stream; streams without a limit are left out, and a
    /// provider that does not say it names none. Known from the grant alone.
    async fn limits(&self) -> Result<Vec<StreamLimits>, ApiError> {
        Ok(Vec::new())
    }

    /// The streams in view, one row per connection.
    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError>;

    /// One stream in detail, once per set of equal capabilities.
    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError>;

    /// One page of records.
    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError>;

    /// One record.
    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError>;

    /// One window of one field.
    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError>;

    /// Whether this provider is known to serve no field windows. Nothing is asked to find out.
    fn lacks_windows(&self) -> bool {
        false
    }

    /// Ranked hits for words.
    async fn search(&self, _: SearchRequest) -> Result<SearchPage, ApiError> {
        Err(unsupported("search"))
    }

    /// A range of a blob that a record in view refers to.
    async fn blob(&self, _: BlobRequest) -> Result<BlobPiece, ApiError> {
        Err(unsupported("blobs"))
    }

    /// Numbers over records.
    async fn aggregate(&self, _: AggregateRequest) -> Result<Aggregation, ApiError> {
        Err(unsupported("aggregate"))
    }
}

/// The connections that a schema names.
fn sources_of(schema: &SchemaDocument) -> Vec<Source> {
    let mut sources: BTreeMap<&ConnectionId, Source> = BTreeMap::new();
    for connector in &schema.connectors {
        for stream in &connector.streams {
            for granted in &stream.granted_connections {
                let source = sources.entry(&granted.connection_id).or_insert_with(|| Source {
                    connection: AvailableConnection {
                        connection_id: granted.connection_id.clone(),
                        connector_key: connector.connector_key.clone(),
                        grant_id: granted.grant_id.clone(),
                        stream: None,
                        display_name: granted.display_name.clone(),
                    },
                    streams: Vec::new(),
                });
                source.streams.push(stream.name.clone());
            }
        }
    }
    let sorted = |mut source: Source| {
        source.streams.sort();
        source.streams.dedup();
        source
    };
    sources.into_values().map(sorted).collect()
}

fn unsupported(operation: &str) -> ApiError {
    ApiError::new(
        ErrorCode::Unsupported,
        format!("this provider does not offer {operation}; read records with a list instead"),
    )
}
