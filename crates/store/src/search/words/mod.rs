//! Words of a text as search sees them: folded, stemmed, and with their place.
//!
//! The same code reads documents and questions, on every backend: what is stored in an index are
//! these terms and nothing else.

mod fold;
mod forms;
mod stop;
mod vocabulary;

use vocabulary::Vocabulary;

pub use fold::{MAX_TERM_CHARS, fold, stem};
pub use stop::is_stop_word;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The folded and stemmed form.
    pub term: String,
    /// The first byte in the text.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
}

/// The words of a text, in order.
///
/// A word is a run of letters and digits; an apostrophe inside a word and a comma between digits do
/// not break it. Scripts that are written without spaces are read as overlapping pairs of
/// characters, so that any span of two characters can be found.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    Vocabulary::lend(|vocabulary| {
        each_word(text, |start, end| {
            let number = vocabulary.number(text.get(start..end).unwrap_or_default());
            let term = vocabulary.term(number).to_owned();
            if !term.is_empty() {
                words.push(Word { term, start, end });
            }
        });
    });
    words
}

/// How many words a text has, and how often each term occurs, by term, handed to `read`. The same
/// as counting [`words`], without a string for each.
pub fn count_terms<T>(text: &str, read: impl FnOnce(u32, &[(&str, u32)]) -> T) -> T {
    Vocabulary::lend(|vocabulary| {
        let mut numbers = Vec::with_capacity(text.len() / 6);
        each_word(text, |start, end| {
            numbers.push(vocabulary.number(text.get(start..end).unwrap_or_default()));
        });
        numbers.sort_unstable();
        let mut terms: Vec<(&str, u32)> = numbers
            .chunk_by(|a, b| a == b)
            .map(|same| (same, u32::try_from(same.len()).unwrap_or(u32::MAX)))
            .filter_map(|(same, count)| Some((vocabulary.term(*same.first()?), count)))
            .filter(|(term, _)| !term.is_empty())
            .collect();
        terms.sort_unstable();
        terms.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1 += again.1;
            }
            same
        });
        read(terms.iter().map(|(_, count)| count).sum(), &terms)
    })
}

/// Calls `found` with the first byte of each word and the first after it.
fn each_word(text: &str, mut found: impl FnMut(usize, usize)) {
    let mut at = 0;
    while let Some(first) = char_at(text, at) {
        let start = at;
        at += first.len_utf8();
        if !first.is_alphanumeric() {
            continue;
        }
        let (paired, mut last) = (is_unspaced(first), first);
        while let Some(next) = char_at(text, at) {
            let after = at + next.len_utf8();
            let continues = if next.is_ascii_alphanumeric() {
                !paired
            } else if paired {
                is_unspaced(next)
            } else {
                continues_word(last, next, text.get(after..)) && !is_unspaced(next)
            };
            if !continues {
                break;
            }
            (at, last) = (after, next);
        }
        if paired {
            each_pair(text, start, at, &mut found);
        } else {
            found(start, at);
        }
    }
}

/// The character that begins at a byte; most are one byte long.
fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(char::from(*byte)),
        _ => text.get(at..)?.chars().next(),
    }
}

/// Overlapping pairs; a lone character is a word of its own.
fn each_pair(text: &str, start: usize, end: usize, found: &mut impl FnMut(usize, usize)) {
    let run = text.get(start..end).unwrap_or_default();
    let places: Vec<usize> = run.char_indices().map(|(at, _)| start + at).chain([end]).collect();
    if let [from, to] = places.as_slice() {
        found(*from, *to);
        return;
    }
    for window in places.windows(3) {
        if let [from, _, to] = window {
            found(*from, *to);
        }
    }
}

/// Whether `next` belongs to the word that `last` is in; `after` is the text behind `next`.
fn continues_word(last: char, next: char, after: Option<&str>) -> bool {
    if next.is_alphanumeric() || (!next.is_ascii() && is_mark(next)) {
        return true;
    }
    let following = after.and_then(|after| after.chars().next());
    match next {
        '\'' | '\u{2019}' => last.is_alphabetic() && following.is_some_and(char::is_alphabetic),
        ',' | '.' => last.is_ascii_digit() && following.is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// Combining marks stand inside words.
fn is_mark(char: char) -> bool {
    unicode_normalization::char::is_combining_mark(char)
}

/// Letters of scripts that put no spaces between words.
pub fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{0e00}'..='\u{0eff}'      // Thai, Lao
        | '\u{1000}'..='\u{109f}'    // Myanmar
        | '\u{1780}'..='\u{17ff}'    // Khmer
        | '\u{1100}'..='\u{11ff}'    // Hangul letters
        | '\u{3040}'..='\u{30ff}'    // Hiragana, Katakana
        | '\u{3130}'..='\u{318f}'    // Hangul letters
        | '\u{31f0}'..='\u{31ff}'    // Katakana extensions
        | '\u{3400}'..='\u{4dbf}'    // Han
        | '\u{4e00}'..='\u{9fff}'    // Han
        | '\u{ac00}'..='\u{d7af}'    // Hangul syllables
        | '\u{f900}'..='\u{faff}'    // Han
        | '\u{ff66}'..='\u{ff9d}'    // half-width Katakana
        | '\u{20000}'..='\u{3134f}'  // Han
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.term).collect()
    }

    #[test]
    fn case_accents_and_endings_do_not_matter() {
        assert_eq!(terms("Installed INSTALLING installs"), ["instal", "instal", "instal"]);
        assert_eq!(terms("Café naïve Ångström ＡＢＣ"), ["cafe", "naiv", "angstrom", "abc"]);
        assert_eq!(terms("e\u{301}tude"), terms("étude"));
        assert_eq!(terms("bought children colours"), terms("buying child color"));
    }

    #[test]
    fn words_break_where_people_see_them_break() {
        assert_eq!(terms("don't o’clock"), ["dont", "oclock"]);
        assert_eq!(terms("KK-20418: 49,600 SEK (1.10)"), ["kk", "20418", "49600", "sek", "1.10"]);
        assert_eq!(terms("mail@example.org foo_bar"), ["mail", "exampl", "org", "foo", "bar"]);
    }

    #[test]
    fn unspaced_scripts_become_pairs() {
        assert_eq!(terms("東京都 日"), ["東京", "京都", "日"]);
        assert_eq!(terms("hello世界"), ["hello", "世界"]);
    }

    #[test]
    fn places_are_byte_ranges_of_the_original() {
        let text = "Ünï 👍 Wörter";
        let found = words(text);
        assert_eq!(found.len(), 2);
        assert_eq!(&text[found[1].start..found[1].end], "Wörter");
    }

    #[test]
    fn counting_gives_what_the_words_give() {
        let text = "Installed it, installing: IT installs 東京都 東京 l'été d'été 1,000 ' ,";
        let mut expected = std::collections::BTreeMap::new();
        let all = words(text);
        for word in &all {
            *expected.entry(word.term.clone()).or_insert(0_u32) += 1;
        }
        let expected: Vec<(&str, u32)> =
            expected.iter().map(|(term, count)| (term.as_str(), *count)).collect();
        // Twice: the second time every spelling is known.
        for _ in 0..2 {
            count_terms(text, |count, counted| {
                assert_eq!(usize::try_from(count).unwrap(), all.len());
                assert_eq!(counted, expected);
            });
        }
    }

    #[test]
    fn a_term_is_never_longer_than_its_limit() {
        assert_eq!(terms(&"x".repeat(500))[0].chars().count(), MAX_TERM_CHARS);
    }
}
