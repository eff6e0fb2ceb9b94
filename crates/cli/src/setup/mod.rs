//! Clients on this machine: where each keeps its settings, and how our server gets into them.
//!
//! A client's file is the person's own. What is not ours stays byte for byte as it was: comments,
//! order, spaces. No secret is ever written: the entry starts this program, which finds the credential.

mod client;
mod entry;
mod entry_store;
mod health;
mod places;
mod probe;
mod running;
mod set_up;
mod settings;
mod starting;

pub use client::KnownClient;
pub use entry::Entry;
pub use entry_store::EntryStore;
pub use health::{Health, client_health};
pub use places::{Places, Seen};
pub use probe::answers_as_started;
pub use set_up::set_up_as;
pub use settings::{
    Broken, Change, ConfigFile, Edit, added, change_shown, entries_of, entry_of, removed, snippet,
    undone,
};
pub use starting::{AddressFile, EntryName, PROGRAM, Starting, program};
