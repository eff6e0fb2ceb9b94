//! What a message says, whatever kind of content it is, and the files it carries.

use pdpp_contract::{Json, JsonObject};

use crate::record::lenient;

/// Members of content that hold words, in reading order.
const WORDS: &[&str] =
    &["title", "url", "text", "result", "content", "summary", "user_profile", "user_instructions"];
/// Where the ids of files are told by address.
const SCHEMES: [&str; 2] = ["file-service://", "sediment://"];

/// A file that a message carries or shows.
pub struct File<'m> {
    /// Its id; the file in the export begins with it.
    pub id: &'m str,
    /// Its name.
    pub name: Option<&'m str>,
    /// Its media type.
    pub mime_type: Option<&'m str>,
    /// Its length.
    pub size_bytes: Option<i64>,
}

/// The words of a message: its parts, code, tool results and thoughts, without citation markers.
pub fn message_text(message: &JsonObject) -> String {
    let Some(content) = lenient::object(message, "content") else { return String::new() };
    let mut words: Vec<String> = Vec::new();
    let mut add = |text: Option<&str>| words.extend(text.map(str::to_owned));
    for part in lenient::list(content, "parts") {
        match part {
            Json::String(text) => add(Some(text)),
            Json::Object(part) => {
                add(lenient::text(part, "text"));
                add(image_prompt(part));
            }
            _ => {}
        }
    }
    for thought in lenient::objects(content, "thoughts") {
        add(lenient::text(thought, "summary"));
        add(lenient::text(thought, "content"));
    }
    for name in WORDS {
        add(lenient::text(content, name));
    }
    if is_canvas(message) {
        words = words.iter().map(|text| canvas_text(text)).collect();
    }
    words.retain(|text| !text.is_empty());
    without_markers(&words.join("\n\n"))
}

/// What kind of message it is, when it is something that nobody said in the conversation.
pub fn message_kind(message: &JsonObject) -> Option<&'static str> {
    let content = lenient::object(message, "content");
    match content.and_then(|content| lenient::text(content, "content_type")) {
        Some("user_editable_context") => Some("custom_instructions"),
        Some("thoughts" | "reasoning_recap") => Some("thinking"),
        Some("tether_quote") => Some("quote"),
        _ if is_canvas(message) => Some("canvas"),
        _ => None,
    }
}

/// The words a picture was made from.
fn image_prompt(part: &JsonObject) -> Option<&str> {
    let metadata = lenient::object(part, "metadata")?;
    let dalle = lenient::object(metadata, "dalle").and_then(|dalle| lenient::text(dalle, "prompt"));
    dalle.or_else(|| lenient::text(lenient::object(metadata, "generation")?, "prompt"))
}

fn is_canvas(message: &JsonObject) -> bool {
    lenient::text(message, "recipient").is_some_and(|tool| tool.starts_with("canmore."))
}

/// A canvas is written as JSON: its name and content, or the replacements that were made in it.
fn canvas_text(text: &str) -> String {
    let Ok(Json::Object(canvas)) = Json::parse(text) else { return text.to_owned() };
    let changes = ["updates", "comments"].into_iter();
    let changes = changes.flat_map(|name| lenient::objects(&canvas, name));
    let changes = changes.filter_map(|change| {
        lenient::text(change, "replacement").or(lenient::text(change, "comment"))
    });
    let own = [lenient::text(&canvas, "name"), lenient::text(&canvas, "content")];
    let words: Vec<&str> = own.into_iter().flatten().chain(changes).collect();
    if words.is_empty() { text.to_owned() } else { words.join("\n\n") }
}

/// Text without the markers that the page shows as footnotes: `【3†source】`, and runs between two
/// characters for private use.
fn without_markers(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['【', '\u{e200}']) {
        let (before, marker) = rest.split_at(start);
        clean.push_str(before);
        let end = marker.find(['】', '\u{e201}']).filter(|end| {
            let inside = marker.get(..*end).unwrap_or_default();
            marker.starts_with('\u{e200}') || inside.contains('†')
        });
        let (marker, after) = match (end, marker.chars().next()) {
            (Some(end), _) => ("", marker.get(end..).and_then(|tail| tail.get('】'.len_utf8()..))),
            (None, Some(first)) => {
                (marker.get(..first.len_utf8()).unwrap_or_default(), marker.get(first.len_utf8()..))
            }
            (None, None) => ("", None),
        };
        clean.push_str(marker);
        rest = after.unwrap_or_default();
    }
    clean.push_str(rest);
    clean
}

/// The files of a message, each once.
pub fn files(message: &JsonObject) -> Vec<File<'_>> {
    let metadata = lenient::object(message, "metadata");
    let attached =
        metadata.into_iter().flat_map(|metadata| lenient::objects(metadata, "attachments"));
    let mut files: Vec<File<'_>> = attached
        .filter_map(|file| {
            Some(File {
                id: lenient::text(file, "id")?,
                name: lenient::text(file, "name"),
                mime_type: lenient::text(file, "mime_type").or(lenient::text(file, "mimeType")),
                size_bytes: lenient::whole(file, "size"),
            })
        })
        .collect();
    let content = lenient::object(message, "content");
    let parts = content.into_iter().flat_map(|content| lenient::objects(content, "parts"));
    for part in parts {
        let Some(pointer) = lenient::text(part, "asset_pointer") else { continue };
        let id = SCHEMES.iter().find_map(|scheme| pointer.strip_prefix(scheme)).unwrap_or(pointer);
        if files.iter().all(|file| file.id != id) {
            let size_bytes = lenient::whole(part, "size_bytes");
            files.push(File { id, name: None, mime_type: None, size_bytes });
        }
    }
    files
}
