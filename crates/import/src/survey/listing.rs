//! Lists every file of what was given, in folders, in archives, and in archives that lie in folders.

use std::fs;
use std::io;

use super::candidate::ListedFile;
use super::left_out::{FileKind, LeftOutList};
use crate::export::archive::Archive;
use crate::export::{Export, FileLocation, Root, folder, is_zip};

/// Lists the files. Archives that lie in folders become roots of the export.
pub fn list(export: &mut Export, left_out: &mut LeftOutList) -> io::Result<Vec<ListedFile>> {
    let mut files = Vec::new();
    for (number, root) in export.roots().to_vec().into_iter().enumerate() {
        match root {
            Root::File(path) => {
                let size_bytes = fs::metadata(&path)?.len();
                let name = Root::File(path.clone()).name();
                let location = FileLocation::File(path);
                let packed_bytes = size_bytes;
                files.push(ListedFile { root: number, name, location, size_bytes, packed_bytes });
            }
            Root::Folder(path) => {
                let found = folder::files(&path)?;
                for rejected in found.rejected {
                    let why = rejected.error.to_string();
                    left_out.add(&rejected.name, 0, FileKind::personal("links", why));
                }
                for file in found.files {
                    let size_bytes = fs::metadata(&file.path).map_or(0, |about| about.len());
                    let is_archive = file.name.to_ascii_lowercase().ends_with(".zip");
                    if is_archive && is_zip(&file.path).unwrap_or(false) {
                        let root = export.add_archive(file.path);
                        list_archive(export, root, &mut files, left_out);
                        continue;
                    }
                    let (name, location) = (file.name, FileLocation::File(file.path));
                    let (root, packed_bytes) = (number, size_bytes);
                    files.push(ListedFile { root, name, location, size_bytes, packed_bytes });
                }
            }
            Root::Zip(_) => list_archive(export, number, &mut files, left_out),
        }
    }
    Ok(files)
}

fn list_archive(
    export: &Export,
    root: usize,
    files: &mut Vec<ListedFile>,
    left_out: &mut LeftOutList,
) {
    let name = export.roots().get(root).map(Root::name).unwrap_or_default();
    let opened = export.archive_of(root);
    let contents = opened.and_then(|mut archive: Archive<_>| {
        for (entry, error) in archive.rejected() {
            let name = format!("{name}/{entry}");
            left_out.add(&name, 0, FileKind::personal("entries of archives", error.to_string()));
        }
        archive.contents()
    });
    match contents {
        Ok(contents) => {
            for entry in contents {
                let location = FileLocation::Entry { root, index: entry.index };
                let (size_bytes, packed_bytes) = (entry.size_bytes, entry.packed_bytes);
                let name = entry.name;
                files.push(ListedFile { root, name, location, size_bytes, packed_bytes });
            }
        }
        Err(error) => {
            let why = format!("it cannot be read: {error}");
            left_out.add(&name, 0, FileKind::personal("archives", why));
        }
    }
}
