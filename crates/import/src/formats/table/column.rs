//! What the values of a column have in common.

use pdpp_contract::{Instant, Json};
use serde_json::{Value, json};

use super::ways::ColumnWays;

/// Text longer than this is read, not grouped by.
const SHORT_CHARS: usize = 64;

/// The kind of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `true` or `false`
    Bool,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A day.
    Date,
    /// An instant.
    Time,
    /// Any text.
    Text,
    /// An object.
    Object,
    /// A list.
    List,
}

const KINDS: [ColumnKind; 8] = [
    ColumnKind::Bool,
    ColumnKind::Integer,
    ColumnKind::Number,
    ColumnKind::Date,
    ColumnKind::Time,
    ColumnKind::Text,
    ColumnKind::Object,
    ColumnKind::List,
];

/// What was seen in a column.
#[derive(Debug, Clone, Default)]
pub struct ColumnProfile {
    seen: [bool; 8],
    /// Values that are missing or null.
    pub missing: bool,
    /// Whether null was written.
    pub null: bool,
    long: bool,
    ways: ColumnWays,
}

impl ColumnProfile {
    /// Looks at a cell of text.
    pub fn see_cell(&mut self, cell: &str) {
        if cell.is_empty() {
            self.missing = true;
        } else {
            self.see(kind_of_cell(cell), cell);
            self.ways.see(cell);
        }
    }

    /// Looks at a JSON value.
    pub fn see_json(&mut self, value: &Json) {
        match value {
            Json::Null => {
                self.missing = true;
                self.null = true;
            }
            Json::Bool(_) => self.see(ColumnKind::Bool, ""),
            Json::Number(digits) => {
                let whole = digits.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                self.see(if whole { ColumnKind::Integer } else { ColumnKind::Number }, "");
            }
            Json::String(text) => match Instant::parse(text) {
                Some(_) if text.len() == 10 => self.see(ColumnKind::Date, text),
                Some(_) => self.see(ColumnKind::Time, text),
                None => self.see(ColumnKind::Text, text),
            },
            Json::Array(_) => self.see(ColumnKind::List, ""),
            Json::Object(_) => self.see(ColumnKind::Object, ""),
        }
    }

    fn see(&mut self, kind: ColumnKind, text: &str) {
        for (seen, known) in self.seen.iter_mut().zip(KINDS) {
            *seen = *seen || known == kind;
        }
        self.long = self.long || text.chars().nth(SHORT_CHARS).is_some();
    }

    /// The one kind that fits every value; `None` when there is none.
    pub fn kind(&self) -> Option<ColumnKind> {
        let seen: Vec<ColumnKind> = KINDS
            .into_iter()
            .zip(self.seen)
            .filter(|(_, seen)| *seen)
            .map(|(kind, _)| kind)
            .collect();
        let texts = [ColumnKind::Date, ColumnKind::Time, ColumnKind::Text];
        match seen.as_slice() {
            [] => Some(ColumnKind::Text),
            [one] => Some(*one),
            [ColumnKind::Integer, ColumnKind::Number] => Some(ColumnKind::Number),
            several if several.iter().all(|kind| texts.contains(kind)) => Some(ColumnKind::Text),
            _ => None,
        }
    }

    /// The JSON Schema of a column of cells: as they are, or by the way in which people write them.
    pub fn cell_schema(&self, heading: &str) -> Value {
        let plain = self.kind().unwrap_or(ColumnKind::Text);
        let is_number = matches!(plain, ColumnKind::Integer | ColumnKind::Number);
        let written = match plain {
            ColumnKind::Text | ColumnKind::Integer | ColumnKind::Number => {
                self.ways.schema(heading, is_number)
            }
            _ => None,
        };
        written.unwrap_or_else(|| self.schema(true))
    }

    /// The same in a table whose other numbers have decimal commas: `1.000` is a thousand there.
    pub fn grouped_schema(&self) -> Option<Value> {
        if self.kind() == Some(ColumnKind::Number) { self.ways.grouped_by_points() } else { None }
    }

    /// Whether its texts are short enough to form groups.
    pub fn is_short(&self) -> bool {
        !self.long
    }

    /// The JSON Schema of the column. Cells of a file are text where no other kind fits all.
    #[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
    pub fn schema(&self, cells: bool) -> Value {
        let kind = self.kind().or(cells.then_some(ColumnKind::Text));
        let (name, format) = match kind {
            Some(ColumnKind::Bool) => ("boolean", None),
            Some(ColumnKind::Integer) => ("integer", None),
            Some(ColumnKind::Number) => ("number", None),
            Some(ColumnKind::Date) => ("string", Some("date")),
            Some(ColumnKind::Time) => ("string", Some("date-time")),
            Some(ColumnKind::Text) => ("string", None),
            Some(ColumnKind::Object) => ("object", None),
            Some(ColumnKind::List) => ("array", None),
            None => return json!({}),
        };
        let mut schema = json!({ "type": name });
        if self.null {
            schema["type"] = json!([name, "null"]);
        }
        if let Some(format) = format {
            schema["format"] = json!(format);
        }
        schema
    }
}

fn kind_of_cell(cell: &str) -> ColumnKind {
    if cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false") {
        return ColumnKind::Bool;
    }
    if is_number(cell) {
        return if cell.contains('.') { ColumnKind::Number } else { ColumnKind::Integer };
    }
    match Instant::parse(cell) {
        Some(_) if cell.len() == 10 => ColumnKind::Date,
        Some(_) => ColumnKind::Time,
        None if super::row::local_time(cell).is_some() => ColumnKind::Time,
        None => ColumnKind::Text,
    }
}

/// A number as JSON writes it; `007` and `1e5` are text, or their spelling would be lost.
pub fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    all_digits(whole) && all_digits(fraction) && !leading_zero && digits.len() <= 30
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cells: &[&str]) -> Option<ColumnKind> {
        let mut column = ColumnProfile::default();
        for cell in cells {
            column.see_cell(cell);
        }
        column.kind()
    }

    #[test]
    fn a_column_has_the_kind_that_fits_all() {
        assert_eq!(kind(&["1", "", "-22"]), Some(ColumnKind::Integer));
        assert_eq!(kind(&["1", "2.50"]), Some(ColumnKind::Number));
        assert_eq!(kind(&["1", "x"]), None);
        assert_eq!(kind(&["007"]), Some(ColumnKind::Text));
        assert_eq!(kind(&["2026-01-02"]), Some(ColumnKind::Date));
        assert_eq!(kind(&["2026-01-02 10:00", "2026-01-02T10:00:00Z"]), Some(ColumnKind::Time));
        assert_eq!(kind(&["2026-01-02", "2026-01-02 10:00"]), Some(ColumnKind::Text));
        assert_eq!(kind(&["TRUE", "false"]), Some(ColumnKind::Bool));
        assert_eq!(kind(&[]), Some(ColumnKind::Text));
    }
}
