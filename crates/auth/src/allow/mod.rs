//! What an owner writes to allow something: `work-mail/messages:subject,from@2026-01-01..`.

mod parse;

use jiff::civil::Date;
use pdpp_contract::rolling::RollingDay;
use pdpp_contract::{FieldName, Instant, StreamName};
use pdpp_store::connections::ConnectionRef;

/// Shown with every complaint about a spec.
const EXAMPLE: &str = "work-mail/messages:subject,from@2026-01-01..2026-07-01";

/// One thing to allow: a connection, a stream of it, or some fields of that stream.
///
/// As text, a field name with a comma cannot be written; every other name can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowSpec {
    /// The connection, by short name or id.
    pub connection: ConnectionRef,
    /// One stream; absent means all that the connection declares now.
    pub stream: Option<StreamAllow>,
    /// The span of time; absent means all of it.
    pub time: Option<TimeRange>,
}

/// One stream to allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamAllow {
    /// The stream.
    pub name: StreamName,
    /// Some fields, at least one; absent means all that the stream declares now.
    pub fields: Option<Vec<FieldName>>,
}

/// A span of time with at least one end: `since` inclusive, `until` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    since: Option<RangeEnd>,
    until: Option<RangeEnd>,
}

/// One end of a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// This instant, for good.
    At(Instant),
    /// A day that is counted from today, anew at each call.
    Rolling(RollingDay),
}

impl RangeEnd {
    /// The instant, of an end that is frozen.
    pub fn instant(self) -> Option<Instant> {
        match self {
            Self::At(instant) => Some(instant),
            Self::Rolling(_) => None,
        }
    }

    /// The rule, of an end that rolls.
    pub fn rule(self) -> Option<RollingDay> {
        match self {
            Self::At(_) => None,
            Self::Rolling(rule) => Some(rule),
        }
    }

    /// Reads an instant or a rule as [`Self`] prints it.
    pub fn parse(text: &str) -> Option<Self> {
        let rule = || RollingDay::parse(text).map(Self::Rolling);
        Instant::parse(text).map(Self::At).or_else(rule)
    }
}

impl std::fmt::Display for RangeEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::At(instant) => instant.fmt(f),
            Self::Rolling(rule) => rule.fmt(f),
        }
    }
}

impl TimeRange {
    /// `None` when it would hold no instant or every instant.
    pub fn new(since: Option<Instant>, until: Option<Instant>) -> Option<Self> {
        Self::between(since.map(RangeEnd::At), until.map(RangeEnd::At))
    }

    /// The same with ends that may roll. Two that roll must leave a day between them.
    pub fn between(since: Option<RangeEnd>, until: Option<RangeEnd>) -> Option<Self> {
        // Any day will do: both move alike.
        let day = Date::constant(2026, 1, 1);
        let holds_some = match (since, until) {
            (None, None) => false,
            (Some(RangeEnd::At(since)), Some(RangeEnd::At(until))) => since < until,
            (Some(RangeEnd::Rolling(since)), Some(RangeEnd::Rolling(until))) => {
                since.date(day) < until.date(day)
            }
            _ => true,
        };
        holds_some.then_some(Self { since, until })
    }

    /// The first instant inside.
    pub fn since(&self) -> Option<RangeEnd> {
        self.since
    }

    /// The first instant outside.
    pub fn until(&self) -> Option<RangeEnd> {
        self.until
    }
}

/// Why a spec cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFault {
    /// The spec as it was written.
    pub spec: String,
    /// Where the fault stands, in characters from one; absent when it is about the whole.
    pub position: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for SpecFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "'{}'", self.spec)?;
        if let Some(position) = self.position {
            write!(f, ", character {position}")?;
        }
        write!(f, ": {}; an example: {EXAMPLE}", self.reason)
    }
}

impl std::error::Error for SpecFault {}

impl std::str::FromStr for AllowSpec {
    type Err = SpecFault;

    fn from_str(text: &str) -> Result<Self, SpecFault> {
        parse::spec(text)
    }
}

impl std::fmt::Display for AllowSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names = connection_text(&self.connection).to_owned();
        if let Some(stream) = &self.stream {
            names.push('/');
            names.push_str(stream.name.as_str());
            let fields = stream.fields.iter().flatten();
            for (index, field) in fields.enumerate() {
                names.push(if index == 0 { ':' } else { ',' });
                names.push_str(field.as_str());
            }
        }
        f.write_str(&names)?;
        match &self.time {
            Some(range) => {
                let since = range.since.map(|end| match end {
                    RangeEnd::At(instant) => instant.to_string(),
                    RangeEnd::Rolling(rule) => rule.as_since(),
                });
                let until = range.until.map(|end| end.to_string());
                write!(f, "@{}..{}", since.unwrap_or_default(), until.unwrap_or_default())
            }
            // Otherwise what follows an '@' in a name would be read as a time.
            None if names.contains('@') => f.write_str("@"),
            None => Ok(()),
        }
    }
}

/// How the owner named the connection.
pub(crate) fn connection_text(connection: &ConnectionRef) -> &str {
    match connection {
        ConnectionRef::Id(id) => id.as_str(),
        ConnectionRef::Name(name) => name.as_str(),
    }
}
