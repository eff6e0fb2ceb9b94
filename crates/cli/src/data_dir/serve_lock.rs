//! One server per store: a lock on a file that the operating system lets go when its holder dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::net::SocketAddr;

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};

/// Holds the lock as long as it lives.
#[derive(Debug)]
pub struct ServeLock(Option<File>);

/// What a lock file says about its holder. Only the lock itself proves that there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    /// Its process.
    pub pid: Option<u32>,
    /// Where it listens.
    pub listens_on: Option<SocketAddr>,
    /// What it calls itself.
    pub base_url: Option<String>,
}

/// Whether somebody serves a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockState {
    /// Somebody does.
    Held(Holder),
    /// Nobody does, and whoever did last had no time to say goodbye.
    Stale(Holder),
    /// Nobody does.
    Free,
}

impl ServeLock {
    /// Takes the lock of a data directory, or says who has it. A store in Postgres may have any number
    /// of servers.
    pub fn take(data_dir: &DataDir) -> Result<Self, Failure> {
        data_dir.create()?;
        if data_dir.database().is_some() {
            return Ok(Self(None));
        }
        let path = data_dir.serve_lock();
        let unusable = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::PermissionDenied => data_dir.closed(),
            _ => Failure::file("lock", &path, &error),
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held_by(&Holder::read(&mut file))),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        // The number is for people only; the lock itself is what counts.
        // On a full disk a server starts without it.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .and_then(|()| file.flush());
        Ok(Self(Some(file)))
    }

    /// Writes down where the holder can be found. For people only, so a failure is none.
    pub fn announce(&mut self, listens_on: SocketAddr, base_url: &str) {
        if let Some(file) = &mut self.0 {
            let _ = writeln!(file, "{listens_on}\n{base_url}").and_then(|()| file.flush());
        }
    }

    /// Looks whether somebody serves, without getting in the way of whoever wants to.
    pub fn look(data_dir: &DataDir) -> LockState {
        let Ok(mut file) = File::open(data_dir.serve_lock()) else { return LockState::Free };
        let free = file.try_lock_shared().is_ok();
        let holder = Holder::read(&mut file);
        match (free, holder == Holder::default()) {
            (false, _) => LockState::Held(holder),
            (true, false) => LockState::Stale(holder),
            (true, true) => LockState::Free,
        }
    }
}

impl Drop for ServeLock {
    /// An empty file says that its last holder ended well.
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            let _ = file.set_len(0);
        }
    }
}

impl Holder {
    /// A holder that has not written anything yet, or a system that hides it, is still a holder.
    fn read(file: &mut File) -> Self {
        let mut text = String::new();
        let _ = file.take(2_048).read_to_string(&mut text);
        let mut lines = text.lines();
        Self {
            pid: lines.next().and_then(|line| line.trim().parse().ok()),
            listens_on: lines.next().and_then(|line| line.parse().ok()),
            base_url: lines.next().map(str::to_owned),
        }
    }
}

fn held_by(holder: &Holder) -> Failure {
    let holder = match holder.pid {
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    };
    let message =
        format!("{holder} is already serving this store; stop it first, or use another --data-dir");
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

    #[test]
    fn a_look_tells_a_server_from_one_that_was_killed_and_one_that_ended() {
        let directory = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(directory.path().join("data"));
        assert_eq!(ServeLock::look(&data_dir), LockState::Free);
        let mut lock = ServeLock::take(&data_dir).unwrap();
        lock.announce("127.0.0.1:7667".parse().unwrap(), "https://data.example.org");
        let holder = Holder {
            pid: Some(std::process::id()),
            listens_on: Some("127.0.0.1:7667".parse().unwrap()),
            base_url: Some("https://data.example.org".to_owned()),
        };
        assert_eq!(ServeLock::look(&data_dir), LockState::Held(holder.clone()));
        let text = std::fs::read_to_string(data_dir.serve_lock()).unwrap();
        drop(lock);
        assert_eq!(ServeLock::look(&data_dir), LockState::Free, "it said goodbye");
        std::fs::write(data_dir.serve_lock(), text).unwrap();
        assert_eq!(ServeLock::look(&data_dir), LockState::Stale(holder));
    }
}
