//! One stream as several connections share it: its head, its facts and its fields, in words.

use pdpp_contract::declaration::Cardinality;
use pdpp_contract::expand::ExpandCapability;
use pdpp_contract::schema::{GrantedConnection, StreamMetadata, StreamTimeLimit};
use pdpp_contract::{ConnectorKey, FieldName};
use serde_json::{Map, Value, json};

use crate::ids::printed;
use crate::ids::unnamed::is_named;
use crate::render::measure::json_bytes;
use crate::render::one_line::{ascii_json, one_line, quoted};
use crate::schema::field_words::{aggregate_words, field_words};

/// Connections that a stream's line names; the others have lines of their own.
pub(crate) const MOST_CONNECTIONS: usize = 8;
/// The longest definitions that full detail shows.
const DEFINITION_BYTES: usize = 8_000;
/// Bytes of the relations that are named: compact, and with full detail.
const RELATION_BYTES: (usize, usize) = (1_000, 6_000);
/// Sortable fields that stand in one line; each field's own line says it too.
const SORTABLE_CHARS: usize = 240;
/// Time limits that are named; streams of many accounts may have one each.
const MOST_LIMITS: usize = 3;
/// Said of an account without a limit beside one with.
const UNLIMITED: &str = "none for others";
/// The longest property that is shown.
const PROPERTY_BYTES: usize = 12_000;

/// What a page shows of a stream.
#[derive(Default)]
pub(crate) struct Shown {
    pub words: Map<String, Value>,
    pub properties: Map<String, Value>,
    /// Connections beyond those that stand at its beginning.
    pub connections: Vec<GrantedConnection>,
}

/// Connections with equal capabilities share one block.
pub(crate) struct Block<'a> {
    pub connector: &'a ConnectorKey,
    pub stream: &'a StreamMetadata,
}

impl Block<'_> {
    /// Which stream, of which connections.
    pub(crate) fn head(&self) -> String {
        let granted = &self.stream.granted_connections;
        let names = granted.iter().take(MOST_CONNECTIONS).map(connection_words);
        let mut out = format!(
            "stream={} connector_key={}",
            printed(self.stream.name.as_str()),
            printed(self.connector.as_str()),
        );
        if granted.iter().any(|connection| is_named(&connection.connection_id)) {
            let names = names.collect::<Vec<_>>().join(", ");
            out.push_str(&format!(" connection_id={names}"));
        }
        let more = granted.len().saturating_sub(MOST_CONNECTIONS);
        if more > 0 {
            out.push_str(&format!(" and {more} more connections, named after the fields"));
        }
        out
    }

    /// Which stream, and what it can do as a whole.
    pub(crate) fn opening(&self, full: bool) -> String {
        let stream = self.stream;
        let mut out = vec![self.head()];
        if let Some(text) = &stream.description {
            out.push(format!("about (the source's own words): {}", quoted(text, 240)));
        }
        let names = |fields: &[FieldName]| {
            fields.iter().map(|field| one_line(field.as_str(), 128)).collect::<Vec<_>>().join(", ")
        };
        out.extend(self.time_limit());
        out.push(format!("always_returned: {}", names(&stream.primary_key)));
        let sortable: Vec<&str> = stream
            .field_capabilities
            .iter()
            .filter(|(_, can)| can.sortable)
            .map(|(name, _)| name.as_str())
            .collect();
        let order = stream.cursor_field.as_ref().map_or("primary key", |field| field.as_str());
        let sortable = match sortable.as_slice() {
            [] => "nothing else".to_owned(),
            names => one_line(&names.join(", "), SORTABLE_CHARS),
        };
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
        out.push(format!("expand: {}", self.related(full)));
        if let Some(definitions) = self.definitions().filter(|_| full) {
            out.push(format!("$defs: {}", ascii_json(&definitions)));
        }
        out.join("\n")
    }

    /// The time limits of the grants, the shared one or the first few.
    fn time_limit(&self) -> Option<String> {
        let granted = self.stream.granted_connections.iter();
        let mut limits: Vec<String> = granted.clone().map(limit_words).collect();
        limits.sort();
        limits.dedup();
        if limits.iter().all(|limit| limit == UNLIMITED) {
            return None;
        }
        let mut noted = self.stream.granted_connections.iter();
        let rolls = noted.find_map(|one| one.time_limit.as_ref()?.note.as_deref());
        let more = if limits.len() > MOST_LIMITS { "; and others" } else { "" };
        let limits: Vec<String> = limits.into_iter().take(MOST_LIMITS).collect();
        let rolls = rolls.map(|note| format!(" ({})", one_line(note, 160))).unwrap_or_default();
        Some(format!("time limit of your access: {}{more}{rolls}", limits.join("; ")))
    }

    /// What properties refer to.
    fn definitions(&self) -> Option<Value> {
        let definitions = self.stream.schema.as_ref()?.get("$defs")?;
        let bytes = json_bytes(definitions);
        if bytes > DEFINITION_BYTES {
            return Some(json!({"left_out_bytes": bytes}));
        }
        Some(definitions.clone())
    }

    /// The required ones among some properties.
    fn required(&self, shown: &Map<String, Value>) -> Vec<&str> {
        let all = self.stream.schema.as_ref().and_then(|schema| schema.get("required")?.as_array());
        let names = all.into_iter().flatten().filter_map(Value::as_str);
        names.filter(|name| shown.contains_key(*name)).collect()
    }

    fn related(&self, full: bool) -> String {
        let shown = self.relations(full);
        let words = shown.iter().map(|relation| {
            let many = match relation.cardinality {
                Cardinality::HasOne => "one",
                Cardinality::HasMany => "many",
            };
            let most = relation.max_limit.map_or(String::new(), |max| format!(", at most {max}"));
            let (name, stream) = (one_line(&relation.name, 128), relation.stream.as_str());
            format!("{name} ({many} of {}{most})", one_line(stream, 128))
        });
        let mut words: Vec<String> = words.collect();
        match self.stream.expand_capabilities.len() - shown.len() {
            0 if words.is_empty() => "none".to_owned(),
            0 => words.join(", "),
            more => {
                words.push(format!("and {more} more, see detail \"full\""));
                words.join(", ")
            }
        }
    }

    /// The relations that there is room for.
    fn relations(&self, full: bool) -> &[ExpandCapability] {
        let mut room = if full { RELATION_BYTES.1 } else { RELATION_BYTES.0 };
        let all = &self.stream.expand_capabilities;
        let fits = all.iter().take_while(|relation| {
            let bytes = json_bytes(relation) + 1;
            let fits = bytes <= room;
            room = room.saturating_sub(bytes);
            fits
        });
        all.get(..fits.count()).unwrap_or_default()
    }

    /// The stream as data, with some of its fields and, where it begins, what it can do as a whole.
    pub(crate) fn row(&self, shown: &Shown, begins: bool, full: bool) -> Value {
        let stream = self.stream;
        let mut granted = shown.connections.clone();
        if begins {
            let first = stream.granted_connections.iter().take(MOST_CONNECTIONS);
            granted = first.map(bounded).chain(granted).collect();
        }
        let mut out = json!({
            "name": stream.name,
            "granted_connections": granted,
            "granted_connection_count": stream.granted_connections.len(),
            "primary_key": stream.primary_key,
            "cursor_field": stream.cursor_field,
            "count": stream.count,
            "field_count": stream.field_capabilities.len(),
            "field_capabilities": shown.words,
        });
        if let Some(members) = out.as_object_mut() {
            if begins {
                let about = stream.description.as_deref().map(|text| one_line(text, 240));
                members.insert("description".to_owned(), json!(about));
                members.insert("expand_capabilities".to_owned(), json!(self.relations(full)));
                let relations = stream.expand_capabilities.len();
                members.insert("expand_capability_count".to_owned(), json!(relations));
            }
            if full {
                let mut schema = Map::new();
                schema.insert("type".to_owned(), json!("object"));
                schema.insert("required".to_owned(), json!(self.required(&shown.properties)));
                schema.insert("properties".to_owned(), json!(shown.properties));
                let definitions = self.definitions().filter(|_| begins);
                schema.extend(definitions.map(|them| ("$defs".to_owned(), them)));
                members.insert("schema".to_owned(), Value::Object(schema));
            }
        }
        json!({"connector_key": self.connector, "streams": [out]})
    }

    pub(crate) fn line(&self, field: &str, full: bool) -> String {
        let words = self.words(field);
        if !full {
            return format!("  {}: {words}", one_line(field, 128));
        }
        format!("  {}: {words}; {}", one_line(field, 128), ascii_json(&self.property(field)))
    }

    pub(crate) fn words(&self, field: &str) -> String {
        self.stream.field_capabilities.get(field).map(field_words).unwrap_or_default()
    }

    /// The field's JSON Schema.
    pub(crate) fn property(&self, field: &str) -> Value {
        let schema = self.stream.schema.as_ref();
        let property = schema.and_then(|schema| schema.get("properties")?.get(field)).cloned();
        let property = property.unwrap_or(Value::Null);
        let bytes = json_bytes(&property);
        if bytes > PROPERTY_BYTES {
            return json!({"type": property.get("type"), "left_out_bytes": bytes});
        }
        property
    }
}

/// A connection as data, its label within bounds. What its time limit means is said in the text.
pub(crate) fn bounded(connection: &GrantedConnection) -> GrantedConnection {
    let name = connection.display_name.as_deref().map(|name| one_line(name, 120));
    let mut bounded = GrantedConnection { display_name: name, ..connection.clone() };
    if let Some(limit) = &mut bounded.time_limit {
        let short = |text: &Option<String>| text.as_deref().map(|text| one_line(text, 40));
        *limit = StreamTimeLimit {
            since: short(&limit.since),
            until: short(&limit.until),
            since_rule: short(&limit.since_rule),
            until_rule: short(&limit.until_rule),
            note: limit.note.as_deref().map(|note| one_line(note, 160)),
        };
    }
    bounded
}

/// The time limit of one connection in words.
fn limit_words(connection: &GrantedConnection) -> String {
    let Some(limit) = &connection.time_limit else {
        return UNLIMITED.to_owned();
    };
    let bound = |word: &str, at: Option<&str>, rule: Option<&str>| {
        let rule = rule.map(|rule| format!(" (rolling {})", one_line(rule, 40)));
        at.map(|at| format!("{word} {}{}", one_line(at, 40), rule.unwrap_or_default()))
    };
    let since = bound("from", limit.since.as_deref(), limit.since_rule.as_deref());
    let until = bound("before", limit.until.as_deref(), limit.until_rule.as_deref());
    since.into_iter().chain(until).collect::<Vec<_>>().join(" ")
}

/// A connection in words.
pub(crate) fn connection_words(connection: &GrantedConnection) -> String {
    let id = printed(connection.connection_id.as_str());
    match &connection.display_name {
        Some(name) => format!("{id} {}", quoted(name, 40)),
        None => id,
    }
}
