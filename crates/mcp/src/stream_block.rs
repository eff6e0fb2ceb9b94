//! One stream as several connections share it: its head, its facts and its fields, in words.

use pdpp_contract::declaration::Cardinality;
use pdpp_contract::schema::StreamMetadata;
use pdpp_contract::{ConnectorKey, FieldName};
use serde_json::{Value, json};

use crate::field_words::{aggregate_words, field_words};
use crate::ids::printed;
use crate::measure::json_bytes;
use crate::one_line::{ascii_json, one_line, quoted};

/// Connections that a stream's line names.
pub(crate) const MOST_CONNECTIONS: usize = 8;
/// Relations that a stream's line names.
pub(crate) const MOST_RELATIONS: usize = 12;
/// The longest property that is shown.
const PROPERTY_BYTES: usize = 16_000;

/// Connections with equal capabilities share one block.
pub(crate) struct Block<'a> {
    pub connector: &'a ConnectorKey,
    pub stream: &'a StreamMetadata,
}

impl Block<'_> {
    /// Which stream, of which connections.
    pub(crate) fn head(&self) -> String {
        let granted = &self.stream.granted_connections;
        let names = granted.iter().take(MOST_CONNECTIONS).map(|connection| {
            let id = printed(connection.connection_id.as_str());
            match &connection.display_name {
                Some(name) => format!("{id} {}", quoted(name, 40)),
                None => id,
            }
        });
        let mut out = format!(
            "stream={} connector_key={} connection_id={}",
            printed(self.stream.name.as_str()),
            printed(self.connector.as_str()),
            names.collect::<Vec<_>>().join(", ")
        );
        let more = granted.len().saturating_sub(MOST_CONNECTIONS);
        if more > 0 {
            out.push_str(&format!(" and {more} more connections, see schema without arguments"));
        }
        out
    }

    /// What the stream as a whole can do.
    pub(crate) fn facts(&self) -> Vec<String> {
        let stream = self.stream;
        let mut out = Vec::new();
        if let Some(text) = &stream.description {
            out.push(format!("about: {}", one_line(text, 240)));
        }
        let names = |fields: &[FieldName]| {
            fields.iter().map(|field| one_line(field.as_str(), 128)).collect::<Vec<_>>().join(", ")
        };
        out.push(format!("always_returned: {}", names(&stream.primary_key)));
        let sortable: Vec<String> = stream
            .field_capabilities
            .iter()
            .filter(|(_, can)| can.sortable)
            .map(|(name, _)| one_line(name.as_str(), 60))
            .take(12)
            .collect();
        let order = stream.cursor_field.as_ref().map_or("primary key", |field| field.as_str());
        let sortable =
            if sortable.is_empty() { "nothing else".to_owned() } else { sortable.join(", ") };
        out.push(format!(
            "order: {}; sort: {sortable} (-field for descending)",
            one_line(order, 128)
        ));
        out.push(format!(
            "fields: any of those below; count: {}",
            if stream.count { "exact, estimated" } else { "none" }
        ));
        let searched = stream.field_capabilities.values().any(|can| can.lexical_search);
        out.push(format!(
            "search: {}",
            if searched { "lexical, in fields marked search" } else { "no" }
        ));
        out.push(format!("aggregate: {}", aggregate_words(stream)));
        let related: Vec<String> = stream
            .expand_capabilities
            .iter()
            .take(MOST_RELATIONS)
            .map(|relation| {
                let name = one_line(&relation.name, 60);
                let many = match relation.cardinality {
                    Cardinality::HasOne => "one",
                    Cardinality::HasMany => "many",
                };
                let most =
                    relation.max_limit.map_or(String::new(), |max| format!(", at most {max}"));
                format!("{name} ({many} of {}{most})", one_line(relation.stream.as_str(), 60))
            })
            .collect();
        let related = if related.is_empty() { "none".to_owned() } else { related.join(", ") };
        out.push(format!("expand: {related}"));
        out
    }

    pub(crate) fn line(&self, field: &str, full: bool) -> String {
        let words = self.words(field);
        if !full {
            return format!("  {}: {words}", one_line(field, 128));
        }
        let property = self.property(field, full);
        format!("  {}: {words}; {}", one_line(field, 128), ascii_json(&property))
    }

    pub(crate) fn words(&self, field: &str) -> String {
        self.stream.field_capabilities.get(field).map(field_words).unwrap_or_default()
    }

    /// The field's JSON Schema, with full detail only.
    pub(crate) fn property(&self, field: &str, full: bool) -> Value {
        let schema = self.stream.schema.as_ref().filter(|_| full);
        let property = schema.and_then(|schema| schema.get("properties")?.get(field)).cloned();
        let property = property.unwrap_or(Value::Null);
        let bytes = json_bytes(&property);
        if bytes > PROPERTY_BYTES {
            return json!({"type": property.get("type"), "left_out_bytes": bytes});
        }
        property
    }
}
