//! Files named by their content: `ab/cdef…` under one directory, whole or not there at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use sha2::{Digest, Sha256};

use crate::blobs::arrivals::{self, Arrivals, Listed, Slot};
use crate::error::{StoreError, StoreResult};

/// Where uploads grow. On the same file system, so that renaming is one step.
const UPLOADS: &str = "uploads";
/// Distinguishes the uploads of one process.
static NEXT_UPLOAD: AtomicU64 = AtomicU64::new(0);

/// A directory of blobs. Made when the first one comes.
#[derive(Debug, Clone)]
pub(crate) struct BlobFiles {
    directory: PathBuf,
    /// The list of the import that this process is at.
    arrivals: Slot,
}

/// A file that grows.
pub(crate) struct UploadFile {
    file: File,
    path: PathBuf,
    hasher: Sha256,
    size_bytes: u64,
}

impl BlobFiles {
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory, arrivals: Slot::default() }
    }

    fn path(&self, id: BlobId) -> PathBuf {
        let hex = id.hex();
        let (folder, name) = hex.split_at(2);
        self.directory.join(folder).join(name)
    }

    /// Begins a file.
    pub(crate) fn upload(&self) -> StoreResult<UploadFile> {
        let (file, path) = new_locked_file(&self.uploads(), "")?;
        Ok(UploadFile { file, path, hasher: Sha256::new(), size_bytes: 0 })
    }

    /// Lists what is kept from now on as waiting for its records.
    pub(crate) fn begin_arrivals(&self) -> StoreResult<Arrivals> {
        Arrivals::begin(&self.uploads(), &self.arrivals)
    }

    /// Says that a blob will be kept. Comes before anything that another process could see.
    pub(crate) fn announce(&self, id: BlobId) -> StoreResult<()> {
        arrivals::note(&self.arrivals, id)
    }

    /// What living imports hold and killed ones left. Read under the write lock it is exact.
    pub(crate) fn listed(&self) -> StoreResult<Listed> {
        let paths = entries(&self.uploads())?;
        Listed::read(paths.into_iter().filter(|path| is_list(path)))
    }

    fn uploads(&self) -> PathBuf {
        self.directory.join(UPLOADS)
    }

    /// Puts a finished upload in its place and makes sure that it stays there.
    pub(crate) fn place(&self, upload: &UploadFile, id: BlobId) -> StoreResult<()> {
        let path = self.path(id);
        let folder = path.parent().unwrap_or(&self.directory);
        make_directory(folder)?;
        fs::rename(&upload.path, &path).map_err(failed)?;
        sync_directory(folder)
    }

    /// Takes a file away. Absent is fine.
    pub(crate) fn remove(&self, id: BlobId) -> StoreResult<bool> {
        let path = self.path(id);
        let removed = remove(&path)?;
        if removed && let Some(folder) = path.parent() {
            sync_directory(folder)?;
        }
        Ok(removed)
    }

    /// A range of a file; `None` when it is not there.
    pub(crate) fn read(
        &self,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<Vec<u8>>> {
        let mut file = match File::open(self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset_bytes)).map_err(failed)?;
        let most = u64::try_from(max_bytes).unwrap_or(u64::MAX);
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(bytes))
    }

    /// The size and digest of a file; `None` when it is not there.
    pub(crate) fn digest(&self, id: BlobId) -> StoreResult<Option<(BlobId, u64)>> {
        let mut file = match File::open(self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut hasher = Sha256::new();
        let mut size = 0;
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = file.read(&mut buffer).map_err(failed)?;
            if read == 0 {
                return Ok(Some((BlobId(hasher.finalize().into()), size)));
            }
            hasher.update(buffer.get(..read).unwrap_or_default());
            size += u64::try_from(read).unwrap_or(u64::MAX);
        }
    }

    /// Every blob that has a file.
    pub(crate) fn list(&self) -> StoreResult<Vec<BlobId>> {
        let mut found = Vec::new();
        for folder in entries(&self.directory)? {
            let Some(start) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            if start.len() != 2 {
                continue;
            }
            for file in entries(&folder)? {
                let rest = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                found.extend(BlobId::from_hex(&format!("{start}{rest}")));
            }
        }
        Ok(found)
    }

    /// Takes uploads away that broke off: nobody holds them, or nobody wrote to them since an instant;
    /// how many.
    pub(crate) fn remove_uploads(&self, before: Timestamp) -> StoreResult<u64> {
        let mut removed = 0;
        for path in entries(&self.uploads())?.into_iter().filter(|path| !is_list(path)) {
            let modified = fs::metadata(&path).and_then(|about| about.modified());
            let at = modified.ok().and_then(|at| Timestamp::try_from(at).ok());
            let is_old = at.is_some_and(|at| at < before);
            let is_dead = || File::open(&path).is_ok_and(|file| arrivals::is_dead(&file));
            if (is_old || is_dead()) && remove(&path)? {
                removed += 1;
            }
        }
        Ok(removed)
    }
}

impl UploadFile {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> StoreResult<()> {
        self.file.write_all(bytes).map_err(failed)?;
        self.hasher.update(bytes);
        self.size_bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// The bytes so far, in pieces of this length; the last one may be shorter.
    pub(crate) fn pieces(
        &self,
        length: usize,
        mut take: impl FnMut(Vec<u8>) -> StoreResult<()>,
    ) -> StoreResult<()> {
        let file = File::open(&self.path).map_err(failed)?;
        let wanted = u64::try_from(length).unwrap_or(u64::MAX);
        loop {
            let mut piece = Vec::new();
            (&file).take(wanted).read_to_end(&mut piece).map_err(failed)?;
            if piece.is_empty() {
                return Ok(());
            }
            take(piece)?;
        }
    }

    /// Makes sure that all bytes are on the disk; says which blob they are.
    pub(crate) fn finish(&mut self) -> StoreResult<(BlobId, u64)> {
        self.file.sync_all().map_err(failed)?;
        Ok((BlobId(self.hasher.clone().finalize().into()), self.size_bytes))
    }
}

impl Drop for UploadFile {
    fn drop(&mut self) {
        // Gone already when it was placed; otherwise nobody will ask for it again.
        let _ = fs::remove_file(&self.path);
    }
}

/// A new file that is locked while its process lives, and its path.
pub(crate) fn new_locked_file(folder: &Path, ending: &str) -> StoreResult<(File, PathBuf)> {
    make_directory(folder)?;
    loop {
        let number = NEXT_UPLOAD.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}{ending}", std::process::id()));
        match private().create_new(true).write(true).open(&path) {
            Ok(file) => {
                // Where files cannot be locked, age decides what is dead.
                let _ = file.lock();
                // Before it was locked, somebody may have taken it for a dead one.
                if path.exists() {
                    return Ok((file, path));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

fn is_list(path: &Path) -> bool {
    path.to_string_lossy().ends_with(arrivals::ENDING)
}

fn entries(folder: &Path) -> StoreResult<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(list) => list.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(error)),
    }
}

fn remove(path: &Path) -> StoreResult<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

fn make_directory(path: &Path) -> StoreResult<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path).map_err(failed)
}

/// A rename survives a crash once its directory is on the disk. Windows has no such call.
fn sync_directory(path: &Path) -> StoreResult<()> {
    if cfg!(unix) {
        File::open(path).and_then(|file| file.sync_all()).map_err(failed)
    } else {
        Ok(())
    }
}

pub(crate) fn failed(error: io::Error) -> StoreError {
    if error.kind() == io::ErrorKind::StorageFull {
        StoreError::Full
    } else {
        StoreError::unavailable(error)
    }
}
