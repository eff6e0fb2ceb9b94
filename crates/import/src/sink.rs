//! Where an importer puts what it finds: records, rejected items and files.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pdpp_contract::import::{ImportItem, ImportRecord, Rejected};
use pdpp_contract::{ErrorCode, JsonObject, RecordKey};

use crate::blobs::{Blobs, KeptBlob};
use crate::record::fields::RecordFields;
use crate::texts::kind::FileTextKind;
use crate::texts::limits::MAX_FILE_BYTES;
use crate::texts::reader::{FileText, FileTextReader, TextStatus};

/// Why reading ends before the export does.
#[derive(Debug)]
pub enum Stop {
    /// Nobody listens any more.
    Cancelled,
    /// The export cannot be read on.
    Failed(io::Error),
    /// The archive has given as many items as its size can mean; the number is the cap.
    ArchiveFull(u64),
}

/// Goes on, or stops.
pub type Flow = Result<(), Stop>;

/// What stays the same during one import.
pub struct ImportSetting {
    /// When the import runs, as RFC 3339; the `emitted_at` of its records.
    pub emitted_at: String,
    /// The zone of times that name none.
    pub zone: jiff::tz::TimeZone,
    /// Where files go.
    pub blobs: Box<dyn Blobs>,
    /// Who reads the text of files.
    pub texts: Box<dyn FileTextReader>,
}

/// Most notes that are kept.
const MAX_NOTES: usize = 50;

/// What an importer assumed or replaced, in words for the owner. Clones share their notes.
#[derive(Debug, Clone, Default)]
pub struct ImportNotes(Arc<Mutex<Vec<String>>>, Arc<AtomicBool>);

impl ImportNotes {
    /// The notes so far, each once.
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether times were met that name no zone.
    pub fn met_local_times(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }

    fn add(&self, note: String) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() < MAX_NOTES && !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// A file that was taken in, with what came of its text.
#[derive(Debug, Clone)]
pub struct KeptFile {
    /// The file.
    pub blob: KeptBlob,
    /// Its text; `None` for files of a kind that has none, such as pictures.
    pub text: Option<FileText>,
}

/// Keeps a copy of what is read, unless it is longer than a file whose text is read may be.
struct CopyingReader<'c> {
    content: &'c mut dyn Read,
    copy: Option<Vec<u8>>,
}

impl Read for CopyingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        if let Some(copy) = &mut self.copy {
            copy.extend_from_slice(buffer.get(..read).unwrap_or_default());
        }
        if self.copy.as_ref().is_some_and(|copy| copy.len() > MAX_FILE_BYTES) {
            self.copy = None;
        }
        Ok(read)
    }
}

/// Where an importer puts what it finds.
pub struct Sink<'a> {
    setting: &'a mut ImportSetting,
    out: &'a mut dyn FnMut(ImportItem) -> Flow,
    root: String,
    source: String,
    position: u64,
    /// How many items the archive that is being read may give, and how many of them are left.
    archive_items: Option<(u64, u64)>,
    notes: ImportNotes,
}

impl<'a> Sink<'a> {
    /// A sink that hands items to `out`.
    pub fn new(setting: &'a mut ImportSetting, out: &'a mut dyn FnMut(ImportItem) -> Flow) -> Self {
        let (root, source) = (String::new(), String::new());
        let notes = ImportNotes::default();
        Self { setting, out, root, source, position: 0, archive_items: None, notes }
    }

    /// The same sink, with notes that somebody reads.
    #[must_use]
    pub fn with_notes(mut self, notes: ImportNotes) -> Self {
        self.notes = notes;
        self
    }

    /// Reads something whose items are of no use yet: a first round that only looks.
    pub fn silently(&mut self, look: impl FnOnce(&mut Sink<'_>) -> Flow) -> Flow {
        let mut nowhere = |_: ImportItem| Ok(());
        look(&mut Sink::new(self.setting, &mut nowhere))
    }

    /// Tells the owner what was assumed or replaced. The words never repeat content.
    pub fn note(&self, note: impl Into<String>) {
        self.notes.add(note.into());
    }

    /// Begins an archive that may give at most so many items.
    pub(crate) fn begin_archive(&mut self, max_items: u64) {
        self.archive_items = Some((max_items, max_items));
    }

    /// Ends the archive: what follows is not counted.
    pub(crate) fn end_archive(&mut self) {
        self.archive_items = None;
    }

    /// Begins one of the paths that were given.
    pub fn begin_root(&mut self, name: &str) {
        name.clone_into(&mut self.root);
    }

    /// The name of the file, folder or archive that was given.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Begins a file: what follows stands in it.
    pub fn begin_file(&mut self, name: &str) {
        name.clone_into(&mut self.source);
        self.position = 0;
    }

    /// Begins the next item of the file.
    pub fn begin_item(&mut self) {
        self.position += 1;
    }

    /// When the import runs, as RFC 3339.
    pub fn emitted_at(&self) -> &str {
        &self.setting.emitted_at
    }

    /// The zone for a time that names none; the owner is told that there were such times.
    pub fn local_zone(&self) -> &jiff::tz::TimeZone {
        self.notes.1.store(true, Ordering::Relaxed);
        self.zone()
    }

    /// The zone of times that name none.
    pub fn zone(&self) -> &jiff::tz::TimeZone {
        &self.setting.zone
    }

    /// Puts a record, addressed by one key field.
    pub fn record(&mut self, stream: &str, key: &str, data: RecordFields) -> Flow {
        self.record_of(stream, &[key], data.into_members())
    }

    /// Puts a record that an earlier version addressed by another key; it goes on where it is stored.
    pub fn record_formerly(
        &mut self,
        stream: &str,
        key: &str,
        former_key: &str,
        data: RecordFields,
    ) -> Flow {
        let emitted_at = &self.setting.emitted_at;
        let record = ImportRecord::new(stream, &[key], emitted_at, data.into_members());
        let former = RecordKey::new(vec![former_key.to_owned()]).filter(|_| former_key != key);
        self.put(record.map(|mut record| {
            record.former_key = former;
            record
        }))
    }

    /// Puts a record, addressed by the parts of its key.
    pub fn record_of(&mut self, stream: &str, key: &[&str], data: JsonObject) -> Flow {
        let record = ImportRecord::new(stream, key, &self.setting.emitted_at, data);
        self.put(record)
    }

    /// Puts what could not be read, with the reason.
    pub fn reject(&mut self, rejected: Rejected) -> Flow {
        self.put(Err(rejected))
    }

    /// Keeps a file that a record refers to.
    pub fn blob(&mut self, content: &mut dyn Read) -> io::Result<KeptBlob> {
        self.setting.blobs.keep(content)
    }

    /// Keeps a file that a record refers to, and reads its text if it is of a kind that has one.
    pub fn file(
        &mut self,
        content: &mut dyn Read,
        mime_type: &str,
        filename: &str,
    ) -> io::Result<KeptFile> {
        let Some(kind) = FileTextKind::of(mime_type, filename) else {
            return Ok(KeptFile { blob: self.blob(content)?, text: None });
        };
        let mut copying = CopyingReader { content, copy: Some(Vec::new()) };
        let blob = self.setting.blobs.keep(&mut copying)?;
        let read = match copying.copy {
            Some(file) => self.setting.texts.read(kind, file),
            None => Ok(FileText::refused()),
        };
        if read.as_ref().is_ok_and(|text| text.status == TextStatus::Refused) {
            self.note(
                "the text of some files could not be read: they are broken, locked or cost more \
                 than they may; their records say so (text_status)",
            );
        }
        if read.is_err() {
            self.note("the text of files was not read: the process that reads it does not start");
        }
        Ok(KeptFile { blob, text: read.ok() })
    }

    /// A file that cannot be read on is an item that says so, unless the disk itself fails.
    pub fn unreadable(&mut self, error: io::Error) -> Flow {
        use io::ErrorKind::{
            InvalidData, InvalidInput, NotFound, PermissionDenied, UnexpectedEof, Unsupported,
        };
        let code = match error.kind() {
            // Not found: it was there when the folder was listed.
            InvalidData | UnexpectedEof | Unsupported | PermissionDenied | NotFound => {
                ErrorCode::MalformedRecord
            }
            InvalidInput => ErrorCode::PayloadTooLarge,
            _ => return Err(Stop::Failed(error)),
        };
        self.reject(Rejected::new(code, format!("cannot be read on: {error}"), &[]))
    }

    fn put(&mut self, content: Result<ImportRecord, Rejected>) -> Flow {
        if let Some((max_items, left)) = &mut self.archive_items {
            *left = left.checked_sub(1).ok_or(Stop::ArchiveFull(*max_items))?;
        }
        let (source, position) = (self.source.clone(), self.position.max(1));
        (self.out)(ImportItem { source, position, content })
    }
}
