//! One line of a transcript: a prompt, an answer, calls of tools and their results.

use std::collections::HashMap;

use pdpp_contract::{Json, JsonObject};

use super::super::session::{AgentMessage, AgentSession};
use super::super::tool_text;
use crate::record::lenient;
use crate::sink::{Flow, Sink};

/// One line with a uuid.
pub struct TranscriptLine<'l> {
    /// Its key.
    pub key: String,
    /// When it was written.
    pub created_at: Option<String>,
    /// The line.
    pub line: &'l JsonObject,
}

impl TranscriptLine<'_> {
    /// A prompt or an answer, and the calls and results that stand in it.
    pub fn put_message(
        &self,
        session: &mut AgentSession,
        tools: &mut HashMap<String, String>,
        sink: &mut Sink<'_>,
    ) -> Flow {
        let message = lenient::object(self.line, "message");
        let content = message.and_then(|message| message.get("content"));
        let blocks: Vec<&JsonObject> = match content {
            Some(Json::Array(blocks)) => blocks.iter().filter_map(Json::as_object).collect(),
            _ => Vec::new(),
        };
        let is_tool = |block: &&&JsonObject| {
            matches!(lenient::text(block, "type"), Some("tool_use" | "tool_result"))
        };
        let said: Vec<String> = blocks
            .iter()
            .filter(|block| !is_tool(block) && !block.contains_key("thinking"))
            .map(|block| tool_text::of_content(&Json::Object((*block).clone())))
            .collect();
        let text = content.and_then(Json::as_str).map_or_else(|| said.join("\n\n"), str::to_owned);
        let thoughts: Vec<&str> =
            blocks.iter().filter_map(|block| lenient::text(block, "thinking")).collect();
        let is_user = lenient::text(self.line, "type") == Some("user");
        session.put(
            AgentMessage {
                kind: if is_user { self.kind_of(&text) } else { "message" },
                role: if is_user { "user" } else { "assistant" },
                text,
                thinking: (!thoughts.is_empty()).then(|| thoughts.join("\n\n")),
                ..self.message("")
            },
            sink,
        )?;
        for (number, block) in blocks.iter().filter(is_tool).enumerate() {
            let suffix = format!(":{}", number + 1);
            let message = match lenient::text(block, "type") {
                Some("tool_use") => self.call(block, &suffix, tools),
                _ => self.result(block, &suffix, tools),
            };
            session.put(message, sink)?;
        }
        Ok(())
    }

    fn call(
        &self,
        block: &JsonObject,
        suffix: &str,
        tools: &mut HashMap<String, String>,
    ) -> AgentMessage {
        let tool = lenient::text(block, "name").unwrap_or("unknown").to_owned();
        let call_id = lenient::text(block, "id").map(str::to_owned);
        if let Some(call_id) = &call_id {
            tools.insert(call_id.clone(), tool.clone());
        }
        AgentMessage {
            role: "assistant",
            kind: "tool_call",
            text: block.get("input").map(tool_text::of_input).unwrap_or_default(),
            tool: Some(tool),
            call_id,
            ..self.message(suffix)
        }
    }

    fn result(
        &self,
        block: &JsonObject,
        suffix: &str,
        tools: &HashMap<String, String>,
    ) -> AgentMessage {
        let call_id = lenient::text(block, "tool_use_id").map(str::to_owned);
        let tool = call_id.as_ref().and_then(|id| tools.get(id)).cloned();
        AgentMessage {
            role: "tool",
            kind: "tool_result",
            text: block.get("content").map(tool_text::of_content).unwrap_or_default(),
            tool: Some(tool.unwrap_or_else(|| "unknown".to_owned())),
            call_id,
            is_error: lenient::flag(block, "is_error"),
            ..self.message(suffix)
        }
    }

    /// What the program tells.
    pub fn put_notice(&self, session: &mut AgentSession, sink: &mut Sink<'_>) -> Flow {
        let text = lenient::text(self.line, "content").unwrap_or_default().to_owned();
        let is_command = lenient::text(self.line, "subtype") == Some("local_command");
        let kind = if is_command { "command" } else { "notice" };
        let notice = AgentMessage { role: "system", kind, text, ..self.message("") };
        session.put(notice, sink)
    }

    fn kind_of(&self, text: &str) -> &'static str {
        if lenient::flag(self.line, "isCompactSummary") == Some(true) {
            "summary"
        } else if text.starts_with("<command-") || text.starts_with("<local-command-") {
            "command"
        } else if lenient::flag(self.line, "isMeta") == Some(true) {
            "context"
        } else {
            "message"
        }
    }

    fn message(&self, suffix: &str) -> AgentMessage {
        AgentMessage {
            id: format!("{}{suffix}", self.key),
            created_at: self.created_at.clone(),
            ..AgentMessage::default()
        }
    }
}
