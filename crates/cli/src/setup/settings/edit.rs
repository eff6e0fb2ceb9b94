//! Puts our entry into a client's settings and takes it out, as a change of text and nothing else.

use serde_json::Value;

use super::{json_text, toml_text};
use crate::setup::client::{KnownClient, SettingsFormat};
use crate::setup::entry::Entry;

/// What happened to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsChange {
    Added,
    Updated,
    Unchanged,
    Removed,
    /// There was nothing to take out.
    Absent,
}

impl SettingsChange {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
            Self::Absent => "absent",
        }
    }
}

/// A text after the change.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingsEdit {
    pub text: String,
    pub change: SettingsChange,
}

/// Why settings are left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrokenSettings {
    /// They cannot be read; where and why.
    Syntax(String),
    /// A part has another shape than the client itself would accept.
    Shape(String),
    /// An entry of this name exists that we did not write.
    NotOurs,
}

/// The text with our entry in it.
pub fn added(
    client: KnownClient,
    text: &str,
    entry: &Entry,
) -> Result<SettingsEdit, BrokenSettings> {
    let members = entry.members(client);
    let (mark, body) = without_mark(text);
    let edit = match client.format() {
        SettingsFormat::Json => json_text::added(body, client, &entry.name, &members),
        SettingsFormat::Toml => toml_text::added(body, client.container(), &entry.name, &members),
    }?;
    Ok(SettingsEdit { text: format!("{mark}{}", edit.text), ..edit })
}

/// The text without our entry of this name.
pub fn removed(
    client: KnownClient,
    text: &str,
    name: &str,
) -> Result<SettingsEdit, BrokenSettings> {
    let (mark, body) = without_mark(text);
    let edit = match client.format() {
        SettingsFormat::Json => json_text::removed(body, client, name),
        SettingsFormat::Toml => toml_text::removed(body, client.container(), name),
    }?;
    Ok(SettingsEdit { text: format!("{mark}{}", edit.text), ..edit })
}

/// The copy that our entry was added to, when nothing else has changed since.
///
/// Taking an entry out gives the same settings, but not always the same bytes: lines that were
/// spread to hold it stay spread.
pub fn undone(client: KnownClient, text: &str, name: &str, copies: &[String]) -> Option<String> {
    let entry = entry_of(client, text, name).ok()??;
    let leads_here = |copy: &&String| {
        added(client, copy, &entry)
            .is_ok_and(|edit| edit.change == SettingsChange::Added && edit.text == text)
    };
    copies.iter().find(leads_here).cloned()
}

/// Our entry of this name; `None` when there is none or it is somebody else's.
pub fn entry_of(
    client: KnownClient,
    text: &str,
    name: &str,
) -> Result<Option<Entry>, BrokenSettings> {
    let (_, body) = without_mark(text);
    let members = match client.format() {
        SettingsFormat::Json => json_text::members(body, client, name),
        SettingsFormat::Toml => toml_text::members(body, client.container(), name),
    }?;
    Ok(members.and_then(|members| Entry::read(name, &members)))
}

/// Every entry that starts our program, whatever its name.
pub fn entries_of(client: KnownClient, text: &str) -> Result<Vec<Entry>, BrokenSettings> {
    let (_, body) = without_mark(text);
    let names = match client.format() {
        SettingsFormat::Json => json_text::names(body, client),
        SettingsFormat::Toml => toml_text::names(body, client.container()),
    }?;
    let mut entries = Vec::new();
    for name in names {
        entries.extend(entry_of(client, text, &name)?.filter(Entry::is_of_this_program));
    }
    Ok(entries)
}

/// Whether what stands there may be changed by us.
pub fn check_ours(name: &str, members: &Value) -> Result<(), BrokenSettings> {
    Entry::read(name, members).map(|_| ()).ok_or(BrokenSettings::NotOurs)
}

/// Some editors begin a file with a mark of its encoding, which is no part of the text.
fn without_mark(text: &str) -> (&str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    }
}
