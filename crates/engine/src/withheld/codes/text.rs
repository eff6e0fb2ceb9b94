//! One range of text with what was found in it, and the judgement over it.

use std::borrow::Cow;

use super::cues::{follows, is_handed_over, is_joined, is_label_of, is_to_be_entered};
use super::heading::Heading;
use super::links::{self, SecretLink};
use super::phrases::{self, Kind, Phrase, near};
use super::plain::plain;
use super::shapes::{self, Candidate, Form};
use super::ways::Ways;

/// How far a number may stand from the words that make it a one-time code, in bytes.
const CODE_REACH: usize = 140;
/// So close behind its name a code is one, whatever stands between.
const NAMED_REACH: usize = 32;
/// The same for the bare word "code", which needs to be closer.
const WORD_REACH: usize = 72;
/// How far the occasion may be from the bare word.
const OCCASION_REACH: usize = 320;
/// How far other meanings of a number reach.
const OTHER_REACH: usize = 60;
/// How far a link may stand from the words about it.
const LINK_REACH: usize = 500;

/// A range of text that could carry a code or a secret link.
pub(super) struct Text<'a> {
    plain: Cow<'a, str>,
    names: Vec<Phrase>,
    contexts: Vec<Phrase>,
    candidates: Vec<Candidate>,
    links: Vec<SecretLink>,
    ways: Option<Ways>,
}

impl<'a> Text<'a> {
    /// Reads a range; none when nothing in it has the shape of a code or of a secret link.
    pub(super) fn read(range: &'a str) -> Option<Self> {
        let plain = plain(range);
        let candidates = shapes::candidates(&plain);
        let links = links::secret_links(&plain);
        if candidates.is_empty() && links.is_empty() {
            return None;
        }
        let names = if candidates.is_empty() { Vec::new() } else { phrases::find_names(&plain) };
        let is_entered = |code: &Candidate| code.stands_alone || is_to_be_entered(&plain, code);
        let asks = !links.is_empty()
            || names.iter().any(|name| name.kind == Kind::Word)
            || candidates.iter().any(is_entered);
        let contexts = if asks { phrases::find_contexts(&plain) } else { Vec::new() };
        let ways = (!links.is_empty()).then(|| Ways::read(&plain));
        Some(Self { plain, names, contexts, candidates, links, ways })
    }

    /// Whether a code or a secret link is in it, under a heading.
    pub(super) fn carries(&self, heading: &Heading<'_>) -> bool {
        self.candidates.iter().any(|candidate| self.is_code(candidate, heading))
            || self.links.iter().any(|link| self.is_way_in(link, heading))
    }

    fn is_code(&self, candidate: &Candidate, heading: &Heading<'_>) -> bool {
        if self.is_named_before(candidate) || self.is_entered(candidate, heading) {
            return true;
        }
        let name = near(&self.names, candidate.start, candidate.end, CODE_REACH)
            .min_by_key(|name| distance(name, candidate));
        let Some(name) = name.filter(|name| distance(name, candidate) <= CODE_REACH) else {
            return heading.makes_code(candidate);
        };
        let reach = distance(name, candidate);
        match name.kind {
            Kind::Code => candidate.form != Form::Words && (candidate.is_likely() || reach <= 24),
            Kind::Likely => {
                candidate.form != Form::Words
                    && (candidate.is_likely() || reach <= 24)
                    && !self.is_elsewhere(name, candidate)
            }
            Kind::Word if reach <= WORD_REACH => self.is_plain_code(name, candidate, heading),
            Kind::Word => heading.makes_code(candidate),
            Kind::Elsewhere
            | Kind::Other
            | Kind::Link
            | Kind::Occasion
            | Kind::SignIn
            | Kind::Enter
            | Kind::Password
            | Kind::Renew
            | Kind::Confirm
            | Kind::Account
            | Kind::Click
            | Kind::Purpose
            | Kind::Mass => false,
        }
    }

    /// A code right behind its own name, even if other words stand between.
    fn is_named_before(&self, candidate: &Candidate) -> bool {
        near(&self.names, candidate.start, candidate.start, NAMED_REACH).any(|name| {
            let before = name.kind == Kind::Code && name.end <= candidate.start;
            before
                && if candidate.form == Form::Words {
                    follows(&self.plain, name, candidate)
                } else {
                    candidate.is_likely()
                }
        })
    }

    /// A number without a name that is to be entered, or has a line of its own, on an occasion.
    fn is_entered(&self, candidate: &Candidate, heading: &Heading<'_>) -> bool {
        let (start, end) = (candidate.start, candidate.end);
        let elsewhere = |name: &Phrase| matches!(name.kind, Kind::Elsewhere | Kind::Other);
        let offered = is_to_be_entered(&self.plain, candidate)
            || (candidate.stands_alone && candidate.is_long_number());
        candidate.is_number()
            && offered
            && (heading.is_occasion()
                || near(&self.contexts, start, end, CODE_REACH).next().is_some())
            && !near(&self.names, start, end, OTHER_REACH).any(elsewhere)
    }

    /// A number that is only called "code".
    fn is_plain_code(&self, word: &Phrase, candidate: &Candidate, heading: &Heading<'_>) -> bool {
        let fits = candidate.is_likely() || distance(word, candidate) <= 12;
        if !fits || candidate.form == Form::Words || self.is_elsewhere(word, candidate) {
            return false;
        }
        let joined = is_joined(&self.plain, word, candidate);
        let labelled = candidate.is_number() && is_label_of(&self.plain, word, candidate);
        if labelled || (joined && candidate.is_long_number()) {
            return true;
        }
        if joined && candidate.form != Form::Slogan && is_handed_over(&self.plain, word) {
            return true;
        }
        let occasion = heading.is_occasion() || self.has_occasion(word);
        occasion && !self.around(word, candidate).any(|other| other.kind == Kind::Other)
    }

    fn has_occasion(&self, word: &Phrase) -> bool {
        near(&self.contexts, word.start, word.end, OCCASION_REACH).next().is_some()
            || near(&self.names, word.start, word.end, OCCASION_REACH)
                .any(|name| name.kind == Kind::Code)
    }

    /// Whether the words around speak of a discount, a door or the like. What a new sentence says does
    /// not take back a long number: shops and parcel services send one-time codes too.
    fn is_elsewhere(&self, name: &Phrase, candidate: &Candidate) -> bool {
        let mut names = self.around(name, candidate);
        if !candidate.is_long_number() {
            return names.any(|other| other.kind == Kind::Elsewhere);
        }
        let end = name.end.max(candidate.end);
        names.any(|other| {
            let between = self.plain.get(end..other.start).unwrap_or_default();
            other.kind == Kind::Elsewhere && !between.contains(['.', '!', '\n'])
        })
    }

    fn around(&self, name: &Phrase, candidate: &Candidate) -> impl Iterator<Item = &Phrase> {
        let start = name.start.min(candidate.start);
        near(&self.names, start, name.end.max(candidate.end), OTHER_REACH)
    }

    fn is_way_in(&self, link: &SecretLink, heading: &Heading<'_>) -> bool {
        link.is_door
            || heading.speaks_of_links()
            || near(&self.contexts, link.start, link.end, LINK_REACH)
                .any(|context| context.kind == Kind::Link)
            || self
                .ways
                .as_ref()
                .is_some_and(|ways| ways.lead_to(link.start, link.end, heading.names_a_way()))
    }
}

/// Bytes between words and a number. Words usually come first, so words after it count double.
fn distance(phrase: &Phrase, candidate: &Candidate) -> usize {
    if phrase.start <= candidate.start {
        candidate.start.saturating_sub(phrase.end)
    } else {
        phrase.start.saturating_sub(candidate.end) * 2
    }
}
