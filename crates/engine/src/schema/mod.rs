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
    SchemaRequest, SchemaTag, StreamMetadata, StreamMetadataTag, StreamRequest,
};
use pdpp_contract::{ApiError, ConnectorKey, ErrorCode, FieldName};

use crate::reader::GrantedReader;
use crate::records::expand;
use crate::schema::fields::{capabilities, relationships, visible_schema, visible_views};
use crate::view::{AuthorityKind, Narrow, Shelf, candidate, resolve};

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
        let shelves = resolve(&self.shared, &self.authority, narrow).await?;
        if full && shelves.len() > 1 {
            return Err(ambiguous_detail(&shelves));
        }
        let connectors = connectors(&shelves, &self.shelves_in_view(&shelves).await?, full);
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
        let shelves = resolve(&self.shared, &self.authority, narrow).await?;
        let in_view = self.shelves_in_view(&shelves).await?;
        let mut blocks = Vec::new();
        for shelf in &shelves {
            let mut metadata = metadata(shelf, &in_view, true);
            let captured_at = self.newest_time(shelf).await?;
            metadata.freshness = Some(Freshness { captured_at, status: FreshnessStatus::Unknown });
            blocks.push(metadata);
        }
        Ok(blocks)
    }

    /// All shelves of the connections that `some` belong to: relations lead to other streams.
    async fn shelves_in_view(&self, some: &[Shelf]) -> Result<Vec<Shelf>, ApiError> {
        let related = |shelf: &Shelf| !shelf.stream.relationships.is_empty();
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

/// Groups shelves by kind of source; connections with equal capabilities share one block.
fn connectors(shelves: &[Shelf], in_view: &[Shelf], full: bool) -> Vec<SchemaConnector> {
    let mut groups: BTreeMap<&ConnectorKey, Vec<&Shelf>> = BTreeMap::new();
    for shelf in shelves {
        groups.entry(&shelf.connection.connector_key).or_default().push(shelf);
    }
    groups
        .into_iter()
        .map(|(connector_key, shelves)| {
            let mut connections: Vec<_> = shelves.iter().map(|shelf| granted(shelf)).collect();
            connections.sort();
            connections.dedup();
            let streams = blocks(&shelves, in_view, full);
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

fn blocks(shelves: &[&Shelf], in_view: &[Shelf], full: bool) -> Vec<StreamMetadata> {
    // Compared without their connections, which is what the blocks are merged over.
    let mut blocks: Vec<(StreamMetadata, Vec<GrantedConnection>)> = Vec::new();
    for shelf in shelves {
        let mut own = metadata(shelf, in_view, full);
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

fn metadata(shelf: &Shelf, in_view: &[Shelf], full: bool) -> StreamMetadata {
    let stream = &shelf.stream;
    let shown =
        |field: &Option<FieldName>| field.clone().filter(|f| shelf.scope.fields.contains(f));
    StreamMetadata {
        object: StreamMetadataTag::StreamMetadata,
        name: shelf.scope.stream.clone(),
        granted_connections: vec![granted(shelf)],
        description: stream.description.clone(),
        schema: full.then(|| visible_schema(stream, &shelf.scope.fields)),
        primary_key: stream.primary_key.clone(),
        cursor_field: shown(&stream.cursor_field),
        consent_time_field: shown(&stream.consent_time_field),
        selection: stream.selection,
        field_capabilities: capabilities(shelf),
        count: true,
        relationships: relationships(shelf, in_view),
        expand_capabilities: expand::capabilities(shelf, in_view),
        views: visible_views(shelf),
        freshness: None,
    }
}

fn granted(shelf: &Shelf) -> GrantedConnection {
    GrantedConnection {
        connection_id: shelf.connection.id.clone(),
        display_name: Some(shelf.display_name()),
        grant_id: shelf.grant_id.clone(),
    }
}

fn ambiguous_detail(shelves: &[Shelf]) -> ApiError {
    let mut error = ApiError::new(
        ErrorCode::AmbiguousSchemaDetail,
        "several connections carry this stream; add connection_id for its full schema",
    )
    .param("connection_id")
    .retry_with("connection_id");
    error.available_connection_count = u64::try_from(shelves.len()).ok();
    error.available_connections =
        shelves.iter().take(MAX_AMBIGUOUS_CANDIDATES).map(candidate).collect();
    error
}
