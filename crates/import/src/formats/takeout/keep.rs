//! `keep`: Google Keep's notes, a file each, with their pictures.

use std::io::Read;

use pdpp_contract::JsonObject;

use crate::export::Export;
use crate::export::file_index::FileIndex;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, has_ending};
use crate::readers::json_list::each_object;
use crate::record::distinct_keys::DistinctKeys;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Claim, Companion, CountBy, ItemCount};

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/keep.json");

/// Notes of Google Keep.
pub static FORMAT: Format = Format {
    name: "keep",
    help: "Read Google Keep's notes from Takeout",
    reads: "Google Keep in Takeout: notes and lists, with their pictures and recordings",
    recognise: Recognise {
        rank: 84,
        claims: |file| {
            let has = |member: &str| file.head().contains(member);
            let is_note = file.ends_with(&[".json"])
                && has("\"userEditedTimestampUsec\"")
                && (has("\"isTrashed\"") || has("\"textContent\"") || has("\"listContent\""));
            is_note.then(|| Claim::in_folder(file.folder()))
        },
        beside: Some(|name| {
            let is_copy = has_ending(name, ".html") || base_name(name) == "Labels.txt";
            Some(if is_copy {
                Companion::Known("the notes as pages")
            } else {
                Companion::Attachment
            })
        }),
        counts: Some(ItemCount { what: ("note", "notes"), by: CountBy::Files }),
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut files = FileIndex::new(export).map_err(Stop::Failed)?;
    let mut keys = DistinctKeys::default();
    let is_note = |name: &str| has_ending(name, ".json");
    each_object(export, sink, &is_note, &mut |name, note, sink| {
        let is_note = note.contains_key("userEditedTimestampUsec")
            || note.contains_key("textContent")
            || note.contains_key("listContent");
        if !is_note {
            return super::reject(note, "not a note of Keep", sink);
        }
        put_note(name, &note, &mut keys, &mut files, sink)
    })
}

fn put_note(
    name: &str,
    note: &JsonObject,
    keys: &mut DistinctKeys,
    files: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let text = |name| lenient::text(note, name);
    let stem = base_name(name).rsplit_once('.').map_or(name, |(stem, _)| stem);
    // The time of creation is all that tells notes apart; old exports have only the file's name.
    let created = lenient::whole(note, "createdTimestampUsec").filter(|micros| *micros > 0);
    let id = keys.key(created.map_or_else(|| stem.to_owned(), |micros| micros.to_string()), stem);
    let edited_at = lenient::micros(note, "userEditedTimestampUsec");
    let items: Vec<String> = lenient::objects(note, "listContent")
        .map(|item| {
            let mark = if lenient::flag(item, "isChecked") == Some(true) { "x" } else { " " };
            format!("[{mark}] {}", lenient::text(item, "text").unwrap_or_default())
        })
        .collect();
    let body = text("textContent").map_or_else(|| items.join("\n"), str::to_owned);
    let first = body.lines().find(|line| !line.trim().is_empty()).unwrap_or("Untitled note");
    let names = |list: &str, member: &str| -> Vec<String> {
        let values = lenient::objects(note, list).filter_map(|item| lenient::text(item, member));
        values.map(str::to_owned).collect()
    };
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("title", text("title").unwrap_or(first).chars().take(200).collect::<String>())
        .text("text", &*body)
        .texts("labels", names("labels", "name"))
        .maybe("color", text("color"))
        .maybe("created_at", lenient::micros(note, "createdTimestampUsec"))
        .maybe("edited_at", edited_at.clone());
    for (field, values) in [
        ("items", items),
        ("urls", names("annotations", "url")),
        ("shared_with", names("sharees", "email")),
    ] {
        if !values.is_empty() {
            data = data.texts(field, values);
        }
    }
    for (field, member) in
        [("is_pinned", "isPinned"), ("is_archived", "isArchived"), ("is_trashed", "isTrashed")]
    {
        if let Some(value) = lenient::flag(note, member) {
            data = data.flag(field, value);
        }
    }
    sink.record("notes", &id, data)?;
    for (number, file) in lenient::objects(note, "attachments").enumerate() {
        let file_id = format!("{id}:{}", number + 1);
        let data = RecordFields::default()
            .text("id", &*file_id)
            .text("note_id", &*id)
            .maybe("edited_at", edited_at.clone());
        put_file((&file_id, data), file, name, files, sink)?;
    }
    Ok(())
}

fn put_file(
    (id, data): (&str, RecordFields),
    file: &JsonObject,
    note_name: &str,
    files: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let path = lenient::text(file, "filePath").unwrap_or("file");
    let mime_type = lenient::text(file, "mimetype").unwrap_or("application/octet-stream");
    let folder = note_name.get(..note_name.len() - base_name(note_name).len()).unwrap_or_default();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    // Takeout writes .jpg where the note says .jpeg, and the other way round.
    let endings = ["", ".jpg", ".jpeg", ".png", ".3gp", ".amr"];
    let place = endings.iter().find_map(|ending| {
        let file = if ending.is_empty() { path.to_owned() } else { format!("{stem}{ending}") };
        files.at(&format!("{folder}{file}")).cloned()
    });
    let mut data = data.text("filename", path).text("mime_type", mime_type);
    if let Some(place) = place {
        match files.open(&place, |content: &mut dyn Read| sink.file(content, mime_type, path)) {
            Ok(kept) => {
                data = data
                    .number("size_bytes", kept.blob.size_bytes)
                    .text("sha256", kept.blob.id.hex())
                    .blob("blob_ref", &kept.blob, mime_type, path)
                    .file_text("text", kept.text.as_ref());
            }
            Err(error) => sink.unreadable(error)?,
        }
    }
    sink.record("attachments", id, data)
}
