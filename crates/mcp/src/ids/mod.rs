//! Result ids: one text that leads to one record, as `connection/stream:record` or as a handle.

pub(crate) mod citation;
pub(crate) mod name_handles;
pub(crate) mod unnamed;

use std::borrow::Cow;

use pdpp_contract::handles::{Handle, HandleKind, Handles, RecordRef};
use pdpp_contract::{ConnectionId, RecordId, StreamName};
use serde_json::json;

use crate::ids::unnamed::is_named;
use crate::refusal::Refusal;
use crate::render::one_line::{ascii_json, is_unsafe};

/// What precedes the handle of a record.
pub(crate) const RECORD_URI: &str = "pdpp://record/";
/// An id that would take more bytes than this in a text becomes a handle.
const LONGEST_PRINTED: usize = 200;

/// An id as it was given: parsed, nothing read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResultId {
    /// `connection/stream:record`
    Full { connection_id: ConnectionId, stream: StreamName, record_id: RecordId },
    /// `stream:record`; which connection is another question.
    Legacy { stream: StreamName, record_id: RecordId },
    /// `pdpp://record/…`
    Handle(String),
}

/// Reads an id. Whatever the grammar does not allow is refused here, before any read.
pub(crate) fn parse(text: &str) -> Result<ResultId, Refusal> {
    let text = &*as_shown(text);
    if let Some(handle) = text.strip_prefix(RECORD_URI) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if handle.is_empty() || !handle.chars().all(plain) {
            return Err(invalid("malformed_handle"));
        }
        return Ok(ResultId::Handle(handle.to_owned()));
    }
    match text.split_once('/') {
        None => {
            let (stream, record_id) = stream_and_record(text)?;
            Ok(ResultId::Legacy { stream, record_id })
        }
        Some((connection, rest)) => {
            if connection.is_empty() || rest.is_empty() {
                return Err(invalid("empty_segment"));
            }
            let connection_id = ConnectionId::new(connection).map_err(|_| invalid("traversal"))?;
            let (stream, record_id) = stream_and_record(rest)?;
            Ok(ResultId::Full { connection_id, stream, record_id })
        }
    }
}

/// An id that was copied with the quotes in which a text shows it: what stands between them.
pub(crate) fn as_shown(text: &str) -> Cow<'_, str> {
    let quoted = text.starts_with('"').then(|| serde_json::from_str(text).ok()).flatten();
    quoted.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn stream_and_record(text: &str) -> Result<(StreamName, RecordId), Refusal> {
    if text.contains('/') {
        return Err(invalid("extra_separator"));
    }
    if !is_carried(text) {
        return Err(invalid("traversal"));
    }
    let (stream, record) = text.split_once(':').ok_or_else(|| invalid("missing_separator"))?;
    if stream.is_empty() || record.is_empty() {
        return Err(invalid("empty_segment"));
    }
    let stream = StreamName::new(stream).map_err(|_| invalid("invalid_stream"))?;
    if !is_carried(record) {
        return Err(invalid("traversal"));
    }
    let record = RecordId::new(record).map_err(|_| invalid("invalid_record_id"))?;
    Ok((stream, record))
}

/// Whether the grammar can carry a segment.
fn is_carried(segment: &str) -> bool {
    !segment.contains(['/', '\\']) && !segment.contains("..") && segment != "."
}

fn invalid(reason: &str) -> Refusal {
    let message = "not a result id; pass an id as search or query_records showed it: \
        connection_id/stream:record_id, stream:record_id or pdpp://record/…";
    Refusal::new("invalid_result_id", 400, message).param("id").with("reason", json!(reason))
}

/// The id of a record: readable where the grammar can carry it, else a handle.
pub(crate) fn mint(record: &RecordRef, handles: &dyn Handles) -> String {
    let short = format!("{}:{}", record.stream, record.record_id);
    let readable = if is_named(&record.connection_id) {
        format!("{}/{short}", record.connection_id)
    } else {
        short
    };
    let carried = is_carried(record.record_id.as_str());
    if carried && printed(&readable).len() <= LONGEST_PRINTED {
        return readable;
    }
    match handles.seal(&Handle::Record(record.clone())) {
        // A handle that holds names is longer than the names; then the readable form stays.
        Some(handle) if !carried || RECORD_URI.len() + handle.len() <= LONGEST_PRINTED => {
            format!("{RECORD_URI}{handle}")
        }
        _ => readable,
    }
}

/// An id as it stands in a text: raw up to the next space, or an ASCII JSON string.
pub(crate) fn printed(id: &str) -> String {
    let unclear = |c: char| c.is_whitespace() || is_unsafe(c);
    if id.starts_with('"') || id.chars().any(unclear) {
        return ascii_json(&json!(id));
    }
    id.to_owned()
}

/// The record an id stands for, as far as it can be known without reading.
pub(crate) struct Target {
    /// Where to read; absent for the short form without a connection.
    pub connection_id: Option<ConnectionId>,
    pub stream: StreamName,
    pub record_id: RecordId,
}

/// Resolves an id together with the arguments that may stand beside it.
pub(crate) async fn resolve(
    id: &str,
    connection_id: Option<&ConnectionId>,
    handles: &dyn Handles,
) -> Result<Target, Refusal> {
    let target = match parse(id)? {
        ResultId::Full { connection_id, stream, record_id } => {
            Target { connection_id: Some(connection_id), stream, record_id }
        }
        ResultId::Legacy { stream, record_id } => {
            return Ok(Target { connection_id: connection_id.cloned(), stream, record_id });
        }
        ResultId::Handle(text) => match handles.open(HandleKind::Record, &text).await {
            Ok(Handle::Record(record)) => Target {
                connection_id: Some(record.connection_id),
                stream: record.stream,
                record_id: record.record_id,
            },
            Ok(_) => return Err(invalid("malformed_handle")),
            Err(error) if error.code == pdpp_contract::ErrorCode::InvalidCursor => {
                return Err(invalid("malformed_handle"));
            }
            Err(error) => return Err(error.into()),
        },
    };
    match (connection_id, &target.connection_id) {
        (Some(given), Some(embedded)) if given != embedded => Err(conflict(embedded, given)),
        _ => Ok(target),
    }
}

fn conflict(embedded: &ConnectionId, given: &ConnectionId) -> Refusal {
    let message = format!(
        "the id belongs to connection {embedded}, but connection_id says {given}; leave connection_id out"
    );
    Refusal::new("conflicting_connection_id", 400, message).param("connection_id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(id: &str) -> Option<Parts> {
        match parse(id).ok()? {
            ResultId::Full { connection_id, stream, record_id } => {
                Some((Some(connection_id.into()), stream.into(), record_id.into()))
            }
            ResultId::Legacy { stream, record_id } => Some((None, stream.into(), record_id.into())),
            ResultId::Handle(_) => None,
        }
    }

    type Parts = (Option<String>, String, String);

    fn named(connection: Option<&str>, stream: &str, record: &str) -> Parts {
        (connection.map(str::to_owned), stream.to_owned(), record.to_owned())
    }

    #[test]
    fn both_grammars_are_read_as_they_were_issued() {
        assert_eq!(parts("cin_4f2a/orders:o1"), Some(named(Some("cin_4f2a"), "orders", "o1")));
        assert_eq!(parts("orders:o1"), Some(named(None, "orders", "o1")));
        assert_eq!(
            parts("orders:a:b:c"),
            Some(named(None, "orders", "a:b:c")),
            "the first colon separates"
        );
        assert_eq!(parts("a:b/orders:o1"), Some(named(Some("a:b"), "orders", "o1")));
        let compound = r#"cin_1/daily:["u 1","2026-04-01"]"#;
        assert_eq!(parts(compound), Some(named(Some("cin_1"), "daily", r#"["u 1","2026-04-01"]"#)));
    }

    #[test]
    fn malformed_ids_are_refused() {
        for bad in [
            "",
            "noseparator",
            "orders:",
            ":o1",
            "cin_a/",
            "/orders:o1",
            "cin_a/orders",
            "cin_a/extra/orders:o1",
            "cin_a/orders:../../etc/passwd",
            "../cin_a/orders:o1",
            "cin_a/..:o1",
            "cin_a/orders:a\\b",
            "a\\b/orders:o1",
            "orders:..",
            "cin_a/orders:.",
            "pdpp://record/",
            "pdpp://record/a b",
            "pdpp:cin_a",
        ] {
            let refused = parse(bad).err().map(|refusal| refusal.code);
            let legacy = bad == "pdpp:cin_a";
            assert_eq!(refused, if legacy { None } else { Some("invalid_result_id") }, "{bad}");
        }
    }

    #[test]
    fn ids_print_so_that_the_next_space_ends_them() {
        assert_eq!(printed("cin_1/a:b,[x]"), "cin_1/a:b,[x]");
        assert_eq!(printed("cin_1/日記:é"), "cin_1/日記:é");
        assert_eq!(printed("cin_1/a:b c"), r#""cin_1/a:b c""#);
        assert_eq!(printed("cin_1/a:\u{202e}b"), r#""cin_1/a:\u202eb""#);
        for id in ["cin_1/a:b c", "cin_1/a:\u{202e}b", "cin_1/a:\"b\"", "a:b c"] {
            assert_eq!(parse(&printed(id)).ok(), parse(id).ok(), "{id:?} as it is shown");
            assert!(parse(id).is_ok());
        }
    }
}
