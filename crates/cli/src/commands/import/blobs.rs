//! `--blobs DIR`: the files that imported records refer to.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use pdpp_contract::blob::{BLOB_ID_MEMBER, BlobId};
use pdpp_contract::{Json, JsonObject};
use pdpp_engine::import::ImportLine;

use crate::app::App;
use crate::failure::Failure;
use crate::output::note;

/// The member of a reference that names a file of the directory.
const FILE_MEMBER: &str = "blob_file";
/// Bytes read at once.
const READ_BYTES: usize = 256 * 1024;

/// The files of a directory that are kept as blobs, by their path in it.
#[derive(Default)]
pub struct Files(HashMap<String, (BlobId, u64)>);

impl Files {
    /// Keeps every file under a directory. A dry run keeps none, and lines stay as they are.
    pub async fn attach(app: &App, directory: &Path, dry_run: bool) -> Result<Self, Failure> {
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

    /// Replaces file names in a line's references by the blobs they became.
    pub fn name_blobs(&self, mut line: ImportLine) -> ImportLine {
        let member = format!("\"{FILE_MEMBER}\"");
        let Ok(bytes) = &line.content else {
            return line;
        };
        let has_names = bytes.windows(member.len()).any(|part| part == member.as_bytes());
        if self.0.is_empty() || !has_names {
            return line;
        }
        let text = std::str::from_utf8(bytes).ok();
        let Some(Json::Object(mut envelope)) = text.and_then(|text| Json::parse(text).ok()) else {
            return line;
        };
        if let Some(Json::Object(data)) = envelope.get_mut("data") {
            for value in data.values_mut() {
                match value {
                    Json::Object(reference) => self.name_blob(reference, &line),
                    Json::Array(items) => {
                        let objects = items.iter_mut().filter_map(|item| match item {
                            Json::Object(reference) => Some(reference),
                            _ => None,
                        });
                        objects.for_each(|reference| self.name_blob(reference, &line));
                    }
                    _ => {}
                }
            }
        }
        line.content = Ok(Json::Object(envelope).to_canonical().into_bytes());
        line
    }

    fn name_blob(&self, reference: &mut JsonObject, line: &ImportLine) {
        let Some(name) = reference.get(FILE_MEMBER).and_then(Json::as_str) else {
            return;
        };
        let Some((blob, size_bytes)) = self.0.get(name) else {
            note(&format!(
                "{} line {}: the referenced file is missing",
                line.source, line.position
            ));
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

async fn keep(app: &App, path: &Path) -> Result<(BlobId, u64), Failure> {
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
