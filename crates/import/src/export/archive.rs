//! Zip archives: nothing is unpacked to disk, an entry that unpacks without measure is stopped, and
//! an archive with too many or with overlapping entries is rejected.

use std::io::{self, BufReader, Read, Seek};

use zip::ZipArchive;
use zip::read::Config;
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

/// Below this many bytes an entry may be packed as tightly as it likes.
const FREE_BYTES: u64 = 64 * 1024 * 1024;
/// Beyond that, so many bytes may come out for each byte that went in. Text reaches 20 to 50.
const MAX_RATIO: u64 = 200;
/// Most entries. The table of contents is kept in memory while the archive is open.
const MAX_ENTRIES: usize = 200_000;

/// A file of an archive, as the table of contents describes it.
pub struct ArchiveEntry {
    /// Its number.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its length, as the archive claims.
    pub size_bytes: u64,
    /// What it takes in the archive.
    pub packed_bytes: u64,
}

/// An open archive.
pub struct Archive<R> {
    zip: ZipArchive<BufReader<R>>,
    /// What the whole archive may still give.
    left_bytes: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the table of contents of an archive of `size_bytes`.
    pub fn open(reader: R, size_bytes: u64) -> io::Result<Self> {
        let mut reader = BufReader::new(reader);
        let entries = ZipIterable::try_new(&mut reader, Config::default()).map_err(from_zip)?.len();
        if entries > MAX_ENTRIES {
            let why = format!("the archive has {entries} entries; at most {MAX_ENTRIES} are read");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let mut zip = ZipArchive::new(reader).map_err(from_zip)?;
        // A few bytes that many entries claim for themselves would be read once for each.
        if zip.has_overlapping_entries().map_err(from_zip)? {
            let why = "entries of the archive share the same bytes; nothing of it is read";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let left_bytes = FREE_BYTES.saturating_add(size_bytes.saturating_mul(MAX_RATIO));
        Ok(Self { zip, left_bytes })
    }

    /// Files with a sound name: their number and their name, in the order of names.
    pub fn entries(&self) -> Vec<(usize, String)> {
        let sound = |(_, name): &(usize, String)| !name.ends_with('/') && is_sound(name);
        let mut entries: Vec<(usize, String)> = self.names().filter(sound).collect();
        entries.sort_by(|one, other| one.1.cmp(&other.1));
        entries
    }

    /// Files with a sound name, in the order of names, with what they weigh.
    pub fn contents(&mut self) -> io::Result<Vec<ArchiveEntry>> {
        let mut contents = Vec::new();
        for (index, name) in self.entries() {
            let entry = self.zip.by_index_raw(index).map_err(from_zip)?;
            let (size_bytes, packed_bytes) = (entry.size(), entry.compressed_size());
            contents.push(ArchiveEntry { index, name, size_bytes, packed_bytes });
        }
        Ok(contents)
    }

    /// Entries whose name would lead out of the folder they are unpacked into.
    pub fn rejected(&self) -> Vec<(String, io::Error)> {
        let why = "the entry's name leads out of the archive";
        let rejected = self.names().filter(|(_, name)| !is_sound(name));
        rejected.map(|(_, name)| (name, io::Error::new(io::ErrorKind::InvalidData, why))).collect()
    }

    /// Every entry with its name; one that is no text in any encoding is told by its number.
    fn names(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        (0..self.zip.len()).filter_map(|index| {
            let name = self.zip.name_for_index(index)?;
            Some((index, name.map_or_else(|_| format!("entry {index}"), Into::into)))
        })
    }

    /// Opens an entry.
    pub fn entry(&mut self, index: usize) -> io::Result<impl Read + '_> {
        let left_bytes = &mut self.left_bytes;
        let entry = self.zip.by_index(index).map_err(from_zip)?;
        if entry.is_symlink() {
            let why = "the entry is a link";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let allowed = entry.compressed_size().saturating_mul(MAX_RATIO).max(FREE_BYTES);
        Ok(LimitedEntry { entry, allowed, left_bytes })
    }
}

/// Whether the name stays below the place where the archive would be unpacked.
fn is_sound(name: &str) -> bool {
    let leads_out = name.split(['/', '\\']).any(|part| part == "..");
    let absolute = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    !leads_out && !absolute && !name.contains('\0')
}

fn from_zip(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

/// An entry that stops when it gives more than its packed size can mean.
struct LimitedEntry<'a, E> {
    entry: E,
    allowed: u64,
    left_bytes: &'a mut u64,
}

impl<E: Read> Read for LimitedEntry<'_, E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.entry.read(buffer)?;
        let bytes = u64::try_from(read).unwrap_or(u64::MAX);
        if bytes > self.allowed || bytes > *self.left_bytes {
            let why = "it unpacks to far more than its packed size; not read further";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.allowed -= bytes;
        *self.left_bytes -= bytes;
        Ok(read)
    }
}
