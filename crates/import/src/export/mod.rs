//! An export as a person has it: files, folders and zip archives, read one file at a time.

pub mod archive;
pub mod file_index;
pub mod folder;
mod open_files;
pub mod selection;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdpp_contract::ErrorCode;

use crate::sink::{Flow, Sink, Stop};
use archive::Archive;
pub use open_files::OpenFiles;
use pdpp_contract::import::Rejected;
use selection::{FileSelection, SelectedFile, SelectedRoot};

/// Bytes read from a file at once.
const READ_BYTES: usize = 256 * 1024;
/// An archive may give this many items whatever its size …
const FREE_ITEMS: u64 = 50_000;
/// … and so many more for each of its bytes. A large table of equal rows reaches two.
const ITEMS_PER_BYTE: u64 = 4;
/// How a zip archive begins, empty or not.
const ZIP_MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// What an importer does with one file.
pub type VisitFile<'v> = dyn FnMut(&str, &mut dyn BufRead, &mut Sink<'_>) -> Flow + 'v;

/// Files, folders and archives that belong to one export.
#[derive(Debug, Clone)]
pub struct Export {
    roots: Vec<Root>,
    /// What of it is meant; everything when it is absent.
    selection: Option<Arc<FileSelection>>,
    read_bytes: Arc<AtomicU64>,
}

/// One of the paths of an export.
#[derive(Debug, Clone)]
pub enum Root {
    /// A file that is no archive.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A zip archive.
    Zip(PathBuf),
}

impl Root {
    /// The name of the file, folder or archive.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Folder(path) | Self::Zip(path) => file_name(path),
        }
    }
}

/// Where a file of an export stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileLocation {
    /// On disk.
    File(PathBuf),
    /// In an archive.
    Entry {
        /// Which of the given paths the archive is.
        root: usize,
        /// The entry's number.
        index: usize,
    },
}

impl Export {
    /// Looks at what the paths are; a wrong one costs nothing yet.
    pub fn open(paths: &[PathBuf]) -> io::Result<Self> {
        let roots = paths.iter().map(|path| Self::root(path)).collect::<io::Result<_>>()?;
        Ok(Self { roots, selection: None, read_bytes: Arc::default() })
    }

    fn root(path: &Path) -> io::Result<Root> {
        let about = fs::metadata(path)?;
        Ok(if about.is_dir() {
            Root::Folder(path.to_owned())
        } else if is_zip(path)? {
            Root::Zip(path.to_owned())
        } else {
            Root::File(path.to_owned())
        })
    }

    /// The paths of the export, in the order in which they were given.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Adds an archive that was found in a folder, and says which root it is.
    pub(crate) fn add_archive(&mut self, path: PathBuf) -> usize {
        self.roots.push(Root::Zip(path));
        self.roots.len() - 1
    }

    /// The same export, of which only these files are meant.
    #[must_use]
    pub(crate) fn selecting(&self, roots: Vec<SelectedRoot>) -> Self {
        let selection = Some(Arc::new(FileSelection::new(roots)));
        Self { selection, ..self.clone() }
    }

    /// Files that were selected and never opened.
    pub fn unread(&self) -> Vec<&SelectedFile> {
        self.selection.as_ref().map_or_else(Vec::new, |selection| selection.unread())
    }

    pub(crate) fn mark_read(&self, place: &FileLocation) {
        if let Some(selection) = &self.selection {
            selection.mark_read(place);
        }
    }

    /// Counts the bytes that were read of files and archives, for progress.
    pub fn read_bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read_bytes)
    }

    /// Bytes of all files and archives; files that are rejected count too.
    pub fn size_bytes(&self) -> u64 {
        let size = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
        if let Some(selection) = &self.selection {
            return selection.files().map(|file| file.packed_bytes).sum();
        }
        let sizes = self.roots.iter().map(|root| match root {
            Root::File(path) | Root::Zip(path) => size(path),
            Root::Folder(path) => folder::files(path)
                .map_or(0, |found| found.files.iter().map(|file| size(&file.path)).sum()),
        });
        sizes.sum()
    }

    /// The names of all files, as visitors see them, and where each stands.
    pub fn locations(&self) -> io::Result<Vec<(String, FileLocation)>> {
        if let Some(selection) = &self.selection {
            let place = |file: &SelectedFile| (file.name.clone(), file.location.clone());
            return Ok(selection.files().map(place).collect());
        }
        let mut places = Vec::new();
        for (number, root) in self.roots.iter().enumerate() {
            match root {
                Root::File(path) => {
                    places.push((file_name(path), FileLocation::File(path.clone())));
                }
                Root::Folder(path) => {
                    let files = folder::files(path)?.files.into_iter();
                    places.extend(files.map(|file| (file.name, FileLocation::File(file.path))));
                }
                Root::Zip(path) => {
                    // One that cannot be read is rejected where it is visited.
                    let entries = self.archive(path).map_or_else(|_| Vec::new(), |a| a.entries());
                    let place = |index| FileLocation::Entry { root: number, index };
                    places.extend(entries.into_iter().map(|(index, name)| (name, place(index))));
                }
            }
        }
        Ok(places)
    }

    /// The archive that is the given root.
    pub(crate) fn archive_of(&self, root: usize) -> io::Result<Archive<CountingFile>> {
        match self.roots.get(root) {
            Some(Root::Zip(path)) => self.archive(path),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    /// Visits every wanted file, in the order of their names in each folder and archive. Links that
    /// lead out of a folder and entries that an archive must not have are rejected as items.
    pub fn each(
        &self,
        sink: &mut Sink<'_>,
        wanted: &dyn Fn(&str) -> bool,
        visit: &mut VisitFile<'_>,
    ) -> Flow {
        if let Some(selection) = &self.selection {
            return self.each_selected(selection, sink, wanted, visit);
        }
        for root in &self.roots {
            sink.begin_root(&root.name());
            match root {
                Root::File(path) => {
                    let name = file_name(path);
                    self.visit_file(sink, &name, path, visit)?;
                }
                Root::Folder(path) => {
                    let found = folder::files(path).map_err(Stop::Failed)?;
                    for rejected in found.rejected {
                        sink.begin_file(&rejected.name);
                        sink.unreadable(rejected.error)?;
                    }
                    for file in found.files.iter().filter(|file| wanted(&file.name)) {
                        self.visit_file(sink, &file.name, &file.path, visit)?;
                    }
                }
                Root::Zip(path) => {
                    self.visit_zip(sink, path, &ZipVisit::Wanted(wanted), visit)?;
                }
            }
        }
        Ok(())
    }

    fn each_selected(
        &self,
        selection: &FileSelection,
        sink: &mut Sink<'_>,
        wanted: &dyn Fn(&str) -> bool,
        visit: &mut VisitFile<'_>,
    ) -> Flow {
        for root in &selection.roots {
            sink.begin_root(&root.name);
            let meant = root.files.iter().filter(|file| file.is_meant(wanted));
            let mut entries = Vec::new();
            for file in meant {
                self.mark_read(&file.location);
                match &file.location {
                    FileLocation::File(path) => self.visit_file(sink, &file.name, path, visit)?,
                    FileLocation::Entry { index, .. } => entries.push((*index, file.name.clone())),
                }
            }
            if let (Some(Root::Zip(path)), false) =
                (self.roots.get(root.number), entries.is_empty())
            {
                self.visit_zip(sink, path, &ZipVisit::These(entries), visit)?;
            }
        }
        Ok(())
    }

    fn visit_file(
        &self,
        sink: &mut Sink<'_>,
        name: &str,
        path: &Path,
        visit: &mut VisitFile<'_>,
    ) -> Flow {
        sink.begin_file(name);
        match self.counted(path) {
            Ok(file) => visit(name, &mut BufReader::with_capacity(READ_BYTES, file), sink),
            Err(error) => sink.unreadable(error),
        }
    }

    fn visit_zip(
        &self,
        sink: &mut Sink<'_>,
        path: &Path,
        which: &ZipVisit<'_>,
        visit: &mut VisitFile<'_>,
    ) -> Flow {
        sink.begin_file(&file_name(path));
        let mut archive = match self.archive(path) {
            Ok(archive) => archive,
            Err(error) => return sink.unreadable(error),
        };
        let size_bytes = fs::metadata(path).map_err(Stop::Failed)?.len();
        sink.begin_archive(FREE_ITEMS.saturating_add(size_bytes.saturating_mul(ITEMS_PER_BYTE)));
        let flow = visit_entries(sink, &mut archive, which, visit);
        sink.end_archive();
        let Err(Stop::ArchiveFull(max_items)) = flow else { return flow };
        let why = format!(
            "the archive holds more than {max_items} records, the most for its size; \
             the rest of it is not read: unpack it and import the folder"
        );
        sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &[]))
    }

    fn archive(&self, path: &Path) -> io::Result<Archive<CountingFile>> {
        Archive::open(self.counted(path)?, fs::metadata(path)?.len())
    }

    pub(crate) fn counted(&self, path: &Path) -> io::Result<CountingFile> {
        Ok(CountingFile { file: File::open(path)?, read_bytes: Arc::clone(&self.read_bytes) })
    }
}

/// Which entries of an archive are visited.
enum ZipVisit<'w> {
    /// Those with a wanted name; what must not be in an archive is rejected.
    Wanted(&'w dyn Fn(&str) -> bool),
    /// These, under these names. What else is in the archive was stated before.
    These(Vec<(usize, String)>),
}

fn visit_entries(
    sink: &mut Sink<'_>,
    archive: &mut Archive<CountingFile>,
    which: &ZipVisit<'_>,
    visit: &mut VisitFile<'_>,
) -> Flow {
    let entries = match which {
        ZipVisit::These(entries) => entries.clone(),
        ZipVisit::Wanted(wanted) => {
            for (name, error) in archive.rejected() {
                sink.begin_file(&name);
                sink.unreadable(error)?;
            }
            let entries = archive.entries().into_iter();
            entries.filter(|(_, name)| wanted(name)).collect()
        }
    };
    for (index, name) in entries {
        sink.begin_file(&name);
        match archive.entry(index) {
            Ok(entry) => visit(&name, &mut BufReader::with_capacity(READ_BYTES, entry), sink)?,
            Err(error) => sink.unreadable(error)?,
        }
    }
    Ok(())
}

/// Whether a file begins as a zip archive.
pub(crate) fn is_zip(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut head)?;
    Ok(ZIP_MAGIC.contains(&head.as_slice()))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A file that counts what is read of it.
pub struct CountingFile {
    file: File,
    read_bytes: Arc<AtomicU64>,
}

impl Read for CountingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read_bytes.fetch_add(u64::try_from(read).unwrap_or(0), Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for CountingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
