//! Spellings a thread has met, and the term each becomes. Few words make up most of any text: a
//! spelling is folded and stemmed once, then found again by one look-up.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

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
    /// Most words are short and plain: their letters are the key, and no pointer is followed.
    plain: HashMap<u128, u32, RandomState>,
    other: HashMap<Box<str>, u32, RandomState>,
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
        let number = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        if let Some(plain) = plain_key(spelling) {
            match self.plain.entry(plain) {
                Entry::Occupied(known) => return *known.get(),
                Entry::Vacant(new) => new.insert(number),
            };
        } else if let Some(known) = self.other.get(spelling) {
            return *known;
        } else if spelling.len() <= REMEMBERED_BYTES {
            self.other.insert(spelling.into(), number);
        }
        self.terms.push(stem(&fold(spelling)).into_boxed_str());
        number
    }

    /// The term; empty when folding left nothing of the spelling.
    pub(super) fn term(&self, number: u32) -> &str {
        usize::try_from(number).ok().and_then(|at| self.terms.get(at)).map_or("", AsRef::as_ref)
    }
}

/// The letters of a plain word in lower case, as one number.
fn plain_key(spelling: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(..spelling.len())?.copy_from_slice(spelling.as_bytes());
    // No word contains a zero byte, so that the rest says how long it is.
    bytes.make_ascii_lowercase();
    spelling.is_ascii().then(|| u128::from_le_bytes(bytes))
}
