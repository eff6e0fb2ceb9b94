//! The posted choices become a draft. Only what this store has can be named.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use pdpp_auth::TimeRange;
use pdpp_auth::oauth::{ConsentDraft, DraftEntry, PendingAuthorization, RequestedStream};
use pdpp_contract::{AccessMode, FieldName, Instant};
use pdpp_engine::owned::{OwnedConnection, OwnedStream};

use crate::pages::fault::PageFault;
use crate::pages::form::PageForm;
use crate::pages::times::Times;

/// Lifetimes an owner can choose; the first is the default.
pub const LIFETIMES: [(&str, &str); 5] = [
    ("90d", "90 days"),
    ("1d", "1 day"),
    ("30d", "30 days"),
    ("365d", "1 year"),
    ("3650d", "10 years"),
];
/// The same for single-use access.
pub const SINGLE_USE_LIFETIMES: [(&str, &str); 3] =
    [("1h", "1 hour"), ("15m", "15 minutes"), ("1d", "1 day")];

/// The name of a stream in the form.
pub fn key(account: &OwnedConnection, stream: &OwnedStream) -> String {
    format!("{}/{}", account.id, stream.name)
}

/// Reads the choices. A name that is not among the accounts that may be chosen is refused.
pub fn read(
    form: &mut PageForm,
    accounts: &[OwnedConnection],
    pending: &PendingAuthorization,
    times: &Times,
) -> Result<ConsentDraft, PageFault> {
    let mut chosen = form.all("stream");
    let mut whole = form.all("account");
    let mut entries = Vec::new();
    for account in accounts {
        let before = whole.len();
        whole.retain(|one| one != account.id.as_str());
        let takes_all = whole.len() < before;
        for stream in &account.streams {
            let key = key(account, stream);
            let fields = form.all(&format!("field:{key}"));
            let all_fields = form.text(&format!("all:{key}"))? == "yes";
            let range = PeriodInput {
                preset: form.text(&format!("range:{key}"))?,
                since: form.text(&format!("since:{key}"))?,
                until: form.text(&format!("until:{key}"))?,
            };
            let before = chosen.len();
            chosen.retain(|one| *one != key);
            if chosen.len() == before && !takes_all {
                continue;
            }
            let limits = requested(pending, account, stream);
            let fields = match chosen_fields(&fields, stream)? {
                Some(fields) => Some(fields),
                None if all_fields => limits.and_then(|limits| limits.fields.clone()),
                // Without a ticked field nothing of the stream was chosen.
                None => continue,
            };
            let Some(time) = range.read(stream, limits, times)? else { continue };
            entries.push(DraftEntry {
                connection_id: account.id.clone(),
                stream: stream.name.clone(),
                fields,
                time: time.range(),
            });
        }
    }
    if !chosen.is_empty() || !whole.is_empty() {
        return Err(PageFault::BadForm);
    }
    let once = form.text("mode")? == "once";
    let lives = form.text(if once { "life_once" } else { "life" })?;
    let known = LIFETIMES.iter().chain(&SINGLE_USE_LIFETIMES).any(|(life, _)| *life == lives);
    let replaces = form.text("replaces")?;
    Ok(ConsentDraft {
        entries,
        access_mode: if once { AccessMode::SingleUse } else { AccessMode::Continuous },
        expires_in: lives.parse().ok().filter(|_| known),
        leave_out_codes: form.text("codes")? == "out",
        leave_out_secrets: form.text("secrets")? == "out",
        agrees_to_training: form.text("training")? == "yes",
        replaces: match replaces.as_str() {
            "" => None,
            id => Some(id.parse().map_err(|_| PageFault::BadForm)?),
        },
    })
}

/// What the client asked of a stream by name, if it asked for anything by name.
pub fn requested<'a>(
    pending: &'a PendingAuthorization,
    account: &OwnedConnection,
    stream: &OwnedStream,
) -> Option<&'a RequestedStream> {
    let entries = pending.requested.iter();
    let mut entries = entries.filter(|entry| entry.source_id == account.source_id);
    let is_meant = |one: &&RequestedStream| {
        let here = one.connections.is_empty() || one.connections.contains(&account.id);
        one.name == stream.name && here
    };
    entries.find_map(|entry| entry.streams.iter().find(is_meant))
}

/// The ticked fields; `None` when there are none. They narrow, even beside the tick for all fields.
fn chosen_fields(
    ticked: &[String],
    stream: &OwnedStream,
) -> Result<Option<Vec<FieldName>>, PageFault> {
    if ticked.is_empty() {
        return Ok(None);
    }
    let known = |name: &String| {
        let field = stream.fields.iter().find(|field| field.name.as_str() == name);
        field.map(|field| field.name.clone()).ok_or(PageFault::BadForm)
    };
    let mut fields: Vec<FieldName> = ticked.iter().map(known).collect::<Result<_, _>>()?;
    // In the declaration's order, once each: the same choice is the same draft.
    let place = |name: &FieldName| stream.fields.iter().position(|field| field.name == *name);
    fields.sort_by_key(place);
    fields.dedup();
    Ok(Some(fields))
}

/// What a period on the form means.
enum Period {
    Always,
    Within(TimeRange),
}

impl Period {
    fn range(self) -> Option<TimeRange> {
        match self {
            Self::Always => None,
            Self::Within(range) => Some(range),
        }
    }
}

/// A period as it was entered.
struct PeriodInput {
    preset: String,
    since: String,
    until: String,
}

impl PeriodInput {
    /// The period; `None` when it holds no moment, and then nothing of the stream was chosen.
    fn read(
        &self,
        stream: &OwnedStream,
        limits: Option<&RequestedStream>,
        times: &Times,
    ) -> Result<Option<Period>, PageFault> {
        if stream.time_field.is_none() {
            return Ok(Some(Period::Always));
        }
        let day = |text: &str| match text {
            "" => Ok(None),
            text => text.parse::<Date>().map(Some).map_err(|_| PageFault::BadForm),
        };
        let (mut since, until) = (day(&self.since)?, day(&self.until)?);
        let preset = match self.preset.as_str() {
            "30d" => times.today().checked_sub(29.days()).ok(),
            "12m" => times.today().checked_sub(12.months()).ok(),
            _ => None,
        };
        since = preset.or(since);
        // The last day is meant to be seen.
        let until = until.and_then(|day| day.tomorrow().ok());
        let instant = |day: Option<Date>| day.and_then(|day| times.start_of(day)).and_then(instant);
        let since = instant(since).or_else(|| limits.and_then(|limits| limits.since));
        let until = instant(until).or_else(|| limits.and_then(|limits| limits.until));
        if since.is_none() && until.is_none() {
            return Ok(Some(Period::Always));
        }
        Ok(TimeRange::new(since, until).map(Period::Within))
    }
}

fn instant(at: Timestamp) -> Option<Instant> {
    Instant::parse(&at.to_string())
}
