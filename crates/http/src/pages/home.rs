//! `/owner/s/{session}`: the owner's start page.

use axum::response::Redirect;

use super::session::SignedIn;
use super::session_path::within;

/// Redirects to the access list.
pub async fn home(SignedIn(session): SignedIn) -> Redirect {
    Redirect::to(&within(&session, "/access"))
}
