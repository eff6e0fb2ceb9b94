//! The operating system: where programs keep data and settings, signals, file limits and randomness.
//!
//! Every system's rule is a plain function over the environment, in a file of its own; tests run
//! all of them on any machine.

mod core_dumps;
pub mod entropy;
pub mod file_limit;
#[cfg(any(test, not(any(target_os = "macos", windows))))]
mod linux;
#[cfg(any(test, target_os = "macos"))]
mod macos;
pub mod signals;
#[cfg(any(test, windows))]
mod windows;

use std::ffi::OsString;
use std::path::PathBuf;

pub use core_dumps::forbid_core_dumps;
#[cfg(not(any(target_os = "macos", windows)))]
use linux as native;
#[cfg(target_os = "macos")]
use macos as native;
#[cfg(windows)]
use windows as native;

/// Looks a variable up in the environment.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The directory under which this system's programs keep a person's data.
///
/// `None` when the environment does not say where the person's home is.
pub fn data_home(variable: Lookup<'_>) -> Option<PathBuf> {
    native::data_home(variable)
}

/// The directory under which this system's programs with windows keep a person's settings.
pub fn config_home(variable: Lookup<'_>) -> Option<PathBuf> {
    native::config_home(variable)
}

/// Where programs for terminals keep settings, also on systems that have another place for others.
pub fn xdg_config_home(variable: Lookup<'_>) -> Option<PathBuf> {
    absolute(variable, "XDG_CONFIG_HOME").or_else(|| Some(home(variable)?.join(".config")))
}

/// The person's own directory.
pub fn home(variable: Lookup<'_>) -> Option<PathBuf> {
    absolute(variable, "HOME").or_else(|| absolute(variable, "USERPROFILE"))
}

/// The variable as an absolute path. A relative one would depend on where the program was started.
fn absolute(variable: Lookup<'_>, name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from).filter(|path| path.has_root())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        |name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn linux_prefers_the_xdg_directory_when_it_is_absolute() {
        let home = ("HOME", "/home/ada");
        let of = |pairs: &[(&str, &str)]| linux::data_home(&with(pairs));
        assert_eq!(of(&[home]), Some("/home/ada/.local/share".into()));
        assert_eq!(of(&[home, ("XDG_DATA_HOME", "/data")]), Some("/data".into()));
        let relative = of(&[home, ("XDG_DATA_HOME", "data")]);
        assert_eq!(relative, Some("/home/ada/.local/share".into()));
        assert_eq!(of(&[]), None);
        assert_eq!(linux::config_home(&with(&[home])), Some("/home/ada/.config".into()));
    }

    #[test]
    fn macos_uses_application_support() {
        let found = macos::data_home(&with(&[("HOME", "/Users/ada")]));
        assert_eq!(found, Some("/Users/ada/Library/Application Support".into()));
        assert_eq!(macos::config_home(&with(&[("HOME", "/Users/ada")])), found);
    }

    #[test]
    fn windows_uses_the_local_application_data() {
        let found = windows::data_home(&with(&[("LOCALAPPDATA", "/ada/local")]));
        assert_eq!(found, Some("/ada/local".into()));
        let found = windows::data_home(&with(&[("USERPROFILE", "/ada")]));
        assert_eq!(found, Some("/ada/AppData/Local".into()));
        let found = windows::config_home(&with(&[("USERPROFILE", "/ada")]));
        assert_eq!(found, Some("/ada/AppData/Roaming".into()));
    }
}
