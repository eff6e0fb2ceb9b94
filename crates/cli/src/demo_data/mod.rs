//! The sample life behind `pdpp demo`: one invented person, seven connections, the same records on every run.

pub mod assistant;
pub mod calendar;
pub mod chat;
mod day;
mod dice;
mod line;
pub mod mail;
pub mod notes;
pub mod orders;
mod people;
mod sheet;
#[cfg(test)]
mod tests;

/// One account of the sample person, ready for the plain `jsonl` door.
pub struct DemoConnection {
    /// The owner's short name, as `--connection` takes it.
    pub name: &'static str,
    /// The label that people and agents see.
    pub display_name: &'static str,
    /// The source declaration, a JSON document.
    pub declaration: &'static str,
    /// One RECORD line per record, in import order.
    pub records: fn() -> Vec<String>,
}

/// Every connection of the sample store. The two mail accounts share a declaration on purpose.
pub const CONNECTIONS: &[DemoConnection] = &[
    DemoConnection {
        name: "work-mail",
        display_name: "Work mail",
        declaration: include_str!("../../demo/gmail.json"),
        records: mail::work_records,
    },
    DemoConnection {
        name: "personal-mail",
        display_name: "Personal mail",
        declaration: include_str!("../../demo/gmail.json"),
        records: mail::personal_records,
    },
    DemoConnection {
        name: "team-chat",
        display_name: "Team chat",
        declaration: include_str!("../../demo/slack.json"),
        records: chat::records,
    },
    DemoConnection {
        name: "assistant",
        display_name: "AI conversations",
        declaration: include_str!("../../demo/chatgpt.json"),
        records: assistant::records,
    },
    DemoConnection {
        name: "shop-orders",
        display_name: "Orders",
        declaration: include_str!("../../demo/kvistkorg.json"),
        records: orders::records,
    },
    DemoConnection {
        name: "calendar",
        display_name: "Calendar",
        declaration: include_str!("../../demo/calendar.json"),
        records: calendar::records,
    },
    DemoConnection {
        name: "notes",
        display_name: "Notes",
        declaration: include_str!("../../demo/notes.json"),
        records: notes::records,
    },
];
