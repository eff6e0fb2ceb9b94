//! Events of the log in words: "read 14 messages from Work mail".

use pdpp_auth::{AuditActor, AuditEvent, StoredEvent};

use crate::pages::names::{Names, stream_label};
use crate::pages::plain::{self, counted};
use crate::pages::times::{Times, When, day_words};

/// Accounts named in one line; the rest is counted.
const NAMED: usize = 3;

/// What happened on one day, alike things in one line.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadDay {
    pub day: String,
    pub lines: Vec<ReadLine>,
}

/// One kind of thing on one day.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadLine {
    pub words: String,
    pub last: When,
    pub refused: bool,
}

/// One kind of thing while it is being counted.
struct Heap<'a> {
    event: &'a AuditEvent,
    calls: u64,
    records: u64,
}

/// Sorts events, the newest first, into days and alike things.
pub fn by_day(events: &[StoredEvent], names: &Names, times: &Times) -> Vec<ReadDay> {
    let mut days: Vec<(jiff::civil::Date, Vec<Heap<'_>>)> = Vec::new();
    for stored in events {
        let event = &stored.event;
        let day = times.date(event.at);
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, Vec::new()));
        }
        let Some((_, heaps)) = days.last_mut() else { continue };
        match heaps.iter_mut().find(|heap| alike(heap.event, event)) {
            Some(heap) => {
                heap.calls += 1;
                heap.records += event.records_returned;
            }
            None => heaps.push(Heap { event, calls: 1, records: event.records_returned }),
        }
    }
    let line = |heap: &Heap<'_>| ReadLine {
        words: heap_words(heap, names),
        last: times.clock(heap.event.at),
        refused: is_refused(heap.event),
    };
    let day = |(day, heaps): (jiff::civil::Date, Vec<Heap<'_>>)| ReadDay {
        day: if day == times.today() { "Today".to_owned() } else { day_words(day) },
        lines: heaps.iter().map(line).collect(),
    };
    days.into_iter().map(day).collect()
}

/// Two reasons to refuse are two things: one of them may be a reach for what was not given.
fn alike(one: &AuditEvent, other: &AuditEvent) -> bool {
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

fn heap_words(heap: &Heap<'_>, names: &Names) -> String {
    let mut words = deed(heap.event, heap.records, names);
    if heap.calls > 1 {
        words.push_str(&format!(", in {}", counted(heap.calls, "call", "calls")));
    }
    plain::sentence(&words)
}

/// One event as a fragment: what was done, how much, of which account.
pub fn deed(event: &AuditEvent, records: u64, names: &Names) -> String {
    if is_refused(event) {
        let asked = asked(event);
        return match event.outcome.as_str() {
            // Noted before the log kept the reason of every refusal.
            AuditEvent::REFUSED => format!("{asked} and was refused"),
            code => format!("{asked} and was refused ({})", plain::words(code)),
        };
    }
    let accounts = accounts(event, names);
    let from = if accounts.is_empty() { String::new() } else { format!(" from {accounts}") };
    let things = things(event, records, names);
    match operation(event) {
        "schema" | "list_streams" | "stream" | "list_resources" | "complete" => {
            "looked at what it may read".to_owned()
        }
        "search" => format!("searched and was shown {things}{from}"),
        "query_records" | "list_records" | "fetch" | "record" => format!("read {things}{from}"),
        "read_record_field" | "field_window" | "read_resource" => {
            format!("read on in a long text{from}")
        }
        "aggregate" => format!("counted{from}"),
        "blob" => format!("opened a file{from}"),
        "ingest" | "import" => format!("added {things} to {accounts}"),
        other => owner_deed(other, &accounts, records),
    }
}

/// The same word for a tool of agents and for the route of programs that does the same.
fn operation(event: &AuditEvent) -> &str {
    let word = event.operation.as_str();
    word.strip_prefix("mcp_").unwrap_or(word)
}

/// What the owner does, or what happens at the door.
fn owner_deed(operation: &str, accounts: &str, records: u64) -> String {
    match operation {
        "grant_create" => format!("access was allowed to {accounts}"),
        "grant_revoke" => format!("access was stopped to {accounts}"),
        "rename_connection" => format!("{accounts} got another name"),
        "remove_connection" => {
            format!("an account was removed with {}", counted(records, "record", "records"))
        }
        "owner_setup" => "the first password was set".to_owned(),
        "owner_password" => "the password was changed".to_owned(),
        "owner_login" => "signed in".to_owned(),
        "owner_logout" => "signed out".to_owned(),
        AuditEvent::LOGIN_FAILED => "typed a wrong password".to_owned(),
        "owner_token_create" => "an owner token was made".to_owned(),
        "owner_token_revoke" => "an owner token was ended".to_owned(),
        "settings_change" => "a setting was changed".to_owned(),
        "audit_pruned" => "older entries of this log were removed".to_owned(),
        "clock_reset" => "the store's time was set back to the machine's clock".to_owned(),
        "authorization_requested" => "asked to be let in".to_owned(),
        "authorization_denied" => "an agent was refused".to_owned(),
        "token_issued" => "signed in".to_owned(),
        "token_refreshed" => "renewed its sign-in".to_owned(),
        "sign_in_ended" => "its sign-in was ended".to_owned(),
        "token_revoked" => "signed out".to_owned(),
        "delete_record" | "delete_records" => {
            format!("deleted {}", counted(records, "record", "records"))
        }
        other => plain::words(other),
    }
}

fn asked(event: &AuditEvent) -> String {
    match operation(event) {
        AuditEvent::REFUSED => "called".to_owned(),
        AuditEvent::LOGIN_FAILED => "typed a password".to_owned(),
        "search" => "searched".to_owned(),
        other => match &event.stream {
            Some(stream) => format!("asked for {}", plain::words(stream.as_str())),
            None => format!("asked ({})", plain::words(other)),
        },
    }
}

/// `14 messages`, or `14 records` when it was about no stream.
fn things(event: &AuditEvent, records: u64, names: &Names) -> String {
    let counted = counted(records, "record", "records");
    let Some(wanted) = &event.stream else { return counted };
    // An answer without records names no account.
    let ids = &event.connection_ids;
    let accounts = names.accounts.iter().filter(|one| ids.is_empty() || ids.contains(&one.id));
    let mut streams = accounts.flat_map(|account| &account.streams);
    match streams.find(|stream| stream.name == *wanted).map(stream_label) {
        // Names of streams are plurals, and nobody knows their singular.
        Some(name) if records != 1 => format!("{} {name}", plain::grouped(records)),
        Some(name) => format!("{counted} of {name}"),
        None => format!("{counted} of {}", plain::words(wanted.as_str())),
    }
}

/// `Work mail, Notes and 2 more`.
pub fn accounts(event: &AuditEvent, names: &Names) -> String {
    let ids = &event.connection_ids;
    let mut shown: Vec<String> = ids.iter().take(NAMED).map(|id| names.account_label(id)).collect();
    let rest = ids.len().saturating_sub(NAMED);
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
        AuditActor::Nobody => "Somebody".to_owned(),
    }
}
