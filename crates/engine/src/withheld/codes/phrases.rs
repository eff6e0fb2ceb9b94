//! The words that say what a number or a link is, in the languages people get such mail in.
//!
//! All patterns of a sort are searched in one pass. Of two that begin at the same place the earlier one
//! in the table wins, so "password reset code" is a code. Names and contexts are searched apart: in
//! "use this code to sign in" both have something to say about the same words.

use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::{contexts, names, ways};

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Names another number or another kind of code.
    Other,
    /// Names what a code may be for without opening an account.
    Elsewhere,
    /// Names a one-time code.
    Code,
    /// Names a code that is mostly a one-time code.
    Likely,
    /// Just the word "code".
    Word,
    /// Speaks of a reset, of signing in by link, of verifying an address.
    Link,
    /// An occasion for a one-time code.
    Occasion,
    /// Signing in, as a word: see `ways`.
    SignIn,
    /// Entering, which may be signing in.
    Enter,
    /// A password.
    Password,
    /// Getting a new one, or forgetting the old one.
    Renew,
    /// Confirming, verifying, activating.
    Confirm,
    /// An address or an account.
    Account,
    /// A link, a button, a click.
    Click,
    /// What somebody signs in for: to see, to pay, to follow.
    Purpose,
    /// A way out of a mailing list.
    Mass,
}

/// A phrase in a text.
pub(super) struct Phrase {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

type Table = &'static [(Kind, &'static [&'static str])];

const NAMES: Table = &[
    (Kind::Other, names::OTHER),
    (Kind::Code, names::CODE),
    (Kind::Likely, names::LIKELY),
    (Kind::Elsewhere, names::ELSEWHERE),
    (Kind::Word, names::WORD),
];
const CONTEXTS: Table = &[(Kind::Link, contexts::LINK), (Kind::Occasion, contexts::OCCASION)];

const WAYS: Table = &[
    (Kind::Mass, ways::MASS),
    (Kind::Purpose, ways::PURPOSE),
    (Kind::SignIn, ways::SIGN_IN),
    (Kind::Enter, ways::ENTER),
    (Kind::Password, ways::PASSWORD),
    (Kind::Renew, ways::RENEW),
    (Kind::Confirm, ways::CONFIRM),
    (Kind::Account, ways::ACCOUNT),
    (Kind::Click, ways::CLICK),
];

static NAMES_REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| compile(NAMES));
static CONTEXTS_REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| compile(CONTEXTS));

static WAYS_REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| compile(WAYS));

/// The words around links, in order, without overlap.
pub(super) fn find_ways(text: &str) -> Vec<Phrase> {
    find(WAYS_REGEX.as_ref(), WAYS, text)
}

/// The phrases that name a number, in order, without overlap.
pub(super) fn find_names(text: &str) -> Vec<Phrase> {
    find(NAMES_REGEX.as_ref(), NAMES, text)
}

/// The phrases that tell occasions and purposes, in order, without overlap.
pub(super) fn find_contexts(text: &str) -> Vec<Phrase> {
    find(CONTEXTS_REGEX.as_ref(), CONTEXTS, text)
}

/// The phrases that lie within `reach` bytes of a range; `phrases` are in order.
pub(super) fn near(
    phrases: &[Phrase],
    start: usize,
    end: usize,
    reach: usize,
) -> impl Iterator<Item = &Phrase> {
    let first = phrases.partition_point(|phrase| phrase.end + reach < start);
    phrases.iter().skip(first).take_while(move |phrase| phrase.start <= end + reach)
}

fn find(regex: Option<&Regex>, table: Table, text: &str) -> Vec<Phrase> {
    let Some(regex) = regex else {
        return Vec::new();
    };
    let phrase = |found: regex_automata::Match| {
        let kind = kind_of(table, found.pattern().as_usize())?;
        Some(Phrase { kind, start: found.start(), end: found.end() })
    };
    regex.find_iter(text).filter_map(phrase).collect()
}

fn compile(table: Table) -> Option<Regex> {
    let patterns: Vec<&str> =
        table.iter().flat_map(|(_, patterns)| patterns.iter().copied()).collect();
    Regex::builder()
        .syntax(syntax::Config::new().case_insensitive(true).unicode(true))
        .configure(Regex::config().hybrid_cache_capacity(64 << 20).nfa_size_limit(None))
        .build_many(&patterns)
        .ok()
}

/// The kind a pattern of the regex belongs to.
fn kind_of(table: Table, mut pattern: usize) -> Option<Kind> {
    for (kind, patterns) in table {
        if pattern < patterns.len() {
            return Some(*kind);
        }
        pattern -= patterns.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{CONTEXTS_REGEX, NAMES_REGEX, WAYS_REGEX};

    #[test]
    fn the_patterns_compile() {
        assert!(NAMES_REGEX.is_some());
        assert!(CONTEXTS_REGEX.is_some());
        assert!(WAYS_REGEX.is_some());
    }
}
