//! Who and where: people and channels of a workspace, by their ids.

use std::collections::HashMap;

use pdpp_contract::{Json, JsonObject};

use crate::fields::Fields;
use crate::look;
use crate::sink::{Flow, Sink};

/// The files that list channels, and what stands in them.
const CHANNEL_LISTS: [(&str, &str); 4] = [
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
        let profile = look::object(user, "profile").unwrap_or(user);
        let id = look::text(user, "id").unwrap_or_default();
        let full = look::text(profile, "real_name").or(look::text(user, "real_name"));
        let shown = look::text(profile, "display_name");
        let name = full.or(shown).or(look::text(user, "name")).unwrap_or(id);
        self.names.insert(id.to_owned(), shown.unwrap_or(name).to_owned());
        let data = Fields::default()
            .text("id", id)
            .text("name", name)
            .maybe("display_name", shown)
            .maybe("email", look::text(profile, "email"))
            .maybe("position", look::text(profile, "title"))
            .flag("is_bot", look::flag(user, "is_bot").unwrap_or(false))
            .flag("deleted", look::flag(user, "deleted").unwrap_or(false))
            .maybe("updated_at", look::time(user, "updated"));
        sink.record("users", id, data)
    }

    /// Puts a channel of the list `file`. People are known by now.
    pub fn put_channel(&mut self, file: &str, channel: &JsonObject, sink: &mut Sink<'_>) -> Flow {
        let kind = CHANNEL_LISTS.iter().find(|(list, _)| *list == file);
        let kind = kind.map_or("channel", |(_, kind)| *kind);
        let id = look::text(channel, "id").unwrap_or_default();
        let members: Vec<&str> =
            look::list(channel, "members").iter().filter_map(Json::as_str).collect();
        let names: Vec<&str> =
            members.iter().map(|member| self.name(member).unwrap_or(member)).collect();
        let own = look::text(channel, "name").filter(|_| matches!(kind, "channel" | "private"));
        let name = own.map_or_else(|| names.join(", "), str::to_owned);
        let folder = look::text(channel, "name").unwrap_or(id);
        let value = |part| look::object(channel, part).and_then(|part| look::text(part, "value"));
        let data = Fields::default()
            .text("id", id)
            .text("name", &*name)
            .text("kind", kind)
            .maybe("topic", value("topic"))
            .maybe("purpose", value("purpose"))
            .maybe("created_at", look::time(channel, "created"))
            .flag("archived", look::flag(channel, "is_archived").unwrap_or(false))
            .count("member_count", members.len());
        self.channels.insert(folder.to_owned(), (id.to_owned(), name.clone()));
        self.channel_names.insert(id.to_owned(), name);
        sink.record("channels", id, data)
    }
}
