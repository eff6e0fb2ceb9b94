//! `pdpp audit list`: events, the newest first.

use clap::Args;
use pdpp_auth::TokenFingerprint;
use pdpp_contract::ClientName;
use pdpp_store::audit::{AuditActor, AuditQuery, StoredEvent};
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::moment::Moment;
use crate::output::{Output, without_nulls};
use crate::table::{Table, grouped};

/// How many events are shown when nothing else is said.
const USUAL_LIMIT: u32 = 100;

/// Which events.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only what this agent did
    #[arg(long, value_name = "NAME")]
    client: Option<ClientName>,
    /// Only from this time on: 7d, a date or an RFC 3339 time
    #[arg(long, value_name = "T")]
    since: Option<Moment>,
    /// Only events before this number: the next page
    #[arg(long, value_name = "EVENT")]
    before: Option<u64>,
    /// At most so many events [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: Option<u32>,
}

impl ListArgs {
    /// Whether anything was asked for.
    pub fn is_given(&self) -> bool {
        let (client, since) = (self.client.is_some(), self.since.is_some());
        client || since || self.before.is_some() || self.limit.is_some()
    }

    /// These options, unless `inner` says otherwise.
    pub fn overlaid(self, inner: Self) -> Self {
        Self {
            client: inner.client.or(self.client),
            since: inner.since.or(self.since),
            before: inner.before.or(self.before),
            limit: inner.limit.or(self.limit),
        }
    }
}

/// Lists the events.
pub async fn run(args: &ListArgs, app: &App, output: &Output) -> Result<Exit, Failure> {
    let limit = args.limit.unwrap_or(USUAL_LIMIT);
    let query = AuditQuery {
        client: args.client.clone(),
        // A time before all time leaves nothing out.
        since: args.since.and_then(|since| since.seen_from(app.clock.now())),
        before: args.before,
        limit: limit + 1,
    };
    let mut events = app.store.audit_events(&query).await?;
    let more = events.len() > limit as usize;
    events.truncate(limit as usize);
    let documents: Vec<Value> = events.iter().map(document).collect();
    output
        .answer(&json!({ "events": documents, "more": more }), || words(&events, more, output))?;
    Ok(Exit::Done)
}

fn document(stored: &StoredEvent) -> Value {
    let event = &stored.event;
    without_nulls(json!({
        "event": stored.event_no,
        "at": event.at.to_string(),
        "actor": actor_kind(&event.actor),
        "client": client(&event.actor),
        "operation": event.operation.as_str(),
        "outcome": event.outcome.as_str(),
        "connection_ids": event.connection_ids,
        "stream": event.stream,
        "records_returned": event.records_returned,
        "bytes_returned": event.bytes_returned,
        "package_id": event.package_id,
        "token_fingerprint": event.token_fingerprint.as_ref().map(TokenFingerprint::as_str),
        "request_id": event.request_id,
    }))
}

fn actor_kind(actor: &AuditActor) -> &'static str {
    match actor {
        AuditActor::Owner => "owner",
        AuditActor::Client(_) => "client",
    }
}

fn client(actor: &AuditActor) -> Option<&ClientName> {
    match actor {
        AuditActor::Owner => None,
        AuditActor::Client(name) => Some(name),
    }
}

fn words(events: &[StoredEvent], more: bool, output: &Output) -> String {
    let Some(last) = events.last() else {
        return "No events.\n".to_owned();
    };
    let heads = ["#event", "time", "who", "operation", "stream", "#records", "#bytes", "outcome"];
    let mut table = Table::new(&heads);
    for stored in events {
        let event = &stored.event;
        let stream = event.stream.as_ref();
        table.row([
            stored.event_no.to_string(),
            format!("{:.0}", event.at),
            client(&event.actor).map_or_else(|| "(owner)".to_owned(), ToString::to_string),
            event.operation.as_str().to_owned(),
            stream.map(ToString::to_string).unwrap_or_default(),
            grouped(event.records_returned),
            grouped(event.bytes_returned),
            event.outcome.as_str().to_owned(),
        ]);
    }
    let table = table.render(output);
    if more {
        format!("{table}\nOlder events: pdpp audit --before {}\n", last.event_no)
    } else {
        table
    }
}
