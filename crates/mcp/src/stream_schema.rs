//! One stream in detail: its fields in plain words, and calls that work as they stand.

use pdpp_contract::ConnectorKey;
use pdpp_contract::declaration::Cardinality;
use pdpp_contract::schema::{SchemaDetail, SchemaRequest, StreamMetadata};
use serde_json::{Map, Value, json};

use crate::adapter::Adapter;
use crate::answer::ToolAnswer;
use crate::examples::examples;
use crate::field_words::{aggregate_words, field_words};
use crate::ids::printed;
use crate::one_line::{ascii_json, one_line, quoted};
use crate::paging::{Question, page_end};
use crate::refusal::Refusal;

/// Bytes of the fields in one page: text, and data.
const COMPACT_BYTES: (usize, usize) = (3_700, 3_900);
const FULL_BYTES: (usize, usize) = (20_000, 22_000);
/// Connections that a stream's line names.
const MOST_CONNECTIONS: usize = 8;
/// Relations that a stream's line names.
const MOST_RELATIONS: usize = 12;
/// The longest property that is shown.
const PROPERTY_BYTES: usize = 16_000;

/// Connections with equal capabilities share one block.
struct Block<'a> {
    connector: &'a ConnectorKey,
    stream: &'a StreamMetadata,
}

impl Adapter {
    /// A stream's capabilities, once per set of connections that have the same.
    pub(crate) async fn stream_schema(
        &self,
        request: SchemaRequest,
        cursor: Option<&str>,
    ) -> Result<ToolAnswer, Refusal> {
        let full = request.detail == SchemaDetail::Full;
        let (stream, connection) = (request.stream.clone(), request.connection_id.clone());
        let schema = match (self.read.schema(request).await, stream) {
            (Ok(schema), _) => schema,
            (Err(error), Some(stream)) => {
                return Err(self.explain(error, &stream, connection.as_ref()).await);
            }
            (Err(error), None) => return Err(error.into()),
        };
        let blocks: Vec<Block<'_>> = schema
            .connectors
            .iter()
            .flat_map(|connector| {
                let key = &connector.connector_key;
                connector.streams.iter().map(move |stream| Block { connector: key, stream })
            })
            .collect();
        let items: Vec<(usize, &str)> = blocks
            .iter()
            .enumerate()
            .flat_map(|(at, block)| {
                let fields = block.stream.field_capabilities.keys();
                fields.map(move |field| (at, field.as_str()))
            })
            .collect();
        let (question, costs) = measure(&blocks, &items, full);
        let start = self.place(&question, cursor).await?;
        let end = page_end(&costs, start, if full { FULL_BYTES } else { COMPACT_BYTES });
        let next = (end < items.len()).then(|| self.cursor_at(&question, end)).flatten();
        let shown = items.get(start..end).unwrap_or_default();
        let rest: Vec<&str> = items.iter().skip(end).map(|(_, field)| *field).collect();
        let page = Page { blocks: &blocks, shown, rest: &rest, next: next.as_deref(), full };
        let mut data = page.document(start == 0);
        if let (Some(next), Some(members)) = (&next, data.as_object_mut()) {
            members.insert("next_cursor".to_owned(), json!(next));
        }
        Ok(ToolAnswer::new(page.text(start == 0), json!({"data": data})))
    }
}

fn measure(
    blocks: &[Block<'_>],
    items: &[(usize, &str)],
    full: bool,
) -> (Question, Vec<(usize, usize)>) {
    let mut question = Question::new(if full { "full" } else { "stream" });
    let mut costs = Vec::with_capacity(items.len());
    let mut before = usize::MAX;
    for (at, field) in items {
        let Some(block) = blocks.get(*at) else { continue };
        let line = block.line(field, full);
        question.add(&line);
        let data = block.property(field, full).to_string().len() + field.len() + line.len() + 8;
        // A block costs its own lines too, on every page it appears on.
        let own = if before == *at { 0 } else { block.head().len() + 400 };
        before = *at;
        costs.push((line.len() + 1 + own, data + own));
    }
    (question, costs)
}

impl Block<'_> {
    /// Which stream, of which connections.
    fn head(&self) -> String {
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
    fn facts(&self) -> Vec<String> {
        let stream = self.stream;
        let mut out = Vec::new();
        if let Some(text) = &stream.description {
            out.push(format!("about: {}", one_line(text, 240)));
        }
        let names = |fields: &[pdpp_contract::FieldName]| {
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

    fn line(&self, field: &str, full: bool) -> String {
        let words = self.words(field);
        if !full {
            return format!("  {}: {words}", one_line(field, 128));
        }
        let property = self.property(field, full);
        format!("  {}: {words}; {}", one_line(field, 128), ascii_json(&property))
    }

    fn words(&self, field: &str) -> String {
        self.stream.field_capabilities.get(field).map(field_words).unwrap_or_default()
    }

    /// The field's JSON Schema, with full detail only.
    fn property(&self, field: &str, full: bool) -> Value {
        let schema = self.stream.schema.as_ref().filter(|_| full);
        let property = schema.and_then(|schema| schema.get("properties")?.get(field)).cloned();
        let property = property.unwrap_or(Value::Null);
        let bytes = property.to_string().len();
        if bytes > PROPERTY_BYTES {
            return json!({"type": property.get("type"), "left_out_bytes": bytes});
        }
        property
    }
}

/// The fields of one block that a page shows.
struct StreamRow {
    block: usize,
    words: Map<String, Value>,
    properties: Map<String, Value>,
}

/// What one page shows.
struct Page<'a> {
    blocks: &'a [Block<'a>],
    shown: &'a [(usize, &'a str)],
    rest: &'a [&'a str],
    next: Option<&'a str>,
    full: bool,
}

impl Page<'_> {
    fn text(&self, first: bool) -> String {
        let mut out = String::new();
        if let Some(cursor) = self.next {
            let names = one_line(&self.rest.join(", "), if self.full { 2_000 } else { 200 });
            out.push_str(&format!(
                "{} fields follow: schema with the same arguments and cursor={cursor}\nthey are: {names}\n",
                self.rest.len()
            ));
        }
        let mut before = usize::MAX;
        for (at, field) in self.shown {
            let Some(block) = self.blocks.get(*at) else { continue };
            if before != *at {
                out.push_str(&block.head());
                out.push('\n');
                if first || before != usize::MAX {
                    out.push_str(&block.facts().join("\n"));
                    out.push('\n');
                }
                before = *at;
            }
            out.push_str(&block.line(field, self.full));
            out.push('\n');
        }
        out.push_str("filter = {\"field\":value}; range(ops) = {\"field\":{\"gte\":value}}; sort = sort argument; search = found by words.");
        if let (true, Some(block)) = (first, self.blocks.first()) {
            for example in examples(block.stream) {
                out.push('\n');
                out.push_str(&example);
            }
        }
        out
    }

    fn document(&self, first: bool) -> Value {
        let mut streams: Vec<StreamRow> = Vec::new();
        for (at, field) in self.shown {
            let Some(block) = self.blocks.get(*at) else { continue };
            if streams.last().is_none_or(|row| row.block != *at) {
                streams.push(StreamRow { block: *at, words: Map::new(), properties: Map::new() });
            }
            let Some(row) = streams.last_mut() else { continue };
            row.words.insert((*field).to_owned(), json!(block.words(field)));
            if self.full {
                row.properties.insert((*field).to_owned(), block.property(field, true));
            }
        }
        let connectors: Vec<Value> = streams
            .into_iter()
            .filter_map(|row| {
                let block = self.blocks.get(row.block)?;
                let row = self.row(block, row, first);
                Some(json!({"connector_key": block.connector, "streams": [row]}))
            })
            .collect();
        json!({
            "object": "schema",
            "detail": if self.full { "full" } else { "compact" },
            "stream_count": self.blocks.len(),
            "connectors": connectors,
        })
    }

    fn row(&self, block: &Block<'_>, row: StreamRow, first: bool) -> Value {
        let StreamRow { words, properties, .. } = row;
        let stream = block.stream;
        let granted: Vec<_> = stream.granted_connections.iter().take(MOST_CONNECTIONS).collect();
        let mut out = json!({
            "name": stream.name,
            "granted_connections": granted,
            "granted_connection_count": stream.granted_connections.len(),
            "primary_key": stream.primary_key,
            "cursor_field": stream.cursor_field,
            "count": stream.count,
            "field_count": stream.field_capabilities.len(),
        });
        let Some(members) = out.as_object_mut() else { return out };
        members.insert("field_capabilities".to_owned(), Value::Object(words));
        if first {
            members.insert(
                "description".to_owned(),
                json!(stream.description.as_deref().map(|text| one_line(text, 240))),
            );
            let relations: Vec<_> =
                stream.expand_capabilities.iter().take(MOST_RELATIONS).collect();
            members.insert("expand_capabilities".to_owned(), json!(relations));
            members.insert("examples".to_owned(), json!(examples(stream)));
        }
        if self.full {
            members.insert(
                "schema".to_owned(),
                json!({"type": "object", "properties": Value::Object(properties)}),
            );
        }
        out
    }
}
