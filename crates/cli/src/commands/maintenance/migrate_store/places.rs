//! The stores that a move goes between, by the names that they were given.

use std::ffi::OsString;
use std::path::Path;

use crate::data_dir::DataDir;
use crate::data_dir::database_address::{
    DatabaseAddress, NamedBy, is_database_url, no_database_url,
};
use crate::failure::Failure;

/// What a data directory may hold before there is a store in it.
const OURS: [&str; 6] = ["credentials", "providers", "blobs", "demo", "serve.lock", "database-url"];
/// What a fresh disk holds.
const OF_THE_SYSTEM: &str = "lost+found";

/// Whether both names lead to one store, as far as names tell.
pub fn is_same(source: &DataDir, target: &DataDir) -> bool {
    match (source.database(), target.database()) {
        (Some(one), Some(other)) => {
            let place = |url: String| url.replacen("postgresql://", "postgres://", 1);
            place(one.address()) == place(other.address())
        }
        (None, None) => {
            let place = |store: &DataDir| {
                let path = store.path();
                let whole = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
                whole.unwrap_or_else(|_| path.to_owned())
            };
            place(source) == place(target)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Refuses to put a store among somebody's own files.
pub fn check_target(target: &DataDir) -> Result<(), Failure> {
    if target.database().is_some() || target.store().exists() {
        return Ok(());
    }
    let Ok(entries) = std::fs::read_dir(target.path()) else { return Ok(()) };
    let foreign = |name: &OsString| name != OF_THE_SYSTEM && !OURS.iter().any(|ours| name == ours);
    match entries.flatten().map(|entry| entry.file_name()).find(foreign) {
        None => Ok(()),
        Some(name) => Err(Failure::usage(format!(
            "{} contains other files, such as {}; use an empty or new directory for --to",
            target.path().display(),
            name.display()
        ))),
    }
}

/// A store by its URL, a file or pipe that holds it, or its directory.
pub fn place(name: &str, by: NamedBy, uploads: &Path) -> Result<DataDir, Failure> {
    let path = Path::new(name);
    let in_database = |address| DataDir::new(uploads.to_owned()).with_database(Some(address));
    if is_database_url(name) {
        return DatabaseAddress::from_url(name, by).map(in_database);
    }
    if path.exists() && !path.is_dir() {
        check_address(path)?;
        return DatabaseAddress::from_file(path.to_owned(), by).map(in_database);
    }
    // A directory of that name would be made, password and all.
    if name.contains("://") || name.starts_with("postgres:") || name.starts_with("postgresql:") {
        return Err(no_database_url("a value with a scheme"));
    }
    Ok(DataDir::new(path.to_owned()).named())
}

/// Refuses the file of an embedded store, which is named by its directory.
fn check_address(path: &Path) -> Result<(), Failure> {
    let Some(parent) = path.parent().filter(|parent| DataDir::new(parent.into()).store() == path)
    else {
        return Ok(());
    };
    let parent = if parent == Path::new("") { Path::new(".") } else { parent };
    let (path, parent) = (path.display(), parent.display());
    Err(Failure::usage(format!("{path} is the file of a store; name its directory: {parent}")))
}
