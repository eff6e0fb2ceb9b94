//! Requests as addresses of the wire: the same question has the same link, however it was asked.

use crate::aggregate::AggregateRequest;
use crate::blob::BlobId;
use crate::envelope::{CountKind, Links};
use crate::expand::Expand;
use crate::ids::{ConnectionId, FieldName, StreamName};
use crate::key::RecordId;
use crate::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort, StreamsRequest};
use crate::schema::{SchemaDetail, SchemaRequest};
use crate::search::SearchRequest;

/// Where searches are asked.
pub const SEARCH: &str = "/v1/search";

/// A path with its query, under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestUrl {
    text: String,
    has_query: bool,
}

impl RequestUrl {
    /// A path without a query.
    pub fn new(path: impl Into<String>) -> Self {
        Self { text: path.into(), has_query: false }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        encode(name, &mut self.text);
        self.text.push('=');
        encode(value, &mut self.text);
        self
    }

    /// Adds a parameter that may be absent.
    #[must_use]
    pub fn with_option(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a number that may be absent.
    #[must_use]
    pub fn with_number(self, name: &str, value: Option<u32>) -> Self {
        self.with_option(name, value.map(|number| number.to_string()).as_deref())
    }

    /// Adds the connection, when one is named.
    #[must_use]
    pub fn connection(self, id: Option<&ConnectionId>) -> Self {
        self.with_option("connection_id", id.map(ConnectionId::as_str))
    }

    /// Adds the order of a list.
    #[must_use]
    pub fn sort(self, sort: Option<&Sort>) -> Self {
        match sort {
            None => self,
            Some(Sort { field: Some(field), descending }) => {
                self.with("sort", &format!("{}{field}", if *descending { "-" } else { "" }))
            }
            Some(Sort { field: None, descending }) => {
                self.with("order", if *descending { "desc" } else { "asc" })
            }
        }
    }

    /// Adds the fields to return.
    #[must_use]
    pub fn fields(self, fields: Option<&[FieldName]>) -> Self {
        let fields = fields.unwrap_or_default().iter();
        fields.fold(self, |url, field| url.with("fields", field.as_str()))
    }

    /// Adds conditions.
    #[must_use]
    pub fn filters(self, filters: &[Filter]) -> Self {
        filters.iter().fold(self, |url, Filter { field, test }| match test {
            FilterTest::Equals(value) => url.with(&format!("filter[{field}]"), value),
            FilterTest::Range(operator, value) => {
                url.with(&format!("filter[{field}][{}]", operator.as_str()), value)
            }
        })
    }

    /// Adds how records are counted.
    #[must_use]
    pub fn count(self, kind: CountKind) -> Self {
        match kind {
            CountKind::None => self,
            CountKind::Estimated => self.with("count", "estimated"),
            CountKind::Exact => self.with("count", "exact"),
        }
    }

    /// Adds the relations that are followed, with the limits that were named.
    #[must_use]
    pub fn expand(self, relations: &[Expand]) -> Self {
        relations.iter().fold(self, |url, Expand { relation, limit }| {
            url.with("expand", relation).with_number(&format!("expand_limit[{relation}]"), *limit)
        })
    }

    /// The address so far.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The address.
    pub fn finish(self) -> String {
        self.text
    }
}

/// `/v1/streams/{stream}`
pub fn stream_path(stream: &StreamName) -> String {
    let mut path = String::from("/v1/streams/");
    encode(stream.as_str(), &mut path);
    path
}

/// `/v1/streams/{stream}/records`
pub fn records_path(stream: &StreamName) -> String {
    stream_path(stream) + "/records"
}

/// `/v1/streams/{stream}/records/{id}`
pub fn record_path(stream: &StreamName, id: &RecordId) -> String {
    let mut path = records_path(stream) + "/";
    encode(id.as_str(), &mut path);
    path
}

/// `/v1/blobs/{id}`
pub fn blob_path(id: &BlobId) -> String {
    format!("/v1/blobs/{id}")
}

/// The address of a schema.
pub fn schema(request: &SchemaRequest) -> RequestUrl {
    let url = RequestUrl::new("/v1/schema");
    let url = match request.detail {
        SchemaDetail::Compact => url.with("view", "compact"),
        SchemaDetail::Full => url.with("detail", "full"),
    };
    url.with_option("stream", request.stream.as_ref().map(StreamName::as_str))
        .connection(request.connection_id.as_ref())
}

/// The address of the list of streams.
pub fn streams(request: &StreamsRequest) -> RequestUrl {
    RequestUrl::new("/v1/streams").connection(request.connection_id.as_ref())
}

/// The address of a list, with another cursor if one is given.
pub fn list(request: &ListRequest, cursor: Option<&str>) -> RequestUrl {
    let url = RequestUrl::new(records_path(&request.stream))
        .connection(request.connection_id.as_ref())
        .with_number("limit", request.limit)
        .sort(request.sort.as_ref())
        .filters(&request.filter)
        .fields(request.fields.as_deref())
        .count(request.count)
        .with_number("preview_chars", request.preview_chars)
        .expand(&request.expand);
    // A cursor already says where its session of changes began; a link never carries both.
    match cursor {
        Some(cursor) => url.with("cursor", cursor),
        None => url.with_option("changes_since", request.changes_since.as_deref()),
    }
}

/// The links of a page of a list.
pub fn of_list(request: &ListRequest, next_cursor: Option<&str>) -> Links {
    let at = |cursor: Option<&str>| list(request, cursor).finish();
    Links {
        this: at(request.cursor.as_deref()),
        next: Some(next_cursor.map(|next| at(Some(next)))),
    }
}

/// The address of a record.
pub fn record(request: &RecordRequest) -> RequestUrl {
    RequestUrl::new(record_path(&request.stream, &request.record_id))
        .connection(request.connection_id.as_ref())
        .fields(request.fields.as_deref())
        .expand(&request.expand)
}

/// The address of an aggregate, with another cursor if one is given.
pub fn aggregate(request: &AggregateRequest, cursor: Option<&str>) -> RequestUrl {
    let url = RequestUrl::new(stream_path(&request.stream) + "/aggregate")
        .with("metric", request.metric.as_str())
        .with_option("field", request.field.as_ref().map(FieldName::as_str))
        .connection(request.connection_id.as_ref())
        .with_option("group_by", request.grouping.field.as_ref().map(FieldName::as_str));
    let url = match &request.grouping.time {
        None => url,
        Some(time) => url
            .with("group_by_time", time.field.as_str())
            .with("granularity", time.granularity.as_str())
            .with_option("time_zone", time.time_zone.as_deref()),
    };
    url.with_number("limit", request.limit).filters(&request.filter).with_option("cursor", cursor)
}

/// The address of a search, with another cursor if one is given.
pub fn search(request: &SearchRequest, cursor: Option<&str>) -> RequestUrl {
    let url =
        RequestUrl::new(SEARCH).with("q", &request.q).connection(request.connection_id.as_ref());
    let streams = request.streams.iter();
    streams
        .fold(url, |url, stream| url.with("streams", stream.as_str()))
        .with_number("limit", request.limit)
        .filters(&request.filter)
        .with_option("cursor", cursor)
}

/// Percent-encodes everything but the unreserved characters, and a dot that could climb.
fn encode(text: &str, out: &mut String) {
    let climbs = matches!(text, "." | "..");
    for byte in text.bytes() {
        match byte {
            b'.' if climbs => out.push_str("%2E"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
}
