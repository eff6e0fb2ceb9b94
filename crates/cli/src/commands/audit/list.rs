//! `pdpp audit list`: events, the newest first.

use clap::Args;
use pdpp_auth::{actor_kind, event_document};
use pdpp_contract::ClientName;
use pdpp_contract::access::{AuditQuery, StoredEvent};
use serde_json::{Value, json};

use super::names::AuditNames;
use crate::app::CliApp;
use crate::cli::past_time::PastTime;
use crate::failure::{Exit, Failure};
use crate::output::table::{TextTable, grouped};
use crate::output::{Output, quoted, without_nulls};

/// How many events are shown when nothing else is said.
const USUAL_LIMIT: u32 = 100;

/// Which events.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only events of this agent
    #[arg(long, value_name = "NAME")]
    client: Option<ClientName>,
    /// Only events since this time: 7d, a date or an RFC 3339 time
    #[arg(long, value_name = "T")]
    since: Option<PastTime>,
    /// Only events before this event number, for the next page
    #[arg(long, value_name = "EVENT")]
    before: Option<u64>,
    /// Maximum number of events [default: 100]
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
pub async fn run(args: &ListArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let limit = args.limit.unwrap_or(USUAL_LIMIT);
    let query = AuditQuery {
        client: args.client.clone(),
        // A time before all time leaves nothing out.
        since: args.since.and_then(|since| since.seen_from(app.clock.now())),
        before: args.before,
        limit: limit + 1,
        ..AuditQuery::default()
    };
    let mut events = app.store.audit_events(&query).await?;
    let more = events.len() > limit as usize;
    events.truncate(limit as usize);
    let names = AuditNames::read(app).await?;
    let documents: Vec<Value> = events.iter().map(|event| document(event, &names)).collect();
    let reach = app.store.history().await?;
    let document = without_nulls(json!({
        "events": documents,
        "more": more,
        "log_from": reach.audit_from.map(|at| at.to_string()),
        "pruned_until": reach.audit_pruned.as_ref().map(|pruned| pruned.until.to_string()),
    }));
    output.answer(&document, || {
        let Some(last) = events.last() else {
            return "No events.\n".to_owned();
        };
        let table = table(&events, &names, output);
        if !more {
            let from = reach.audit_from.map(|at| format!("\nThe log starts at {at:.0}.\n"));
            return format!("{table}{}", from.unwrap_or_default());
        }
        let next = app.data_dir.advice(&next_page(&query, args.limit, last.event_no));
        format!("{table}\nOlder events: {next}\n")
    })?;
    Ok(Exit::Done)
}

fn document(stored: &StoredEvent, names: &AuditNames) -> Value {
    let mut document = event_document(stored);
    if let (Some(members), Some(client)) =
        (document.as_object_mut(), names.client_of(&stored.event))
    {
        members.insert("about_client".to_owned(), json!(client));
    }
    document
}

fn table(events: &[StoredEvent], names: &AuditNames, output: &Output) -> String {
    let heads = [
        "#event",
        "time",
        "actor",
        "operation",
        "about",
        "stream",
        "#records",
        "#bytes",
        "outcome",
    ];
    let mut table = TextTable::new(&heads);
    for stored in events {
        let event = &stored.event;
        let stream = event.stream.as_ref();
        let who = event.actor.client().map(ToString::to_string);
        table.row([
            stored.event_no.to_string(),
            format!("{:.0}", event.at),
            who.unwrap_or_else(|| format!("({})", actor_kind(&event.actor))),
            event.operation.as_str().to_owned(),
            names.about(event),
            stream.map(ToString::to_string).unwrap_or_default(),
            grouped(event.records_returned),
            grouped(event.bytes_returned),
            event.outcome.as_str().to_owned(),
        ]);
    }
    table.render(output)
}

/// The command for the page after this one, with everything that was asked for. A time that was
/// given as a distance stands still from one page to the next.
fn next_page(query: &AuditQuery, limit: Option<u32>, last: u64) -> String {
    let mut command = "audit".to_owned();
    if let Some(client) = &query.client {
        command = format!("{command} --client {}", quoted(client.as_str()));
    }
    if let Some(since) = query.since {
        command = format!("{command} --since {since}");
    }
    if let Some(limit) = limit {
        command = format!("{command} --limit {limit}");
    }
    format!("{command} --before {last}")
}
