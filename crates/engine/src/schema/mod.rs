//! The schema document: what the caller can see, grouped by kind of source.

pub(crate) mod fields;
mod streams;

use std::collections::BTreeMap;

use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::limits::MAX_AMBIGUOUS_CANDIDATES;
use pdpp_contract::links;
use pdpp_contract::query::{Freshness, FreshnessStatus};
use pdpp_contract::schema::{
    Bearer, ConnectorTag, GrantedConnection, SchemaConnector, SchemaDetail, SchemaDocument,
    SchemaRequest, SchemaTag, StreamMetadata, StreamMetadataTag, StreamRequest, StreamTimeLimit,
};
use pdpp_contract::{ApiError, ConnectorKey, ErrorCode, FieldName};

use crate::reader::GrantedReader;
use crate::records::expand;
use crate::schema::fields::{capabilities, relationships, visible_schema, visible_views};
use crate::view::{AuthorityKind, GrantedStream, Narrow, candidate, resolve};

/// Said of time limits that move.
const ROLLING_NOTE: &str = "moves at midnight UTC; changes_since does not report what leaves it by \
    the passing of time, and may not report what enters it so";

impl GrantedReader {
    pub(crate) async fn schema_document(
        &self,
        request: SchemaRequest,
    ) -> Result<SchemaDocument, ApiError> {
        let full = request.detail == SchemaDetail::Full;
        if full && request.stream.is_none() {
            return Err(ApiError::new(
                ErrorCode::InvalidRequest,
                "full detail is for one stream; add stream, and connection_id if several share it",
            )
            .param("detail"));
        }
        let narrow =
            Narrow { stream: request.stream.as_ref(), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        if full && granted_streams.len() > 1 {
            return Err(ambiguous_detail(&granted_streams));
        }
        let connectors =
            connectors(&granted_streams, &self.shelves_in_view(&granted_streams).await?, full);
        let stream_count = connectors.iter().map(|connector| connector.stream_count).sum();
        Ok(SchemaDocument {
            object: SchemaTag::Schema,
            detail: if full { "full" } else { "compact" }.to_owned(),
            bearer: self.bearer(),
            connector_count: u64::try_from(connectors.len()).unwrap_or(u64::MAX),
            stream_count,
            connectors,
            links: Links { this: links::schema(&request).finish(), next: None },
            meta: Meta::default(),
        })
    }

    pub(crate) async fn stream_detail(
        &self,
        request: StreamRequest,
    ) -> Result<Vec<StreamMetadata>, ApiError> {
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let in_view = self.shelves_in_view(&granted_streams).await?;
        let mut blocks = Vec::new();
        for granted in &granted_streams {
            let mut metadata = metadata(granted, &in_view, true);
            let captured_at = self.newest_time(granted).await?;
            metadata.freshness = Some(Freshness { captured_at, status: FreshnessStatus::Unknown });
            blocks.push(metadata);
        }
        Ok(blocks)
    }

    /// All granted streams of the connections that `some` belong to: relations lead to other streams.
    async fn shelves_in_view(
        &self,
        some: &[GrantedStream],
    ) -> Result<Vec<GrantedStream>, ApiError> {
        let related = |granted: &GrantedStream| !granted.stream.relationships.is_empty();
        if !some.iter().any(related) {
            return Ok(Vec::new());
        }
        resolve(&self.shared, &self.authority, Narrow::default()).await
    }

    fn bearer(&self) -> Bearer {
        match &self.authority.kind {
            AuthorityKind::Agent(client) => Bearer {
                token_kind: "client".to_owned(),
                scope: "grant".to_owned(),
                client_id: Some(client.clone()),
            },
            AuthorityKind::Owner => Bearer {
                token_kind: "owner".to_owned(),
                scope: "owner".to_owned(),
                client_id: None,
            },
        }
    }
}

/// Groups granted streams by kind of source; connections with equal capabilities share one block.
fn connectors(
    granted_streams: &[GrantedStream],
    in_view: &[GrantedStream],
    full: bool,
) -> Vec<SchemaConnector> {
    let mut groups: BTreeMap<&ConnectorKey, Vec<&GrantedStream>> = BTreeMap::new();
    for granted in granted_streams {
        groups.entry(&granted.connection.connector_key).or_default().push(granted);
    }
    groups
        .into_iter()
        .map(|(connector_key, granted_streams)| {
            let mut connections: Vec<_> =
                granted_streams.iter().map(|granted| granted_connection(granted)).collect();
            connections.sort();
            connections.dedup();
            let streams = blocks(&granted_streams, in_view, full);
            SchemaConnector {
                object: ConnectorTag::Connector,
                connector_key: connector_key.clone(),
                granted_connections: connections,
                stream_count: u64::try_from(streams.len()).unwrap_or(u64::MAX),
                streams,
            }
        })
        .collect()
}

fn blocks(
    granted_streams: &[&GrantedStream],
    in_view: &[GrantedStream],
    full: bool,
) -> Vec<StreamMetadata> {
    // Compared without their connections, which is what the blocks are merged over.
    let mut blocks: Vec<(StreamMetadata, Vec<GrantedConnection>)> = Vec::new();
    for granted in granted_streams {
        let mut own = metadata(granted, in_view, full);
        let connections = std::mem::take(&mut own.granted_connections);
        match blocks.iter_mut().find(|(block, _)| *block == own) {
            Some((_, known)) => known.extend(connections),
            None => blocks.push((own, connections)),
        }
    }
    let complete = |(mut block, connections): (StreamMetadata, _)| {
        block.granted_connections = connections;
        block
    };
    blocks.into_iter().map(complete).collect()
}

fn metadata(granted: &GrantedStream, in_view: &[GrantedStream], full: bool) -> StreamMetadata {
    let stream = &granted.stream;
    let shown =
        |field: &Option<FieldName>| field.clone().filter(|f| granted.scope.fields.contains(f));
    StreamMetadata {
        object: StreamMetadataTag::StreamMetadata,
        name: granted.scope.stream.clone(),
        granted_connections: vec![GrantedConnection {
            time_limit: time_limit(granted),
            ..granted_connection(granted)
        }],
        description: stream.description.clone(),
        schema: full.then(|| visible_schema(stream, &granted.scope.fields)),
        primary_key: stream.primary_key.clone(),
        cursor_field: shown(&stream.cursor_field),
        consent_time_field: shown(&stream.consent_time_field),
        selection: stream.selection,
        field_capabilities: capabilities(granted),
        count: true,
        relationships: relationships(granted, in_view),
        expand_capabilities: expand::capabilities(granted, in_view),
        views: visible_views(granted),
        freshness: None,
    }
}

fn granted_connection(granted: &GrantedStream) -> GrantedConnection {
    GrantedConnection {
        connection_id: granted.connection.id.clone(),
        display_name: Some(granted.display_name()),
        grant_id: granted.grant_id.clone(),
        time_limit: None,
    }
}

/// The time limit of the grant, as it is today.
fn time_limit(granted: &GrantedStream) -> Option<StreamTimeLimit> {
    let bounds = granted.scope.time.as_ref()?;
    let rule = granted.rolling.as_ref();
    Some(StreamTimeLimit {
        since: bounds.since.map(|at| at.to_string()),
        until: bounds.until.map(|at| at.to_string()),
        since_rule: rule.and_then(|rule| rule.since_rule).map(String::from),
        until_rule: rule.and_then(|rule| rule.until_rule).map(String::from),
        note: rule.map(|_| ROLLING_NOTE.to_owned()),
    })
}

fn ambiguous_detail(granted_streams: &[GrantedStream]) -> ApiError {
    let mut error = ApiError::new(
        ErrorCode::AmbiguousSchemaDetail,
        "several connections carry this stream; add connection_id for its full schema",
    )
    .param("connection_id")
    .retry_with("connection_id");
    error.available_connection_count = u64::try_from(granted_streams.len()).ok();
    error.available_connections =
        granted_streams.iter().take(MAX_AMBIGUOUS_CANDIDATES).map(candidate).collect();
    error
}
