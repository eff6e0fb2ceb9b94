//! Linux and the other Unix systems: the XDG base directories.

use std::path::PathBuf;

use super::{Lookup, absolute};

/// `XDG_DATA_HOME`, else `~/.local/share`.
pub fn data_home(variable: Lookup<'_>) -> Option<PathBuf> {
    absolute(variable, "XDG_DATA_HOME")
        .or_else(|| Some(absolute(variable, "HOME")?.join(".local/share")))
}

/// `$XDG_CONFIG_HOME`, else `~/.config`.
pub fn config_home(variable: Lookup<'_>) -> Option<PathBuf> {
    super::xdg_config_home(variable)
}
