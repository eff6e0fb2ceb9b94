//! Which versions can go, and what has to be remembered of them; the same for every backend.
//!
//! A mark notes what was dropped of a record. A bookmark that stands before the next version that was
//! kept, under a grant that could see what was dropped, has lost something. A bookmark that is made
//! later stands after it.
//!
//! Stores that were pruned by version 0.1 also have coarser notes, by field and by the number of the
//! pruning. They only concern bookmarks of that version, which carry such a number.

use std::collections::{BTreeMap, HashSet};

use crate::changes::Known;
use crate::changes::lost::LostChanges;
use crate::changes::version_view::VersionView;
use crate::changes::versions::{Version, changed};
use crate::numbers::ChangeNo;
use crate::records::time_keys::TimeSpans;

/// Bytes of one lost field: its number, its next change, the pruning.
const ENTRY: usize = 2 + 8 + 8;

/// What pruning took from one record.
#[derive(Default)]
pub(crate) struct Mark {
    /// What was dropped.
    pub losses: LostChanges,
    /// The coarse notes: whether the record ever was without codes, without secrets, without both,
    pub seen: Seen,
    /// between which times it lay,
    pub time_min: Option<Vec<u8>>,
    pub time_max: Option<Vec<u8>>,
    /// the same for fields that were the time field once,
    pub other_times: TimeSpans,
    /// and what was lost, by field number.
    lost: BTreeMap<u16, Lost>,
}

/// What a record was without at some time, in one version each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen(pub i64);

impl Seen {
    const NO_CODES: i64 = 1;
    const NO_SECRETS: i64 = 2;
    const NEITHER: i64 = 4;

    /// Whether a reader that leaves these out can have seen the record.
    pub(crate) fn without(self, codes: bool, secrets: bool) -> bool {
        match (codes, secrets) {
            (false, false) => true,
            (true, false) => self.0 & Self::NO_CODES != 0,
            (false, true) => self.0 & Self::NO_SECRETS != 0,
            (true, true) => self.0 & Self::NEITHER != 0,
        }
    }
}

/// A change of a field that was dropped.
#[derive(Clone, Copy)]
struct Lost {
    /// The number of the field's next change.
    next: ChangeNo,
    /// Which pruning dropped it.
    pruning: i64,
}

impl Mark {
    /// The versions that can go, and notes about them. Versions are given oldest first; `time_field` is
    /// the number of the field whose keys they have.
    pub(crate) fn choose(
        &mut self,
        versions: &[Version],
        time_field: Option<u16>,
    ) -> Vec<ChangeNo> {
        let kept = kept(versions);
        let mut next = ChangeNo::LAST;
        let mut superfluous = Vec::new();
        for (at, (version, kept)) in versions.iter().zip(kept).enumerate().rev() {
            if kept {
                next = version.change_no;
                continue;
            }
            let before = at.checked_sub(1).and_then(|at| versions.get(at));
            superfluous.push(version.change_no);
            let fields = changed(before, version);
            self.losses.add(&fields, [before, Some(version)], next, time_field);
        }
        superfluous
    }

    /// Adds what an earlier pruning took.
    pub(crate) fn merge(&mut self, earlier: Self) {
        let losses = std::mem::take(&mut self.losses);
        *self = earlier;
        self.losses.merge(losses);
    }

    /// A bookmark at or above this number misses nothing.
    pub(crate) fn highest(&self) -> ChangeNo {
        let coarse = self.lost.values().map(|lost| lost.next).max().unwrap_or_default();
        coarse.max(self.losses.highest())
    }

    /// The coarse notes as stored.
    pub(crate) fn lost_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.lost.len() * ENTRY);
        for (field, lost) in &self.lost {
            bytes.extend_from_slice(&field.to_be_bytes());
            bytes.extend_from_slice(&lost.next.0.to_be_bytes());
            bytes.extend_from_slice(&lost.pruning.to_be_bytes());
        }
        bytes
    }

    /// Reads the coarse notes back.
    pub(crate) fn set_lost(&mut self, bytes: &[u8]) {
        self.lost = bytes.chunks_exact(ENTRY).filter_map(entry).collect();
    }

    /// Whether a view has lost something that a reader does not know yet.
    pub(crate) fn is_missed(&self, view: &VersionView<'_>, known: Known) -> bool {
        if self.losses.highest_seen(view) > known.change_no {
            return true;
        }
        let Some(prunings) = known.prunings else {
            return false;
        };
        let missed = |(field, lost): (&u16, &Lost)| {
            lost.next > known.change_no && lost.pruning > prunings && view.depends_on(*field)
        };
        self.lost.iter().any(missed) && view.could_see(self.times(view), self.seen)
    }

    /// The span of the field that limits a view.
    fn times(&self, view: &VersionView<'_>) -> (Option<&[u8]>, Option<&[u8]>) {
        match view.former_time_field() {
            None => (self.time_min.as_deref(), self.time_max.as_deref()),
            Some(field) => match self.other_times.get(&field) {
                Some((first, last)) => (Some(first), Some(last)),
                None => (None, None),
            },
        }
    }
}

fn entry(bytes: &[u8]) -> Option<(u16, Lost)> {
    let (field, rest) = bytes.split_first_chunk::<2>()?;
    let (next, rest) = rest.split_first_chunk::<8>()?;
    let pruning = rest.first_chunk::<8>()?;
    let lost =
        Lost { next: ChangeNo(i64::from_be_bytes(*next)), pruning: i64::from_be_bytes(*pruning) };
    Some((u16::from_be_bytes(*field), lost))
}

/// Which versions stay, oldest first: the newest, the last change of each field, and where two of
/// these would look alike, the version between them.
fn kept(versions: &[Version]) -> Vec<bool> {
    let before = |at: usize| at.checked_sub(1).and_then(|at| versions.get(at));
    let mut seen = HashSet::new();
    let mut kept: Vec<bool> = Vec::with_capacity(versions.len());
    for (at, version) in versions.iter().enumerate().rev() {
        let fields = changed(before(at), version);
        let is_last = fields.iter().filter(|field| seen.insert(**field)).count() > 0;
        kept.push(is_last || at + 1 == versions.len());
    }
    kept.reverse();
    let mut last: Option<&Version> = None;
    for (at, version) in versions.iter().enumerate() {
        if !kept.get(at).is_some_and(|kept| *kept) {
            continue;
        }
        let visible = changed(last, version);
        if !changed(before(at), version).iter().all(|field| visible.contains(field))
            && let Some(between) = at.checked_sub(1).and_then(|at| kept.get_mut(at))
        {
            *between = true;
        }
        last = Some(version);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::time_keys::TimeKeys;

    fn version(change_no: i64, hashes: [u64; 2]) -> Version {
        let entry = |(number, hash): (u16, u64)| {
            number.to_be_bytes().into_iter().chain(hash.to_be_bytes()).collect::<Vec<u8>>()
        };
        Version {
            change_no: ChangeNo(change_no),
            deleted: false,
            flags: 0,
            emitted_at: String::new(),
            time_key: None,
            other_times: TimeKeys::new(),
            field_hashes: (0..).zip(hashes).flat_map(entry).collect(),
        }
    }

    fn dropped(states: &[[u64; 2]]) -> Vec<i64> {
        let versions: Vec<_> = (1..).zip(states).map(|(no, state)| version(no, *state)).collect();
        let mut dropped = Mark::default().choose(&versions, None);
        dropped.sort_unstable();
        dropped.into_iter().map(i64::from).collect()
    }

    #[test]
    fn the_last_change_of_each_field_stays() {
        assert_eq!(dropped(&[[1, 1]]), [0_i64; 0]);
        assert_eq!(
            dropped(&[[1, 1], [2, 1]]),
            [0_i64; 0],
            "the first changed the other field last"
        );
        assert_eq!(dropped(&[[1, 1], [2, 1], [3, 1]]), [2]);
        assert_eq!(dropped(&[[1, 1], [2, 1], [3, 1], [3, 2], [3, 3]]), [2, 4]);
    }

    #[test]
    fn a_value_that_came_back_still_counts_as_a_change() {
        assert_eq!(dropped(&[[1, 1], [2, 1], [1, 1]]), [0_i64; 0]);
        assert_eq!(dropped(&[[1, 1], [2, 1], [3, 1], [1, 1]]), [2]);
    }

    #[test]
    fn a_reader_after_what_was_kept_misses_nothing() {
        let versions = [version(1, [1, 1]), version(2, [2, 1]), version(3, [3, 1])];
        let mut mark = Mark::default();
        assert_eq!(mark.choose(&versions, None), [ChangeNo(2)]);
        assert_eq!(mark.highest(), ChangeNo(3));
    }

    #[test]
    fn coarse_notes_are_kept_as_they_are() {
        let coarse =
            [&7_u16.to_be_bytes()[..], &9_i64.to_be_bytes(), &4_i64.to_be_bytes()].concat();
        let mut earlier = Mark::default();
        earlier.set_lost(&coarse);
        let mut mark = Mark::default();
        mark.merge(earlier);
        assert_eq!((mark.highest(), mark.lost_bytes()), (ChangeNo(9), coarse));
    }
}
