//! `chatgpt`: the data export, with one `conversations.json` or many numbered ones.

mod content;
mod tree;

use std::io;

use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::blobs::content_key;
use crate::export::Export;
use crate::export::file_index::FileIndex;
use crate::format::{Format, Importer, Recognise};
use crate::readers::json_list::each_object;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Claim, Companion, base};
use content::{File, files, message_kind, message_text};
use pdpp_contract::import::Rejected;
use tree::Tree;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/chatgpt.json");

/// The ChatGPT data export.
pub static FORMAT: Format = Format {
    name: "chatgpt",
    help: "Read ChatGPT's data export (zip or folder, one file or many)",
    reads: "`conversations.json` or `conversations-000.json` …, every branch, files",
    recognise: Recognise {
        rank: 70,
        claims: |file| {
            let is_own = is_shard(file.name()) && file.head().contains("\"mapping\"");
            is_own.then(|| Claim::in_folder(file.folder()))
        },
        beside: Some(beside),
        counts: None,
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// The other files of an export.
fn beside(name: &str) -> Option<Companion> {
    let file = base(name);
    let known = match file {
        "chat.html" => "the same conversations as a page",
        "user.json" | "user_settings.json" => "your ChatGPT account and its settings",
        "message_feedback.json" | "model_comparisons.json" => "ratings given to answers",
        "shared_conversations.json" => "the list of conversations that were shared",
        "export_manifest.json" | "conversation_asset_file_names.json" => "the list of its files",
        _ => {
            let is_attachment = ["file-", "file_"].iter().any(|begin| file.starts_with(begin))
                || name.contains("dalle-generations/")
                || name.contains("/audio/");
            return is_attachment.then_some(Companion::Attachment);
        }
    };
    Some(Companion::Known(known))
}

/// Reads every conversation with every branch.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut file_index = FileIndex::new(export).map_err(Stop::Failed)?;
    each_object(export, sink, &is_shard, &mut |_, conversation, sink| {
        put_conversation(&conversation, &mut file_index, sink)
    })
}

/// `conversations.json`, `conversations-000.json`, and the like in any folder.
pub fn is_shard(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.starts_with("conversations") && file.rsplit('.').next() == Some("json")
}

fn put_conversation(
    conversation: &JsonObject,
    file_index: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    if lenient::object(conversation, "mapping").is_none() {
        let item = Json::Object(conversation.clone()).to_canonical();
        let why = "not a conversation: it has no messages (mapping)";
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
    }
    let created_at = lenient::time(conversation, "create_time");
    let title = lenient::text(conversation, "title").unwrap_or("Untitled conversation");
    let id = lenient::text(conversation, "conversation_id").or(lenient::text(conversation, "id"));
    let id = id.map_or_else(
        || content_key(&[title.as_bytes(), created_at.as_deref().unwrap_or_default().as_bytes()]),
        str::to_owned,
    );
    let tree = Tree::new(conversation);
    let data = RecordFields::default()
        .text("id", &*id)
        .text("title", title)
        .maybe("created_at", created_at.clone())
        .maybe("updated_at", lenient::time(conversation, "update_time"))
        .maybe("model", lenient::text(conversation, "default_model_slug"))
        .maybe("assistant_id", lenient::text(conversation, "gizmo_id"))
        .flag("archived", lenient::flag(conversation, "is_archived").unwrap_or(false))
        .count("message_count", tree.nodes.len());
    sink.record("conversations", &id, data)?;
    let about = About { id: &id, title, created_at: created_at.as_deref() };
    for node in &tree.nodes {
        put_message(&about, node, file_index, sink)?;
    }
    Ok(())
}

/// What messages repeat of their conversation.
struct About<'c> {
    id: &'c str,
    title: &'c str,
    created_at: Option<&'c str>,
}

fn put_message(
    about: &About<'_>,
    node: &tree::Node<'_>,
    file_index: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let message = node.message;
    let id = format!("{}:{}", about.id, node.id);
    let author = lenient::object(message, "author");
    let metadata = lenient::object(message, "metadata");
    let files = files(message);
    let kind = message_kind(message);
    // The export has custom instructions as if the user had said them in every conversation.
    let role = match author.and_then(|author| lenient::text(author, "role")) {
        _ if kind == Some("custom_instructions") => "system",
        role => role.unwrap_or("unknown"),
    };
    // Instructions and tool results often have no time of their own.
    let created_at = lenient::time(message, "create_time").or(about.created_at.map(str::to_owned));
    let data = RecordFields::default()
        .text("id", &*id)
        .text("conversation_id", about.id)
        .text("title", about.title)
        .maybe("parent_id", node.parent.map(|parent| format!("{}:{parent}", about.id)))
        .text("role", role)
        .maybe("kind", kind)
        .maybe("tool", author.and_then(|author| lenient::text(author, "name")))
        .maybe("created_at", created_at.clone())
        .text("text", message_text(message))
        .maybe("model", metadata.and_then(|metadata| lenient::text(metadata, "model_slug")))
        .count("position", node.depth)
        .flag("on_current_branch", node.is_current)
        .count("attachment_count", files.len());
    sink.record("messages", &id, data)?;
    for file in files {
        put_file(&id, created_at.as_deref(), &file, file_index, sink)?;
    }
    Ok(())
}

fn put_file(
    message_id: &str,
    created_at: Option<&str>,
    file: &File<'_>,
    file_index: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let id = format!("{message_id}:{}", file.id);
    let found = file_index.find(file.id).map(|(name, place)| (name.to_owned(), place.clone()));
    let filename = file.name.map(str::to_owned);
    let filename = filename.or_else(|| found.as_ref().map(|(name, _)| name.clone()));
    let filename = filename.unwrap_or_else(|| file.id.to_owned());
    let mime_type = file.mime_type.unwrap_or("application/octet-stream");
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("message_id", message_id)
        .maybe("created_at", created_at)
        .text("filename", &*filename)
        .text("mime_type", mime_type);
    let mut size_bytes = file.size_bytes;
    if let Some((_, place)) = found {
        let kept = file_index
            .open(&place, |content: &mut dyn io::Read| sink.file(content, mime_type, &filename));
        match kept {
            Ok(kept) => {
                size_bytes = i64::try_from(kept.blob.size_bytes).ok();
                data = data
                    .blob("blob_ref", &kept.blob, mime_type, &filename)
                    .file_text("text", kept.text.as_ref());
            }
            Err(error) => sink.unreadable(error)?,
        }
    }
    if let Some(size_bytes) = size_bytes {
        data = data.number("size_bytes", size_bytes);
    }
    sink.record("attachments", &id, data)
}
