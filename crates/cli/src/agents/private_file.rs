//! Files that only their owner may read: looked at before they are believed.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::output::quoted;

/// The bytes of a file that only we can read or change; `None` when there is none. A link is not
/// followed: what was looked at is what is read.
pub fn read_private(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let failed = |error: io::Error| Failure::file("read", path, &error);
    let seen = match std::fs::symlink_metadata(path) {
        Ok(seen) => seen,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !seen.is_file() {
        let path = path.display();
        let failure = exposed(format!("{path} is a link or not a regular file"));
        return Err(failure.with_advice("remove it, then connect or create the grant again"));
    }
    let mut file = File::open(path).map_err(failed)?;
    let opened = file.metadata().map_err(failed)?;
    check_private(path, &seen, &opened)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some(bytes))
}

#[cfg(unix)]
fn check_private(path: &Path, seen: &Metadata, opened: &Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let place = path.display();
    if (seen.dev(), seen.ino()) != (opened.dev(), opened.ino()) {
        let failure = exposed(format!("{place} changed while it was read"));
        return Err(failure.with_advice("try again"));
    }
    // Whoever made this file just now is who we are.
    let own = tempfile::tempfile().and_then(|file| file.metadata()).map(|made| made.uid());
    if own.is_ok_and(|own| own != opened.uid()) {
        return Err(exposed(format!("{place} belongs to another user")).with_advice("remove it"));
    }
    if opened.mode().trailing_zeros() >= 6 {
        return Ok(());
    }
    Err(others_can_read(path))
}

/// Refuses a file that should be private, and says how to make it so.
pub fn others_can_read(path: &Path) -> Failure {
    let place = path.display().to_string();
    let advice = format!("run: chmod 600 {}", quoted(&place));
    exposed(format!("other users can read {place}")).with_advice(advice)
}

fn exposed(message: String) -> Failure {
    Failure::new(Exit::Refused, "credential_exposed", message)
}

#[cfg(not(unix))]
fn check_private(_: &Path, _: &Metadata, _: &Metadata) -> Result<(), Failure> {
    Ok(())
}
