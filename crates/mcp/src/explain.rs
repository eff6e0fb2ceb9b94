//! A provider's refusal in the adapter's words: which names are near, and what to call instead.

use pdpp_contract::error::ErrorSubject;
use pdpp_contract::schema::{SchemaDetail, SchemaRequest};
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, StreamName};
use serde_json::json;

use crate::call_context::CallContext;
use crate::refusal::Refusal;
use crate::render::one_line::one_line;
use crate::tools::Tool;

/// Names that a refusal offers.
const NEAREST: usize = 3;

impl CallContext {
    /// Explains a refusal about one stream. Offers names from the grant only, so that what is hidden
    /// and what does not exist look alike.
    pub(crate) async fn explain(
        &self,
        error: ApiError,
        stream: &StreamName,
        connection_id: Option<&ConnectionId>,
    ) -> Refusal {
        self.explain_fields(error, stream, connection_id, &[]).await
    }

    /// The same for a request that names fields.
    pub(crate) async fn explain_fields(
        &self,
        error: ApiError,
        stream: &StreamName,
        connection_id: Option<&ConnectionId>,
        asked: &[String],
    ) -> Refusal {
        match error.code {
            ErrorCode::GrantStreamNotAllowed => self.no_stream(stream, connection_id).await,
            ErrorCode::NotFound if error.param.as_deref() == Some("stream") => {
                self.no_stream(stream, connection_id).await
            }
            ErrorCode::ConnectionNotFound => self.no_connection().await,
            ErrorCode::FieldNotGranted | ErrorCode::UnknownField | ErrorCode::InvalidSort => {
                self.no_field(error, stream, connection_id, asked).await
            }
            _ => error.into(),
        }
    }

    /// Refuses a stream that the grant does not include; names those that are spelled alike.
    pub(crate) async fn no_stream(
        &self,
        stream: &StreamName,
        connection_id: Option<&ConnectionId>,
    ) -> Refusal {
        let sources = self.read.sources().await.unwrap_or_default();
        let asked = sources
            .iter()
            .filter(|source| connection_id.is_none_or(|id| source.connection.connection_id == *id));
        let names = asked.flat_map(|source| source.streams.iter().map(StreamName::as_str));
        let near = nearest(stream.as_str(), names);
        let code = ErrorCode::GrantStreamNotAllowed;
        let of = if connection_id.is_some() { " of that connection" } else { "" };
        let message =
            format!("this grant includes no stream {stream}{of}; call schema for those it has");
        offer(Refusal::new(code.as_str(), code.status(), message).param("stream"), &near, "streams")
            .suggest(Tool::Schema, &json!({}))
    }

    /// Refuses a connection that the grant does not include; names those that it does.
    pub(crate) async fn no_connection(&self) -> Refusal {
        let sources = self.read.sources().await.unwrap_or_default();
        let message = "this grant includes no such connection; call schema for those it has";
        let code = ErrorCode::ConnectionNotFound;
        let mut refusal =
            Refusal::new(code.as_str(), code.status(), message).param("connection_id");
        let connections: Vec<_> = sources.into_iter().map(|source| source.connection).collect();
        crate::refusal::candidates(&mut refusal, &connections, None);
        refusal.suggest(Tool::Schema, &json!({}))
    }

    async fn no_field(
        &self,
        error: ApiError,
        stream: &StreamName,
        connection_id: Option<&ConnectionId>,
        asked: &[String],
    ) -> Refusal {
        let request = SchemaRequest {
            detail: SchemaDetail::Compact,
            stream: Some(stream.clone()),
            connection_id: connection_id.cloned(),
        };
        let schema = self.read.schema(request).await.ok();
        let blocks = schema.iter().flat_map(|schema| &schema.connectors).flat_map(|c| &c.streams);
        let sorting = error.code == ErrorCode::InvalidSort;
        let fields = blocks.flat_map(|block| &block.field_capabilities);
        let fields: Vec<_> = fields.collect();
        let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        let (near, message) = if sorting {
            let sortable = fields.iter().filter(|(_, can)| can.sortable);
            let mut names: Vec<String> = sortable.map(|(name, _)| name.to_string()).collect();
            names.sort();
            names.dedup();
            names.truncate(12);
            (names, error.message)
        } else {
            match at_fault(error.subject.as_ref(), asked, &known) {
                Some(name) => {
                    let message = format!(
                        "this grant includes no field {name:?} of {stream}; call schema(stream) for its fields"
                    );
                    (nearest(name, known.into_iter()), message)
                }
                None => {
                    let message = format!("{}; call schema(stream) for its fields", error.message);
                    (Vec::new(), message)
                }
            }
        };
        let mut refusal = Refusal::new(error.code.as_str(), error.code.status(), message);
        refusal.param = error.param;
        let what = if sorting { "sortable_fields" } else { "fields" };
        let mut call = json!({"stream": stream});
        if let (Some(id), Some(members)) = (connection_id, call.as_object_mut()) {
            members.insert("connection_id".to_owned(), json!(id));
        }
        offer(refusal, &near, what).suggest(Tool::Schema, &call)
    }
}

/// The name that was refused: the one that the refusal is about, else the first that is not in view.
fn at_fault<'a>(
    subject: Option<&'a ErrorSubject>,
    asked: &'a [String],
    known: &[&str],
) -> Option<&'a str> {
    let named = match subject {
        Some(ErrorSubject::Field(name)) => Some(name),
        Some(ErrorSubject::Stream(_) | ErrorSubject::Connection(_)) | None => None,
    };
    let unknown = |name: &&str| !known.contains(name);
    named.into_iter().chain(asked).map(String::as_str).find(unknown)
}

fn offer(refusal: Refusal, names: &[String], what: &str) -> Refusal {
    if names.is_empty() {
        return refusal;
    }
    let member =
        if what == "sortable_fields" { what.to_owned() } else { format!("nearest_{what}") };
    let mut refusal = refusal.with(&member, json!(names));
    // Which fields a stream sorts by is in the message already.
    if what != "sortable_fields" {
        let shown: Vec<String> = names.iter().map(|name| one_line(name, 60)).collect();
        refusal.message = format!("{}; nearest: {}", refusal.message, shown.join(", "));
    }
    refusal
}

/// The names most like `asked`, by edits, then alphabetically. The name itself is no help.
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<&str> = names.filter(|name| *name != asked).collect();
    names.sort_unstable();
    names.dedup();
    let asked = asked.to_lowercase();
    let mut scored: Vec<(usize, &str)> =
        names.into_iter().map(|name| (edits(&asked, &name.to_lowercase()), name)).collect();
    scored.sort_unstable();
    scored.into_iter().take(NEAREST).map(|(_, name)| name.to_owned()).collect()
}

/// The number of single-character edits between two short texts.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, x) in a.chars().enumerate() {
        let mut left = row + 1;
        let mut diagonal = row;
        let mut next = vec![left];
        for (y, over) in b.iter().zip(above.iter().skip(1)) {
            let cost = diagonal + usize::from(x != *y);
            diagonal = *over;
            left = cost.min(left + 1).min(over + 1);
            next.push(left);
        }
        above = next;
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_no_more_than_three() {
        let names = ["messages", "labels", "attachments", "message_files"];
        assert_eq!(nearest("mesages", names.into_iter())[0], "messages");
        assert_eq!(nearest("x", names.into_iter()).len(), 3);
        assert!(!nearest("labels", names.into_iter()).contains(&"labels".to_owned()));
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }
}
