//! Canonical addresses of answers: the same question has the same link, however it was asked.

use pdpp_contract::aggregate::{AggregateRequest, Grouping};
use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::expand::Expand;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, Sort};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ConnectionId, FieldName, RecordId, StreamName};

/// An address under construction.
pub(crate) struct Address {
    text: String,
    has_query: bool,
}

impl Address {
    pub(crate) fn new(path: String) -> Self {
        Self { text: path, has_query: false }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        encode(name, &mut self.text);
        self.text.push('=');
        encode(value, &mut self.text);
        self
    }

    #[must_use]
    pub(crate) fn with_option(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// `/v1/streams/{stream}`
pub(crate) fn stream_path(stream: &StreamName) -> String {
    let mut path = String::from("/v1/streams/");
    encode(stream.as_str(), &mut path);
    path
}

/// `/v1/streams/{stream}/records`
pub(crate) fn records_path(stream: &StreamName) -> String {
    stream_path(stream) + "/records"
}

/// `/v1/streams/{stream}/records/{id}`
pub(crate) fn record_path(stream: &StreamName, id: &RecordId) -> String {
    let mut path = records_path(stream) + "/";
    encode(id.as_str(), &mut path);
    path
}

/// The address of a list, with another cursor if one is given.
pub(crate) fn list_address(request: &ListRequest, cursor: Option<&str>) -> String {
    let mut address = Address::new(records_path(&request.stream))
        .with_option("connection_id", request.connection_id.as_ref().map(ConnectionId::as_str));
    if let Some(limit) = request.limit {
        address = address.with("limit", &limit.to_string());
    }
    if let Some(sort) = &request.sort {
        address = with_sort(address, sort);
    }
    for filter in &request.filter {
        address = with_filter(address, filter);
    }
    for field in request.fields.iter().flatten() {
        address = address.with("fields", field.as_str());
    }
    address = match request.count {
        CountKind::None => address,
        CountKind::Estimated => address.with("count", "estimated"),
        CountKind::Exact => address.with("count", "exact"),
    };
    if let Some(chars) = request.preview_chars {
        address = address.with("preview_chars", &chars.to_string());
    }
    address = with_expand(address, &request.expand);
    // A cursor already says where its session of changes began; a link never carries both.
    match cursor {
        Some(cursor) => address.with("cursor", cursor),
        None => address.with_option("changes_since", request.changes_since.as_deref()),
    }
    .finish()
}

/// The address of an aggregate.
pub(crate) fn aggregate_address(request: &AggregateRequest) -> String {
    let mut address = Address::new(stream_path(&request.stream) + "/aggregate")
        .with("metric", request.metric.as_str())
        .with_option("field", request.field.as_ref().map(FieldName::as_str))
        .with_option("connection_id", request.connection_id.as_ref().map(ConnectionId::as_str));
    match &request.grouping {
        Grouping::None => {}
        Grouping::Field(field) => address = address.with("group_by", field.as_str()),
        Grouping::Time { field, granularity, time_zone } => {
            address = address
                .with("group_by_time", field.as_str())
                .with("granularity", granularity.as_str())
                .with_option("time_zone", time_zone.as_deref());
        }
    }
    if let Some(limit) = request.limit {
        address = address.with("limit", &limit.to_string());
    }
    for filter in &request.filter {
        address = with_filter(address, filter);
    }
    address.finish()
}

/// The address of a search, with another cursor if one is given.
pub(crate) fn search_address(request: &SearchRequest, cursor: Option<&str>) -> String {
    let mut address = Address::new("/v1/search".to_owned())
        .with("q", &request.q)
        .with_option("connection_id", request.connection_id.as_ref().map(ConnectionId::as_str));
    for stream in &request.streams {
        address = address.with("streams", stream.as_str());
    }
    if let Some(limit) = request.limit {
        address = address.with("limit", &limit.to_string());
    }
    for filter in &request.filter {
        address = with_filter(address, filter);
    }
    address.with_option("cursor", cursor).finish()
}

/// The relations a request follows, with the limits it names.
pub(crate) fn with_expand(mut address: Address, expand: &[Expand]) -> Address {
    for one in expand {
        address = address.with("expand", &one.relation);
        if let Some(limit) = one.limit {
            address = address.with(&format!("expand_limit[{}]", one.relation), &limit.to_string());
        }
    }
    address
}

fn with_sort(address: Address, sort: &Sort) -> Address {
    let sign = if sort.descending { "-" } else { "" };
    match &sort.field {
        Some(field) => address.with("sort", &format!("{sign}{field}")),
        None => address.with("order", if sort.descending { "desc" } else { "asc" }),
    }
}

fn with_filter(address: Address, filter: &Filter) -> Address {
    let field: &FieldName = &filter.field;
    match &filter.test {
        FilterTest::Equals(value) => address.with(&format!("filter[{field}]"), value),
        FilterTest::Range(operator, value) => {
            let operator: &RangeOperator = operator;
            address.with(&format!("filter[{field}][{}]", operator.as_str()), value)
        }
    }
}

/// Percent-encodes everything but the unreserved characters.
fn encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
}
