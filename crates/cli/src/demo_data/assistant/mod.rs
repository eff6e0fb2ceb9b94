//! Conversations with an AI assistant: a sheet entry per conversation, `U:` and `A:` lines for the turns.

mod evenings;
mod workdays;

use super::day::Day;
use super::line::{Object, record};
use super::sheet::{self, Entry};

const SYNCED_AT: &str = "2026-11-16T06:25:00Z";

struct Turn {
    role: &'static str,
    text: String,
}

/// Every record of the assistant account.
pub fn records() -> Vec<String> {
    let mut lines = Vec::new();
    for text in [evenings::TALKS, workdays::TALKS] {
        for entry in sheet::entries(text) {
            lines.extend(conversation(&entry));
        }
    }
    lines
}

fn turns(body: &str) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for text in body.lines() {
        if let Some(said) = text.strip_prefix("U: ") {
            turns.push(Turn { role: "user", text: said.to_owned() });
        } else if let Some(said) = text.strip_prefix("A: ") {
            turns.push(Turn { role: "assistant", text: said.to_owned() });
        } else if let Some(turn) = turns.last_mut() {
            turn.text.push('\n');
            turn.text.push_str(text);
        }
    }
    turns
}

fn conversation(entry: &Entry<'_>) -> Vec<String> {
    let id = entry.cell(0);
    let (day, time) = entry.cell(2).split_once(' ').unwrap_or(("11-01", "20:00"));
    let start = Day::parse(day).unix(time);
    let model = entry.given(3).unwrap_or("assistant-large");
    let turns = turns(&entry.body);
    let mut messages = Vec::new();
    let mut parent: Option<String> = None;
    let mut last_at = instant(start);
    for (number, turn) in (1_i64..).zip(&turns) {
        let message_id = format!("{id}-{number:02}");
        last_at = instant(start + (number - 1) * 97);
        let data = Object::default()
            .text("message_id", &message_id)
            .text("conversation_id", id)
            .text_or_null("parent_id", parent.as_deref())
            .text("role", turn.role)
            .text("text", turn.text.trim_end())
            .text("created_at", &last_at)
            .text_or_null("model", (turn.role == "assistant").then_some(model));
        messages.push(record("messages", &[&message_id], &data, SYNCED_AT));
        parent = Some(message_id);
    }
    let data = Object::default()
        .text("conversation_id", id)
        .text("title", entry.cell(1))
        .text("created_at", &instant(start))
        .text("updated_at", &last_at)
        .text("model", model)
        .number("message_count", turns.len())
        .flag("archived", entry.cell(4) == "archived");
    let mut lines = vec![record("conversations", &[id], &data, SYNCED_AT)];
    lines.append(&mut messages);
    lines
}

/// A Unix second of 2026 in UTC, with the fraction that this source writes.
fn instant(unix: i64) -> String {
    let since_new_year = unix - Day::from_ordinal(0).unix("01:00");
    let day = u16::try_from(since_new_year / 86_400).unwrap_or(0);
    let second = since_new_year.rem_euclid(86_400);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{}T{hour:02}:{minute:02}:{:02}.250Z", Day::from_ordinal(day), second % 60)
}
