//! The words that say what a number or a link is, in the languages people get such mail in.
//!
//! All patterns are searched in one pass. Of two that begin at the same place the earlier one in the
//! table wins, so "password reset code" is a code and not a reset.

use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::words;

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Names another number or another kind of code.
    Other,
    /// Names a one-time code.
    Code,
    /// Speaks of a reset, of signing in by link, of verifying an address.
    Link,
    /// An occasion for a one-time code.
    Occasion,
    /// Just the word "code".
    Word,
}

/// A phrase in a text.
pub(super) struct Phrase {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Finds all phrases, in order, without overlap.
pub(super) fn find(text: &str) -> Vec<Phrase> {
    let Some(regex) = &*REGEX else {
        return Vec::new();
    };
    let phrase = |found: regex_automata::Match| {
        let kind = kind_of(found.pattern().as_usize())?;
        Some(Phrase { kind, start: found.start(), end: found.end() })
    };
    regex.find_iter(text).filter_map(phrase).collect()
}

static REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns: Vec<&str> =
        TABLE.iter().flat_map(|(_, patterns)| patterns.iter().copied()).collect();
    Regex::builder()
        .syntax(syntax::Config::new().case_insensitive(true).unicode(true))
        .configure(Regex::config().hybrid_cache_capacity(64 << 20).nfa_size_limit(None))
        .build_many(&patterns)
        .ok()
});

const TABLE: [(Kind, &[&str]); 5] = [
    (Kind::Other, words::OTHER),
    (Kind::Code, words::CODE),
    (Kind::Link, words::LINK),
    (Kind::Occasion, words::OCCASION),
    (Kind::Word, words::WORD),
];

/// The kind a pattern of the regex belongs to.
fn kind_of(mut pattern: usize) -> Option<Kind> {
    for (kind, patterns) in TABLE {
        if pattern < patterns.len() {
            return Some(kind);
        }
        pattern -= patterns.len();
    }
    None
}
