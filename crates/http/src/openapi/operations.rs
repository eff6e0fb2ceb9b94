//! The table of routes: what each is called, who may use it, what it takes and answers.

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Open,
    /// Agents within their grants, and the owner.
    Reader,
    /// The owner alone.
    Owner,
}

/// What a route answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A JSON body of this schema.
    Json(&'static str),
    /// The bytes of a blob.
    Bytes,
    /// Numbers in the Prometheus text format.
    Numbers,
    /// No body.
    Nothing,
}

/// One method of one path.
#[derive(Debug)]
pub struct Operation {
    pub method: &'static str,
    pub path: &'static str,
    pub id: &'static str,
    pub summary: &'static str,
    pub access: Access,
    pub parameters: &'static [&'static str],
    pub answer: Answer,
    pub takes: Takes,
}

/// What a route takes as its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Lines of records.
    Lines,
    /// Any bytes.
    Bytes,
}

const fn get(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    parameters: &'static [&'static str],
    answer: Answer,
) -> Operation {
    let access = Access::Reader;
    let takes = Takes::Nothing;
    Operation { method: "get", path, id, summary, access, parameters, answer, takes }
}

const fn open(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    Operation { access: Access::Open, ..get(path, id, summary, &[], answer) }
}

/// Every operation, in the order of the router.
pub const OPERATIONS: &[Operation] = &[
    open("/", "getDiscoveryIndex", "What this server is and where to begin.", INDEX),
    open("/healthz", "getHealth", "Whether the server works: its store answers.", HEALTH),
    open("/readyz", "getReadiness", "Whether to send the server requests.", HEALTH),
    open(
        "/metrics",
        "getMetrics",
        "How much and how fast: for the same machine, or with a token of kind metrics.",
        Answer::Numbers,
    ),
    Operation {
        method: "post",
        access: Access::Owner,
        takes: Takes::Bytes,
        ..get(
            "/v1/blobs",
            "uploadBlob",
            "Keeps the bytes of a blob. Records refer to it by the id in the answer.",
            &["sha256"],
            Answer::Json("BlobReceipt"),
        )
    },
    get(
        "/v1/blobs/{blob_id}",
        "getBlob",
        "The bytes of a blob that a record in view refers to; HEAD tells about them.",
        &["path_blob_id", "connection_id", "range", "if_none_match"],
        Answer::Bytes,
    ),
    get(
        "/v1/schema",
        "getSchema",
        "What the caller can see, and which questions each stream answers.",
        &["view", "detail", "stream", "connection_id"],
        Answer::Json("SchemaDocument"),
    ),
    get(
        "/v1/search",
        "search",
        "Ranked hits for words, over everything in view.",
        &["search_q", "streams", "connection_id", "limit", "cursor", "filter"],
        Answer::Json("SearchPage"),
    ),
    get(
        "/v1/streams",
        "listStreams",
        "The streams in view, one row per connection.",
        &["connection_id"],
        Answer::Json("StreamList"),
    ),
    get(
        "/v1/streams/{stream}",
        "getStream",
        "One stream in detail.",
        &["path_stream", "connection_id"],
        Answer::Json("StreamDetail"),
    ),
    get(
        "/v1/streams/{stream}/aggregate",
        "aggregate",
        "One number, or one per value or time bucket.",
        &[
            "path_stream",
            "metric",
            "measured_field",
            "group_by",
            "group_by_time",
            "granularity",
            "time_zone",
            "group_limit",
            "cursor",
            "filter",
            "connection_id",
        ],
        Answer::Json("Aggregation"),
    ),
    get(
        "/v1/streams/{stream}/records",
        "listRecords",
        "One page of records, or of changes.",
        &[
            "path_stream",
            "connection_id",
            "limit",
            "cursor",
            "order",
            "sort",
            "fields",
            "filter",
            "count",
            "expand",
            "expand_limit",
            "changes_since",
            "preview_chars",
        ],
        Answer::Json("RecordPage"),
    ),
    Operation {
        method: "delete",
        access: Access::Owner,
        ..get(
            "/v1/streams/{stream}/records",
            "deleteRecords",
            "Empties one stream of one connection.",
            &["path_stream", "written_connection_id"],
            Answer::Nothing,
        )
    },
    get(
        "/v1/streams/{stream}/records/{id}",
        "getRecord",
        "One record.",
        &[
            "path_stream",
            "path_id",
            "connection_id",
            "fields",
            "expand",
            "expand_limit",
            "preview_chars",
            "if_none_match",
        ],
        Answer::Json("RecordDetail"),
    ),
    Operation {
        method: "delete",
        access: Access::Owner,
        ..get(
            "/v1/streams/{stream}/records/{id}",
            "deleteRecord",
            "Takes one record out; an absent one is fine.",
            &["path_stream", "path_id", "written_connection_id"],
            Answer::Nothing,
        )
    },
    get(
        "/v1/streams/{stream}/records/{id}/field-window",
        "getFieldWindow",
        "One bounded range of one text field.",
        &[
            "path_stream",
            "path_id",
            "connection_id",
            "field",
            "field_path",
            "offset_chars",
            "limit_chars",
            "cursor",
            "q",
            "before_chars",
            "after_chars",
        ],
        Answer::Json("FieldWindow"),
    ),
    Operation {
        method: "post",
        access: Access::Owner,
        takes: Takes::Lines,
        ..get(
            "/v1/ingest/{stream}",
            "ingest",
            "Adds, replaces or takes out records, all of the batch or nothing.",
            &["path_stream", "written_connection_id"],
            Answer::Json("IngestReport"),
        )
    },
    get(
        "/v1/token",
        "getToken",
        "What the token in hand is, which doors it opens and what it shows.",
        &[],
        Answer::Json("TokenInfo"),
    ),
];

const INDEX: Answer = Answer::Json("DiscoveryIndex");
const HEALTH: Answer = Answer::Json("Health");
