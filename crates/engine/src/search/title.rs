//! A human title from a record's visible fields.

use pdpp_contract::one_line::flat;
use pdpp_contract::{Json, JsonObject};

/// Fields that name a record, in the order they are asked.
const TITLE_FIELDS: &[&str] = &["title", "subject", "name", "headline", "summary"];
/// Longest title, in characters.
const TITLE_CHARS: usize = 120;

/// The title, when a visible field gives one.
pub(crate) fn of(data: &JsonObject) -> Option<String> {
    let named = TITLE_FIELDS.iter().filter_map(|name| data.get(*name).and_then(Json::as_str));
    let title = named.map(one_line).find(|title| !title.is_empty())?;
    if title.chars().count() <= TITLE_CHARS {
        return Some(title);
    }
    let cut: String = title.chars().take(TITLE_CHARS - 1).collect();
    Some(cut + "…")
}

fn one_line(text: &str) -> String {
    let line: String = flat(text).collect();
    line.trim_end().to_owned()
}
