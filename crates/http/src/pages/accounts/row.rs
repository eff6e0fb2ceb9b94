//! One account as both pages show it.

use jiff::Timestamp;
use pdpp_contract::Instant;
use pdpp_engine::owned::{OwnedConnection, OwnedStream};

use crate::pages::names::{account_label, stream_label};
use crate::pages::plain;
use crate::pages::times::{Times, When};

/// One account.
pub struct AccountRow {
    pub id: String,
    pub name: String,
    pub label: String,
    pub source: String,
    /// With its unit.
    pub records: String,
    /// The bare number.
    pub count: String,
    pub since: When,
    /// The first and the newest record of all streams that know time.
    pub first: Option<When>,
    pub newest: Option<When>,
    pub streams: Vec<AccountStreamRow>,
}

/// One of its streams.
pub struct AccountStreamRow {
    pub label: String,
    pub description: Option<String>,
    pub count: String,
    pub first: Option<When>,
    pub newest: Option<When>,
    pub fields: String,
}

impl AccountRow {
    pub fn of(account: &OwnedConnection, times: &Times) -> Self {
        let records = account.streams.iter().map(|stream| stream.record_count).sum();
        let spans = || account.streams.iter().filter_map(span);
        Self {
            id: account.id.to_string(),
            name: account.name.clone(),
            label: account_label(account),
            source: plain::line(&account.source, 60),
            records: plain::counted(records, "record", "records"),
            count: plain::grouped(records),
            since: times.day(account.created_at),
            first: spans().map(|(first, _)| first).min().map(|at| times.day(at)),
            newest: spans().map(|(_, last)| last).max().map(|at| times.moment(at)),
            streams: account.streams.iter().map(|stream| stream_row(stream, times)).collect(),
        }
    }
}

fn stream_row(stream: &OwnedStream, times: &Times) -> AccountStreamRow {
    let span = span(stream);
    let fields: Vec<String> =
        stream.fields.iter().map(|field| plain::words(field.name.as_str())).collect();
    AccountStreamRow {
        label: stream_label(stream),
        description: stream.description.as_deref().map(|text| plain::line(text, 200)),
        count: plain::grouped(stream.record_count),
        first: span.map(|(first, _)| times.day(first)),
        newest: span.map(|(_, last)| times.moment(last)),
        fields: plain::listed(&fields),
    }
}

fn span(stream: &OwnedStream) -> Option<(Timestamp, Timestamp)> {
    let (first, last) = stream.span.as_ref()?;
    Some((Instant::parse(first)?.timestamp(), Instant::parse(last)?.timestamp()))
}
