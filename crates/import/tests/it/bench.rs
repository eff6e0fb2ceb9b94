//! Runs an importer over a small export and shows what came out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pdpp_contract::import::{ImportRecord, Rejected};
use pdpp_contract::key::key_part;
use pdpp_contract::{Json, JsonObject, SourceDeclaration};
use pdpp_import::blobs::DiscardBlobs;
use pdpp_import::export::Export;
use pdpp_import::feed::feed;
use pdpp_import::format::Format;
use pdpp_import::sink::{Flow, ImportSetting, Sink};
use pdpp_import::texts::extract;
use pdpp_import::texts::kind::FileTextKind;
use pdpp_import::texts::reader::{FileText, FileTextReader};
use tempfile::TempDir;

/// Takes files apart where it stands. The program does it in a process of its own.
struct InProcess;

impl FileTextReader for InProcess {
    fn read(&mut self, kind: FileTextKind, file: Vec<u8>) -> std::io::Result<FileText> {
        Ok(extract(kind, &file).map_or_else(|_| FileText::refused(), FileText::of))
    }
}

/// What came out of an import.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Records by stream and key; a later one replaces an earlier one.
    pub records: BTreeMap<(String, String), JsonObject>,
    /// What was rejected: file, place, reason.
    pub rejected: Vec<(String, u64, Rejected)>,
    /// Items, good or bad.
    pub items: usize,
    /// What the importer assumed or replaced.
    pub notes: Vec<String>,
}

impl Outcome {
    /// The records of one stream, in the order of their keys.
    pub fn stream(&self, name: &str) -> Vec<&JsonObject> {
        let of_stream = self.records.iter().filter(|((stream, _), _)| stream == name);
        of_stream.map(|(_, data)| data).collect()
    }

    /// The record of `stream` whose `field` is `value`.
    pub fn find(&self, stream: &str, field: &str, value: &str) -> &JsonObject {
        let found = self.stream(stream).into_iter().find(|data| text(data, field) == value);
        found.unwrap_or_else(|| panic!("no record of {stream} has {field} = {value}"))
    }
}

/// A text field; empty when there is none.
pub fn text<'a>(data: &'a JsonObject, field: &str) -> &'a str {
    data.get(field).and_then(Json::as_str).unwrap_or_default()
}

/// A folder with these files.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

/// A zip archive with these entries.
pub fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Imports the files of a folder, and checks every record against the declaration's keys.
pub fn import(format: &str, files: &[(&str, &[u8])]) -> Outcome {
    let folder = folder(files);
    import_paths(format, &[folder.path().to_owned()])
}

/// Imports one file by itself.
pub fn import_file(format: &str, name: &str, content: &[u8]) -> Outcome {
    let folder = folder(&[(name, content)]);
    import_paths(format, &[folder.path().join(name)])
}

/// Imports paths.
pub fn import_paths(format: &str, paths: &[PathBuf]) -> Outcome {
    import_prepared(format, paths).1
}

/// Imports paths, and shows the declaration too, which some formats find by looking.
pub fn import_prepared(format: &str, paths: &[PathBuf]) -> (SourceDeclaration, Outcome) {
    let export = Export::open(paths).unwrap();
    let prepared = named(format).prepare(export, None, None).unwrap();
    let declaration = prepared.declaration.clone();
    let outcome = collect(&declaration, move |sink| prepared.read(sink));
    (declaration, outcome)
}

/// The format of this name.
pub fn named(format: &str) -> &'static Format {
    Format::find(format).unwrap_or_else(|| panic!("no format {format}"))
}

/// Everything an import puts into its sink.
pub fn collect(
    declaration: &SourceDeclaration,
    import: impl FnOnce(&mut Sink<'_>) -> Flow + Send + 'static,
) -> Outcome {
    let setting = ImportSetting {
        emitted_at: "2026-11-16T00:00:00Z".to_owned(),
        zone: jiff::tz::TimeZone::UTC,
        blobs: Box::new(DiscardBlobs),
        texts: Box::new(InProcess),
    };
    let mut outcome = Outcome::default();
    let items = feed(setting, import);
    let notes = items.notes();
    for item in items {
        let item = item.unwrap();
        outcome.items += 1;
        match item.content {
            Ok(record) => take(declaration, &mut outcome, record),
            Err(rejected) => outcome.rejected.push((item.source, item.position, rejected)),
        }
    }
    outcome.notes = notes.list();
    outcome
}

fn take(declaration: &SourceDeclaration, outcome: &mut Outcome, record: ImportRecord) {
    let stream = record.stream.to_string();
    let key = record.key.parts().first().cloned().unwrap();
    let declared = declaration.stream(&stream).unwrap_or_else(|| panic!("no stream {stream}"));
    let data = record.data.unwrap();
    let named = data.get(declared.primary_key[0].as_str()).and_then(key_part);
    assert_eq!(named.as_deref(), Some(key.as_str()), "key and data agree");
    let known = declared.schema["properties"].as_object().unwrap();
    for name in data.keys() {
        assert!(known.contains_key(name), "{stream} declares no field {name}");
    }
    for name in declared.schema["required"].as_array().unwrap() {
        assert!(data.contains_key(name.as_str().unwrap()), "{stream} needs the field {name}");
    }
    outcome.records.insert((stream, key), data);
}
