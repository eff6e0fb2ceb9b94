//! Arithmetic of windows, the same for every backend. All numbers count Unicode scalar values.

/// A span of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The first character.
    pub start: u64,
    /// How many characters.
    pub length: u64,
}

impl Span {
    /// At most `limit` characters from `start`, inside a text of `total`.
    pub(crate) fn range(start: u64, limit: u32, total: u64) -> Self {
        let start = start.min(total);
        Self { start, length: u64::from(limit).min(total - start) }
    }
}

/// The span around a match: context is trimmed until everything fits, the match is kept whole
/// even where it alone is longer than the limit.
pub(crate) fn match_span(
    matched: (u64, u64),
    before: u32,
    after: u32,
    limit: u32,
    total: u64,
) -> Span {
    let (match_start, match_end) = matched;
    let match_length = match_end - match_start;
    let spare = u64::from(limit).saturating_sub(match_length);
    let (mut before, mut after) = (u64::from(before), u64::from(after));
    if before + after > spare {
        // Each side gives in proportion, so that a lopsided request stays lopsided.
        before = spare * before / (before + after);
        after = spare - before;
    }
    let start = match_start - before.min(match_start);
    let end = (match_start + match_length + after).min(total);
    Span { start, length: end - start }
}

/// The characters `start .. start + length` of a text; less when it ends earlier.
pub(crate) fn cut(text: &str, start: u64, length: u64) -> &str {
    let at = |text: &str, chars: u64| {
        let chars = usize::try_from(chars).unwrap_or(usize::MAX);
        // Only as far as it matters: the text may be as long as a field can be.
        let beginning = text.as_bytes().get(..chars).unwrap_or(text.as_bytes());
        if beginning.is_ascii() {
            return beginning.len();
        }
        text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
    };
    let rest = text.get(at(text, start)..).unwrap_or_default();
    rest.get(..at(rest, length)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_stays_inside_the_text() {
        assert_eq!(Span::range(0, 10, 4), Span { start: 0, length: 4 });
        assert_eq!(Span::range(3, 10, 4), Span { start: 3, length: 1 });
        assert_eq!(Span::range(9, 10, 4), Span { start: 4, length: 0 });
    }

    #[test]
    fn context_is_trimmed_and_the_match_is_kept() {
        assert_eq!(match_span((100, 105), 10, 20, 1000, 500), Span { start: 90, length: 35 });
        assert_eq!(match_span((2, 5), 10, 10, 1000, 8), Span { start: 0, length: 8 });
        let tight = match_span((100, 105), 2048, 2048, 25, 500);
        assert_eq!(tight, Span { start: 90, length: 25 });
        assert_eq!(match_span((100, 140), 10, 10, 25, 500), Span { start: 100, length: 40 });
    }

    #[test]
    fn cutting_counts_characters_not_bytes() {
        assert_eq!(cut("aé👍🏽z", 1, 3), "é👍🏽");
        assert_eq!(cut("abc", 1, 9), "bc");
        assert_eq!(cut("abc", 7, 1), "");
    }
}
