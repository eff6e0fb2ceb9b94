//! `pdpp search`: the owner's search over everything, ranked as for agents.

use std::collections::HashMap;

use clap::Args;
use pdpp_contract::search::{SearchHit, SearchPage, SearchRequest, Snippet};
use pdpp_contract::{ConnectionId, ConnectionName, ReadApi, StreamName};
use pdpp_store::connections::ConnectionRef;
use serde_json::{Value, json};

use super::AsArgs;
use super::record_id::shown;
use super::viewpoint::Viewpoint;
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::{Exit, Failure};
use crate::output::words::Words;
use crate::output::{Output, Style, plain, quoted, without_nulls};

/// What precedes and follows a match in a snippet.
const MARKS: [&str; 2] = ["<mark>", "</mark>"];

/// Search all accounts, ranked as for agents
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What to look for; "…" is a phrase, word* a beginning
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// Only this account: its name or cin_ id
    #[arg(long, value_name = "NAME", value_parser = connection_ref)]
    account: Option<ConnectionRef>,
    /// Only this stream; can be repeated
    #[arg(long, value_name = "STREAM")]
    stream: Vec<StreamName>,
    #[command(flatten)]
    viewpoint: AsArgs,
    /// Results on a page, at most 100 [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: Option<u32>,
    /// Continue after an earlier page
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

/// Searches.
pub async fn run(args: SearchArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let viewpoint = Viewpoint::open(&args.viewpoint, app).await?;
    let connection_id = match &args.account {
        None => None,
        Some(which) => Some(app.connection(which).await?.id),
    };
    let request = SearchRequest {
        q: args.words.join(" "),
        streams: args.stream.clone(),
        connection_id,
        limit: Some(args.limit.unwrap_or(10)),
        cursor: args.cursor.clone(),
        filter: Vec::new(),
    };
    let page = viewpoint.reader.search(request).await?;
    let connections = app.store.list_connections().await?.into_iter();
    let names = connections.map(|one| (one.id, one.name)).collect();
    let document = document(&page, &names, &viewpoint);
    output.answer(&document, || words(&page, &names, &args, app, output))?;
    Ok(Exit::Done)
}

type Names = HashMap<ConnectionId, ConnectionName>;

/// The id of a hit, to be given to `pdpp show`.
fn id_of(hit: &SearchHit, names: &Names) -> String {
    match names.get(&hit.connection_id) {
        Some(name) => shown(name, &hit.stream, &hit.record_key),
        None => format!("{}/{}:{}", hit.connection_id, hit.stream, hit.record_key),
    }
}

fn document(page: &SearchPage, names: &Names, viewpoint: &Viewpoint) -> Value {
    let hit = |hit: &SearchHit| {
        without_nulls(json!({
            "id": id_of(hit, names),
            "account": names.get(&hit.connection_id),
            "connection_id": hit.connection_id,
            "display_name": hit.display_name,
            "stream": hit.stream,
            "record_id": hit.record_key,
            "title": hit.title,
            "author": hit.author,
            "authored_at": hit.authored_at,
            "matched_fields": hit.matched_fields,
            "snippet": hit.snippet,
        }))
    };
    without_nulls(json!({
        "as": viewpoint.package.as_ref().map(|package| &package.client),
        "package_id": viewpoint.package.as_ref().map(|package| &package.package_id),
        "results": page.data.iter().map(hit).collect::<Vec<_>>(),
        "has_more": page.has_more,
        "next_cursor": page.next_cursor,
        "recall": page.meta.recall,
        "warnings": page.meta.warnings,
    }))
}

fn words(
    page: &SearchPage,
    names: &Names,
    args: &SearchArgs,
    app: &CliApp,
    output: &Output,
) -> String {
    if page.data.is_empty() {
        return "No results.\n".to_owned();
    }
    let mut words = Words::default();
    for hit in &page.data {
        let title = hit.title.as_deref().unwrap_or(hit.record_key.as_str());
        words.line(output.styled(Style::Strong, &plain(title)));
        let label = hit.display_name.as_deref().unwrap_or_default();
        let about = [
            Some(label).filter(|label| !label.is_empty()),
            Some(hit.stream.as_str()),
            hit.authored_at.as_deref(),
            hit.author.as_deref(),
        ];
        let about: Vec<String> = about.into_iter().flatten().map(plain).collect();
        words.line(format!("  {}", output.styled(Style::Faint, &about.join(" · "))));
        if let Some(snippet) = &hit.snippet {
            words.line(format!("  {}", marked(snippet, output)));
        }
        words.line(format!("  {}\n", quoted(&id_of(hit, names))));
    }
    for warning in &page.meta.warnings {
        words.line(plain(&warning.message));
    }
    let first = page.data.first().map(|hit| quoted(&id_of(hit, names))).unwrap_or_default();
    words.line(format!("Show one: {}", app.data_dir.advice(&format!("show {first}"))));
    if let Some(cursor) = &page.next_cursor {
        words.line(format!("More: {}", app.data_dir.advice(&next_page(args, cursor))));
    }
    words.into_text()
}

/// The snippet on one line, its matches as a person sees them best.
fn marked(snippet: &Snippet, output: &Output) -> String {
    let text: String = pdpp_contract::one_line::flat(&snippet.text).collect();
    let mut shown = String::new();
    let mut rest = text.trim();
    let [begin, end] = MARKS;
    while let Some((before, after)) = rest.split_once(begin) {
        shown.push_str(&plain(before));
        let (inside, after) = after.split_once(end).unwrap_or((after, ""));
        shown.push_str(&output.styled(Style::Good, &plain(inside)));
        rest = after;
    }
    shown.push_str(&plain(rest));
    shown
}

/// The same search from where this page ended.
fn next_page(args: &SearchArgs, cursor: &str) -> String {
    let mut command = format!("search {}", quoted(&args.words.join(" ")));
    match &args.account {
        None => {}
        Some(ConnectionRef::Id(id)) => command.push_str(&format!(" --account {id}")),
        Some(ConnectionRef::Name(name)) => command.push_str(&format!(" --account {name}")),
    }
    for stream in &args.stream {
        command.push_str(&format!(" --stream {}", quoted(stream.as_str())));
    }
    if let Some(agent) = &args.viewpoint.agent {
        command.push_str(&format!(" --as {}", quoted(&agent.to_string())));
    }
    if let Some(limit) = args.limit {
        command.push_str(&format!(" --limit {limit}"));
    }
    format!("{command} --cursor {cursor}")
}
