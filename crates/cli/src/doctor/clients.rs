//! Clients that were set up here: what they start must be there, with a credential to use.

use std::path::Path;

use pdpp_contract::ClientName;

use super::client_advice::{advice, again, end, line};
use super::finding::NO_REMEDY;
use super::{DoctorContext, Findings, store};
use crate::agents::{check_access, grant_command, others_can_read};
use crate::data_dir::DataDir;
use crate::data_dir::credentials::Credentials;
use crate::data_dir::database_address::DatabaseAddress;
use crate::failure::Exit;
use crate::output::{plain, quoted};
use crate::setup::{
    BrokenSettings, ConfigFile, Entry, EntryStore, KnownClient, PROGRAM, entries_of,
};

const CHECK: &str = "client_setup";

pub async fn check(context: &DoctorContext, findings: &mut Findings) {
    for client in KnownClient::ALL {
        let Some(path) = context.places.config_file(client) else { continue };
        let Ok(file) = ConfigFile::read(path) else { continue };
        match entries_of(client, file.text()) {
            Ok(entries) => {
                for entry in &entries {
                    check_entry(client, entry, context, findings).await;
                }
            }
            Err(BrokenSettings::NotOurs) => {}
            Err(BrokenSettings::Syntax(what) | BrokenSettings::Shape(what)) => {
                let what = format!("cannot parse {}: {what}", file.path().display());
                let remedy = format!("fix it; {} cannot read it either", client.title());
                findings.note(CHECK, what, remedy);
            }
        }
    }
}

async fn check_entry(
    client: KnownClient,
    entry: &Entry,
    context: &DoctorContext,
    findings: &mut Findings,
) {
    let title = title(client, entry);
    let place = EntryStore::of(entry, &context.data_dir);
    let again = again(client, entry, &place);
    let end = end(client, entry);
    if !is_there(&entry.command, context) {
        let what = format!("{title} starts {}, which does not exist", plain(&entry.command));
        return findings.fault(CHECK, what, again);
    }
    let name = entry.option("--client").and_then(|name| ClientName::new(name).ok());
    let Some(name) = name else { return findings.good(CHECK, format!("{title} is set up")) };
    match Credentials::new(place.directory().credentials()).find_document(&name) {
        Ok(Some(_)) => {}
        Ok(None) => {
            let directory = place.directory().path().display();
            let what = format!("{title} uses {name}, which has no credential in {directory}");
            let create = advice(&place, &grant_command(name.as_str()));
            return findings.fault(CHECK, what, format!("{create}; {end}"));
        }
        Err(failure) => {
            let what = format!("{title} cannot read: {}", failure.message);
            let remedy = failure.remedy(place.directory());
            return findings.fault(CHECK, what, remedy.unwrap_or_else(|| NO_REMEDY.to_owned()));
        }
    }
    let store = match place.data_dir() {
        Ok(store) => store,
        Err(failure) => {
            let what = format!("{title} cannot find its database: {}", failure.message);
            let remedy = match entry.option("--database-url-file") {
                Some(file) if !Path::new(file).exists() => format!("put {file} back, or {again}"),
                _ => again,
            };
            return findings.fault(CHECK, what, remedy);
        }
    };
    // What is wrong with the store that is looked at anyhow is said once.
    let is_looked_at = is_looked_at(&place, &store, context);
    if !is_looked_at && let Err(failure) = check_access(&name, store.clone()).await {
        let remedy = match failure.remedy(&store) {
            Some(advised) if failure.exit == Exit::NoCredential => format!("{advised}; {end}"),
            Some(advised) => advised,
            None => store::remedy(&failure, &store),
        };
        let what = format!("{title} cannot read: {}", failure.message);
        return match failure.exit {
            Exit::Unreachable => findings.unreachable(CHECK, what, remedy),
            _ => findings.fault(CHECK, what, remedy),
        };
    }
    let is_noted = note_openness(&title, entry, &store, &again, findings);
    if !is_looked_at && !store.shares_database(&context.data_dir) {
        let what = format!("{title} is set up for another store ({})", shown(&store));
        let here = context.data_dir.advice(&line(client, entry));
        findings.note(CHECK, what, format!("for this one: {here}"));
    } else if !is_noted {
        findings.good(CHECK, format!("{title} is set up"));
    }
}

/// Notes an address that others may come to read, and says whether it did.
fn note_openness(
    title: &str,
    entry: &Entry,
    store: &DataDir,
    again: &str,
    findings: &mut Findings,
) -> bool {
    let exposed = store.address().filter(|address| address.is_exposed());
    if let Some(file) = exposed.and_then(DatabaseAddress::lasting_file) {
        let exposed = others_can_read(file);
        let what = format!("{title} is set up, but {}", exposed.message);
        findings.note(CHECK, what, exposed.remedy(store).unwrap_or_default());
        return true;
    }
    let is_in_settings = entry.option("--database-url").is_some();
    if is_in_settings {
        let what = format!("{title} has the database URL in its settings, including the password");
        findings.note(CHECK, what, format!("keep it in a file instead: {again}"));
    }
    is_in_settings
}

/// The client, and which of its entries when it is not the usual one.
fn title(client: KnownClient, entry: &Entry) -> String {
    match entry.name.as_str() {
        PROGRAM => client.title().to_owned(),
        name => format!("{} ({})", client.title(), plain(name)),
    }
}

/// Whether a client finds the program: by its path, or by its name in the search path.
fn is_there(command: &str, context: &DoctorContext) -> bool {
    Path::new(command).is_file() || context.places.find_program(command).is_some()
}

/// The option that names the database which a client of this directory reads.
pub fn database_option(context: &DoctorContext) -> Option<String> {
    let entries = KnownClient::ALL.into_iter().flat_map(|client| {
        let file = context.places.config_file(client).and_then(|path| ConfigFile::read(path).ok());
        file.and_then(|file| entries_of(client, file.text()).ok()).unwrap_or_default()
    });
    let mut here = entries.filter(|entry| {
        // One that names no directory leaves it to the environment, as this command does.
        let named = entry.option("--data-dir").map(std::path::absolute);
        named.is_none_or(|named| named.ok() == std::path::absolute(context.data_dir.path()).ok())
    });
    here.find_map(|entry| match entry.option("--database-url-file") {
        Some(file) => Some(format!("--database-url-file {}", quoted(file))),
        None => entry.option("--database-url").map(|_| "--database-url-file FILE".to_owned()),
    })
}

/// Whether a client reads the store that is looked at, so far as names tell.
fn is_looked_at(place: &EntryStore, store: &DataDir, context: &DoctorContext) -> bool {
    // An address that cannot be read is still not the file in the same directory.
    place.is(&context.data_dir) && store.address().is_some() == context.data_dir.address().is_some()
}

/// Where a store is; an address in the client's settings is not named.
fn shown(store: &DataDir) -> String {
    match store.address() {
        Some(address) if address.lasting_file().is_none() => "a database".to_owned(),
        _ => store.place(),
    }
}
