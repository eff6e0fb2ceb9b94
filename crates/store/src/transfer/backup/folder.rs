//! A directory with a backup in it: written from what a store gives, read into one that takes it.

use std::collections::HashSet;
use std::fs::{File, Metadata, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender};

use pdpp_contract::hex;

use super::BackupError;
use super::BackupResult;
use super::Passphrase;
use super::cutting::Cutter;
use super::manifest::Manifest;
use super::piece;
use super::pieces::{Pieces, entries, is_plain, make_directory, private, read_plain, replace};
use super::seal::Seal;
use crate::transfer::layout::Layout;
use crate::transfer::{Cargo, Cell, Load};

const MANIFEST: &str = "manifest";
const KEY: &str = "key.age";
const LOCK: &str = "lock";
const PIECES: &str = "pieces";
/// Everything that may lie in a backup; `.new` is what a process left that ended in the middle.
const OURS: [&str; 6] = [MANIFEST, KEY, LOCK, PIECES, "manifest.new", "key.new"];

/// A directory with a backup in it, which nobody else writes meanwhile.
pub struct BackupFolder {
    path: PathBuf,
    pieces: Pieces,
    seal: Seal,
    earlier: Option<Manifest>,
    /// Held as long as this lives.
    _lock: Option<File>,
}

/// What a backup wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// The pieces that make up the store.
    pub pieces: u64,
    /// Those of them that were not there before.
    pub new_pieces: u64,
    /// The bytes written for them.
    pub new_bytes: u64,
    /// Pieces that no longer belong to the store and were removed.
    pub removed: u64,
}

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Its pieces.
    pub pieces: u64,
    /// Their bytes, before they were encrypted.
    pub bytes: u64,
}

impl BackupFolder {
    /// Whether a passphrase is needed for what lies there.
    pub fn is_encrypted(path: &Path) -> bool {
        path.join(KEY).exists()
    }

    /// A directory to write into: new, empty, or a backup already.
    pub fn open_to_write(path: &Path, passphrase: Option<Passphrase>) -> BackupResult<Self> {
        if path.exists() && !path.is_dir() {
            return Err(BackupError::NotABackup(path.to_path_buf()));
        }
        // Files are removed here later, so nothing may lie here that is not ours.
        for entry in entries(path)? {
            let is_ours = OURS.iter().any(|name| entry.ends_with(name));
            let is_such =
                if entry.ends_with(PIECES) { Metadata::is_dir } else { Metadata::is_file };
            if !is_ours || !is_plain(&entry, is_such)? {
                return Err(BackupError::NotABackup(path.to_path_buf()));
            }
        }
        if !Pieces::new(path.join(PIECES)).are_ours()? {
            return Err(BackupError::NotABackup(path.join(PIECES)));
        }
        make_directory(path)?;
        let lock = exclusive(path)?;
        let is_new = !path.join(MANIFEST).exists();
        let seal = match passphrase {
            Some(passphrase) if is_new && !Self::is_encrypted(path) => {
                let (seal, key) = Seal::create(passphrase)?;
                replace(&path.join(KEY), &key)?;
                seal
            }
            passphrase => unlocked(path, passphrase)?,
        };
        let earlier = if is_new { None } else { Some(manifest(path, &seal)?) };
        Ok(Self::new(path, seal, earlier, Some(lock)))
    }

    /// A backup to read. What lies there may be on a disk that cannot be written.
    pub fn open_to_read(path: &Path, passphrase: Option<Passphrase>) -> BackupResult<Self> {
        if !path.join(MANIFEST).is_file() {
            return Err(BackupError::NotABackup(path.to_path_buf()));
        }
        let lock = File::open(path.join(LOCK)).ok();
        if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock_shared) {
            return Err(BackupError::InUse);
        }
        let seal = unlocked(path, passphrase)?;
        let manifest = manifest(path, &seal)?;
        manifest.layout()?;
        Ok(Self::new(path, seal, Some(manifest), lock))
    }

    fn new(path: &Path, seal: Seal, earlier: Option<Manifest>, lock: Option<File>) -> Self {
        let pieces = Pieces::new(path.join(PIECES));
        Self { path: path.to_path_buf(), pieces, seal, earlier, _lock: lock }
    }

    /// Keeps what a store gives. Until it is whole, the earlier backup is the one that counts.
    pub fn write(&self, loads: Receiver<Load>) -> BackupResult<Written> {
        let (mut names, mut new_pieces, mut new_bytes) = (Vec::new(), 0, 0);
        let mut store_id = None;
        let mut keep = |bytes: &[u8]| -> BackupResult<()> {
            let name = self.seal.name(bytes);
            let written = self.pieces.keep(&name, bytes, &self.seal)?;
            new_pieces += u64::from(written > 0);
            new_bytes += written;
            names.push(name);
            Ok(())
        };
        let mut cutter = Cutter::new(self.seal.cutting_key(), &mut keep);
        let mut is_whole = false;
        for load in loads {
            if let Some(id) = store_id_in(&load.what) {
                self.refuse_other_store(&id)?;
                store_id = Some(id);
            }
            is_whole = matches!(load.what, Cargo::End);
            cutter.add(load.what)?;
        }
        let (true, Some(store_id)) = (is_whole, store_id) else {
            return Err(BackupError::BrokenOff);
        };
        let manifest = Manifest::new(store_id, names);
        let sealed = self.seal.seal(&manifest.write(&self.seal)?)?;
        replace(&self.path.join(MANIFEST), &sealed)?;
        let wanted: HashSet<&str> = manifest.pieces.iter().map(String::as_str).collect();
        let removed = self.pieces.retain(&wanted)?;
        let pieces = u64::try_from(wanted.len()).unwrap_or(u64::MAX);
        Ok(Written { pieces, new_pieces, new_bytes, removed })
    }

    fn refuse_other_store(&self, id: &str) -> BackupResult<()> {
        match &self.earlier {
            Some(earlier) if earlier.store_id != id => Err(BackupError::OtherStore),
            _ => Ok(()),
        }
    }

    /// Reads every piece and looks whether it is what was written.
    pub fn check(&self) -> BackupResult<Contents> {
        let mut contents = Contents { pieces: 0, bytes: 0 };
        let names: HashSet<&String> = self.names().iter().collect();
        for name in names {
            let bytes = self.pieces.read(name, &self.seal)?;
            piece::read(&bytes, self.layout()).ok_or_else(|| BackupError::piece(name))?;
            contents.pieces += 1;
            contents.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        }
        Ok(contents)
    }

    /// Gives everything to a store that takes it. Ends early when nobody takes it any more.
    pub fn read(&self, out: &SyncSender<Load>) -> BackupResult<()> {
        for name in self.names() {
            let bytes = self.pieces.read(name, &self.seal)?;
            let found =
                piece::read(&bytes, self.layout()).ok_or_else(|| BackupError::piece(name))?;
            for what in found {
                // The store that stopped taking says why.
                if out.send(Load { what }).is_err() {
                    return Ok(());
                }
            }
        }
        let _ = out.send(Load { what: Cargo::End });
        Ok(())
    }

    /// The tables whose rows it holds.
    pub fn layout(&self) -> Layout {
        let earlier = self.earlier.as_ref();
        earlier.and_then(|manifest| manifest.layout().ok()).unwrap_or_default()
    }

    fn names(&self) -> &[String] {
        self.earlier.as_ref().map_or(&[], |manifest| &manifest.pieces)
    }
}

fn exclusive(path: &Path) -> BackupResult<File> {
    let path = path.join(LOCK);
    let file = private().truncate(false).open(&path).map_err(BackupError::file(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BackupError::InUse),
        Err(TryLockError::Error(error)) => Err(BackupError::file(&path)(error)),
    }
}

fn unlocked(path: &Path, passphrase: Option<Passphrase>) -> BackupResult<Seal> {
    let path = path.join(KEY);
    if !path.exists() {
        return if passphrase.is_none() {
            Ok(Seal::open())
        } else {
            Err(BackupError::NotEncrypted)
        };
    }
    let key = read_plain(&path)?.ok_or_else(|| BackupError::Damaged("its key".to_owned()))?;
    Seal::unlock(passphrase.ok_or(BackupError::NoPassphrase)?, &key)
}

fn manifest(path: &Path, seal: &Seal) -> BackupResult<Manifest> {
    let path = path.join(MANIFEST);
    let damaged = || BackupError::Damaged("its manifest".to_owned());
    let sealed = read_plain(&path)?.ok_or_else(damaged)?;
    Manifest::read(&seal.unseal(sealed).ok_or_else(damaged)?, seal)
}

/// The id of the store, when these are the rows that say it.
fn store_id_in(cargo: &Cargo) -> Option<String> {
    let Cargo::Rows { table: 0, rows } = cargo else { return None };
    rows.iter().find_map(|row| match row.as_slice() {
        [Cell::Text(name), Cell::Bytes(id)] if name == "store_id" => Some(hex(id)),
        _ => None,
    })
}
