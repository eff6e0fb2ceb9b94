//! A reader: the operations of the contract for one verified caller.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use pdpp_auth::{GrantAccess, OwnerAccess};
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::error::AvailableConnection;
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::read_api::{Source, StreamLimits};
use pdpp_contract::rolling::utc_day;
use pdpp_contract::schema::{SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest};
use pdpp_contract::{ApiError, ConnectionId, Grant, Instant, ReadApi, StreamGrant};

use crate::Shared;
use crate::owned::OwnerPeriod;
use crate::refusal::from_store;
use crate::sealed::seal::SealKind;
use crate::view::days::ViewDays;
use crate::view::{
    Authority, AuthorityKind, EffectiveGrant, GrantedStream, Narrow, candidate, resolve,
};

/// The reads of one caller. Cheap to clone; holds no data.
#[derive(Clone)]
pub struct GrantedReader {
    pub(crate) shared: Arc<Shared>,
    pub(crate) authority: Authority,
}

impl GrantedReader {
    pub(crate) fn for_agent(shared: Arc<Shared>, access: &GrantAccess) -> Self {
        let effective = |grant: &pdpp_contract::Grant| {
            let mut connections: Vec<_> = grant
                .streams
                .iter()
                .flat_map(|stream| stream.connection_ids.iter().cloned())
                .collect();
            connections.sort();
            connections.dedup();
            connections
                .into_iter()
                .map(|connection| EffectiveGrant {
                    grant_id: Some(grant.grant_id.clone()),
                    connection,
                    streams: grant.streams.clone(),
                    expires_at: grant.expires_at.clone(),
                    leave_out_codes: grant.leave_out_codes,
                    leave_out_secrets: grant.leave_out_secrets,
                })
                .collect::<Vec<_>>()
        };
        let authority = Authority {
            kind: AuthorityKind::Agent(access.client().to_string()),
            digest: access.effective_digest(),
            grants: access.grants().iter().flat_map(effective).collect(),
            rolls: access.grants().iter().any(Grant::rolls),
            days: ViewDays::on(utc_day(shared.clock.now())),
        };
        Self { shared, authority }
    }

    /// The owner sees every declared field of every connection, each one listed; with a period, only
    /// what its stream's own time places within it.
    pub(crate) async fn for_owner(
        shared: Arc<Shared>,
        _: OwnerAccess,
        period: &OwnerPeriod,
    ) -> Result<Self, ApiError> {
        let connections = shared.store.list_connections().await.map_err(from_store)?;
        let mut grants = Vec::with_capacity(connections.len());
        for connection in connections {
            let declaration = shared.declarations.get(connection.declaration).await?;
            let stream = |stream: &pdpp_contract::StreamDeclaration| {
                Some(StreamGrant {
                    name: stream.name.clone(),
                    connection_ids: vec![connection.id.clone()],
                    fields: stream.field_names(),
                    time_constraint: period.on(stream)?,
                    resources: None,
                })
            };
            grants.push(EffectiveGrant {
                grant_id: None,
                connection: connection.id.clone(),
                streams: declaration.source.streams.iter().filter_map(stream).collect(),
                expires_at: None,
                leave_out_codes: false,
                leave_out_secrets: false,
            });
        }
        let authority = Authority {
            kind: AuthorityKind::Owner,
            digest: period.digest(),
            grants: grants.into(),
            rolls: false,
            days: ViewDays::on(utc_day(shared.clock.now())),
        };
        Ok(Self { shared, authority })
    }
}

#[async_trait]
impl ReadApi for GrantedReader {
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        self.schema_document(request).await
    }

    async fn sources(&self) -> Result<Vec<Source>, ApiError> {
        let granted_streams = resolve(&self.shared, &self.authority, Narrow::default()).await?;
        let mut sources: BTreeMap<&ConnectionId, Source> = BTreeMap::new();
        for granted in &granted_streams {
            let source = sources.entry(&granted.connection.id).or_insert_with(|| Source {
                connection: AvailableConnection { stream: None, ..candidate(granted) },
                streams: Vec::new(),
            });
            source.streams.push(granted.scope.stream.clone());
        }
        Ok(sources.into_values().collect())
    }

    async fn limits(&self) -> Result<Vec<StreamLimits>, ApiError> {
        let granted_streams = resolve(&self.shared, &self.authority, Narrow::default()).await?;
        Ok(granted_streams.iter().filter_map(limits_of).collect())
    }

    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError> {
        self.stream_list(request).await
    }

    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        self.stream_detail(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        let kinds = [SealKind::Page, SealKind::Changes];
        self.continuing(&kinds, request.cursor.as_deref()).list_page(request).await
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        self.one_record(request).await
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        self.read_window(request).await
    }

    async fn blob(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        self.blob_piece(request).await
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        let cursor = request.cursor.as_deref();
        self.continuing(&[SealKind::Groups], cursor).aggregation(request).await
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let cursor = request.cursor.as_deref();
        self.continuing(&[SealKind::Search], cursor).search_page(request).await
    }
}

/// What the grant limits of a stream; nothing where it shows all of it, for good.
fn limits_of(granted: &GrantedStream) -> Option<StreamLimits> {
    let scope = &granted.scope;
    let bound = |instant: Option<Instant>| instant.map(|instant| instant.to_string());
    let time = scope.time.as_ref();
    let (since, until) = time.map_or((None, None), |time| (bound(time.since), bound(time.until)));
    let all = granted.stream.field_names();
    let shown = all.iter().filter(|field| scope.fields.contains(*field)).count();
    let limits = StreamLimits {
        connection_id: granted.connection.id.clone(),
        stream: scope.stream.clone(),
        since,
        until,
        fields: (shown < all.len()).then_some(shown),
        records: scope.records.as_ref().map(BTreeSet::len),
        expires_at: granted.expires_at.clone(),
    };
    let is_limited = limits.since.is_some()
        || limits.until.is_some()
        || limits.fields.is_some()
        || limits.records.is_some()
        || limits.expires_at.is_some();
    is_limited.then_some(limits)
}
