//! Our entry as a text of its own: for a person who writes it into the settings by hand, and to tell its
//! lines from those of others.

use super::diff::{bare, diff};
use super::edit::{BrokenSettings, added, entry_of};
use crate::setup::client::KnownClient;
use crate::setup::entry::Entry;

/// What the settings would be if there were nothing else in them.
pub fn snippet(client: KnownClient, entry: &Entry) -> Result<String, BrokenSettings> {
    added(client, "", entry).map(|edit| edit.text)
}

/// The change of our entry of this name between two texts of a client's settings, as people read it.
pub fn change_shown(client: KnownClient, name: &str, before: &str, after: &str) -> String {
    let entries = [before, after].map(|text| entry_of(client, text, name).ok().flatten());
    let texts = entries.iter().flatten().filter_map(|entry| snippet(client, entry).ok());
    let own: Vec<String> = texts
        .flat_map(|text| text.lines().map(|line| bare(line).to_owned()).collect::<Vec<_>>())
        .collect();
    diff(before, after, &own)
}
