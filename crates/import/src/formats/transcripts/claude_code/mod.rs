//! `claude-code`: `~/.claude/projects/…/SESSION.jsonl`, with the transcripts of sub-agents.

mod entry;
mod titles;

use std::collections::HashMap;

use pdpp_contract::JsonObject;

use super::declaration;
use super::left_out::LeftOutEntries;
use super::session::AgentSession;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, has_ending};
use crate::readers::json_lines::each_line;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;
use entry::TranscriptLine;
use titles::Titles;

/// Transcripts of Claude Code.
pub static FORMAT: Format = Format {
    name: "claude-code",
    help: "Read the transcripts of Claude Code (~/.claude/projects)",
    reads: "`~/.claude/projects`: a file per session, sub-agents too",
    recognise: Recognise {
        rank: 95,
        claims: |file| {
            let is_own = is_transcript(file.name()) && begins_as_transcript(file.head());
            is_own.then(Claim::file)
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared {
        declaration: declaration!("claude-code", "Claude Code"),
        import,
    },
};

/// Looks for titles first: a file may begin with those of other sessions.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut titles = Titles::default();
    sink.silently(|sink| {
        export.each(sink, &is_transcript, &mut |_, reader, sink| {
            each_line(reader, sink, &mut |line, _| {
                titles.see(&line);
                Ok(())
            })
        })
    })?;
    let mut left_out = LeftOutEntries::default();
    export.each(sink, &is_transcript, &mut |name, reader, sink| {
        let mut file = Transcript::new(name, &titles, &mut left_out);
        each_line(reader, sink, &mut |line, sink| file.put_line(&line, sink))?;
        file.finish(sink)
    })?;
    left_out.tell(sink);
    Ok(())
}

/// `history.jsonl` repeats what was typed and belongs to no session.
fn is_transcript(name: &str) -> bool {
    let file = base_name(name);
    has_ending(file, ".jsonl") && file != "history.jsonl"
}

fn begins_as_transcript(text: &str) -> bool {
    text.starts_with('{')
        && (text.contains("\"leafUuid\":")
            || text.contains("\"sessionId\":")
                && ["\"parentUuid\":", "\"type\":\"user\"", "\"type\":\"queue-operation\""]
                    .iter()
                    .any(|mark| text.contains(mark)))
}

/// One file while it is read. A file may go on with another session than it began with.
struct Transcript<'t> {
    titles: &'t Titles,
    left_out: &'t mut LeftOutEntries,
    file_id: String,
    sessions: Vec<AgentSession>,
    tools: HashMap<String, String>,
}

impl<'t> Transcript<'t> {
    fn new(name: &str, titles: &'t Titles, left_out: &'t mut LeftOutEntries) -> Self {
        let stem = base_name(name).trim_end_matches(".jsonl");
        let (sessions, tools) = (Vec::new(), HashMap::new());
        Self { titles, left_out, file_id: stem.to_owned(), sessions, tools }
    }

    fn put_line(&mut self, line: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let kind = lenient::text(line, "type").unwrap_or_default();
        if matches!(kind, "summary" | "custom-title" | "ai-title") {
            return Ok(());
        }
        let Some(uuid) = lenient::text(line, "uuid") else {
            if kind.is_empty() {
                let why = "not an entry of a transcript: no type and no uuid";
                return super::reject(line.clone(), why, sink);
            }
            self.left_out.add(kind);
            return Ok(());
        };
        let at = self.session_of(line);
        let Some(session) = self.sessions.get_mut(at) else { return Ok(()) };
        session.see_line(line, self.titles.by_leaf.get(uuid));
        let entry = TranscriptLine {
            key: format!("{}:{uuid}", session.id),
            created_at: lenient::time(line, "timestamp"),
            line,
        };
        match kind {
            "user" | "assistant" => entry.put_message(session, &mut self.tools, sink),
            "system" => entry.put_notice(session, sink),
            other => {
                self.left_out.add(other);
                Ok(())
            }
        }
    }

    /// The place of the session that a line belongs to; sub-agents have one of their own.
    fn session_of(&mut self, line: &JsonObject) -> usize {
        let own = lenient::text(line, "sessionId").unwrap_or(&self.file_id).to_owned();
        let agent = lenient::text(line, "agentId");
        let id = agent.map_or_else(|| own.clone(), |agent| format!("{own}:agent-{agent}"));
        let known = self.sessions.iter().position(|session| session.id == id);
        known.unwrap_or_else(|| {
            let mut session = AgentSession::new(id);
            session.parent_id = agent.map(|_| own.clone());
            session.title = match agent {
                Some(_) => None,
                None => self.titles.by_session.get(&own).cloned(),
            };
            self.sessions.push(session);
            self.sessions.len() - 1
        })
    }

    fn finish(self, sink: &mut Sink<'_>) -> Flow {
        let spoken = self.sessions.into_iter().filter(|session| !session.is_empty());
        for session in spoken {
            session.finish(sink)?;
        }
        Ok(())
    }
}

impl AgentSession {
    fn see_line(&mut self, line: &JsonObject, summary: Option<&String>) {
        let text = |name| lenient::text(line, name).map(str::to_owned);
        if self.project.is_none() {
            self.project = text("cwd");
        }
        self.branch = text("gitBranch").or(self.branch.take());
        self.agent_version = text("version").or(self.agent_version.take());
        if let Some(summary) = summary {
            self.title.get_or_insert_with(|| summary.clone());
            self.summary = Some(summary.clone());
        }
        let message = lenient::object(line, "message");
        let model = message.and_then(|message| lenient::text(message, "model"));
        // Messages that the program writes itself name no real model.
        if let Some(model) = model.filter(|model| !model.starts_with('<')) {
            self.model = Some(model.to_owned());
        }
    }
}
