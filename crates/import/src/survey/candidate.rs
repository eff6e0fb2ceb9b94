//! A file as a format sees it that is asked whether the file is one of its own.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::io::Read;
use std::rc::Rc;

use crate::export::selection::FileRole;
use crate::export::{FileLocation, OpenFiles};

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 64 * 1024;
/// How many beginnings of other files are kept at once.
const KEPT_HEADS: usize = 100;

/// What a format says about a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The folder that is one export, as a path in what was given; empty for all that was given.
    pub(super) home: String,
    pub(super) role: FileRole,
    /// Whether other files of the home may belong to the same export.
    pub(super) has_home: bool,
}

impl Claim {
    /// The file stands for itself; its name is one that the importer reads.
    pub fn file() -> Self {
        Self { home: String::new(), role: FileRole::Records, has_home: false }
    }

    /// The file stands for itself; the importer would not know it by its name.
    pub fn file_of_any_name() -> Self {
        Self { role: FileRole::RecordsOfAnyName, ..Self::file() }
    }

    /// The file is part of the export that is this folder. The importer sees names relative to it.
    pub fn in_folder(home: impl Into<String>) -> Self {
        Self { home: home.into(), role: FileRole::Records, has_home: true }
    }
}

/// What a file is to an export in whose folder it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Companion {
    /// Records may refer to it, and then it comes in with them.
    Attachment,
    /// It is known and brings no records; why.
    Known(&'static str),
}

/// A file of what was given.
pub struct ListedFile {
    /// Which root.
    pub root: usize,
    /// Its name in the root.
    pub name: String,
    /// Where it is.
    pub location: FileLocation,
    /// Its length.
    pub size_bytes: u64,
    /// What reading it costs.
    pub packed_bytes: u64,
}

/// Every file of what was given.
pub struct Listing<'e> {
    pub(super) files: Vec<ListedFile>,
    by_name: HashMap<(usize, String), usize>,
    open: RefCell<OpenFiles<'e>>,
    heads: RefCell<HashMap<usize, Rc<str>>>,
}

impl<'e> Listing<'e> {
    pub(super) fn new(files: Vec<ListedFile>, open: OpenFiles<'e>) -> Self {
        let numbered = files.iter().enumerate();
        let by_name = numbered.map(|(number, file)| ((file.root, file.name.clone()), number));
        let by_name = by_name.collect();
        Self { files, by_name, open: RefCell::new(open), heads: RefCell::default() }
    }

    /// How a file begins, as text without what is blank before it. What cannot be read is empty.
    pub(super) fn head(&self, file: &ListedFile) -> String {
        let mut bytes = Vec::new();
        let read = |content: &mut dyn Read| content.take(HEAD_BYTES).read_to_end(&mut bytes);
        // The import says why it cannot be read.
        let _ = self.open.borrow_mut().read(&file.location, read);
        let text = String::from_utf8_lossy(&bytes);
        text.trim_start_matches('\u{feff}').trim_start().to_owned()
    }

    /// Hands the content of a file to `read`.
    pub(super) fn read<T>(
        &self,
        file: &ListedFile,
        read: impl FnOnce(&mut dyn Read) -> std::io::Result<T>,
    ) -> std::io::Result<T> {
        self.open.borrow_mut().read(&file.location, read)
    }
}

/// A file that is asked about.
pub struct Candidate<'l> {
    listing: &'l Listing<'l>,
    file: &'l ListedFile,
    head: OnceCell<String>,
}

impl<'l> Candidate<'l> {
    pub(super) fn new(listing: &'l Listing<'l>, file: &'l ListedFile) -> Self {
        Self { listing, file, head: OnceCell::new() }
    }

    /// Its name in the folder or archive that was given, with `/` between the parts.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The last part of its name.
    pub fn base(&self) -> &str {
        base(&self.file.name)
    }

    /// The folder it is in; empty at the top.
    pub fn folder(&self) -> &str {
        folder(&self.file.name)
    }

    /// Its length.
    pub fn size_bytes(&self) -> u64 {
        self.file.size_bytes
    }

    /// Whether its name ends so, in large or small letters.
    pub fn ends_with(&self, endings: &[&str]) -> bool {
        let name = self.file.name.to_ascii_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    }

    /// How it begins, as text without what is blank before it.
    pub fn head(&self) -> &str {
        self.head.get_or_init(|| self.listing.head(self.file))
    }

    /// The first line that is not blank.
    pub fn first_line(&self) -> &str {
        self.head().lines().next().unwrap_or_default()
    }

    /// Whether what was given has a file of this name, such as `folder/users.json`.
    pub fn has(&self, name: &str) -> bool {
        self.listing.by_name.contains_key(&(self.file.root, name.to_owned()))
    }

    /// Whether the file's folder has a file of this base name.
    pub fn has_beside(&self, base: &str) -> bool {
        self.has(&join(self.folder(), base))
    }

    /// How another file of this folder begins; empty when there is none.
    pub fn head_beside(&self, base: &str) -> Rc<str> {
        let key = (self.file.root, join(self.folder(), base));
        let Some(&number) = self.listing.by_name.get(&key) else { return Rc::from("") };
        let Some(file) = self.listing.files.get(number) else { return Rc::from("") };
        if let Some(head) = self.listing.heads.borrow().get(&number) {
            return Rc::clone(head);
        }
        let head: Rc<str> = Rc::from(self.listing.head(file));
        let mut heads = self.listing.heads.borrow_mut();
        if heads.len() >= KEPT_HEADS {
            heads.clear();
        }
        heads.insert(number, Rc::clone(&head));
        head
    }
}

/// The last part of a name.
pub fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// The name without its last part; empty at the top.
pub fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, base: &str) -> String {
    if folder.is_empty() { base.to_owned() } else { format!("{folder}/{base}") }
}
