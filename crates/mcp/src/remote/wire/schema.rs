//! Schema documents as any PDPP server sends them: capabilities as flags or as objects, connections
//! on the connector or on the stream.

use std::collections::BTreeMap;

use pdpp_contract::declaration::{RangeOperator, Relationship, Selection, View};
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::expand::ExpandCapability;
use pdpp_contract::schema::{
    Bearer, ConnectorTag, FieldCapabilities, GrantedConnection, SchemaConnector, SchemaDetail,
    SchemaDocument, SchemaRequest, SchemaTag, StreamMetadata, StreamMetadataTag,
};
use pdpp_contract::{ConnectionId, ConnectorKey, FieldName, StreamName};
use serde::Deserialize;
use serde_json::{Value, json};

use super::capabilities::capabilities;
use super::records::{freshness, named};

/// The schema on the wire. Some servers wrap it in `data`.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WireSchema {
    #[serde(default)]
    data: Option<Box<WireSchema>>,
    #[serde(default)]
    bearer: Value,
    #[serde(default)]
    connectors: Vec<WireConnector>,
    #[serde(default)]
    links: Option<Links>,
}

#[derive(Debug, Deserialize)]
struct WireConnector {
    #[serde(default, deserialize_with = "any_key")]
    connector_key: Option<ConnectorKey>,
    #[serde(default)]
    connector_id: Option<String>,
    #[serde(default)]
    source: Value,
    #[serde(default)]
    granted_connections: Vec<GrantedConnection>,
    #[serde(default)]
    streams: Vec<WireStreamMetadata>,
}

#[derive(Debug, Deserialize)]
struct WireStreamMetadata {
    name: StreamName,
    #[serde(default, deserialize_with = "any_key")]
    connector_key: Option<ConnectorKey>,
    #[serde(default)]
    connection_id: Option<ConnectionId>,
    #[serde(default, alias = "connection_display_name")]
    display_name: Option<String>,
    #[serde(default)]
    granted_connections: Vec<GrantedConnection>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    schema: Option<Value>,
    #[serde(default)]
    primary_key: Value,
    #[serde(default)]
    cursor_field: Option<FieldName>,
    #[serde(default)]
    consent_time_field: Option<FieldName>,
    #[serde(default)]
    selection: Value,
    #[serde(default)]
    field_capabilities: BTreeMap<FieldName, Value>,
    #[serde(default)]
    count: Option<bool>,
    #[serde(default)]
    query: Value,
    #[serde(default)]
    expand_capabilities: Vec<Value>,
    #[serde(default)]
    relationships: Vec<Value>,
    #[serde(default)]
    views: Vec<Value>,
    #[serde(default)]
    freshness: Value,
}

impl WireSchema {
    /// The document, narrowed to what was asked for even if the server did not narrow it.
    pub(in crate::remote) fn into_document(
        self,
        request: &SchemaRequest,
    ) -> Option<SchemaDocument> {
        if let Some(inner) = self.data {
            return inner.into_document(request);
        }
        let sources = self.connectors.into_iter().map(|source| source.into_connector(request));
        let mut connectors: Vec<SchemaConnector> = sources.collect::<Option<_>>()?;
        connectors.retain(|source| !source.streams.is_empty());
        let detail = match request.detail {
            SchemaDetail::Compact => "compact",
            SchemaDetail::Full => "full",
        };
        Some(SchemaDocument {
            object: SchemaTag::Schema,
            detail: detail.to_owned(),
            bearer: bearer(self.bearer),
            connector_count: size(connectors.len()),
            stream_count: connectors.iter().map(|source| source.stream_count).sum(),
            connectors,
            links: self.links.unwrap_or_default(),
            meta: Meta::default(),
        })
    }
}

fn bearer(given: Value) -> Bearer {
    serde_json::from_value(given).unwrap_or_else(|_| Bearer {
        token_kind: "client".to_owned(),
        scope: "grant".to_owned(),
        client_id: None,
    })
}

impl WireConnector {
    fn into_connector(self, request: &SchemaRequest) -> Option<SchemaConnector> {
        let source_id = self.source.get("id").and_then(Value::as_str);
        let from_streams = self.streams.iter().find_map(|stream| stream.connector_key.clone());
        let key = self
            .connector_key
            .or(from_streams)
            .or_else(|| connector_key(self.connector_id.as_deref().or(source_id)?))
            .or_else(|| ConnectorKey::new("unknown").ok())?;
        let shared = self.granted_connections;
        let asked_stream = |stream: &WireStreamMetadata| {
            request.stream.as_ref().is_none_or(|name| *name == stream.name)
        };
        let streams = self.streams.into_iter().filter(asked_stream);
        let mut streams: Vec<StreamMetadata> =
            streams.map(|stream| stream.into_metadata(&shared)).collect::<Option<_>>()?;
        if let Some(asked) = &request.connection_id {
            for stream in &mut streams {
                stream.granted_connections.retain(|granted| granted.connection_id == *asked);
            }
            streams.retain(|stream| !stream.granted_connections.is_empty());
        }
        let mut connections: Vec<GrantedConnection> =
            streams.iter().flat_map(|stream| stream.granted_connections.iter().cloned()).collect();
        connections.sort();
        connections.dedup();
        Some(SchemaConnector {
            object: ConnectorTag::Connector,
            connector_key: key,
            granted_connections: connections,
            stream_count: size(streams.len()),
            streams,
        })
    }
}

impl WireStreamMetadata {
    fn into_metadata(self, shared: &[GrantedConnection]) -> Option<StreamMetadata> {
        let connections = if !self.granted_connections.is_empty() {
            self.granted_connections
        } else if self.connection_id.is_none() && !shared.is_empty() {
            shared.to_vec()
        } else {
            vec![GrantedConnection {
                connection_id: named(self.connection_id, None)?,
                display_name: self.display_name,
                grant_id: None,
                time_limit: None,
            }]
        };
        let mut given = self.field_capabilities;
        if given.is_empty() {
            given = properties(self.schema.as_ref());
        }
        let fields = given.into_iter();
        let fields = fields.filter_map(|(name, given)| {
            let read = capabilities(&name, &given, &self.query)?;
            Some((name, read))
        });
        let mut field_capabilities: BTreeMap<FieldName, FieldCapabilities> = fields.collect();
        if let Some(capable) =
            self.cursor_field.as_ref().and_then(|field| field_capabilities.get_mut(field))
        {
            capable.sortable = true;
        }
        Some(StreamMetadata {
            object: StreamMetadataTag::StreamMetadata,
            name: self.name,
            granted_connections: connections,
            description: self.description,
            schema: self.schema,
            primary_key: key_fields(&self.primary_key),
            cursor_field: self.cursor_field,
            consent_time_field: self.consent_time_field,
            selection: serde_json::from_value(self.selection)
                .unwrap_or(Selection { fields: true, resources: false }),
            field_capabilities,
            count: self.count.unwrap_or(true),
            expand_capabilities: read_all::<ExpandCapability>(self.expand_capabilities),
            relationships: read_all::<Relationship>(self.relationships),
            views: read_all::<View>(self.views),
            freshness: (!self.freshness.is_null()).then(|| freshness(self.freshness)),
        })
    }
}

/// The fields that a JSON Schema names, in the form of capabilities: a type, and nothing usable.
fn properties(schema: Option<&Value>) -> BTreeMap<FieldName, Value> {
    let named = schema.and_then(|schema| schema.get("properties")?.as_object());
    let each = |(name, property): (&String, &Value)| {
        Some((FieldName::new(name.as_str()).ok()?, json!({"schema": property})))
    };
    named.into_iter().flatten().filter_map(each).collect()
}

/// A name or a list of names.
fn key_fields(given: &Value) -> Vec<FieldName> {
    let names = match given {
        Value::Array(names) => names.as_slice(),
        single => std::slice::from_ref(single),
    };
    names.iter().filter_map(Value::as_str).filter_map(|name| FieldName::new(name).ok()).collect()
}

/// What can be read of a list; an entry in a form we do not know is left out.
fn read_all<T: serde::de::DeserializeOwned>(given: Vec<Value>) -> Vec<T> {
    given.into_iter().filter_map(|entry| serde_json::from_value(entry).ok()).collect()
}

/// A key in any form: some servers send the address of a connector.
fn any_key<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Option<ConnectorKey>, D::Error> {
    Ok(Option::<String>::deserialize(given)?.as_deref().and_then(connector_key))
}

/// A connector's key, or the last segment of its address.
pub(in crate::remote) fn connector_key(id: &str) -> Option<ConnectorKey> {
    if let Ok(key) = ConnectorKey::new(id) {
        return Some(key);
    }
    let last = id.trim_end_matches('/').rsplit('/').next()?;
    ConnectorKey::new(last).ok()
}

fn size(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The operators of a list of words.
pub(in crate::remote) fn operators<'a>(words: impl Iterator<Item = &'a str>) -> Vec<RangeOperator> {
    let all = [RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];
    words.filter_map(|word| all.into_iter().find(|known| known.as_str() == word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str, request: &SchemaRequest) -> SchemaDocument {
        serde_json::from_str::<WireSchema>(body).unwrap().into_document(request).unwrap()
    }

    const COMPACT: &str = r#"{"object":"schema","bearer":{"token_kind":"client","scope":"grant"},
        "connectors":[{"object":"connector","connector_key":"slack","stream_count":2,
          "granted_connections":[{"connection_id":"cin_1","display_name":"Acme"}],
          "streams":[{"name":"messages","primary_key":["id"],"cursor_field":"sent_at",
             "field_capabilities":{"id":"t=string,eq","sent_at":"t=string,r=gte|lt,lex,a=group_by_time",
             "hidden":"t=string,g=false,eq"}},
            {"name":"users","primary_key":"id","connection_id":"cin_2"}]}]}"#;

    #[test]
    fn flags_and_lifted_connections_are_understood() {
        let document = read(COMPACT, &SchemaRequest::default());
        assert_eq!((document.connector_count, document.stream_count), (1, 2));
        let messages = &document.connectors[0].streams[0];
        assert_eq!(messages.granted_connections[0].connection_id.as_str(), "cin_1");
        let sent_at = &messages.field_capabilities["sent_at"];
        assert_eq!(sent_at.range_filter, [RangeOperator::Gte, RangeOperator::Lt]);
        assert!(sent_at.sortable && sent_at.lexical_search && !sent_at.exact_filter);
        assert_eq!(sent_at.aggregation, ["group_by_time"]);
        assert!(!messages.field_capabilities.contains_key("hidden"), "not granted");
        let users = &document.connectors[0].streams[1];
        assert_eq!(users.granted_connections[0].connection_id.as_str(), "cin_2");
        assert_eq!(users.primary_key.len(), 1);
    }

    #[test]
    fn a_server_that_does_not_narrow_is_narrowed() {
        let request = SchemaRequest {
            stream: StreamName::new("users").ok(),
            connection_id: ConnectionId::new("cin_2").ok(),
            ..SchemaRequest::default()
        };
        let document = read(COMPACT, &request);
        assert_eq!(document.stream_count, 1);
        assert_eq!(document.connectors[0].streams[0].name.as_str(), "users");
    }
}
