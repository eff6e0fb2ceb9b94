//! A record as one line: what names it first, then when, then the rest, long text last.

use pdpp_contract::Json;
use pdpp_contract::record::Record;
use pdpp_contract::roles::{TIMES, TITLES};

use crate::ids::printed;
use crate::render::one_line::{one_line, push_line, push_quoted, quoted};
use crate::render::preview::{Cut, Holds};
use crate::render::text::Row;

/// The longest name of a field.
const NAME_CHARS: usize = 128;
/// The most of one value in a line.
const VALUE_CHARS: usize = 160;

/// The row of a record.
pub(crate) fn record_row(number: usize, id: &str, record: &Record, cuts: &[Cut]) -> Row {
    let head = format!("{number}. id={}", printed(id));
    if record.deleted {
        let at = record.deleted_at.as_deref().unwrap_or("unknown");
        return Row { head, words: vec![format!("deleted_at={}", one_line(at, 40))] };
    }
    let mut words: Vec<(usize, String)> = record
        .data
        .iter()
        .flatten()
        .filter(|(_, value)| !matches!(value, Json::Null))
        .filter(|(_, value)| value.as_str() != Some(record.id.as_str()))
        .map(|(name, value)| {
            let cut = cuts.iter().find(|cut| cut.path == *name);
            (class(name, cut), word(name, value, cut))
        })
        .collect();
    words.sort_by_key(|(class, _)| *class);
    Row { head, words: words.into_iter().map(|(_, word)| word).collect() }
}

fn class(name: &str, cut: Option<&Cut>) -> usize {
    if cut.is_some() {
        return 90;
    }
    if let Some(at) = TITLES.iter().position(|title| *title == name) {
        return at;
    }
    if let Some(at) = TIMES.iter().position(|time| *time == name) {
        return 10 + at;
    }
    50
}

/// `name=value`, and how much of it is missing. A name is whole: calls are written with it.
fn word(name: &str, value: &Json, cut: Option<&Cut>) -> String {
    let mut word = String::with_capacity(name.len() + room(value));
    push_line(&mut word, name, NAME_CHARS);
    if word.contains(' ') {
        word = word.replace(' ', "_");
    }
    word.push('=');
    match cut {
        Some(cut) => word.push_str(&cut_value(value, cut)),
        None => push_value(&mut word, value),
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
fn push_value(word: &mut String, value: &Json) {
    match value {
        Json::String(text) if is_bare(text) => word.push_str(text),
        Json::String(text) => push_quoted(word, text, VALUE_CHARS),
        Json::Object(_) | Json::Array(_) => push_quoted(word, &value.to_canonical(), VALUE_CHARS),
        Json::Number(number) => push_line(word, number, 40),
        Json::Bool(_) | Json::Null => value.write_canonical(word),
    }
}

/// What is left of a value that is not.
fn cut_value(value: &Json, cut: &Cut) -> String {
    match (cut.holds, value) {
        (Holds::Blob, _) => {
            let mime = cut.mime_type.as_deref().unwrap_or("unknown type");
            let size = cut.size_bytes.map_or(String::new(), |size| format!(" {size} bytes"));
            format!("[binary {}{size}]", one_line(mime, 40))
        }
        (Holds::Encoded, _) => {
            format!("[encoded, {} chars]", cut.size_chars.unwrap_or_default())
        }
        (Holds::Text | Holds::Json, Json::String(text)) => {
            let size = cut.size_chars.unwrap_or_default();
            format!("{}({size} chars)", quoted(text, VALUE_CHARS))
        }
        (Holds::Text | Holds::Json, _) => "[cut]".to_owned(),
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
