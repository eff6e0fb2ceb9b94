//! What a message says, whatever kind of content it is, and the files it carries.

use pdpp_contract::{Json, JsonObject};

use crate::record::lenient;

/// Members of content that hold words, in reading order.
const WORDS: &[&str] =
    &["text", "result", "content", "summary", "user_profile", "user_instructions"];
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

/// The words of a message: its parts, code, tool results and thoughts.
pub fn message_text(message: &JsonObject) -> String {
    let Some(content) = lenient::object(message, "content") else { return String::new() };
    let mut words = Vec::new();
    for part in lenient::list(content, "parts") {
        match part {
            Json::String(text) => words.push(text.as_str()),
            Json::Object(part) => words.extend(lenient::text(part, "text")),
            _ => {}
        }
    }
    for thought in lenient::objects(content, "thoughts") {
        words.extend(lenient::text(thought, "summary"));
        words.extend(lenient::text(thought, "content"));
    }
    words.extend(WORDS.iter().filter_map(|name| lenient::text(content, name)));
    words.retain(|text| !text.is_empty());
    words.join("\n\n")
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
