//! A fixed vocabulary, used as languages use theirs: few words often, most words hardly ever.

use super::numbers::{Numbers, mixed};

/// Words in the vocabulary.
const WORDS: u32 = 50_000;
/// A word of rank r is used in proportion to 1 / r^this.
const EXPONENT: f64 = 1.05;
/// Places of the table that turns an even number into a word.
const PLACES: u32 = 1 << 20;
const SYLLABLES: &[&str] = &[
    "an", "ber", "con", "dal", "em", "fi", "gro", "har", "in", "jo", "kel", "lor", "mi", "nes",
    "o", "per", "qua", "ri", "sta", "ten", "un", "ve", "wil", "xa", "yor", "zu", "sel", "mar",
    "tion", "ly", "er", "ing",
];

/// The vocabulary and how often each word comes.
pub struct Vocabulary {
    words: Vec<String>,
    places: Vec<u16>,
}

impl Vocabulary {
    /// Builds the vocabulary; the same every time.
    pub fn new() -> Self {
        Self { words: (0..WORDS).map(word).collect(), places: places() }
    }

    /// A word as a text would use it.
    pub fn next(&self, numbers: &mut Numbers) -> &str {
        let place = usize::try_from(numbers.below(u64::from(PLACES))).unwrap_or(0);
        let rank = self.places.get(place).copied().unwrap_or(0);
        self.words.get(usize::from(rank)).map_or("", String::as_str)
    }

    /// The word of a rank, 0 being the most frequent.
    pub fn of_rank(&self, rank: usize) -> &str {
        self.words.get(rank).map_or("", String::as_str)
    }

    /// Appends so many words, with a space between them.
    pub fn write(&self, count: u64, numbers: &mut Numbers, out: &mut String) {
        for index in 0..count {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(self.next(numbers));
        }
    }
}

/// The word of a rank: frequent ones are short, all are different.
fn word(rank: u32) -> String {
    let mut word = String::new();
    let mut rest = rank;
    let base = u32::try_from(SYLLABLES.len()).unwrap_or(1);
    loop {
        let syllable = usize::try_from(rest % base).unwrap_or(0);
        word.push_str(SYLLABLES.get(syllable).copied().unwrap_or_default());
        rest /= base;
        if rest == 0 {
            break;
        }
    }
    // Two letters of its own keep ranks apart whose syllables spell the same.
    let letter = |number: u64| char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    let own = mixed(u64::from(rank));
    if rank >= base {
        word.push(letter(own));
        word.push(letter(own >> 32));
    }
    word
}

/// For each place of the table the rank of its word.
fn places() -> Vec<u16> {
    let weight = |rank: u32| 1.0 / f64::from(rank + 1).powf(EXPONENT);
    let total: f64 = (0..WORDS).map(weight).sum();
    let mut places = Vec::new();
    let mut rank = 0;
    let mut reached = weight(0);
    for place in 0..PLACES {
        let wanted = (f64::from(place) + 0.5) / f64::from(PLACES) * total;
        while reached < wanted && rank + 1 < WORDS {
            rank += 1;
            reached += weight(rank);
        }
        places.push(u16::try_from(rank).unwrap_or(u16::MAX));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_words_are_frequent_and_most_are_rare() {
        let words = Vocabulary::new();
        let mut numbers = Numbers::of(1);
        let drawn: Vec<&str> = (0..100_000).map(|_| words.next(&mut numbers)).collect();
        let share = |word: &str| drawn.iter().filter(|drawn| **drawn == word).count();
        assert!(share("an") > 5_000, "the first word");
        let distinct: std::collections::BTreeSet<_> = drawn.iter().collect();
        assert!(distinct.len() > 10_000, "{}", distinct.len());
    }
}
