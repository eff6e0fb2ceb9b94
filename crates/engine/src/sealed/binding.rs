//! What a cursor is tied to: a digest of the grant's constraints and of the question asked.

use jiff::civil::Date;
use sha2::{Digest, Sha256};

use crate::view::Authority;

/// Days are counted from this one.
const FIRST_DAY: Date = Date::constant(2000, 1, 1);

/// Collects the facts a cursor depends on, each with its length, so that no two lists collide.
pub(crate) struct Binding {
    facts: Sha256,
    /// The day on which a question under rolling time limits was first asked.
    day: Option<u16>,
}

impl Binding {
    /// Starts with what the caller may see.
    pub(crate) fn new(authority: [u8; 32]) -> Self {
        Self { facts: Sha256::new().chain_update(authority), day: None }
    }

    /// The same for pages of an answer. Where a time limit rolls, it holds the day of the first page.
    pub(crate) fn of_page(authority: &Authority) -> Self {
        let day = authority.rolls.then(|| day_number(authority.days.begun));
        let binding = Self { day, ..Self::new(authority.digest) };
        match day {
            Some(day) => binding.with("day").with(&day.to_string()),
            None => binding,
        }
    }

    /// Adds a fact.
    #[must_use]
    pub(crate) fn with(mut self, fact: &str) -> Self {
        self.facts.update(u64::try_from(fact.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.facts.update(fact.as_bytes());
        self
    }

    /// Adds a fact that may be absent; absence differs from every value.
    #[must_use]
    pub(crate) fn with_option(self, fact: Option<&str>) -> Self {
        match fact {
            Some(fact) => self.with("some").with(fact),
            None => self.with("none"),
        }
    }

    /// The digest, cut to what a short cursor can carry.
    pub(crate) fn finish(self) -> [u8; 16] {
        let digest: [u8; 32] = self.facts.finalize().into();
        let mut short = [0; 16];
        short.copy_from_slice(digest.first_chunk::<16>().unwrap_or(&[0; 16]));
        if let (Some(day), [high, low, ..]) = (self.day, &mut short) {
            [*high, *low] = day.to_be_bytes();
        }
        short
    }
}

/// The day in a sealed cursor whose time limits roll: it stands first in the binding, which follows
/// the version.
pub(crate) fn day_of(content: &[u8]) -> Option<Date> {
    let (_, binding) = content.split_first()?;
    let (day, _) = binding.split_first_chunk::<2>()?;
    let days = jiff::Span::new().try_days(i64::from(u16::from_be_bytes(*day))).ok()?;
    FIRST_DAY.checked_add(days).ok()
}

fn day_number(day: Date) -> u16 {
    let days = FIRST_DAY.until(day).map_or(0, |span| span.get_days());
    u16::try_from(days).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_stands_at_the_beginning_of_the_binding() {
        for text in ["2000-01-01", "2026-11-15", "2100-02-28"] {
            let day: Date = text.parse().unwrap();
            let mut content = vec![1];
            content.extend_from_slice(&day_number(day).to_be_bytes());
            assert_eq!(day_of(&content), Some(day));
        }
    }
}
