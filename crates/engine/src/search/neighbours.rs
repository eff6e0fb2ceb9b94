//! Neighbours: what the records around a candidate lend it, and who is found through them alone.

use std::collections::BTreeMap;

use pdpp_store::search::{MatchedRow, Neighbour};
use pdpp_store::{ChangeNo, RecordNo};

use super::score::{Ranked, Scorer, presence, recency};

/// How much of its worth a record lends the one before and after it.
const NEXT: f64 = 0.6;
/// The same for the next but one.
const NEXT_BUT_ONE: f64 = 0.25;
/// After so many hours between two records half as much is lent.
const HOURS: f64 = 12.0;
/// Most of a word's worth that a record has from others in a long question.
const LENT: f64 = 0.6;

/// A record that stands next to good candidates.
pub(crate) struct Lifted {
    /// It, without what it holds of the question.
    pub row: MatchedRow,
    /// Per term: what those around it lend it.
    terms: Vec<f64>,
    /// On a later page: the change since the first one that moved what stands around it.
    pub unsettled: Option<ChangeNo>,
}

/// What the sources lend their neighbours. The same sums in the same order on every backend.
pub(crate) fn lifted(sources: &[Ranked<'_>], neighbours: Vec<Neighbour>) -> Vec<Lifted> {
    let by_number: BTreeMap<RecordNo, &Ranked<'_>> =
        sources.iter().map(|source| (source.record_no, source)).collect();
    let mut neighbours = neighbours;
    neighbours.sort_by_key(|own| (own.row.record_no, own.distance));
    let mut lifted: BTreeMap<RecordNo, Lifted> = BTreeMap::new();
    for neighbour in neighbours {
        let Some(source) = by_number.get(&neighbour.source) else { continue };
        let share = share(&neighbour);
        let own = lifted.entry(neighbour.row.record_no).or_insert_with(|| Lifted {
            terms: vec![0.0; source.terms.len()],
            unsettled: None,
            row: neighbour.row,
        });
        own.unsettled = own.unsettled.max(neighbour.unsettled);
        for (sum, lent) in own.terms.iter_mut().zip(&source.terms) {
            *sum += share * lent;
        }
    }
    lifted.into_values().collect()
}

/// How much of its worth a record lends a neighbour.
fn share(neighbour: &Neighbour) -> f64 {
    let by_distance = if neighbour.distance.abs() == 1 { NEXT } else { NEXT_BUT_ONE };
    let hours = f64::from(u32::try_from(neighbour.gap_seconds).unwrap_or(u32::MAX)) / 3_600.0;
    by_distance / (1.0 + hours / HOURS)
}

impl Lifted {
    /// What is added to the score of a record that has this much of each term by itself.
    pub(crate) fn gain(&self, own: &[f64], scorer: &Scorer<'_>) -> f64 {
        let presence = presence(self.terms.len());
        let each = self.terms.iter().zip(own).enumerate().map(|(term, (lent, own))| {
            let rarity = scorer.frozen.rarity(term);
            // Who holds a word itself stays above who has it from others alone.
            let most =
                if *own > 0.0 { (rarity - own).max(0.0) } else { rarity * presence.max(LENT) };
            lent.min(most)
        });
        each.sum::<f64>() * recency(&self.row)
    }
}
