//! `whatsapp`: exported chats, in the date formats of many languages, with their media.

mod chat;
mod date_order;
mod stamp;

use std::collections::HashMap;
use std::io::BufRead;

use jiff::tz::TimeZone;
use pdpp_contract::ErrorCode;

use crate::blobs::content_key;
use crate::export::Export;
use crate::export::file_index::FileIndex;
use crate::format::{Format, Importer, Recognise};
use crate::readers::lines::{TextLine, read_text_line};
use crate::record::fields::RecordFields;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Candidate, Claim, Companion};
use chat::{Chat, Message, chat_name};
use date_order::{DateOrder, Evidence};
use pdpp_contract::import::Rejected;
use stamp::read_stamp;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/whatsapp.json");
/// Exported WhatsApp chats.
pub static FORMAT: Format = Format {
    name: "whatsapp",
    help: "Read exported WhatsApp chats (txt or zip)",
    reads: "exported chats of many languages, with their media",
    recognise: Recognise { rank: 50, claims, beside: Some(beside), counts: None },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Longest line that is read.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// Reads every chat. A first round finds out whether days or months come first.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut file_index = FileIndex::new(export).map_err(Stop::Failed)?;
    let mut orders: HashMap<String, DateOrder> = HashMap::new();
    export.each(sink, &is_chat, &mut |name, reader, sink| {
        orders.insert(format!("{}/{name}", sink.root()), date_order(reader));
        Ok(())
    })?;
    export.each(sink, &is_chat, &mut |name, reader, sink| {
        let order = orders.get(&format!("{}/{name}", sink.root())).copied();
        let chat = Chat::new(chat_name(name, sink.root()), order.unwrap_or(DateOrder::DayFirst));
        read_chat(chat, reader, &mut file_index, sink)
    })
}

/// Every text file is taken for a chat.
fn is_chat(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".txt")
}

fn claims(file: &Candidate<'_>) -> Option<Claim> {
    let is_own =
        is_chat(file.name()) && file.head().lines().take(5).any(|line| read_stamp(line).is_some());
    is_own.then(|| Claim::in_folder(file.folder()))
}

/// Media lie beside the chat, under any name.
fn beside(name: &str) -> Option<Companion> {
    let is_media = !name.contains('/') && chat::mime_type(name) != chat::UNKNOWN_TYPE;
    is_media.then_some(Companion::Attachment)
}

/// A file that cannot be read is rejected in the second round.
fn date_order(reader: &mut dyn BufRead) -> DateOrder {
    let mut evidence = Evidence::default();
    while let Ok(Some(line)) = read_text_line(reader, MAX_LINE_BYTES) {
        if let TextLine::Whole(line) = line
            && let Some((stamp, _)) = read_stamp(&line)
        {
            evidence.add(&stamp);
        }
    }
    evidence.order()
}

fn read_chat(
    mut chat: Chat,
    reader: &mut dyn BufRead,
    file_index: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let mut open: Option<Message> = None;
    loop {
        let line = match read_text_line(reader, MAX_LINE_BYTES) {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                sink.begin_item();
                sink.unreadable(error)?;
                break;
            }
        };
        match line {
            TextLine::Whole(line) => match read_stamp(&line) {
                Some((stamp, rest)) => {
                    finish(&mut chat, open.take(), file_index, sink)?;
                    open = Some(Message::new(stamp, rest));
                }
                None => continue_message(&mut open, &line, sink)?,
            },
            TextLine::NotText(bytes) => {
                reject(sink, ErrorCode::InvalidText, "the line is not valid UTF-8", &bytes)?;
            }
            TextLine::TooLong(head) => {
                reject(sink, ErrorCode::PayloadTooLarge, "the line is too long", &head)?;
            }
        }
    }
    finish(&mut chat, open, file_index, sink)
}

fn reject(sink: &mut Sink<'_>, code: ErrorCode, why: &str, item: &[u8]) -> Flow {
    sink.begin_item();
    sink.reject(Rejected::new(code, why, item))
}

fn continue_message(open: &mut Option<Message>, line: &str, sink: &mut Sink<'_>) -> Flow {
    match open {
        Some(message) => message.push_line(line),
        None if line.trim().is_empty() => {}
        None => {
            let why = "no date before this line; this is not a chat export";
            reject(sink, ErrorCode::MalformedRecord, why, line.as_bytes())?;
        }
    }
    Ok(())
}

fn finish(
    chat: &mut Chat,
    message: Option<Message>,
    file_index: &mut FileIndex<'_>,
    sink: &mut Sink<'_>,
) -> Flow {
    let Some(message) = message else { return Ok(()) };
    sink.begin_item();
    if message.too_long {
        let why = "the message is too long";
        let item = message.text.as_bytes();
        return sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, item));
    }
    let stamp = &message.stamp;
    let told =
        (stamp.instant(chat.order, sink.local_zone()), stamp.instant(chat.order, &TimeZone::UTC));
    let (Some(sent_at), Some(written)) = told else {
        let why = "the date does not exist";
        let item = message.text.as_bytes();
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item));
    };
    // A file without a single message is no chat.
    if chat.begin() {
        let data = RecordFields::default().text("id", &*chat.id).text("name", &*chat.name);
        sink.record("chats", &chat.id, data)?;
    }
    let number = chat.occurrence(&written, &message).to_string();
    let key = |moment: &str| {
        content_key(&[
            chat.id.as_bytes(),
            moment.as_bytes(),
            message.author.as_deref().unwrap_or_default().as_bytes(),
            message.text.as_bytes(),
            number.as_bytes(),
        ])
    };
    // What the file says names the message, whatever zone it is read in; before, the instant did.
    let (id, former_id) = (key(&written), key(&sent_at));
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("chat_id", &*chat.id)
        .text("chat_name", &*chat.name)
        .text("sent_at", sent_at)
        .maybe("author", message.author.clone())
        .text("kind", message.kind());
    let found = message.filename().and_then(|name| {
        file_index.find(name).filter(|(found, _)| *found == name).map(|(_, place)| place.clone())
    });
    if let (Some(name), Some(place)) = (message.filename(), found) {
        let mime_type = chat::mime_type(name);
        data = data.text("filename", name).text("mime_type", mime_type);
        match file_index.open(&place, |content| sink.file(content, mime_type, name)) {
            Ok(kept) => {
                data = data
                    .number("size_bytes", kept.blob.size_bytes)
                    .blob("blob_ref", &kept.blob, mime_type, name)
                    .file_text("file_text", kept.text.as_ref());
            }
            Err(error) => sink.unreadable(error)?,
        }
    }
    let text = message.edited_text().unwrap_or(&message.text);
    let data = data.text("text", text);
    sink.record_formerly("messages", &id, &former_id, data)
}
