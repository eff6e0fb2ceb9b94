//! What the answers must be, by filtering and sorting plain values in memory.

use std::cmp::Ordering;

use pdpp_contract::declaration::RangeOperator;
use proptest::prelude::*;

/// A record of the sample stream `notes`, as plain values.
#[derive(Debug, Clone)]
pub struct Note {
    pub connection: usize,
    pub id: String,
    pub at: At,
    pub count: Option<i64>,
    pub kind: u8,
    pub codes: bool,
}

/// The time field of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Absent,
    Unreadable,
    /// Minutes after the beginning of 2026, written with an offset in hours.
    Minute(i64, i8),
}

/// A question: a scope, conditions, an order and a page size.
#[derive(Debug, Clone)]
pub struct Question {
    pub since: Option<i64>,
    pub until: Option<i64>,
    pub only: Option<Vec<String>>,
    pub leave_out_codes: bool,
    pub order: Option<&'static str>,
    pub descending: bool,
    pub kind: Option<u8>,
    pub count: Option<(RangeOperator, i64)>,
    pub limit: usize,
}

impl At {
    pub fn minute(self) -> Option<i64> {
        match self {
            Self::Minute(minute, _) => Some(minute),
            Self::Absent | Self::Unreadable => None,
        }
    }
}

impl Question {
    /// Whether the scope shows the note.
    pub fn shows(&self, note: &Note) -> bool {
        let limited = self.since.is_some() || self.until.is_some();
        let minute = note.at.minute();
        let in_time = !limited
            || minute.is_some_and(|minute| {
                self.since.is_none_or(|since| minute >= since)
                    && self.until.is_none_or(|until| minute < until)
            });
        in_time
            && !(self.leave_out_codes && note.codes)
            && self.only.as_ref().is_none_or(|only| only.contains(&note.id))
    }

    fn fulfils(&self, note: &Note) -> bool {
        let in_range = |(operator, bound): (RangeOperator, i64)| {
            note.count.is_some_and(|count| match operator {
                RangeOperator::Gte => count >= bound,
                RangeOperator::Gt => count > bound,
                RangeOperator::Lte => count <= bound,
                RangeOperator::Lt => count < bound,
            })
        };
        self.kind.is_none_or(|kind| note.kind == kind) && self.count.is_none_or(in_range)
    }

    fn value(&self, note: &Note) -> Option<i64> {
        match self.order {
            Some("at") => note.at.minute(),
            Some("count") => note.count,
            _ => None,
        }
    }

    /// The notes in the order of the answer.
    pub fn answer<'a>(&self, notes: &'a [Note]) -> Vec<&'a Note> {
        let mut found: Vec<&Note> =
            notes.iter().filter(|note| self.shows(note) && self.fulfils(note)).collect();
        let turned = |order: Ordering| if self.descending { order.reverse() } else { order };
        found.sort_by(|a, b| {
            let (of_a, of_b) = (self.value(a), self.value(b));
            of_a.is_none()
                .cmp(&of_b.is_none())
                .then_with(|| turned(of_a.cmp(&of_b)))
                .then_with(|| turned(a.id.as_bytes().cmp(b.id.as_bytes())))
                .then_with(|| a.connection.cmp(&b.connection))
        });
        found
    }
}

/// Notes over three connections, with many ties and gaps.
pub fn notes() -> impl Strategy<Value = Vec<Note>> {
    let at = prop_oneof![
        1 => Just(At::Absent),
        1 => Just(At::Unreadable),
        6 => (0_i64..4, -3_i8..4).prop_map(|(minute, offset)| At::Minute(minute, offset)),
    ];
    let count = proptest::option::weighted(0.8, -2_i64..6);
    let note = (0_usize..3, "[a-d]{1,2}|é|😀|~", at, count, 0_u8..3, proptest::bool::weighted(0.2))
        .prop_map(|(connection, id, at, count, kind, codes)| Note {
            connection,
            id,
            at,
            count,
            kind,
            codes,
        });
    proptest::collection::vec(note, 0..60).prop_map(|mut notes| {
        notes.sort_by(|a, b| (a.connection, &a.id).cmp(&(b.connection, &b.id)));
        notes.dedup_by(|a, b| (a.connection, &a.id) == (b.connection, &b.id));
        notes
    })
}

/// Questions about such notes.
pub fn question() -> impl Strategy<Value = Question> {
    let operator = prop_oneof![
        Just(RangeOperator::Gte),
        Just(RangeOperator::Gt),
        Just(RangeOperator::Lte),
        Just(RangeOperator::Lt),
    ];
    let scope = (
        proptest::option::of(0_i64..4),
        proptest::option::of(0_i64..5),
        proptest::option::weighted(0.3, proptest::collection::vec("[a-d]{1,2}", 0..12)),
        any::<bool>(),
    );
    let order = prop_oneof![Just(None), Just(Some("at")), Just(Some("count"))];
    let asked = (
        order,
        any::<bool>(),
        proptest::option::weighted(0.4, 0_u8..3),
        proptest::option::weighted(0.4, (operator, -2_i64..6)),
        1_usize..5,
    );
    (scope, asked).prop_map(
        |((since, until, only, codes), (order, descending, kind, count, limit))| Question {
            since,
            until,
            only,
            leave_out_codes: codes,
            order,
            descending,
            kind,
            count,
            limit,
        },
    )
}
