//! The files of a folder, at any depth, in the order of their names. Links do not lead out of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Deepest folder that is looked into.
const MAX_DEPTH: usize = 64;

/// What stands in a folder.
#[derive(Debug, Default)]
pub struct FolderListing {
    /// Files to read.
    pub files: Vec<FolderFile>,
    /// What is not read, with the reason.
    pub rejected: Vec<RejectedFile>,
}

/// A file of a folder.
#[derive(Debug)]
pub struct FolderFile {
    /// Its name relative to the folder, with `/` between the parts.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// A link or folder that is not followed.
#[derive(Debug)]
pub struct RejectedFile {
    /// Its name relative to the folder.
    pub name: String,
    /// Why.
    pub error: io::Error,
}

/// Lists the files of `root`. A link inside the folder is passed over: what it names is read under
/// its own name.
pub fn files(root: &Path) -> io::Result<FolderListing> {
    let mut found = FolderListing::default();
    let home = fs::canonicalize(root)?;
    walk(root, "", &home, 0, &mut found)?;
    found.files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

fn walk(
    folder: &Path,
    prefix: &str,
    home: &Path,
    depth: usize,
    found: &mut FolderListing,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        let path = entry.path();
        if kind.is_symlink() {
            let inside = fs::canonicalize(&path).is_ok_and(|target| target.starts_with(home));
            if !inside {
                found.rejected.push(rejected(name, "a link that leads out of the folder"));
            }
        } else if kind.is_dir() {
            if depth < MAX_DEPTH {
                walk(&path, &format!("{name}/"), home, depth + 1, found)?;
            } else {
                found.rejected.push(rejected(name, "folders are nested too deeply"));
            }
        } else if kind.is_file() {
            found.files.push(FolderFile { name, path });
        }
    }
    Ok(())
}

fn rejected(name: String, why: &str) -> RejectedFile {
    RejectedFile { name, error: io::Error::new(io::ErrorKind::InvalidData, why) }
}
