//! A record's fields: short ones in a list, long text apart, as far as there is room.

use pdpp_contract::json::JsonObject;
use pdpp_contract::record::Record;
use pdpp_contract::{Instant, Json};
use pdpp_engine::owned::OwnedStream;

use crate::pages::address::escaped;
use crate::pages::plain;
use crate::pages::times::{Times, When};

/// Longer text stands apart from the list of fields.
const SHORT_CHARS: usize = 200;
/// Values of one field that are listed; the others are counted.
const MAX_ITEMS: usize = 50;

/// One field in the list.
pub struct FieldRow {
    pub label: String,
    pub name: String,
    pub value: FieldValue,
}

/// What stands there.
pub enum FieldValue {
    Text(String),
    At(When),
    /// An address that the owner may follow.
    Link(String),
}

/// A long text, or the beginning of one.
pub struct TextField {
    pub label: String,
    pub text: String,
    /// The whole length, when this is only its beginning.
    pub whole: Option<String>,
    /// The query that opens what follows, behind the record's own.
    pub read_on: Option<String>,
}

/// The fields of a record.
#[derive(Default)]
pub struct FieldRows {
    pub rows: Vec<FieldRow>,
    pub texts: Vec<TextField>,
    /// Fields that hold nothing, by name.
    pub empty: String,
}

impl FieldRows {
    /// Sorts the fields of a record. Files are shown elsewhere.
    pub fn of(record: &Record, stream: &OwnedStream, times: &Times) -> Self {
        let mut fields = Self::default();
        let Some(data) = &record.data else { return fields };
        let mut empty = Vec::new();
        for name in stream.fields.iter().map(|field| field.name.as_str()) {
            let label = plain::first_upper(&plain::words(name));
            if !fields.add(record, data, name, label.clone(), times) {
                empty.push(plain::words(name));
            }
        }
        fields.empty = plain::listed(&empty);
        fields
    }

    /// Whether the field holds something.
    fn add(
        &mut self,
        record: &Record,
        data: &JsonObject,
        name: &str,
        label: String,
        times: &Times,
    ) -> bool {
        let Some(value) = data.get(name).filter(|value| !is_empty(value)) else { return false };
        if !pdpp_contract::blob::BlobId::named_by(value).is_empty() {
            return true;
        }
        let preview = record.previews.iter().find(|preview| preview.field == name);
        let text = written(value);
        if preview.is_some() || is_long(&text) {
            let whole = preview
                .map(|preview| plain::counted(preview.size_chars, "character", "characters"));
            let read_on = preview
                .map(|preview| format!("field={}&offset={}", escaped(name), preview.preview_chars));
            self.texts.push(TextField { label, text: plain::paragraphs(&text), whole, read_on });
            return true;
        }
        let value = match value {
            Json::String(text) if text.len() > 10 => match Instant::parse(text) {
                Some(at) => FieldValue::At(times.moment(at.timestamp())),
                None if is_address(text) => FieldValue::Link(text.clone()),
                None => FieldValue::Text(plain::line(text, SHORT_CHARS)),
            },
            _ => FieldValue::Text(plain::line(&text, SHORT_CHARS + 1)),
        };
        self.rows.push(FieldRow { label, name: name.to_owned(), value });
        true
    }
}

fn is_long(text: &str) -> bool {
    text.chars().nth(SHORT_CHARS).is_some() || text.trim_end().contains('\n')
}

/// An address in the web, and nothing else a browser would run.
fn is_address(text: &str) -> bool {
    let web = text.starts_with("https://") || text.starts_with("http://");
    web && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A value as people write it: a list one below the other when its items are long.
fn written(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            let mut shown: Vec<String> = items.iter().take(MAX_ITEMS).map(written).collect();
            if items.len() > MAX_ITEMS {
                shown.push(format!("{} more", items.len() - MAX_ITEMS));
            }
            let apart = shown.iter().any(|item| item.chars().count() > 40);
            shown.join(if apart { "\n" } else { ", " })
        }
        Json::Object(members) => {
            let members = members.iter().filter(|(_, value)| !is_empty(value));
            let members =
                members.map(|(name, value)| format!("{}: {}", plain::words(name), written(value)));
            members.collect::<Vec<_>>().join(", ")
        }
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        other => other.to_canonical(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_people_write_them() {
        let text = |json: &str| written(&Json::parse(json).unwrap());
        assert_eq!(text("[\"a\",\"b\"]"), "a, b");
        assert_eq!(text("{\"first_name\":\"Ann\",\"none\":null}"), "first name: Ann");
        assert_eq!(text("true"), "yes");
        assert_eq!(text("12.50"), "12.50");
    }

    #[test]
    fn only_addresses_in_the_web_become_links() {
        assert!(is_address("https://a.example/b?c=d"));
        for other in ["javascript:alert(1)", "https://a b", "data:text/html,x", "ftp://a"] {
            assert!(!is_address(other), "{other}");
        }
    }
}
