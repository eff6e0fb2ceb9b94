//! Windows: the person's application data that stays on this machine.

use std::path::PathBuf;

use super::{Lookup, absolute};

/// `%LOCALAPPDATA%`, else its usual place under the profile.
pub fn data_home(variable: Lookup<'_>) -> Option<PathBuf> {
    absolute(variable, "LOCALAPPDATA")
        .or_else(|| Some(absolute(variable, "USERPROFILE")?.join("AppData/Local")))
}

/// `%APPDATA%`, which travels with the person, else its usual place under the profile.
pub fn config_home(variable: Lookup<'_>) -> Option<PathBuf> {
    absolute(variable, "APPDATA")
        .or_else(|| Some(absolute(variable, "USERPROFILE")?.join("AppData/Roaming")))
}
