//! One stream in detail: its fields in plain words, and calls that work as they stand.

use pdpp_contract::schema::{GrantedConnection, SchemaDetail, SchemaRequest};
use serde_json::{Map, Value, json};

use crate::adapter::Adapter;
use crate::answer::ToolAnswer;
use crate::examples::examples;
use crate::measure::json_bytes;
use crate::one_line::one_line;
use crate::paging::{Question, page_end};
use crate::refusal::Refusal;
use crate::stream_block::{Block, MOST_CONNECTIONS, MOST_RELATIONS};
use crate::titles;

/// Bytes of the fields in one page: text, and data.
const COMPACT_BYTES: (usize, usize) = (3_700, 3_900);
const FULL_BYTES: (usize, usize) = (20_000, 22_000);

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
        let data = json_bytes(&block.property(field, full)) + field.len() + line.len() + 8;
        // A block costs its own lines too, on every page it appears on.
        let own = if before == *at { 0 } else { block.head().len() + 400 };
        before = *at;
        costs.push((line.len() + 1 + own, data + own));
    }
    (question, costs)
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
        let granted = stream.granted_connections.iter().take(MOST_CONNECTIONS);
        let granted: Vec<_> = granted.cloned().map(labelled).collect();
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

/// A connection with its label as one line.
fn labelled(mut connection: GrantedConnection) -> GrantedConnection {
    connection.display_name = connection.display_name.as_deref().and_then(titles::label);
    connection
}
