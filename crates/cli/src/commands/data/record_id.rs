//! The id of a record on the command line: as agents see it, or with an account's short name.

use std::convert::Infallible;
use std::str::FromStr;

use pdpp_contract::handles::{Handle, HandleKind, Handles};
use pdpp_contract::{ConnectionId, ConnectionName, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use pdpp_store::connections::ConnectionRef;

use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::Failure;
use crate::output::quoted;

/// What precedes the handle of a record.
const RECORD_URI: &str = "pdpp://record/";

/// An id as it was typed.
#[derive(Debug, Clone)]
pub struct RecordIdText(String);

impl FromStr for RecordIdText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        // Answers show ids that hold blanks in quotes.
        let unquoted = text.starts_with('"').then(|| serde_json::from_str(text).ok()).flatten();
        Ok(Self(unquoted.unwrap_or_else(|| text.to_owned())))
    }
}

/// The record that an id names. Whether it exists is not known yet.
#[derive(Debug, Clone)]
pub struct RecordTarget {
    /// The account; absent when the id names none.
    pub connection_id: Option<ConnectionId>,
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_id: RecordId,
}

impl RecordIdText {
    /// Resolves names and handles. A handle opens within what `reader` sees.
    pub async fn resolve(
        &self,
        reader: &GrantedReader,
        app: &CliApp,
    ) -> Result<RecordTarget, Failure> {
        if let Some(handle) = self.0.strip_prefix(RECORD_URI) {
            return match reader.open(HandleKind::Record, handle).await? {
                Handle::Record(record) => Ok(RecordTarget {
                    connection_id: Some(record.connection_id),
                    stream: record.stream,
                    record_id: record.record_id,
                }),
                _ => Err(self.unreadable()),
            };
        }
        let (connection, stream, record) = split(&self.0).ok_or_else(|| self.unreadable())?;
        let connection_id = match connection.map(connection_ref).transpose()? {
            None => None,
            Some(ConnectionRef::Id(id)) => Some(id),
            Some(name @ ConnectionRef::Name(_)) => Some(app.connection(&name).await?.id),
        };
        let (stream, record_id) = (StreamName::new(stream)?, RecordId::new(record)?);
        Ok(RecordTarget { connection_id, stream, record_id })
    }

    fn unreadable(&self) -> Failure {
        Failure::usage(format!(
            "{} is not the id of a record; write ACCOUNT/STREAM:ID, as search shows it",
            quoted(&self.0)
        ))
    }
}

/// Account, stream and record. A record's own id may hold any sign, the other two cannot hold `/`
/// or `:`.
fn split(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let (head, record) = text.split_once(':')?;
    let (connection, stream) = match head.split_once('/') {
        None => (None, head),
        Some((connection, stream)) => (Some(connection), stream),
    };
    (!stream.is_empty() && !record.is_empty()).then_some((connection, stream, record))
}

/// The id to show to the owner.
pub fn shown(account: &ConnectionName, stream: &StreamName, record: &RecordId) -> String {
    format!("{account}/{stream}:{record}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_s_own_id_may_hold_any_sign() {
        for (text, parts) in [
            ("mail/messages:<a/b:c@x>", Some((Some("mail"), "messages", "<a/b:c@x>"))),
            ("messages:m1", Some((None, "messages", "m1"))),
            (r#"cin_1/daily:["u 1","x"]"#, Some((Some("cin_1"), "daily", r#"["u 1","x"]"#))),
            ("mail", None),
            ("mail/messages", None),
            ("mail/messages:", None),
        ] {
            assert_eq!(split(text), parts, "{text}");
        }
    }
}
