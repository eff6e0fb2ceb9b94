//! Records as the few lines of an example.

use pdpp_contract::json::JsonObject;
use pdpp_contract::record::Record;
use pdpp_contract::{Instant, Json};
use pdpp_engine::owned::{OwnedField, OwnedStream};

use crate::pages::plain;
use crate::pages::times::Times;

/// Longest value of an example.
const MAX_VALUE_CHARS: usize = 140;
/// Fields shown of one record.
const MAX_CELLS: usize = 8;

/// One field of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleCell {
    pub label: String,
    pub value: String,
}

/// One record of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRow {
    pub cells: Vec<SampleCell>,
    /// The fields that are seen too and found no room, by name.
    pub more: String,
}

impl SampleRow {
    /// The record as far as there is room.
    pub fn of(record: &Record, stream: &OwnedStream, times: &Times) -> Self {
        Self::with(cells(record, stream, times))
    }

    fn with(mut cells: Vec<SampleCell>) -> Self {
        let rest = cells.split_off(cells.len().min(MAX_CELLS));
        let labels: Vec<String> = rest.into_iter().map(|cell| cell.label).collect();
        Self { cells, more: plain::listed(&labels) }
    }
}

/// A record field by field, in the declaration's order; what only names it comes last, because
/// nobody reads that.
fn cells(record: &Record, stream: &OwnedStream, times: &Times) -> Vec<SampleCell> {
    let Some(data) = &record.data else { return Vec::new() };
    let mut fields: Vec<&OwnedField> = stream.fields.iter().collect();
    fields.sort_by_key(|field| only_names(field));
    fields.into_iter().filter_map(|field| cell(data, field.name.as_str(), times)).collect()
}

fn only_names(field: &OwnedField) -> bool {
    field.is_key || field.name.as_str().ends_with("_id")
}

/// One field, unless it holds nothing.
pub fn cell(data: &JsonObject, name: &str, times: &Times) -> Option<SampleCell> {
    let value = value(data.get(name)?, times)?;
    Some(SampleCell { label: plain::words(name), value })
}

/// A record in one line: its first readable values.
pub fn headline(record: &Record, stream: &OwnedStream, times: &Times) -> String {
    let cells = cells(record, stream, times);
    let values = cells.iter().take(3).map(|cell| plain::line(&cell.value, 60));
    values.collect::<Vec<_>>().join(" · ")
}

fn value(value: &Json, times: &Times) -> Option<String> {
    let text = match value {
        Json::Null => return None,
        Json::String(text) => match Instant::parse(text) {
            Some(at) if text.len() > 10 => return Some(times.moment(at.timestamp()).text),
            _ => text.clone(),
        },
        Json::Array(items) => {
            let items = items.iter().filter_map(|item| self::value(item, times));
            items.collect::<Vec<_>>().join(", ")
        }
        other => other.to_canonical(),
    };
    let line = plain::line(&text, MAX_VALUE_CHARS);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_find_no_room_are_named() {
        let cell =
            |number: usize| SampleCell { label: format!("Field {number}"), value: "x".to_owned() };
        let full = SampleRow::with((1..=MAX_CELLS).map(cell).collect());
        assert_eq!((full.cells.len(), full.more.as_str()), (MAX_CELLS, ""));
        let more = SampleRow::with((1..=MAX_CELLS + 2).map(cell).collect());
        assert_eq!((more.cells.len(), more.more.as_str()), (MAX_CELLS, "Field 9 and Field 10"));
    }
}
