//! Directories packed into a fixture's files, and unpacked again.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;

/// Files that belong to running processes and to no store.
const PASSING: &[&str] = &["-wal", "-shm", "-use", ".lock"];

/// Packs everything below a directory, in the order of the names.
pub fn pack(directory: &Path, into: &Path) {
    let files = crate::backups::files(directory);
    let kept = files.into_iter().filter(|(name, _)| {
        let name = name.to_string_lossy();
        !PASSING.iter().any(|passing| name.ends_with(passing))
    });
    write(kept.map(|(name, bytes)| (name.to_string_lossy().into_owned(), bytes)), into);
}

/// Packs one text.
pub fn pack_text(name: &str, text: &str, into: &Path) {
    write(std::iter::once((name.to_owned(), text.as_bytes().to_vec())), into);
}

fn write(files: impl Iterator<Item = (String, Vec<u8>)>, into: &Path) {
    let mut archive = zip::ZipWriter::new(File::create(into).unwrap());
    let options = SimpleFileOptions::default().compression_level(Some(9));
    for (name, bytes) in files {
        archive.start_file(name, options).unwrap();
        archive.write_all(&bytes).unwrap();
    }
    archive.finish().unwrap();
}

/// Unpacks everything, closed to other users as the program leaves it.
pub fn unpack(archive: &Path, into: &Path) {
    let mut archive = zip::ZipArchive::new(File::open(archive).unwrap()).unwrap();
    make_directory(into);
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let path = into.join(entry.enclosed_name().unwrap());
        let folders = path.parent().unwrap().strip_prefix(into).unwrap().to_path_buf();
        let mut folder = into.to_path_buf();
        for part in &folders {
            folder.push(part);
            make_directory(&folder);
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        fs::write(&path, bytes).unwrap();
        close(&path, 0o600);
    }
}

/// The one text in an archive.
pub fn unpack_text(archive: &Path) -> String {
    let mut archive = zip::ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_index(0).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn make_directory(path: &Path) {
    fs::create_dir_all(path).unwrap();
    close(path, 0o700);
}

fn close(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}
