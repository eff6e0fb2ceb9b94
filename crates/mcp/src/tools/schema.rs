//! `schema`: what is here, and which questions each stream answers.

use pdpp_contract::schema::{SchemaDetail, SchemaRequest};
use pdpp_contract::{ConnectionId, ErrorCode, StreamName};
use rmcp::model::JsonObject;
use serde_json::json;

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::Arguments;
use crate::refusal::Refusal;
use super::{Definition, Tool};

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "What is here",
        description: "List what this grant shows. Without arguments: every stream by kind of source, the \
            connections, and the grant's own limits. With stream (add connection_id if several share the name): its fields, \
            filters, sorts, aggregates, relations and example calls. detail \"full\" adds JSON \
            Schema and needs stream. A long answer continues by cursor.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "stream": {"type": "string", "description": "One stream."},
            "connection_id": {
                "type": "string",
                "description": "Source to read, from schema."
            },
            "detail": {"type": "string", "enum": ["compact", "full"]},
            "cursor": {"type": "string", "description": "next_cursor of the same call."}
        },
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {"data": {"type": "object", "description": "The schema document."}},
        "required": ["data"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `schema`.
    pub(crate) async fn schema(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let detail = match arguments.choice("detail", &["compact", "full"])? {
            Some("full") => SchemaDetail::Full,
            _ => SchemaDetail::Compact,
        };
        let cursor = arguments.text("cursor")?;
        let connection_id = arguments.connection_id()?;
        let Some(stream) = arguments.name("stream")? else {
            if detail == SchemaDetail::Full {
                return Err(full_needs_stream());
            }
            return self.index(connection_id, cursor.as_deref()).await;
        };
        if detail == SchemaDetail::Full && connection_id.is_none() {
            self.one_carrier(&stream).await?;
        }
        let request = SchemaRequest { detail, stream: Some(stream), connection_id };
        self.stream_schema(request, cursor.as_deref()).await
    }

    /// Refuses full detail of a name that several connections share, whatever the provider would say.
    async fn one_carrier(&self, stream: &StreamName) -> Result<(), Refusal> {
        let sources = self.read.sources().await.map_err(Refusal::from)?;
        let carrying = sources.into_iter().filter(|source| source.streams.contains(stream));
        let carrying: Vec<_> = carrying.map(|source| source.connection).collect();
        if carrying.len() <= 1 {
            return Ok(());
        }
        let code = ErrorCode::AmbiguousSchemaDetail;
        let message = "several connections have this stream; add connection_id for full detail";
        let mut refusal =
            Refusal::new(code.as_str(), code.status(), message).param("connection_id");
        refusal.retry_with = Some("connection_id".to_owned());
        crate::refusal::candidates(&mut refusal, &carrying, None);
        Err(refusal)
    }

    async fn index(
        &self,
        connection_id: Option<ConnectionId>,
        cursor: Option<&str>,
    ) -> Result<ToolAnswer, Refusal> {
        let mut sources = self.read.sources().await.map_err(Refusal::from)?;
        if let Some(wanted) = connection_id {
            let (code, before) = (ErrorCode::ConnectionNotFound, sources.clone());
            sources.retain(|source| source.connection.connection_id == wanted);
            if sources.is_empty() {
                let message =
                    "this grant includes no such connection; call schema for those it has";
                let mut refusal =
                    Refusal::new(code.as_str(), code.status(), message).param("connection_id");
                let all: Vec<_> = before.into_iter().map(|source| source.connection).collect();
                crate::refusal::candidates(&mut refusal, &all, None);
                return Err(refusal.suggest(Tool::Schema, &json!({})));
            }
        }
        let mut limits = self.read.limits().await.map_err(Refusal::from)?;
        limits.retain(|limit| {
            sources.iter().any(|source| source.connection.connection_id == limit.connection_id)
        });
        self.schema_index(&sources, &limits, cursor).await
    }
}

/// Refused before anything is read: the whole schema of a large grant fits no result.
fn full_needs_stream() -> Refusal {
    let message = "full detail is for one stream: call schema first, then schema with stream, \
        connection_id and detail \"full\"";
    let mut refusal = Refusal::new("invalid_request", 400, message).param("detail");
    refusal.retry_with = Some("stream".to_owned());
    refusal.suggest(Tool::Schema, &json!({}))
}
