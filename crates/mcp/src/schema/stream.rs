//! One stream in detail: its fields in plain words, and calls that work as they stand.

use pdpp_contract::schema::{GrantedConnection, SchemaDetail, SchemaRequest};
use serde_json::{Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::refusal::Refusal;
use crate::render::measure::json_bytes;
use crate::render::one_line::one_line;
use crate::render::paging::{Question, page_end};
use crate::schema::examples::examples;
use crate::schema::stream_block::{Block, MOST_CONNECTIONS, Shown, bounded, connection_words};

/// Bytes of one page: text as it is written in JSON, and data.
const COMPACT_BYTES: (usize, usize) = (5_900, 5_900);
const FULL_BYTES: (usize, usize) = (22_800, 24_000);
/// What a page takes beside its streams: the way on and what the words mean, or the envelope.
const AROUND_BYTES: (usize, usize) = (560, 420);
/// Bytes of the names of fields that follow: in a compact page, and in a full one.
const REST_CHARS: (usize, usize) = (200, 2_000);
const UNDESCRIBED: &str =
    "  this provider does not describe its fields; query_records with limit 1 shows them";
const LEGEND: &str = "filter = {\"field\":value}; range(ops) = {\"field\":{\"gte\":value}}; \
    sort = sort argument; search = found by words.";

impl CallContext {
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
        let rest: Vec<&str> = items.iter().skip(end).filter_map(Item::field).collect();
        let page = Page { blocks: &blocks, shown, rest: &rest, next: next.as_deref(), full };
        let mut data = page.document();
        if let (Some(next), Some(members)) = (&next, data.as_object_mut()) {
            members.insert("next_cursor".to_owned(), json!(next));
        }
        Ok(ToolAnswer::new(page.text(), json!({"data": data})))
    }
}

/// One line of one block.
struct Item<'a> {
    block: usize,
    what: What<'a>,
    /// The first of its block, where the block's facts stand.
    begins: bool,
}

#[derive(Clone, Copy)]
enum What<'a> {
    Field(&'a str),
    /// One that finds no room at the beginning.
    Connection(&'a GrantedConnection),
    /// Fields that nobody describes; their block has a place all the same, for its facts.
    Undescribed,
}

impl<'a> Item<'a> {
    fn field(&self) -> Option<&'a str> {
        match self.what {
            What::Field(field) => Some(field),
            What::Connection(_) | What::Undescribed => None,
        }
    }

    fn line(&self, block: &Block<'_>, full: bool) -> String {
        match self.what {
            What::Field(field) => block.line(field, full),
            What::Connection(connection) => {
                format!("  connection_id={}", connection_words(connection))
            }
            What::Undescribed => UNDESCRIBED.to_owned(),
        }
    }

    /// Adds it to what a page shows as data.
    fn show(&self, block: &Block<'_>, full: bool, shown: &mut Shown) {
        match self.what {
            What::Connection(connection) => shown.connections.push(bounded(connection)),
            What::Undescribed => {}
            What::Field(field) => {
                shown.words.insert(field.to_owned(), json!(block.words(field)));
                if full {
                    shown.properties.insert(field.to_owned(), block.property(field));
                }
            }
        }
    }
}

fn items<'a>(blocks: &'a [Block<'a>]) -> Vec<Item<'a>> {
    let items = blocks.iter().enumerate().flat_map(|(block, own)| {
        let fields = own.stream.field_capabilities.keys().map(|field| What::Field(field.as_str()));
        let others = own.stream.granted_connections.iter().skip(MOST_CONNECTIONS);
        let none = own.stream.field_capabilities.is_empty().then_some(What::Undescribed);
        let all = fields.chain(none).chain(others.map(What::Connection)).enumerate();
        all.map(move |(at, what)| Item { block, what, begins: at == 0 })
    });
    items.collect()
}

/// What each line costs, with its block's facts where it is the first one.
fn measure(
    blocks: &[Block<'_>],
    items: &[Item<'_>],
    full: bool,
) -> (Question, Vec<(usize, usize)>) {
    let mut question = Question::new(if full { "full" } else { "stream" });
    let mut costs = Vec::with_capacity(items.len());
    for item in items {
        let Some(block) = blocks.get(item.block) else { continue };
        let line = item.line(block, full);
        question.add(&line);
        let mut shown = Shown::default();
        item.show(block, full, &mut shown);
        let mut text = json_bytes(&line);
        // A required property is named once more.
        let mut data = json_bytes(&shown.words)
            + json_bytes(&shown.properties)
            + json_bytes(&shown.connections)
            + item.field().filter(|_| full).map_or(0, |field| json_bytes(&field) + 1);
        if item.begins {
            text += json_bytes(&block.opening(full));
            data += json_bytes(&block.row(&Shown::default(), true, full));
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

/// Bytes that the lines of a page may take, which begins with this one.
fn room(blocks: &[Block<'_>], first: Option<&Item<'_>>, full: bool) -> (usize, usize) {
    let (most, rest) =
        if full { (FULL_BYTES, REST_CHARS.1) } else { (COMPACT_BYTES, REST_CHARS.0) };
    let mut around = (AROUND_BYTES.0 + rest, AROUND_BYTES.1 + rest);
    // A block that goes on is named once more.
    if let Some(block) = first.filter(|item| !item.begins).and_then(|item| blocks.get(item.block)) {
        around.0 += json_bytes(&block.head());
        around.1 += json_bytes(&block.row(&Shown::default(), false, full));
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
            let count = self.rest.len();
            out.push_str(&format!(
                "{count} fields follow: schema with the same arguments and cursor={cursor}\n"
            ));
            if count > 0 {
                let names = self.rest_names();
                let more = if names.len() < count { ", …" } else { "" };
                out.push_str(&format!("they are: {}{more}\n", one_line(&names.join(", "), 4_096)));
            }
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
            out.push_str(&item.line(block, self.full));
            out.push('\n');
        }
        out.push_str(LEGEND);
        for example in self.examples() {
            out.push('\n');
            out.push_str(&example);
        }
        out
    }

    /// As many names of fields that follow as there is room for.
    fn rest_names(&self) -> Vec<&str> {
        let mut room = if self.full { REST_CHARS.1 } else { REST_CHARS.0 };
        let fits = self.rest.iter().take_while(|name| {
            let bytes = json_bytes(name) + 2;
            let fits = bytes <= room;
            room = room.saturating_sub(bytes);
            fits
        });
        fits.copied().collect()
    }

    /// Calls for the first block, on the page where it begins.
    fn examples(&self) -> Vec<String> {
        let first = self.shown.first().filter(|item| item.begins && item.block == 0);
        let block = first.and_then(|item| self.blocks.get(item.block));
        block.map(|block| examples(block.stream)).unwrap_or_default()
    }

    fn document(&self) -> Value {
        let mut rows: Vec<(usize, bool, Shown)> = Vec::new();
        for item in self.shown {
            let Some(block) = self.blocks.get(item.block) else { continue };
            if rows.last().is_none_or(|(at, ..)| *at != item.block) {
                rows.push((item.block, item.begins, Shown::default()));
            }
            if let Some((_, _, shown)) = rows.last_mut() {
                item.show(block, self.full, shown);
            }
        }
        let rows = rows.into_iter().filter_map(|(at, begins, shown)| {
            Some(self.blocks.get(at)?.row(&shown, begins, self.full))
        });
        let mut connectors: Vec<Value> = rows.collect();
        let examples = self.examples();
        let first = connectors.first_mut().and_then(|row| row.pointer_mut("/streams/0"));
        if let Some(members) = first.and_then(Value::as_object_mut).filter(|_| !examples.is_empty())
        {
            members.insert("examples".to_owned(), json!(examples));
        }
        let mut out = json!({
            "object": "schema",
            "detail": if self.full { "full" } else { "compact" },
            "stream_count": self.blocks.len(),
            "connectors": connectors,
        });
        if let Some(members) = out.as_object_mut().filter(|_| !self.rest.is_empty()) {
            members.insert("more_fields".to_owned(), json!(self.rest_names()));
            members.insert("more_field_count".to_owned(), json!(self.rest.len()));
        }
        out
    }
}
