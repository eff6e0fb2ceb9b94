//! The parts of a file's name in an export, with `/` between its folders.

/// The name without its folders.
pub fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// The name of the folder that holds the file; empty when none does.
pub fn folder_name(name: &str) -> &str {
    name.rsplit('/').nth(1).unwrap_or_default()
}

/// Whether the name ends so, in whatever case. The ending is given in lower case.
pub fn has_ending(name: &str, ending: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ending)
}
