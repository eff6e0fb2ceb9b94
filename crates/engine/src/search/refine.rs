//! Refining: the best candidates are read, and gain by how close together they hold the words of the
//! question and by the cooccurrences they keep.
//!
//! What stands around the best in their conversations comes in here, too.
//!
//! Nobody loses: a refined candidate can only rise, so the order below them is untouched. A cursor
//! carries what was decided on the first page; later pages decide nothing anew.

use std::collections::HashMap;

use pdpp_contract::ApiError;
use pdpp_store::RecordNo;
use pdpp_store::search::MatchedRow;

use super::cooccurrence::{CooccurringWord, Profile, cooccurrences_of};
use super::neighbours::Lifted;
use super::question::Question;
use super::score::{Ranked, SHORT, Scorer, above, by_rank, field_weight, length_norm, rounded};
use super::snippet::Reading;
use super::texts::{Texts, answering};

/// Most candidates that are read.
const MOST: usize = 64;
/// Bytes of text after which no further candidate is read.
const ENOUGH_BYTES: usize = 300_000;
/// How many times as much a later page reads at most.
const MORE: usize = 4;
/// How much closeness counts against the words themselves.
const CLOSENESS: f64 = 0.15;

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

    /// How many of the candidates of a later page were read for the first one.
    fn covered(&self, ranked: &[Ranked<'_>]) -> usize {
        ranked.iter().take_while(|hit| self.covers(hit)).count()
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
    pub scorer: &'a Scorer<'a>,
}

/// What was read of a new search's best candidates, best first.
pub(crate) struct Begun {
    floor: Option<(f64, u32)>,
    count: usize,
    reads: Vec<Read>,
}

impl Begun {
    /// As many as were read for the first page.
    pub(crate) fn again(ranked: &[Ranked<'_>], decided: &Refinement) -> Self {
        let covered = decided.covered(ranked);
        Self { floor: Some(decided.floor), count: covered, reads: Vec::new() }
    }

    /// How many of the candidates were read.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

impl Refiner<'_> {
    /// Reads the best candidates of a new search; the last of them, and what was read of each.
    /// Nothing where the words alone decide.
    pub(crate) async fn begin(&self, ranked: &[Ranked<'_>]) -> Result<Begun, ApiError> {
        // Phrases and beginnings say exactly what is wanted; one word has no neighbour.
        if self.question.needs_text() || self.question.terms.len() < 2 || ranked.is_empty() {
            return Ok(Begun { floor: None, count: 0, reads: Vec::new() });
        }
        let reads = self.read(ranked, MOST, ENOUGH_BYTES).await?;
        let last = reads.len().checked_sub(1).and_then(|last| ranked.get(last));
        let floor = last.map(|last| (last.score, half(last.tie)));
        Ok(Begun { floor, count: reads.len(), reads })
    }

    /// Ranks a new search by what was read and by what stands around the best; `ranked` begins with
    /// those that were read, in their first order.
    pub(crate) fn settle<'a>(
        &self,
        ranked: &mut Vec<Ranked<'a>>,
        begun: &Begun,
        around: &'a [Lifted],
    ) -> Refinement {
        let Some(floor) = begun.floor else { return Refinement::none() };
        let count = begun.reads.len();
        for (hit, read) in ranked.iter_mut().zip(&begun.reads) {
            hit.score += CLOSENESS * read.closeness;
        }
        self.lift(ranked, around);
        let mut order: Vec<(usize, &Ranked<'_>)> = ranked.iter().enumerate().collect();
        order.sort_by(|a, b| by_rank(a.1, b.1));
        let first = order.first().map_or(0, |(at, _)| *at);
        let cooccurrences = if self.question.terms.len() <= SHORT {
            Vec::new()
        } else {
            let read = order.iter().filter(|(at, _)| *at < count);
            let profiles =
                read.filter_map(|(at, hit)| Some((hit.score, &begun.reads.get(*at)?.profile)));
            cooccurrences_of(&profiles.collect::<Vec<_>>())
        };
        let gain =
            |at: usize| begun.reads.get(at).map_or(0.0, |read| read.profile.gain(&cooccurrences));
        let most = (0..count).map(gain).fold(0.0, f64::max);
        for (at, hit) in ranked.iter_mut().enumerate() {
            // The best by the question's own words stays the best.
            hit.score = rounded(hit.score + if at == first { most } else { gain(at) });
        }
        let others = ranked.iter().enumerate().filter(|(at, _)| *at != first);
        let best = others.map(|(_, hit)| hit.score).fold(0.0, f64::max);
        if let Some(hit) = ranked.get_mut(first) {
            // Later pages take for granted that it came first, so rounding must not make it second.
            hit.score = hit.score.max(above(best));
        }
        let first = ranked.get(first).map_or(0, |hit| half(hit.tie));
        ranked.sort_by(by_rank);
        Refinement { floor, first, cooccurrences }
    }

    /// Ranks the candidates of a search that goes on as its first page did. `from` is the score at
    /// which it goes on.
    pub(crate) async fn go_on<'a>(
        &self,
        ranked: &mut Vec<Ranked<'a>>,
        decided: &Refinement,
        around: &'a [Lifted],
        from: f64,
    ) -> Result<(), ApiError> {
        let covered = decided.covered(ranked);
        if from < decided.floor.0 {
            // Whoever was read stands above the floor: all of them have been shown.
            for hit in ranked.iter_mut().take(covered) {
                hit.score = f64::INFINITY;
            }
        } else {
            // A record whose time or filtered fields changed may have joined them; none of those that
            // were read on the first page may go short of it.
            let read_again = ranked.get(..covered).unwrap_or_default();
            let reads = self.read(read_again, MORE * MOST, MORE * ENOUGH_BYTES).await?;
            for (hit, read) in ranked.iter_mut().zip(&reads) {
                hit.score += CLOSENESS * read.closeness;
            }
            self.lift(ranked, around);
            for (hit, read) in ranked.iter_mut().zip(&reads) {
                hit.score += read.profile.gain(&decided.cooccurrences);
            }
        }
        if from < decided.floor.0 {
            self.lift(ranked, around);
        }
        for hit in ranked.iter_mut() {
            hit.score = rounded(hit.score);
        }
        // The first one was shown on the first page.
        let is_first = |hit: &Ranked<'_>| decided.first != 0 && half(hit.tie) == decided.first;
        ranked.retain(|hit| !is_first(hit) || hit.changed_at.is_some());
        ranked.sort_by(by_rank);
        Ok(())
    }

    /// Adds what stands around records to their scores, and those that are found through it alone.
    fn lift<'a>(&self, ranked: &mut Vec<Ranked<'a>>, around: &'a [Lifted]) {
        let places: HashMap<RecordNo, usize> =
            ranked.iter().enumerate().map(|(at, hit)| (hit.record_no, at)).collect();
        for lifted in around {
            let known = places.get(&lifted.row.record_no).and_then(|at| ranked.get_mut(*at));
            if let Some(hit) = known {
                hit.score += lifted.gain(&hit.terms, self.scorer);
                hit.changed_at = hit.changed_at.max(lifted.unsettled);
            } else if lifted.row.changed_at.is_none() {
                let mut hit = self.scorer.score(&lifted.row);
                hit.score = lifted.gain(&hit.terms, self.scorer);
                hit.changed_at = lifted.unsettled;
                ranked.push(hit);
            }
        }
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
            let mut read = Read { profile: Profile::new(length_norm(hit.row)), closeness: 0.0 };
            let mut nearness = vec![0.0; self.question.terms.len() * self.question.terms.len()];
            let record = records.iter().find(|record| record.record_no == hit.record_no);
            for (field, start_chars, _) in answering(hit.row) {
                let Some(record) = record else { break };
                let Some(text) = self.texts.span(record, field, start_chars).await? else {
                    continue;
                };
                bytes += text.len();
                let reading = Reading::new(&text, self.question);
                read.profile.add(reading.words(), field_weight(field));
                reading.add_nearness(self.question.terms.len(), &mut nearness);
            }
            read.closeness = self.closeness(hit.row, &nearness);
            reads.push(read);
        }
        Ok(reads)
    }

    /// Per word, the nearest other one, by the rarer of the two: a further word takes nothing away.
    fn closeness(&self, row: &MatchedRow, nearness: &[f64]) -> f64 {
        let norm = length_norm(row);
        let count = self.question.terms.len();
        let frozen = self.scorer.frozen;
        let mut best = vec![0.0_f64; count];
        for (one, near) in nearness.chunks(count.max(1)).enumerate() {
            for (other, near) in near.iter().enumerate().filter(|(_, near)| **near > 0.0) {
                let rarity = frozen.rarity(one).min(frozen.rarity(other));
                let worth = rarity * super::score::saturated(*near, norm);
                for place in [one, other] {
                    if let Some(own) = best.get_mut(place) {
                        *own = own.max(worth);
                    }
                }
            }
        }
        best.iter().sum()
    }
}

fn half(tie: u64) -> u32 {
    u32::try_from(tie >> 32).unwrap_or(0)
}
