//! The period that the owner looks at: a view, not a grant, but bounded by the same means.

use jiff::Timestamp;
use pdpp_contract::StreamDeclaration;
use pdpp_contract::grant::TimeConstraint;

/// From an instant on, and before another. Without either, everything is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnerPeriod {
    /// The first instant inside.
    pub since: Option<Timestamp>,
    /// The first instant outside.
    pub until: Option<Timestamp>,
}

impl OwnerPeriod {
    /// The bounds of one stream; `None` when there are bounds and the stream knows no time.
    pub(crate) fn on(&self, stream: &StreamDeclaration) -> Option<Option<TimeConstraint>> {
        if *self == Self::default() {
            return Some(None);
        }
        let text = |bound: Option<Timestamp>| bound.map(|at| at.to_string());
        let field = stream.consent_time_field.clone()?;
        Some(Some(TimeConstraint {
            field,
            since: text(self.since),
            until: text(self.until),
            since_rule: None,
            until_rule: None,
        }))
    }

    /// Cursors of one period continue nothing in another.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        for (place, bound) in [(0, self.since), (16, self.until)] {
            let bytes = bound.map_or([0; 16], |at| at.as_nanosecond().to_be_bytes());
            if let Some(part) = digest.get_mut(place..place + 16) {
                part.copy_from_slice(&bytes);
            }
        }
        digest
    }
}
