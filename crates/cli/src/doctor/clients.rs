//! Clients that were set up here: what they start must be there, with a credential to use.

use std::path::{Path, PathBuf};

use pdpp_contract::ClientName;

use super::{Findings, Scene};
use crate::agents::{check_access, grant_command};
use crate::credentials::Credentials;
use crate::data_dir::DataDir;
use crate::database_address::DatabaseAddress;
use crate::failure::Failure;
use crate::output::quoted;
use crate::setup::{Broken, ConfigFile, Entry, KnownClient, entry_of};

const CHECK: &str = "client_setup";
/// The name that `pdpp setup` gives unless it is told another.
const NAME: &str = "pdpp";

pub async fn check(scene: &Scene, findings: &mut Findings) {
    for client in KnownClient::ALL {
        let Some(path) = scene.places.config_file(client) else { continue };
        let Ok(file) = ConfigFile::read(path) else { continue };
        match entry_of(client, file.text(), NAME) {
            Ok(None) | Err(Broken::NotOurs) => {}
            Ok(Some(entry)) => check_entry(client, &entry, scene, findings).await,
            Err(Broken::Syntax(what) | Broken::Shape(what)) => {
                let what = format!("{} cannot be read: {what}", file.path().display());
                let remedy = format!("mend it; {} does not read it either", client.title());
                findings.note(CHECK, what, remedy);
            }
        }
    }
}

async fn check_entry(client: KnownClient, entry: &Entry, scene: &Scene, findings: &mut Findings) {
    let title = client.title();
    let directory = directory_of(entry, scene);
    let name = entry.option("--client").and_then(|name| ClientName::new(name).ok());
    let again = again(client, name.as_ref());
    if !Path::new(&entry.command).is_file() {
        let what = format!("{title} starts {}, which is not there", entry.command);
        return findings.fault(CHECK, what, directory.advice(&again));
    }
    let Some(name) = name else { return findings.good(CHECK, format!("{title} is set up")) };
    if let Err((what, remedy)) = find_credential(title, &name, &directory) {
        return findings.fault(CHECK, what, remedy);
    }
    let store = match address_of(entry) {
        Ok(address) => directory.clone().with_database(address),
        Err(failure) => {
            let what = format!("{title} does not find its database: {}", failure.message);
            return findings.fault(CHECK, what, directory.advice(&again));
        }
    };
    // What is wrong with the store that is looked at anyhow is said once.
    if !is_same(&store, &scene.data_dir)
        && let Err(failure) = check_access(&name, store.clone()).await
    {
        let what = format!("{title} cannot read: {}", failure.message);
        return findings.fault(CHECK, what, store.advice(&again));
    }
    if let Some(address) = store.address().filter(|address| address.is_exposed()) {
        let file = quoted(&address.told_by());
        let what = format!("other people can read {file}, which {title} starts with");
        return findings.note(CHECK, what, format!("chmod 600 {file}"));
    }
    findings.good(CHECK, format!("{title} is set up"));
}

/// The data directory that an entry names; that of the scene keeps what is known of it.
fn directory_of(entry: &Entry, scene: &Scene) -> DataDir {
    let named = entry.option("--data-dir").map(Path::new);
    match named.filter(|path| *path != scene.data_dir.path()) {
        Some(path) => DataDir::new(path.to_owned()).named(),
        None => scene.data_dir.clone(),
    }
}

fn address_of(entry: &Entry) -> Result<Option<DatabaseAddress>, Failure> {
    let file = entry.option("--database-url-file").map(PathBuf::from);
    file.map(|file| DatabaseAddress::from_file(file, true)).transpose()
}

fn is_same(store: &DataDir, other: &DataDir) -> bool {
    let address = |store: &DataDir| store.database().map(pdpp_store::Database::address);
    store.path() == other.path() && address(store) == address(other)
}

/// The command that sets the client up as it was.
fn again(client: KnownClient, name: Option<&ClientName>) -> String {
    let own = client.name();
    match name.filter(|name| name.as_str() != own) {
        Some(name) => format!("setup {own} --client {}", quoted(name.as_str())),
        None => format!("setup {own}"),
    }
}

/// What is wrong with the client's credential, and what helps.
fn find_credential(
    title: &str,
    name: &ClientName,
    directory: &DataDir,
) -> Result<(), (String, String)> {
    let create = grant_command(name.as_str());
    let what = match Credentials::new(directory.credentials()).find_document(name) {
        Ok(Some(_)) => return Ok(()),
        Ok(None) => {
            let place = directory.path().display();
            format!("{title} reads as {name}, which has no credential in {place}")
        }
        Err(failure) => format!("{title} cannot read as {name}: {}", failure.message),
    };
    Err((what, directory.advice(&create)))
}
