//! Markdown: one file per record, its short fields at the top, its text below.

use std::io::Write;

use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::{FieldText, preview};
use crate::failure::Failure;

/// Longest part of a file's name that comes from the title, in characters.
const TITLE_CHARS: usize = 60;

/// The name of a record's file. The number keeps names apart.
pub fn file_name(record: &Record, number: u64) -> String {
    let words = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let title: String = title(record).chars().take(TITLE_CHARS).map(words).collect();
    let title: Vec<&str> = title.split_whitespace().collect();
    format!("{number:06} {}.md", title.join(" ")).replace(" .md", ".md")
}

fn title(record: &Record) -> String {
    let named = record.roles.as_ref().zip(record.data.as_ref());
    let title = named.and_then(|(roles, data)| roles.title(data));
    title.unwrap_or_else(|| record.id.to_string())
}

/// Writes one record. A JSON value is also a YAML value.
pub async fn write(
    record: &Record,
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let roles = record.roles.as_ref();
    let data = || record.data.iter().flatten();
    let has = |name: &&String| record.data.as_ref().is_some_and(|data| data.contains_key(*name));
    let body = roles.and_then(|roles| roles.body.iter().find(has));
    let long: Vec<&String> = data()
        .map(|(name, _)| name)
        .filter(|name| Some(*name) != body && preview(record, name).is_some())
        .collect();
    let mut head = "---\n".to_owned();
    for (name, value) in data().filter(|(name, _)| Some(*name) != body && !long.contains(name)) {
        pdpp_contract::json::write_string(name, &mut head);
        head.push_str(": ");
        value.write_canonical(&mut head);
        head.push('\n');
    }
    head.push_str(&format!("---\n\n# {}\n", title(record)));
    out.write_all(head.as_bytes()).map_err(written)?;
    for name in body.into_iter().chain(long) {
        let section = if Some(name) == body { "\n".to_owned() } else { format!("\n## {name}\n\n") };
        out.write_all(section.as_bytes()).map_err(written)?;
        let Some(mut text) = FieldText::of(reader, record, name) else {
            continue;
        };
        while let Some(piece) = text.next().await? {
            out.write_all(piece.as_bytes()).map_err(written)?;
        }
        out.write_all(b"\n").map_err(written)?;
    }
    Ok(())
}
