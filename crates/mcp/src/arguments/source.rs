//! Which connection a call is about, settled from the grant alone.

use pdpp_contract::error::AvailableConnection;
use pdpp_contract::read_api::Source;
use pdpp_contract::{ConnectionId, StreamName};
use serde_json::json;

use crate::arguments::Arguments;
use crate::call_context::CallContext;
use crate::refusal::{Refusal, candidates};
use crate::render::one_line::one_line;
use crate::tools::Tool;

/// Characters of a label in a refusal.
const LABEL_CHARS: usize = 16;

impl CallContext {
    /// Refuses a read that could be about several connections, and says which ones, or about none.
    pub(crate) async fn one_source(
        &self,
        tool: Tool,
        arguments: &Arguments,
        stream: &StreamName,
        connection_id: Option<&ConnectionId>,
    ) -> Result<(), Refusal> {
        if connection_id.is_some() {
            return Ok(());
        }
        let sources = self.read.sources().await.map_err(Refusal::from)?;
        if sources.len() <= 1 {
            return Ok(());
        }
        // Naming a connection would not help where none carries the stream.
        if !sources.iter().any(|source| source.streams.contains(stream)) {
            return Err(self.no_stream(stream, None).await);
        }
        Err(ambiguous(tool, arguments, stream, sources))
    }
}

/// Lists the connections that carry the stream and counts the others, so that the refusal costs
/// little; if only one carries it, the way out is complete.
fn ambiguous(
    tool: Tool,
    arguments: &Arguments,
    stream: &StreamName,
    sources: Vec<Source>,
) -> Refusal {
    let (carrying, others): (Vec<Source>, Vec<Source>) =
        sources.into_iter().partition(|source| source.streams.contains(stream));
    let mut refusal = Refusal::new(
        "ambiguous_connection",
        409,
        format!("{} reads one connection; add connection_id", tool.name()),
    );
    refusal.retry_with = Some("connection_id".to_owned());
    if let [only] = carrying.as_slice() {
        let mut call = arguments.members().clone();
        call.insert("connection_id".to_owned(), json!(only.connection.connection_id));
        refusal = refusal.suggest(tool, &serde_json::Value::Object(call));
    }
    let carrying: Vec<AvailableConnection> =
        carrying.into_iter().map(|source| source.connection).collect();
    candidates(&mut refusal, &shortened(carrying), None);
    if !others.is_empty() {
        refusal = refusal.with("other_connections", json!(others.len()));
    }
    refusal
}

/// With long labels cut, because the ids tell the connections apart.
fn shortened(connections: Vec<AvailableConnection>) -> Vec<AvailableConnection> {
    let short = |connection: AvailableConnection| AvailableConnection {
        display_name: connection.display_name.map(|name| one_line(&name, LABEL_CHARS)),
        ..connection
    };
    connections.into_iter().map(short).collect()
}
