//! `/owner/s/{session}`: where the owner begins.

use axum::response::Redirect;

use super::session::SignedIn;
use super::session_path::within;

/// Leads on to the access list.
pub async fn home(SignedIn(session): SignedIn) -> Redirect {
    Redirect::to(&within(&session, "/access"))
}
