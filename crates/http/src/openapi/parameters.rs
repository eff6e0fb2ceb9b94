//! The table of parameters, each described once.

use pdpp_contract::aggregate::{Granularity, Metric};
use pdpp_contract::limits::{
    DEFAULT_CONTEXT_CHARS, DEFAULT_GROUPS, DEFAULT_PAGE, DEFAULT_WINDOW_CHARS, MAX_CONTEXT_CHARS,
    MAX_GROUPS, MAX_PAGE, MAX_WINDOW_CHARS, PDPP_VERSION,
};
use serde_json::{Map, Value, json};

/// Every parameter by the key its operations refer to.
pub fn all() -> Value {
    let mut parameters = paths_and_headers();
    parameters.extend(common());
    parameters.extend(lists());
    parameters.extend(windows());
    parameters.extend(searches());
    parameters.extend(aggregates());
    Value::Object(parameters)
}

fn paths_and_headers() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    Map::from_iter([
        path("path_stream", "stream", "The stream."),
        path("path_id", "id", "The record's canonical id, percent-encoded once."),
        path("path_blob_id", "blob_id", "The blob, as a record's reference names it."),
        header("range", "Range", "One range of bytes, such as `bytes=0-999`.", text()),
        header(
            "request_id",
            "Request-Id",
            "A name for this request: [A-Za-z0-9._-]{1,64}.",
            text(),
        ),
        header(
            "version",
            "PDPP-Version",
            "The version to answer in.",
            json!({ "const": PDPP_VERSION }),
        ),
        header("if_none_match", "If-None-Match", "The ETag of a body the caller has.", text()),
    ])
}

fn common() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    let needed = query("connection_id", "The connection to change.", text());
    let needed = with(renamed("written_connection_id", needed), &[("required", json!(true))]);
    Map::from_iter([
        needed,
        query("connection_id", "One connection; all in view when absent.", text()),
        query("sha256", "The digest the bytes must have, in hexadecimal.", text()),
        query("cursor", "Where the previous page or window ended.", text()),
        query("view", "The short form; the default.", json!({ "enum": ["compact"] })),
        query(
            "detail",
            "`full` adds the JSON Schema of one stream and needs `stream`.",
            json!({ "enum": ["compact", "full"] }),
        ),
        query("stream", "One stream; all when absent.", text()),
    ])
}

fn lists() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    let filter = query(
        "filter",
        "`filter[field]=value`, or `filter[field][gte|gt|lte|lt]=value`; all must hold.",
        json!({ "type": "object", "additionalProperties": true }),
    );
    let filter = with(filter, &[("style", json!("deepObject")), ("explode", json!(true))]);
    let fields = query(
        "fields",
        "The fields to return, separated by commas or repeated; the key is always among them.",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    let fields = with(fields, &[("style", json!("form")), ("explode", json!(false))]);
    Map::from_iter([
        query(
            "limit",
            "Records on the page. More than the maximum is cut to it, with a warning.",
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": DEFAULT_PAGE }),
        ),
        query("order", "The direction.", json!({ "enum": ["asc", "desc"] })),
        query("sort", "A sortable field, `-` before it for descending.", text()),
        fields,
        filter,
        query(
            "count",
            "Whether to count what matches, in `meta.count`.",
            json!({ "enum": ["none", "estimated", "exact"], "default": "none" }),
        ),
        expand(),
        with(
            query(
                "expand_limit",
                "`expand_limit[relation]=n`: most related records per record.",
                json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": 1 } }),
            ),
            &[("style", json!("deepObject")), ("explode", json!(true))],
        ),
        query("changes_since", "`beginning` or a bookmark: changes instead of records.", text()),
        query(
            "preview_chars",
            "Show only so many characters of long fields, listed in `previews`.",
            json!({ "type": "integer", "minimum": 0 }),
        ),
    ])
}

fn expand() -> Entry {
    let names = query(
        "expand",
        "Relations whose records come along, separated by commas or repeated; see the schema.",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    with(names, &[("style", json!("form")), ("explode", json!(false))])
}

fn aggregates() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    let metrics = Metric::ALL.map(Metric::as_str);
    let widths = Granularity::ALL.map(Granularity::as_str);
    let metric = query("metric", "What to compute.", json!({ "enum": metrics }));
    let field = query("field", "The field to compute it over; none for `count`.", text());
    let limit = query(
        "limit",
        "Most groups on a page.",
        json!({ "type": "integer", "minimum": 1, "maximum": MAX_GROUPS, "default": DEFAULT_GROUPS }),
    );
    Map::from_iter([
        with(metric, &[("required", json!(true))]),
        renamed("measured_field", field),
        query("group_by", "One group per value of this field.", text()),
        query(
            "group_by_time",
            "One group per time bucket of this field; with `group_by`, per bucket and value.",
            text(),
        ),
        query("granularity", "The width of a bucket.", json!({ "enum": widths })),
        query(
            "time_zone",
            "The IANA zone in which buckets begin.",
            json!({ "type": "string", "default": "UTC" }),
        ),
        renamed("group_limit", limit),
    ])
}

fn searches() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    let words = query("q", "What to look for; \"…\" is a phrase, word* a beginning.", text());
    let streams = query(
        "streams",
        "Only these streams, repeated; all in view when absent.",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    Map::from_iter([
        with(renamed("search_q", words), &[("required", json!(true))]),
        with(streams, &[("style", json!("form")), ("explode", json!(true))]),
    ])
}

fn windows() -> Map<String, Value> {
    let context = || {
        json!({
            "type": "integer", "minimum": 0, "maximum": MAX_CONTEXT_CHARS,
            "default": DEFAULT_CONTEXT_CHARS,
        })
    };
    let text = || json!({ "type": "string" });
    Map::from_iter([
        query(
            "field",
            "A field by name, or a nested value by a path that begins with `/`.",
            text(),
        ),
        query("field_path", "Another name of `field`; give one of them.", text()),
        query(
            "offset_chars",
            "The first character to show.",
            json!({ "type": "integer", "minimum": 0, "default": 0 }),
        ),
        query(
            "limit_chars",
            "The longest window. More than the maximum is cut to it, with a warning.",
            json!({
                "type": "integer", "minimum": 1, "maximum": MAX_WINDOW_CHARS,
                "default": DEFAULT_WINDOW_CHARS,
            }),
        ),
        query("q", "Show the first place where this text occurs, ignoring case.", text()),
        query("before_chars", "Characters before the match; needs `q`.", context()),
        query("after_chars", "Characters after the match; needs `q`.", context()),
    ])
}

type Entry = (String, Value);

fn query(name: &str, description: &str, schema: Value) -> Entry {
    entry("query", name, description, schema)
}

fn header(key: &str, name: &str, description: &str, schema: Value) -> Entry {
    renamed(key, entry("header", name, description, schema))
}

fn path(key: &str, name: &str, description: &str) -> Entry {
    let schema = json!({ "type": "string" });
    with(renamed(key, entry("path", name, description, schema)), &[("required", json!(true))])
}

fn entry(place: &str, name: &str, description: &str, schema: Value) -> Entry {
    let members = [
        ("name", Value::from(name)),
        ("in", Value::from(place)),
        ("description", Value::from(description)),
        ("schema", schema),
    ];
    with((name.to_owned(), json!({})), &members)
}

/// The same parameter under another key.
fn renamed(key: &str, entry: Entry) -> Entry {
    (key.to_owned(), entry.1)
}

/// The same parameter with more members.
fn with(mut entry: Entry, more: &[(&str, Value)]) -> Entry {
    if let Value::Object(members) = &mut entry.1 {
        members.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    entry
}
