//! One server per store: a lock on a file that the operating system lets go when its holder dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};

/// Holds the lock as long as it lives.
#[derive(Debug)]
pub struct ServeLock(
    #[expect(dead_code, reason = "an open file is what holds the lock")] Option<File>,
);

impl ServeLock {
    /// Takes the lock of a data directory, or says who has it. A store in Postgres may have any number
    /// of servers.
    pub fn take(data_dir: &DataDir) -> Result<Self, Failure> {
        data_dir.create()?;
        if data_dir.database().is_some() {
            return Ok(Self(None));
        }
        let path = data_dir.serve_lock();
        let unusable = |error| Failure::file("lock", &path, &error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held_by(&mut file)),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        // The number is for people only; the lock itself is what counts.
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .and_then(|()| file.flush())
            .map_err(unusable)?;
        Ok(Self(Some(file)))
    }
}

fn held_by(file: &mut File) -> Failure {
    let mut text = String::new();
    // A holder that has not written its number yet, or a system that hides it, is still a holder.
    let _ = file.take(32).read_to_string(&mut text);
    let holder = match text.trim().parse::<u32>() {
        Ok(pid) => format!("process {pid}"),
        Err(_) => "another process".to_owned(),
    };
    let message =
        format!("{holder} already serves this store; stop it first, or name another --data-dir");
    Failure::new(Exit::Unreachable, "already_served", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_taker_learns_who_was_first_and_a_dropped_lock_is_free() {
        let directory = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(directory.path().join("data"));
        let first = ServeLock::take(&data_dir).unwrap();
        let refusal = ServeLock::take(&data_dir).unwrap_err();
        assert_eq!(refusal.exit, Exit::Unreachable);
        assert!(refusal.message.contains(&std::process::id().to_string()));
        drop(first);
        assert!(ServeLock::take(&data_dir).is_ok());
    }
}
