//! Everything a reader can ask, as one trait. The engine answers it in-process; a remote provider
//! answers it over HTTP. Who may read is settled before a value of this trait exists.

use async_trait::async_trait;

use crate::aggregate::{AggregateRequest, Aggregation};
use crate::blob::{BlobPiece, BlobRequest};
use crate::error::{ApiError, ErrorCode};
use crate::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use crate::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use crate::search::{SearchPage, SearchRequest};
use crate::window::{FieldWindow, FieldWindowRequest};

/// The reads of one caller. A provider that lacks an operation keeps its default, a typed refusal.
#[async_trait]
pub trait ReadApi: Send + Sync {
    /// What the caller can see and ask.
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError>;

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

    /// Ranked hits for words.
    async fn search(&self, _: SearchRequest) -> Result<SearchPage, ApiError> {
        Err(unsupported("search"))
    }

    /// A stretch of a blob that a record in view refers to.
    async fn blob(&self, _: BlobRequest) -> Result<BlobPiece, ApiError> {
        Err(unsupported("blobs"))
    }

    /// Numbers over records.
    async fn aggregate(&self, _: AggregateRequest) -> Result<Aggregation, ApiError> {
        Err(unsupported("aggregate"))
    }
}

fn unsupported(operation: &str) -> ApiError {
    ApiError::new(
        ErrorCode::Unsupported,
        format!("this provider does not offer {operation}; read records with a list instead"),
    )
}
