//! Notes what an agent's call read: which connections, how many records, how it ended.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pdpp_auth::{Admission, AuditLog, GrantAccess};
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::ports::Clock;
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::read_api::Source;
use pdpp_contract::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest};
use pdpp_contract::{ApiError, ConnectionId, ReadApi, StreamName};
use pdpp_mcp::serve::{Noted, Witness};

/// What one call was about so far. How much its answer held is for the adapter to say: what it
/// reads to find a page that fits, or the place after a row, is not given to anybody.
#[derive(Debug, Default)]
struct Seen {
    connections: BTreeSet<ConnectionId>,
    stream: Option<StreamName>,
}

/// One agent's reads, watched on their way out. Made for one call.
pub struct Counted {
    inner: Arc<dyn ReadApi>,
    seen: Arc<Mutex<Seen>>,
}

/// Writes the call into the audit log, once.
pub struct AuditWitness {
    pub log: AuditLog,
    pub clock: Arc<dyn Clock>,
    pub access: GrantAccess,
    pub request_id: Option<String>,
    /// Room in the log for this call; gone with its first event.
    admission: Mutex<Option<Admission>>,
    seen: Arc<Mutex<Seen>>,
}

/// The reads and the witness of one call.
pub fn counted(
    inner: Arc<dyn ReadApi>,
    (log, admission): (AuditLog, Admission),
    clock: &Arc<dyn Clock>,
    access: GrantAccess,
    request_id: Option<String>,
) -> (Arc<Counted>, Arc<AuditWitness>) {
    let seen = Arc::<Mutex<Seen>>::default();
    let (clock, admission) = (Arc::clone(clock), Mutex::new(Some(admission)));
    let seen_too = Arc::clone(&seen);
    let witness = AuditWitness { log, clock, access, request_id, admission, seen: seen_too };
    (Arc::new(Counted { inner, seen }), Arc::new(witness))
}

impl Counted {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, connections: impl IntoIterator<Item = ConnectionId>) {
        self.seen().connections.extend(connections);
    }

    fn about(&self, stream: &StreamName) {
        self.seen().stream = Some(stream.clone());
    }
}

#[async_trait]
impl ReadApi for Counted {
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        let document = self.inner.schema(request).await?;
        let sources = document.connectors.iter().flat_map(|source| &source.granted_connections);
        self.note(sources.map(|granted| granted.connection_id.clone()));
        Ok(document)
    }

    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        self.inner.sources().await
    }

    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError> {
        let list = self.inner.streams(request).await?;
        self.note(list.data.iter().map(|row| row.connection_id.clone()));
        Ok(list)
    }

    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        self.about(&request.stream);
        self.inner.stream(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        self.about(&request.stream);
        let page = self.inner.list(request).await?;
        self.note(page.data.iter().map(|record| record.connection_id.clone()));
        Ok(page)
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        self.about(&request.stream);
        let detail = self.inner.record(request).await?;
        self.note([detail.record.connection_id.clone()]);
        Ok(detail)
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        self.about(&request.stream);
        let window = self.inner.field_window(request).await?;
        self.note([window.connection_id.clone()]);
        Ok(window)
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let page = self.inner.search(request).await?;
        self.note(page.data.iter().map(|hit| hit.connection_id.clone()));
        Ok(page)
    }

    async fn blob(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        let piece = self.inner.blob(request).await?;
        self.note([piece.connection_id.clone()]);
        Ok(piece)
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        self.about(&request.stream);
        let answer = self.inner.aggregate(request).await?;
        self.note(answer.connections.iter().cloned());
        Ok(answer)
    }
}

#[async_trait]
impl Witness for AuditWitness {
    async fn note(&self, noted: Noted) {
        let seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let event = AuditEvent {
            at: self.clock.now(),
            actor: AuditActor::Client(self.access.client().clone()),
            package_id: Some(self.access.package_id().clone()),
            token_fingerprint: Some(self.access.token_fingerprint().clone()),
            operation: AuditWord::new(noted.operation),
            stream: seen.stream,
            records_returned: noted.records,
            connection_ids: seen.connections.into_iter().collect(),
            bytes_returned: noted.bytes,
            outcome: noted.refused.map_or(AuditWord::OK, AuditWord::new),
            request_id: self.request_id.clone(),
        };
        let admission = self.admission.lock().unwrap_or_else(PoisonError::into_inner).take();
        match admission {
            Some(admission) => self.log.record_admitted(event, admission).await,
            None => self.log.record(event).await,
        }
    }
}
