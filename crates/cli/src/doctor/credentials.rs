//! Credentials of agents on this machine: closed to other people, nobody else's, still good.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{DoctorContext, Findings};
use crate::agents::{grant_command, read_private, refuse_owner_credential};
use crate::app::CliApp;
use crate::data_dir::credentials::ADDRESS;
use crate::output::{plain, quoted};
use crate::setup::{EntryStore, set_up_as};

const CHECK: &str = "credential";

pub async fn check(context: &DoctorContext, app: Option<&CliApp>, findings: &mut Findings) {
    for path in files(&context.data_dir.credentials()) {
        check_one(&path, context, app, findings).await;
    }
    for path in ending(&context.data_dir.credentials(), ADDRESS) {
        if !path.with_extension("json").exists() {
            let what = format!("{} belongs to an agent without a credential", path.display());
            findings.note(CHECK, what, remove(&[path]));
        }
    }
}

/// The files of a directory that hold credentials, by name.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    ending(directory, "json")
}

fn ending(directory: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let is_kept = |path: &PathBuf| path.extension().is_some_and(|found| found == end);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_kept).collect();
    files.sort();
    files
}

/// The command that deletes files.
fn remove(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| quoted(&path.display().to_string())).collect();
    format!("rm {}", names.join(" "))
}

async fn check_one(
    path: &Path,
    context: &DoctorContext,
    app: Option<&CliApp>,
    findings: &mut Findings,
) {
    let place = path.display();
    let bytes = match read_private(path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return,
        Err(failure) => return findings.failed(CHECK, &failure, &context.data_dir),
    };
    let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if let Err(failure) =
        refuse_owner_credential(&document, &format!("the credential file {place}"))
    {
        return findings.failed(CHECK, &failure, &context.data_dir);
    }
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
    // The address of its database has nothing to stay for either.
    let address = Some(path.with_extension(ADDRESS)).filter(|address| address.exists());
    let both: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(address).collect();
    let remove = remove(&both);
    let (Some(client), Some(token)) = (text("/client/client_id"), text("/credential/access_token"))
    else {
        return findings.fault(CHECK, format!("{place} is not a credential file"), remove);
    };
    let client = plain(client);
    let Some(app) = app else {
        return findings.note(
            CHECK,
            format!("{client} has one; it cannot be checked without the store"),
            "",
        );
    };
    let create = grant_command(&client);
    let Err(refused) = app.auth.look_at(token).await else {
        return findings.good(CHECK, format!("{client} has a working credential"));
    };
    let what = format!("the credential of {client} does not work: {refused}");
    let clients = set_up_as(&client, &context.places, &app.data_dir);
    let is_used_here = clients.iter().any(|client| client.store.is(&app.data_dir));
    match other_store(path, app).filter(|_| !is_used_here) {
        // One directory keeps the credentials of both.
        Some(look) => findings.note(CHECK, what, format!("it may belong to another store: {look}")),
        None => {
            findings.fault(CHECK, what, format!("{}, or {remove}", app.data_dir.advice(&create)));
        }
    }
}

/// How to look at the other store that a credential in this directory may belong to.
fn other_store(credential: &Path, app: &CliApp) -> Option<String> {
    let look = EntryStore::in_file(&app.data_dir).advice("doctor");
    match app.data_dir.address() {
        Some(_) => app.data_dir.store().exists().then_some(look),
        None => {
            let address = credential.with_extension(ADDRESS);
            let option = quoted(&address.display().to_string());
            address.exists().then(|| format!("{look} --database-url-file {option}"))
        }
    }
}
