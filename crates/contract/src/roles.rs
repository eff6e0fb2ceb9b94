//! What the fields of a stream are to a reader: which one names a record, who wrote it, when, and
//! where its text stands.

use crate::StreamDeclaration;
use crate::declaration::FieldKind;
use crate::json::{Json, JsonObject};
use crate::one_line::flat;

/// Fields that name a record, the best first.
pub const TITLES: [&str; 8] =
    ["title", "subject", "name", "headline", "summary", "filename", "file_name", "path"];
/// Fields that say who wrote or did something.
const AUTHORS: [&str; 12] = [
    "author",
    "from_name",
    "sender_name",
    "user_name",
    "author_name",
    "sender",
    "from",
    "from_address",
    "organizer",
    "artist",
    "user",
    "role",
];
/// Fields that say when something was written or happened.
pub const TIMES: [&str; 16] = [
    "sent_at",
    "authored_at",
    "created_at",
    "source_created_at",
    "posted_at",
    "occurred_at",
    "played_at",
    "start",
    "starts_at",
    "date",
    "day",
    "ordered_at",
    "timestamp",
    "time",
    "at",
    "updated_at",
];
/// Fields that hold what was written.
const BODIES: [&str; 13] = [
    "body_text",
    "body",
    "text",
    "content",
    "message",
    "description",
    "notes",
    "note",
    "comment",
    "transcript",
    "instructions",
    "snippet",
    "search_text",
];
/// Longest title, in characters.
const TITLE_CHARS: usize = 120;
/// Longest name of an author, in characters.
const AUTHOR_CHARS: usize = 60;

/// The fields in each role, the best first. A record uses the first one that it has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roles {
    /// Names the record.
    pub title: Vec<String>,
    /// Says who wrote it.
    pub author: Vec<String>,
    /// Says when it was written or happened.
    pub time: Vec<String>,
    /// Holds what was written.
    pub body: Vec<String>,
}

impl Roles {
    /// The roles of a declared stream: as the declaration says, else by names and types.
    pub fn of_stream(stream: &StreamDeclaration) -> Self {
        let names = stream.field_names();
        let kind = |name: &str| stream.field_kind(name);
        let is_text = |name: &str| kind(name) == Some(FieldKind::String);
        let is_time = |name: &str| kind(name).is_some_and(FieldKind::is_time);
        let mut roles = Self {
            title: known(&TITLES, is_text),
            author: known(&AUTHORS, is_text),
            ..Self::default()
        };
        let declared = stream.consent_time_field.iter().chain(&stream.cursor_field);
        let declared = declared.map(super::ids::FieldName::as_str).filter(|name| is_time(name));
        let others = names.iter().map(super::ids::FieldName::as_str).filter(|name| is_time(name));
        for name in declared
            .chain(TIMES.into_iter().filter(|name| kind(name).is_some_and(FieldKind::is_text)))
            .chain(others)
        {
            add(&mut roles.time, name);
        }
        let searched = stream.query.search.lexical_fields.iter().map(super::ids::FieldName::as_str);
        let is_key = |name: &str| stream.primary_key.iter().any(|key| key.as_str() == name);
        let named = BODIES.into_iter().filter(|name| is_text(name));
        for name in named.chain(searched.filter(|name| is_text(name) && !is_key(name))) {
            if roles.is_body_like(name) {
                add(&mut roles.body, name);
            }
        }
        roles
    }

    /// The roles of fields whose declaration is not known.
    pub fn of_data(data: &JsonObject) -> Self {
        let has = |name: &str| data.contains_key(name);
        Self {
            title: known(&TITLES, has),
            author: known(&AUTHORS, has),
            time: known(&TIMES, has),
            body: known(&BODIES, has),
        }
    }

    /// Whether a searched field holds text, and not a title, a name or a time.
    pub fn is_body_like(&self, field: &str) -> bool {
        let among = |names: &[String]| names.iter().any(|name| name == field);
        !among(&self.title) && !among(&self.author) && !among(&self.time)
    }

    /// The title of a record: its own, else its author and time.
    pub fn title(&self, data: &JsonObject) -> Option<String> {
        self.own_title(data).or_else(|| Some(by_author(&self.author(data)?, &self.time(data)?)))
    }

    /// What the record itself says it is called.
    pub fn own_title(&self, data: &JsonObject) -> Option<String> {
        self.title.iter().find_map(|name| line(data, name, TITLE_CHARS))
    }

    /// Who wrote a record.
    pub fn author(&self, data: &JsonObject) -> Option<String> {
        self.author.iter().find_map(|name| line(data, name, AUTHOR_CHARS))
    }

    /// When a record was written or what it is about happened.
    pub fn time(&self, data: &JsonObject) -> Option<String> {
        self.time.iter().find_map(|name| line(data, name, AUTHOR_CHARS))
    }
}

/// The title of something that has none of its own.
pub fn by_author(author: &str, time: &str) -> String {
    format!("{author}, {time}")
}

fn known(names: &[&str], has: impl Fn(&str) -> bool) -> Vec<String> {
    names.iter().filter(|name| has(name)).map(|name| (*name).to_owned()).collect()
}

fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// A filled field on one line.
fn line(data: &JsonObject, name: &str, max_chars: usize) -> Option<String> {
    let text: String = flat(data.get(name).and_then(Json::as_str)?).take(max_chars + 1).collect();
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    if text.chars().count() <= max_chars {
        return Some(text.to_owned());
    }
    let cut: String = text.chars().take(max_chars - 1).collect();
    Some(cut + "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(fields: &[(&str, &str)]) -> JsonObject {
        let fields = fields.iter();
        fields.map(|(name, text)| ((*name).to_owned(), Json::String((*text).to_owned()))).collect()
    }

    #[test]
    fn a_record_is_called_by_its_title_its_file_or_its_author_and_time() {
        for (fields, title) in [
            (
                &[("subject", "Tiles"), ("from", "Ann"), ("sent_at", "2026-04-03")][..],
                Some("Tiles"),
            ),
            (
                &[("subject", " \n"), ("from", "Ann"), ("sent_at", "2026-04-03")],
                Some("Ann, 2026-04-03"),
            ),
            (&[("text", "hi"), ("filename", "a.pdf")], Some("a.pdf")),
            (&[("text", "hi"), ("from", "Ann")], None),
        ] {
            let data = data(fields);
            assert_eq!(Roles::of_data(&data).title(&data).as_deref(), title, "{fields:?}");
        }
    }

    #[test]
    fn a_declared_time_comes_before_one_with_a_usual_name() {
        let stream: StreamDeclaration = serde_json::from_value(serde_json::json!({
            "name": "visits", "semantics": "append_only", "primary_key": ["id"],
            "selection": {"fields": true, "resources": true}, "consent_time_field": "arrival",
            "schema": {"type": "object", "properties": {
                "id": {"type": "string"}, "name": {"type": "string"},
                "created_at": {"type": "string", "format": "date-time"},
                "arrival": {"type": "string", "format": "date-time"},
                "remark": {"type": "string"}, "description": {"type": "string"}}},
            "query": {"search": {"lexical_fields": ["id", "name", "remark"]}},
        }))
        .unwrap();
        let roles = Roles::of_stream(&stream);
        assert_eq!(roles.time, ["arrival", "created_at"]);
        assert_eq!(roles.body, ["description", "remark"]);
        assert_eq!(roles.title, ["name"]);
    }
}
