//! `gemini-cli`: `~/.gemini/tmp/*/chats/session-*.json` and `.jsonl`, and `logs.json` for older sessions.

use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;

use pdpp_contract::{Json, JsonObject};

use super::left_out::LeftOutEntries;
use super::session::{AgentMessage, AgentSession};
use super::{declaration, tool_text};
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, folder_name, has_ending};
use crate::readers::json_lines::each_line;
use crate::readers::json_list::objects;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;

/// Transcripts of Gemini CLI.
pub static FORMAT: Format = Format {
    name: "gemini-cli",
    help: "Read the transcripts of Gemini CLI (~/.gemini/tmp)",
    reads: "`~/.gemini/tmp`: `chats/session-*`, `logs.json`",
    recognise: Recognise {
        rank: 93,
        claims: |file| {
            if is_chat_in_place(file.name()) {
                return Some(Claim::file());
            }
            let has = |member: &str| file.head().contains(member);
            let is_own = file.ends_with(&[".json", ".jsonl"])
                && has("\"sessionId\"")
                && (has("\"projectHash\"") || has("\"messageId\""));
            is_own.then(Claim::file_of_any_name)
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: declaration!("gemini-cli", "Gemini CLI"), import },
};

/// Chats first: `logs.json` holds the prompts of all sessions, and those of chats are known then.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut left_out = LeftOutEntries::default();
    let mut known = HashSet::new();
    export.each(sink, &is_chat, &mut |name, reader, sink| {
        if is_log(name) {
            return Ok(());
        }
        let mut chat = Chat::new(name, &mut left_out);
        if has_ending(name, ".jsonl") {
            each_line(reader, sink, &mut |line, sink| chat.put_line(&line, sink))?;
        } else {
            objects(reader, sink, &mut |chat_file, sink| chat.put_chat(&chat_file, sink))?;
        }
        known.insert(chat.session.id.clone());
        chat.finish(sink)
    })?;
    export.each(sink, &is_log, &mut |name, reader, sink| {
        if is_log(name) { put_log(reader, name, &known, sink) } else { Ok(()) }
    })?;
    left_out.tell(sink);
    Ok(())
}

fn is_chat(name: &str) -> bool {
    let file = base_name(name);
    file.starts_with("session-") && (has_ending(file, ".json") || has_ending(file, ".jsonl"))
}

fn is_chat_in_place(name: &str) -> bool {
    is_chat(name) && folder_name(name) == "chats"
}

fn is_log(name: &str) -> bool {
    base_name(name) == "logs.json"
}

/// One chat while it is read.
struct Chat<'c> {
    session: AgentSession,
    left_out: &'c mut LeftOutEntries,
}

impl<'c> Chat<'c> {
    fn new(name: &str, left_out: &'c mut LeftOutEntries) -> Self {
        let mut session = AgentSession::new(base_name(name).split('.').next().unwrap_or_default());
        // `…/PROJECT/chats/session-….json`; older versions name the folder by a hash.
        session.project =
            name.rsplit('/').nth(2).filter(|part| !part.is_empty()).map(str::to_owned);
        Self { session, left_out }
    }

    fn put_chat(&mut self, chat: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        self.see_about(chat);
        for message in lenient::objects(chat, "messages") {
            self.put_message(message, sink)?;
        }
        Ok(())
    }

    /// A line about the session, a message, or a change to the session.
    fn put_line(&mut self, line: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        if let Some(changed) = lenient::object(line, "$set") {
            self.see_about(changed);
            return Ok(());
        }
        if line.contains_key("id") && line.contains_key("type") {
            return self.put_message(line, sink);
        }
        if line.contains_key("sessionId") {
            return self.put_chat(line, sink);
        }
        match line.keys().find(|name| name.starts_with('$')) {
            Some(name) => {
                self.left_out.add(name.trim_start_matches('$'));
                Ok(())
            }
            None => super::reject(line.clone(), "not an entry of a transcript", sink),
        }
    }

    fn see_about(&mut self, about: &JsonObject) {
        let text = |name| lenient::text(about, name).map(str::to_owned);
        let session = &mut self.session;
        if let Some(id) = text("sessionId") {
            session.id = id;
        }
        session.started_at = lenient::time(about, "startTime").or(session.started_at.take());
        session.ended_at = lenient::time(about, "lastUpdated").or(session.ended_at.take());
        session.summary = text("summary").or(session.summary.take());
        session.title = session.summary.clone();
        if let Some(folder) = lenient::list(about, "directories").iter().find_map(Json::as_str) {
            session.project = Some(folder.to_owned());
        }
    }

    fn put_message(&mut self, message: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let Some(id) = lenient::text(message, "id") else {
            return super::reject(message.clone(), "a message without an id", sink);
        };
        let key = format!("{}:{id}", self.session.id);
        let created_at = lenient::time(message, "timestamp");
        let thoughts: Vec<String> = lenient::objects(message, "thoughts")
            .map(|thought| {
                let part = |name| lenient::text(thought, name).unwrap_or_default();
                format!("{}\n{}", part("subject"), part("description")).trim().to_owned()
            })
            .collect();
        let (role, kind) = match lenient::text(message, "type") {
            Some("user") => ("user", "message"),
            Some("gemini") => ("assistant", "message"),
            _ => ("system", "notice"),
        };
        if let Some(model) = lenient::text(message, "model") {
            self.session.model = Some(model.to_owned());
        }
        self.session.put(
            AgentMessage {
                id: key.clone(),
                role,
                kind,
                created_at: created_at.clone(),
                text: message.get("content").map(tool_text::of_content).unwrap_or_default(),
                thinking: (!thoughts.is_empty()).then(|| thoughts.join("\n\n")),
                ..AgentMessage::default()
            },
            sink,
        )?;
        for (number, call) in lenient::objects(message, "toolCalls").enumerate() {
            let created_at = lenient::time(call, "timestamp").or(created_at.clone());
            self.put_call(&format!("{key}:{}", number + 1), created_at, call, sink)?;
        }
        Ok(())
    }

    fn put_call(
        &mut self,
        key: &str,
        created_at: Option<String>,
        call: &JsonObject,
        sink: &mut Sink<'_>,
    ) -> Flow {
        let text = |name| lenient::text(call, name).map(str::to_owned);
        let tool = Some(text("name").unwrap_or_else(|| "unknown".to_owned()));
        let asked = AgentMessage {
            id: key.to_owned(),
            role: "assistant",
            kind: "tool_call",
            created_at: created_at.clone(),
            text: call.get("args").map(tool_text::of_input).unwrap_or_default(),
            tool: tool.clone(),
            call_id: text("id"),
            ..AgentMessage::default()
        };
        self.session.put(asked, sink)?;
        let answer = call.get("result").map(result_text).filter(|text| !text.is_empty());
        let Some(answer) = answer.or(text("resultDisplay")) else { return Ok(()) };
        let answered = AgentMessage {
            id: format!("{key}:result"),
            role: "tool",
            kind: "tool_result",
            created_at,
            text: answer,
            tool,
            call_id: text("id"),
            is_error: text("status").map(|status| status == "error"),
            ..AgentMessage::default()
        };
        self.session.put(answered, sink)
    }

    fn finish(self, sink: &mut Sink<'_>) -> Flow {
        if self.session.is_empty() { Ok(()) } else { self.session.finish(sink) }
    }
}

/// `[{"functionResponse": {"response": {"output": "…"}}}]`
fn result_text(result: &Json) -> String {
    let Json::Array(parts) = result else { return tool_text::of_content(result) };
    let texts = parts.iter().filter_map(Json::as_object).map(|part| {
        let response = lenient::object(part, "functionResponse");
        let response = response.and_then(|response| lenient::object(response, "response"));
        match response {
            Some(response) => {
                let told =
                    ["output", "error"].iter().find_map(|name| lenient::text(response, name));
                told.map_or_else(
                    || tool_text::of_input(&Json::Object(response.clone())),
                    str::to_owned,
                )
            }
            None => tool_text::of_content(&Json::Object(part.clone())),
        }
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The prompts of sessions that have no chat; older versions kept nothing else.
fn put_log(
    reader: &mut dyn BufRead,
    name: &str,
    known: &HashSet<String>,
    sink: &mut Sink<'_>,
) -> Flow {
    let mut sessions: BTreeMap<String, AgentSession> = BTreeMap::new();
    objects(reader, sink, &mut |prompt, sink| {
        let Some(id) = lenient::text(&prompt, "sessionId") else {
            return super::reject(prompt, "a prompt without a session", sink);
        };
        if known.contains(id) {
            return Ok(());
        }
        let session = sessions.entry(id.to_owned()).or_insert_with(|| {
            let mut session = AgentSession::new(id);
            let folder = Some(folder_name(name)).filter(|folder| !folder.is_empty());
            session.project = folder.map(str::to_owned);
            session
        });
        let number = lenient::whole(&prompt, "messageId").unwrap_or_default();
        let message = AgentMessage {
            id: format!("{id}:log-{number}"),
            role: "user",
            kind: "message",
            created_at: lenient::time(&prompt, "timestamp"),
            text: lenient::text(&prompt, "message").unwrap_or_default().to_owned(),
            ..AgentMessage::default()
        };
        session.put(message, sink)
    })?;
    let spoken = sessions.into_values().filter(|session| !session.is_empty());
    for session in spoken {
        session.finish(sink)?;
    }
    Ok(())
}
