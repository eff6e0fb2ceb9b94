//! What a message says: its text, what hangs on it, and what a notice tells.

use pdpp_contract::{Json, JsonObject};

use super::scalar;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::Sink;

/// What stands in the place of a file that was not exported.
const NOT_INCLUDED: &str = "(File ";
/// Members of a notice that say more than its action.
const TOLD: [&str; 8] = [
    "title",
    "inviter",
    "game_title",
    "score",
    "duration_seconds",
    "discard_reason",
    "emoticon",
    "period",
];

/// A time: the seconds of newer versions, or local time.
pub fn time(object: &JsonObject, name: &str, sink: &Sink<'_>) -> Option<String> {
    lenient::time(object, &format!("{name}_unixtime"))
        .or_else(|| lenient::local_time(lenient::text(object, name)?, sink.local_zone()))
}

/// The path of the file that a message names, if it came along.
pub fn media_path(message: &JsonObject) -> Option<&str> {
    let paths = ["file", "photo"].into_iter().filter_map(|name| lenient::text(message, name));
    paths.into_iter().find(|path| !path.starts_with(NOT_INCLUDED))
}

/// The file's media type.
pub fn mime_type(message: &JsonObject) -> &str {
    let is_photo = message.contains_key("photo");
    let other = if is_photo { "image/jpeg" } else { "application/octet-stream" };
    lenient::text(message, "mime_type").unwrap_or(other)
}

/// Adds what the message says to its record.
pub fn describe(
    data: RecordFields,
    chat: &str,
    message: &JsonObject,
    sink: &Sink<'_>,
) -> RecordFields {
    let text = |name| lenient::text(message, name);
    let is_notice = text("type") == Some("service");
    let media = text("media_type").or(message.contains_key("photo").then_some("photo"));
    let media = media.or(message.contains_key("file").then_some("file"));
    let kind = match (is_notice, media) {
        (true, _) => "notice",
        (false, Some(_)) => "media",
        (false, None) => "message",
    };
    let reply = message.get("reply_to_message_id").map(|id| format!("{chat}:{}", scalar(id)));
    let reactions = lenient::objects(message, "reactions").filter_map(|reaction| {
        let mark = lenient::text(reaction, "emoji").or(lenient::text(reaction, "document_id"))?;
        Some(format!("{mark} {}", lenient::whole(reaction, "count").unwrap_or(1)))
    });
    let reactions: Vec<String> = reactions.collect();
    let words = if is_notice { notice(message) } else { words(message) };
    let mut data = data
        .text("kind", kind)
        .text("text", words)
        .maybe("author", text("from").or(text("actor")))
        .maybe("author_id", text("from_id").or(text("actor_id")))
        .maybe("edited_at", time(message, "edited", sink))
        .maybe("action", text("action"))
        .maybe("reply_to", reply)
        .maybe("forwarded_from", text("forwarded_from").or(text("saved_from")))
        .maybe("media_type", media)
        .maybe("mime_type", text("mime_type"));
    if let Some(seconds) = lenient::whole(message, "duration_seconds") {
        data = data.number("duration_seconds", seconds);
    }
    if reactions.is_empty() { data } else { data.texts("reactions", reactions) }
}

/// The text, and in words what a message carries instead of one.
fn words(message: &JsonObject) -> String {
    let mut parts = vec![rich_text(message.get("text"))];
    let part = |object: &JsonObject, names: &[&str]| {
        let texts = names.iter().filter_map(|name| object.get(*name)).map(scalar);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    };
    if let Some(poll) = lenient::object(message, "poll") {
        parts.push(part(poll, &["question"]));
        let answers = lenient::objects(poll, "answers");
        parts.extend(answers.map(|answer| format!("- {}", part(answer, &["text"]))));
    }
    if let Some(contact) = lenient::object(message, "contact_information") {
        parts.push(part(contact, &["first_name", "last_name", "phone_number"]));
    }
    parts.push(part(message, &["place_name", "address"]));
    if let Some(place) = lenient::object(message, "location_information") {
        parts.push(part(place, &["latitude", "longitude"]));
    }
    parts.push(part(message, &["performer", "title"]));
    parts.push(part(message, &["sticker_emoji"]));
    parts.push(part(message, &["game_title", "game_description"]));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// A text, or a list of texts and of pieces with a kind.
fn rich_text(text: Option<&Json>) -> String {
    match text {
        Some(Json::String(text)) => text.clone(),
        Some(Json::Array(pieces)) => pieces
            .iter()
            .map(|piece| match piece {
                Json::String(text) => text.clone(),
                Json::Object(piece) => {
                    let words = lenient::text(piece, "text").unwrap_or_default();
                    match lenient::text(piece, "href").filter(|href| *href != words) {
                        Some(href) => format!("{words} ({href})"),
                        None => words.to_owned(),
                    }
                }
                _ => String::new(),
            })
            .collect(),
        _ => String::new(),
    }
}

/// `pin_message` and its like in words, with whom and what it is about.
fn notice(message: &JsonObject) -> String {
    let action = lenient::text(message, "action").unwrap_or("notice").replace('_', " ");
    let mut told: Vec<String> = TOLD
        .iter()
        .filter_map(|name| message.get(*name))
        .map(scalar)
        .filter(|text| !text.is_empty())
        .collect();
    let members: Vec<&str> =
        lenient::list(message, "members").iter().filter_map(Json::as_str).collect();
    if !members.is_empty() {
        told.push(members.join(", "));
    }
    told.push(rich_text(message.get("text")));
    told.retain(|text| !text.is_empty());
    if told.is_empty() { action } else { format!("{action}: {}", told.join(", ")) }
}
