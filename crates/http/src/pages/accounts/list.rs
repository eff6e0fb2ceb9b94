//! `/owner/s/{session}/accounts`: every account with its size and age.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::row::AccountRow;
use crate::app::App;
use crate::pages::done::Done;
use crate::pages::fault::PageFault;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::Times;

#[derive(Template)]
#[template(path = "accounts.html")]
struct AccountsPage {
    shell: Shell,
    done: Option<&'static str>,
    accounts: Vec<AccountRow>,
}

/// The list.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Done(done): Done,
) -> Result<Response, PageFault> {
    let (engine, owner) = (&app.services.engine, session.access());
    let times = Times::of(&app).await?;
    let mut owned = engine.owned_connections(owner).await?;
    engine.add_spans(owner, &mut owned).await?;
    Ok(page(&AccountsPage {
        shell: Shell::inside("Accounts", CurrentPage::Accounts, &app, &session),
        done,
        accounts: owned.iter().map(|account| AccountRow::of(account, &times)).collect(),
    }))
}
