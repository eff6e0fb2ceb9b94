//! One search hit as any PDPP server sends it. Each is read by itself: one in a form we do not know
//! costs nobody the others.

use pdpp_contract::search::{SearchHit, SearchHitTag, Snippet};
use pdpp_contract::{ConnectionId, ConnectorKey, RecordId, StreamName};
use serde_json::Value;

use super::records::named;
use super::schema::connector_key;
use crate::ids::{self, ResultId};

/// The hit; `None` when it names no record that can be read by its id.
pub(in crate::remote) fn hit(given: &Value, asked: Option<&ConnectionId>) -> Option<SearchHit> {
    let text = |name: &str| given.get(name).and_then(Value::as_str).map(str::to_owned);
    let identity = Identity::of(given)?;
    let own_key = text("connector_key").and_then(|key| connector_key(&key));
    let key = own_key.or_else(|| connector_key(&text("connector_id")?));
    let matched_fields = matched_fields(given);
    Some(SearchHit {
        object: SearchHitTag::SearchResult,
        connection_id: named(identity.connection_id, asked)?,
        stream: identity.stream,
        record_key: identity.record_id,
        connector_key: key.or_else(|| ConnectorKey::new("unknown").ok())?,
        display_name: text("display_name"),
        emitted_at: text("emitted_at").unwrap_or_default(),
        authored_at: text("authored_at"),
        author: text("author"),
        title: text("title"),
        record_url: text("record_url").unwrap_or_default(),
        snippet: given.get("snippet").and_then(|snippet| excerpt(snippet, &matched_fields)),
        passage: None,
        matched_fields,
        number: None,
    })
}

struct Identity {
    connection_id: Option<ConnectionId>,
    stream: StreamName,
    record_id: RecordId,
}

impl Identity {
    /// By stream and key under any of their names, else by an id that holds both.
    fn of(given: &Value) -> Option<Self> {
        let text = |name: &str| given.get(name).and_then(Value::as_str);
        // A connection that no id can carry is not left away: the hit would lead to another record.
        let connection_id = text("connection_id").map(ConnectionId::new).transpose().ok()?;
        let stream = text("stream").and_then(|name| StreamName::new(name).ok());
        let whole = || {
            let id = text("result_id").or_else(|| text("id"))?;
            Self::whole(id).filter(|it| stream.as_ref().is_none_or(|own| *own == it.stream))
        };
        if let (Some(stream), Some(key)) = (&stream, text("record_key").or(text("record_id"))) {
            let record_id = RecordId::new(key).ok()?;
            return Some(Self { connection_id, stream: stream.clone(), record_id });
        }
        if let Some(mut read) = whole() {
            read.connection_id = connection_id.or(read.connection_id);
            return Some(read);
        }
        let record_id = RecordId::new(text("id")?).ok()?;
        Some(Self { connection_id, stream: stream?, record_id })
    }

    /// `connection/stream:record` or `stream:record`. Another adapter's handle opens nothing here.
    fn whole(id: &str) -> Option<Self> {
        match ids::parse(id).ok()? {
            ResultId::Full { connection_id, stream, record_id } => {
                Some(Self { connection_id: Some(connection_id), stream, record_id })
            }
            ResultId::Legacy { stream, record_id } => {
                Some(Self { connection_id: None, stream, record_id })
            }
            ResultId::Handle(_) => None,
        }
    }
}

fn matched_fields(given: &Value) -> Vec<String> {
    let names = given.get("matched_fields").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A snippet with its field; plain text belongs to the first field that matched.
fn excerpt(given: &Value, matched_fields: &[String]) -> Option<Snippet> {
    let text = |name: &str| given.get(name).and_then(Value::as_str).map(str::to_owned);
    let place = |name: &str| given.get(name).and_then(Value::as_u64);
    Some(Snippet {
        field: text("field").or_else(|| matched_fields.first().cloned())?,
        text: given.as_str().map(str::to_owned).or_else(|| text("text"))?,
        start_chars: place("start_chars"),
        end_chars: place("end_chars"),
        match_start_chars: place("match_start_chars"),
        match_end_chars: place("match_end_chars"),
        complete: given.get("complete") == Some(&Value::Bool(true)),
    })
}
