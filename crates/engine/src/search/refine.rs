//! Refining: the best candidates are read, and gain by how close together they hold the words of the
//! question and by the cooccurrences they keep.
//!
//! Nobody loses: a refined candidate can only rise, so the order below them is untouched. A cursor
//! carries what was decided on the first page; later pages decide nothing anew.

use pdpp_contract::ApiError;
use pdpp_store::search::MatchedRow;

use super::cooccurrence::{CooccurringWord, Profile, cooccurrences_of};
use super::question::Question;
use super::score::{Frozen, Ranked, above, by_rank, field_weight, rounded};
use super::snippet::Reading;
use super::texts::{Texts, answering};

/// Most candidates that are read.
const MOST: usize = 64;
/// Bytes of text after which no further candidate is read.
const ENOUGH_BYTES: usize = 300_000;
/// How many times as much a later page reads at most.
const MORE: usize = 4;
/// How much closeness counts against the words themselves.
const CLOSENESS: f64 = 0.3;
/// A question with fewer words is taken by its words alone.
const COMPANY_TERMS: usize = 3;

/// What was decided when a search began.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refinement {
    /// Score and upper half of the tie of the last candidate that was read.
    pub floor: (f64, u32),
    /// The upper half of the tie of the one that stands first, whatever the others gain.
    pub first: u32,
    /// The cooccurrences of the best.
    pub cooccurrences: Vec<CooccurringWord>,
}

/// One candidate that was read.
struct Read {
    profile: Profile,
    closeness: f64,
}

impl Refinement {
    /// Nothing is read.
    pub(crate) fn none() -> Self {
        Self { floor: (f64::INFINITY, u32::MAX), first: 0, cooccurrences: Vec::new() }
    }

    fn covers(&self, hit: &Ranked<'_>) -> bool {
        match hit.score.total_cmp(&self.floor.0) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => half(hit.tie) >= self.floor.1,
            std::cmp::Ordering::Less => false,
        }
    }
}

/// What refining needs beside the candidates.
pub(crate) struct Refiner<'a> {
    pub texts: &'a Texts<'a>,
    pub question: &'a Question,
    pub frozen: &'a Frozen,
}

impl Refiner<'_> {
    /// Reads the best candidates of a new search and ranks them anew.
    pub(crate) async fn begin(&self, ranked: &mut [Ranked<'_>]) -> Result<Refinement, ApiError> {
        // Phrases and beginnings say exactly what is wanted; one word has no neighbour.
        if self.question.needs_text() || self.question.terms.len() < 2 || ranked.len() < 2 {
            return Ok(Refinement::none());
        }
        let reads = self.read(ranked, MOST, ENOUGH_BYTES).await?;
        let Some(last) = reads.len().checked_sub(1).and_then(|last| ranked.get(last)) else {
            return Ok(Refinement::none());
        };
        let floor = (last.score, half(last.tie));
        for (hit, read) in ranked.iter_mut().zip(&reads) {
            hit.score += CLOSENESS * read.closeness;
        }
        let mut order: Vec<(usize, &Ranked<'_>)> =
            ranked.iter().enumerate().take(reads.len()).collect();
        order.sort_by(|a, b| by_rank(a.1, b.1));
        let first = order.first().map_or(0, |(at, _)| *at);
        let cooccurrences = if self.question.terms.len() < COMPANY_TERMS {
            Vec::new()
        } else {
            let profiles =
                order.iter().filter_map(|(at, hit)| Some((hit.score, &reads.get(*at)?.profile)));
            cooccurrences_of(&profiles.collect::<Vec<_>>())
        };
        let gains: Vec<f64> = reads.iter().map(|read| read.profile.gain(&cooccurrences)).collect();
        let most = gains.iter().copied().fold(0.0, f64::max);
        for (at, (hit, gain)) in ranked.iter_mut().zip(&gains).enumerate() {
            // The best by the question's own words stays the best.
            hit.score = rounded(hit.score + if at == first { most } else { *gain });
        }
        let others = ranked.iter().enumerate().filter(|(at, _)| *at != first);
        let best = others.map(|(_, hit)| hit.score).fold(0.0, f64::max);
        if let Some(hit) = ranked.get_mut(first) {
            // Later pages take for granted that it came first, so rounding must not make it second.
            hit.score = hit.score.max(above(best));
        }
        let first = ranked.get(first).map_or(0, |hit| half(hit.tie));
        ranked.sort_by(by_rank);
        Ok(Refinement { floor, first, cooccurrences })
    }

    /// Ranks the candidates of a search that goes on as its first page did. `from` is the score at
    /// which it goes on.
    pub(crate) async fn go_on(
        &self,
        ranked: &mut Vec<Ranked<'_>>,
        decided: &Refinement,
        from: f64,
    ) -> Result<(), ApiError> {
        // Whoever was read stands above the floor; below it all of them have been shown.
        if from < decided.floor.0 {
            return Ok(());
        }
        let covered = ranked.iter().take_while(|hit| decided.covers(hit)).count();
        let Some(read_again) = ranked.get(..covered) else { return Ok(()) };
        // A record whose time or filtered fields changed may have joined them; none of those that were
        // read on the first page may go short of it.
        let reads = self.read(read_again, MORE * MOST, MORE * ENOUGH_BYTES).await?;
        for (hit, read) in ranked.iter_mut().zip(&reads) {
            hit.score += CLOSENESS * read.closeness;
            hit.score = rounded(hit.score + read.profile.gain(&decided.cooccurrences));
        }
        // The first one was shown on the first page.
        let mut at = 0;
        ranked.retain(|hit| {
            at += 1;
            at > covered || half(hit.tie) != decided.first
        });
        ranked.sort_by(by_rank);
        Ok(())
    }

    async fn read(
        &self,
        ranked: &[Ranked<'_>],
        most: usize,
        enough_bytes: usize,
    ) -> Result<Vec<Read>, ApiError> {
        let numbers = ranked.iter().take(most).map(|hit| hit.record_no).collect();
        let records = self.texts.records(numbers).await?;
        let mut reads = Vec::new();
        let mut bytes = 0;
        for hit in ranked.iter().take(most) {
            if bytes >= enough_bytes {
                break;
            }
            let mut read =
                Read { profile: Profile::new(self.frozen.norm(hit.row)), closeness: 0.0 };
            let mut nearness = vec![0.0; self.question.terms.len()];
            let record = records.iter().find(|record| record.record_no == hit.record_no);
            for (field, start_chars, _) in answering(hit.row) {
                let Some(record) = record else { break };
                let Some(text) = self.texts.span(record, field, start_chars).await? else {
                    continue;
                };
                bytes += text.len();
                let reading = Reading::new(&text, self.question);
                read.profile.add(reading.words(), field_weight(field));
                reading.add_nearness(&mut nearness);
            }
            read.closeness = self.closeness(hit.row, &nearness);
            reads.push(read);
        }
        Ok(reads)
    }

    /// Neighbours of the question that are neighbours in the text, by the rarer of the two.
    fn closeness(&self, row: &MatchedRow, nearness: &[f64]) -> f64 {
        let norm = self.frozen.norm(row);
        let pairs = nearness.iter().enumerate().filter(|(_, near)| **near > 0.0);
        pairs
            .map(|(at, near)| {
                let rarity = self.frozen.rarity(at).min(self.frozen.rarity(at + 1));
                rarity * super::score::saturated(*near, norm)
            })
            .sum()
    }
}

fn half(tie: u64) -> u32 {
    u32::try_from(tie >> 32).unwrap_or(0)
}
