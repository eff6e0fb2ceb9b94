//! `markdown`: folders of Markdown notes, such as the vaults of Obsidian, with the files beside them.

mod front_matter;
mod note;
mod yaml;

use std::collections::BTreeMap;
use std::io::{BufRead, Read};

use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, has_ending};
use crate::record::fields::RecordFields;
use crate::record::media_type::media_type;
use crate::sink::{Flow, Sink};
use crate::survey::{Candidate, Claim, Companion, CountBy, ItemCount};

/// What a folder of notes looks like.
const DECLARATION: &str = include_str!("../declarations/markdown.json");
/// Largest note that is read.
const MAX_NOTE_BYTES: u64 = 64 << 20;
/// Folders of programs that are told apart in the report.
const MAX_FOLDERS: usize = 20;

/// Folders of Markdown notes.
pub static FORMAT: Format = Format {
    name: "markdown",
    help: "Read folders of Markdown notes, such as Obsidian vaults",
    reads: "folders of Markdown notes and Obsidian vaults, with the files beside the notes",
    recognise: Recognise {
        rank: 91,
        claims,
        beside: Some(|name| {
            hidden_part(name).map(|_| Companion::Known("settings and drafts of the program"))
        }),
        counts: Some(ItemCount { what: ("note", "notes"), by: CountBy::Files }),
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// In a vault pictures, recordings and documents belong to the notes, elsewhere the notes alone.
fn claims(file: &Candidate<'_>) -> Option<Claim> {
    if hidden_part(file.name()).is_some() {
        return None;
    }
    match vault_of(file) {
        Some(vault) => is_note_or_media(file.name()).then(|| Claim::in_folder(vault)),
        None => is_note(file.name()).then(Claim::file),
    }
}

/// The innermost folder around a file that Obsidian keeps settings in.
fn vault_of<'f>(file: &'f Candidate<'_>) -> Option<&'f str> {
    let mut folder = file.folder();
    loop {
        let slash = if folder.is_empty() { "" } else { "/" };
        let settings = ["app", "workspace", "appearance"];
        let has = |name: &&str| file.has(&format!("{folder}{slash}.obsidian/{name}.json"));
        if settings.iter().any(has) {
            return Some(folder);
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
}

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
    for (name, _) in export.locations().map_err(crate::sink::Stop::Failed)? {
        if let Some(folder) = hidden_part(&name) {
            let known = left_out.len() < MAX_FOLDERS || left_out.contains_key(folder);
            *left_out.entry(if known { folder } else { "others" }.to_owned()).or_default() += 1;
        }
    }
    export.each(sink, &|name| hidden_part(name).is_none(), &mut |name, reader, sink| {
        sink.begin_item();
        if is_note(name) { put_note(name, reader, sink) } else { put_file(name, reader, sink) }
    })?;
    if !left_out.is_empty() {
        let folders: Vec<String> =
            left_out.iter().map(|(folder, count)| format!("{folder} ({count})")).collect();
        sink.note(format!(
            "files and folders that begin with a dot belong to programs and are left out: {}",
            folders.join(", ")
        ));
    }
    Ok(())
}

fn is_note(name: &str) -> bool {
    has_ending(name, ".md") || has_ending(name, ".markdown")
}

fn is_note_or_media(name: &str) -> bool {
    let media_type = media_type(base_name(name));
    let is_document = ["pdf", "officedocument", "opendocument", "epub"];
    is_note(name)
        || has_ending(name, ".canvas")
        || ["image/", "audio/", "video/"].iter().any(|kind| media_type.starts_with(kind))
        || is_document.iter().any(|kind| media_type.contains(kind))
}

/// The part of a path that begins with a dot: `.obsidian`, `.trash`, `.git`.
fn hidden_part(name: &str) -> Option<&str> {
    name.split('/').find(|part| part.starts_with('.'))
}

/// The folder that holds a file, from the top; empty at the top.
fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn put_note(name: &str, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    let mut bytes = Vec::new();
    if let Err(error) = reader.take(MAX_NOTE_BYTES + 1).read_to_end(&mut bytes) {
        return sink.unreadable(error);
    }
    let head = bytes.get(..bytes.len().min(256)).unwrap_or_default().to_vec();
    let size = bytes.len();
    if u64::try_from(size).is_ok_and(|size| size > MAX_NOTE_BYTES) {
        let why = format!("the note is larger than {} MiB", MAX_NOTE_BYTES >> 20);
        return sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &head));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        let why = "the note is not valid UTF-8";
        return sink.reject(Rejected::new(ErrorCode::InvalidText, why, &head));
    };
    if text.contains('\0') {
        let why = "not a text: it holds zero bytes";
        return sink.reject(Rejected::new(ErrorCode::InvalidText, why, &head));
    }
    let note = note::read(name, text.trim_start_matches('\u{feff}'), sink);
    let data = note.text("id", name).text("folder", folder_of(name)).count("size_bytes", size);
    sink.record("notes", name, data)
}

fn put_file(name: &str, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    let filename = base_name(name);
    let mime_type = media_type(filename);
    let kept = match sink.file(reader, mime_type, filename) {
        Ok(kept) => kept,
        Err(error) => return sink.unreadable(error),
    };
    let data = RecordFields::default()
        .text("id", name)
        .text("filename", filename)
        .text("folder", folder_of(name))
        .text("mime_type", mime_type)
        .number("size_bytes", kept.blob.size_bytes)
        .text("sha256", kept.blob.id.hex())
        .blob("blob_ref", &kept.blob, mime_type, filename)
        .file_text("text", kept.text.as_ref());
    sink.record("files", name, data)
}
