//! Clients that were set up to read under a name, and from which store.

use super::client::KnownClient;
use super::client_paths::ClientPaths;
use super::entry_store::EntryStore;
use super::settings::{ConfigFile, entries_of};
use crate::data_dir::DataDir;

/// A client with an entry for a name.
pub struct ClientSetup {
    /// What people call it.
    pub title: &'static str,
    /// Where it reads.
    pub store: EntryStore,
}

/// The clients that were set up to read a store under this name.
pub fn set_up_as(name: &str, places: &ClientPaths, here: &DataDir) -> Vec<ClientSetup> {
    let mut found = Vec::new();
    for client in KnownClient::ALL {
        let file = places.config_file(client).and_then(|path| ConfigFile::read(path).ok());
        let entries = file.and_then(|file| entries_of(client, file.text()).ok());
        for entry in entries.into_iter().flatten() {
            let reads_a_store = entry.option("--provider-url").is_none();
            if entry.option("--client") == Some(name) && reads_a_store {
                let store = EntryStore::of(&entry, here);
                found.push(ClientSetup { title: client.title(), store });
            }
        }
    }
    found
}
