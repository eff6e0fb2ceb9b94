//! Different items under one key: sources repeat their own ids, and neither item may be lost.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Keys that are told apart; more would need unbounded memory, and then the last one wins.
const MAX_KEYS: usize = 500_000;

/// The contents that were met under each key, in the order in which they came.
#[derive(Default)]
pub struct Twins(HashMap<String, Vec<u64>>);

impl Twins {
    /// The key of an item: as it is for the first content, with a number for each further one. The
    /// same content has the same key every time.
    pub fn key(&mut self, key: String, content: &str) -> String {
        if self.0.len() >= MAX_KEYS && !self.0.contains_key(&key) {
            return key;
        }
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let hash = hasher.finish();
        let met = self.0.entry(key.clone()).or_default();
        let place = met.iter().position(|other| *other == hash).unwrap_or_else(|| {
            met.push(hash);
            met.len() - 1
        });
        if place == 0 { key } else { format!("{key}-{}", place + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_content_has_a_key_of_its_own() {
        let mut twins = Twins::default();
        let mut key = |content: &str| twins.key("k".to_owned(), content);
        assert_eq!([key("a"), key("b"), key("a"), key("c")], ["k", "k-2", "k", "k-3"]);
    }
}
