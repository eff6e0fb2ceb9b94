//! Finds records that carry one-time codes, password resets or sign-in links.
//!
//! A number alone says nothing; the words around it say what it is. Each number that could be a code
//! belongs to the nearest words that name a number, and only if those name a one-time code (or just
//! "code", on an occasion such as signing in) the record carries one. A link counts when it bears a
//! secret and the words around it speak of a reset, of signing in or of verifying an address.

mod phrases;
mod shapes;
mod words;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use pdpp_contract::{Json, JsonObject};

use phrases::{Kind, Phrase};
use shapes::Candidate;

/// How much of each text is looked at, in characters.
const LOOKED_AT_CHARS: usize = 16_384;
/// Up to this many bytes a text is a heading: what it says holds for the whole record.
const HEADING_BYTES: usize = 160;
/// How far a number may stand from the words that make it a one-time code, in bytes.
const CODE_REACH: usize = 140;
/// The same for the bare word "code", which needs to be closer.
const WORD_REACH: usize = 48;
/// How far the occasion may be from the bare word.
const OCCASION_REACH: usize = 320;
/// How far other meanings of a number reach.
const OTHER_REACH: usize = 60;
/// How far a link may stand from the words about it.
const LINK_REACH: usize = 500;

/// Whether a record carries a one-time code, a password reset or a sign-in link.
///
/// Looks at the strings of the record and of its direct objects and lists.
pub fn carries_codes(data: &JsonObject) -> bool {
    let texts: Vec<Text<'_>> = texts(data).map(Text::read).collect();
    let named_in_heading = texts.iter().any(|text| text.is_heading() && text.has(Kind::Code));
    let linked_in_heading = texts.iter().any(|text| text.is_heading() && text.has(Kind::Link));
    texts
        .iter()
        .any(|text| text.shows_code(named_in_heading) || text.shows_secret_link(linked_in_heading))
}

/// The strings at the top and one level down.
fn texts(data: &JsonObject) -> impl Iterator<Item = &str> {
    data.values().flat_map(|value| {
        let below: Vec<&str> = match value {
            Json::String(text) => vec![text],
            Json::Array(items) => items.iter().filter_map(Json::as_str).collect(),
            Json::Object(members) => members.values().filter_map(Json::as_str).collect(),
            Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
        };
        below
    })
}

/// One text with what was found in it.
struct Text<'a> {
    plain: Cow<'a, str>,
    phrases: Vec<Phrase>,
    candidates: Vec<Candidate>,
    secret_links: Vec<usize>,
}

impl<'a> Text<'a> {
    fn read(whole: &'a str) -> Self {
        let end = whole.char_indices().nth(LOOKED_AT_CHARS).map_or(whole.len(), |(at, _)| at);
        let text = shapes::plain(whole.get(..end).unwrap_or_default());
        let candidates = shapes::candidates(&text);
        let secret_links = shapes::secret_links(&text);
        // Words alone can matter for another text of the record, but only if they are a heading.
        let idle = candidates.is_empty() && secret_links.is_empty() && text.len() > HEADING_BYTES;
        let phrases = if idle { Vec::new() } else { phrases::find(&text) };
        Self { plain: text, phrases, candidates, secret_links }
    }

    fn is_heading(&self) -> bool {
        self.plain.len() <= HEADING_BYTES
    }

    fn has(&self, kind: Kind) -> bool {
        self.phrases.iter().any(|phrase| phrase.kind == kind)
    }

    fn shows_code(&self, named_in_heading: bool) -> bool {
        self.candidates.iter().any(|candidate| self.is_code(candidate, named_in_heading))
    }

    fn is_code(&self, candidate: &Candidate, named_in_heading: bool) -> bool {
        let names = |phrase: &&Phrase| matches!(phrase.kind, Kind::Code | Kind::Word | Kind::Other);
        let nearest =
            self.phrases.iter().filter(names).min_by_key(|phrase| distance(phrase, candidate));
        let reach = |phrase: &Phrase| distance(phrase, candidate);
        match nearest {
            Some(phrase) if phrase.kind == Kind::Code && reach(phrase) <= CODE_REACH => {
                candidate.is_likely() || reach(phrase) <= 24
            }
            Some(phrase) if phrase.kind == Kind::Word && reach(phrase) <= WORD_REACH => {
                let occasion = named_in_heading || self.has_occasion(phrase);
                (candidate.is_likely() || reach(phrase) <= 12)
                    && occasion
                    && !self.is_something_else(phrase, candidate)
            }
            Some(phrase) if reach(phrase) <= CODE_REACH => false,
            _ => named_in_heading && (candidate.stands_alone || candidate.is_long()),
        }
    }

    fn has_occasion(&self, word: &Phrase) -> bool {
        self.phrases.iter().any(|phrase| {
            let fits = match phrase.kind {
                Kind::Occasion | Kind::Link | Kind::Code => true,
                Kind::Word | Kind::Other => false,
            };
            fits && gap(phrase.start, phrase.end, word.start, word.end) <= OCCASION_REACH
        })
    }

    fn is_something_else(&self, word: &Phrase, candidate: &Candidate) -> bool {
        self.phrases.iter().filter(|phrase| phrase.kind == Kind::Other).any(|other| {
            gap(other.start, other.end, word.start, word.end) <= OTHER_REACH
                || gap(other.start, other.end, candidate.start, candidate.end) <= OTHER_REACH
        })
    }

    fn shows_secret_link(&self, linked_in_heading: bool) -> bool {
        if self.secret_links.is_empty() {
            return false;
        }
        linked_in_heading
            || self.phrases.iter().filter(|phrase| phrase.kind == Kind::Link).any(|phrase| {
                self.secret_links
                    .iter()
                    .any(|&link| gap(phrase.start, phrase.end, link, link) <= LINK_REACH)
            })
    }
}

/// Bytes between words and a number. Words usually come first, so words after it count double.
fn distance(phrase: &Phrase, candidate: &Candidate) -> usize {
    let bytes = gap(phrase.start, phrase.end, candidate.start, candidate.end);
    if phrase.start > candidate.start { bytes * 2 } else { bytes }
}

/// Bytes between two stretches; none when they touch.
fn gap(start_a: usize, end_a: usize, start_b: usize, end_b: usize) -> usize {
    if start_a <= start_b { start_b.saturating_sub(end_a) } else { start_a.saturating_sub(end_b) }
}
