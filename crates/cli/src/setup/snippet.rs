//! Our entry as a text of its own, for a person who writes it into the settings by hand.

use super::client::KnownClient;
use super::edit::{Broken, added};
use super::entry::Entry;

/// What the settings would be if there were nothing else in them.
pub fn snippet(client: KnownClient, entry: &Entry) -> Result<String, Broken> {
    added(client, "", entry).map(|edit| edit.text)
}
