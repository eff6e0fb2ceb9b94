//! Commands for the store as a whole: check it, copy it, move it, keep it small.

pub mod backup;
pub mod compact;
pub mod history;
pub mod migrate_store;
mod passphrase;
pub mod restore;
mod store_report;
pub mod verify;
