//! An address that was kept for a client and that no entry names any more: it may hold a password, so it
//! goes.

use std::path::Path;

use pdpp_contract::ClientName;

use super::Plan;
use super::address::is_same;
use crate::data_dir::DataDir;
use crate::data_dir::credentials::Credentials;
use crate::failure::Failure;
use crate::setup::{ClientPaths, ConfigFile, Entry, KnownClient, LaunchSpec, entries_of};

/// Deletes what was kept for the entry of before and for the client of now, unless it is in use.
pub fn clear(plan: &Plan<'_>, before: Option<&Entry>) -> Result<(), Failure> {
    let earlier = before.and_then(kept_for);
    let now = match &plan.launch {
        LaunchSpec::Local { client, .. } => {
            Some((Credentials::new(plan.store.credentials()), client.clone()))
        }
        LaunchSpec::Provider { .. } => None,
    };
    for (credentials, client) in earlier.into_iter().chain(now) {
        if !is_named(&credentials.address_file(&client), plan.places) {
            credentials.forget_address(&client)?;
        }
    }
    Ok(())
}

/// Where the file of an entry is kept, if it is one of ours.
fn kept_for(entry: &Entry) -> Option<(Credentials, ClientName)> {
    let file = entry.option("--database-url-file")?;
    let client = ClientName::new(entry.option("--client")?).ok()?;
    let directory = DataDir::new(entry.option("--data-dir")?.into());
    let credentials = Credentials::new(directory.credentials());
    is_same(&credentials.address_file(&client), Path::new(file)).then_some((credentials, client))
}

/// Whether an entry of any client starts with this file. Settings that cannot be read may hold one.
fn is_named(file: &Path, places: &ClientPaths) -> bool {
    let names = |entry: &Entry| {
        entry.option("--database-url-file").is_some_and(|named| is_same(Path::new(named), file))
    };
    KnownClient::ALL.into_iter().any(|client| {
        let Some(path) = places.config_file(client) else { return false };
        let Ok(settings) = ConfigFile::read(path) else { return true };
        entries_of(client, settings.text()).map_or(true, |entries| entries.iter().any(names))
    })
}
