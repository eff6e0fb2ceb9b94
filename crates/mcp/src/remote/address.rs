//! Requests as addresses: the same words as in the provider's own documentation.

use pdpp_contract::aggregate::{AggregateRequest, Grouping};
use pdpp_contract::blob::BlobRequest;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::expand::Expand;
use pdpp_contract::limits::DEFAULT_CONTEXT_CHARS;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort, StreamsRequest};
use pdpp_contract::schema::{SchemaDetail, SchemaRequest};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ConnectionId, FieldName, RecordId, StreamName};

use crate::ids::unnamed::is_named;

/// A path with its query, under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    text: String,
    has_query: bool,
}

impl Address {
    fn new(path: String) -> Self {
        Self { text: path, has_query: false }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        encode(name, &mut self.text);
        self.text.push('=');
        encode(value, &mut self.text);
        self
    }

    fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn with_number(self, name: &str, value: Option<u32>) -> Self {
        self.with_some(name, value.map(|number| number.to_string()).as_deref())
    }

    /// A connection that the provider did not name cannot be asked for.
    fn connection(self, id: Option<&ConnectionId>) -> Self {
        let id = id.filter(|id| is_named(id));
        self.with_some("connection_id", id.map(ConnectionId::as_str))
    }

    fn fields(self, fields: Option<&[FieldName]>) -> Self {
        fields
            .into_iter()
            .flatten()
            .fold(self, |address, field| address.with("fields", field.as_str()))
    }

    fn filters(self, filters: &[Filter]) -> Self {
        filters.iter().fold(self, |address, filter| {
            let field = &filter.field;
            match &filter.test {
                FilterTest::Equals(value) => address.with(&format!("filter[{field}]"), value),
                FilterTest::Range(operator, value) => {
                    address.with(&format!("filter[{field}][{}]", operator.as_str()), value)
                }
            }
        })
    }

    fn expand(self, relations: &[Expand]) -> Self {
        relations.iter().fold(self, |address, expand| {
            let address = address.with("expand", &expand.relation);
            address.with_number(&format!("expand_limit[{}]", expand.relation), expand.limit)
        })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

/// `GET /v1/schema`
pub(super) fn schema(request: &SchemaRequest) -> Address {
    let address = Address::new("/v1/schema".to_owned());
    let address = match request.detail {
        SchemaDetail::Compact => address.with("view", "compact"),
        SchemaDetail::Full => address.with("detail", "full"),
    };
    address
        .with_some("stream", request.stream.as_ref().map(StreamName::as_str))
        .connection(request.connection_id.as_ref())
}

/// `GET /v1/schema` without the selector that an older provider may not know.
pub(super) fn plain_schema(request: &SchemaRequest) -> Address {
    Address::new("/v1/schema".to_owned())
        .with_some("stream", request.stream.as_ref().map(StreamName::as_str))
        .connection(request.connection_id.as_ref())
}

/// `GET /v1/streams`
pub(super) fn streams(request: &StreamsRequest) -> Address {
    Address::new("/v1/streams".to_owned()).connection(request.connection_id.as_ref())
}

/// `GET /v1/streams/{stream}/records`
pub(super) fn list(request: &ListRequest) -> Address {
    let address = Address::new(format!("{}/records", stream_path(&request.stream)))
        .connection(request.connection_id.as_ref())
        .with_number("limit", request.limit);
    let address = match &request.sort {
        Some(Sort { field: Some(field), descending }) => {
            address.with("sort", &format!("{}{field}", if *descending { "-" } else { "" }))
        }
        Some(Sort { field: None, descending }) => {
            address.with("order", if *descending { "desc" } else { "asc" })
        }
        None => address,
    };
    let address =
        address.filters(&request.filter).fields(request.fields.as_deref()).expand(&request.expand);
    let address = match request.count {
        CountKind::None => address,
        CountKind::Estimated => address.with("count", "estimated"),
        CountKind::Exact => address.with("count", "exact"),
    };
    address
        .with_some("changes_since", request.changes_since.as_deref())
        .with_some("cursor", request.cursor.as_deref())
}

/// `GET /v1/streams/{stream}/records/{id}`
pub(super) fn record(request: &RecordRequest) -> Address {
    Address::new(record_path(&request.stream, &request.record_id))
        .connection(request.connection_id.as_ref())
        .fields(request.fields.as_deref())
        .expand(&request.expand)
}

/// `GET …/field-window`. Defaults that providers disagree on are said aloud.
pub(super) fn window(request: &FieldWindowRequest) -> Address {
    let address = bare_window(request).with("field", &request.field_path);
    let address = match &request.selector {
        WindowSelector::Offset(0) => address,
        WindowSelector::Offset(offset) => address.with("offset_chars", &offset.to_string()),
        WindowSelector::Cursor(cursor) => address.with("cursor", cursor),
        WindowSelector::Match { q, before_chars, after_chars } => address
            .with("q", q)
            .with_number("before_chars", Some(before_chars.unwrap_or(DEFAULT_CONTEXT_CHARS)))
            .with_number("after_chars", Some(after_chars.unwrap_or(DEFAULT_CONTEXT_CHARS))),
    };
    address.with_number("limit_chars", request.limit_chars)
}

/// The window route with no field: a provider that has it asks for one and reads nothing.
pub(super) fn bare_window(request: &FieldWindowRequest) -> Address {
    let path = record_path(&request.stream, &request.record_id);
    Address::new(format!("{path}/field-window")).connection(request.connection_id.as_ref())
}

/// `GET /v1/blobs/{id}`
pub(super) fn blob(request: &BlobRequest) -> Address {
    Address::new(format!("/v1/blobs/{}", request.blob_id))
        .connection(request.connection_id.as_ref())
}

/// `GET /v1/search`
pub(super) fn search(request: &SearchRequest) -> Address {
    let address = Address::new("/v1/search".to_owned())
        .with("q", &request.q)
        .connection(request.connection_id.as_ref());
    let streams = request.streams.iter();
    streams
        .fold(address, |address, stream| address.with("streams", stream.as_str()))
        .with_number("limit", request.limit)
        .filters(&request.filter)
        .with_some("cursor", request.cursor.as_deref())
}

/// `GET /v1/streams/{stream}/aggregate`
pub(super) fn aggregate(request: &AggregateRequest) -> Address {
    let address = Address::new(format!("{}/aggregate", stream_path(&request.stream)))
        .with("metric", request.metric.as_str())
        .with_some("field", request.field.as_ref().map(FieldName::as_str))
        .connection(request.connection_id.as_ref());
    let address = match &request.grouping {
        Grouping::None => address,
        Grouping::Field(field) => address.with("group_by", field.as_str()),
        Grouping::Time { field, granularity, time_zone } => address
            .with("group_by_time", field.as_str())
            .with("granularity", granularity.as_str())
            .with_some("time_zone", time_zone.as_deref()),
    };
    address.with_number("limit", request.limit).filters(&request.filter)
}

fn stream_path(stream: &StreamName) -> String {
    let mut path = String::from("/v1/streams/");
    encode(stream.as_str(), &mut path);
    path
}

/// `/v1/streams/{stream}/records/{id}`
pub(super) fn record_path(stream: &StreamName, id: &RecordId) -> String {
    let mut path = stream_path(stream) + "/records/";
    encode(id.as_str(), &mut path);
    path
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> StreamName {
        StreamName::new("notes").unwrap()
    }

    fn window_of(selector: WindowSelector) -> String {
        let request = FieldWindowRequest {
            stream: stream(),
            record_id: RecordId::new("a/../b 🎙").unwrap(),
            connection_id: Some(ConnectionId::new("cin_1").unwrap()),
            field_path: "body".to_owned(),
            selector,
            limit_chars: None,
        };
        window(&request).text
    }

    #[test]
    fn a_key_is_one_path_segment_whatever_it_holds() {
        let plain = window_of(WindowSelector::Offset(0));
        let key = "a%2F..%2Fb%20%F0%9F%8E%99";
        let expected =
            format!("/v1/streams/notes/records/{key}/field-window?connection_id=cin_1&field=body");
        assert_eq!(plain, expected);
    }

    #[test]
    fn a_match_always_names_its_context() {
        let selector =
            WindowSelector::Match { q: "é".to_owned(), before_chars: None, after_chars: Some(0) };
        assert!(window_of(selector).ends_with("&q=%C3%A9&before_chars=2048&after_chars=0"));
    }

    #[test]
    fn a_list_says_everything_that_was_asked() {
        let mut request = ListRequest::new(stream());
        request.sort = Some(Sort { field: FieldName::new("at").ok(), descending: true });
        request.filter = vec![Filter {
            field: FieldName::new("at").unwrap(),
            test: FilterTest::Range(
                pdpp_contract::declaration::RangeOperator::Gte,
                "2026-01-01".to_owned(),
            ),
        }];
        request.count = CountKind::Exact;
        request.limit = Some(5);
        assert_eq!(
            list(&request).text,
            "/v1/streams/notes/records?limit=5&sort=-at&filter%5Bat%5D%5Bgte%5D=2026-01-01\
             &count=exact"
        );
    }
}
