//! Different items under one key: sources repeat their own ids, and neither item may be lost.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Keys that are told apart; more would need unbounded memory, and then the last one wins.
const MAX_KEYS: usize = 500_000;

/// The keys that were given out.
#[derive(Default)]
pub struct DistinctKeys {
    /// Each key that is in use, and the number with which its next twin is tried.
    taken: HashMap<String, u32>,
    /// The number in the key of each item, by a hash of its own key and its content; 1 for none.
    numbers: HashMap<u64, u32>,
}

impl DistinctKeys {
    /// The key of an item: as it is for the first content, with a number for each further one. The
    /// same content has the same key every time, and no two items share one.
    pub fn key(&mut self, key: String, content: &str) -> String {
        let mut hasher = DefaultHasher::new();
        (&key, content).hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(&number) = self.numbers.get(&hash) {
            return numbered(key, number);
        }
        if self.taken.len() >= MAX_KEYS {
            return key;
        }
        let mut number = self.taken.get(&key).copied().unwrap_or(1);
        let mut chosen = numbered(key.clone(), number);
        while number > 1 && self.taken.contains_key(&chosen) {
            number += 1;
            chosen = numbered(key.clone(), number);
        }
        self.numbers.insert(hash, number);
        self.taken.entry(chosen.clone()).or_insert(2);
        self.taken.insert(key, number + 1);
        chosen
    }
}

fn numbered(key: String, number: u32) -> String {
    if number == 1 { key } else { format!("{key}-{number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_content_has_a_key_of_its_own() {
        let mut keys = DistinctKeys::default();
        let mut key = |content: &str| keys.key("k".to_owned(), content);
        assert_eq!([key("a"), key("b"), key("a"), key("c")], ["k", "k-2", "k", "k-3"]);
    }

    #[test]
    fn no_item_takes_the_key_of_another() {
        for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1]] {
            let items = [("a", "one"), ("a", "two"), ("a-2", "three")];
            let mut keys = DistinctKeys::default();
            let mut keys = || order.map(|at| keys.key(items[at].0.to_owned(), items[at].1));
            let first = keys();
            let distinct: std::collections::HashSet<&String> = first.iter().collect();
            assert_eq!(distinct.len(), 3, "{first:?}");
            assert_eq!(keys(), first, "the same items have the same keys");
        }
    }
}
