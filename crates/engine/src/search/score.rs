//! Scores by fields (BM25F): how much of the question's weight a record covers, then how often its
//! words stand there, in which field, and how long that field is. The same numbers on every backend:
//! everything is computed here.
//!
//! What a word adds depends on that word and the record alone: another word in the question takes
//! nothing away, so that a record which holds it never falls below one which does not. Closeness,
//! neighbours and cooccurrences come later, see `refine`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use pdpp_contract::FieldName;
use pdpp_store::search::{MatchedRow, SearchMatches};
use pdpp_store::{ChangeNo, RecordNo, SortKey};
use sha2::{Digest, Sha256};

use super::question::Question;
use crate::view::GrantedStream;

/// How fast a repeated word stops adding.
const SATURATION: f64 = 2.0;
/// How much of a word's worth in a short question is that a record has it at all.
const PRESENCE: f64 = 0.8;
/// A question with at most so many words is short: each of them was chosen.
pub(crate) const SHORT: usize = 5;
/// A question with so many words is a sentence, many of whose words no answer has.
const LONG: usize = 7;
/// What a title adds that is all of the question, against the question's weight.
const TITLE_BONUS: f64 = 0.4;
/// A word in a title counts as often as this.
const TITLE_WEIGHT: f64 = 2.0;
/// Words of a usual title, and of another usual field.
const USUAL_WORDS: (f64, f64) = (12.0, 100.0);
/// How much shorter or longer than usual a field counts at most.
const MOST_NORM: (f64, f64) = (0.25, 4.0);
/// How much more a record counts that is a year newer.
const YEAR: f64 = 0.002;

/// Frequencies are counted up to here at most: ten bits of a cursor.
pub(crate) const MAX_FREQUENCY: u16 = 1_023;

/// Fields that name a record count more than fields that describe it.
const TITLE_FIELDS: &[&str] = &["title", "subject", "name", "headline", "summary"];

/// The numbers a ranking depends on beside the rows themselves. A cursor carries them, so that the
/// pages of one search are ranked alike while the store changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frozen {
    /// Visible records, up to the bound.
    pub visible: u16,
    /// Rows per term, up to the cap.
    pub frequencies: Vec<u16>,
}

impl Frozen {
    pub(crate) fn of(matches: &SearchMatches) -> Self {
        let counted =
            |count: &u32| u16::try_from(*count).map_or(MAX_FREQUENCY, |own| own.min(MAX_FREQUENCY));
        Self {
            visible: u16::try_from(matches.visible).unwrap_or(u16::MAX),
            frequencies: matches.frequencies.iter().map(counted).collect(),
        }
    }

    /// Rarer words say more.
    pub(crate) fn rarity(&self, term: usize) -> f64 {
        let frequency = f64::from(self.frequencies.get(term).copied().unwrap_or(0));
        let visible = f64::from(self.visible).max(frequency);
        (1.0 + (visible - frequency + 0.5) / (frequency + 0.5)).ln()
    }

    /// The rarity of all terms together.
    pub(crate) fn weight(&self) -> f64 {
        (0..self.frequencies.len()).map(|term| self.rarity(term)).sum()
    }
}

/// How long a field is against usual ones of its kind.
fn norm(is_title: bool, words: u32) -> f64 {
    let usual = if is_title { USUAL_WORDS.0 } else { USUAL_WORDS.1 };
    (f64::from(words.max(1)) / usual).sqrt().clamp(MOST_NORM.0, MOST_NORM.1)
}

/// How long a row is.
pub(crate) fn length_norm(row: &MatchedRow) -> f64 {
    norm(false, row.words)
}

/// What a count is worth, from 0 to 1.
pub(crate) fn saturated(count: f64, norm: f64) -> f64 {
    let count = count / norm;
    count / (count + SATURATION)
}

/// Best first; equal scores by what the records are.
pub(crate) fn by_rank(a: &Ranked<'_>, b: &Ranked<'_>) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(b.tie.cmp(&a.tie))
}

/// A record with its score and the best of its pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked<'a> {
    pub record_no: RecordNo,
    pub score: f64,
    /// What each term adds to the score.
    pub terms: Vec<f64>,
    /// Decides between equal scores, by what the record is and not by when it came.
    pub tie: u64,
    pub row: &'a MatchedRow,
    /// Its other pieces, first ones first.
    pub others: Vec<&'a MatchedRow>,
    /// On a later page: the change since the first one that brought it, or that moved what stands
    /// around it.
    pub changed_at: Option<ChangeNo>,
}

impl Ranked<'_> {
    /// As much of the tie as a cursor carries among those that changed.
    pub(crate) fn short_tie(&self) -> u64 {
        self.tie >> 16
    }
}

/// The next greater score that a cursor can carry.
#[expect(clippy::cast_possible_truncation, reason = "scores are rounded to this before")]
pub(crate) fn above(score: f64) -> f64 {
    f64::from((score as f32).next_up())
}

/// A score as cursors carry it. Ranking uses no finer one, so that pages agree.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what this is for")]
pub(crate) fn rounded(score: f64) -> f64 {
    f64::from(score as f32)
}

/// Gives rows their scores.
pub(crate) struct Scorer<'a> {
    pub granted_streams: &'a [GrantedStream],
    pub question: &'a Question,
    pub frozen: &'a Frozen,
}

impl Scorer<'_> {
    /// The records of some rows, best first.
    pub(crate) fn rank<'a>(&self, rows: &'a [MatchedRow]) -> Vec<Ranked<'a>> {
        let mut best: HashMap<RecordNo, Ranked<'a>> = HashMap::new();
        for row in rows {
            let ranked = self.score(row);
            match best.entry(row.record_no) {
                Entry::Vacant(new) => {
                    new.insert(ranked);
                }
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    if known.score < ranked.score {
                        let before = std::mem::replace(known, ranked);
                        known.others = before.others;
                        known.others.push(before.row);
                    } else {
                        known.others.push(row);
                    }
                }
            }
        }
        let mut ranked: Vec<_> = best.into_values().collect();
        let begins = |row: &&MatchedRow| row.hits.iter().map(|hit| hit.start_chars).min();
        for own in &mut ranked {
            own.others.sort_by_key(begins);
        }
        ranked.sort_by(by_rank);
        ranked
    }

    /// A row with its score.
    pub(crate) fn score<'a>(&self, row: &'a MatchedRow) -> Ranked<'a> {
        let count = self.question.terms.len();
        let presence = presence(count);
        let mut counts = vec![0.0; count];
        for hit in &row.hits {
            let is_title = is_title(&hit.field);
            let weight = if is_title { TITLE_WEIGHT } else { 1.0 };
            if let Some(sum) = counts.get_mut(hit.term) {
                *sum += weight * f64::from(hit.count) / norm(is_title, hit.words);
            }
        }
        let worth = |(term, count): (usize, f64)| {
            if count > 0.0 {
                self.frozen.rarity(term) * (presence + (1.0 - presence) * saturated(count, 1.0))
            } else {
                0.0
            }
        };
        let terms: Vec<f64> = counts.into_iter().enumerate().map(worth).collect();
        let words: f64 = terms.iter().sum::<f64>() + self.titled(row);
        let score = rounded(words * recency(row));
        let tie = tie(row, self.granted_streams);
        let (others, changed_at) = (Vec::new(), row.changed_at);
        Ranked { record_no: row.record_no, score, terms, tie, row, others, changed_at }
    }

    /// What a title adds that is part of the question, or all of it.
    fn titled(&self, row: &MatchedRow) -> f64 {
        let mut best = 0.0;
        for field in row.hits.iter().filter(|hit| is_title(&hit.field)) {
            let own = row.hits.iter().filter(|hit| hit.field == field.field);
            let (mut held, mut counted) = (0.0, 0);
            for hit in own {
                held += self.frozen.rarity(hit.term);
                counted += hit.count;
            }
            if counted + self.question.asides >= field.words {
                let share: f64 = held / self.frozen.weight().max(f64::MIN_POSITIVE);
                best = f64::max(best, held * share);
            }
        }
        TITLE_BONUS * best
    }
}

/// How much it counts that a record has a word at all.
pub(crate) fn presence(terms: usize) -> f64 {
    let over = terms.clamp(SHORT, LONG) - SHORT;
    let share = |count: usize| u32::try_from(count).map_or(0.0, f64::from);
    PRESENCE * (1.0 - share(over) / share(LONG - SHORT))
}

fn tie(row: &MatchedRow, granted_streams: &[GrantedStream]) -> u64 {
    let mut hasher = Sha256::new();
    if let Some(granted) = granted_streams.get(row.collection) {
        hasher.update(granted.scope.connection.as_str());
        hasher.update([0]);
        hasher.update(granted.scope.stream.as_str());
        hasher.update([0]);
    }
    hasher.update(&row.key_order);
    let digest: [u8; 32] = hasher.finalize().into();
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Whether a field names its record.
pub(crate) fn is_title(field: &FieldName) -> bool {
    TITLE_FIELDS.contains(&field.as_str())
}

/// How much a word in this field counts.
pub(crate) fn field_weight(field: &FieldName) -> f64 {
    if is_title(field) { TITLE_WEIGHT } else { 1.0 }
}

/// A little more for what is newer: a year is a fifth of a percent.
pub(crate) fn recency(row: &MatchedRow) -> f64 {
    let Some(at) = row.time.as_ref().and_then(seconds) else {
        return 1.0;
    };
    let days = i32::try_from(at / 86_400).unwrap_or(0).clamp(0, 36_500);
    1.0 + YEAR * f64::from(days) / 365.0
}

/// The seconds in a time key.
fn seconds(key: &SortKey) -> Option<i64> {
    key.unix_seconds()
}
