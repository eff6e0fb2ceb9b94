//! `/owner/s/{session}/accounts/{id}`: one account, who may read it, its name and its removal.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use pdpp_auth::{AuditQuery, Session, Standing};
use pdpp_contract::ConnectionId;

use super::row::AccountRow;
use crate::app::App;
use crate::pages::done::Done;
use crate::pages::fault::PageFault;
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page_with};
use crate::pages::times::{Times, When};

/// Events among which the last import is looked for.
const RECENT: u32 = 500;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    shell: Shell,
    done: Option<&'static str>,
    trouble: Option<String>,
    account: AccountRow,
    imported: Option<When>,
    readers: Vec<Reader>,
    rename_csrf_token: String,
    remove_csrf_token: String,
}

/// An agent that may read it.
struct Reader {
    agent: String,
    package_id: String,
}

/// The account.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    Done(done): Done,
) -> Result<Response, PageFault> {
    account_page(&app, &session, &id, (done, None)).await
}

/// The page, after something was done or could not be.
pub async fn account_page(
    app: &App,
    session: &Session,
    id: &str,
    (done, trouble): (Option<&'static str>, Option<String>),
) -> Result<Response, PageFault> {
    let (engine, auth, owner) = (&app.services.engine, &app.services.auth, session.access());
    let id: ConnectionId = id.parse().map_err(|_| PageFault::Missing)?;
    let times = Times::of(app).await?;
    let mut owned = engine.owned_connections(owner).await?;
    owned.retain(|account| account.id == id);
    engine.add_spans(owner, &mut owned).await?;
    let account = owned.first().ok_or(PageFault::Missing)?;
    let query =
        AuditQuery { connection_id: Some(id.clone()), limit: RECENT, ..AuditQuery::default() };
    let events = auth.audit_events(owner, &query).await?;
    let added = |event: &str| event == "import" || event == "ingest";
    let imported = events.iter().find(|one| added(one.event.operation.as_str()));
    let packages = auth.packages(owner).await?;
    let readers = packages.iter().filter(|package| {
        let mut grants = package.grants.iter();
        grants.any(|grant| grant.connection_id == id && grant.standing == Standing::Live)
    });
    let status = if trouble.is_some() {
        axum::http::StatusCode::UNPROCESSABLE_ENTITY
    } else {
        axum::http::StatusCode::OK
    };
    Ok(page_with(
        status,
        &AccountPage {
            shell: Shell::inside("Account", CurrentPage::Accounts, app, session),
            done,
            trouble,
            account: AccountRow::of(account, &times),
            imported: imported.map(|one| times.moment(one.event.at)),
            readers: readers
                .map(|package| Reader {
                    agent: plain::line(package.client.as_str(), 80),
                    package_id: package.package_id.to_string(),
                })
                .collect(),
            rename_csrf_token: session.csrf("rename"),
            remove_csrf_token: session.csrf("remove"),
        },
    ))
}
