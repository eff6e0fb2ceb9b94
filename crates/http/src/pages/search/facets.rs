//! The choices beside the search box, as they stand in the address. What cannot be meant is left out:
//! it is only a view.

use jiff::ToSpan;
use jiff::civil::Date;
use pdpp_contract::StreamName;
use pdpp_engine::owned::{OwnedConnection, OwnerPeriod};

use crate::pages::activity::FilterOption;
use crate::pages::address::query;
use crate::pages::fault::PageFault;
use crate::pages::names::{account_label, stream_label};
use crate::pages::plain;
use crate::pages::times::Times;
use crate::params::Params;

/// The choices.
#[derive(Debug, Clone, Default)]
pub struct SearchFacets {
    pub words: String,
    pub account: String,
    pub stream: String,
    /// A period by name: `7d`, `30d`, `1y`, or a year.
    pub time: String,
    pub cursor: String,
}

impl SearchFacets {
    /// Reads the address.
    pub fn parse(text: Option<&str>) -> Result<Self, PageFault> {
        let mut params = Params::parse(text).map_err(|_| PageFault::BadForm)?;
        let mut take = |name| {
            let value = params.take(name).map_err(|_| PageFault::BadForm)?;
            Ok::<_, PageFault>(value.unwrap_or_default())
        };
        Ok(Self {
            words: take("q")?.trim().to_owned(),
            account: take("account")?,
            stream: take("stream")?,
            time: take("time")?,
            cursor: take("cursor")?,
        })
    }

    /// The same choices in an address, with another place in the results.
    pub fn address(&self, cursor: &str) -> String {
        query(&[
            ("q", &self.words),
            ("account", &self.account),
            ("stream", &self.stream),
            ("time", &self.time),
            ("cursor", cursor),
        ])
    }

    /// The period by the owner's calendar.
    pub fn period(&self, times: &Times) -> OwnerPeriod {
        let back = match self.time.as_str() {
            "7d" => Some(6.days()),
            "30d" => Some(29.days()),
            "1y" => Some(1.year()),
            _ => None,
        };
        let start = |day: Option<Date>| day.and_then(|day| times.start_of(day));
        if let Some(back) = back {
            let since = start(times.today().checked_sub(back).ok());
            return OwnerPeriod { since, until: None };
        }
        let year = self.time.parse().ok().filter(|year| (1000..9999).contains(year));
        let first = |year: i16| Date::new(year, 1, 1).ok();
        OwnerPeriod {
            since: start(year.and_then(first)),
            until: start(year.and_then(|year| first(year + 1))),
        }
    }

    /// The account that is chosen, if it exists.
    pub fn account_in<'a>(&self, accounts: &'a [OwnedConnection]) -> Option<&'a OwnedConnection> {
        accounts.iter().find(|account| account.id.as_str() == self.account)
    }

    /// The stream that is chosen, if an account in view has it.
    pub fn stream_in(&self, accounts: &[OwnedConnection]) -> Option<StreamName> {
        let chosen = self.account_in(accounts);
        let mut accounts = accounts.iter().filter(|one| chosen.is_none_or(|c| c.id == one.id));
        let has = |one: &OwnedConnection| {
            one.streams.iter().any(|stream| stream.name.as_str() == self.stream)
        };
        accounts.any(has).then(|| self.stream.parse().ok()).flatten()
    }

    /// The options of the three choices.
    pub fn options(&self, accounts: &[OwnedConnection], times: &Times) -> FacetOptions {
        let option = |value: &str, name: String, now: &str| FilterOption {
            chosen: value == now,
            value: value.to_owned(),
            name,
        };
        let chosen = self.account_in(accounts);
        let in_view = accounts.iter().filter(|one| chosen.is_none_or(|c| c.id == one.id));
        let mut streams: Vec<FilterOption> = in_view
            .flat_map(|one| &one.streams)
            .map(|one| {
                option(one.name.as_str(), plain::first_upper(&stream_label(one)), &self.stream)
            })
            .collect();
        streams.sort_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
        streams.dedup_by(|a, b| a.value == b.value);
        let this_year = times.today().year();
        let mut spans = vec![
            option("7d", "The last 7 days".to_owned(), &self.time),
            option("30d", "The last 30 days".to_owned(), &self.time),
            option("1y", "The last 12 months".to_owned(), &self.time),
        ];
        for year in (0..10).map(|back| (this_year - back).to_string()) {
            spans.push(option(&year, year.clone(), &self.time));
        }
        let named =
            |one: &OwnedConnection| option(one.id.as_str(), account_label(one), &self.account);
        FacetOptions { accounts: accounts.iter().map(named).collect(), streams, spans }
    }
}

/// The options of the choices.
pub struct FacetOptions {
    pub accounts: Vec<FilterOption>,
    pub streams: Vec<FilterOption>,
    pub spans: Vec<FilterOption>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;

    #[test]
    fn a_period_follows_the_owner_s_calendar() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let times = Times::new("2026-11-15T12:00:00Z".parse().unwrap(), zone);
        let period = |time: &str| {
            let facets = SearchFacets { time: time.to_owned(), ..SearchFacets::default() };
            let period = facets.period(&times);
            (period.since.map(|at| at.to_string()), period.until.map(|at| at.to_string()))
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(period("7d"), (text("2026-11-08T23:00:00Z"), None));
        assert_eq!(period("2025"), (text("2024-12-31T23:00:00Z"), text("2025-12-31T23:00:00Z")));
        assert_eq!(period("x"), (None, None));
    }
}
