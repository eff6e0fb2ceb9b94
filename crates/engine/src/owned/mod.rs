//! The owner's accounts: what is kept of each, how much and from when, under which name.

mod health;
mod period;
mod sight;
mod usage;

use pdpp_auth::OwnerAccess;
use pdpp_contract::declaration::FieldKind;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ApiError, ConnectionId, FieldName, Json, StreamDeclaration, StreamName};
use pdpp_store::ReadScope;
use pdpp_store::connections::Connection;
use pdpp_store::records::{CollectionQuery, ListQuery};

pub use pdpp_store::connections::Erased;
pub use period::OwnerPeriod;
pub use sight::{HiddenBecause, RecordSight, Sensitivity, SightVerdict};

use crate::Engine;
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{GrantedStream, Narrow, resolve};

/// One connection as its owner sees it.
#[derive(Debug, Clone)]
pub struct OwnedConnection {
    /// Its id.
    pub id: ConnectionId,
    /// The owner's short name.
    pub name: String,
    /// What people see.
    pub display_name: Option<String>,
    /// The kind of source, by its declared id.
    pub source_id: String,
    /// The kind of source in words.
    pub source: String,
    /// When it was created.
    pub created_at: jiff::Timestamp,
    /// Its streams, in the declaration's order.
    pub streams: Vec<OwnedStream>,
}

/// One stream of it.
#[derive(Debug, Clone)]
pub struct OwnedStream {
    /// Its name.
    pub name: StreamName,
    /// Its name in words.
    pub label: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Records in it now.
    pub record_count: u64,
    /// Its fields, in the declaration's order.
    pub fields: Vec<OwnedField>,
    /// The field that a time range is about.
    pub time_field: Option<FieldName>,
    /// The times of the first and the last record, where the stream is ordered by time.
    pub span: Option<(String, String)>,
}

/// One field of it.
#[derive(Debug, Clone)]
pub struct OwnedField {
    /// Its name.
    pub name: FieldName,
    /// What it holds.
    pub description: Option<String>,
    /// Whether it names the record; then every grant shows it.
    pub is_key: bool,
}

impl OwnedConnection {
    /// What people call it.
    pub fn label(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.name)
    }
}

impl Engine {
    /// Every connection, by name, without the spans of its streams.
    pub async fn owned_connections(
        &self,
        _: &OwnerAccess,
    ) -> Result<Vec<OwnedConnection>, ApiError> {
        let stored = self.shared.store.list_connections().await.map_err(from_store)?;
        let mut owned = Vec::with_capacity(stored.len());
        for connection in &stored {
            let declared = self.shared.declarations.get(connection.declaration).await?;
            owned.push(described(connection, &declared.source));
        }
        Ok(owned)
    }

    /// Adds to each stream the times of its first and last record.
    pub async fn add_spans(
        &self,
        owner: &OwnerAccess,
        owned: &mut [OwnedConnection],
    ) -> Result<(), ApiError> {
        let reader = self.owner_reader(owner.clone()).await?;
        let granted_streams = resolve(&self.shared, &reader.authority, Narrow::default()).await?;
        for granted in &granted_streams {
            let id = &granted.connection.id;
            let connection = owned.iter_mut().find(|connection| connection.id == *id);
            let stream = connection.and_then(|connection| {
                connection.streams.iter_mut().find(|stream| stream.name == granted.scope.stream)
            });
            if let Some(stream) = stream {
                stream.span = reader.span(granted).await?;
            }
        }
        Ok(())
    }

    /// Changes what people call a connection. `false` when there is no such connection.
    pub async fn rename_connection(
        &self,
        _: &OwnerAccess,
        id: &ConnectionId,
        display_name: Option<DisplayName>,
    ) -> Result<bool, ApiError> {
        self.shared.store.rename_connection(id, display_name).await.map_err(from_store)
    }

    /// Erases a connection with everything in it. `None` when there is no such connection.
    pub async fn remove_connection(
        &self,
        _: &OwnerAccess,
        id: &ConnectionId,
    ) -> Result<Option<Erased>, ApiError> {
        let now = self.shared.clock.now();
        self.shared.store.remove_connection(id, now).await.map_err(from_store)
    }
}

fn described(
    connection: &Connection,
    source: &pdpp_contract::SourceDeclaration,
) -> OwnedConnection {
    let stream = |declared: &StreamDeclaration| {
        let kept = connection.streams.iter().find(|kept| kept.name == declared.name);
        let display = declared.display.as_ref();
        OwnedStream {
            name: declared.name.clone(),
            label: display.and_then(|display| display.label.clone()),
            description: declared.description.clone(),
            record_count: kept.map_or(0, |kept| kept.record_count),
            fields: declared.field_names().into_iter().map(|name| field(declared, name)).collect(),
            time_field: declared.consent_time_field.clone(),
            span: None,
        }
    };
    OwnedConnection {
        id: connection.id.clone(),
        name: connection.name.to_string(),
        display_name: connection.display_name.as_ref().map(ToString::to_string),
        source_id: source.source.id.clone(),
        source: source.display.name.clone(),
        created_at: connection.created_at,
        streams: source.streams.iter().map(stream).collect(),
    }
}

fn field(stream: &StreamDeclaration, name: FieldName) -> OwnedField {
    let property = stream.schema.get("properties").and_then(|all| all.get(name.as_str()));
    let description = property.and_then(|property| property.get("description"));
    OwnedField {
        description: description.and_then(|text| text.as_str()).map(str::to_owned),
        is_key: stream.primary_key.contains(&name),
        name,
    }
}

impl GrantedReader {
    /// The times of the first and the last record, where the stream is ordered by a time.
    async fn span(&self, granted: &GrantedStream) -> Result<Option<(String, String)>, ApiError> {
        let first = self.edge_time(granted, false).await?;
        let last = self.edge_time(granted, true).await?;
        Ok(first.zip(last))
    }

    /// The time of the first or the last record in view.
    pub(crate) async fn edge_time(
        &self,
        granted: &GrantedStream,
        descending: bool,
    ) -> Result<Option<String>, ApiError> {
        let Some(field) = granted.cursor_field().cloned() else {
            return Ok(None);
        };
        let kind = granted.stream.field_kind(field.as_str());
        if !kind.is_some_and(FieldKind::is_time) {
            return Ok(None);
        }
        let order = CollectionQuery { order_field: Some(field.clone()), conditions: Vec::new() };
        let query = ListQuery {
            collections: vec![order],
            descending,
            after: None,
            limit: 1,
            max_bytes: usize::MAX,
            preview_chars: 0,
            fields: Some(vec![field.clone()]),
        };
        let scope = ReadScope::new(vec![granted.scope.clone()]);
        let page = self.shared.store.list_records(&scope, query).await.map_err(from_store)?;
        let record = page.and_then(|page| page.records.into_iter().next());
        let value = record.and_then(|record| record.data.get(field.as_str()).cloned());
        Ok(value.as_ref().and_then(Json::as_str).map(str::to_owned))
    }
}
