//! `opencode`: its storage folder, with a file for each session, message and part of a message.

use std::collections::HashMap;

use pdpp_contract::JsonObject;

use super::left_out::LeftOutEntries;
use super::session::{AgentMessage, AgentSession};
use super::{declaration, tool_text};
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, folder_name, has_ending};
use crate::readers::json_list::objects;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;

/// Transcripts of opencode.
pub static FORMAT: Format = Format {
    name: "opencode",
    help: "Read the transcripts of opencode (~/.local/share/opencode/storage)",
    reads: "`~/.local/share/opencode/storage`: sessions, messages and their parts",
    recognise: Recognise {
        rank: 92,
        claims: |file| Kind::find(file.name()).map(|_| Claim::file()),
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: declaration!("opencode", "opencode"), import },
};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Session,
    Message,
    Part,
}

impl Kind {
    /// `session/PROJECT/ses_….json`, `message/ses_…/msg_….json`, `part/msg_…/prt_….json`; the first
    /// versions had the session's folder around parts as well.
    fn find(name: &str) -> Option<Self> {
        let file = base_name(name);
        if !has_ending(file, ".json") {
            return None;
        }
        let in_folder = |folder: &str| name.split('/').any(|part| part == folder);
        match file.split('_').next()? {
            "ses" if in_folder("session") => Some(Self::Session),
            "msg" if in_folder("message") => Some(Self::Message),
            "prt" if in_folder("part") => Some(Self::Part),
            _ => None,
        }
    }
}

/// Sessions and messages first: a part does not say whose it is.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut sessions: HashMap<String, AgentSession> = HashMap::new();
    let mut messages: HashMap<String, About> = HashMap::new();
    let mut left_out = LeftOutEntries::default();
    each_of(Kind::Session, export, sink, &mut |name, object, _| {
        let session = session(name, &object);
        sessions.insert(session.id.clone(), session);
        Ok(())
    })?;
    each_of(Kind::Message, export, sink, &mut |name, object, sink| {
        let id = lenient::text(&object, "id").map_or_else(|| stem(name), str::to_owned);
        let owner = lenient::text(&object, "sessionID").unwrap_or(folder_name(name)).to_owned();
        let session =
            sessions.entry(owner.clone()).or_insert_with(|| AgentSession::new(owner.clone()));
        let about = About::of(owner, &object);
        if let Some(text) = error_text(&object) {
            let message = AgentMessage {
                id: format!("{}:{id}:error", session.id),
                role: "system",
                kind: "notice",
                created_at: about.created_at.clone(),
                text,
                ..AgentMessage::default()
            };
            session.put(message, sink)?;
        }
        messages.insert(id, about);
        Ok(())
    })?;
    each_of(Kind::Part, export, sink, &mut |name, part, sink| {
        let message_id = lenient::text(&part, "messageID").unwrap_or(folder_name(name));
        let about = messages.get(message_id);
        let owner = lenient::text(&part, "sessionID").map(str::to_owned);
        let Some(owner) = owner.or(about.map(|about| about.session_id.clone())) else {
            return super::reject(part, "a part of a message that is not there", sink);
        };
        let session =
            sessions.entry(owner.clone()).or_insert_with(|| AgentSession::new(owner.clone()));
        let id = lenient::text(&part, "id").map_or_else(|| stem(name), str::to_owned);
        let message = message_of(session, &id, about, &part);
        put_part(session, message, &part, &mut left_out, sink)
    })?;
    let mut sessions: Vec<AgentSession> = sessions.into_values().collect();
    sessions.sort_by(|one, other| one.id.cmp(&other.id));
    for session in sessions {
        session.finish(sink)?;
    }
    left_out.tell(sink);
    Ok(())
}

fn each_of(
    kind: Kind,
    export: &Export,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(&str, JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    export.each(sink, &|name| Kind::find(name) == Some(kind), &mut |name, reader, sink| {
        // A file that is given alone comes in each round.
        if Kind::find(name) != Some(kind) {
            return Ok(());
        }
        objects(reader, sink, &mut |object, sink| visit(name, object, sink))
    })
}

fn stem(name: &str) -> String {
    base_name(name).split('.').next().unwrap_or_default().to_owned()
}

/// What the parts of a message need of it.
struct About {
    session_id: String,
    role: &'static str,
    model: Option<String>,
    created_at: Option<String>,
}

impl About {
    fn of(session_id: String, message: &JsonObject) -> Self {
        let model = lenient::object(message, "model");
        let model = model.and_then(|model| lenient::text(model, "modelID"));
        Self {
            session_id,
            role: if lenient::text(message, "role") == Some("user") { "user" } else { "assistant" },
            model: lenient::text(message, "modelID").or(model).map(str::to_owned),
            created_at: time_of(message, &["created"]),
        }
    }
}

fn session(name: &str, object: &JsonObject) -> AgentSession {
    let text = |name| lenient::text(object, name).map(str::to_owned);
    let mut session = AgentSession::new(text("id").unwrap_or_else(|| stem(name)));
    session.title = text("title");
    session.project = text("directory");
    session.parent_id = text("parentID");
    session.agent_version = text("version");
    session.started_at = time_of(object, &["created"]);
    session.ended_at = time_of(object, &["updated"]);
    session
}

/// A time in milliseconds, the first of these names.
fn time_of(object: &JsonObject, names: &[&str]) -> Option<String> {
    let time = lenient::object(object, "time")?;
    names.iter().find_map(|name| lenient::millis(time, name))
}

fn error_text(message: &JsonObject) -> Option<String> {
    let error = lenient::object(message, "error")?;
    let told = lenient::object(error, "data").and_then(|data| lenient::text(data, "message"));
    let name = lenient::text(error, "name").unwrap_or("error");
    Some(format!("{name}: {}", told.unwrap_or_default()).trim_end_matches(": ").to_owned())
}

/// What every part of a message has in common.
fn message_of(
    session: &mut AgentSession,
    id: &str,
    about: Option<&About>,
    part: &JsonObject,
) -> AgentMessage {
    if let Some(model) = about.and_then(|about| about.model.clone()) {
        session.model = Some(model);
    }
    let written = about.and_then(|about| about.created_at.clone());
    AgentMessage {
        id: format!("{}:{id}", session.id),
        role: about.map_or("assistant", |about| about.role),
        kind: "message",
        created_at: time_of(part, &["start"]).or(written),
        ..AgentMessage::default()
    }
}

fn put_part(
    session: &mut AgentSession,
    message: AgentMessage,
    part: &JsonObject,
    left_out: &mut LeftOutEntries,
    sink: &mut Sink<'_>,
) -> Flow {
    let text = |name| lenient::text(part, name).map(str::to_owned);
    match lenient::text(part, "type").unwrap_or_default() {
        "text" => {
            let is_added = lenient::flag(part, "synthetic") == Some(true);
            let kind = if is_added { "context" } else { "message" };
            let text = text("text").unwrap_or_default();
            session.put(AgentMessage { kind, text, ..message }, sink)
        }
        "reasoning" => {
            let thinking = text("text");
            session.put(AgentMessage { role: "assistant", thinking, ..message }, sink)
        }
        "tool" => put_tool(session, message, part, sink),
        "file" => {
            let text = text("filename").or(text("url").filter(|url| !url.starts_with("data:")));
            let text = text.unwrap_or_else(|| "file".to_owned());
            session.put(AgentMessage { kind: "context", text, ..message }, sink)
        }
        "subtask" => {
            let text = text("prompt").or(text("description")).unwrap_or_default();
            session.put(AgentMessage { kind: "context", text, ..message }, sink)
        }
        other => {
            left_out.add(other);
            Ok(())
        }
    }
}

fn put_tool(
    session: &mut AgentSession,
    message: AgentMessage,
    part: &JsonObject,
    sink: &mut Sink<'_>,
) -> Flow {
    let empty = JsonObject::new();
    let state = lenient::object(part, "state").unwrap_or(&empty);
    let tool = Some(lenient::text(part, "tool").unwrap_or("unknown").to_owned());
    let call_id = lenient::text(part, "callID").map(str::to_owned);
    let answer = match (lenient::text(state, "output"), lenient::text(state, "error")) {
        (Some(output), _) => Some((output.to_owned(), false)),
        (None, Some(error)) => Some((error.to_owned(), true)),
        (None, None) => None,
    };
    let id = message.id.clone();
    let started = time_of(state, &["start"]).or(message.created_at.clone());
    let asked = AgentMessage {
        role: "assistant",
        kind: "tool_call",
        created_at: started.clone(),
        text: state.get("input").map(tool_text::of_input).unwrap_or_default(),
        tool: tool.clone(),
        call_id: call_id.clone(),
        ..message
    };
    session.put(asked, sink)?;
    let Some((text, failed)) = answer else { return Ok(()) };
    let answered = AgentMessage {
        id: format!("{id}:result"),
        role: "tool",
        kind: "tool_result",
        created_at: time_of(state, &["end"]).or(started),
        text,
        tool,
        call_id,
        is_error: Some(failed),
        ..AgentMessage::default()
    };
    session.put(answered, sink)
}
