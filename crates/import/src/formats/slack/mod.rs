//! `slack`: the workspace export, with its lists of people and channels and a file per day.

mod markup;
mod people;

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::json_list::objects;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::{Candidate, Claim, Companion, folder};
use markup::plain;
use people::People;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/slack.json");

/// The Slack workspace export.
pub static FORMAT: Format = Format {
    name: "slack",
    help: "Read a Slack workspace export (zip or folder)",
    reads: "a workspace export",
    recognise: Recognise { rank: 90, claims, beside: Some(beside), counts: None },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Reads people and channels, then every day of every channel.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut people = People::default();
    // Names are needed before the first message, so these two rounds come first.
    each_of(Kind::Users, export, sink, &mut |_, user, sink| people.put_user(&user, sink))?;
    each_of(Kind::Channels, export, sink, &mut |name, channel, sink| {
        people.put_channel(file_of(name), &channel, sink)
    })?;
    each_of(Kind::Day, export, sink, &mut |name, message, sink| {
        put_message(folder_of(name), &message, &people, sink)
    })
}

/// The days of channels stand in folders beside the lists of people and channels.
fn claims(file: &Candidate<'_>) -> Option<Claim> {
    let kind = Kind::find(file.name())?;
    let home = if kind == Kind::Day { folder(file.folder()) } else { file.folder() };
    let beside = |name: &str| {
        file.has(&if home.is_empty() { name.to_owned() } else { format!("{home}/{name}") })
    };
    let is_export =
        beside("users.json") && people::CHANNEL_LISTS.iter().any(|(list, _)| beside(list));
    is_export.then(|| Claim::in_folder(home))
}

/// The other files of an export.
fn beside(name: &str) -> Option<Companion> {
    let is_log = name == "integration_logs.json";
    is_log.then_some(Companion::Known("which integrations were installed"))
}

/// What a file of the export holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Users,
    Channels,
    Day,
}

impl Kind {
    /// By the file's name; a file of another name is no part of an export.
    fn find(name: &str) -> Option<Self> {
        if file_of(name) == "users.json" {
            return Some(Self::Users);
        }
        if people::is_channel_list(name) {
            return Some(Self::Channels);
        }
        is_day(name).then_some(Self::Day)
    }
}

/// Visits the objects of one kind of file. A file that is given alone comes whatever its name is, in
/// each round: it is read in one, as a day when no name tells.
fn each_of(
    kind: Kind,
    export: &Export,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(&str, JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    let wanted = |name: &str| Kind::find(name) == Some(kind);
    export.each(sink, &wanted, &mut |name, reader, sink| {
        if Kind::find(name).unwrap_or(Kind::Day) != kind {
            return Ok(());
        }
        objects(reader, sink, &mut |object, sink| visit(name, object, sink))
    })
}

fn file_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

fn folder_of(name: &str) -> &str {
    name.rsplit('/').nth(1).unwrap_or_default()
}

/// `general/2026-01-05.json`
fn is_day(name: &str) -> bool {
    let day = file_of(name).strip_suffix(".json");
    !folder_of(name).is_empty()
        && day.is_some_and(|day| day.len() == 10 && pdpp_contract::Instant::parse(day).is_some())
}

fn put_message(folder: &str, message: &JsonObject, people: &People, sink: &mut Sink<'_>) -> Flow {
    let (channel_id, channel_name) = people.channel(folder);
    let ts = lenient::text(message, "ts").map_or_else(
        || content_key(&[Json::Object(message.clone()).to_canonical().as_bytes()]),
        str::to_owned,
    );
    let id = format!("{channel_id}:{ts}");
    let Some(sent_at) = lenient::epoch(&ts) else {
        let why = "the message has no time (ts)";
        let item = Json::Object(message.clone()).to_canonical();
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
    };
    let thread = lenient::text(message, "thread_ts");
    let user_id = lenient::text(message, "user").or(lenient::text(message, "bot_id"));
    let user_name = user_id.and_then(|id| people.name(id));
    let files: Vec<&JsonObject> = lenient::objects(message, "files").collect();
    let edited = lenient::object(message, "edited");
    let data = RecordFields::default()
        .text("id", &*id)
        .text("channel_id", channel_id)
        .text("channel_name", channel_name)
        .maybe("user_id", user_id)
        .maybe("user_name", user_name.or(lenient::text(message, "username")))
        .text("sent_at", &*sent_at)
        .text("text", message_text(message, people))
        .maybe("thread_id", thread.map(|thread| format!("{channel_id}:{thread}")))
        .flag("is_reply", thread.is_some_and(|thread| thread != ts))
        .number("reply_count", lenient::whole(message, "reply_count").unwrap_or(0))
        .text("kind", lenient::text(message, "subtype").unwrap_or("message"))
        .texts("reactions", lenient::objects(message, "reactions").filter_map(reaction))
        .maybe("edited_at", edited.and_then(|edited| lenient::time(edited, "ts")))
        .count("file_count", files.len());
    sink.record("messages", &id, data)?;
    for (number, file) in files.into_iter().enumerate() {
        put_file(&id, &sent_at, number, file, sink)?;
    }
    Ok(())
}

fn reaction(reaction: &JsonObject) -> Option<String> {
    let count = lenient::whole(reaction, "count").unwrap_or(1);
    Some(format!(":{}: {count}", lenient::text(reaction, "name")?))
}

/// The text, and what unfurled links and bots put beside it.
fn message_text(message: &JsonObject, people: &People) -> String {
    let mut words = vec![plain(lenient::text(message, "text").unwrap_or_default(), people)];
    for beside in lenient::objects(message, "attachments") {
        for name in ["pretext", "title", "text"] {
            words.extend(lenient::text(beside, name).map(|text| plain(text, people)));
        }
    }
    words.retain(|text| !text.is_empty());
    words.join("\n")
}

fn put_file(
    message_id: &str,
    sent_at: &str,
    number: usize,
    file: &JsonObject,
    sink: &mut Sink<'_>,
) -> Flow {
    let id = format!("{message_id}:{}", number + 1);
    let mut data = RecordFields::default()
        .text("id", &*id)
        .maybe("file_id", lenient::text(file, "id"))
        .text("message_id", message_id)
        .text("name", lenient::text(file, "name").unwrap_or("file"))
        .maybe("title", lenient::text(file, "title"))
        .maybe("mime_type", lenient::text(file, "mimetype"))
        .text("sent_at", sent_at);
    if let Some(size_bytes) = lenient::whole(file, "size") {
        data = data.number("size_bytes", size_bytes);
    }
    sink.record("files", &id, data)
}
