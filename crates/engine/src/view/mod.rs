//! What a caller may see, resolved for one request: request and grant become collections.

pub(crate) mod days;
pub(crate) mod declarations;

use std::collections::BTreeSet;
use std::sync::Arc;

use pdpp_contract::error::{AvailableConnection, ErrorSubject, SchemaLookup};
use pdpp_contract::roles::Roles;
use pdpp_contract::{
    ApiError, ConnectionId, ErrorCode, FieldName, GrantId, StreamDeclaration, StreamGrant,
    StreamName, TimeConstraint,
};
use pdpp_store::connections::Connection;
use pdpp_store::{CollectionScope, ReadScope, TimeBounds};

use crate::Shared;
use crate::refusal::from_store;
use crate::view::days::ViewDays;
use crate::view::declarations::Declared;

/// The grants of a caller, however they came about.
#[derive(Clone)]
pub(crate) struct Authority {
    pub kind: AuthorityKind,
    /// Digest of everything that limits the view.
    pub digest: [u8; 32],
    pub grants: Arc<[EffectiveGrant]>,
    /// Whether a time limit moves with the days.
    pub rolls: bool,
    /// The days on which time limits are resolved.
    pub days: ViewDays,
}

/// Who is reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AuthorityKind {
    /// An agent, by its name.
    Agent(String),
    /// The owner.
    Owner,
}

/// One connection and what of it may be read.
pub(crate) struct EffectiveGrant {
    pub grant_id: Option<GrantId>,
    pub connection: ConnectionId,
    pub streams: Vec<StreamGrant>,
    pub expires_at: Option<String>,
    pub leave_out_codes: bool,
    pub leave_out_secrets: bool,
}

/// One stream of one connection in view.
pub(crate) struct GrantedStream {
    pub grant_id: Option<GrantId>,
    pub connection: Arc<Connection>,
    pub stream: Arc<StreamDeclaration>,
    pub roles: Arc<Roles>,
    pub scope: CollectionScope,
    /// When the grant ends.
    pub expires_at: Option<String>,
    /// The time limit behind the scope's bounds, when it moves with the days.
    pub rolling: Option<TimeConstraint>,
}

impl GrantedStream {
    /// What the owner calls the connection: its label, or its short name where it has none.
    pub(crate) fn display_name(&self) -> String {
        let label = self.connection.display_name.as_ref();
        label.map_or_else(|| self.connection.name.to_string(), ToString::to_string)
    }

    /// The cursor field, when it may be seen.
    pub(crate) fn cursor_field(&self) -> Option<&FieldName> {
        self.stream.cursor_field.as_ref().filter(|field| self.scope.fields.contains(*field))
    }
}

/// What of the caller's view a request is about.
#[derive(Default, Clone, Copy)]
pub(crate) struct Narrow<'a> {
    pub stream: Option<&'a StreamName>,
    pub connection: Option<&'a ConnectionId>,
}

/// The part of the caller's view a request is about, by stream, then connection id.
///
/// Refuses a connection or stream outside the grant in the words it would use if neither existed.
pub(crate) async fn resolve(
    shared: &Shared,
    authority: &Authority,
    narrow: Narrow<'_>,
) -> Result<Vec<GrantedStream>, ApiError> {
    if authority.grants.iter().any(|grant| grant.leave_out_codes || grant.leave_out_secrets) {
        shared.check_classified().await?;
    }
    let about =
        |grant: &&EffectiveGrant| narrow.connection.is_none_or(|id| grant.connection == *id);
    let grants: Vec<&EffectiveGrant> = authority.grants.iter().filter(about).collect();
    let ids: Vec<ConnectionId> = grants.iter().map(|grant| grant.connection.clone()).collect();
    let connections = shared.store.connections(&ids).await.map_err(from_store)?;
    if let Some(wanted) = narrow.connection
        && connections.is_empty()
    {
        return Err(no_connection(wanted));
    }
    let mut granted_streams = Vec::new();
    for connection in connections.into_iter().map(Arc::new) {
        let declaration = shared.declarations.get(connection.declaration).await?;
        for grant in grants.iter().filter(|grant| grant.connection == connection.id) {
            add_granted_streams(
                &mut granted_streams,
                grant,
                authority.days,
                &connection,
                &declaration,
                narrow.stream,
            )?;
        }
    }
    if let Some(stream) = narrow.stream
        && granted_streams.is_empty()
    {
        return Err(no_stream(&authority.kind, stream));
    }
    granted_streams.sort_by(|a, b| {
        (&a.scope.stream, &a.scope.connection).cmp(&(&b.scope.stream, &b.scope.connection))
    });
    Ok(granted_streams)
}

fn add_granted_streams(
    granted_streams: &mut Vec<GrantedStream>,
    grant: &EffectiveGrant,
    days: ViewDays,
    connection: &Arc<Connection>,
    declaration: &Declared,
    only: Option<&StreamName>,
) -> Result<(), ApiError> {
    let wanted = |stream: &&StreamGrant| only.is_none_or(|name| stream.name == *name);
    for stream in grant.streams.iter().filter(wanted) {
        let declared = declaration.stream(&stream.name);
        // A granted stream that the source no longer declares cannot be read; the others can. Nor can
        // one whose keys now hold a field outside the grant: every record id would show it.
        let keys_shown = |declared: &&Arc<StreamDeclaration>| {
            declared.primary_key.iter().all(|field| stream.fields.contains(field))
        };
        let here = stream.connection_ids.contains(&connection.id);
        let Some(declared) = declared.filter(|_| here).filter(keys_shown) else {
            continue;
        };
        granted_streams.push(GrantedStream {
            grant_id: grant.grant_id.clone(),
            connection: Arc::clone(connection),
            stream: Arc::clone(declared),
            roles: declaration.roles(&stream.name).map(Arc::clone).unwrap_or_default(),
            expires_at: grant.expires_at.clone(),
            scope: collection_scope(grant, stream, &connection.id, days)?,
            rolling: stream.time_constraint.clone().filter(TimeConstraint::rolls),
        });
    }
    Ok(())
}

fn collection_scope(
    grant: &EffectiveGrant,
    stream: &StreamGrant,
    connection: &ConnectionId,
    days: ViewDays,
) -> Result<CollectionScope, ApiError> {
    let time = match &stream.time_constraint {
        None => None,
        Some(constraint) => {
            let (since, until) = days
                .bounds(constraint)
                .map_err(|fault| ApiError::new(ErrorCode::GrantInvalid, fault.to_string()))?;
            Some(TimeBounds { field: constraint.field.clone(), since, until })
        }
    };
    Ok(CollectionScope {
        connection: connection.clone(),
        stream: stream.name.clone(),
        fields: stream.fields.iter().cloned().collect(),
        time,
        records: stream.resources.as_ref().map(|ids| ids.iter().cloned().collect()),
        leave_out_codes: grant.leave_out_codes,
        leave_out_secrets: grant.leave_out_secrets,
    })
}

/// The scope of some granted streams, in their order.
pub(crate) fn scope_of(granted_streams: &[GrantedStream]) -> ReadScope {
    ReadScope::new(granted_streams.iter().map(|granted| granted.scope.clone()).collect())
}

/// The fields that at least one of the granted streams shows.
pub(crate) fn visible_fields(granted_streams: &[GrantedStream]) -> BTreeSet<&FieldName> {
    granted_streams.iter().flat_map(|granted| granted.scope.fields.iter()).collect()
}

/// A connection outside the view, whether or not it exists.
pub(crate) fn no_connection(id: &ConnectionId) -> ApiError {
    ApiError::new(ErrorCode::ConnectionNotFound, format!("no connection {id} in view"))
        .param("connection_id")
        .about(ErrorSubject::Connection(id.clone()))
        .next(SchemaLookup::Connections)
}

/// A stream outside the view, whether or not it exists.
fn no_stream(kind: &AuthorityKind, stream: &StreamName) -> ApiError {
    let (code, view) = match kind {
        AuthorityKind::Agent(_) => (ErrorCode::GrantStreamNotAllowed, "this grant includes no"),
        AuthorityKind::Owner => (ErrorCode::NotFound, "no connection carries a"),
    };
    ApiError::new(code, format!("{view} stream {stream}"))
        .param("stream")
        .about(ErrorSubject::Stream(stream.clone()))
        .next(SchemaLookup::Streams)
}

/// A field outside the view, whether or not it exists.
pub(crate) fn no_field(kind: &AuthorityKind, field: &str, param: &str) -> ApiError {
    let (code, view) = match kind {
        AuthorityKind::Agent(_) => (ErrorCode::FieldNotGranted, "this grant includes no"),
        AuthorityKind::Owner => (ErrorCode::UnknownField, "the stream declares no"),
    };
    let message =
        format!("{view} field {field:?} of this stream; see its schema for those in view");
    ApiError::new(code, message).param(param).about(ErrorSubject::Field(field.to_owned()))
}

/// The same record id in several connections.
pub(crate) fn ambiguous(granted_streams: &[GrantedStream], found: &[ConnectionId]) -> ApiError {
    use pdpp_contract::limits::MAX_AMBIGUOUS_CANDIDATES;
    let candidates =
        granted_streams.iter().filter(|granted| found.contains(&granted.connection.id));
    let mut error = ApiError::new(
        ErrorCode::AmbiguousConnection,
        "several connections hold a record with this id; add connection_id",
    )
    .param("connection_id")
    .retry_with("connection_id");
    error.available_connection_count = u64::try_from(found.len()).ok();
    error.available_connections =
        candidates.take(MAX_AMBIGUOUS_CANDIDATES).map(candidate).collect();
    error
}

/// One way out of an ambiguous read.
pub(crate) fn candidate(granted: &GrantedStream) -> AvailableConnection {
    AvailableConnection {
        connection_id: granted.connection.id.clone(),
        connector_key: granted.connection.connector_key.clone(),
        grant_id: granted.grant_id.clone(),
        stream: Some(granted.scope.stream.clone()),
        display_name: Some(granted.display_name()),
    }
}
