//! Clients that were set up here: what they start must be there, with a credential to use.

use std::path::Path;

use pdpp_contract::ClientName;

use super::finding::parted;
use super::{Findings, Scene, store};
use crate::agents::{check_access, grant_command, others_can_read};
use crate::credentials::Credentials;
use crate::database_address::DatabaseAddress;
use crate::failure::Failure;
use crate::output::{plain, quoted};
use crate::setup::{Broken, ConfigFile, Entry, EntryStore, KnownClient, PROGRAM, entries_of};

const CHECK: &str = "client_setup";

pub async fn check(scene: &Scene, findings: &mut Findings) {
    for client in KnownClient::ALL {
        let Some(path) = scene.places.config_file(client) else { continue };
        let Ok(file) = ConfigFile::read(path) else { continue };
        match entries_of(client, file.text()) {
            Ok(entries) => {
                for entry in &entries {
                    check_entry(client, entry, scene, findings).await;
                }
            }
            Err(Broken::NotOurs) => {}
            Err(Broken::Syntax(what) | Broken::Shape(what)) => {
                let what = format!("{} cannot be read: {what}", file.path().display());
                let remedy = format!("mend it; {} does not read it either", client.title());
                findings.note(CHECK, what, remedy);
            }
        }
    }
}

async fn check_entry(client: KnownClient, entry: &Entry, scene: &Scene, findings: &mut Findings) {
    let title = title(client, entry);
    let place = EntryStore::of(entry, &scene.data_dir);
    let again = again(client, entry, &place);
    if !is_there(&entry.command, scene) {
        let what = format!("{title} starts {}, which is not there", plain(&entry.command));
        return findings.fault(CHECK, what, again);
    }
    let name = entry.option("--client").and_then(|name| ClientName::new(name).ok());
    let Some(name) = name else { return findings.good(CHECK, format!("{title} is set up")) };
    match Credentials::new(place.directory().credentials()).find_document(&name) {
        Ok(Some(_)) => {}
        Ok(None) => {
            let directory = place.directory().path().display();
            let what = format!("{title} reads as {name}, which has no credential in {directory}");
            return findings.fault(CHECK, what, place.advice(&grant_command(name.as_str())));
        }
        Err(failure) => return findings.fault_of(&title, &failure, "see pdpp --help"),
    }
    let store = match place.data_dir() {
        Ok(store) => store,
        Err(failure) => {
            let (why, _) = parted(&failure.message);
            let what = format!("{title} does not find its database: {why}");
            return findings.fault(CHECK, what, again);
        }
    };
    // What is wrong with the store that is looked at anyhow is said once.
    if !place.is(&scene.data_dir)
        && let Err(failure) = check_access(&name, store.clone()).await
    {
        return findings.fault_of(&title, &failure, &store::remedy(&failure, &store));
    }
    let exposed = store.address().filter(|address| address.is_exposed());
    if let Some(file) = exposed.and_then(DatabaseAddress::lasting_file) {
        return findings.noted(CHECK, &format!("{title} is set up, but {}", others_can_read(file)));
    }
    if entry.option("--database-url").is_some() {
        let what = format!("{title} holds the database's URL in its settings, password and all");
        return findings.note(CHECK, what, format!("let a file hold it: {again}"));
    }
    findings.good(CHECK, format!("{title} is set up"));
}

impl Findings {
    /// A client cannot read, and what its failure advises, or else this.
    fn fault_of(&mut self, title: &str, failure: &Failure, otherwise: &str) {
        let (why, remedy) = parted(&failure.message);
        self.fault(CHECK, format!("{title} cannot read: {why}"), remedy.unwrap_or(otherwise));
    }
}

/// The client, and which of its entries when it is not the usual one.
fn title(client: KnownClient, entry: &Entry) -> String {
    match entry.name.as_str() {
        PROGRAM => client.title().to_owned(),
        name => format!("{} ({})", client.title(), plain(name)),
    }
}

/// Whether a client finds the program: by its path, or by its name in the search path.
fn is_there(command: &str, scene: &Scene) -> bool {
    Path::new(command).is_file() || scene.places.find_program(command).is_some()
}

/// The command that sets the client up as it was.
fn again(client: KnownClient, entry: &Entry, place: &EntryStore) -> String {
    let mut line = format!("setup {}", client.name());
    let mut add = |option: &str, value: &str| {
        line.push_str(&format!(" {option} {}", quoted(value)));
    };
    if entry.name != PROGRAM {
        add("--name", &entry.name);
    }
    if let Some(name) = entry.option("--client").filter(|name| *name != client.name()) {
        add("--client", name);
    }
    let Some(url) = entry.option("--provider-url") else { return place.advice(&line) };
    add("--provider-url", url);
    if let Some(root) = entry.option("--cache-root") {
        add("--cache-root", root);
    }
    format!("pdpp {line}")
}
