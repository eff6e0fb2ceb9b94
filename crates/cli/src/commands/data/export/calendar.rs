//! iCalendar: events and tasks. Each occurrence of a series is an event of its own.

use std::io::Write;

use pdpp_contract::Json;
use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::FieldText;
use super::property::{escaped, line, text, texts, utc_stamp};
use crate::failure::Failure;

/// Fields that an event or task carries.
pub const CARRIED: &[&str] = &[
    "id",
    "uid",
    "title",
    "description",
    "location",
    "starts_at",
    "ends_at",
    "due_at",
    "completed_at",
    "all_day",
    "status",
    "categories",
    "url",
    "created_at",
    "updated_at",
];

/// What stands before the first event.
pub const BEGIN: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//pdpp//export//EN\r\n";
/// What stands after the last one.
pub const END: &str = "END:VCALENDAR\r\n";

/// Writes one event or task.
pub async fn write(
    record: &Record,
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let is_task = record.data.as_ref().is_some_and(|data| data.contains_key("due_at"));
    let kind = if is_task || text(record, "starts_at").is_none() { "VTODO" } else { "VEVENT" };
    let of_series = text(record, "series_id").is_some() || text(record, "recurrence_id").is_some();
    let uid = text(record, "uid").filter(|_| !of_series).unwrap_or(record.id.as_str());
    let mut lines = line("BEGIN", kind) + &line("UID", &escaped(uid));
    let all_day =
        matches!(record.data.as_ref().and_then(|data| data.get("all_day")), Some(Json::Bool(true)));
    for (name, field) in [
        ("DTSTART", "starts_at"),
        ("DTEND", "ends_at"),
        ("DUE", "due_at"),
        ("COMPLETED", "completed_at"),
        ("CREATED", "created_at"),
        ("LAST-MODIFIED", "updated_at"),
    ] {
        let Some(at) = text(record, field) else {
            continue;
        };
        let day = at.get(..10).filter(|_| all_day && name.starts_with("DT"));
        match (day, utc_stamp(at)) {
            (Some(day), _) => {
                lines += &line(&format!("{name};VALUE=DATE"), &day.replace('-', ""));
            }
            (None, Some(at)) => lines += &line(name, &at),
            (None, None) => {}
        }
    }
    for (name, field) in
        [("SUMMARY", "title"), ("LOCATION", "location"), ("DESCRIPTION", "description")]
    {
        if let Some(value) = FieldText::of(reader, record, field) {
            lines += &line(name, &escaped(&value.whole().await?));
        }
    }
    if let Some(status) = text(record, "status") {
        lines += &line("STATUS", &escaped(&status.to_uppercase()));
    }
    if let Some(url) = text(record, "url") {
        lines += &line("URL", &url.replace(['\r', '\n'], ""));
    }
    let categories: Vec<String> = texts(record, "categories").into_iter().map(escaped).collect();
    if !categories.is_empty() {
        lines += &line("CATEGORIES", &categories.join(","));
    }
    lines += &line("END", kind);
    out.write_all(lines.as_bytes()).map_err(written)
}
