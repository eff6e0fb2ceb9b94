//! `--blobs DIR`: the files that imported records refer to.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use pdpp_contract::blob::{BLOB_ID_MEMBER, BlobId};
use pdpp_contract::import::ImportItem;
use pdpp_contract::{Json, JsonObject};

use crate::app::CliApp;
use crate::failure::Failure;
use crate::output::note;

/// The member of a reference that names a file of the directory.
const FILE_MEMBER: &str = "blob_file";
/// Bytes read at once.
const READ_BYTES: usize = 256 * 1024;

/// The files of a directory that are kept as blobs, by their path in it.
#[derive(Default)]
pub struct AttachedFiles(HashMap<String, (BlobId, u64)>);

impl AttachedFiles {
    /// Keeps every file under a directory. A dry run keeps none, and records stay as they are.
    pub async fn attach(app: &CliApp, directory: &Path, dry_run: bool) -> Result<Self, Failure> {
        let mut paths = Vec::new();
        list(directory, &mut paths).map_err(|error| Failure::input(directory, &error))?;
        let mut files = Self::default();
        if dry_run {
            return Ok(files);
        }
        for path in paths {
            let kept = keep(app, &path).await?;
            let name = path.strip_prefix(directory).unwrap_or(&path);
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            files.0.insert(parts.join("/"), kept);
        }
        Ok(files)
    }

    /// Replaces file names in a record's references by the blobs they became.
    pub fn name_blobs(&self, mut item: ImportItem) -> ImportItem {
        let Ok(record) = &mut item.content else { return item };
        let names_files = |data: &JsonObject| data.values().flat_map(references).any(names_file);
        if self.0.is_empty() || !record.data.as_ref().is_some_and(names_files) {
            return item;
        }
        let line = format!("{} line {}", item.source, item.position);
        for value in record.change_data().into_iter().flat_map(JsonObject::values_mut) {
            match value {
                Json::Object(reference) => self.name_blob(reference, &line),
                Json::Array(items) => {
                    for item in items {
                        if let Json::Object(reference) = item {
                            self.name_blob(reference, &line);
                        }
                    }
                }
                _ => {}
            }
        }
        item
    }

    fn name_blob(&self, reference: &mut JsonObject, line: &str) {
        let Some(name) = reference.get(FILE_MEMBER).and_then(Json::as_str) else {
            return;
        };
        let Some((blob, size_bytes)) = self.0.get(name) else {
            note(&format!("{line}: the referenced file is missing"));
            return;
        };
        reference.remove(FILE_MEMBER);
        for (member, value) in [
            (BLOB_ID_MEMBER, Json::String(blob.to_string())),
            ("sha256", Json::String(blob.hex())),
            ("size_bytes", Json::Number(size_bytes.to_string())),
        ] {
            reference.insert(member.to_owned(), value);
        }
    }
}

/// The value and the items of a list: what may be a reference.
fn references(value: &Json) -> impl Iterator<Item = &Json> {
    let items = match value {
        Json::Array(items) => items.as_slice(),
        _ => &[],
    };
    std::iter::once(value).chain(items)
}

fn names_file(value: &Json) -> bool {
    value.as_object().is_some_and(|reference| reference.contains_key(FILE_MEMBER))
}

/// Every plain file under a directory. Links are not followed: they may lead out of it.
fn list(directory: &Path, into: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), into)?;
        } else if kind.is_file() {
            into.push(entry.path());
        }
    }
    Ok(())
}

async fn keep(app: &CliApp, path: &Path) -> Result<(BlobId, u64), Failure> {
    let unreadable = |error| Failure::input(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut blob = app.engine.new_blob(&app.owner()).await?;
    loop {
        let mut bytes = vec![0; READ_BYTES];
        let read = file.read(&mut bytes).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        bytes.truncate(read);
        blob.write(bytes).await?;
    }
    let kept = blob.keep(None, String::new()).await?;
    Ok((kept.blob_id, kept.size_bytes))
}
