//! Events of the log in words: "read 14 messages from Work mail".

use pdpp_contract::access::{AuditActor, AuditEvent, StoredEvent};

use crate::pages::names::{DisplayNames, stream_label};
use crate::pages::plain::{self, counted};
use crate::pages::times::{Times, When, day_words};

/// Accounts named in one line; the rest is counted.
const MAX_ACCOUNTS_NAMED: usize = 3;

/// What happened on one day, alike things in one line.
#[derive(Debug, PartialEq, Eq)]
pub struct ActivityDay {
    pub day: String,
    pub lines: Vec<ActivityLine>,
}

/// One kind of thing on one day.
#[derive(Debug, PartialEq, Eq)]
pub struct ActivityLine {
    pub words: String,
    pub last: When,
    pub refused: bool,
}

/// One kind of thing while it is being counted.
struct EventGroup<'a> {
    event: &'a AuditEvent,
    calls: u64,
    records: u64,
}

/// Sorts events, the newest first, into days and alike things.
pub fn by_day(events: &[StoredEvent], names: &DisplayNames, times: &Times) -> Vec<ActivityDay> {
    let mut days: Vec<(jiff::civil::Date, Vec<EventGroup<'_>>)> = Vec::new();
    for stored in events {
        let event = &stored.event;
        let day = times.date(event.at);
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, Vec::new()));
        }
        let Some((_, groups)) = days.last_mut() else { continue };
        match groups.iter_mut().find(|group| is_same_kind(group.event, event)) {
            Some(group) => {
                group.calls += 1;
                group.records += event.records_returned;
            }
            None => groups.push(EventGroup { event, calls: 1, records: event.records_returned }),
        }
    }
    let line = |group: &EventGroup<'_>| ActivityLine {
        words: group_line(group, names),
        last: times.clock(group.event.at),
        refused: is_alarming(group.event),
    };
    let day = |(day, groups): (jiff::civil::Date, Vec<EventGroup<'_>>)| ActivityDay {
        day: if day == times.today() { "Today".to_owned() } else { day_words(day) },
        lines: groups.iter().map(line).collect(),
    };
    days.into_iter().map(day).collect()
}

/// Two reasons to refuse are two things: one of them may be a reach for what was not given.
pub fn is_same_kind(one: &AuditEvent, other: &AuditEvent) -> bool {
    one.operation == other.operation
        && one.stream == other.stream
        && one.outcome == other.outcome
        // A refusal names no accounts.
        && (is_refused(one) || one.connection_ids == other.connection_ids)
}

/// Whether something was asked for and not given.
pub fn is_refused(event: &AuditEvent) -> bool {
    event.outcome.as_str() != "ok"
}

/// Whether a refusal deserves the owner's attention. An agent that has yet to choose an account
/// reached for nothing.
pub fn is_alarming(event: &AuditEvent) -> bool {
    is_refused(event) && event.outcome.as_str() != "ambiguous_connection"
}

fn group_line(group: &EventGroup<'_>, names: &DisplayNames) -> String {
    let mut words = describe(group.event, group.records, names);
    if group.calls > 1 {
        words.push_str(&format!(", in {}", counted(group.calls, "call", "calls")));
    }
    plain::sentence(&words)
}

/// One event as a fragment: what was done, how much, of which account.
pub fn describe(event: &AuditEvent, records: u64, names: &DisplayNames) -> String {
    if is_refused(event) {
        let asked = asked(event);
        return match event.outcome.as_str() {
            // Noted before the log kept the reason of every refusal.
            AuditEvent::REFUSED => format!("{asked}: refused"),
            // Not a refusal: the agent is told which accounts to choose from.
            "ambiguous_connection" => format!("{asked}: no account given"),
            code => format!("{asked}: refused ({})", plain::words(code)),
        };
    }
    let accounts = accounts(event, names);
    let from = if accounts.is_empty() { String::new() } else { format!(" from {accounts}") };
    let things = things(event, records, names);
    match operation(event) {
        "schema" | "list_streams" | "stream" | "list_resources" | "complete" => {
            "listed what it may read".to_owned()
        }
        "search" => format!("searched: {things}{from}"),
        "query_records" | "list_records" | "fetch" | "record" => format!("read {things}{from}"),
        "read_record_field" | "field_window" | "read_resource" => {
            format!("read part of a long text{from}")
        }
        "aggregate" => format!("counted{from}"),
        "blob" => format!("opened a file{from}"),
        "ingest" | "import" => format!("added {things} to {accounts}"),
        other => describe_owner_event(other, &accounts, records),
    }
}

/// The same word for a tool of agents and for the route of programs that does the same.
fn operation(event: &AuditEvent) -> &str {
    let word = event.operation.as_str();
    word.strip_prefix("mcp_").unwrap_or(word)
}

/// What the owner does, or what happens at the door.
fn describe_owner_event(operation: &str, accounts: &str, records: u64) -> String {
    match operation {
        "grant_create" => format!("allowed access to {accounts}"),
        "grant_revoke" => format!("stopped access to {accounts}"),
        "rename_connection" => format!("renamed {accounts}"),
        "remove_connection" => {
            format!("removed an account with {}", counted(records, "record", "records"))
        }
        "owner_setup" => "set the first password".to_owned(),
        "owner_password" => "changed the password".to_owned(),
        "owner_login" => "signed in".to_owned(),
        "owner_logout" => "signed out".to_owned(),
        AuditEvent::LOGIN_FAILED => "entered a wrong password".to_owned(),
        "owner_token_create" => "created an owner token".to_owned(),
        "owner_token_revoke" => "revoked an owner token".to_owned(),
        "settings_change" => "changed a setting".to_owned(),
        "audit_pruned" => "older log entries removed".to_owned(),
        "clock_reset" => "reset the store's clock to the system clock".to_owned(),
        "authorization_requested" => "requested access".to_owned(),
        "authorization_denied" => "refused an agent's request".to_owned(),
        "token_issued" => "signed in".to_owned(),
        "token_refreshed" => "refreshed its sign-in".to_owned(),
        "sign_in_ended" => "signed out by the server".to_owned(),
        "token_revoked" => "signed out".to_owned(),
        "delete_record" | "delete_records" => {
            format!("deleted {}", counted(records, "record", "records"))
        }
        other => plain::words(other),
    }
}

fn asked(event: &AuditEvent) -> String {
    match operation(event) {
        AuditEvent::REFUSED => "call".to_owned(),
        AuditEvent::LOGIN_FAILED => "sign-in".to_owned(),
        other => match &event.stream {
            Some(stream) => {
                format!("{} of {}", plain::words(other), plain::words(stream.as_str()))
            }
            None => plain::words(other),
        },
    }
}

/// `14 messages`, or `14 records` when it was about no stream.
fn things(event: &AuditEvent, records: u64, names: &DisplayNames) -> String {
    let counted = counted(records, "record", "records");
    let Some(wanted) = &event.stream else { return counted };
    // An answer without records names no account.
    let ids = &event.connection_ids;
    let accounts = names.accounts.iter().filter(|one| ids.is_empty() || ids.contains(&one.id));
    let mut streams = accounts.flat_map(|account| &account.streams);
    match streams.find(|stream| stream.name == *wanted).map(stream_label) {
        // DisplayNames of streams are plurals, and nobody knows their singular.
        Some(name) if records != 1 => format!("{} {name}", plain::grouped(records)),
        Some(name) => format!("{counted} of {name}"),
        None => format!("{counted} of {}", plain::words(wanted.as_str())),
    }
}

/// `Work mail, Notes and 2 more`.
pub fn accounts(event: &AuditEvent, names: &DisplayNames) -> String {
    let ids = &event.connection_ids;
    let mut shown: Vec<String> =
        ids.iter().take(MAX_ACCOUNTS_NAMED).map(|id| names.account_label(id)).collect();
    let rest = ids.len().saturating_sub(MAX_ACCOUNTS_NAMED);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    plain::listed(&shown)
}

/// Who did it, in a word.
pub fn who(event: &AuditEvent) -> String {
    match &event.actor {
        AuditActor::Owner => "You".to_owned(),
        AuditActor::Client(name) => plain::line(name.as_str(), 80),
        AuditActor::Nobody => "Unknown".to_owned(),
    }
}
