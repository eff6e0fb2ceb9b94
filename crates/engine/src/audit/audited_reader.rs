//! A reader that notes what it reads for the audit log. Agents have no other.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_auth::Caller;
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::expand::Expanded;
use pdpp_contract::handles::{FieldWindowRef, Handle, HandleKind, Handles};
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::read_api::{Source, StreamLimits};
use pdpp_contract::record::Record;
use pdpp_contract::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest};
use pdpp_contract::{ApiError, ConnectionId, ReadApi};

use super::CallAudit;
use crate::Engine;
use crate::GrantedReader;

/// The reads of one call. Made for that call, and gone with it.
pub struct AuditedReader {
    reader: GrantedReader,
    audit: Arc<CallAudit>,
}

impl Engine {
    /// The reads of one call: an agent sees what its grants show, the owner everything.
    pub async fn audited_reader(&self, audit: Arc<CallAudit>) -> Result<AuditedReader, ApiError> {
        let reader = match audit.caller() {
            Caller::Agent(access) => self.reader(access),
            Caller::Owner(access) => self.owner_reader(access.clone()).await?,
        };
        Ok(AuditedReader { reader, audit })
    }
}

impl AuditedReader {
    /// The reader itself, for the rest of an answer that was noted already.
    pub fn into_inner(self) -> GrantedReader {
        self.reader
    }

    fn read(&self, connections: impl IntoIterator<Item = ConnectionId>, records: usize) {
        self.audit.touched(connections);
        self.audit.read(records);
    }
}

#[async_trait]
impl ReadApi for AuditedReader {
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        let document = self.reader.schema(request).await?;
        let sources = document.connectors.iter().flat_map(|source| &source.granted_connections);
        self.read(sources.map(|granted| granted.connection_id.clone()), 0);
        Ok(document)
    }

    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        self.reader.sources().await
    }

    async fn limits(&self) -> Result<Vec<StreamLimits>, ApiError> {
        self.reader.limits().await
    }

    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError> {
        let list = self.reader.streams(request).await?;
        self.read(list.data.iter().map(|row| row.connection_id.clone()), 0);
        Ok(list)
    }

    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        self.audit.about(&request.stream);
        let blocks = self.reader.stream(request).await?;
        let granted = blocks.iter().flat_map(|block| &block.granted_connections);
        self.read(granted.map(|granted| granted.connection_id.clone()), 0);
        Ok(blocks)
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        self.audit.about(&request.stream);
        let page = self.reader.list(request).await?;
        let records = page.data.iter().map(with_related).sum();
        self.read(page.data.iter().map(|record| record.connection_id.clone()), records);
        Ok(page)
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        self.audit.about(&request.stream);
        let detail = self.reader.record(request).await?;
        self.read([detail.record.connection_id.clone()], with_related(&detail.record));
        Ok(detail)
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        self.audit.about(&request.stream);
        let window = self.reader.field_window(request).await?;
        self.read([window.connection_id.clone()], 1);
        Ok(window)
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let page = self.reader.search(request).await?;
        self.read(page.data.iter().map(|hit| hit.connection_id.clone()), page.data.len());
        Ok(page)
    }

    async fn blob(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        let piece = self.reader.blob(request).await?;
        self.read([piece.connection_id.clone()], 1);
        Ok(piece)
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        self.audit.about(&request.stream);
        let answer = self.reader.aggregate(request).await?;
        self.read(answer.connections.iter().cloned(), 0);
        Ok(answer)
    }
}

#[async_trait]
impl Handles for AuditedReader {
    fn seal(&self, handle: &Handle) -> Option<String> {
        self.reader.seal(handle)
    }

    fn window_cursor(&self, window: &FieldWindowRef, digest: &str) -> Option<String> {
        self.reader.window_cursor(window, digest)
    }

    async fn open(&self, kind: HandleKind, text: &str) -> Result<Handle, ApiError> {
        self.reader.open(kind, text).await
    }
}

/// A record and those that came along with it.
fn with_related(record: &Record) -> usize {
    let count = |expanded: &Expanded| match expanded {
        Expanded::One(one) => usize::from(one.is_some()),
        Expanded::Many(list) => list.data.len(),
    };
    1 + record.expanded.values().map(count).sum::<usize>()
}
