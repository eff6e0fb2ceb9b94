//! Another name for an account, and its removal.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::AuditEvent;
use pdpp_contract::ConnectionId;
use pdpp_contract::ids::DisplayName;

use super::detail::account_page;
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::form::PageForm;
use crate::pages::next::{NextPath, confirm_for};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::session_path::within;

/// `POST /owner/s/{session}/accounts/{id}/rename`
pub async fn rename(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "rename")?;
    let text = form.text("name")?;
    let name = match text.trim() {
        "" => None,
        text => match DisplayName::new(text) {
            Ok(name) => Some(name),
            Err(fault) => {
                let trouble = Some(plain::sentence(&fault.to_string()));
                return account_page(&app, &session, &id, (None, trouble)).await;
            }
        },
    };
    let id: ConnectionId = id.parse().map_err(|_| PageFault::Missing)?;
    let renamed = app.services.engine.rename_connection(session.access(), &id, name).await?;
    if !renamed {
        return Err(PageFault::Missing);
    }
    note(&app, &session, "rename_connection", &id, 0).await?;
    Ok(Redirect::to(&within(&session, &format!("/accounts/{id}?done=renamed"))).into_response())
}

/// `POST /owner/s/{session}/accounts/{id}/remove`: wants the account's short name typed and a fresh password.
pub async fn remove(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "remove")?;
    let typed = form.text("name")?;
    let parsed: ConnectionId = id.parse().map_err(|_| PageFault::Missing)?;
    if !session.is_fresh() {
        let back = NextPath::parse(&format!("/owner/accounts/{parsed}"));
        return Ok(Redirect::to(&confirm_for(&session, &back)).into_response());
    }
    let owned = app.services.engine.owned_connections(session.access()).await?;
    let account = owned.iter().find(|account| account.id == parsed).ok_or(PageFault::Missing)?;
    if typed.trim() != account.name {
        let words = format!("Nothing was removed. To confirm, type {} exactly.", account.name);
        return account_page(&app, &session, &id, (None, Some(words))).await;
    }
    let erased = app.services.engine.remove_connection(session.access(), &parsed).await?;
    let erased = erased.ok_or(PageFault::Missing)?;
    note(&app, &session, "remove_connection", &parsed, erased.records).await?;
    Ok(Redirect::to(&within(&session, "/accounts?done=removed")).into_response())
}

async fn note(
    app: &App,
    session: &pdpp_auth::Session,
    operation: &'static str,
    id: &ConnectionId,
    records: u64,
) -> Result<(), PageFault> {
    let mut event = AuditEvent::by_owner(app.services.clock.now(), operation);
    event.token_fingerprint = session.access().fingerprint().cloned();
    event.connection_ids = vec![id.clone()];
    event.records_returned = records;
    Ok(app.services.auth.note(event).await?)
}
