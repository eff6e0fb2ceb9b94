//! A record as one line: what was asked for by name first, then when, who, what and its text, then the
//! rest.

use pdpp_contract::Json;
use pdpp_contract::record::Record;

use crate::ids::printed;
use crate::render::hit_row::READABLE_CHARS;
use crate::render::one_line::{one_line, push_line, push_quoted, quoted};
use crate::render::page_rows::PageRow;
use crate::render::preview::{Cut, Holds};
use crate::render::text::Row;
use crate::render::titles;

/// The longest name of a field.
const NAME_CHARS: usize = 128;
/// The most of one value in a line, and of one that was asked for or that is the record's text.
const VALUE_CHARS: usize = 160;
const TEXT_CHARS: usize = 300;
/// With as many bytes a row without a text says what its record is.
const LEAST_BYTES: usize = 200;

/// What a field is to the reader of a row, in the order of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Asked(usize),
    Time,
    Author,
    Title,
    Text,
    Other,
    Cut,
}

/// The row of a record; `asked` are the fields that the call names, `source` where it is from, if
/// the page does not say so once.
pub(crate) fn record_row(
    number: usize,
    id: &str,
    record: &Record,
    cuts: &[Cut],
    asked: &[String],
) -> PageRow {
    let head = format!("{number}. id={}", printed(id));
    let source = source(record);
    if record.deleted {
        let at = record.deleted_at.as_deref().unwrap_or("unknown");
        let row = Row { head, words: vec![format!("deleted_at={}", one_line(at, 40))] };
        return PageRow { least: row.natural(), row, short: None, source, title: None };
    }
    let places = Places::of(record, cuts, asked);
    let fields = record.data.iter().flatten();
    let filled = fields.filter(|(_, value)| !matches!(value, Json::Null));
    let told = filled.filter(|(_, value)| value.as_str() != Some(record.id.as_str()));
    let mut words: Vec<(Place, String)> = told
        .map(|(name, value)| {
            let cut = cuts.iter().find(|cut| cut.path == *name);
            let place = places.place(name, cut);
            (place, word(name, value, cut, place))
        })
        .collect();
    words.sort_by_key(|(place, _)| *place);
    let first = words.iter().filter(|(place, _)| *place < Place::Other);
    let first: usize = first.map(|(place, word)| 1 + readable(*place, word)).sum();
    let row = Row { head, words: words.into_iter().map(|(_, word)| word).collect() };
    let least = first.max(LEAST_BYTES).min(row.natural());
    PageRow { row, short: None, least, source, title: places.title }
}

/// Bytes of a word that a row must have room for.
fn readable(place: Place, word: &str) -> usize {
    if place != Place::Text {
        return word.len();
    }
    let frame = word.find('"').map_or(0, |at| at + 2);
    word.chars().take(frame + READABLE_CHARS).map(char::len_utf8).sum()
}

/// Which fields of a record are what to a reader.
struct Places<'a> {
    asked: &'a [String],
    time: Option<String>,
    author: Option<String>,
    named: Option<String>,
    text: Option<String>,
    title: Option<String>,
}

impl<'a> Places<'a> {
    fn of(record: &Record, cuts: &[Cut], asked: &'a [String]) -> Self {
        let roles = titles::roles(record);
        let value = |name: &String| record.data.as_ref()?.get(name);
        let text = |name: &&String| {
            value(name).and_then(Json::as_str).is_some_and(|text| !text.trim().is_empty())
        };
        let first = |names: &[String]| names.iter().find(text).cloned();
        let is_shown = |name: &&String| {
            let cut = cuts.iter().find(|cut| cut.path == **name);
            text(name) && cut.is_none_or(|cut| cut.holds == Holds::Text)
        };
        let body = roles.body.iter().find(is_shown).cloned();
        let data = record.data.clone().unwrap_or_default();
        let title = roles.own_title(&data).or_else(|| {
            let start = value(body.as_ref()?)?.as_str()?;
            Some(one_line(start, VALUE_CHARS))
        });
        Self {
            asked,
            time: first(&roles.time),
            author: first(&roles.author),
            named: first(&roles.title),
            text: body,
            title,
        }
    }

    fn place(&self, name: &str, cut: Option<&Cut>) -> Place {
        let is = |known: &Option<String>| known.as_deref() == Some(name);
        if let Some(at) = self.asked.iter().position(|asked| asked == name) {
            return Place::Asked(at);
        }
        match () {
            () if is(&self.text) => Place::Text,
            () if cut.is_some() => Place::Cut,
            () if is(&self.time) => Place::Time,
            () if is(&self.author) => Place::Author,
            () if is(&self.named) => Place::Title,
            () => Place::Other,
        }
    }
}

/// What the owner calls the account.
fn source(record: &Record) -> String {
    match &record.display_name {
        Some(name) => format!("{} {}", record.stream, quoted(name, 40)),
        None => record.stream.to_string(),
    }
}

/// `name=value`, and how much of it is missing. A name is whole: calls are written with it.
fn word(name: &str, value: &Json, cut: Option<&Cut>, place: Place) -> String {
    let most = match place {
        Place::Asked(_) | Place::Text => TEXT_CHARS,
        _ => VALUE_CHARS,
    };
    let mut word = String::with_capacity(name.len() + room(value));
    push_line(&mut word, name, NAME_CHARS);
    if word.contains(' ') {
        word = word.replace(' ', "_");
    }
    match cut {
        Some(cut) => word.push_str(&cut_value(value, cut, most)),
        None => {
            word.push('=');
            push_value(&mut word, value, most);
        }
    }
    word
}

/// Bytes that a value is likely to take.
fn room(value: &Json) -> usize {
    let text = match value {
        Json::String(text) | Json::Number(text) => text.len().min(VALUE_CHARS),
        Json::Array(_) | Json::Object(_) => VALUE_CHARS,
        Json::Null | Json::Bool(_) => 5,
    };
    text + 8
}

/// A value that is shown whole, as far as a line goes.
fn push_value(word: &mut String, value: &Json, most: usize) {
    match value {
        Json::String(text) if is_bare(text) => word.push_str(text),
        Json::String(text) => push_quoted(word, text, most),
        Json::Object(_) | Json::Array(_) => push_quoted(word, &value.to_canonical(), most),
        Json::Number(number) => push_line(word, number, 40),
        Json::Bool(_) | Json::Null => value.write_canonical(word),
    }
}

/// What is left of a value that is not, with the range that is shown.
fn cut_value(value: &Json, cut: &Cut, most: usize) -> String {
    match (cut.holds, value) {
        (Holds::Blob, _) => {
            let mime = cut.mime_type.as_deref().unwrap_or("unknown type");
            let size = cut.size_bytes.map_or(String::new(), |size| format!(" {size} bytes"));
            format!("=[binary {}{size}]", one_line(mime, 40))
        }
        (Holds::Encoded, _) => {
            format!("=[encoded, {} chars]", cut.size_chars.unwrap_or_default())
        }
        (Holds::Text | Holds::Json, Json::String(text)) => {
            let (shown, size) = (cut.shown_chars, cut.size_chars.unwrap_or_default());
            format!("@0-{shown}={}({size} chars)", quoted(text, most))
        }
        (Holds::Text | Holds::Json, _) => "=[cut]".to_owned(),
    }
}

/// A short plain word stands bare; everything else between quotes.
fn is_bare(text: &str) -> bool {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b':' | b'+' | b'@' | b'/')
    };
    !text.is_empty() && text.len() <= 40 && text.bytes().all(plain)
}
