//! The team chat of Sjömärke Labs: channels, users and messages with a compound key.

mod harbor;
mod standup;
mod talk;

use super::day::Day;
use super::line::{Object, record};
use super::{people, sheet};

const SYNCED_AT: &str = "2026-11-16T06:15:00Z";

struct Channel {
    id: &'static str,
    name: &'static str,
    topic: &'static str,
    created_on: &'static str,
    private: bool,
    lines: fn() -> Vec<String>,
}

const fn channel(
    id: &'static str,
    name: &'static str,
    topic: &'static str,
    lines: fn() -> Vec<String>,
) -> Channel {
    Channel { id, name, topic, created_on: "01-12", private: false, lines }
}

const CHANNELS: &[Channel] = &[
    Channel {
        created_on: "05-11",
        ..channel("C01HARBOR", "harbor-launch", "Live since 27 October 🚢", || {
            own(harbor::LAUNCH)
        })
    },
    Channel {
        created_on: "05-12",
        ..channel("C02TIDES", "harbor-tides", "Tables, zones, the moon", || own(harbor::TIDES))
    },
    Channel {
        created_on: "06-01",
        ..channel("C03PILOT", "pilot-ports", "What the ports tell us", || own(harbor::PILOTS))
    },
    channel("C04STAND", "standup", "Yesterday, today, in the way", standup::lines),
    channel("C05FIKA", "fika", "Buns and everything else ☕️", || own(talk::FIKA)),
    channel("C06SUPRT", "support", "Tickets that need a human", || own(talk::SUPPORT)),
    Channel {
        private: true,
        ..channel("C07LEADS", "leads", "Not for the whole room", || own(talk::LEADS))
    },
];

const USERS: &[(&str, &str, &str, &str)] = &[
    ("U01MAYA", "maya-work", "Product lead", "Europe/Stockholm"),
    ("U02SANA", "sana", "Engineering lead", "Europe/Stockholm"),
    ("U03HARU", "haruto", "Partner engineer, 日本", "Asia/Tokyo"),
    ("U04PRIY", "priya", "Design", "Europe/Stockholm"),
    ("U05OSKR", "oskar", "Sales and press", "Europe/Stockholm"),
    ("U06TOVE", "tove", "Managing director", "Europe/Stockholm"),
    ("U07BENO", "ben", "Support", "Europe/Lisbon"),
    ("U08ELIF", "elif", "Quality", "Europe/Stockholm"),
    ("U09ZOEM", "zoe", "Design, since 2 November", "Europe/Stockholm"),
    ("U10BUILD", "ci", "Builds", "UTC"),
];

/// Every record of the team chat.
pub fn records() -> Vec<String> {
    let mut lines: Vec<String> = USERS.iter().map(user_line).collect();
    for channel in CHANNELS {
        lines.push(channel_line(channel));
        lines.extend(messages(channel));
    }
    lines
}

fn own(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn user_line(user: &(&str, &str, &str, &str)) -> String {
    let (id, key, title, time_zone) = user;
    let person = people::find(key);
    let data = Object::default()
        .text("user_id", id)
        .text("name", key.trim_end_matches("-work"))
        .text("real_name", person.name)
        .text("title", title)
        .text("email", person.address)
        .text("time_zone", time_zone)
        .flag("is_bot", *key == "ci");
    record("users", &[id], &data, SYNCED_AT)
}

fn channel_line(channel: &Channel) -> String {
    let data = Object::default()
        .text("channel_id", channel.id)
        .text("name", channel.name)
        .text("topic", channel.topic)
        .flag("is_private", channel.private)
        .number("member_count", if channel.private { 3 } else { USERS.len() - 1 })
        .text("created_at", &Day::parse(channel.created_on).utc("09:00"));
    record("channels", &[channel.id], &data, SYNCED_AT)
}

/// Lines are `MM-DD HH:MM | who | text | reactions`; a text that starts with `> ` answers the message before.
fn messages(channel: &Channel) -> Vec<String> {
    let mut found = Vec::new();
    let mut root = String::new();
    for (number, text) in (0_i64..).zip((channel.lines)()) {
        let cells = sheet::row(&text);
        let [when, who, said, reactions @ ..] = &*cells else {
            continue;
        };
        let (day, time) = when.split_once(' ').unwrap_or((*when, "12:00"));
        let day = Day::parse(day);
        let ts = format!("{}.{:06}", day.unix(time), 100 + number * 37);
        let reply = said.strip_prefix("> ");
        if reply.is_none() {
            root.clone_from(&ts);
        }
        let data = Object::default()
            .text("channel_id", channel.id)
            .text("ts", &ts)
            .text("sent_at", &day.utc(time))
            .text("user_id", user_id(who))
            .text("text", reply.unwrap_or(said))
            .text_or_null("thread_ts", reply.map(|_| root.as_str()))
            .raw("reactions", &reactions_json(reactions.first().copied().unwrap_or_default()));
        found.push(record("messages", &[channel.id, &ts], &data, SYNCED_AT));
    }
    found
}

fn user_id(who: &str) -> &'static str {
    let known = USERS.iter().find(|user| user.1.trim_end_matches("-work") == who);
    known.map_or("U00GONE", |user| user.0)
}

/// `🎉3 👀1` becomes a list of emoji with their counts.
fn reactions_json(text: &str) -> String {
    let mut list = Vec::new();
    for part in text.split_whitespace() {
        let emoji = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let count = part.strip_prefix(emoji).unwrap_or("1");
        list.push(Object::default().text("emoji", emoji).number("count", count).json());
    }
    format!("[{}]", list.join(","))
}
