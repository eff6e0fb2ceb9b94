//! The names of sessions, which stand anywhere in any of the files.

use std::collections::HashMap;

use pdpp_contract::JsonObject;

use crate::record::lenient;

/// Titles that are kept between the two rounds.
const MAX_TITLES: usize = 200_000;

/// The names of sessions, by the session or by the message.
#[derive(Default)]
pub struct Titles {
    /// By the session.
    pub by_session: HashMap<String, String>,
    /// By the last message that a summary was made of.
    pub by_leaf: HashMap<String, String>,
    /// Whether the person chose the name of a session.
    chosen: HashMap<String, bool>,
}

impl Titles {
    /// Looks at one line.
    pub fn see(&mut self, line: &JsonObject) {
        let text = |name| lenient::text(line, name);
        if self.by_session.len() + self.by_leaf.len() >= MAX_TITLES {
            return;
        }
        if let (Some(summary), Some(leaf)) = (text("summary"), text("leafUuid")) {
            self.by_leaf.insert(leaf.to_owned(), summary.to_owned());
            return;
        }
        let Some(session) = text("sessionId") else { return };
        // What the person chose stands above what the program made up.
        let chosen = text("customTitle");
        if let Some(title) = chosen.or(text("aiTitle")) {
            let is_chosen = self.chosen.get(session).copied().unwrap_or(false);
            if chosen.is_some() || !is_chosen {
                self.by_session.insert(session.to_owned(), title.to_owned());
                self.chosen.insert(session.to_owned(), chosen.is_some());
            }
        }
    }
}
