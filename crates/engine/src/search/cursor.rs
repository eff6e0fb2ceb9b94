//! Search cursors: the last hit's place and the numbers the ranking depends on, sealed and bound.
//!
//! All of it comes from what the grant shows: a hidden write changes no cursor.

use pdpp_store::ChangeNo;

use super::cooccurrence::{CooccurringWord, MAX_COOCCURRENCES, WORD_BITS};
use super::question::MAX_TERMS;
use super::refine::Refinement;
use super::score::{Frozen, MAX_FREQUENCY, Ranked};
use crate::sealed::seal::{SealKind, Sealer};

const VERSION: u8 = 4;
/// Bytes of the binding.
const BOUND: usize = 12;
/// Bytes of the frequencies, ten bits each.
const FREQUENCIES: usize = (MAX_TERMS * 10).div_ceil(8);
/// Bytes of the cooccurrences, a hash and a weight each.
const COOCCURRENCES: usize = (MAX_COOCCURRENCES * (WORD_BITS as usize + 8)).div_ceil(8);
/// Bytes of the extended words, a bit each.
const EXTENDED: usize = MAX_TERMS.div_ceil(8);
/// version, binding; kind and counts; extended words; seen through, place; visible; frequencies; floor,
/// first; cooccurrences.
const LENGTH: usize =
    1 + BOUND + 2 + EXTENDED + (6 + 12) + 2 + FREQUENCIES + (4 + 4 + 4) + COOCCURRENCES;

/// Where a search goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchCursor {
    /// The last visible change of what the first page found.
    pub seen_through: ChangeNo,
    /// After which hit.
    pub place: RankPlace,
    /// What the ranking depends on.
    pub frozen: Frozen,
    /// What was decided on the first page.
    pub refinement: Refinement,
    /// The words that are taken for beginnings of longer ones.
    pub extended: Vec<usize>,
}

/// The place of a hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RankPlace {
    /// In the order of the first page.
    Ranked {
        /// The hit's score.
        score: f64,
        /// What decides between equal scores.
        tie: u64,
    },
    /// Among those that changed since.
    Changed {
        /// By the number of the change.
        change_no: ChangeNo,
        /// What decides between those that one change moved: 48 bits.
        tie: u64,
    },
}

impl RankPlace {
    /// The place of a hit.
    pub(crate) fn of(hit: &Ranked<'_>) -> Self {
        match hit.changed_at {
            Some(change_no) => Self::Changed { change_no, tie: hit.short_tie() },
            None => Self::Ranked { score: hit.score, tie: hit.tie },
        }
    }

    /// Before every change.
    pub(crate) const START: Self = Self::Changed { change_no: ChangeNo::NONE, tie: 0 };

    /// The score at which a search goes on.
    pub(crate) fn score(self) -> f64 {
        match self {
            Self::Ranked { score, .. } => score,
            Self::Changed { .. } => f64::NEG_INFINITY,
        }
    }

    /// Whether a hit comes after this place.
    pub(crate) fn precedes(self, hit: &Ranked<'_>) -> bool {
        match (self, hit.changed_at) {
            (Self::Ranked { .. }, Some(_)) => true,
            (Self::Changed { change_no, tie }, changed_at) => {
                changed_at.is_some_and(|own| (own, hit.short_tie()) > (change_no, tie))
            }
            (Self::Ranked { score, tie }, None) => match hit.score.total_cmp(&score) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Equal => hit.tie < tie,
                std::cmp::Ordering::Greater => false,
            },
        }
    }
}

impl SearchCursor {
    pub(crate) fn seal(&self, sealer: &Sealer, binding: [u8; 16]) -> Option<String> {
        let Self { seen_through, place, frozen, refinement, extended } = self;
        let mut content = Vec::with_capacity(LENGTH);
        content.push(VERSION);
        content.extend_from_slice(binding.first_chunk::<BOUND>()?);
        let terms = u8::try_from(frozen.frequencies.len()).ok()?;
        let changed = matches!(place, RankPlace::Changed { .. });
        content.push(terms | u8::from(changed) << 7);
        content.push(u8::try_from(refinement.cooccurrences.len()).ok()?);
        let mut bits = [0; EXTENDED];
        for place in extended {
            put_bits(&mut bits, *place, 1, 1);
        }
        content.extend_from_slice(&bits);
        content.extend_from_slice(&short::<6>(seen_through.0)?);
        match place {
            RankPlace::Ranked { score, tie } => {
                content.extend_from_slice(&single(*score).to_be_bytes());
                content.extend_from_slice(&tie.to_be_bytes());
            }
            RankPlace::Changed { change_no, tie } => {
                content.extend_from_slice(&short::<6>(change_no.0)?);
                content.extend_from_slice(tie.to_be_bytes().get(2..)?);
            }
        }
        content.extend_from_slice(&frozen.visible.to_be_bytes());
        content.extend_from_slice(&packed(&frozen.frequencies));
        content.extend_from_slice(&single(refinement.floor.0).to_be_bytes());
        content.extend_from_slice(&refinement.floor.1.to_be_bytes());
        content.extend_from_slice(&refinement.first.to_be_bytes());
        content.extend_from_slice(&packed_cooccurrences(&refinement.cooccurrences));
        sealer.seal(SealKind::Search, &content)
    }

    pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Self> {
        let content = sealer.open(SealKind::Search, text)?;
        if content.len() != LENGTH {
            return None;
        }
        let (version, rest) = content.split_first()?;
        let (bound, rest) = rest.split_first_chunk::<BOUND>()?;
        if *version != VERSION || Some(bound) != binding.first_chunk::<BOUND>() {
            return None;
        }
        let (counts, rest) = rest.split_first_chunk::<2>()?;
        let (extended, rest) = rest.split_first_chunk::<EXTENDED>()?;
        let (seen_through, rest) = rest.split_first_chunk::<6>()?;
        let (place, rest) = rest.split_first_chunk::<12>()?;
        let (visible, rest) = rest.split_first_chunk::<2>()?;
        let (frequencies, rest) = rest.split_first_chunk::<FREQUENCIES>()?;
        let (floor, rest) = rest.split_first_chunk::<4>()?;
        let (floor_tie, rest) = rest.split_first_chunk::<4>()?;
        let (first, cooccurrences) = rest.split_first_chunk::<4>()?;
        let [terms, words] = *counts;
        Some(Self {
            seen_through: ChangeNo(long(seen_through)),
            place: opened_place(terms & 0x80 != 0, place)?,
            frozen: Frozen {
                visible: u16::from_be_bytes(*visible),
                frequencies: unpacked(frequencies, usize::from(terms & 0x7f)),
            },
            extended: (0..MAX_TERMS).filter(|place| bits(extended, *place, 1) == 1).collect(),
            refinement: Refinement {
                floor: (f32::from_be_bytes(*floor).into(), u32::from_be_bytes(*floor_tie)),
                first: u32::from_be_bytes(*first),
                cooccurrences: unpacked_cooccurrences(cooccurrences, usize::from(words)),
            },
        })
    }
}

fn opened_place(changed: bool, bytes: &[u8; 12]) -> Option<RankPlace> {
    if changed {
        let (change_no, tie) = bytes.split_first_chunk::<6>()?;
        let tie = tie.iter().fold(0, |tie, byte| (tie << 8) | u64::from(*byte));
        return Some(RankPlace::Changed { change_no: ChangeNo(long(change_no)), tie });
    }
    let (score, tie) = bytes.split_first_chunk::<4>()?;
    let tie = u64::from_be_bytes(tie.try_into().ok()?);
    Some(RankPlace::Ranked { score: f32::from_be_bytes(*score).into(), tie })
}

/// A score that was rounded before; see [`super::score::rounded`].
#[expect(clippy::cast_possible_truncation, reason = "scores are rounded to this before")]
fn single(score: f64) -> f32 {
    score as f32
}

/// A number in few bytes; `None` when it needs more.
fn short<const BYTES: usize>(number: i64) -> Option<[u8; BYTES]> {
    let bytes: [u8; BYTES] = number.to_be_bytes().get(8 - BYTES..)?.try_into().ok()?;
    (long(&bytes) == number).then_some(bytes)
}

/// The number that few bytes stand for, with its sign.
fn long<const BYTES: usize>(bytes: &[u8; BYTES]) -> i64 {
    let sign = if bytes.first().is_some_and(|first| first & 0x80 != 0) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| (number << 8) | i64::from(*byte))
}

/// Ten bits each, the highest first.
fn packed(frequencies: &[u16]) -> [u8; FREQUENCIES] {
    let mut bytes = [0; FREQUENCIES];
    for (at, frequency) in frequencies.iter().take(MAX_TERMS).enumerate() {
        put_bits(&mut bytes, at * 10, 10, (*frequency).min(MAX_FREQUENCY).into());
    }
    bytes
}

fn unpacked(bytes: &[u8; FREQUENCIES], count: usize) -> Vec<u16> {
    let frequency = |at: usize| u16::try_from(bits(bytes, at * 10, 10)).unwrap_or(0);
    (0..count.min(MAX_TERMS)).map(frequency).collect()
}

/// A hash and a weight each.
fn packed_cooccurrences(cooccurrences: &[CooccurringWord]) -> [u8; COOCCURRENCES] {
    let (word, each) = (WORD_BITS as usize, WORD_BITS as usize + 8);
    let mut bytes = [0; COOCCURRENCES];
    for (at, cooccurring) in cooccurrences.iter().take(MAX_COOCCURRENCES).enumerate() {
        put_bits(&mut bytes, at * each, word, cooccurring.word);
        put_bits(&mut bytes, at * each + word, 8, cooccurring.weight.into());
    }
    bytes
}

fn unpacked_cooccurrences(bytes: &[u8], count: usize) -> Vec<CooccurringWord> {
    let (word, each) = (WORD_BITS as usize, WORD_BITS as usize + 8);
    let cooccurring = |at: usize| CooccurringWord {
        word: bits(bytes, at * each, word),
        weight: u8::try_from(bits(bytes, at * each + word, 8)).unwrap_or(0),
    };
    (0..count.min(MAX_COOCCURRENCES)).map(cooccurring).collect()
}

/// Writes the last `length` bits of a number, the highest first.
fn put_bits(bytes: &mut [u8], from: usize, length: usize, number: u32) {
    for bit in (0..length).filter(|bit| (number >> (length - 1 - bit)) & 1 == 1) {
        if let Some(byte) = bytes.get_mut((from + bit) / 8) {
            *byte |= 0x80 >> ((from + bit) % 8);
        }
    }
}

fn bits(bytes: &[u8], from: usize, length: usize) -> u32 {
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte & (0x80 >> (at % 8)) != 0);
    (from..from + length).fold(0, |number, at| (number << 1) | u32::from(bit(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_keeps_the_ranking_and_its_length() {
        let sealer = Sealer::new([1; 32]);
        let cursor = |terms: usize, place: RankPlace| SearchCursor {
            seen_through: ChangeNo(77),
            place,
            frozen: Frozen {
                visible: 10_000,
                frequencies: (0..terms).map(|n| if n % 2 == 0 { 1_000 } else { 5 }).collect(),
            },
            extended: (0..terms).filter(|place| place % 3 == 0).collect(),
            refinement: Refinement {
                floor: (3.25, 8),
                first: 77,
                cooccurrences: vec![
                    CooccurringWord { word: 0x000a_bcde, weight: 200 };
                    terms.min(MAX_COOCCURRENCES)
                ],
            },
        };
        let score = super::super::score::rounded(12.345_678);
        let most = cursor(MAX_TERMS, RankPlace::Ranked { score, tie: u64::MAX });
        let one = cursor(
            1,
            RankPlace::Changed { change_no: ChangeNo((1 << 47) - 1), tie: (1 << 48) - 1 },
        );
        let texts = [&one, &most].map(|cursor| cursor.seal(&sealer, [3; 16]).unwrap());
        assert_eq!(texts[0].len(), texts[1].len());
        assert!(texts[0].len() <= 200, "{} characters", texts[0].len());
        assert_eq!(SearchCursor::open(&sealer, [3; 16], &texts[1]), Some(most));
        assert_eq!(SearchCursor::open(&sealer, [3; 16], &texts[0]), Some(one));
        assert_eq!(SearchCursor::open(&sealer, [4; 16], &texts[1]), None);
    }
}
