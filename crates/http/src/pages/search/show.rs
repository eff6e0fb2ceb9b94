//! `/owner/s/{session}/search`: hits with their passages, each leading to its record.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use pdpp_contract::roles::by_author;
use pdpp_contract::search::{SearchHit, SearchRequest};
use pdpp_contract::{ErrorCode, Instant, ReadApi};

use super::facets::{FacetOptions, SearchFacets};
use crate::app::App;
use crate::pages::address;
use crate::pages::fault::PageFault;
use crate::pages::names::{DisplayNames, stream_label_in};
use crate::pages::passage::{Passage, marked};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::{Times, When};

/// Hits on a page.
const HITS: u32 = 20;
/// Longest passage of a hit.
const PASSAGE_CHARS: usize = 320;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchResults {
    shell: Shell,
    words: String,
    options: FacetOptions,
    has_accounts: bool,
    trouble: Option<String>,
    hits: Vec<HitRow>,
    /// The ranking covers only the newest matches.
    newest_only: bool,
    /// Whether another account, stream or time was chosen than all.
    narrowed: bool,
    everywhere: String,
    next: Option<String>,
}

/// One hit.
struct HitRow {
    address: String,
    title: String,
    account: String,
    stream: String,
    author: Option<String>,
    at: Option<When>,
    passage: Passage,
}

/// The page, empty or with hits.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let (engine, owner) = (&app.services.engine, session.access());
    let facets = SearchFacets::parse(uri.query())?;
    let times = Times::of(&app).await?;
    let names = DisplayNames::of(&app, owner).await?;
    let mut results = SearchResults {
        shell: Shell::inside("Search", CurrentPage::Search, &app, &session),
        words: facets.words.clone(),
        options: facets.options(&names.accounts, &times),
        has_accounts: !names.accounts.is_empty(),
        trouble: None,
        hits: Vec::new(),
        newest_only: false,
        narrowed: [&facets.account, &facets.stream, &facets.time].iter().any(|one| !one.is_empty()),
        everywhere: address::query(&[("q", &facets.words)]),
        next: None,
    };
    if !results.words.is_empty() && results.has_accounts {
        let reader = engine.owner_reader_within(owner.clone(), &facets.period(&times)).await?;
        let request = SearchRequest {
            q: facets.words.clone(),
            streams: facets.stream_in(&names.accounts).into_iter().collect(),
            connection_id: facets.account_in(&names.accounts).map(|account| account.id.clone()),
            limit: Some(HITS),
            cursor: Some(facets.cursor.clone()).filter(|cursor| !cursor.is_empty()),
            filter: Vec::new(),
        };
        match reader.search(request).await {
            Ok(found) => {
                results.newest_only = !found.meta.recall.complete;
                results.next = found.next_cursor.map(|cursor| facets.address(&cursor));
                results.hits = found.data.iter().map(|hit| row(hit, &names, &times)).collect();
            }
            Err(error) if error.code.status() < 500 => {
                results.trouble = Some(trouble(error.code));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(page(&results))
}

fn row(hit: &SearchHit, names: &DisplayNames, times: &Times) -> HitRow {
    let account = names.account(&hit.connection_id);
    let at = hit.authored_at.as_deref().and_then(Instant::parse);
    let at = at.map(|at| times.moment(at.timestamp()));
    let stream = stream_label_in(account, &hit.stream);
    let author = hit.author.as_deref().map(|author| plain::line(author, 80));
    let text = hit.snippet.as_ref().map(|snippet| snippet.text.as_str()).unwrap_or_default();
    let title = own_title(hit);
    let mut passage = marked(text, PASSAGE_CHARS);
    // A passage that only repeats the title says nothing.
    let said: String = passage.iter().map(|part| part.text.as_str()).collect();
    if title.as_deref() == Some(said.trim()) {
        passage.clear();
    }
    HitRow {
        address: address::record(
            hit.connection_id.as_str(),
            hit.stream.as_str(),
            hit.record_key.as_str(),
        ),
        title: title.unwrap_or_else(|| made_title(&stream, author.as_deref(), at.as_ref())),
        account: names.account_label(&hit.connection_id),
        stream,
        author,
        at,
        passage,
    }
}

/// What the record itself is called. A title made of its author and time is written for programs.
fn own_title(hit: &SearchHit) -> Option<String> {
    let made = hit.author.as_deref().zip(hit.authored_at.as_deref());
    let made = made.map(|(author, time)| by_author(author, time));
    let title = hit.title.as_deref().filter(|title| made.as_deref() != Some(*title))?;
    Some(plain::line(title, 160)).filter(|title| !title.is_empty())
}

fn made_title(stream: &str, author: Option<&str>, at: Option<&When>) -> String {
    let who = author.map_or_else(|| plain::first_upper(stream), str::to_owned);
    at.map_or(who.clone(), |at| format!("{who}, {}", at.text))
}

fn trouble(code: ErrorCode) -> String {
    let words = match code {
        ErrorCode::InvalidCursor | ErrorCode::CursorExpired | ErrorCode::StaleCursor => {
            "This page of results is no longer valid. Search again."
        }
        _ => "These words cannot be searched for. Try a name, a place or a subject.",
    };
    words.to_owned()
}
