//! What a person would call a record: its own title, or where and when it is from.

use pdpp_contract::limits::MAX_DISPLAY_NAME_BYTES;
use pdpp_contract::{Json, JsonObject};

use crate::render::one_line::one_line;

/// Fields that name a record, the best first.
pub(crate) const TITLE_FIELDS: [&str; 4] = ["title", "name", "subject", "summary"];
/// Fields that say when something was written or happened, the best first.
pub(crate) const TIME_FIELDS: [&str; 10] = [
    "sent_at",
    "authored_at",
    "created_at",
    "source_created_at",
    "occurred_at",
    "start",
    "starts_at",
    "date",
    "ordered_at",
    "updated_at",
];
/// The longest title in data.
const TITLE_CHARS: usize = 160;

/// Where a record is from, for a title that it lacks.
pub(crate) struct Origin<'a> {
    pub display_name: Option<&'a str>,
    pub connector_key: Option<&'a str>,
    pub stream: &'a str,
    pub record_id: &'a str,
}

/// The title of a record from the fields that are shown.
pub(crate) fn of_record(data: &JsonObject, origin: &Origin<'_>) -> String {
    own_title(data).unwrap_or_else(|| {
        let time = TIME_FIELDS.iter().find_map(|name| filled(data, name));
        fallback(origin, time.as_deref())
    })
}

/// `label / stream / time`, or the record's id where no time is known.
pub(crate) fn fallback(origin: &Origin<'_>, time: Option<&str>) -> String {
    let label = origin.display_name.or(origin.connector_key);
    let last = time.unwrap_or(origin.record_id);
    let parts = label.into_iter().chain([origin.stream, last]).map(|part| one_line(part, 80));
    parts.collect::<Vec<_>>().join(" / ")
}

/// A title as one line.
pub(crate) fn clean(title: &str) -> Option<String> {
    let line = one_line(title, TITLE_CHARS);
    (!line.is_empty()).then_some(line)
}

/// What the owner calls a connection, as one line.
pub(crate) fn label(display_name: &str) -> Option<String> {
    let line = one_line(display_name, MAX_DISPLAY_NAME_BYTES);
    (!line.is_empty()).then_some(line)
}

fn own_title(data: &JsonObject) -> Option<String> {
    TITLE_FIELDS.iter().find_map(|name| clean(&filled(data, name)?))
}

fn filled(data: &JsonObject, name: &str) -> Option<String> {
    let text = data.get(name).and_then(Json::as_str)?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}
