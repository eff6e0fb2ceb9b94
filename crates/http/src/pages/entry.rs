//! Addresses that people type or kept, such as `/owner` and `/owner/activity`: they lead over the login
//! page to the same place of a new session.

use super::fault::PageFault;
use super::session::SignedIn;

/// Whatever is no page: for somebody who is signed in nothing is here.
pub async fn enter(_: SignedIn) -> PageFault {
    PageFault::Missing
}
