//! `/owner/s/{session}/accounts/{id}/timeline`: the records of an account by day, the newest first.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use jiff::civil::Date;
use pdpp_contract::query::{ListRequest, Sort};
use pdpp_contract::record::Record;
use pdpp_contract::{ConnectionId, Instant, ReadApi};
use pdpp_engine::owned::{OwnedConnection, OwnedStream, OwnerPeriod};

use super::related::{author, title};
use crate::app::App;
use crate::pages::address::{self, query};
use crate::pages::done::Done;
use crate::pages::fault::PageFault;
use crate::pages::names::{account_label, stream_label};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::{Times, When, day_words};
use crate::params::Params;

/// Records on a page.
const ROWS: u32 = 40;
/// How much of long texts is read.
const PREVIEW_CHARS: u32 = 200;

#[derive(Template)]
#[template(path = "timeline.html")]
struct TimelinePage {
    shell: Shell,
    done: Option<&'static str>,
    trouble: Option<&'static str>,
    account_id: String,
    account: String,
    streams: Vec<StreamTab>,
    stream: String,
    has_time: bool,
    until: String,
    days: Vec<TimelineDay>,
    next: Option<String>,
}

/// A stream to choose.
struct StreamTab {
    name: String,
    label: String,
    count: String,
    chosen: bool,
}

/// The records of one day; without a day for those that know no time.
struct TimelineDay {
    day: Option<String>,
    rows: Vec<TimelineRow>,
}

struct TimelineRow {
    address: String,
    title: String,
    author: Option<String>,
    at: Option<When>,
}

/// The page.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    Done(done): Done,
    uri: Uri,
) -> Result<Response, PageFault> {
    let (engine, owner) = (&app.services.engine, session.access());
    let id: ConnectionId = id.parse().map_err(|_| PageFault::Missing)?;
    let mut params = Params::parse(uri.query()).map_err(|_| PageFault::BadForm)?;
    let mut take = |name| {
        let value = params.take(name).map_err(|_| PageFault::BadForm)?;
        Ok::<_, PageFault>(value.unwrap_or_default())
    };
    let (asked, until, cursor) = (take("stream")?, take("until")?, take("cursor")?);
    let times = Times::of(&app).await?;
    let owned = engine.owned_connections(owner).await?;
    let account = owned.iter().find(|account| account.id == id).ok_or(PageFault::Missing)?;
    let stream = chosen(account, &asked).ok_or(PageFault::Missing)?;
    let mut view = TimelinePage {
        shell: Shell::inside("Timeline", CurrentPage::Accounts, &app, &session),
        done,
        trouble: None,
        account_id: id.to_string(),
        account: account_label(account),
        streams: account.streams.iter().map(|one| tab(one, stream)).collect(),
        stream: stream.name.to_string(),
        has_time: stream.time_field.is_some(),
        until: until.parse::<Date>().map(|day| day.to_string()).unwrap_or_default(),
        days: Vec::new(),
        next: None,
    };
    // The last day that is typed is included.
    let end = view.until.parse::<Date>().ok().and_then(|day| day.tomorrow().ok());
    let end = end.filter(|_| view.has_time).and_then(|day| times.start_of(day));
    let period = OwnerPeriod { since: None, until: end };
    let reader = engine.owner_reader_within(owner.clone(), &period).await?;
    let mut request = ListRequest::new(stream.name.clone());
    request.connection_id = Some(id.clone());
    request.limit = Some(ROWS);
    request.sort = Some(Sort { field: None, descending: true });
    request.preview_chars = Some(PREVIEW_CHARS);
    request.cursor = Some(cursor).filter(|cursor| !cursor.is_empty());
    match reader.list(request).await {
        Ok(found) => {
            view.days = days(&found.data, &times);
            let address = |cursor: String| {
                let until = view.until.as_str();
                query(&[("stream", &view.stream), ("until", until), ("cursor", &cursor)])
            };
            view.next = found.next_cursor.map(address);
        }
        Err(error) if error.code.status() < 500 => {
            view.trouble =
                Some("This page is no longer valid. Start again from the newest records.");
        }
        Err(error) => return Err(error.into()),
    }
    Ok(page(&view))
}

/// The stream that is asked for, else the one with the most records.
fn chosen<'a>(account: &'a OwnedConnection, asked: &str) -> Option<&'a OwnedStream> {
    let named = account.streams.iter().find(|stream| stream.name.as_str() == asked);
    let timed = account.streams.iter().filter(|stream| stream.time_field.is_some());
    let largest = timed.max_by_key(|stream| stream.record_count).filter(|one| one.record_count > 0);
    named.or(largest).or_else(|| account.streams.iter().max_by_key(|stream| stream.record_count))
}

fn tab(stream: &OwnedStream, chosen: &OwnedStream) -> StreamTab {
    StreamTab {
        name: stream.name.to_string(),
        label: plain::first_upper(&stream_label(stream)),
        count: plain::grouped(stream.record_count),
        chosen: stream.name == chosen.name,
    }
}

fn days(records: &[Record], times: &Times) -> Vec<TimelineDay> {
    let mut days: Vec<TimelineDay> = Vec::new();
    for record in records {
        let at = record.roles.as_ref().zip(record.data.as_ref());
        let at = at.and_then(|(roles, data)| Instant::parse(&roles.time(data)?));
        let date = at.map(|at| times.date(at.timestamp()));
        let day = date
            .map(|date| if date == times.today() { "Today".to_owned() } else { day_words(date) });
        if days.last().is_none_or(|last| last.day != day) {
            days.push(TimelineDay { day, rows: Vec::new() });
        }
        let row = TimelineRow {
            address: address::record(
                record.connection_id.as_str(),
                record.stream.as_str(),
                record.id.as_str(),
            ),
            title: title(record),
            author: author(record),
            at: at.map(|at| times.clock(at.timestamp())),
        };
        if let Some(day) = days.last_mut() {
            day.rows.push(row);
        }
    }
    days
}
