//! macOS: the person's library.

use std::path::PathBuf;

use super::{Lookup, absolute};

/// `~/Library/Application Support`.
pub fn data_home(variable: Lookup<'_>) -> Option<PathBuf> {
    Some(absolute(variable, "HOME")?.join("Library/Application Support"))
}

/// `~/Library/Application Support`: settings and data lie together.
pub fn config_home(variable: Lookup<'_>) -> Option<PathBuf> {
    data_home(variable)
}
