//! The choices as they stand: every account, every stream, ticked as the draft says.

use pdpp_auth::oauth::{ConsentDraft, DraftEntry, PendingAuthorization};
use pdpp_contract::AccessMode;
use pdpp_engine::owned::{OwnedConnection, OwnedStream};

use super::draft_form::{LIFETIMES, SINGLE_USE_LIFETIMES, key, requested};
use crate::pages::names::{account_label, stream_label};
use crate::pages::plain;
use crate::pages::times::Times;

/// One account to choose from.
pub struct AccountChoice {
    pub id: String,
    pub label: String,
    pub source: String,
    pub records: String,
    pub is_open: bool,
    pub streams: Vec<StreamChoice>,
}

/// One stream to choose.
pub struct StreamChoice {
    pub key: String,
    pub label: String,
    pub about: String,
    pub is_chosen: bool,
    pub aside: Option<&'static str>,
    pub has_time: bool,
    pub since: String,
    pub until: String,
    pub fields: Vec<FieldChoice>,
    /// Whether some fields are ticked.
    pub is_narrowed: bool,
}

/// One field to choose.
pub struct FieldChoice {
    pub name: String,
    pub label: String,
    pub is_key: bool,
    pub is_chosen: bool,
}

/// How often and how long.
#[expect(clippy::struct_excessive_bools, reason = "each is a box of the form, ticked or not")]
pub struct Terms {
    pub once: bool,
    pub lives: Vec<(&'static str, &'static str, bool)>,
    pub short_lives: Vec<(&'static str, &'static str, bool)>,
    pub leaves_out_codes: bool,
    pub leaves_out_secrets: bool,
    pub agrees_to_training: bool,
}

/// The accounts that may be chosen: all of them, or those that the client asked for by name.
pub fn choosable(
    mut accounts: Vec<OwnedConnection>,
    pending: &PendingAuthorization,
) -> Vec<OwnedConnection> {
    if pending.requested.is_empty() {
        return accounts;
    }
    for account in &mut accounts {
        let entries = pending.requested.iter();
        let entry = entries.filter(|entry| entry.source_id == account.source_id);
        let entries: Vec<_> = entry.collect();
        let id = account.id.clone();
        account.streams.retain_mut(|stream| {
            let any = entries.iter().any(|entry| entry.streams.is_empty());
            let named = entries.iter().flat_map(|entry| &entry.streams);
            let named = named.filter(|one| one.name == stream.name);
            let mut named =
                named.filter(|one| one.connections.is_empty() || one.connections.contains(&id));
            let Some(named) = named.next() else { return any };
            if let Some(fields) = &named.fields {
                stream.fields.retain(|field| field.is_key || fields.contains(&field.name));
            }
            true
        });
    }
    accounts.retain(|account| !account.streams.is_empty());
    accounts
}

/// The choices, ticked as the draft says; without one nothing is.
pub fn accounts(
    accounts: &[OwnedConnection],
    pending: &PendingAuthorization,
    draft: Option<&ConsentDraft>,
    times: &Times,
) -> Vec<AccountChoice> {
    let account = |account: &OwnedConnection| {
        let entry = |stream: &OwnedStream| {
            let mut entries = draft.iter().flat_map(|draft| &draft.entries);
            entries.find(|one| one.connection_id == account.id && one.stream == stream.name)
        };
        let stream = |stream: &OwnedStream| {
            let optional = requested(pending, account, stream).is_some_and(|one| one.optional);
            let choice = stream_choice(key(account, stream), stream, entry(stream), times);
            StreamChoice { aside: optional.then_some("optional for the agent"), ..choice }
        };
        let streams: Vec<StreamChoice> = account.streams.iter().map(stream).collect();
        let records = account.streams.iter().map(|stream| stream.record_count).sum();
        AccountChoice {
            id: account.id.to_string(),
            label: account_label(account),
            source: plain::line(&account.source, 60),
            records: plain::counted(records, "record", "records"),
            is_open: streams.iter().any(|stream| stream.is_chosen) || accounts.len() == 1,
            streams,
        }
    };
    accounts.iter().map(account).collect()
}

fn stream_choice(
    key: String,
    stream: &OwnedStream,
    entry: Option<&DraftEntry>,
    times: &Times,
) -> StreamChoice {
    let ticked = entry.and_then(|entry| entry.fields.as_ref());
    let day = |at: Option<pdpp_contract::Instant>, last: bool| {
        let day = at.map(|at| times.date(at.timestamp()));
        let day = if last { day.and_then(|day| day.yesterday().ok()) } else { day };
        day.map(|day| day.to_string()).unwrap_or_default()
    };
    let time = entry.and_then(|entry| entry.time);
    let about = stream.description.as_deref().map(|text| plain::line(text, 120));
    StreamChoice {
        key,
        label: stream_label(stream),
        about: about.unwrap_or_else(|| plain::counted(stream.record_count, "record", "records")),
        is_chosen: entry.is_some(),
        aside: None,
        has_time: stream.time_field.is_some(),
        since: day(time.and_then(|time| time.since()?.instant()), false),
        until: day(time.and_then(|time| time.until()?.instant()), true),
        is_narrowed: ticked.is_some(),
        fields: stream
            .fields
            .iter()
            .map(|field| FieldChoice {
                name: field.name.to_string(),
                label: plain::words(field.name.as_str()),
                is_key: field.is_key,
                is_chosen: ticked.is_some_and(|ticked| ticked.contains(&field.name)),
            })
            .collect(),
    }
}

/// How often and how long, as the draft says; codes and secrets are left out unless the owner says otherwise.
pub fn terms(draft: Option<&ConsentDraft>) -> Terms {
    let life = draft.and_then(|draft| draft.expires_in).map(|life| life.to_string());
    let chosen = |list: &[(&'static str, &'static str)]| {
        let is = |value: &str| life.as_deref().is_some_and(|life| life == value);
        list.iter().map(|(value, name)| (*value, *name, is(value))).collect()
    };
    Terms {
        once: draft.is_some_and(|draft| draft.access_mode == AccessMode::SingleUse),
        lives: chosen(&LIFETIMES),
        short_lives: chosen(&SINGLE_USE_LIFETIMES),
        leaves_out_codes: draft.is_none_or(|draft| draft.leave_out_codes),
        leaves_out_secrets: draft.is_none_or(|draft| draft.leave_out_secrets),
        agrees_to_training: draft.is_some_and(|draft| draft.agrees_to_training),
    }
}
