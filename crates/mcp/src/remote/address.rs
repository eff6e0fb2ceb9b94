//! Requests as addresses at a provider: those of the contract, without what a provider may not know.

use pdpp_contract::ConnectionId;
use pdpp_contract::aggregate::AggregateRequest;
use pdpp_contract::blob::BlobRequest;
use pdpp_contract::limits::DEFAULT_CONTEXT_CHARS;
use pdpp_contract::links::{self, RequestUrl, record_path};
use pdpp_contract::query::{ListRequest, RecordRequest, StreamsRequest};
use pdpp_contract::schema::SchemaRequest;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};

use crate::ids::unnamed::is_named;

/// A connection that the provider did not name cannot be asked for.
fn named(id: Option<&ConnectionId>) -> Option<ConnectionId> {
    id.filter(|id| is_named(id)).cloned()
}

/// `GET /v1/schema`
pub(super) fn schema(request: &SchemaRequest) -> RequestUrl {
    let connection_id = named(request.connection_id.as_ref());
    links::schema(&SchemaRequest { connection_id, ..request.clone() })
}

/// `GET /v1/schema` without the selector that an older provider may not know.
pub(super) fn plain_schema(request: &SchemaRequest) -> RequestUrl {
    RequestUrl::new("/v1/schema")
        .with_option("stream", request.stream.as_ref().map(AsRef::as_ref))
        .connection(named(request.connection_id.as_ref()).as_ref())
}

/// `GET /v1/streams`
pub(super) fn streams(request: &StreamsRequest) -> RequestUrl {
    links::streams(&StreamsRequest { connection_id: named(request.connection_id.as_ref()) })
}

/// `GET /v1/streams/{stream}/records`. Previews are asked for apart: not every provider has them.
pub(super) fn list(request: &ListRequest) -> RequestUrl {
    let connection_id = named(request.connection_id.as_ref());
    let request = ListRequest { connection_id, preview_chars: None, ..request.clone() };
    let began = request.changes_since.as_deref().filter(|_| request.cursor.is_some());
    links::list(&request, request.cursor.as_deref()).with_option("changes_since", began)
}

/// `GET /v1/streams/{stream}/records/{id}`
pub(super) fn record(request: &RecordRequest) -> RequestUrl {
    let connection_id = named(request.connection_id.as_ref());
    links::record(&RecordRequest { connection_id, ..request.clone() })
}

/// `GET …/field-window`. Defaults that providers disagree on are said aloud.
pub(super) fn window(request: &FieldWindowRequest) -> RequestUrl {
    let url = bare_window(request).with("field", &request.field_path);
    let url = match &request.selector {
        WindowSelector::Offset(0) => url,
        WindowSelector::Offset(offset) => url.with("offset_chars", &offset.to_string()),
        WindowSelector::Cursor(cursor) => url.with("cursor", cursor),
        WindowSelector::Match { q, before_chars, after_chars } => url
            .with("q", q)
            .with_number("before_chars", Some(before_chars.unwrap_or(DEFAULT_CONTEXT_CHARS)))
            .with_number("after_chars", Some(after_chars.unwrap_or(DEFAULT_CONTEXT_CHARS))),
    };
    url.with_number("limit_chars", request.limit_chars)
}

/// The window route with no field: a provider that has it asks for one and reads nothing.
pub(super) fn bare_window(request: &FieldWindowRequest) -> RequestUrl {
    let path = record_path(&request.stream, &request.record_id);
    RequestUrl::new(format!("{path}/field-window"))
        .connection(named(request.connection_id.as_ref()).as_ref())
}

/// `GET /v1/blobs/{id}`
pub(super) fn blob(request: &BlobRequest) -> RequestUrl {
    RequestUrl::new(links::blob_path(&request.blob_id))
        .connection(named(request.connection_id.as_ref()).as_ref())
}

/// `GET /v1/search`
pub(super) fn search(request: &SearchRequest) -> RequestUrl {
    let connection_id = named(request.connection_id.as_ref());
    let request = SearchRequest { connection_id, ..request.clone() };
    links::search(&request, request.cursor.as_deref())
}

/// `GET /v1/streams/{stream}/aggregate`
pub(super) fn aggregate(request: &AggregateRequest) -> RequestUrl {
    let connection_id = named(request.connection_id.as_ref());
    let request = AggregateRequest { connection_id, ..request.clone() };
    links::aggregate(&request, request.cursor.as_deref())
}

#[cfg(test)]
mod tests {
    use pdpp_contract::envelope::CountKind;
    use pdpp_contract::query::{Filter, FilterTest, Sort};
    use pdpp_contract::{FieldName, RecordId, StreamName};

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
        window(&request).finish()
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
            list(&request).finish(),
            "/v1/streams/notes/records?limit=5&sort=-at&filter%5Bat%5D%5Bgte%5D=2026-01-01\
             &count=exact"
        );
    }
}
