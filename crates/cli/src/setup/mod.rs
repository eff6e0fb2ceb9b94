//! Clients on this machine: where each keeps its settings, and how our server gets into them.
//!
//! A client's file is the person's own. What is not ours stays byte for byte as it was: comments,
//! order, spaces. No secret is ever written: the entry starts this program, which finds the credential.

mod client;
mod client_paths;
mod entry;
mod entry_store;
mod health;
mod launch;
mod probe;
mod run_program;
mod set_up;
mod settings;

pub use client::KnownClient;
pub use client_paths::{ClientPaths, Installation};
pub use entry::Entry;
pub use entry_store::EntryStore;
pub use health::{ClientHealth, client_health};
pub use launch::{AddressFile, EntryName, LaunchSpec, PROGRAM, program};
pub use probe::answers_as_started;
pub use set_up::set_up_as;
pub use settings::{
    BrokenSettings, ConfigFile, SettingsChange, SettingsEdit, added, change_shown, entries_of,
    entry_of, removed, snippet, undone,
};
