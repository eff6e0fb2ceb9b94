//! What is not read: by kind, with the reason and what was seen.

use super::json_shape;

/// How many names are given for one kind.
const EXAMPLES: usize = 5;

/// Files of one kind that are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutKind {
    /// What they are.
    pub kind: &'static str,
    /// Why they are not read.
    pub why: String,
    /// How many.
    pub files: u64,
    /// Their length.
    pub size_bytes: u64,
    /// Whether they may hold something of the person's.
    pub is_personal: bool,
    /// The first of them.
    pub examples: Vec<LeftOutFile>,
}

/// One file that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutFile {
    /// Its name.
    pub name: String,
    /// What was seen in it.
    pub seen: Option<String>,
}

/// What a file is that nobody reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileKind {
    pub(super) kind: &'static str,
    pub(super) why: String,
    pub(super) is_personal: bool,
    pub(super) seen: Option<String>,
}

impl FileKind {
    pub(super) fn personal(kind: &'static str, why: impl Into<String>) -> Self {
        Self { kind, why: why.into(), is_personal: true, seen: None }
    }

    fn technical(kind: &'static str, why: &str) -> Self {
        Self { kind, why: why.to_owned(), is_personal: false, seen: None }
    }

    pub(super) fn known(why: &'static str) -> Self {
        Self::technical("known files without records", why)
    }
}

/// Kinds by the ending of the name.
const KINDS: [(&str, &str, &[&str]); 8] = [
    (
        "pictures",
        "pictures are kept only with a record that refers to them",
        &["jpg", "jpeg", "png", "gif", "webp", "heic", "tif", "tiff", "bmp", "svg", "raw", "dng"],
    ),
    (
        "videos",
        "videos are kept only with a record that refers to them",
        &["mp4", "mov", "avi", "mkv", "webm", "3gp", "m4v"],
    ),
    (
        "sound",
        "sound is kept only with a record that refers to it",
        &["mp3", "m4a", "aac", "ogg", "opus", "wav", "flac", "amr"],
    ),
    (
        "documents",
        "documents are kept only with a record that refers to them",
        &[
            "pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "ppt", "pptx", "odp", "epub",
            "pages", "numbers", "key",
        ],
    ),
    ("web pages", "no importer reads web pages", &["html", "htm", "mhtml"]),
    (
        "archives",
        "unpack it and import the folder",
        &["zip", "tgz", "gz", "tar", "7z", "rar", "bz2", "xz", "zst"],
    ),
    ("XML files", "no importer knows this form", &["xml", "gpx", "kml"]),
    (
        "keys and certificates",
        "secrets are never imported",
        &["pem", "p12", "pfx", "asc", "gpg", "kdbx"],
    ),
];

/// What the operating system and programs write for themselves.
const SYSTEM_FILES: [&str; 4] = [".ds_store", "thumbs.db", "desktop.ini", ".localized"];

/// What a file is. `head` is asked only when the name does not tell.
pub fn kind_of(name: &str, size_bytes: u64, head: impl FnOnce() -> String) -> FileKind {
    let lower = name.to_ascii_lowercase();
    let base = super::candidate::base(&lower);
    if SYSTEM_FILES.contains(&base) || base.starts_with("._") || lower.contains("__macosx/") {
        return FileKind::technical("system files", "the operating system made them");
    }
    if size_bytes == 0 {
        return FileKind::technical("empty files", "there is nothing in them");
    }
    if is_hidden(name) {
        return FileKind::technical("settings", "programs keep them in hidden folders and files");
    }
    let ending = base.rsplit_once('.').map_or("", |(_, ending)| ending);
    if let Some((kind, why, _)) = KINDS.iter().find(|(_, _, all)| all.contains(&ending)) {
        return FileKind::personal(kind, *why);
    }
    by_content(&head())
}

/// Whether a part of the name begins with a dot.
pub fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') && part.len() > 1)
}

fn by_content(head: &str) -> FileKind {
    if head.starts_with("SQLite format 3") {
        return FileKind::personal("databases", "no importer knows this database");
    }
    if head.starts_with(['{', '[']) {
        let why = "no importer knows this form; to take the objects as they are, import it as json";
        let seen = json_shape::describe(head);
        return FileKind { seen, ..FileKind::personal("JSON files", why) };
    }
    if head.starts_with('<') {
        return FileKind::personal("XML files", "no importer knows this form");
    }
    let binary = |c: char| (c.is_control() && !c.is_whitespace()) || c == '\u{fffd}';
    let binaries = head.chars().filter(|c| binary(*c)).count();
    if binaries * 20 > head.chars().count() {
        return FileKind::personal("other files", "no importer knows this form");
    }
    FileKind::personal("text files", "no importer knows this form")
}

/// Collects what is left out, by kind and reason.
#[derive(Default)]
pub struct LeftOutList(Vec<LeftOutKind>);

impl LeftOutList {
    /// Adds a file.
    pub fn add(&mut self, name: &str, size_bytes: u64, what: FileKind) {
        let FileKind { kind, why, is_personal, seen } = what;
        let same = |one: &&mut LeftOutKind| one.kind == kind && one.why == why;
        let example = LeftOutFile { name: name.to_owned(), seen };
        if let Some(one) = self.0.iter_mut().find(same) {
            one.files += 1;
            one.size_bytes += size_bytes;
            if one.examples.len() < EXAMPLES {
                one.examples.push(example);
            }
            return;
        }
        let examples = vec![example];
        self.0.push(LeftOutKind { kind, why, files: 1, size_bytes, is_personal, examples });
    }

    /// What was left out: what may be personal first, then by number and name.
    pub fn finish(mut self) -> Vec<LeftOutKind> {
        self.0.sort_by_key(|one| (!one.is_personal, std::cmp::Reverse(one.files), one.kind));
        self.0
    }

    /// Goes on with what was left out before.
    pub fn continued(before: Vec<LeftOutKind>) -> Self {
        Self(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_nobody_knows_is_named_by_what_it_is() {
        let kind = |name: &str, head: &str| kind_of(name, 9, || head.to_owned()).kind;
        assert_eq!(kind("a/IMG_1.JPG", ""), "pictures");
        assert_eq!(kind("a/b.sqlite", "SQLite format 3\0"), "databases");
        assert_eq!(kind("result.json", "{\"chats\": {}}"), "JSON files");
        assert_eq!(kind("notes", "to do"), "text files");
        assert_eq!(kind("x.bin", "\u{1}\u{2}\u{3}"), "other files");
        assert_eq!(kind(".obsidian/app.json", "{}"), "settings");
        assert_eq!(kind_of("a", 0, String::new).kind, "empty files");
    }
}
