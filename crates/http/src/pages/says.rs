//! What a grant says, as the end of a sentence: from where, what, which fields, from when on.

use pdpp_contract::{Grant, Instant, StreamGrant};
use pdpp_engine::owned::OwnedStream;

use super::names::{Names, stream_label};
use super::plain;
use super::times::Times;

/// Fields named in one sentence; more are counted.
const NAMED_FIELDS: usize = 8;

/// One account's part of the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub account: String,
    pub things: Vec<Thing>,
    pub without_codes: bool,
    pub without_secrets: bool,
}

/// One stream's part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    pub name: String,
    /// `subject, sender and date`; absent when every field is shown.
    pub only: Option<String>,
    /// `from 1 Jan 2026 on`.
    pub range: Option<Span>,
}

/// A stretch of time in words, with its bold parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub from: Option<String>,
    pub until: Option<String>,
}

/// The clause of one grant.
pub fn clause(grant: &Grant, names: &Names, times: &Times) -> Clause {
    let connection = grant.streams.iter().flat_map(|stream| &stream.connection_ids).next();
    let account = connection.and_then(|id| names.account(id));
    let thing = |granted: &StreamGrant| {
        let mut streams = account.iter().flat_map(|account| &account.streams);
        thing(granted, streams.find(|stream| stream.name == granted.name), times)
    };
    Clause {
        account: connection.map_or_else(String::new, |id| names.account_label(id)),
        things: grant.streams.iter().map(thing).collect(),
        without_codes: grant.leave_out_codes,
        without_secrets: grant.leave_out_secrets,
    }
}

/// One granted stream in words; `known` is the stream as it is now.
pub fn thing(granted: &StreamGrant, known: Option<&OwnedStream>, times: &Times) -> Thing {
    let shows_all = known
        .is_some_and(|known| known.fields.iter().all(|field| granted.fields.contains(&field.name)));
    let range = granted.time_constraint.as_ref().map(|limit| {
        let day = |bound: &Option<String>| {
            let instant = bound.as_deref().and_then(Instant::parse)?;
            Some(times.day(instant.timestamp()).text)
        };
        Span { from: day(&limit.since), until: day(&limit.until) }
    });
    Thing {
        name: known.map_or_else(|| plain::words(granted.name.as_str()), stream_label),
        only: (!shows_all).then(|| fields(telling(granted, known).into_iter())),
        range,
    }
}

/// The fields that say something. What only names a record is always shown and said elsewhere,
/// unless nothing else is granted.
fn telling<'a>(granted: &'a StreamGrant, known: Option<&OwnedStream>) -> Vec<&'a str> {
    let is_key = |name: &str| {
        let mut fields = known.iter().flat_map(|known| &known.fields);
        fields.any(|field| field.is_key && field.name.as_str() == name)
    };
    let names = granted.fields.iter().map(AsRef::<str>::as_ref);
    let telling: Vec<&str> = names.clone().filter(|name| !is_key(name)).collect();
    if telling.is_empty() { names.collect() } else { telling }
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
