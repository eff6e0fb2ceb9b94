//! Which span of a text to show: around the matches, whole sentences where they fit, whole words
//! otherwise.

/// Characters that a span has at least before its end is moved back to the end of a sentence.
const LEAST_CHARS: usize = 165;

/// The byte range of at most `chars` characters around the bytes `start..end`.
pub(super) fn around(text: &str, (start, end): (usize, usize), chars: usize) -> (usize, usize) {
    if text.len() <= chars || text.chars().nth(chars).is_none() {
        return (0, text.len());
    }
    let inside = text.get(start..end).map_or(0, |inside| inside.chars().count());
    let spare = chars.saturating_sub(inside);
    let mut from = sentence_start(text, back(text, start, spare), start)
        .unwrap_or_else(|| word_start(text, back(text, start, spare / 3), start));
    let to = forward(text, from, chars);
    if to < text.len() {
        let least = forward(text, from, LEAST_CHARS.min(chars)).max(end);
        let whole = sentence_end(text, least, to).or_else(|| word_end(text, end, to));
        return (from, whole.unwrap_or(to));
    }
    // The text ends here: what is left over goes to what stands before.
    let earliest = back(text, text.len(), chars);
    if earliest < from {
        let least = back(text, text.len(), LEAST_CHARS.min(chars));
        from = sentence_start_first(text, earliest, from.min(least))
            .unwrap_or_else(|| word_start(text, earliest, from));
    }
    (from, text.len())
}

/// So many characters before a place.
fn back(text: &str, at: usize, chars: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.char_indices().rev().take(chars).last().map_or(at, |(at, _)| at)
}

/// So many characters after a place.
fn forward(text: &str, at: usize, chars: usize) -> usize {
    let after = text.get(at..).unwrap_or_default();
    after.char_indices().nth(chars).map_or(text.len(), |(further, _)| at + further)
}

/// The last beginning of a sentence in a range.
fn sentence_start(text: &str, from: usize, to: usize) -> Option<usize> {
    sentence_starts(text, from, to).last()
}

fn sentence_start_first(text: &str, from: usize, to: usize) -> Option<usize> {
    sentence_starts(text, from, to).next()
}

fn sentence_starts(text: &str, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
    let (mut ended, mut apart) = (from == 0, from == 0);
    let rest = text.get(from..).unwrap_or_default().char_indices();
    rest.take_while(move |(at, _)| from + at <= to).filter_map(move |(at, c)| {
        if c.is_whitespace() {
            ended |= c == '\n';
            apart = true;
            return None;
        }
        let starts = ended && apart;
        (ended, apart) = (ends_sentence(c), is_wide_stop(c));
        starts.then_some(from + at)
    })
}

/// The last end of a sentence in a range.
fn sentence_end(text: &str, from: usize, to: usize) -> Option<usize> {
    let range = text.get(from..to)?.char_indices().rev();
    let ends = range.filter(|(_, c)| ends_sentence(*c) || *c == '\n');
    let mut ends = ends.filter_map(|(at, c)| {
        let end = from + at + if c == '\n' { 0 } else { c.len_utf8() };
        let next = text.get(end..)?.chars().next();
        (is_wide_stop(c) || next.is_none_or(char::is_whitespace)).then_some(end)
    });
    ends.next()
}

fn word_start(text: &str, from: usize, to: usize) -> usize {
    if from == 0 {
        return 0;
    }
    let space = text.get(from..to).and_then(|range| range.find(char::is_whitespace));
    space.map_or(from, |at| forward(text, from + at, 1))
}

fn word_end(text: &str, from: usize, to: usize) -> Option<usize> {
    let space = text.get(from..to)?.rfind(char::is_whitespace)?;
    Some(from + space)
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_wide_stop(c)
}

/// A full stop that no space follows.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, word: &str, chars: usize) -> String {
        let at = text.find(word).unwrap();
        let (from, to) = around(text, (at, at + word.len()), chars);
        text[from..to].to_owned()
    }

    #[test]
    fn a_short_text_is_shown_whole_and_a_long_one_by_sentences() {
        assert_eq!(shown("Bring the ladder. Thanks!", "ladder", 40), "Bring the ladder. Thanks!");
        let text = format!(
            "{}The boiler hums at night. {}It will be mended. {}",
            "Nothing here. ".repeat(20),
            "We hear it often in the hall. ".repeat(5),
            "Nothing there. ".repeat(20)
        );
        let shown = shown(&text, "boiler", 190);
        assert!(shown.starts_with("The boiler hums") && shown.ends_with('.'), "{shown}");
        assert!((160..=190).contains(&shown.chars().count()), "{shown}");
    }

    #[test]
    fn the_end_of_a_text_is_shown_with_what_stands_before_it() {
        let text = format!("{}the last word is heron", "many words without a stop ".repeat(30));
        let shown = shown(&text, "heron", 190);
        assert!(shown.ends_with("heron") && shown.chars().count() > 170, "{shown}");
        assert!(!shown.starts_with(' '));
    }

    #[test]
    fn a_last_sentence_is_shown_with_enough_before_it() {
        let text = format!("{} The boiler is here.", "Some words that go on and on".repeat(20));
        let shown = shown(&text, "boiler", 180);
        assert!((160..=180).contains(&shown.chars().count()), "{shown}");
    }

    #[test]
    fn texts_without_spaces_are_cut_between_characters() {
        let text = "雨が降る。".repeat(100);
        let (from, to) = around(&text, (15 * 20, 15 * 20 + 3), 190);
        assert!(text.get(from..to).is_some_and(|text| text.ends_with('。')));
        let (from, to) = around(&"é".repeat(900), (400, 402), 190);
        assert_eq!((to - from) / 2, 190);
    }
}
