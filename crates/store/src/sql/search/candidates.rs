//! Candidates of a search: which parts of which records hold a term, up to a cap.

use super::write::PART_BITS;

/// Most later stretches of one record: one huge text must not crowd out everything else.
const STRETCHES_OF_RECORD: usize = 64;

/// A candidate: record number, and the row of a later stretch or zero for the fields' beginnings.
///
/// Which fields share an index row depends on all fields of a record, also on hidden ones. What is
/// counted, ranked and capped must not, so the rows of a record's beginnings are one candidate.
pub(crate) type Piece = (i64, i64);

/// The candidates of one term, newest first, up to the cap.
#[derive(Default, Clone)]
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    /// Whether there may be more.
    pub(crate) more: bool,
    /// The record of the last stretch, and how many of its stretches there are.
    stretches: (i64, usize),
}

impl Pieces {
    /// Whether a record has as many candidates as it may have.
    pub(super) fn is_full_of(&self, record_no: i64) -> bool {
        self.stretches.0 == record_no && self.stretches.1 >= STRETCHES_OF_RECORD
    }

    /// Adds a row's piece; false when there is no room for another one. Rows come by record.
    pub(crate) fn add(&mut self, row_no: i64, begins: bool, cap: usize) -> bool {
        let record_no = row_no >> PART_BITS;
        if begins {
            return self.push((record_no, 0), cap);
        }
        let known = if self.stretches.0 == record_no { self.stretches.1 } else { 0 };
        self.stretches = (record_no, known + 1);
        if !self.push((record_no, row_no), cap) {
            return false;
        }
        if !self.is_full_of(record_no) {
            return true;
        }
        // The rows that are passed over now may hold beginnings; how many of them there are must
        // not show, so the beginnings are a candidate in any case.
        self.more = true;
        self.push((record_no, 0), cap)
    }

    fn push(&mut self, piece: Piece, cap: usize) -> bool {
        let same_record = self.list.iter().rev().take_while(|(own, _)| *own == piece.0);
        if same_record.into_iter().any(|known| *known == piece) {
            return true;
        }
        if self.list.len() >= cap {
            self.more = true;
            return false;
        }
        self.list.push(piece);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(record_no: i64, part: i64) -> i64 {
        (record_no << PART_BITS) + part
    }

    #[test]
    fn the_beginnings_of_a_record_are_one_candidate() {
        let mut pieces = Pieces::default();
        assert!(pieces.add(row(9, 1), true, 10) && pieces.add(row(9, 0), true, 10));
        assert!(pieces.add(row(8, 0), true, 10));
        assert_eq!(pieces.list, [(9, 0), (8, 0)]);
        assert!(!pieces.more);
    }

    #[test]
    fn a_huge_text_leaves_room_for_others() {
        let mut pieces = Pieces::default();
        for part in (1..=4_000).rev() {
            if !pieces.is_full_of(7) {
                assert!(pieces.add(row(7, part), false, 1_000));
            }
        }
        assert_eq!(pieces.list.len(), STRETCHES_OF_RECORD + 1, "and its beginnings");
        assert!(pieces.more, "the answer says that it is not all");
        assert!(!pieces.is_full_of(6) && pieces.add(row(6, 0), true, 1_000));
    }

    #[test]
    fn the_cap_is_said() {
        let mut pieces = Pieces::default();
        assert!(pieces.add(row(3, 0), true, 1));
        assert!(!pieces.add(row(2, 0), true, 1) && pieces.more);
    }
}
