//! Settings in TOML. A new table goes behind the last line and is cut out again by its lines, so
//! that no comment moves; values that changed are replaced where they stand.

use std::ops::Range;

use serde_json::{Map, Value, json};
use toml_edit::{Array, Document, DocumentMut, Item, Table, TableLike};

use super::edit::{BrokenSettings, SettingsChange, SettingsEdit, check_ours};

/// The text with a table of these members.
pub fn added(
    text: &str,
    container: &str,
    name: &str,
    members: &Map<String, Value>,
) -> Result<SettingsEdit, BrokenSettings> {
    let Some(found) = self::members(text, container, name)? else {
        let text = appended(text, container, name, members)?;
        return Ok(SettingsEdit { text, change: SettingsChange::Added });
    };
    check_ours(name, &found)?;
    let differs = |(key, wanted): &(&String, &Value)| found.get(key.as_str()) != Some(*wanted);
    let changed: Vec<(&String, &Value)> = members.iter().filter(differs).collect();
    if changed.is_empty() {
        return Ok(SettingsEdit { text: text.to_owned(), change: SettingsChange::Unchanged });
    }
    let text = updated(text, container, name, &changed)?;
    Ok(SettingsEdit { text, change: SettingsChange::Updated })
}

/// Puts values in the place of others: the spaces, comments and line ends around them stay.
fn updated(
    text: &str,
    container: &str,
    name: &str,
    changed: &[(&String, &Value)],
) -> Result<String, BrokenSettings> {
    let document = spanned(text)?;
    let entry = document.get(container).and_then(|servers| servers.get(name));
    let mut values: Vec<(Range<usize>, String)> = Vec::new();
    for (key, wanted) in changed {
        let found = entry.and_then(|entry| entry.get(key.as_str())?.span());
        // One of ours always has these; what a person took out of it is theirs to mend.
        let place =
            found.ok_or_else(|| BrokenSettings::Shape(format!("{key} is missing in {name}")))?;
        values.push((place, input(wanted).to_string()));
    }
    values.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    for (place, value) in values {
        text.replace_range(place, &value);
    }
    Ok(text)
}

/// The text without the table.
pub fn removed(text: &str, container: &str, name: &str) -> Result<SettingsEdit, BrokenSettings> {
    let Some(found) = members(text, container, name)? else {
        return Ok(SettingsEdit { text: text.to_owned(), change: SettingsChange::Absent });
    };
    check_ours(name, &found)?;
    let document = spanned(text)?;
    let servers = document.get(container);
    let table = servers.and_then(|servers| servers.get(name)?.as_table());
    let has_header = table.is_some_and(|table| !table.is_dotted() && !table.is_implicit());
    let text = match table.filter(|_| has_header) {
        Some(table) => cut(text, &lines_of(text, table)),
        // Written in one line, or by keys with dots: the editor knows how to take it out.
        None => {
            let mut document = editable(text)?;
            let servers = document.get_mut(container).and_then(Item::as_table_like_mut);
            servers.and_then(|servers| servers.remove(name));
            document.to_string()
        }
    };
    Ok(SettingsEdit { text, change: SettingsChange::Removed })
}

/// The members of an entry as they stand.
pub fn members(text: &str, container: &str, name: &str) -> Result<Option<Value>, BrokenSettings> {
    let document = spanned(text)?;
    let Some(servers) = servers(&document, container)? else { return Ok(None) };
    let Some(entry) = servers.get(name) else { return Ok(None) };
    let entry = entry.as_table_like().ok_or_else(|| no_table(name))?;
    Ok(Some(plain(entry)))
}

/// The names of all entries.
pub fn names(text: &str, container: &str) -> Result<Vec<String>, BrokenSettings> {
    let document = spanned(text)?;
    let Some(servers) = servers(&document, container)? else { return Ok(Vec::new()) };
    Ok(servers.iter().map(|(name, _)| name.to_owned()).collect())
}

/// The table that holds servers, when there is one.
fn servers<'a>(
    document: &'a Document<&str>,
    container: &str,
) -> Result<Option<&'a dyn TableLike>, BrokenSettings> {
    let Some(found) = document.get(container) else { return Ok(None) };
    found.as_table_like().map(Some).ok_or_else(|| no_table(container))
}

fn no_table(what: &str) -> BrokenSettings {
    BrokenSettings::Shape(format!("{what} is not a table"))
}

fn plain(entry: &dyn TableLike) -> Value {
    let member = |item: &Item| match item.as_value() {
        Some(toml_edit::Value::String(text)) => json!(text.value()),
        Some(toml_edit::Value::Boolean(on)) => json!(on.value()),
        Some(toml_edit::Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map_or(Value::Null, Value::from)).collect()
        }
        _ => Value::Null,
    };
    entry.iter().map(|(key, item)| (key.to_owned(), member(item))).collect()
}

/// A table behind everything else; where the servers stand in one line, among them.
fn appended(
    text: &str,
    container: &str,
    name: &str,
    members: &Map<String, Value>,
) -> Result<String, BrokenSettings> {
    let mut table = Table::new();
    for (key, value) in members {
        table.insert(key, Item::Value(input(value)));
    }
    let mut alone = DocumentMut::new();
    let mut servers = Table::new();
    servers.set_implicit(true);
    servers.insert(name, Item::Table(table.clone()));
    alone.insert(container, Item::Table(servers));
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = alone.to_string().replace('\n', end);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    let whole = format!("{text}{gap}{block}");
    if spanned(&whole).is_ok() {
        return Ok(whole);
    }
    let mut document = editable(text)?;
    let servers = document.get_mut(container).and_then(Item::as_table_like_mut);
    let servers = servers.ok_or_else(|| no_table(container))?;
    servers.insert(name, Item::Value(table.into_inline_table().into()));
    Ok(document.to_string())
}

/// The lines of a table and of the tables inside it, from first byte to the byte after the last.
fn lines_of(text: &str, table: &Table) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut own = table.span().map(|span| (span.start, span.end));
    for (_, item) in table {
        if let Item::Table(inner) = item
            && !inner.is_dotted()
        {
            found.extend(lines_of(text, inner));
        } else if let (Some((_, end)), Some(span)) = (&mut own, item.span()) {
            *end = span.end.max(*end);
        }
    }
    if let Some((start, end)) = own {
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |found| found + 1);
        let end = after.find('\n').map_or(text.len(), |found| end + found + 1);
        found.push((start, end));
    }
    found.sort_unstable();
    found
}

/// The text without these ranges, and without the empty line that stood before the last one.
fn cut(text: &str, ranges: &[(usize, usize)]) -> String {
    let mut kept = String::new();
    let mut from = 0;
    for (start, end) in ranges {
        kept.push_str(text.get(from..*start).unwrap_or_default());
        from = *end;
    }
    let rest = text.get(from..).unwrap_or_default();
    for empty in ["\r\n\r\n", "\n\n"] {
        if rest.trim().is_empty() && kept.ends_with(empty) {
            kept.truncate(kept.len() - empty.len() / 2);
        }
    }
    kept.push_str(rest);
    kept
}

fn spanned(text: &str) -> Result<Document<&str>, BrokenSettings> {
    Document::parse(text).map_err(|error| broken(text, &error))
}

fn editable(text: &str) -> Result<DocumentMut, BrokenSettings> {
    text.parse().map_err(|error| broken(text, &error))
}

fn broken(text: &str, error: &toml_edit::TomlError) -> BrokenSettings {
    let place = error.span().map_or(0, |span| span.start);
    let line = text.get(..place).unwrap_or_default().lines().count().max(1);
    // Its message alone: the whole error repeats the line, which may hold a secret.
    BrokenSettings::Syntax(format!("line {line}: {}", error.message()))
}

fn input(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(on) => (*on).into(),
        Value::Array(items) => {
            let mut array = Array::new();
            for item in items {
                array.push(item.as_str().unwrap_or_default());
            }
            array.into()
        }
        other => other.as_str().unwrap_or_default().into(),
    }
}
