//! `codex`: `~/.codex/sessions/…/rollout-*.jsonl`, of all versions that wrote lines.

use std::collections::HashMap;

use pdpp_contract::{Json, JsonObject};

use super::left_out::LeftOutEntries;
use super::session::{AgentMessage, AgentSession};
use super::{declaration, tool_text};
use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, has_ending};
use crate::readers::json_lines::each_line;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;

/// Events that say again what an item of the model says, or only count.
const REPEATED: [&str; 4] = ["user_message", "agent_message", "agent_reasoning", "token_count"];
/// What the program puts before the first prompt.
const CONTEXT: [&str; 4] =
    ["<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md instructions"];

/// Transcripts of Codex.
pub static FORMAT: Format = Format {
    name: "codex",
    help: "Read the transcripts of Codex (~/.codex/sessions)",
    reads: "`~/.codex`: `sessions/…/rollout-*.jsonl`, `session_index.jsonl`",
    recognise: Recognise {
        rank: 94,
        claims: |file| {
            if is_rollout(file.name()) || is_index(file.name()) {
                return Some(Claim::file());
            }
            let is_own = file.ends_with(&[".jsonl", ".json"])
                && file.head().starts_with('{')
                && file.head().contains("\"session_meta\"");
            is_own.then(Claim::file_of_any_name)
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: declaration!("codex", "Codex"), import },
};

/// Names of sessions first, then the sessions.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut titles: HashMap<String, String> = HashMap::new();
    let mut left_out = LeftOutEntries::default();
    export.each(sink, &is_index, &mut |name, reader, sink| {
        if !is_index(name) {
            return Ok(());
        }
        each_line(reader, sink, &mut |line, _| {
            let text = |name| lenient::text(&line, name).map(str::to_owned);
            if let (Some(id), Some(title)) = (text("id"), text("thread_name")) {
                titles.insert(id, title);
            }
            Ok(())
        })
    })?;
    export.each(sink, &is_rollout, &mut |name, reader, sink| {
        if is_index(name) {
            return Ok(());
        }
        let mut file = Rollout::new(name, &titles, &mut left_out);
        each_line(reader, sink, &mut |line, sink| file.put_line(&line, sink))?;
        file.finish(sink)
    })?;
    left_out.tell(sink);
    Ok(())
}

fn is_rollout(name: &str) -> bool {
    let file = base_name(name);
    file.starts_with("rollout-") && has_ending(file, ".jsonl")
}

fn is_index(name: &str) -> bool {
    base_name(name) == "session_index.jsonl"
}

/// One file while it is read.
struct Rollout<'r> {
    titles: &'r HashMap<String, String>,
    left_out: &'r mut LeftOutEntries,
    session: AgentSession,
    has_meta: bool,
    tools: HashMap<String, String>,
    /// How often the same item came before.
    seen: HashMap<String, usize>,
}

impl<'r> Rollout<'r> {
    fn new(
        name: &str,
        titles: &'r HashMap<String, String>,
        left_out: &'r mut LeftOutEntries,
    ) -> Self {
        let stem = base_name(name).trim_end_matches(".jsonl");
        // rollout-2025-09-12T10-00-00-ID
        let id = stem.get("rollout-2025-09-12T10-00-00-".len()..).unwrap_or(stem);
        let session = AgentSession::new(if id.is_empty() { stem } else { id });
        let (tools, seen) = (HashMap::new(), HashMap::new());
        Self { titles, left_out, session, has_meta: false, tools, seen }
    }

    fn put_line(&mut self, line: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let time = lenient::time(line, "timestamp");
        let (kind, payload) = match lenient::object(line, "payload") {
            Some(payload) => (lenient::text(line, "type").unwrap_or_default(), payload),
            // The first versions wrote the items bare, behind a line about the session.
            None if line.contains_key("type") => ("response_item", line),
            None if line.contains_key("record_type") => {
                self.left_out.add("state");
                return Ok(());
            }
            None if line.contains_key("id") => ("session_meta", line),
            None => return super::reject(line.clone(), "not an entry of a transcript", sink),
        };
        match kind {
            "session_meta" => {
                self.see_meta(payload);
                Ok(())
            }
            "turn_context" => {
                let text = |name| lenient::text(payload, name).map(str::to_owned);
                self.session.model = text("model").or(self.session.model.take());
                if self.session.project.is_none() {
                    self.session.project = text("cwd");
                }
                Ok(())
            }
            "response_item" => self.put_item(payload, time, sink),
            "compacted" => {
                let text = lenient::text(payload, "message").unwrap_or_default().to_owned();
                let message = self.message(payload, time);
                let message = AgentMessage { role: "system", kind: "summary", text, ..message };
                self.session.put(message, sink)
            }
            "event_msg" => self.put_event(payload, time, sink),
            other => {
                self.left_out.add(other);
                Ok(())
            }
        }
    }

    /// A fork repeats the beginning of the session it came from; the file's own line is the first.
    fn see_meta(&mut self, meta: &JsonObject) {
        if self.has_meta {
            return;
        }
        self.has_meta = true;
        let text = |name| lenient::text(meta, name).map(str::to_owned);
        let git = lenient::object(meta, "git");
        let session = &mut self.session;
        if let Some(id) = text("id") {
            session.id = id;
        }
        session.started_at = lenient::time(meta, "timestamp");
        session.project = text("cwd");
        session.agent_version = text("cli_version");
        session.parent_id = text("forked_from_id");
        session.branch = git.and_then(|git| lenient::text(git, "branch")).map(str::to_owned);
        session.title = self.titles.get(&session.id).cloned();
    }

    fn put_item(&mut self, item: &JsonObject, time: Option<String>, sink: &mut Sink<'_>) -> Flow {
        let text = |name| lenient::text(item, name).map(str::to_owned);
        let content = |name| item.get(name).map(tool_text::of_content).unwrap_or_default();
        let call_id = text("call_id").or(text("id"));
        let message = self.message(item, time);
        let message = match lenient::text(item, "type").unwrap_or_default() {
            "message" => {
                let text = content("content");
                let is_context = CONTEXT.iter().any(|begin| text.trim_start().starts_with(begin));
                let (role, kind) = match lenient::text(item, "role") {
                    Some("assistant") => ("assistant", "message"),
                    Some("user") if !is_context => ("user", "message"),
                    Some("user") => ("user", "context"),
                    _ => ("system", "context"),
                };
                AgentMessage { role, kind, text, ..message }
            }
            "reasoning" => {
                let thoughts = [content("summary"), content("content")];
                let thinking = thoughts.into_iter().find(|thought| !thought.is_empty());
                AgentMessage { role: "assistant", kind: "message", thinking, ..message }
            }
            kind @ ("function_call" | "custom_tool_call" | "local_shell_call"
            | "web_search_call" | "tool_search_call") => {
                let arguments = text("arguments").or(text("input"));
                let given = match (arguments, item.get("action").or(item.get("arguments"))) {
                    (Some(text), _) => tool_text::of_encoded_input(&text),
                    (None, Some(action)) => tool_text::of_input(action),
                    (None, None) => String::new(),
                };
                let tool =
                    text("name").unwrap_or_else(|| kind.trim_end_matches("_call").to_owned());
                if let Some(call_id) = &call_id {
                    self.tools.insert(call_id.clone(), tool.clone());
                }
                let (tool, text) = (Some(tool), given);
                AgentMessage {
                    role: "assistant",
                    kind: "tool_call",
                    tool,
                    call_id,
                    text,
                    ..message
                }
            }
            "function_call_output" | "custom_tool_call_output" => {
                let tool = call_id.as_ref().and_then(|id| self.tools.get(id)).cloned();
                let tool = Some(tool.unwrap_or_else(|| "unknown".to_owned()));
                let text = output(item.get("output"));
                AgentMessage { role: "tool", kind: "tool_result", tool, call_id, text, ..message }
            }
            other => {
                self.left_out.add(other);
                return Ok(());
            }
        };
        self.session.put(message, sink)
    }

    fn put_event(&mut self, event: &JsonObject, time: Option<String>, sink: &mut Sink<'_>) -> Flow {
        let kind = lenient::text(event, "type").unwrap_or_default();
        let told = lenient::text(event, "message").or(lenient::text(event, "reason"));
        match (kind, told) {
            ("error" | "warning" | "turn_aborted" | "stream_error", Some(told)) => {
                let text = format!("{kind}: {told}");
                let message = self.message(event, time);
                let message = AgentMessage { role: "system", kind: "notice", text, ..message };
                self.session.put(message, sink)
            }
            _ => {
                if !REPEATED.contains(&kind) {
                    self.left_out.add(kind);
                }
                Ok(())
            }
        }
    }

    /// Items have no id of their own; the same one again is the next of its kind.
    fn message(&mut self, item: &JsonObject, created_at: Option<String>) -> AgentMessage {
        let content = Json::Object(item.clone()).to_canonical();
        let time = created_at.as_deref().unwrap_or_default();
        let key = content_key(&[time.as_bytes(), content.as_bytes()]);
        let count = self.seen.entry(key.clone()).or_default();
        *count += 1;
        let suffix = if *count == 1 { String::new() } else { format!("-{count}") };
        AgentMessage {
            id: format!("{}:{key}{suffix}", self.session.id),
            created_at,
            ..AgentMessage::default()
        }
    }

    fn finish(self, sink: &mut Sink<'_>) -> Flow {
        if self.session.is_empty() { Ok(()) } else { self.session.finish(sink) }
    }
}

/// What a tool answered. Shells answer JSON inside of a text.
fn output(output: Option<&Json>) -> String {
    let inner = |members: &JsonObject| {
        let text = members.get("output").or(members.get("content"))?;
        Some(tool_text::of_content(text))
    };
    match output {
        Some(Json::String(text)) => match Json::parse(text) {
            Ok(Json::Object(members)) => inner(&members).unwrap_or_else(|| text.clone()),
            _ => text.clone(),
        },
        Some(Json::Object(members)) => {
            inner(members).unwrap_or_else(|| tool_text::of_content(&Json::Object(members.clone())))
        }
        Some(other) => tool_text::of_content(other),
        None => String::new(),
    }
}
