//! Who and where: people and channels of a workspace, by their ids.

use std::collections::HashMap;

use pdpp_contract::{Json, JsonObject};

use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};

/// The files that list channels, and what stands in them.
pub const CHANNEL_LISTS: [(&str, &str); 4] = [
    ("channels.json", "channel"),
    ("groups.json", "private"),
    ("mpims.json", "group"),
    ("dms.json", "direct"),
];

/// Whether a file lists channels.
pub fn is_channel_list(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    CHANNEL_LISTS.iter().any(|(list, _)| *list == file)
}

/// Names by id.
#[derive(Default)]
pub struct People {
    names: HashMap<String, String>,
    /// The folder of a channel leads to its id and its name.
    channels: HashMap<String, (String, String)>,
    channel_names: HashMap<String, String>,
}

impl People {
    /// What a person is called.
    pub fn name(&self, id: &str) -> Option<&str> {
        self.names.get(id).map(String::as_str)
    }

    /// What a channel is called.
    pub fn channel_name(&self, id: &str) -> Option<&str> {
        self.channel_names.get(id).map(String::as_str)
    }

    /// The id and name of the channel whose days are in this folder.
    pub fn channel<'a>(&'a self, folder: &'a str) -> (&'a str, &'a str) {
        match self.channels.get(folder) {
            Some((id, name)) => (id, name),
            None => (folder, folder),
        }
    }

    /// Puts a person.
    pub fn put_user(&mut self, user: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let profile = lenient::object(user, "profile").unwrap_or(user);
        let id = lenient::text(user, "id").unwrap_or_default();
        let full = lenient::text(profile, "real_name").or(lenient::text(user, "real_name"));
        let shown = lenient::text(profile, "display_name");
        let name = full.or(shown).or(lenient::text(user, "name")).unwrap_or(id);
        self.names.insert(id.to_owned(), shown.unwrap_or(name).to_owned());
        let data = RecordFields::default()
            .text("id", id)
            .text("name", name)
            .maybe("display_name", shown)
            .maybe("email", lenient::text(profile, "email"))
            .maybe("position", lenient::text(profile, "title"))
            .flag("is_bot", lenient::flag(user, "is_bot").unwrap_or(false))
            .flag("deleted", lenient::flag(user, "deleted").unwrap_or(false))
            .maybe("updated_at", lenient::time(user, "updated"));
        sink.record("users", id, data)
    }

    /// Puts a channel of the list `file`. People are known by now.
    pub fn put_channel(&mut self, file: &str, channel: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let kind = CHANNEL_LISTS.iter().find(|(list, _)| *list == file);
        let kind = kind.map_or("channel", |(_, kind)| *kind);
        let id = lenient::text(channel, "id").unwrap_or_default();
        let members: Vec<&str> =
            lenient::list(channel, "members").iter().filter_map(Json::as_str).collect();
        let names: Vec<&str> =
            members.iter().map(|member| self.name(member).unwrap_or(member)).collect();
        let own = lenient::text(channel, "name").filter(|_| matches!(kind, "channel" | "private"));
        let name = own.map_or_else(|| names.join(", "), str::to_owned);
        let folder = lenient::text(channel, "name").unwrap_or(id);
        let value =
            |part| lenient::object(channel, part).and_then(|part| lenient::text(part, "value"));
        let data = RecordFields::default()
            .text("id", id)
            .text("name", &*name)
            .text("kind", kind)
            .maybe("topic", value("topic"))
            .maybe("purpose", value("purpose"))
            .maybe("created_at", lenient::time(channel, "created"))
            .flag("archived", lenient::flag(channel, "is_archived").unwrap_or(false))
            .count("member_count", members.len());
        self.channels.insert(folder.to_owned(), (id.to_owned(), name.clone()));
        self.channel_names.insert(id.to_owned(), name);
        sink.record("channels", id, data)
    }
}
