//! The sample data behind `pdpp demo`: seven accounts of one invented person, the same on every run.
//!
//! Records and declarations are files in `crates/cli/demo`; only the very long note is generated.

mod dice;
mod files;
#[cfg(test)]
mod tests;
mod transcript;

use std::borrow::Cow;

pub use files::{DemoFile, FILES};

/// One account of the sample person, ready for the `jsonl` import.
pub struct DemoConnection {
    /// The owner's short name, as `--connection` takes it.
    pub name: &'static str,
    /// The label that people and agents see.
    pub display_name: &'static str,
    /// The source declaration, a JSON document.
    pub declaration: &'static str,
    /// One RECORD line per record, in import order.
    records: &'static str,
    /// A record that is too long to be kept as a file.
    generated: Option<fn() -> String>,
}

impl DemoConnection {
    /// Every record, one line each.
    pub fn lines(&self) -> impl Iterator<Item = Cow<'static, str>> + Send + 'static {
        let generated = self.generated.map(|line| Cow::Owned(line()));
        self.records.lines().map(Cow::Borrowed).chain(generated)
    }
}

/// Every connection of the sample store. The two mail accounts share a declaration on purpose.
pub const CONNECTIONS: &[DemoConnection] = &[
    DemoConnection {
        name: "work-mail",
        display_name: "Work mail",
        declaration: include_str!("../../demo/gmail.json"),
        records: include_str!("../../demo/work-mail.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "personal-mail",
        display_name: "Personal mail",
        declaration: include_str!("../../demo/gmail.json"),
        records: include_str!("../../demo/personal-mail.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "team-chat",
        display_name: "Team chat",
        declaration: include_str!("../../demo/slack.json"),
        records: include_str!("../../demo/team-chat.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "assistant",
        display_name: "AI conversations",
        declaration: include_str!("../../demo/chatgpt.json"),
        records: include_str!("../../demo/assistant.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "shop-orders",
        display_name: "Orders",
        declaration: include_str!("../../demo/kvistkorg.json"),
        records: include_str!("../../demo/shop-orders.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "calendar",
        display_name: "Calendar",
        declaration: include_str!("../../demo/calendar.json"),
        records: include_str!("../../demo/calendar.jsonl"),
        generated: None,
    },
    DemoConnection {
        name: "notes",
        display_name: "Notes",
        declaration: include_str!("../../demo/notes.json"),
        records: include_str!("../../demo/notes.jsonl"),
        generated: Some(transcript::line),
    },
];
