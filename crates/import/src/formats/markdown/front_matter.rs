//! The block between `---` lines at the beginning of a note.

use pdpp_contract::{Json, JsonObject};

use super::yaml;

/// Longest front matter that is read as such.
const MAX_BYTES: usize = 256 * 1024;

/// The front matter and the text behind it. A block that is no mapping belongs to the text.
pub fn split(text: &str) -> (JsonObject, &str) {
    find(text).unwrap_or_else(|| (JsonObject::new(), text))
}

fn find(text: &str) -> Option<(JsonObject, &str)> {
    let first = text.split_inclusive('\n').next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut end = first.len();
    for line in text.get(end..)?.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let block = text.get(first.len()..end)?;
            let rest = text.get(end + line.len()..)?;
            let members =
                if block.trim().is_empty() { JsonObject::new() } else { yaml::mapping(block)? };
            return Some((members, rest));
        }
        end += line.len();
        if end > MAX_BYTES {
            return None;
        }
    }
    None
}

/// Takes the first of these members that there is, whatever the case of its name.
pub fn take(members: &mut JsonObject, names: &[&str]) -> Option<Json> {
    let found = names.iter().find_map(|name| {
        members.keys().find(|key| key.trim().eq_ignore_ascii_case(name)).cloned()
    })?;
    members.remove(&found)
}

/// A list of words: a list, or one text with spaces or commas between them.
pub fn words(value: Option<Json>, separators: &[char]) -> Vec<String> {
    let items = match value {
        Some(Json::Array(items)) => items,
        Some(Json::String(text)) => {
            text.split(separators).map(|word| Json::String(word.trim().to_owned())).collect()
        }
        Some(number @ Json::Number(_)) => vec![number],
        _ => Vec::new(),
    };
    let texts = items.into_iter().filter_map(|item| match item {
        Json::String(text) | Json::Number(text) => Some(text),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}
