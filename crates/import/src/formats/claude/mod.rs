//! `claude`: the data export, `conversations.json` and `projects.json`.

mod content;

use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::formats::chatgpt::is_shard;
use crate::readers::json_list::each_object;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::{Candidate, Claim, Companion};
use pdpp_contract::import::Rejected;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/claude.json");

/// The Claude data export.
pub static FORMAT: Format = Format {
    name: "claude",
    help: "Read Claude's data export",
    reads: "`conversations.json`, `projects.json`, `memories.json`",
    recognise: Recognise { rank: 71, claims, beside: Some(beside), counts: None },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Reads conversations and projects. What an object is, it says itself: a file that is given alone
/// may have any name.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let wanted = |name: &str| is_shard(name) || is_projects(name) || is_memories(name);
    each_object(export, sink, &wanted, &mut |name, object, sink| {
        let has = |member: &str| object.contains_key(member);
        if has("chat_messages") {
            put_conversation(&object, sink)
        } else if has("conversations_memory") || has("project_memories") {
            put_memories(&object, sink)
        } else if is_projects(name) || has("docs") || has("prompt_template") {
            put_project(&object, sink)
        } else {
            let item = Json::Object(object).to_canonical();
            let why = "neither a conversation (chat_messages) nor a project (docs)";
            sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()))
        }
    })
}

/// ChatGPT's export has files of the same names, with other members.
fn claims(file: &Candidate<'_>) -> Option<Claim> {
    let is_claude =
        |head: &str| head.contains("\"chat_messages\"") && !head.contains("\"mapping\"");
    let is_own = if is_shard(file.name()) {
        is_claude(file.head())
    } else {
        (is_projects(file.name()) || is_memories(file.name()))
            && is_claude(&file.head_beside("conversations.json"))
    };
    is_own.then(|| Claim::in_folder(file.folder()))
}

/// The other files of an export.
fn beside(name: &str) -> Option<Companion> {
    (name == "users.json").then_some(Companion::Known("your Claude account"))
}

fn is_projects(name: &str) -> bool {
    name.rsplit('/').next() == Some("projects.json")
}

fn is_memories(name: &str) -> bool {
    name.rsplit('/').next() == Some("memories.json")
}

fn put_conversation(conversation: &JsonObject, sink: &mut Sink<'_>) -> Flow {
    let created_at = lenient::time(conversation, "created_at");
    let title = lenient::text(conversation, "name").unwrap_or("Untitled conversation");
    let id = id_of(conversation);
    let messages: Vec<&JsonObject> = lenient::objects(conversation, "chat_messages").collect();
    let project = lenient::object(conversation, "project");
    let data = RecordFields::default()
        .text("id", &*id)
        .text("title", title)
        .maybe("summary", lenient::text(conversation, "summary"))
        .maybe("created_at", created_at)
        .maybe("updated_at", lenient::time(conversation, "updated_at"))
        .maybe("project_id", project.and_then(|project| lenient::text(project, "uuid")))
        .count("message_count", messages.len());
    sink.record("conversations", &id, data)?;
    for (position, message) in messages.into_iter().enumerate() {
        put_message(&id, title, position, message, sink)?;
    }
    Ok(())
}

fn put_message(
    conversation_id: &str,
    title: &str,
    position: usize,
    message: &JsonObject,
    sink: &mut Sink<'_>,
) -> Flow {
    let id = format!("{conversation_id}:{}", id_of(message));
    let created_at = lenient::time(message, "created_at");
    let attached = lenient::objects(message, "attachments");
    let files: Vec<&JsonObject> = attached.chain(lenient::objects(message, "files")).collect();
    let role = match lenient::text(message, "sender") {
        Some("human") => "user",
        Some(other) => other,
        None => "unknown",
    };
    let data = RecordFields::default()
        .text("id", &*id)
        .text("conversation_id", conversation_id)
        .text("title", title)
        .text("role", role)
        .maybe("created_at", created_at.clone())
        .text("text", content::answer(message))
        .maybe("thinking", content::thinking(message))
        .count("position", position)
        .count("attachment_count", files.len());
    sink.record("messages", &id, data)?;
    for (number, artifact) in content::artifacts(message).into_iter().enumerate() {
        let artifact_id = format!("{id}:artifact-{}", number + 1);
        let data = artifact
            .text("id", &*artifact_id)
            .text("message_id", &*id)
            .text("conversation_id", conversation_id)
            .maybe("created_at", created_at.clone());
        sink.record("artifacts", &artifact_id, data)?;
    }
    for (number, file) in files.into_iter().enumerate() {
        let file_id = format!("{id}:{}", number + 1);
        let data = RecordFields::default()
            .text("id", &*file_id)
            .text("message_id", &*id)
            .maybe("created_at", created_at.clone())
            .text("filename", lenient::text(file, "file_name").unwrap_or("file"))
            .maybe("kind", lenient::text(file, "file_type"))
            .maybe("text", lenient::text(file, "extracted_content"));
        sink.record("attachments", &file_id, data)?;
    }
    Ok(())
}

fn put_project(project: &JsonObject, sink: &mut Sink<'_>) -> Flow {
    let id = id_of(project);
    let data = RecordFields::default()
        .text("id", &*id)
        .text("name", lenient::text(project, "name").unwrap_or("Untitled project"))
        .maybe("description", lenient::text(project, "description"))
        .maybe("instructions", lenient::text(project, "prompt_template"))
        .maybe("created_at", lenient::time(project, "created_at"))
        .maybe("updated_at", lenient::time(project, "updated_at"));
    sink.record("projects", &id, data)?;
    for document in lenient::objects(project, "docs") {
        let document_id = format!("{id}:{}", id_of(document));
        let data = RecordFields::default()
            .text("id", &*document_id)
            .text("project_id", &*id)
            .text("name", lenient::text(document, "filename").unwrap_or("document"))
            .text("text", lenient::text(document, "content").unwrap_or_default())
            .maybe("created_at", lenient::time(document, "created_at"));
        sink.record("project_documents", &document_id, data)?;
    }
    Ok(())
}

/// What Claude remembers between conversations, of the account and of each project.
fn put_memories(memories: &JsonObject, sink: &mut Sink<'_>) -> Flow {
    let general = lenient::text(memories, "conversations_memory").map(|text| (None, text));
    let by_project = lenient::object(memories, "project_memories");
    let of_projects = by_project.into_iter().flatten();
    let of_projects =
        of_projects.filter_map(|(project, text)| Some((Some(project.as_str()), text.as_str()?)));
    for (project, text) in general.into_iter().chain(of_projects) {
        let account = lenient::text(memories, "account_uuid").unwrap_or_default();
        let id = content_key(&[account.as_bytes(), project.unwrap_or_default().as_bytes()]);
        let data = RecordFields::default()
            .text("id", &*id)
            .maybe("project_id", project)
            .text("text", text);
        sink.record("memories", &id, data)?;
    }
    Ok(())
}

/// The id, or a name for the content when there is none.
fn id_of(object: &JsonObject) -> String {
    let id = lenient::text(object, "uuid").map(str::to_owned);
    id.unwrap_or_else(|| content_key(&[Json::Object(object.clone()).to_canonical().as_bytes()]))
}
