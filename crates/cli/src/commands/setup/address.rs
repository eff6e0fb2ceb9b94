//! The address of a database for a client's server: in a file, because it may hold a password, which
//! belongs into no client's settings.

use std::path::{Path, PathBuf};

use pdpp_contract::ClientName;

use super::Plan;
use crate::agents::others_can_read;
use crate::data_dir::DataDir;
use crate::data_dir::credentials::Credentials;
use crate::data_dir::database_address::{DatabaseAddress, NamedBy};
use crate::failure::Failure;
use crate::output::words::Words;
use crate::setup::{AddressFile, LaunchSpec};

/// An address that a setup has written, and what stood there before.
pub struct SavedAddress {
    path: PathBuf,
    before: Option<DatabaseAddress>,
}

impl SavedAddress {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts back what was there, because the setup was refused.
    pub fn undo(&self) {
        // The refusal says more than what goes wrong here, and the next setup writes the file anew.
        let _ = match &self.before {
            Some(before) => before.keep(&self.path).is_ok(),
            None => std::fs::remove_file(&self.path).is_ok(),
        };
    }
}

/// The file that the entry names: the person's own, or one of ours beside the credential.
pub fn file_for(client: &ClientName, store: &DataDir) -> Option<AddressFile> {
    let ours = Credentials::new(store.credentials()).address_file(client);
    Some(match store.address()?.lasting_file() {
        Some(own) if !is_same(own, &ours) => AddressFile::Own(own.to_owned()),
        _ => AddressFile::Ours(ours),
    })
}

/// Whether both names lead to one file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one).is_some_and(|found| real(other) == Some(found))
}

/// The file of ours that an entry will name, if it will name one.
fn ours<'a>(plan: &'a Plan<'_>) -> Option<&'a PathBuf> {
    match &plan.launch {
        LaunchSpec::Local { address: Some(AddressFile::Ours(file)), .. } => Some(file),
        LaunchSpec::Local { .. } | LaunchSpec::Provider { .. } => None,
    }
}

/// The same while it has yet to be written.
pub fn missing<'a>(plan: &'a Plan<'_>) -> Option<&'a PathBuf> {
    ours(plan).filter(|file| !file.exists())
}

/// Writes it, in place of an older address.
pub fn keep(plan: &Plan<'_>) -> Result<Option<SavedAddress>, Failure> {
    let (Some(file), Some(address)) = (ours(plan), plan.store.address()) else { return Ok(None) };
    let before = DatabaseAddress::from_file(file.clone(), NamedBy::Option).ok();
    address.keep(file)?;
    Ok(Some(SavedAddress { path: file.clone(), before }))
}

/// The store as the next command is told about it: by the file that was kept, unless the environment
/// says it anyhow.
pub fn named(plan: &Plan<'_>, kept: Option<&Path>) -> DataDir {
    let store = plan.store.clone();
    match (kept, plan.store.address()) {
        (Some(file), Some(address)) if address.option().is_some() => {
            store.with_database(Some(address.clone().in_file(file.to_owned())))
        }
        _ => store,
    }
}

/// Where it was kept, and whether others can read it.
pub fn words(plan: &Plan<'_>, kept: Option<&Path>) -> String {
    let mut words = Words::default();
    if let Some(path) = kept {
        words.line(format!("The database URL is saved in a private file: {}", path.display()));
    }
    let exposed = plan.store.address().filter(|address| address.is_exposed());
    if let Some(file) = exposed.and_then(DatabaseAddress::lasting_file) {
        words.line(format!("But {}", others_can_read(file).sentence()));
    }
    words.into_text()
}
