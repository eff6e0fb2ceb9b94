//! Search cursors: the last hit's place and the numbers the ranking depends on, sealed and bound.

use super::question::MAX_TERMS;
use super::score::Frozen;
use crate::seal::{SealKind, Sealer};

const VERSION: u8 = 1;
/// version, binding, as of, score, tie, visible, average, newest, count, frequencies.
const LENGTH: usize = 1 + 16 + 8 + 8 + 8 + 4 + 2 + 8 + 1 + 2 * MAX_TERMS;

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
        for frequency in &self.frozen.frequencies {
            content.extend_from_slice(&frequency.to_be_bytes());
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
        let (visible, rest) = rest.split_first_chunk::<4>()?;
        let (average, rest) = rest.split_first_chunk::<2>()?;
        let (newest, rest) = rest.split_first_chunk::<8>()?;
        let (count, rest) = rest.split_first()?;
        let frequencies = rest.chunks_exact(2).take(usize::from(*count));
        Some(Self {
            as_of: i64::from_be_bytes(*as_of),
            score: f64::from_be_bytes(*score),
            tie: u64::from_be_bytes(*tie),
            frozen: Frozen {
                visible: u32::from_be_bytes(*visible),
                average_words: u16::from_be_bytes(*average),
                newest: i64::from_be_bytes(*newest),
                frequencies: frequencies
                    .filter_map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?)))
                    .collect(),
            },
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
                frequencies: vec![1_000; terms],
                newest: 1_700_000_000,
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
