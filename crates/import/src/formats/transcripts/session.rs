//! One session while its messages are read.

use pdpp_contract::Instant;

use crate::record::fields::RecordFields;
use crate::sink::{Flow, Sink};

/// Longest title that is made of a prompt.
const MAX_TITLE_CHARS: usize = 120;

/// What the messages of a session have told so far.
#[derive(Debug, Default)]
pub struct AgentSession {
    /// Its id.
    pub id: String,
    /// The name that the person or the program gave it.
    pub title: Option<String>,
    /// What it came to, in a few sentences.
    pub summary: Option<String>,
    /// The folder the agent worked in.
    pub project: Option<String>,
    /// The Git branch.
    pub branch: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// The agent's version.
    pub agent_version: Option<String>,
    /// The session that started this one.
    pub parent_id: Option<String>,
    /// When it began, where the program says so.
    pub started_at: Option<String>,
    /// When it ended, where the program says so.
    pub ended_at: Option<String>,
    first_prompt: Option<String>,
    message_count: usize,
    tool_call_count: usize,
    position: usize,
}

/// One message, call or result.
#[derive(Debug, Default)]
pub struct AgentMessage {
    /// Its key.
    pub id: String,
    /// user, assistant, tool or system.
    pub role: &'static str,
    /// What it is, as the declaration lists the kinds.
    pub kind: &'static str,
    /// When it was written.
    pub created_at: Option<String>,
    /// What was said, given or answered.
    pub text: String,
    /// What was thought before.
    pub thinking: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// What a call and its result have in common.
    pub call_id: Option<String>,
    /// Whether the tool failed, where it is known.
    pub is_error: Option<bool>,
}

impl AgentSession {
    /// A session of which only the id is known.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Whether anything was said in it.
    pub fn is_empty(&self) -> bool {
        self.position == 0
    }

    /// Puts a message; one that says nothing is passed over.
    pub fn put(&mut self, message: AgentMessage, sink: &mut Sink<'_>) -> Flow {
        let is_silent = message.text.trim().is_empty() && message.thinking.is_none();
        if is_silent && message.tool.is_none() {
            return Ok(());
        }
        let is_prompt = (message.role, message.kind) == ("user", "message");
        if is_prompt && self.first_prompt.is_none() {
            self.first_prompt = beginning(&message.text);
        }
        match message.kind {
            "tool_call" => self.tool_call_count += 1,
            "message" => self.message_count += 1,
            _ => {}
        }
        self.see_time(message.created_at.as_deref());
        let mut data = RecordFields::default()
            .text("id", &*message.id)
            .text("session_id", &*self.id)
            .maybe("title", self.title.as_ref().or(self.first_prompt.as_ref()))
            .text("role", message.role)
            .text("kind", message.kind)
            .maybe("created_at", message.created_at)
            .text("text", message.text)
            .maybe("thinking", message.thinking)
            .maybe("tool", message.tool)
            .maybe("call_id", message.call_id)
            .maybe("project", self.project.as_ref())
            .count("position", self.position);
        if let Some(is_error) = message.is_error {
            data = data.flag("is_error", is_error);
        }
        if message.role == "assistant" {
            data = data.maybe("model", self.model.as_ref());
        }
        self.position += 1;
        sink.record("messages", &message.id, data)
    }

    /// Puts the session itself.
    pub fn finish(self, sink: &mut Sink<'_>) -> Flow {
        let title = self.title.or(self.first_prompt);
        let data = RecordFields::default()
            .text("id", &*self.id)
            .text("title", title.unwrap_or_else(|| "Untitled session".to_owned()))
            .maybe("summary", self.summary)
            .maybe("project", self.project)
            .maybe("branch", self.branch)
            .maybe("model", self.model)
            .maybe("agent_version", self.agent_version)
            .maybe("parent_session_id", self.parent_id)
            .maybe("started_at", self.started_at)
            .maybe("ended_at", self.ended_at)
            .count("message_count", self.message_count)
            .count("tool_call_count", self.tool_call_count);
        sink.record("sessions", &self.id, data)
    }

    fn see_time(&mut self, time: Option<&str>) {
        let Some((text, time)) = time.and_then(|text| Some((text, Instant::parse(text)?))) else {
            return;
        };
        let parsed = |text: &Option<String>| text.as_deref().and_then(Instant::parse);
        if parsed(&self.started_at).is_none_or(|started| time < started) {
            self.started_at = Some(text.to_owned());
        }
        if parsed(&self.ended_at).is_none_or(|ended| time > ended) {
            self.ended_at = Some(text.to_owned());
        }
    }
}

/// How a prompt begins, as a title.
fn beginning(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut title: String = line.chars().take(MAX_TITLE_CHARS).collect();
    if line.chars().nth(MAX_TITLE_CHARS).is_some() {
        title.push('…');
    }
    Some(title)
}
