//! What a program writes into its transcripts for itself, counted by kind and told to the owner.

use std::collections::BTreeMap;

use crate::sink::Sink;

/// Kinds that are told apart.
const MAX_KINDS: usize = 40;
/// Longest name of a kind that is shown.
const MAX_NAME_CHARS: usize = 40;

/// Counts by kind.
#[derive(Debug, Default)]
pub struct LeftOutEntries(BTreeMap<String, u64>);

impl LeftOutEntries {
    /// Counts one entry of a kind.
    pub fn add(&mut self, kind: &str) {
        let name: String = kind.chars().filter(|c| is_plain(*c)).take(MAX_NAME_CHARS).collect();
        let known = self.0.len() < MAX_KINDS || self.0.contains_key(&name);
        let name = if known && !name.is_empty() { name } else { "other".to_owned() };
        *self.0.entry(name).or_default() += 1;
    }

    /// Says what was left out, if anything was.
    pub fn tell(&self, sink: &Sink<'_>) {
        if self.0.is_empty() {
            return;
        }
        let kinds: Vec<String> =
            self.0.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
        sink.note(format!(
            "entries that the program keeps for itself are left out: {}",
            kinds.join(", ")
        ));
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/')
}
