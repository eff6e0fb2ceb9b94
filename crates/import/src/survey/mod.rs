//! Looks through files, folders and archives: finds every export inside, and says what is not read.
//!
//! Each file goes to the format of the highest rank that claims it. Claims with a folder of their own
//! become one export for each folder; all other files of a format become one export.

mod candidate;
mod counting;
mod json_shape;
mod left_out;
mod listing;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use crate::export::selection::{FileRole, SelectedFile, SelectedRoot};
use crate::export::{Export, OpenFiles, Root};
use crate::format::Format;
use crate::formats::FORMATS;
pub use candidate::{Candidate, Claim, Companion, base, folder};
use candidate::{ListedFile, Listing};
use counting::CountBudget;
pub use counting::{CountBy, ItemCount};
use left_out::{FileKind, kind_of};
pub use left_out::{LeftOutFile, LeftOutKind, LeftOutList, is_hidden};

/// What was found.
pub struct Survey {
    /// The exports, in the order of their formats.
    pub exports: Vec<FoundExport>,
    /// What is not read.
    pub left_out: Vec<LeftOutKind>,
    /// How many files there are.
    pub files: u64,
}

/// An export that was found.
pub struct FoundExport {
    /// Its format.
    pub format: &'static Format,
    /// The folder or archive that it is, where it is one; for people.
    pub place: String,
    /// Its files and nothing else.
    pub export: Export,
    /// Files with records.
    pub files: u64,
    /// Files that records may refer to.
    pub attachments: u64,
    /// The length of the files with records.
    pub size_bytes: u64,
    /// How many items there are, where that was cheap to find out.
    pub items: Option<u64>,
}

/// Looks through everything.
pub fn survey(mut export: Export) -> io::Result<Survey> {
    let mut left_out = LeftOutList::default();
    let files = listing::list(&mut export, &mut left_out)?;
    let count = u64::try_from(files.len()).unwrap_or(u64::MAX);
    let listing = Listing::new(files, OpenFiles::new(&export));
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    let mut unclaimed = Vec::new();
    let formats = by_rank();
    for (number, file) in listing.files.iter().enumerate() {
        let candidate = Candidate::new(&listing, file);
        let claim = formats
            .iter()
            .find_map(|format| (format.recognise.claims)(&candidate).map(|claim| (*format, claim)));
        match claim {
            Some((format, claim)) => {
                let key = GroupKey::of(format, &claim, file, &export);
                groups.entry(key).or_default().members.push((number, claim.role));
            }
            None => unclaimed.push(number),
        }
    }
    for number in unclaimed {
        let Some(file) = listing.files.get(number) else { continue };
        match beside(file, &groups, &export) {
            Some((key, Companion::Attachment)) => {
                let group = groups.entry(key).or_default();
                group.members.push((number, FileRole::Attachment));
            }
            Some((_, Companion::Known(why))) => {
                left_out.add(&file.name, file.size_bytes, FileKind::known(why));
            }
            None => {
                let kind = kind_of(&file.name, file.size_bytes, || listing.head(file));
                left_out.add(&file.name, file.size_bytes, kind);
            }
        }
    }
    let mut budget = CountBudget::default();
    let exports = groups.into_iter();
    let exports =
        exports.filter_map(|(key, group)| group.found(&key, &listing, &export, &mut budget));
    Ok(Survey { exports: exports.collect(), left_out: left_out.finish(), files: count })
}

/// What was selected and never opened is left out too: say so under its kind.
pub fn add_unread(left_out: Vec<LeftOutKind>, export: &Export) -> Vec<LeftOutKind> {
    let mut list = LeftOutList::continued(left_out);
    for file in export.unread() {
        let kind = match file.role {
            FileRole::Attachment => kind_of(&file.full_name, file.size_bytes, String::new),
            FileRole::Records | FileRole::RecordsOfAnyName => {
                FileKind::personal("recognised files", "the importer did not take them")
            }
        };
        list.add(&file.full_name, file.size_bytes, kind);
    }
    list.finish()
}

fn by_rank() -> Vec<&'static Format> {
    let mut formats = FORMATS.to_vec();
    formats.sort_by_key(|format| Reverse(format.recognise.rank));
    formats
}

/// Which files are one export: a format, and the folder where it has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    /// The number of the format in the table.
    format: usize,
    /// `None` for files that stand for themselves.
    home: Option<(Option<usize>, String)>,
}

impl GroupKey {
    fn of(format: &Format, claim: &Claim, file: &ListedFile, export: &Export) -> Self {
        let number = FORMATS.iter().position(|one| one.name == format.name).unwrap_or_default();
        let home =
            claim.has_home.then(|| (scope(file.root, &claim.home, export), claim.home.clone()));
        Self { format: number, home }
    }
}

/// A folder of several archives is one folder: large exports come in parts.
fn scope(root: usize, home: &str, export: &Export) -> Option<usize> {
    let in_archive = matches!(export.roots().get(root), Some(Root::Zip(_)));
    (!in_archive || home.is_empty()).then_some(root)
}

#[derive(Default)]
struct Group {
    members: Vec<(usize, FileRole)>,
}

/// The export in whose folder the file stands and that knows it; the innermost folder first.
fn beside(
    file: &ListedFile,
    groups: &BTreeMap<GroupKey, Group>,
    export: &Export,
) -> Option<(GroupKey, Companion)> {
    let mut home = folder(&file.name);
    loop {
        for (number, format) in FORMATS.iter().enumerate() {
            let Some(known) = format.recognise.beside else { continue };
            let key = GroupKey {
                format: number,
                home: Some((scope(file.root, home, export), home.to_owned())),
            };
            if groups.contains_key(&key)
                && let Some(beside) = known(relative(&file.name, home))
            {
                return Some((key, beside));
            }
        }
        if home.is_empty() {
            return None;
        }
        home = folder(home);
    }
}

fn relative<'n>(name: &'n str, home: &str) -> &'n str {
    name.strip_prefix(home).unwrap_or(name).trim_start_matches('/')
}

impl Group {
    fn found(
        self,
        key: &GroupKey,
        listing: &Listing<'_>,
        export: &Export,
        budget: &mut CountBudget,
    ) -> Option<FoundExport> {
        let format = FORMATS.get(key.format)?;
        let home = key.home.as_ref().map_or("", |(_, home)| home);
        let mut roots: BTreeMap<usize, SelectedRoot> = BTreeMap::new();
        let (mut files, mut attachments, mut size_bytes, mut items) = (0, 0, 0, Some(0));
        for (number, role) in self.members {
            let file = listing.files.get(number)?;
            if role == FileRole::Attachment {
                attachments += 1;
            } else {
                files += 1;
                size_bytes += file.size_bytes;
                let counts = format.recognise.counts;
                let here = counts.and_then(|counts| budget.count(counts, file, listing));
                items = items.zip(here).map(|(all, here)| all + here);
            }
            let root = roots.entry(file.root).or_insert_with(|| {
                let own = export.roots().get(file.root).map(Root::name).unwrap_or_default();
                let name = if home.is_empty() { own } else { base(home).to_owned() };
                SelectedRoot { number: file.root, name, files: Vec::new() }
            });
            root.files.push(SelectedFile {
                name: relative(&file.name, home).to_owned(),
                full_name: file.name.clone(),
                location: file.location.clone(),
                role,
                size_bytes: file.size_bytes,
                packed_bytes: file.packed_bytes,
            });
        }
        let mut roots: Vec<SelectedRoot> = roots.into_values().collect();
        for root in &mut roots {
            root.files.sort_by(|one, other| one.name.cmp(&other.name));
        }
        let place = match (home, roots.as_slice()) {
            ("", [root]) => match root.files.as_slice() {
                [file] => file.full_name.clone(),
                _ => root.name.clone(),
            },
            ("", _) => String::new(),
            (home, _) => home.to_owned(),
        };
        let export = export.selecting(roots);
        Some(FoundExport { format, place, export, files, attachments, size_bytes, items })
    }
}
