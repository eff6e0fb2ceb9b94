//! Candidates of a search: which parts of which records hold a term, up to a cap.

use std::collections::BTreeSet;

use super::write::record_of;
use crate::numbers::RecordNo;

/// Most later spans of one record: one huge text must not crowd out everything else.
const SPANS_OF_RECORD: usize = 64;

/// A part of a record that may match: the beginnings of its fields, or one later span of a long field.
///
/// Which fields share an index row depends on all fields of a record, also on hidden ones. What is
/// counted, ranked and capped must not, so the rows of a record's beginnings are one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) record_no: RecordNo,
    /// The index row of a later span; `None` for the beginnings.
    pub(crate) later_row: Option<i64>,
}

/// The candidates of one term, newest first, up to the cap.
#[derive(Default, Clone)]
pub(crate) struct CandidateList {
    pub(crate) list: Vec<Candidate>,
    /// Whether there may be more.
    pub(crate) more: bool,
    /// The record of the last span, and how many of its spans there are.
    spans: Option<(RecordNo, usize)>,
}

impl CandidateList {
    /// Whether a record has as many candidates as it may have.
    pub(super) fn is_full_of(&self, record_no: RecordNo) -> bool {
        self.spans_of(record_no) >= SPANS_OF_RECORD
    }

    fn spans_of(&self, record_no: RecordNo) -> usize {
        self.spans.filter(|(own, _)| *own == record_no).map_or(0, |(_, count)| count)
    }

    /// Adds a row's candidate; false when there is no room for another one. Rows come by record.
    pub(crate) fn add(&mut self, row_no: i64, begins: bool, cap: usize) -> bool {
        let record_no = record_of(row_no);
        let beginnings = Candidate { record_no, later_row: None };
        if begins {
            return self.push(beginnings, cap);
        }
        self.spans = Some((record_no, self.spans_of(record_no) + 1));
        if !self.push(Candidate { record_no, later_row: Some(row_no) }, cap) {
            return false;
        }
        if !self.is_full_of(record_no) {
            return true;
        }
        // The rows that are passed over now may hold beginnings; how many of them there are must
        // not show, so the beginnings are a candidate in any case.
        self.more = true;
        self.push(beginnings, cap)
    }

    fn push(&mut self, candidate: Candidate, cap: usize) -> bool {
        let same_record =
            self.list.iter().rev().take_while(|own| own.record_no == candidate.record_no);
        if same_record.into_iter().any(|known| *known == candidate) {
            return true;
        }
        if self.list.len() >= cap {
            self.more = true;
            return false;
        }
        self.list.push(candidate);
        true
    }
}

/// The candidates of a term.
#[derive(Default)]
pub(super) struct TermCandidates {
    pub(super) found: CandidateList,
    /// Those that changed since the first page.
    pub(super) changed: CandidateList,
}

impl TermCandidates {
    pub(super) fn are_full_of(&self, record_no: RecordNo) -> bool {
        self.found.is_full_of(record_no) || self.changed.is_full_of(record_no)
    }
}

/// The candidates, and the terms that chose them.
pub(super) struct Chosen {
    pub(super) candidates: BTreeSet<Candidate>,
    /// By rarity.
    pub(super) terms: Vec<usize>,
    /// Whether these are all.
    pub(super) complete: bool,
}

/// The rarest words choose the candidates until there are as many as the cap.
pub(super) fn rarest(lists: &[CandidateList], cap: usize) -> Chosen {
    let complete = lists.iter().all(|candidates| !candidates.more);
    let mut chosen = Chosen { candidates: BTreeSet::new(), terms: Vec::new(), complete };
    let mut by_rarity: Vec<(usize, &CandidateList)> = lists.iter().enumerate().collect();
    by_rarity.sort_by_key(|(_, candidates)| (candidates.list.len(), candidates.more));
    for (term, candidates) in by_rarity {
        let full = chosen.candidates.len() >= cap;
        if full && candidates.list.iter().any(|candidate| !chosen.candidates.contains(candidate)) {
            chosen.complete = false;
            continue;
        }
        chosen.candidates.extend(&candidates.list);
        chosen.terms.push(term);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::write::first_row;
    use super::*;

    fn row(record: i64, part: i64) -> i64 {
        first_row(RecordNo(record)) + part
    }

    #[test]
    fn the_beginnings_of_a_record_are_one_candidate() {
        let mut candidates = CandidateList::default();
        assert!(candidates.add(row(9, 1), true, 10) && candidates.add(row(9, 0), true, 10));
        assert!(candidates.add(row(8, 0), true, 10));
        let beginnings = |record| Candidate { record_no: RecordNo(record), later_row: None };
        assert_eq!(candidates.list, [beginnings(9), beginnings(8)]);
        assert!(!candidates.more);
    }

    #[test]
    fn a_huge_text_leaves_room_for_others() {
        let mut candidates = CandidateList::default();
        for part in (1..=4_000).rev() {
            if !candidates.is_full_of(RecordNo(7)) {
                assert!(candidates.add(row(7, part), false, 1_000));
            }
        }
        assert_eq!(candidates.list.len(), SPANS_OF_RECORD + 1, "and its beginnings");
        assert!(candidates.more, "the answer says that it is not all");
        assert!(!candidates.is_full_of(RecordNo(6)) && candidates.add(row(6, 0), true, 1_000));
    }

    #[test]
    fn the_cap_is_said() {
        let mut candidates = CandidateList::default();
        assert!(candidates.add(row(3, 0), true, 1));
        assert!(!candidates.add(row(2, 0), true, 1) && candidates.more);
    }
}
