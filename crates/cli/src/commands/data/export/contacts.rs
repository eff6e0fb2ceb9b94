//! vCard: people and organisations.

use std::io::Write;

use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::FieldText;
use super::property::{escaped, line, text, texts, utc_stamp};
use crate::failure::Failure;

/// Fields that a card carries; `search_text` repeats others.
pub const CARRIED: &[&str] = &[
    "id",
    "uid",
    "name",
    "given_name",
    "family_name",
    "nickname",
    "organization",
    "position",
    "emails",
    "phones",
    "urls",
    "categories",
    "birthday",
    "note",
    "search_text",
    "updated_at",
];

/// Writes one card.
pub async fn write(
    record: &Record,
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let mut lines = line("BEGIN", "VCARD") + &line("VERSION", "3.0");
    let uid = text(record, "uid").unwrap_or(record.id.as_str());
    lines += &line("UID", &escaped(uid));
    let name = text(record, "name").unwrap_or(record.id.as_str());
    lines += &line("FN", &escaped(name));
    let part = |field: &str| text(record, field).map(escaped).unwrap_or_default();
    lines += &line("N", &format!("{};{};;;", part("family_name"), part("given_name")));
    for (property, field) in [
        ("NICKNAME", "nickname"),
        ("ORG", "organization"),
        ("TITLE", "position"),
        ("BDAY", "birthday"),
    ] {
        if let Some(value) = text(record, field) {
            lines += &line(property, &escaped(value));
        }
    }
    for (property, field) in [("EMAIL", "emails"), ("TEL", "phones"), ("URL", "urls")] {
        for value in texts(record, field) {
            lines += &line(property, &escaped(value));
        }
    }
    let categories: Vec<String> = texts(record, "categories").into_iter().map(escaped).collect();
    if !categories.is_empty() {
        lines += &line("CATEGORIES", &categories.join(","));
    }
    if let Some(note) = FieldText::of(reader, record, "note") {
        lines += &line("NOTE", &escaped(&note.whole().await?));
    }
    if let Some(at) = text(record, "updated_at").and_then(utc_stamp) {
        lines += &line("REV", &at);
    }
    lines += &line("END", "VCARD");
    out.write_all(lines.as_bytes()).map_err(written)
}
