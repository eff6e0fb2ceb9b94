//! The first place where a text occurs, ignoring case, without holding the whole field.

use pdpp_contract::limits::CHUNK_CHARS;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;

/// Where `q` first occurs in a text: first character, first after.
pub(crate) fn first_in(text: &str, q: &str) -> Option<(u64, u64)> {
    let found = finder(q)?.find(text)?;
    let start = count(text.get(..found.start())?);
    Some((start, start + count(q)))
}

/// A search through the chunks of one text, in their order. Chunks are looked at one by one; a
/// match across a border is found in the joint of the two.
///
/// Chunks are taken as bytes: they were written as text, and checking that again would cost more
/// than the search itself.
pub(crate) struct ChunkSearch {
    finder: Regex,
    length: u64,
    /// A match across a border has at most so many characters on either side of it.
    overlap: usize,
    tail: Vec<u8>,
}

impl ChunkSearch {
    /// A search for `q`; `None` when nothing can match it.
    pub(crate) fn new(q: &str) -> Option<Self> {
        let length = count(q);
        let overlap = usize::try_from(length.saturating_sub(1)).unwrap_or(usize::MAX);
        Some(Self { finder: finder(q)?, length, overlap, tail: Vec::new() })
    }

    /// Looks at the next chunk, the one at `place` in its text. A match ends the search.
    pub(crate) fn look(&mut self, place: u64, chunk: &[u8]) -> Option<(u64, u64)> {
        let chunk_start = place * CHUNK_CHARS;
        let tail_chars = count_bytes(&self.tail);
        self.tail.extend_from_slice(first_chars(chunk, self.overlap));
        if let Some(before) = self.chars_before_match(&self.tail) {
            let start = chunk_start - tail_chars + before;
            return Some((start, start + self.length));
        }
        if let Some(before) = self.chars_before_match(chunk) {
            let start = chunk_start + before;
            return Some((start, start + self.length));
        }
        if chunk.len() >= self.overlap.saturating_mul(4) {
            self.tail.clear();
            self.tail.extend_from_slice(last_chars(chunk, self.overlap));
        } else {
            // A query longer than a chunk: the joint grows over several chunks.
            self.tail = joint_tail(&self.tail, chunk, self.overlap);
        }
        None
    }

    fn chars_before_match(&self, text: &[u8]) -> Option<u64> {
        let found = self.finder.find(text)?;
        text.get(..found.start()).map(count_bytes)
    }
}

/// Simple Unicode case folding maps one character to one, so a match has as many as `q`.
fn finder(q: &str) -> Option<Regex> {
    Regex::builder()
        .syntax(syntax::Config::new().case_insensitive(true).unicode(true))
        .build(&escaped(q))
        .ok()
}

/// Escapes what a pattern would read as an operator.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(char) {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

fn count(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

/// Characters of a text in bytes: all that do not merely continue one.
fn count_bytes(text: &[u8]) -> u64 {
    u64::try_from(text.iter().filter(|byte| begins_char(**byte)).count()).unwrap_or(u64::MAX)
}

fn begins_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn first_chars(text: &[u8], chars: usize) -> &[u8] {
    let mut begins = text.iter().enumerate().filter(|(_, byte)| begins_char(**byte));
    let end = begins.nth(chars).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn last_chars(text: &[u8], chars: usize) -> &[u8] {
    if chars == 0 {
        return &[];
    }
    let mut begins = text.iter().enumerate().filter(|(_, byte)| begins_char(**byte));
    let start = begins.nth_back(chars - 1).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

/// The last characters of everything before the next chunk. `joint` already ends with the beginning
/// of `chunk`.
fn joint_tail(joint: &[u8], chunk: &[u8], overlap: usize) -> Vec<u8> {
    let mut whole = joint.to_vec();
    whole.extend_from_slice(chunk.get(first_chars(chunk, overlap).len()..).unwrap_or_default());
    last_chars(&whole, overlap).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_folding_is_unicode_and_positions_are_of_the_original() {
        assert_eq!(first_in("ÀÉÎ straße", "éî"), Some((1, 3)));
        assert_eq!(first_in("200 \u{212A}m", "km"), Some((4, 6)), "the Kelvin sign folds to k");
        assert_eq!(first_in("a.b", "a+b"), None);
        assert_eq!(first_in("x (a+b)*", "(A+B)*"), Some((2, 8)));
    }

    #[test]
    fn chunk_by_chunk_finds_what_the_whole_text_holds() {
        let chunk_chars = usize::try_from(CHUNK_CHARS).unwrap();
        let text: String = "ab👍é".chars().cycle().take(2 * chunk_chars + 50).collect();
        let chars: Vec<char> = text.chars().collect();
        let mark = |at: usize, mark: &str| {
            let mut marked = chars.clone();
            marked.splice(at..at + mark.chars().count(), mark.chars());
            marked
        };
        let long = "Lang".repeat(chunk_chars / 4 + 20);
        for (at, needle) in [
            (chunk_chars - 1, "xY"),
            (chunk_chars - 3, "ÉXÉXÉX"),
            (2 * chunk_chars + 47, "end"),
            (chunk_chars / 2, long.as_str()),
        ] {
            let marked = mark(at, needle);
            let whole: String = marked.iter().collect();
            let mut search = ChunkSearch::new(&needle.to_lowercase()).unwrap();
            let found = marked.chunks(chunk_chars).zip(0..).find_map(|(chunk, place)| {
                search.look(place, chunk.iter().collect::<String>().as_bytes())
            });
            let at = u64::try_from(at).unwrap();
            assert_eq!(found, Some((at, at + count(needle))), "{needle:.20}");
            assert_eq!(found, first_in(&whole, needle));
        }
    }
}
