//! `telegram`: `result.json` of Telegram Desktop, of one chat or of the whole account.

mod message;

use std::collections::BTreeMap;
use std::io::Read;

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Instant, Json, JsonObject};

use crate::export::Export;
use crate::export::file_index::FileIndex;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::base_name;
use crate::readers::json_document::{DocumentPart, JsonDocument, read_document};
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Claim, Companion};

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/telegram.json");

/// The export of Telegram Desktop.
pub static FORMAT: Format = Format {
    name: "telegram",
    help: "Read chats that Telegram Desktop exported as JSON",
    reads: "`result.json` of Telegram Desktop: one chat or all, with their media",
    recognise: Recognise {
        rank: 85,
        claims: |file| {
            let is_own = is_result(file.name()) && begins_as_export(file.head());
            is_own.then(|| Claim::in_folder(file.folder()))
        },
        beside: Some(|_| Some(Companion::Attachment)),
        counts: None,
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Members of the account's export that are read.
const READ: [&str; 3] = ["chats", "left_chats", "contacts"];

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut files = FileIndex::new(export).map_err(Stop::Failed)?;
    let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
    export.each(sink, &is_result, &mut |name, reader, sink| {
        let folder = name.get(..name.len() - base_name(name).len()).unwrap_or_default().to_owned();
        let mut account = Account { files: &mut files, folder, left_out: &mut left_out };
        read_document(reader, sink, &mut |document, sink| account.read(document, sink))
    })?;
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.keys().map(String::as_str).collect();
        sink.note(format!("parts of the export that are not read: {}", names.join(", ")));
    }
    Ok(())
}

fn is_result(name: &str) -> bool {
    base_name(name) == "result.json"
}

fn begins_as_export(text: &str) -> bool {
    let has = |mark: &str| text.contains(mark);
    text.starts_with('{')
        && (has("\"personal_information\"") && has("\"about\"")
            || has("\"messages\"") && has("\"from_id\"") && has("\"date\"")
            || has("\"messages\"") && has("\"actor_id\"") && has("\"date\""))
}

/// One `result.json` while it is read.
struct Account<'a, 'e> {
    files: &'a mut FileIndex<'e>,
    folder: String,
    left_out: &'a mut BTreeMap<String, u64>,
}

impl Account<'_, '_> {
    /// The account's export holds lists of chats; that of one chat is the chat itself.
    fn read(&mut self, document: &mut JsonDocument<'_>, sink: &mut Sink<'_>) -> DocumentPart {
        let mut chat = Chat::default();
        let mut is_chat = false;
        document.each_member(sink, &mut |name, document, sink| match name {
            "chats" | "left_chats" => self.read_chats(document, sink),
            "contacts" => read_contacts(document, sink),
            "name" | "type" | "id" | "messages" => {
                is_chat = true;
                self.read_member(&mut chat, name, document, sink)
            }
            "about" => document.skip(),
            other => {
                if !READ.contains(&other) && self.left_out.len() < 50 {
                    let plain = other.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_');
                    *self.left_out.entry(plain.take(40).collect()).or_default() += 1;
                }
                document.skip()
            }
        })?;
        if is_chat { Ok(chat.finish(sink)?) } else { Ok(()) }
    }

    fn read_chats(&mut self, document: &mut JsonDocument<'_>, sink: &mut Sink<'_>) -> DocumentPart {
        document.each_member(sink, &mut |name, document, sink| {
            if name != "list" {
                return document.skip();
            }
            document.each_element(sink, &mut |document, sink| {
                let mut chat = Chat::default();
                document.each_member(sink, &mut |name, document, sink| {
                    self.read_member(&mut chat, name, document, sink)
                })?;
                Ok(chat.finish(sink)?)
            })
        })
    }

    /// What a chat is stands before its messages.
    fn read_member(
        &mut self,
        chat: &mut Chat,
        name: &str,
        document: &mut JsonDocument<'_>,
        sink: &mut Sink<'_>,
    ) -> DocumentPart {
        match name {
            "name" => chat.name = document.value()?.as_str().map(str::to_owned),
            "type" => chat.kind = document.value()?.as_str().map(str::to_owned),
            "id" => chat.id = scalar(&document.value()?),
            "messages" => {
                return document
                    .each_object(sink, &mut |message, sink| self.put(chat, &message, sink));
            }
            _ => return document.skip(),
        }
        Ok(())
    }

    fn put(&mut self, chat: &mut Chat, message: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let Some(id) = message.get("id").map(scalar).filter(|id| !id.is_empty()) else {
            let item = Json::Object(message.clone()).to_canonical();
            let why = "a message without an id";
            return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
        };
        let sent_at = message::time(message, "date", sink);
        chat.see(sent_at.as_deref());
        let key = format!("{}:{id}", chat.key());
        let data = RecordFields::default()
            .text("id", &*key)
            .text("chat_id", chat.key())
            .text("chat_name", chat.title())
            .maybe("sent_at", sent_at);
        let path = message::media_path(message);
        let filename = lenient::text(message, "file_name").or(path.map(base_name));
        let mut data =
            message::describe(data, chat.key(), message, sink).maybe("filename", filename);
        if let Some(path) = path {
            data = self.attach(data, path, message, sink)?;
        }
        sink.record("messages", &key, data)
    }

    /// The file that a message names, when the export has it.
    fn attach(
        &mut self,
        data: RecordFields,
        path: &str,
        message: &JsonObject,
        sink: &mut Sink<'_>,
    ) -> Result<RecordFields, Stop> {
        let filename = lenient::text(message, "file_name").unwrap_or(base_name(path));
        let full = format!("{}{path}", self.folder);
        let Some(place) = self.files.at(&full).cloned() else { return Ok(data) };
        let mime_type = message::mime_type(message);
        let opened = self
            .files
            .open(&place, |content: &mut dyn Read| sink.file(content, mime_type, filename));
        match opened {
            Ok(kept) => Ok(data
                .blob("blob_ref", &kept.blob, mime_type, filename)
                .file_text("file_text", kept.text.as_ref())),
            Err(error) => {
                sink.unreadable(error)?;
                Ok(data)
            }
        }
    }
}

fn read_contacts(document: &mut JsonDocument<'_>, sink: &mut Sink<'_>) -> DocumentPart {
    document.each_member(sink, &mut |name, document, sink| {
        if name != "list" {
            return document.skip();
        }
        document.each_object(sink, &mut |contact, sink| {
            let part = |name| lenient::text(&contact, name).unwrap_or_default();
            let name = format!("{} {}", part("first_name"), part("last_name")).trim().to_owned();
            let phone = part("phone_number");
            let user_id = contact.get("user_id").map(scalar).filter(|id| id != "0");
            let id = user_id.clone().unwrap_or_else(|| phone.to_owned());
            if id.is_empty() {
                let item = Json::Object(contact.clone()).to_canonical();
                let why = "a contact without a number";
                return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
            }
            let data = RecordFields::default()
                .text("id", &*id)
                .text("name", if name.is_empty() { phone } else { &name })
                .maybe("phone_number", Some(phone).filter(|phone| !phone.is_empty()))
                .maybe("user_id", user_id)
                .maybe("added_at", message::time(&contact, "date", sink));
            sink.record("contacts", &id, data)
        })
    })
}

/// One chat while its messages are read.
#[derive(Default)]
struct Chat {
    id: String,
    name: Option<String>,
    kind: Option<String>,
    count: usize,
    first: Option<(Instant, String)>,
    last: Option<(Instant, String)>,
}

impl Chat {
    fn key(&self) -> &str {
        if self.id.is_empty() { "chat" } else { &self.id }
    }

    fn title(&self) -> &str {
        match (&self.name, self.kind.as_deref()) {
            (Some(name), _) if !name.is_empty() => name,
            (_, Some("saved_messages")) => "Saved messages",
            _ => "Deleted account",
        }
    }

    fn see(&mut self, time: Option<&str>) {
        self.count += 1;
        let Some((time, text)) = time.and_then(|text| Some((Instant::parse(text)?, text))) else {
            return;
        };
        if self.first.as_ref().is_none_or(|(first, _)| time < *first) {
            self.first = Some((time, text.to_owned()));
        }
        if self.last.as_ref().is_none_or(|(last, _)| time > *last) {
            self.last = Some((time, text.to_owned()));
        }
    }

    fn finish(self, sink: &mut Sink<'_>) -> Flow {
        let data = RecordFields::default()
            .text("id", self.key())
            .text("name", self.title())
            .maybe("kind", self.kind.as_deref())
            .maybe("first_message_at", self.first.as_ref().map(|(_, text)| text.as_str()))
            .maybe("last_message_at", self.last.as_ref().map(|(_, text)| text.as_str()))
            .count("message_count", self.count);
        sink.record("chats", self.key(), data)
    }
}

/// An id as text, whether it is written as one or as a number.
fn scalar(value: &Json) -> String {
    match value {
        Json::String(text) | Json::Number(text) => text.clone(),
        _ => String::new(),
    }
}
