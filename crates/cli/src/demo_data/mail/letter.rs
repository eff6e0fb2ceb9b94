//! A letter, and how one is read from a sheet: thread, time, sender, subject, labels, receivers, then the text.

use super::super::people::{self, Person};
use super::super::sheet;

/// One mail before it becomes a record.
pub struct Letter {
    pub thread: String,
    /// Drafts have none.
    pub sent_at: Option<String>,
    pub from: &'static Person,
    pub to: Vec<&'static str>,
    pub subject: String,
    pub labels: Vec<String>,
    pub body: String,
}

impl Letter {
    /// Whether the letter carries that label.
    pub fn is(&self, label: &str) -> bool {
        self.labels.iter().any(|own| own == label)
    }

    /// The sender, then the receivers.
    pub fn addresses(&self) -> impl Iterator<Item = &'static str> + '_ {
        std::iter::once(self.from.address).chain(self.to.iter().copied())
    }
}

/// The letters of a sheet; without receivers a letter goes to the account's owner.
pub fn read(text: &str, owner: &str) -> Vec<Letter> {
    let mut letters = Vec::new();
    for entry in sheet::entries(text) {
        let mut to = entry.list(5);
        if to.is_empty() {
            to.push(owner);
        }
        letters.push(Letter {
            thread: entry.cell(0).to_owned(),
            sent_at: entry.given(1).map(str::to_owned),
            from: people::find(entry.cell(2)),
            to: to.into_iter().map(|key| people::find(key).address).collect(),
            subject: entry.cell(3).to_owned(),
            labels: entry.list(4).into_iter().map(str::to_owned).collect(),
            body: entry.body,
        });
    }
    letters
}

/// A machine-written letter that stands alone in its thread.
pub fn notice(
    thread: String,
    sent_at: String,
    from: &str,
    to: &str,
    text: (String, String),
) -> Letter {
    Letter {
        thread,
        sent_at: Some(sent_at),
        from: people::find(from),
        to: vec![people::find(to).address],
        subject: text.0,
        labels: vec!["inbox".to_owned(), "updates".to_owned()],
        body: text.1,
    }
}
