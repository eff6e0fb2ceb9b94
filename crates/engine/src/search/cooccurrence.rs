//! Company: words that the best answers share and the others lack. They say what a question is
//! about, also where it uses other words.
//!
//! Words are known by a short hash, so that a cursor can carry them from page to page.

use std::collections::{BTreeMap, HashMap};

use pdpp_store::words::{Word, is_stop_word};

use super::score::saturated;

/// How many of the best answers are asked.
const ASKED: usize = 4;
/// Most words of cooccurrences.
pub(crate) const MAX_COOCCURRENCES: usize = 14;
/// How much the strongest word of cooccurrences counts against a word of the question that is as rare.
const WEIGHT: f64 = 0.7;
/// A word in more than this share of the candidates tells none apart.
const COMMON_SHARE: f64 = 0.5;
/// Bits of a word's hash, as a cursor carries it.
pub(crate) const WORD_BITS: u32 = 20;
/// Weights are kept in steps, as a cursor carries them.
const STEPS: f64 = 64.0;

/// A word of cooccurrences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CooccurringWord {
    /// The word's hash, [`WORD_BITS`].
    pub word: u32,
    /// How much it counts, in steps.
    pub weight: u8,
}

/// The words of one candidate that can be cooccurrences, how often each occurs, and the candidate's
/// length against the average.
#[derive(Debug)]
pub(crate) struct Profile {
    counts: HashMap<u32, f64>,
    norm: f64,
}

impl Profile {
    /// Of a candidate whose length tempers its counts like this.
    pub(crate) fn new(norm: f64) -> Self {
        Self { counts: HashMap::new(), norm }
    }

    /// Counts the words of a field.
    pub(crate) fn add(&mut self, words: &[Word], field_weight: f64) {
        for word in words.iter().filter(|word| can_cooccur(&word.term)) {
            *self.counts.entry(hash(&word.term)).or_insert(0.0) += field_weight;
        }
    }

    /// What cooccurrences adds to the candidate's score.
    pub(crate) fn gain(&self, cooccurrences: &[CooccurringWord]) -> f64 {
        let gains = cooccurrences.iter().filter_map(|cooccurring| {
            let count = self.counts.get(&cooccurring.word)?;
            Some(f64::from(cooccurring.weight) / STEPS * saturated(*count, self.norm))
        });
        gains.sum()
    }
}

/// The cooccurrences of the best answers. `candidates` are in rank order, each with its score.
pub(crate) fn cooccurrences_of(candidates: &[(f64, &Profile)]) -> Vec<CooccurringWord> {
    if candidates.len() < 2 * ASKED {
        return Vec::new();
    }
    let mut spread: HashMap<u32, f64> = HashMap::new();
    for (_, profile) in candidates {
        for word in profile.counts.keys() {
            *spread.entry(*word).or_insert(0.0) += 1.0;
        }
    }
    let all = u32::try_from(candidates.len()).map_or(f64::MAX, f64::from);
    let rarity = |word: &u32| {
        let held = spread.get(word).copied().unwrap_or(0.0);
        if held > all * COMMON_SHARE { 0.0 } else { (1.0 + (all - held + 0.5) / (held + 0.5)).ln() }
    };
    let best = candidates.iter().take(ASKED);
    let total: f64 = best.clone().map(|(score, _)| score).sum();
    // Sums of floats depend on their order; candidates come in rank order, words are sorted.
    let mut strengths: BTreeMap<u32, f64> = BTreeMap::new();
    for (score, profile) in best {
        for (word, count) in &profile.counts {
            let strength = score / total * saturated(*count, profile.norm) * rarity(word);
            *strengths.entry(*word).or_insert(0.0) += strength;
        }
    }
    let mut strengths: Vec<(u32, f64)> = strengths.into_iter().collect();
    strengths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let strongest = strengths.first().map_or(1.0, |(_, strength)| *strength);
    let cooccurring = |(word, strength): (u32, f64)| {
        let weight = in_steps(WEIGHT * strength / strongest * rarity(&word));
        (weight > 0).then_some(CooccurringWord { word, weight })
    };
    strengths.into_iter().take(MAX_COOCCURRENCES).filter_map(cooccurring).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is brought between 0 and 255 first"
)]
fn in_steps(weight: f64) -> u8 {
    (weight * STEPS).round().clamp(0.0, 255.0) as u8
}

/// Numbers, single letters and words without a meaning of their own keep everybody cooccurrences.
fn can_cooccur(term: &str) -> bool {
    let long_enough = term.len() > 2;
    long_enough && !term.bytes().any(|byte| byte.is_ascii_digit()) && !is_stop_word(term)
}

/// A short hash that never changes (FNV-1a, folded).
fn hash(term: &str) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in term.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    (hash >> WORD_BITS) ^ (hash & ((1 << WORD_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use pdpp_store::words::words;

    use super::*;

    fn profile(text: &str) -> Profile {
        let mut profile = Profile::new(1.0);
        profile.add(&words(text), 1.0);
        profile
    }

    #[test]
    fn what_the_best_share_and_the_others_lack_cooccurs() {
        let good = profile("the boiler and its radiator valve 17");
        let other = profile("the boiler and a parcel");
        let mut candidates = vec![(3.0, &good), (2.0, &good)];
        candidates.extend(vec![(1.0, &other); 8]);
        let cooccurrences = cooccurrences_of(&candidates);
        let hashes: Vec<u32> = cooccurrences.iter().map(|cooccurring| cooccurring.word).collect();
        assert!(
            hashes.contains(&hash("radiat")) && hashes.contains(&hash("valv")),
            "{cooccurrences:?}"
        );
        assert!(!hashes.contains(&hash("boiler")), "everybody has it");
        assert!(!hashes.contains(&hash("and")) && !hashes.contains(&hash("17")));
        assert!(good.gain(&cooccurrences) > other.gain(&cooccurrences));
        assert!(cooccurrences_of(&candidates[..4]).is_empty(), "few candidates tell nothing");
    }

    #[test]
    fn a_hash_is_short_and_stays_what_it_is() {
        assert_eq!(hash("radiat"), hash("radiat"));
        assert_ne!(hash("radiat"), hash("valv"));
        assert!(hash("anything at all") < 1 << WORD_BITS);
    }
}
