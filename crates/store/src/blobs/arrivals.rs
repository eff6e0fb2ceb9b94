//! Which blobs an import brought before their records: a list in a file that is locked as long as the
//! import lives. A list that nobody holds tells what a killed import left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use pdpp_contract::blob::BlobId;

use crate::blobs::files::{failed, new_locked_file};
use crate::error::StoreResult;

/// How the names of lists end.
pub(crate) const ENDING: &str = ".list";

/// The open list of a process, when it has one.
pub(crate) type Slot = Arc<Mutex<Option<File>>>;

/// While this lives, the blobs that its store keeps are listed as waiting for their records. Whoever
/// drops it is done: what has no record by then waits like any other upload.
#[derive(Debug)]
pub struct Arrivals {
    slot: Slot,
    path: PathBuf,
}

impl Arrivals {
    pub(crate) fn begin(folder: &Path, slot: &Slot) -> StoreResult<Self> {
        let (file, path) = new_locked_file(folder, ENDING)?;
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(Self { slot: Arc::clone(slot), path })
    }
}

impl Drop for Arrivals {
    fn drop(&mut self) {
        // While it is still locked, so that nobody takes it for a dead one.
        let _ = fs::remove_file(&self.path);
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Lists a blob, before it is kept.
pub(crate) fn note(slot: &Slot, id: BlobId) -> StoreResult<()> {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    match slot.as_mut() {
        Some(file) => file.write_all(format!("{}\n", id.hex()).as_bytes()).map_err(failed),
        None => Ok(()),
    }
}

/// What the lists of a folder say.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Blobs of imports that live.
    pub held: BTreeSet<BlobId>,
    /// Blobs of imports that were killed, unless a living one holds them too, and when the list that names
    /// them was last written to.
    pub left: BTreeMap<BlobId, Timestamp>,
    /// The lists of the killed ones, locked until they are taken away.
    dead: Vec<(PathBuf, File)>,
}

impl Listed {
    /// Reads these lists.
    pub(crate) fn read(paths: impl Iterator<Item = PathBuf>) -> StoreResult<Self> {
        let mut listed = Self::default();
        for path in paths {
            let mut file = match File::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            let is_dead = is_dead(&file);
            let mut text = String::new();
            // A list that its owner is just beginning to write, or that ends in the middle of a line.
            file.read_to_string(&mut text).map_err(failed)?;
            let blobs = text.lines().filter_map(BlobId::from_hex);
            if is_dead {
                let written = file.metadata().and_then(|about| about.modified()).map_err(failed)?;
                let written = Timestamp::try_from(written).unwrap_or(Timestamp::MAX);
                listed.left.extend(blobs.map(|blob| (blob, written)));
                listed.dead.push((path, file));
            } else {
                listed.held.extend(blobs);
            }
        }
        listed.left.retain(|blob, _| !listed.held.contains(blob));
        Ok(listed)
    }

    /// Takes the lists of the killed imports away.
    pub(crate) fn settle(self) -> StoreResult<()> {
        for (path, _lock) in self.dead {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether nobody holds a file any more. Where files cannot be locked, somebody may.
pub(crate) fn is_dead(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(byte: u8) -> BlobId {
        BlobId([byte; 32])
    }

    fn read(folder: &Path) -> Listed {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        Listed::read(paths).unwrap()
    }

    #[test]
    fn a_killed_import_s_list_tells_what_it_left_and_a_living_one_s_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::default();
        note(&slot, blob(1)).unwrap();
        let arrivals = Arrivals::begin(folder.path(), &slot).unwrap();
        note(&slot, blob(2)).unwrap();
        note(&slot, blob(3)).unwrap();
        let dead = format!("{}\n{}\n{}", blob(3).hex(), blob(4).hex(), &blob(5).hex()[..9]);
        fs::write(folder.path().join("1-1.list"), dead).unwrap();
        let listed = read(folder.path());
        assert_eq!(listed.held, BTreeSet::from([blob(2), blob(3)]));
        assert_eq!(listed.left.keys().collect::<Vec<_>>(), [&blob(4)]);
        listed.settle().unwrap();
        assert!(read(folder.path()).left.is_empty());
        drop(arrivals);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
