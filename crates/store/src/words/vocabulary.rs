//! Spellings a thread has met, and the term each becomes. Few words make up most of any text: a
//! spelling is folded and stemmed once, then found again by one look-up.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::fold::{fold, stem};

/// Spellings a thread remembers; then it begins anew.
const REMEMBERED: usize = 50_000;
/// A longer spelling comes once and is not worth its room.
const REMEMBERED_BYTES: usize = 64;

thread_local! {
    static VOCABULARY: RefCell<Vocabulary> = RefCell::default();
}

/// Terms by number, and numbers by spelling.
#[derive(Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<Box<str>, u32, RandomState>,
    terms: Vec<Box<str>>,
}

impl Vocabulary {
    /// Lends this thread's vocabulary: numbers given out meanwhile stay valid until it is given
    /// back.
    pub(super) fn lend<T>(read: impl FnOnce(&mut Self) -> T) -> T {
        VOCABULARY.with_borrow_mut(|vocabulary| {
            if vocabulary.terms.len() >= REMEMBERED {
                *vocabulary = Self::default();
            }
            read(vocabulary)
        })
    }

    /// The number of the spelling's term. Spellings of one term may have different numbers.
    pub(super) fn number(&mut self, spelling: &str) -> u32 {
        if let Some(known) = self.numbers.get(spelling) {
            return *known;
        }
        let number = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        self.terms.push(stem(&fold(spelling)).into_boxed_str());
        if spelling.len() <= REMEMBERED_BYTES {
            self.numbers.insert(spelling.into(), number);
        }
        number
    }

    /// The term; empty when folding left nothing of the spelling.
    pub(super) fn term(&self, number: u32) -> &str {
        usize::try_from(number).ok().and_then(|at| self.terms.get(at)).map_or("", AsRef::as_ref)
    }
}
