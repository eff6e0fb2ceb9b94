//! `/owner`: where the owner begins.

use axum::response::Redirect;

use super::next::NextPlace;
use super::session::SignedIn;

/// Leads on to the access list.
pub async fn home(_: SignedIn) -> Redirect {
    Redirect::to(NextPlace::home().as_str())
}
