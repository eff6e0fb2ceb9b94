//! Records, pages and streams as any PDPP server sends them, in the form of the contract.

use std::collections::BTreeMap;

use pdpp_contract::envelope::{Count, Links, Meta, Warning};
use pdpp_contract::expand::Expanded;
use pdpp_contract::query::{
    Freshness, FreshnessStatus, ListRequest, ListTag, RecordPage, StreamList, StreamRow, StreamTag,
};
use pdpp_contract::record::{FieldPreview, Record, RecordTag};
use pdpp_contract::{ConnectionId, JsonObject, RecordId, StreamName};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::schema::connector_key;
use crate::ids::unnamed::unnamed;

/// A record on the wire; what we add to the protocol is optional here.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WireRecord {
    id: RecordId,
    #[serde(default)]
    stream: Option<StreamName>,
    #[serde(default)]
    data: Option<JsonObject>,
    #[serde(default)]
    emitted_at: Option<String>,
    #[serde(default)]
    connection_id: Option<ConnectionId>,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    connector_key: Option<String>,
    #[serde(default)]
    record_json_bytes: Option<u64>,
    #[serde(default)]
    deleted: bool,
    #[serde(default)]
    deleted_at: Option<String>,
    #[serde(default)]
    previews: Vec<FieldPreview>,
    #[serde(default)]
    expanded: BTreeMap<String, Box<RawValue>>,
}

impl WireRecord {
    /// The record, with the stream and connection it was asked for where it names none.
    pub(in crate::remote) fn into_record(
        self,
        stream: &StreamName,
        connection: Option<&ConnectionId>,
    ) -> Option<Record> {
        Some(Record {
            object: RecordTag::Record,
            id: self.id,
            stream: self.stream.unwrap_or_else(|| stream.clone()),
            data: self.data.filter(|_| !self.deleted),
            emitted_at: self.emitted_at.unwrap_or_default(),
            connection_id: named(self.connection_id, connection)?,
            display_name: self.display_name,
            connector_key: self.connector_key.as_deref().and_then(connector_key),
            record_json_bytes: self.record_json_bytes,
            deleted: self.deleted,
            deleted_at: self.deleted_at,
            previews: self.previews,
            expanded: related(&self.expanded),
            number: None,
            roles: None,
        })
    }
}

/// Related records in a form we know; numbers keep their spelling, so they are read from text.
fn related(given: &BTreeMap<String, Box<RawValue>>) -> BTreeMap<String, Expanded> {
    let read =
        |name: &String, raw: &RawValue| Some((name.clone(), serde_json::from_str(raw.get()).ok()?));
    given.iter().filter_map(|(name, raw)| read(name, raw)).collect()
}

/// The connection an answer names, else the one that was asked for, else one without a name.
pub(in crate::remote) fn named(
    given: Option<ConnectionId>,
    asked: Option<&ConnectionId>,
) -> Option<ConnectionId> {
    given.or_else(|| asked.cloned()).or_else(unnamed)
}

/// A page of records on the wire.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WirePage {
    data: Vec<WireRecord>,
    #[serde(default)]
    has_more: bool,
    #[serde(default)]
    next_cursor: Option<String>,
    #[serde(default)]
    next_changes_since: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    links: Option<Links>,
    #[serde(default)]
    meta: WireMeta,
}

impl WirePage {
    pub(in crate::remote) fn into_page(self, request: &ListRequest) -> Option<RecordPage> {
        let connection = request.connection_id.as_ref();
        let records = self.data.into_iter();
        let data = records.map(|record| record.into_record(&request.stream, connection));
        Some(RecordPage {
            object: ListTag::List,
            url: self.url.unwrap_or_default(),
            data: data.collect::<Option<_>>()?,
            has_more: self.has_more,
            next_cursor: self.next_cursor,
            next_changes_since: self.next_changes_since,
            links: self.links.unwrap_or_default(),
            meta: self.meta.into_meta(),
        })
    }
}

/// Facts about an answer; unknown warnings are left out, because their words are not ours.
#[derive(Debug, Default, Deserialize)]
pub(in crate::remote) struct WireMeta {
    #[serde(default)]
    count: Value,
    #[serde(default)]
    warnings: Vec<Value>,
}

impl WireMeta {
    pub(in crate::remote) fn into_meta(self) -> Meta {
        let count: Option<Count> = serde_json::from_value(self.count).ok();
        Meta { count: count.unwrap_or_default(), warnings: warnings(self.warnings) }
    }
}

pub(in crate::remote) fn warnings(given: Vec<Value>) -> Vec<Warning> {
    // A warning's detail keeps its digits only when it is read from text.
    let read = |warning: Value| serde_json::from_str(&warning.to_string()).ok();
    given.into_iter().filter_map(read).collect()
}

/// The list of streams on the wire.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WireStreams {
    data: Vec<WireStream>,
    #[serde(default)]
    links: Option<Links>,
}

#[derive(Debug, Deserialize)]
struct WireStream {
    name: StreamName,
    #[serde(default)]
    record_count: u64,
    #[serde(default)]
    last_updated: Option<String>,
    #[serde(default)]
    freshness: Value,
    #[serde(default)]
    connection_id: Option<ConnectionId>,
    #[serde(default)]
    display_name: Option<String>,
}

impl WireStreams {
    pub(in crate::remote) fn into_list(
        self,
        connection: Option<&ConnectionId>,
    ) -> Option<StreamList> {
        let rows = self.data.into_iter().map(|row| {
            Some(StreamRow {
                object: StreamTag::Stream,
                name: row.name,
                record_count: row.record_count,
                last_updated: row.last_updated,
                freshness: freshness(row.freshness),
                connection_id: named(row.connection_id, connection)?,
                display_name: row.display_name,
            })
        });
        Some(StreamList {
            object: ListTag::List,
            data: rows.collect::<Option<_>>()?,
            has_more: false,
            links: self.links.unwrap_or_default(),
            meta: Meta::default(),
        })
    }
}

pub(in crate::remote) fn freshness(given: Value) -> Freshness {
    serde_json::from_value(given)
        .unwrap_or(Freshness { captured_at: None, status: FreshnessStatus::Unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_server_s_page_becomes_a_page_of_the_contract() {
        let page: WirePage = serde_json::from_str(
            r#"{"object":"list","data":[
                {"object":"record","id":"n1","data":{"id":"n1","price":1.10},"emitted_at":"2026-01-01T00:00:00Z",
                 "connector_instance_id":"cin_9","expanded":{}},
                {"object":"record","id":"n2","deleted":true,"deleted_at":"2026-01-02T00:00:00Z"}],
                "has_more":true,"next_cursor":"abc","meta":{"count":{"kind":"exact","value":7},
                "warnings":[{"code":"deprecated_alias_used","message":"x"},
                            {"code":"limit_clamped","message":"y","detail":{"max_limit":100}}]}}"#,
        )
        .unwrap();
        let mut request = ListRequest::new(StreamName::new("notes").unwrap());
        request.connection_id = ConnectionId::new("cin_9").ok();
        let page = page.into_page(&request).unwrap();
        assert_eq!(page.data[0].connection_id.as_str(), "cin_9");
        let price = page.data[0].data.as_ref().unwrap()["price"].to_canonical();
        assert_eq!(price, "1.10", "numbers keep their spelling");
        assert!(page.data[1].deleted && page.data[1].data.is_none());
        assert_eq!(page.meta.count.value, Some(7));
        assert_eq!(page.meta.warnings.len(), 1);
    }
}
