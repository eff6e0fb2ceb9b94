//! A grant in words, as the end of a sentence: which account, streams, fields and period.

use pdpp_contract::rolling::RollingDay;
use pdpp_contract::{Grant, Instant, StreamGrant};
use pdpp_engine::owned::OwnedStream;

use super::names::{DisplayNames, stream_label};
use super::plain;
use super::times::Times;

/// Fields named in one sentence; more are counted.
const NAMED_FIELDS: usize = 8;

/// One account's part of the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub account: String,
    pub streams: Vec<StreamClause>,
    pub without_codes: bool,
    pub without_secrets: bool,
}

/// One stream's part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamClause {
    pub name: String,
    /// `subject, sender and date`; absent when every field is shown.
    pub only: Option<String>,
    /// `from 1 Jan 2026 on`.
    pub range: Option<TimeLimit>,
}

/// A time limit in words, with its bold parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeLimit {
    pub from: Option<String>,
    pub until: Option<String>,
}

/// The clause of one grant.
pub fn clause(grant: &Grant, names: &DisplayNames, times: &Times) -> Clause {
    let connection = grant.streams.iter().flat_map(|stream| &stream.connection_ids).next();
    let account = connection.and_then(|id| names.account(id));
    let describe = |granted: &StreamGrant| {
        let mut streams = account.iter().flat_map(|account| &account.streams);
        stream_clause(granted, streams.find(|stream| stream.name == granted.name), times)
    };
    Clause {
        account: connection.map_or_else(String::new, |id| names.account_label(id)),
        streams: grant.streams.iter().map(describe).collect(),
        without_codes: grant.leave_out_codes,
        without_secrets: grant.leave_out_secrets,
    }
}

/// One granted stream in words; `known` is the stream as it is now.
pub fn stream_clause(
    granted: &StreamGrant,
    known: Option<&OwnedStream>,
    times: &Times,
) -> StreamClause {
    let shows_all = known
        .is_some_and(|known| known.fields.iter().all(|field| granted.fields.contains(&field.name)));
    let range = granted.time_constraint.as_ref().map(|limit| {
        let day = |bound: &Option<String>| {
            let instant = bound.as_deref().and_then(Instant::parse)?;
            Some(times.day(instant.timestamp()).text)
        };
        let rule = |rule: Option<RollingDay>| rule.map(RollingDay::words);
        TimeLimit {
            from: day(&limit.since).or_else(|| rule(limit.since_rule)),
            until: day(&limit.until).or_else(|| rule(limit.until_rule)),
        }
    });
    StreamClause {
        name: known.map_or_else(|| plain::words(granted.name.as_str()), stream_label),
        only: (!shows_all).then(|| fields(named_fields(granted, known).into_iter())),
        range,
    }
}

/// The fields that say something. What only names a record is always shown and said elsewhere,
/// unless nothing else is granted.
fn named_fields<'a>(granted: &'a StreamGrant, known: Option<&OwnedStream>) -> Vec<&'a str> {
    let is_key = |name: &str| {
        let mut fields = known.iter().flat_map(|known| &known.fields);
        fields.any(|field| field.is_key && field.name.as_str() == name)
    };
    let names = granted.fields.iter().map(AsRef::<str>::as_ref);
    let named_fields: Vec<&str> = names.clone().filter(|name| !is_key(name)).collect();
    if named_fields.is_empty() { names.collect() } else { named_fields }
}

/// Field names as a list in words.
pub fn fields<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(plain::words).collect();
    let Some((shown, rest)) = names.split_at_checked(NAMED_FIELDS) else {
        return plain::listed(&names);
    };
    if rest.is_empty() {
        return plain::listed(&names);
    }
    format!("{} and {} more", shown.join(", "), rest.len())
}
