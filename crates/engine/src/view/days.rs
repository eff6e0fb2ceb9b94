//! Time limits that move with the days: resolved anew at each call, and for later pages on two days.

use jiff::civil::Date;
use pdpp_contract::grant::GrantFault;
use pdpp_contract::{Instant, TimeConstraint};

use crate::reader::GrantedReader;
use crate::sealed::binding::day_of;
use crate::sealed::seal::SealKind;
use crate::view::Authority;

/// The days in UTC on which a call resolves time limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ViewDays {
    /// When the first page was read.
    pub begun: Date,
    /// When this one is read.
    pub today: Date,
}

impl ViewDays {
    /// A call that continues nothing.
    pub(crate) fn on(today: Date) -> Self {
        Self { begun: today, today }
    }

    /// The bounds of a limit: what both days show.
    pub(crate) fn bounds(
        self,
        limit: &TimeConstraint,
    ) -> Result<(Option<Instant>, Option<Instant>), GrantFault> {
        let (since, until) = limit.bounds(self.today)?;
        if self.begun == self.today || !limit.rolls() {
            return Ok((since, until));
        }
        let (since_then, until_then) = limit.bounds(self.begun)?;
        let since = since.max(since_then);
        let until = until.into_iter().chain(until_then).min();
        // Nothing is left between them, which is not the same as no limit.
        let until = until.map(|until| since.map_or(until, |since| until.max(since)));
        Ok((since, until))
    }
}

impl GrantedReader {
    /// This reader for a call that may continue an earlier one: where a time limit rolls, it shows
    /// what the day of the first page and today both show.
    pub(crate) fn continuing(&self, kinds: &[SealKind], cursor: Option<&str>) -> Self {
        let sealer = &self.shared.sealer;
        let content = cursor
            .filter(|_| self.authority.rolls)
            .and_then(|cursor| kinds.iter().find_map(|kind| sealer.open(*kind, cursor)));
        let Some(begun) = content.as_deref().and_then(day_of) else {
            return self.clone();
        };
        let days = ViewDays { begun, ..self.authority.days };
        let authority = Authority { days, ..self.authority.clone() };
        Self { authority, ..self.clone() }
    }

    /// The day it is in UTC, on which rolling time limits are resolved.
    pub fn today(&self) -> Date {
        self.authority.days.today
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_page_shows_what_both_days_show() {
        let limit = |wire: &str| serde_json::from_str::<TimeConstraint>(wire).unwrap();
        let days = |begun: &str, today: &str| ViewDays {
            begun: begun.parse().unwrap(),
            today: today.parse().unwrap(),
        };
        let at = Instant::parse;
        let both = limit(r#"{"field":"at","since_rule":"-2d","until_rule":"+2d"}"#);
        for (begun, today, since, until) in [
            ("2026-03-10", "2026-03-10", "2026-03-08", "2026-03-12"),
            ("2026-03-10", "2026-03-11", "2026-03-09", "2026-03-12"),
            ("2026-03-11", "2026-03-10", "2026-03-09", "2026-03-12"),
            ("2026-03-10", "2026-04-10", "2026-04-08", "2026-04-08"),
        ] {
            let bounds = days(begun, today).bounds(&both).unwrap();
            assert_eq!(bounds, (at(since), at(until)), "{begun} {today}");
        }
        let since = limit(r#"{"field":"at","since_rule":"-2d"}"#);
        let bounds = days("2026-03-10", "2026-03-12").bounds(&since).unwrap();
        assert_eq!(bounds, (at("2026-03-10"), None));
    }
}
