//! The address of a database for a client's server: in a file, because it may hold a password, which
//! belongs into no client's settings.

use std::path::{Path, PathBuf};

use pdpp_contract::ClientName;

use super::Plan;
use crate::agents::others_can_read;
use crate::credentials::Credentials;
use crate::data_dir::DataDir;
use crate::database_address::DatabaseAddress;
use crate::failure::Failure;
use crate::setup::Starting;
use crate::words::Words;

/// The file that the entry names: the person's own, or one of ours beside the credential.
pub fn file_for(client: &ClientName, store: &DataDir) -> Option<PathBuf> {
    let address = store.address()?;
    let ours = || Credentials::new(store.credentials()).address_file(client);
    Some(address.lasting_file().map_or_else(ours, ToOwned::to_owned))
}

/// The file of ours that has yet to be written, if there is one.
pub fn missing<'a>(plan: &'a Plan<'_>) -> Option<&'a PathBuf> {
    let Starting::Local { address_file: Some(file), .. } = &plan.starting else { return None };
    let has_its_own = plan.store.address()?.lasting_file().is_some();
    (!has_its_own).then_some(file)
}

/// Writes it, in place of an older address. Says where it is.
pub fn keep(plan: &Plan<'_>) -> Result<Option<PathBuf>, Failure> {
    let (Some(file), Some(address)) = (missing(plan), plan.store.address()) else {
        return Ok(None);
    };
    address.keep(file)?;
    Ok(Some(file.clone()))
}

/// Where it was kept, and whether others can read it.
pub fn words(plan: &Plan<'_>, kept: Option<&Path>) -> String {
    let mut words = Words::default();
    if let Some(path) = kept {
        words.line(format!("The database's address, for you alone: {}", path.display()));
    }
    let exposed = plan.store.address().filter(|address| address.is_exposed());
    if let Some(file) = exposed.and_then(DatabaseAddress::lasting_file) {
        words.line(format!("But {}", others_can_read(file)));
    }
    words.into_text()
}
