//! Every limit of the product, in one place. Tests and messages read them from here.

/// Longest record key, in bytes of its canonical string.
pub const MAX_KEY_BYTES: usize = 512;
/// Longest stream or field name, in bytes.
pub const MAX_NAME_BYTES: usize = 128;
/// Longest connection id, in bytes.
pub const MAX_CONNECTION_ID_BYTES: usize = 128;
/// Longest owner label, in bytes.
pub const MAX_DISPLAY_NAME_BYTES: usize = 256;
/// Longest client name, in bytes.
pub const MAX_CLIENT_NAME_BYTES: usize = 128;
/// Longest field path of a window request, in bytes.
pub const MAX_FIELD_PATH_BYTES: usize = 256;

/// Largest single field value, in bytes of its text.
pub const MAX_FIELD_BYTES: usize = 512 * 1024 * 1024;
/// A field whose text is longer than this many bytes lives outside the record, in chunks.
pub const INLINE_FIELD_BYTES: usize = 8 * 1024;
/// The JSON kept in a record's row stays below this; the largest fields move out first.
pub const INLINE_RECORD_BYTES: usize = 32 * 1024;
/// Characters in one chunk of long text. Not a power of two: those waste half of each page.
pub const CHUNK_CHARS: u64 = 4_000;
/// How many bytes of a text sort key are kept, in index and cursor alike.
pub const SORT_KEY_BYTES: usize = 64;
/// Deepest nesting of a record's JSON.
pub const MAX_JSON_DEPTH: usize = 100;

/// Records on a page when the request names no limit.
pub const DEFAULT_PAGE: u32 = 25;
/// Most records on a page.
pub const MAX_PAGE: u32 = 100;
/// A list page stops growing at this many bytes of record JSON; it always holds one record.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;

/// The largest blob.
pub const MAX_BLOB_BYTES: usize = 512 * 1024 * 1024;
/// The most of a blob that is read at once.
pub const BLOB_PIECE_BYTES: usize = 256 * 1024;

/// Window length when the request names none, in characters.
pub const DEFAULT_WINDOW_CHARS: u32 = 4_096;
/// Longest window, in characters.
pub const MAX_WINDOW_CHARS: u32 = 16_384;
/// Context on each side of a match when the request names none, in characters.
pub const DEFAULT_CONTEXT_CHARS: u32 = 2_048;
/// Longest context on each side of a match, in characters.
pub const MAX_CONTEXT_CHARS: u32 = 8_192;
/// Longest text to look for inside a field, in bytes.
pub const MAX_MATCH_QUERY_BYTES: usize = 1_024;

/// Most filter conditions in one request.
pub const MAX_FILTERS: usize = 32;
/// Most values in a `fields` parameter.
pub const MAX_FIELDS: usize = 256;
/// Candidates named in an `ambiguous_connection` refusal.
pub const MAX_AMBIGUOUS_CANDIDATES: usize = 12;

/// Groups of an aggregate when the request names no limit.
pub const DEFAULT_GROUPS: u32 = 10;
/// Most groups of an aggregate.
pub const MAX_GROUPS: u32 = 100;

/// Largest request body of an ingest call, in bytes.
pub const MAX_INGEST_BODY_BYTES: usize = 50 * 1024 * 1024;
/// Largest request body of any other call, in bytes.
pub const MAX_BODY_BYTES: usize = 256 * 1024;

/// The only version of the `/v1` interface this server speaks.
pub const PDPP_VERSION: &str = "2026-04-06";
