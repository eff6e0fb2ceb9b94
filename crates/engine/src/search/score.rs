//! Scores: term frequency, rarity among visible rows, field weight, length, and a mild preference
//! for what is new. Closeness and cooccurrences come later, see `refine`. The same numbers on every backend: everything is computed here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use pdpp_contract::FieldName;
use pdpp_store::search::{MatchedRow, SearchMatches};
use pdpp_store::{ChangeNo, RecordNo, SortKey};
use sha2::{Digest, Sha256};

use crate::view::GrantedStream;

/// How fast a repeated word stops adding.
const SATURATION: f64 = 2.0;
/// How much a long text is held against its words.
const LENGTH_WEIGHT: f64 = 0.6;
/// A text counts as at most so many times as long as usual. Without a limit, a word that only one long
/// text holds would be worth less there than a common word in a short one.
const MAX_NORM: f64 = 4.0;
/// How much the newest record gains over the oldest.
const RECENCY_WEIGHT: f64 = 0.05;
/// After so many days the preference for what is new has fallen to a third.
const RECENCY_DAYS: f64 = 180.0;
/// Fields that name a record count more than fields that describe it.
const TITLE_FIELDS: &[&str] = &["title", "subject", "name", "headline", "summary"];
const TITLE_WEIGHT: f64 = 2.0;

/// Frequencies are counted up to here at most: ten bits of a cursor.
pub(crate) const MAX_FREQUENCY: u16 = 1_023;
/// Times count up to here: five bytes of a cursor, 17,000 years.
const MOST_SECONDS: i64 = (1 << 39) - 1;

/// The numbers a ranking depends on beside the rows themselves. A cursor carries them, so that the
/// pages of one search are ranked alike while the store changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frozen {
    /// Visible records, up to the bound.
    pub visible: u16,
    /// Words in an average row.
    pub average_words: u16,
    /// Rows per term, up to the cap.
    pub frequencies: Vec<u16>,
    /// Seconds of the newest candidate's time.
    pub newest: i64,
}

impl Frozen {
    pub(crate) fn of(matches: &SearchMatches) -> Self {
        let rows = matches.rows.len().max(1);
        let words: u64 = matches.rows.iter().map(|row| u64::from(row.words)).sum();
        let average = words / u64::try_from(rows).unwrap_or(1);
        let newest = matches.rows.iter().filter_map(|row| row.time.as_ref().and_then(seconds));
        Self {
            visible: u16::try_from(matches.visible).unwrap_or(u16::MAX),
            average_words: u16::try_from(average.max(1)).unwrap_or(u16::MAX),
            frequencies: matches
                .frequencies
                .iter()
                .map(|count| {
                    u16::try_from(*count).map_or(MAX_FREQUENCY, |own| own.min(MAX_FREQUENCY))
                })
                .collect(),
            newest: newest.max().unwrap_or(0).clamp(-MOST_SECONDS, MOST_SECONDS),
        }
    }

    /// How a row's length tempers its counts.
    pub(crate) fn norm(&self, row: &MatchedRow) -> f64 {
        let length = f64::from(row.words) / f64::from(self.average_words);
        (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length).min(MAX_NORM)
    }

    /// Rarer words say more.
    pub(crate) fn rarity(&self, term: usize) -> f64 {
        let frequency = f64::from(self.frequencies.get(term).copied().unwrap_or(0));
        let visible = f64::from(self.visible).max(frequency);
        (1.0 + (visible - frequency + 0.5) / (frequency + 0.5)).ln()
    }
}

/// What a count is worth when the text is `norm` times as long as usual.
pub(crate) fn saturated(count: f64, norm: f64) -> f64 {
    count * (SATURATION + 1.0) / (count + SATURATION * norm)
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
    /// Decides between equal scores, by what the record is and not by when it came.
    pub tie: u64,
    pub row: &'a MatchedRow,
    /// Its other pieces, first ones first.
    pub others: Vec<&'a MatchedRow>,
}

impl Ranked<'_> {
    /// The change since the first page that brought it, on a later one.
    pub(crate) fn changed_at(&self) -> Option<ChangeNo> {
        self.row.changed_at
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

/// The records of some rows, best first.
pub(crate) fn rank<'a>(
    rows: &'a [MatchedRow],
    granted_streams: &[GrantedStream],
    frozen: &Frozen,
) -> Vec<Ranked<'a>> {
    let mut best: HashMap<RecordNo, Ranked<'a>> = HashMap::new();
    for row in rows {
        let score = score(row, frozen);
        let tie = tie(row, granted_streams);
        match best.entry(row.record_no) {
            Entry::Vacant(new) => {
                let others = Vec::new();
                new.insert(Ranked { record_no: row.record_no, score, tie, row, others });
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                if known.score < score {
                    known.score = score;
                    known.others.push(std::mem::replace(&mut known.row, row));
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

fn score(row: &MatchedRow, frozen: &Frozen) -> f64 {
    let norm = frozen.norm(row);
    let mut weighted: HashMap<usize, f64> = HashMap::new();
    for hit in &row.hits {
        *weighted.entry(hit.term).or_insert(0.0) += field_weight(&hit.field) * f64::from(hit.count);
    }
    let mut terms: Vec<(usize, f64)> = weighted.into_iter().collect();
    // Sums of floats depend on their order; this one is always the same.
    terms.sort_unstable_by_key(|(term, _)| *term);
    let words: f64 =
        terms.into_iter().map(|(term, count)| frozen.rarity(term) * saturated(count, norm)).sum();
    rounded(words * (1.0 + RECENCY_WEIGHT * recency(row, frozen)))
}

/// How much a word in this field counts.
pub(crate) fn field_weight(field: &FieldName) -> f64 {
    if TITLE_FIELDS.contains(&field.as_str()) { TITLE_WEIGHT } else { 1.0 }
}

/// 1 for the newest candidate, falling with age, 0 without a time.
fn recency(row: &MatchedRow, frozen: &Frozen) -> f64 {
    let Some(at) = row.time.as_ref().and_then(seconds) else {
        return 0.0;
    };
    let age_days =
        f64::from(u32::try_from((frozen.newest - at).max(0) / 86_400).unwrap_or(u32::MAX));
    (-age_days / RECENCY_DAYS).exp()
}

/// The seconds in a time key.
fn seconds(key: &SortKey) -> Option<i64> {
    key.unix_seconds()
}
