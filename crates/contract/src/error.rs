//! Refusals: a closed list of codes, one status for each, and what the caller can do next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{ConnectionId, ConnectorKey, GrantId, InvalidName, StreamName};

/// Defines the codes with their wire name and status, so that no code can lack either.
macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $wire:literal, $status:literal;)*) => {
        /// Why a request was refused. A new cause is a new code and a change of the contract.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
            JsonSchema,
        )]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $wire)] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }

            /// The HTTP status that belongs to the code.
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }
        }
    };
}

error_codes! {
    /// The request as a whole makes no sense, or carries a parameter we do not know.
    InvalidRequest = "invalid_request", 400;
    /// One argument has a value that is not allowed.
    InvalidArgument = "invalid_argument", 400;
    /// A cursor or bookmark that is malformed, forged, of another kind or of another grant.
    InvalidCursor = "invalid_cursor", 400;
    /// A filter that names no usable condition.
    InvalidFilter = "invalid_filter", 400;
    /// A sort the stream does not offer.
    InvalidSort = "invalid_sort", 400;
    /// A relation or expansion limit the stream does not offer.
    InvalidExpand = "invalid_expand", 400;
    /// A window selector that contradicts itself or leaves its range.
    InvalidWindow = "invalid_window", 400;
    /// A field path that cannot name a field.
    InvalidFieldPath = "invalid_field_path", 400;
    /// A field the stream does not declare (owner requests).
    UnknownField = "unknown_field", 400;
    /// A protocol version we do not speak.
    UnsupportedVersion = "unsupported_version", 400;
    /// A source declaration that breaks its rules.
    InvalidDeclaration = "invalid_declaration", 400;
    /// A line that is not JSON, or JSON that is not a record envelope.
    MalformedRecord = "malformed_record", 400;
    /// Record data that breaks its stream's schema.
    InvalidRecord = "invalid_record", 400;
    /// A key that disagrees with the key fields in the data.
    InvalidRecordIdentity = "invalid_record_identity", 400;
    /// Text a store cannot keep: U+0000 in a key, or a lone surrogate.
    InvalidText = "invalid_text", 400;
    /// A key, stream name or field name over its limit.
    KeyTooLong = "key_too_long", 400;
    /// A record that changes an entry of an append-only stream.
    AppendOnlyConflict = "append_only_conflict", 409;
    /// No credential, or one that opens nothing.
    AuthenticationError = "authentication_error", 401;
    /// A credential of the wrong kind for this route.
    PermissionError = "permission_error", 403;
    /// An owner credential where only an agent's credential may be used.
    OwnerCredentialRefused = "owner_credential_refused", 403;
    /// The grant was ended by the owner.
    GrantRevoked = "grant_revoked", 403;
    /// The grant's time is over.
    GrantExpired = "grant_expired", 403;
    /// The stored grant cannot be read by this version.
    GrantInvalid = "grant_invalid", 403;
    /// The grant does not include this stream; it may or may not exist.
    GrantStreamNotAllowed = "grant_stream_not_allowed", 403;
    /// The grant does not include this field; it may or may not exist.
    FieldNotGranted = "field_not_granted", 403;
    /// A browser page of another site tried to call.
    OriginNotAllowed = "origin_not_allowed", 403;
    /// No such thing in view.
    NotFound = "not_found", 404;
    /// No such connection in view.
    ConnectionNotFound = "connection_not_found", 404;
    /// The record has no such field.
    FieldNotFound = "field_not_found", 404;
    /// The text looked for does not occur in the field.
    QueryNotFound = "query_not_found", 404;
    /// No such blob in view.
    BlobNotFound = "blob_not_found", 404;
    /// The path exists, but not with this method.
    MethodNotAllowed = "method_not_allowed", 405;
    /// The read fits more than one connection; name one.
    AmbiguousConnection = "ambiguous_connection", 409;
    /// The full schema of a stream name that several connections share; name one.
    AmbiguousSchemaDetail = "ambiguous_schema_detail", 409;
    /// The record changed since the cursor was made.
    StaleCursor = "stale_cursor", 409;
    /// Somebody else changed the same thing first.
    Conflict = "conflict", 409;
    /// The change history no longer reaches back to the bookmark.
    CursorExpired = "cursor_expired", 410;
    /// A request body over its limit.
    PayloadTooLarge = "payload_too_large", 413;
    /// A field over the largest size a store keeps.
    FieldTooLarge = "field_too_large", 413;
    /// A content type this route does not read.
    UnsupportedMediaType = "unsupported_media_type", 415;
    /// A request for a host this server does not answer for.
    MisdirectedRequest = "misdirected_request", 421;
    /// The field holds no text: a number, a boolean, null or bytes.
    FieldNotText = "field_not_text", 422;
    /// Too many requests.
    RateLimitExceeded = "rate_limit_exceeded", 429;
    /// A fault of ours.
    ApiFault = "api_error", 500;
    /// The provider does not offer this operation.
    Unsupported = "unsupported", 501;
    /// The provider has no field windows, and a whole record is never fetched to cut it.
    FieldWindowUnsupported = "field_window_unsupported", 501;
    /// The store or provider cannot be reached now; nothing was changed.
    Unavailable = "unavailable", 503;
    /// The read took longer than its deadline.
    DeadlineExceeded = "deadline_exceeded", 504;
    /// The disk is full; nothing was changed.
    StorageFull = "storage_full", 507;
}

impl ErrorCode {
    /// The coarse type that PDPP clients switch on.
    pub fn error_type(self) -> &'static str {
        match self.status() {
            // The caller can mend these; a type that blames the server would say "try again".
            400 | 405 | 415 | 422 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            410 => "gone_error",
            413 => "request_entity_too_large_error",
            429 => "rate_limit_error",
            _ => "api_error",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One way out of an ambiguous read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AvailableConnection {
    /// What to pass as `connection_id`.
    pub connection_id: ConnectionId,
    /// The kind of source.
    pub connector_key: ConnectorKey,
    /// The grant that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_id: Option<GrantId>,
    /// The stream it was asked for, when the refusal is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamName>,
    /// What the owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

/// The thing that a refusal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorSubject {
    /// A connection.
    Connection(ConnectionId),
    /// A stream.
    Stream(StreamName),
    /// A field, by its name.
    Field(String),
}

/// What a reader can look up after a refusal. Each door says it in its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaLookup {
    /// Look up the connections in view.
    Connections,
    /// Look up the streams in view.
    Streams,
}

/// Where one line of a batch failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejection {
    /// The line's place in the input, from 0; blank lines count.
    pub input_index: u64,
    /// Why it was refused.
    pub code: ErrorCode,
    /// The same in words, without the line's content.
    pub message: String,
}

/// A refusal: what was wrong, where, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ApiError {
    /// The cause.
    pub code: ErrorCode,
    /// The cause in words, naming the next step. Never holds record content.
    pub message: String,
    /// The parameter at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// The parameter to add before trying again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_with: Option<String>,
    /// Connections to choose from, at most twelve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub available_connections: Vec<AvailableConnection>,
    /// How many there are in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_connection_count: Option<u64>,
    /// The lines of a batch that stopped it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejections: Vec<Rejection>,
    /// What a remote provider calls the request it refused. A server's own answers carry their id
    /// beside the refusal, so it is no part of this schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub request_id: Option<String>,
    /// What the refusal is about, for code that goes on from it; not sent.
    #[serde(skip)]
    pub subject: Option<ErrorSubject>,
    /// What helps now. Not sent: a door adds it to the message in its own words.
    #[serde(skip)]
    pub next: Option<SchemaLookup>,
}

impl ApiError {
    /// A refusal with nothing but its cause.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            param: None,
            retry_with: None,
            available_connections: Vec::new(),
            available_connection_count: None,
            rejections: Vec::new(),
            request_id: None,
            subject: None,
            next: None,
        }
    }

    /// Names what the refusal is about.
    #[must_use]
    pub fn about(mut self, subject: ErrorSubject) -> Self {
        self.subject = Some(subject);
        self
    }

    /// Says what helps now.
    #[must_use]
    pub fn next(mut self, step: SchemaLookup) -> Self {
        self.next = Some(step);
        self
    }

    /// Names the parameter at fault.
    #[must_use]
    pub fn param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Names the parameter to add before trying again.
    #[must_use]
    pub fn retry_with(mut self, param: impl Into<String>) -> Self {
        self.retry_with = Some(param.into());
        self
    }
}

impl From<InvalidName> for ApiError {
    fn from(fault: InvalidName) -> Self {
        Self::new(ErrorCode::InvalidArgument, fault.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_wire_name_and_a_plausible_status() {
        let mut names: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            assert!((400..600).contains(&code.status()), "{code}");
            let wire = serde_json::to_string(code).unwrap();
            assert_eq!(wire, format!("\"{}\"", code.as_str()));
        }
    }
}
