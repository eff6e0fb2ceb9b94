//! Addresses without a session, such as `/owner` and `/owner/activity`: they redirect to the login page
//! and from there to the same page of a new session.

use super::fault::PageFault;
use super::session::SignedIn;

/// Redirects to the login page; with a session, the address is unknown.
pub async fn enter(_: SignedIn) -> PageFault {
    PageFault::Missing
}
