//! Refusals: one compact object that says what was wrong and what to call instead.

use pdpp_contract::error::{AvailableConnection, SchemaLookup};
use pdpp_contract::{ApiError, ErrorCode};
use serde_json::{Map, Value, json};

use crate::ids::unnamed::is_named;
use crate::render::titles;
use crate::tools::Tool;

/// The one name for arguments that are not what a tool takes, whoever found out.
const INVALID_ARGUMENTS: &str = "invalid_arguments";

/// Why a call was refused, and the way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The cause: a word of this crate or of the contract, never one from outside.
    pub code: &'static str,
    /// The status the cause has over HTTP.
    pub status: u16,
    /// The cause in words, ending with what to do next.
    pub message: String,
    /// The argument at fault.
    pub param: Option<String>,
    /// The argument to add before trying again.
    pub retry_with: Option<String>,
    /// A complete call that would work: tool and arguments.
    pub suggested_call: Option<Value>,
    /// More members of the object, in order.
    pub more: Map<String, Value>,
}

impl Refusal {
    /// A refusal with nothing but its cause.
    pub fn new(code: &'static str, status: u16, message: impl Into<String>) -> Self {
        Self {
            code,
            status,
            message: message.into(),
            param: None,
            retry_with: None,
            suggested_call: None,
            more: Map::new(),
        }
    }

    /// Arguments that are not what the tool takes.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new(INVALID_ARGUMENTS, 400, message)
    }

    /// Names the argument at fault.
    #[must_use]
    pub fn param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Gives a complete call that would work.
    #[must_use]
    pub fn suggest(mut self, tool: Tool, arguments: &Value) -> Self {
        self.suggested_call = Some(json!({"tool": tool.name(), "arguments": arguments}));
        self
    }

    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// The object on the wire.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("code".to_owned(), json!(self.code));
        out.insert("status".to_owned(), json!(self.status));
        out.insert("message".to_owned(), json!(self.message));
        for (name, value) in [("param", &self.param), ("retry_with", &self.retry_with)] {
            if let Some(value) = value {
                out.insert(name.to_owned(), json!(value));
            }
        }
        if let Some(call) = &self.suggested_call {
            out.insert("suggested_call".to_owned(), call.clone());
        }
        out.extend(self.more.clone());
        Value::Object(out)
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let code = match error.code {
            ErrorCode::InvalidArgument => INVALID_ARGUMENTS,
            code => code.as_str(),
        };
        let message = match error.next {
            None => error.message,
            Some(SchemaLookup::Connections | SchemaLookup::Streams) => {
                format!("{}; call schema for those it has", error.message)
            }
        };
        let mut refusal = Self::new(code, error.code.status(), message);
        refusal.param = error.param;
        refusal.retry_with = error.retry_with;
        if !error.available_connections.is_empty() {
            let total = error.available_connection_count;
            candidates(&mut refusal, &error.available_connections, total);
        }
        if let Some(id) = error.request_id {
            refusal.more.insert("request_id".to_owned(), json!(id));
        }
        if error.code == ErrorCode::QueryNotFound {
            refusal.retry_with = Some("offset_chars".to_owned());
        }
        refusal
    }
}

/// A provider that returns more than it is asked for, again and again.
pub(crate) fn unsteady() -> Refusal {
    Refusal::new("unavailable", 503, "the provider ignores limit; ask for fewer fields or records")
}

/// Adds connections to choose from: at most twelve, and the way to the rest.
pub(crate) fn candidates(
    refusal: &mut Refusal,
    connections: &[AvailableConnection],
    total: Option<u64>,
) {
    // There is nothing to choose where the only connection has no name.
    if let [only] = connections
        && !is_named(&only.connection_id)
    {
        return;
    }
    let most = pdpp_contract::limits::MAX_AMBIGUOUS_CANDIDATES;
    let shown: Vec<Value> = connections.iter().take(most).map(candidate).collect();
    let total = total.unwrap_or(u64::try_from(connections.len()).unwrap_or(u64::MAX));
    let omitted = total.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    let more = &mut refusal.more;
    more.insert("available_connections".to_owned(), Value::Array(shown));
    more.insert("available_connection_count".to_owned(), json!(total));
    if omitted > 0 {
        more.insert("available_connections_truncated".to_owned(), json!(true));
        more.insert("available_connections_omitted".to_owned(), json!(omitted));
        let hint = "call schema for every connection and stream in view";
        more.insert("discovery_hint".to_owned(), json!(hint));
    }
}

fn candidate(connection: &AvailableConnection) -> Value {
    let mut out = Map::new();
    if let Some(grant) = &connection.grant_id {
        out.insert("grant_id".to_owned(), json!(grant));
    }
    out.insert("connector_key".to_owned(), json!(connection.connector_key));
    out.insert("connection_id".to_owned(), json!(connection.connection_id));
    if let Some(name) = connection.display_name.as_deref().and_then(titles::label) {
        out.insert("display_name".to_owned(), json!(name));
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_has_one_name_whether_the_adapter_or_the_provider_refuses_it() {
        let there = ApiError::new(ErrorCode::InvalidArgument, "no such zone").param("time_zone");
        let (there, here) = (Refusal::from(there), Refusal::arguments("no such zone"));
        assert_eq!(there, here.param("time_zone"));
        let other = ApiError::new(ErrorCode::InvalidSort, "not by that");
        assert_eq!(Refusal::from(other).code, "invalid_sort");
    }
}
