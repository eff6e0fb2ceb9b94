//! `POST /owner/s/{session}/record/remove`: erases one record. Wants a fresh password.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_contract::ReadApi;
use pdpp_contract::access::AuditEvent;
use pdpp_contract::query::RecordRequest;

use super::address::RecordAddress;
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::form::PageForm;
use crate::pages::next::{NextPath, confirm_for};
use crate::pages::session::SignedIn;
use crate::pages::session_path::within;

/// Erases the record that the form names.
pub async fn submit(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "remove-record")?;
    let wanted = RecordAddress::take(form.params())?;
    if !session.is_fresh() {
        let back = NextPath::parse(&format!("/owner/accounts/{}/timeline", wanted.account));
        return Ok(Redirect::to(&confirm_for(&session, &back)).into_response());
    }
    let (engine, owner) = (&app.services.engine, session.access());
    // What is not there was not erased either.
    let mut request = RecordRequest::new(wanted.stream.clone(), wanted.id.clone());
    request.connection_id = Some(wanted.account.clone());
    request.preview_chars = Some(0);
    engine.owner_reader(owner.clone()).await?.record(request).await?;
    engine.delete_record(owner, &wanted.account, &wanted.stream, &wanted.id).await?;
    let mut event = AuditEvent::by_owner(app.services.clock.now(), "delete_record");
    event.token_fingerprint = owner.fingerprint().cloned();
    event.connection_ids = vec![wanted.account.clone()];
    event.stream = Some(wanted.stream.clone());
    event.records_returned = 1;
    app.services.auth.note(event).await?;
    let place = format!(
        "/accounts/{}/timeline?stream={}&done=record-removed",
        wanted.account, wanted.stream
    );
    Ok(Redirect::to(&within(&session, &place)).into_response())
}
