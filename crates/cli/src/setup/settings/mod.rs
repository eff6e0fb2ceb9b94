//! The settings of a client as text: read, changed in one place, and put back whole.

mod config_file;
mod diff;
mod edit;
mod json_text;
mod snippet;
#[cfg(test)]
mod tests;
mod toml_text;

pub use config_file::ConfigFile;
pub use edit::{
    BrokenSettings, SettingsChange, SettingsEdit, added, entries_of, entry_of, removed, undone,
};
pub use snippet::{change_shown, snippet};
