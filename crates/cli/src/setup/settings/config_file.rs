//! A client's settings on disk: read once, replaced whole, with a copy of what was there before.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::failure::{Exit, Failure};

/// Stands between a file's name and the moment of its copy.
const COPY_MARK: &str = ".before-pdpp-";

/// A file as it was when it was read.
#[derive(Debug)]
pub struct ConfigFile {
    /// Where the client looks for it.
    path: PathBuf,
    /// Where it really is: a link is followed, not replaced.
    real: PathBuf,
    text: Option<String>,
}

impl ConfigFile {
    /// Reads the file, which need not exist.
    pub fn read(path: PathBuf) -> Result<Self, Failure> {
        let real = followed(&path);
        let text = content(&real)?;
        Ok(Self { path, real, text })
    }

    /// Where the client looks for it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What stands in it; nothing when it does not exist.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// What stood in it before earlier changes of ours, the latest first.
    pub fn copies(&self) -> Vec<String> {
        let directory = self.real.parent().unwrap_or(Path::new("."));
        let name = self.real.file_name().unwrap_or_default().to_string_lossy();
        let begins = format!("{name}{COPY_MARK}");
        let beside = fs::read_dir(directory).into_iter().flatten().flatten();
        let is_copy = |path: &PathBuf| {
            path.file_name().is_some_and(|found| found.to_string_lossy().starts_with(&begins))
        };
        let mut copies: Vec<PathBuf> = beside.map(|found| found.path()).filter(is_copy).collect();
        copies.sort();
        copies.iter().rev().filter_map(|path| content(path).ok().flatten()).collect()
    }

    /// Puts another text in its place and answers where the old one was copied to.
    ///
    /// Readers see the old or the new text and nothing between. Owner and permissions stay. A file
    /// that somebody has changed since it was read is left alone.
    pub fn replace(&self, text: &str, now: Timestamp) -> Result<Option<PathBuf>, Failure> {
        let failed = |error: io::Error| Failure::file("write", &self.real, &error);
        let directory = self.real.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        if let Ok(before) = fs::metadata(&self.real) {
            keep_owner(file.path(), &before);
            file.as_file().set_permissions(before.permissions()).map_err(failed)?;
        }
        file.as_file().sync_all().map_err(failed)?;
        if content(&self.real)? != self.text {
            let path = self.path.display();
            let message =
                format!("{path} was changed by another program meanwhile; run the command again");
            return Err(Failure::new(Exit::Other, "config_changed", message));
        }
        let backup = self.back_up(now).map_err(failed)?;
        file.persist(&self.real).map_err(|error| failed(error.error))?;
        Ok(backup)
    }

    /// Copies the file beside itself, with the same permissions, under a name nobody uses yet.
    fn back_up(&self, now: Timestamp) -> io::Result<Option<PathBuf>> {
        let Some(text) = &self.text else { return Ok(None) };
        let name = self.real.file_name().unwrap_or_default().to_string_lossy();
        let stamp = now.strftime("%Y%m%dT%H%M%SZ");
        for number in 1..100 {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let copy = self.real.with_file_name(format!("{name}{COPY_MARK}{stamp}{more}"));
            let opened = private().write(true).create_new(true).open(&copy);
            let mut file = match opened {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            file.write_all(text.as_bytes())?;
            let before = fs::metadata(&self.real)?;
            keep_owner(&copy, &before);
            file.set_permissions(before.permissions())?;
            file.sync_all()?;
            return Ok(Some(copy));
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }
}

/// The file behind a link, also when that file is not there yet.
fn followed(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

fn content(path: &Path) -> Result<Option<String>, Failure> {
    // Reading a pipe would wait for somebody to write into it.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = format!("{} is not a file; replace it with a file first", path.display());
        return Err(Failure::new(Exit::Data, "config_broken", message));
    }
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| {
            let message = format!(
                "{} is not UTF-8 text, so it was not changed; fix it, then run this again",
                path.display()
            );
            Failure::new(Exit::Data, "config_broken", message)
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file("read", path, &error)),
    }
}

#[cfg(unix)]
fn private() -> fs::OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = fs::OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
fn private() -> fs::OpenOptions {
    fs::OpenOptions::new()
}

/// Whoever owned the file owns the new one too, when an administrator works for them.
#[cfg(unix)]
fn keep_owner(path: &Path, before: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, chown};
    // Without the right to do so the file is ours already.
    let _ = chown(path, Some(before.uid()), Some(before.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn now() -> Timestamp {
        "2026-01-02T03:04:05Z".parse().unwrap()
    }

    #[test]
    fn a_link_stays_a_link_and_permissions_stay_as_they_were() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("dotfiles.json"), home.path().join("settings.json"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("dotfiles.json", &link).unwrap();
        let backup = ConfigFile::read(link.clone()).unwrap().replace("new", now()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let backup = backup.unwrap();
        assert_eq!((mode(&real), mode(&backup)), (0o640, 0o640));
        assert!(backup.ends_with("dotfiles.json.before-pdpp-20260102T030405Z"));
        assert_eq!(fs::read_to_string(&backup).unwrap(), "old");
        let again = ConfigFile::read(link).unwrap().replace("newer", now()).unwrap().unwrap();
        assert_ne!(again, backup, "no copy is overwritten");
    }

    #[test]
    fn a_link_to_nothing_gets_its_file() {
        let home = tempfile::tempdir().unwrap();
        let link = home.path().join("settings.json");
        symlink("later/dotfiles.json", &link).unwrap();
        assert_eq!(ConfigFile::read(link.clone()).unwrap().replace("new", now()).unwrap(), None);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(home.path().join("later/dotfiles.json")).unwrap(), "new");
    }

    #[test]
    fn what_is_no_file_is_refused_without_waiting_for_it() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        assert_eq!(ConfigFile::read(path).unwrap_err().code, "config_broken");
        assert_eq!(ConfigFile::read(home.path().into()).unwrap_err().code, "config_broken");
    }

    #[test]
    fn what_somebody_changed_meanwhile_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        fs::write(&path, "old").unwrap();
        let file = ConfigFile::read(path.clone()).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(file.replace("new", now()).unwrap_err().code, "config_changed");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "and nothing is left behind");
    }
}
