//! Search cursors: the last hit's place and the numbers the ranking depends on, sealed and bound.

use super::company::{Companion, MAX_COMPANY};
use super::question::MAX_TERMS;
use super::refine::Refinement;
use super::score::{Frozen, MAX_FREQUENCY};
use crate::seal::{SealKind, Sealer};

const VERSION: u8 = 2;
/// Bytes of the frequencies, ten bits each.
const FREQUENCIES: usize = (MAX_TERMS * 10).div_ceil(8);
/// version, binding; as of, score, tie; visible, average, newest; count, frequencies; floor, first;
/// count, company.
const LENGTH: usize =
    1 + 16 + (8 + 8 + 8) + (2 + 2 + 8) + (1 + FREQUENCIES) + (16 + 4) + (1 + 4 * MAX_COMPANY);

/// Where a search goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchCursor {
    /// Only what was visible in this form at this change.
    pub as_of: i64,
    /// The last hit's score.
    pub score: f64,
    /// What decides between equal scores.
    pub tie: u64,
    /// What the ranking depends on.
    pub frozen: Frozen,
    /// What was decided on the first page.
    pub refinement: Refinement,
}

impl SearchCursor {
    pub(crate) fn seal(&self, sealer: &Sealer, binding: [u8; 16]) -> Option<String> {
        let mut content = Vec::with_capacity(LENGTH);
        content.push(VERSION);
        content.extend_from_slice(&binding);
        content.extend_from_slice(&self.as_of.to_be_bytes());
        content.extend_from_slice(&self.score.to_be_bytes());
        content.extend_from_slice(&self.tie.to_be_bytes());
        content.extend_from_slice(&self.frozen.visible.to_be_bytes());
        content.extend_from_slice(&self.frozen.average_words.to_be_bytes());
        content.extend_from_slice(&self.frozen.newest.to_be_bytes());
        content.push(u8::try_from(self.frozen.frequencies.len()).ok()?);
        content.extend_from_slice(&packed(&self.frozen.frequencies));
        content.extend_from_slice(&self.refinement.floor.0.to_be_bytes());
        content.extend_from_slice(&self.refinement.floor.1.to_be_bytes());
        content.extend_from_slice(&self.refinement.first.to_be_bytes());
        content.push(u8::try_from(self.refinement.company.len()).ok()?);
        for companion in &self.refinement.company {
            content.extend_from_slice(
                &((companion.word << 8) | u32::from(companion.weight)).to_be_bytes(),
            );
        }
        content.resize(LENGTH, 0);
        sealer.seal(SealKind::Search, &content)
    }

    pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Self> {
        let content = sealer.open(SealKind::Search, text)?;
        if content.len() != LENGTH {
            return None;
        }
        let (version, rest) = content.split_first()?;
        let (bound, rest) = rest.split_at_checked(16)?;
        if *version != VERSION || bound != binding {
            return None;
        }
        let (as_of, rest) = rest.split_first_chunk::<8>()?;
        let (score, rest) = rest.split_first_chunk::<8>()?;
        let (tie, rest) = rest.split_first_chunk::<8>()?;
        let (visible, rest) = rest.split_first_chunk::<2>()?;
        let (average, rest) = rest.split_first_chunk::<2>()?;
        let (newest, rest) = rest.split_first_chunk::<8>()?;
        let (count, rest) = rest.split_first()?;
        let (frequencies, rest) = rest.split_first_chunk::<FREQUENCIES>()?;
        Some(Self {
            as_of: i64::from_be_bytes(*as_of),
            score: f64::from_be_bytes(*score),
            tie: u64::from_be_bytes(*tie),
            frozen: Frozen {
                visible: u16::from_be_bytes(*visible),
                average_words: u16::from_be_bytes(*average),
                newest: i64::from_be_bytes(*newest),
                frequencies: unpacked(frequencies, usize::from(*count)),
            },
            refinement: refinement(rest)?,
        })
    }

    /// Whether a hit comes after this place.
    pub(crate) fn precedes(&self, score: f64, tie: u64) -> bool {
        match score.total_cmp(&self.score) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => tie < self.tie,
            std::cmp::Ordering::Greater => false,
        }
    }
}

fn refinement(rest: &[u8]) -> Option<Refinement> {
    let (score, rest) = rest.split_first_chunk::<8>()?;
    let (tie, rest) = rest.split_first_chunk::<8>()?;
    let (first, rest) = rest.split_first_chunk::<4>()?;
    let (count, rest) = rest.split_first()?;
    let (companions, _) = rest.as_chunks::<4>();
    let companion = |[high, middle, low, weight]: &[u8; 4]| Companion {
        word: u32::from_be_bytes([0, *high, *middle, *low]),
        weight: *weight,
    };
    Some(Refinement {
        floor: (f64::from_be_bytes(*score), u64::from_be_bytes(*tie)),
        first: u32::from_be_bytes(*first),
        company: companions.iter().take(usize::from(*count)).map(companion).collect(),
    })
}

/// Ten bits each, the highest first.
fn packed(frequencies: &[u16]) -> [u8; FREQUENCIES] {
    let mut bytes = [0; FREQUENCIES];
    for (at, frequency) in frequencies.iter().take(MAX_TERMS).enumerate() {
        let frequency = (*frequency).min(MAX_FREQUENCY);
        for bit in (0..10).filter(|bit| (frequency >> (9 - bit)) & 1 == 1) {
            let place = at * 10 + bit;
            if let Some(byte) = bytes.get_mut(place / 8) {
                *byte |= 0x80 >> (place % 8);
            }
        }
    }
    bytes
}

fn unpacked(bytes: &[u8; FREQUENCIES], count: usize) -> Vec<u16> {
    let bit =
        |place: usize| bytes.get(place / 8).is_some_and(|byte| byte & (0x80 >> (place % 8)) != 0);
    let frequency =
        |at: usize| (0..10).fold(0, |own, next| (own << 1) | u16::from(bit(at * 10 + next)));
    (0..count.min(MAX_TERMS)).map(frequency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_keeps_the_ranking_and_its_length() {
        let sealer = Sealer::new([1; 32]);
        let cursor = |terms: usize| SearchCursor {
            as_of: 77,
            score: 12.345_678,
            tie: 9,
            frozen: Frozen {
                visible: 10_000,
                average_words: 210,
                frequencies: (0..terms).map(|n| if n % 2 == 0 { 1_000 } else { 5 }).collect(),
                newest: 1_700_000_000,
            },
            refinement: Refinement {
                floor: (3.25, 8),
                first: 77,
                company: vec![Companion { word: 0x00ab_cdef, weight: 200 }; terms.min(MAX_COMPANY)],
            },
        };
        let (one, most) = (cursor(1), cursor(MAX_TERMS));
        let texts = [&one, &most].map(|cursor| cursor.seal(&sealer, [3; 16]).unwrap());
        assert_eq!(texts[0].len(), texts[1].len());
        assert!(texts[0].len() <= 240, "{} characters", texts[0].len());
        assert_eq!(SearchCursor::open(&sealer, [3; 16], &texts[1]), Some(most));
        assert_eq!(SearchCursor::open(&sealer, [4; 16], &texts[1]), None);
    }
}
