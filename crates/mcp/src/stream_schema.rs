//! One stream in detail: its fields in plain words, and calls that work as they stand.

use pdpp_contract::FieldName;
use pdpp_contract::schema::{SchemaDetail, SchemaRequest};
use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::answer::ToolAnswer;
use crate::examples::examples;
use crate::measure::json_bytes;
use crate::one_line::one_line;
use crate::paging::{Question, page_end};
use crate::refusal::Refusal;
use crate::stream_block::{Block, Fields};

/// Bytes of one page: text as it is written in JSON, and data.
const COMPACT_BYTES: (usize, usize) = (5_900, 5_900);
const FULL_BYTES: (usize, usize) = (22_800, 24_000);
/// What a page takes beside its streams: the way on and what the words mean, or the envelope.
const AROUND_BYTES: (usize, usize) = (560, 360);
/// Bytes of the names of fields that follow: in a compact page, and in a full one.
const REST_CHARS: (usize, usize) = (200, 2_000);
const UNDESCRIBED: &str =
    "  this provider does not describe its fields; query_records with limit 1 shows them";
const LEGEND: &str = "filter = {\"field\":value}; range(ops) = {\"field\":{\"gte\":value}}; \
    sort = sort argument; search = found by words.";

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
        let items = items(&blocks);
        let (question, costs) = measure(&blocks, &items, full);
        let start = self.place(&question, cursor).await?;
        let end = page_end(&costs, start, room(&blocks, items.get(start), full));
        let next = (end < items.len()).then(|| self.cursor_at(&question, end)).flatten();
        let shown = items.get(start..end).unwrap_or_default();
        let rest: Vec<&str> = items.iter().skip(end).map(|item| item.field).collect();
        let page = Page { blocks: &blocks, shown, rest: &rest, next: next.as_deref(), full };
        let mut data = page.document();
        if let (Some(next), Some(members)) = (&next, data.as_object_mut()) {
            members.insert("next_cursor".to_owned(), json!(next));
        }
        Ok(ToolAnswer::new(page.text(), json!({"data": data})))
    }
}

/// One field of one block.
struct Item<'a> {
    block: usize,
    field: &'a str,
    /// The first of its block, where the block's facts stand.
    begins: bool,
}

fn items<'a>(blocks: &'a [Block<'a>]) -> Vec<Item<'a>> {
    let fields = blocks.iter().enumerate().flat_map(|(block, own)| {
        let fields = own.stream.field_capabilities.keys().map(FieldName::as_str);
        // A block without fields has one item all the same, for its facts.
        let none = own.stream.field_capabilities.is_empty().then_some("");
        let fields = fields.chain(none).enumerate();
        fields.map(move |(at, field)| Item { block, field, begins: at == 0 })
    });
    fields.collect()
}

/// What each field costs, with its block's facts where it is the first one.
fn measure(
    blocks: &[Block<'_>],
    items: &[Item<'_>],
    full: bool,
) -> (Question, Vec<(usize, usize)>) {
    let mut question = Question::new(if full { "full" } else { "stream" });
    let mut costs = Vec::with_capacity(items.len());
    for item in items {
        let Some(block) = blocks.get(item.block) else { continue };
        let line = block.line(item.field, full);
        question.add(&line);
        let mut text = json_bytes(&line);
        let mut data = json_bytes(&block.words(item.field)) + json_bytes(&item.field) + 2;
        if full {
            data += json_bytes(&block.property(item.field)) + json_bytes(&item.field) + 2;
        }
        if item.begins {
            text += json_bytes(&block.opening(full));
            data += json_bytes(&block.row(&Fields::default(), true, full));
        }
        costs.push((text, data));
    }
    // The examples are those of the first block.
    if let (Some(cost), Some(block)) = (costs.first_mut(), blocks.first()) {
        let examples = examples(block.stream);
        cost.0 += json_bytes(&examples.join("\n"));
        cost.1 += json_bytes(&examples) + 12;
    }
    (question, costs)
}

/// Bytes that the fields of a page may take, which begins with this one.
fn room(blocks: &[Block<'_>], first: Option<&Item<'_>>, full: bool) -> (usize, usize) {
    let (most, rest) =
        if full { (FULL_BYTES, REST_CHARS.1) } else { (COMPACT_BYTES, REST_CHARS.0) };
    let mut around = (AROUND_BYTES.0 + rest, AROUND_BYTES.1);
    // A block that goes on is named once more.
    if let Some(block) = first.filter(|item| !item.begins).and_then(|item| blocks.get(item.block)) {
        around.0 += json_bytes(&block.head());
        around.1 += json_bytes(&block.row(&Fields::default(), false, full));
    }
    (most.0.saturating_sub(around.0), most.1.saturating_sub(around.1))
}

/// What one page shows.
struct Page<'a> {
    blocks: &'a [Block<'a>],
    shown: &'a [Item<'a>],
    rest: &'a [&'a str],
    next: Option<&'a str>,
    full: bool,
}

impl Page<'_> {
    fn text(&self) -> String {
        let mut out = String::new();
        if let Some(cursor) = self.next {
            let chars = if self.full { REST_CHARS.1 } else { REST_CHARS.0 };
            let names = one_line(&self.rest.join(", "), chars);
            out.push_str(&format!(
                "{} fields follow: schema with the same arguments and cursor={cursor}\nthey are: {names}\n",
                self.rest.len()
            ));
        }
        let mut before = usize::MAX;
        for item in self.shown {
            let Some(block) = self.blocks.get(item.block) else { continue };
            if item.begins {
                out.push_str(&block.opening(self.full));
                out.push('\n');
            } else if before == usize::MAX {
                out.push_str(&block.head());
                out.push('\n');
            }
            before = item.block;
            match item.field {
                "" => out.push_str(UNDESCRIBED),
                field => out.push_str(&block.line(field, self.full)),
            }
            out.push('\n');
        }
        out.push_str(LEGEND);
        for example in self.examples() {
            out.push('\n');
            out.push_str(&example);
        }
        out
    }

    /// Calls for the first block, on the page where it begins.
    fn examples(&self) -> Vec<String> {
        let first = self.shown.first().filter(|item| item.begins && item.block == 0);
        let block = first.and_then(|item| self.blocks.get(item.block));
        block.map(|block| examples(block.stream)).unwrap_or_default()
    }

    fn document(&self) -> Value {
        let mut rows: Vec<(usize, bool, Fields)> = Vec::new();
        for item in self.shown {
            let Some(block) = self.blocks.get(item.block) else { continue };
            if rows.last().is_none_or(|(at, ..)| *at != item.block) {
                rows.push((item.block, item.begins, Fields::default()));
            }
            let Some((_, _, fields)) = rows.last_mut().filter(|_| !item.field.is_empty()) else {
                continue;
            };
            fields.words.insert(item.field.to_owned(), json!(block.words(item.field)));
            if self.full {
                fields.properties.insert(item.field.to_owned(), block.property(item.field));
            }
        }
        let rows = rows.into_iter().filter_map(|(at, begins, fields)| {
            Some(self.blocks.get(at)?.row(&fields, begins, self.full))
        });
        let mut connectors: Vec<Value> = rows.collect();
        let examples = self.examples();
        let first = connectors.first_mut().and_then(|row| row.pointer_mut("/streams/0"));
        if let Some(members) = first.and_then(Value::as_object_mut).filter(|_| !examples.is_empty())
        {
            members.insert("examples".to_owned(), json!(examples));
        }
        json!({
            "object": "schema",
            "detail": if self.full { "full" } else { "compact" },
            "stream_count": self.blocks.len(),
            "connectors": connectors,
        })
    }
}
