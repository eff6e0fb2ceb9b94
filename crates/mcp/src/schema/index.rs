//! The index of everything in view: every stream by kind of source, and the connections.

use std::collections::{BTreeMap, BTreeSet};

use pdpp_contract::read_api::{Source, StreamLimits};
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::ids::printed;
use crate::ids::unnamed::is_named;
use crate::refusal::Refusal;
use crate::render::measure::json_bytes;
use crate::render::one_line::{counted, one_line, quoted};
use crate::render::paging::{Question, page_end};
use crate::schema::limits;

/// Bytes of the items in one page: text as it is written in JSON, and data.
const PAGE_BYTES: (usize, usize) = (16_800, 28_000);
/// What a kind of source takes beside its key: the beginnings of its lines, and its object.
const KIND_BYTES: (usize, usize) = (28, 64);
/// Connections named beside a stream that not all of its kind carry.
const MOST_CARRIERS: usize = 3;

/// One kind of source.
struct Kind<'a> {
    key: &'a str,
    sources: Vec<&'a Source>,
    /// Each stream with the connections that carry it.
    streams: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// A line's worth of the index.
enum Item<'a> {
    Stream { name: &'a str, carriers: Option<&'a BTreeSet<&'a str>> },
    Connection(&'a Source),
}

impl CallContext {
    /// The index, from where a cursor left off.
    pub(crate) async fn schema_index(
        &self,
        sources: &[Source],
        limits: &[StreamLimits],
        cursor: Option<&str>,
    ) -> Result<ToolAnswer, Refusal> {
        let kinds = kinds(sources);
        let items = items(&kinds);
        let mut question = Question::new("index");
        let mut costs = Vec::with_capacity(items.len());
        let mut before = "";
        for (kind, item) in &items {
            let text = item.text();
            question.add(kind.key);
            question.add(&text);
            let mut cost = (json_bytes(&text), json_bytes(&item.data()) + 1);
            if before != kind.key {
                cost.0 += KIND_BYTES.0 + kind.key.len();
                cost.1 += KIND_BYTES.1 + kind.key.len();
            }
            before = kind.key;
            costs.push(cost);
        }
        let start = self.place(&question, cursor).await?;
        let end = page_end(&costs, start, PAGE_BYTES);
        let next = (end < items.len()).then(|| self.cursor_at(&question, end)).flatten();
        let shown = items.get(start..end).unwrap_or_default();
        let totals = Totals::of(&kinds, sources);
        let mut text = totals.line(next.as_deref(), start > 0);
        text.push_str(&lines(shown));
        let mut data = document(shown, &totals);
        let limits = limits::grouped(limits);
        if !limits.is_empty() {
            text.push_str(&limits::lines(&limits));
            if let Some(members) = data.as_object_mut() {
                members.insert("limits".to_owned(), limits::data(&limits));
            }
        }
        if let (Some(next), Some(members)) = (&next, data.as_object_mut()) {
            members.insert("next_cursor".to_owned(), json!(next));
        }
        Ok(ToolAnswer::new(text, json!({"data": data})))
    }
}

struct Totals {
    kinds: usize,
    connections: usize,
    streams: usize,
}

impl Totals {
    fn of(kinds: &[Kind<'_>], sources: &[Source]) -> Self {
        let streams = kinds.iter().map(|kind| kind.streams.len()).sum();
        Self { kinds: kinds.len(), connections: sources.len(), streams }
    }

    fn line(&self, next: Option<&str>, continued: bool) -> String {
        let streams = counted(self.streams as u64, "stream");
        let kinds = counted(self.kinds as u64, "kind");
        let connections = counted(self.connections as u64, "connection");
        let mut out = format!("{streams} of {kinds} of source, {connections}.");
        if continued {
            out.push_str(" This is a later part.");
        }
        if let Some(cursor) = next {
            out.push_str(&format!(" More follow: schema with cursor={cursor}"));
        }
        out.push_str(
            "\nNext: schema(stream) for its fields, filters and example calls, with connection_id \
             where several connections share the name; or search(query) over everything.",
        );
        out
    }
}

fn kinds(sources: &[Source]) -> Vec<Kind<'_>> {
    let mut kinds: BTreeMap<&str, Kind<'_>> = BTreeMap::new();
    for source in sources {
        let key = source.connection.connector_key.as_str();
        let kind = kinds.entry(key).or_insert_with(|| Kind {
            key,
            sources: Vec::new(),
            streams: BTreeMap::new(),
        });
        kind.sources.push(source);
        for stream in &source.streams {
            let carriers = kind.streams.entry(stream.as_str()).or_default();
            carriers.insert(source.connection.connection_id.as_str());
        }
    }
    kinds.into_values().collect()
}

fn items<'a>(kinds: &'a [Kind<'a>]) -> Vec<(&'a Kind<'a>, Item<'a>)> {
    let mut items = Vec::new();
    // Every stream is named before anything else.
    for kind in kinds {
        for (name, carriers) in &kind.streams {
            let some = (carriers.len() < kind.sources.len()).then_some(carriers);
            items.push((kind, Item::Stream { name, carriers: some }));
        }
    }
    for kind in kinds {
        let named = kind.sources.iter().filter(|source| is_named(&source.connection.connection_id));
        items.extend(named.map(|source| (kind, Item::Connection(source))));
    }
    items
}

impl Item<'_> {
    fn text(&self) -> String {
        match self {
            Self::Stream { name, carriers: None } => printed(name),
            Self::Stream { name, carriers: Some(carriers) } if carriers.len() <= MOST_CARRIERS => {
                let ids: Vec<String> = carriers.iter().map(|id| printed(id)).collect();
                format!("{} (in {})", printed(name), ids.join(" "))
            }
            Self::Stream { name, carriers: Some(carriers) } => {
                format!("{} (in {} of them)", printed(name), carriers.len())
            }
            Self::Connection(source) => {
                let id = printed(source.connection.connection_id.as_str());
                match &source.connection.display_name {
                    Some(name) => format!("{id} {}", quoted(name, 60)),
                    None => id,
                }
            }
        }
    }

    fn data(&self) -> Value {
        match self {
            Self::Stream { name, carriers } => match carriers {
                Some(carriers) if carriers.len() <= MOST_CARRIERS => {
                    json!({"name": name, "connection_ids": carriers})
                }
                Some(carriers) => json!({"name": name, "connection_count": carriers.len()}),
                None => json!({"name": name}),
            },
            Self::Connection(source) => {
                let connection = &source.connection;
                let mut out = Map::new();
                out.insert("connection_id".to_owned(), json!(connection.connection_id));
                if let Some(name) = &connection.display_name {
                    out.insert("display_name".to_owned(), json!(one_line(name, 120)));
                }
                if let Some(grant) = &connection.grant_id {
                    out.insert("grant_id".to_owned(), json!(grant));
                }
                Value::Object(out)
            }
        }
    }
}

fn lines(shown: &[(&Kind<'_>, Item<'_>)]) -> String {
    let mut out = String::new();
    let mut before: Option<(&str, bool)> = None;
    for (kind, item) in shown {
        let here = (kind.key, matches!(item, Item::Connection(_)));
        let lead = match (before == Some(here), here.1) {
            (true, false) => ", ".to_owned(),
            (true, true) => "; ".to_owned(),
            (false, false) => format!("\n{}: ", one_line(kind.key, 128)),
            (false, true) => format!("\n{} connections: ", one_line(kind.key, 128)),
        };
        out.push_str(&lead);
        out.push_str(&item.text());
        before = Some(here);
    }
    out
}

fn document(shown: &[(&Kind<'_>, Item<'_>)], totals: &Totals) -> Value {
    let mut connectors: Vec<(&str, Vec<Value>, Vec<Value>)> = Vec::new();
    for (kind, item) in shown {
        if !connectors.iter().any(|(key, _, _)| *key == kind.key) {
            connectors.push((kind.key, Vec::new(), Vec::new()));
        }
        let found = connectors.iter_mut().find(|(key, _, _)| *key == kind.key);
        let Some((_, streams, connections)) = found else { continue };
        match item {
            Item::Stream { .. } => streams.push(item.data()),
            Item::Connection(_) => connections.push(item.data()),
        }
    }
    let connectors: Vec<Value> = connectors
        .into_iter()
        .map(|(key, streams, connections)| {
            json!({"connector_key": key, "granted_connections": connections, "streams": streams})
        })
        .collect();
    json!({
        "object": "schema",
        "detail": "compact",
        "connector_count": totals.kinds,
        "connection_count": totals.connections,
        "stream_count": totals.streams,
        "connectors": connectors,
    })
}
