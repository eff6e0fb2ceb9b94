//! What the values of a column have in common.

use pdpp_contract::{Instant, Json};
use serde_json::{Value, json};

/// Text longer than this is read, not grouped by.
const SHORT_CHARS: usize = 64;

/// The kind of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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

const KINDS: [Kind; 8] = [
    Kind::Bool,
    Kind::Integer,
    Kind::Number,
    Kind::Date,
    Kind::Time,
    Kind::Text,
    Kind::Object,
    Kind::List,
];

/// What was seen in a column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    seen: [bool; 8],
    /// Values that are missing or null.
    pub missing: bool,
    /// Whether null was written.
    pub null: bool,
    long: bool,
}

impl Column {
    /// Looks at a cell of text.
    pub fn see_cell(&mut self, cell: &str) {
        if cell.is_empty() {
            self.missing = true;
        } else {
            self.see(kind_of_cell(cell), cell);
        }
    }

    /// Looks at a JSON value.
    pub fn see_json(&mut self, value: &Json) {
        match value {
            Json::Null => {
                self.missing = true;
                self.null = true;
            }
            Json::Bool(_) => self.see(Kind::Bool, ""),
            Json::Number(digits) => {
                let whole = digits.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                self.see(if whole { Kind::Integer } else { Kind::Number }, "");
            }
            Json::String(text) => match Instant::parse(text) {
                Some(_) if text.len() == 10 => self.see(Kind::Date, text),
                Some(_) => self.see(Kind::Time, text),
                None => self.see(Kind::Text, text),
            },
            Json::Array(_) => self.see(Kind::List, ""),
            Json::Object(_) => self.see(Kind::Object, ""),
        }
    }

    fn see(&mut self, kind: Kind, text: &str) {
        for (seen, known) in self.seen.iter_mut().zip(KINDS) {
            *seen = *seen || known == kind;
        }
        self.long = self.long || text.chars().nth(SHORT_CHARS).is_some();
    }

    /// The one kind that fits every value; `None` when there is none.
    pub fn kind(&self) -> Option<Kind> {
        let seen: Vec<Kind> = KINDS
            .into_iter()
            .zip(self.seen)
            .filter(|(_, seen)| *seen)
            .map(|(kind, _)| kind)
            .collect();
        let texts = [Kind::Date, Kind::Time, Kind::Text];
        match seen.as_slice() {
            [] => Some(Kind::Text),
            [one] => Some(*one),
            [Kind::Integer, Kind::Number] => Some(Kind::Number),
            several if several.iter().all(|kind| texts.contains(kind)) => Some(Kind::Text),
            _ => None,
        }
    }

    /// Whether its texts are short enough to form groups.
    pub fn is_short(&self) -> bool {
        !self.long
    }

    /// The JSON Schema of the column. Cells of a file are text where no other kind fits all.
    #[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
    pub fn schema(&self, cells: bool) -> Value {
        let kind = self.kind().or(cells.then_some(Kind::Text));
        let (name, format) = match kind {
            Some(Kind::Bool) => ("boolean", None),
            Some(Kind::Integer) => ("integer", None),
            Some(Kind::Number) => ("number", None),
            Some(Kind::Date) => ("string", Some("date")),
            Some(Kind::Time) => ("string", Some("date-time")),
            Some(Kind::Text) => ("string", None),
            Some(Kind::Object) => ("object", None),
            Some(Kind::List) => ("array", None),
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

fn kind_of_cell(cell: &str) -> Kind {
    if cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false") {
        return Kind::Bool;
    }
    if is_number(cell) {
        return if cell.contains('.') { Kind::Number } else { Kind::Integer };
    }
    match Instant::parse(cell) {
        Some(_) if cell.len() == 10 => Kind::Date,
        Some(_) => Kind::Time,
        None if super::row::local_time(cell).is_some() => Kind::Time,
        None => Kind::Text,
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

    fn kind(cells: &[&str]) -> Option<Kind> {
        let mut column = Column::default();
        for cell in cells {
            column.see_cell(cell);
        }
        column.kind()
    }

    #[test]
    fn a_column_has_the_kind_that_fits_all() {
        assert_eq!(kind(&["1", "", "-22"]), Some(Kind::Integer));
        assert_eq!(kind(&["1", "2.50"]), Some(Kind::Number));
        assert_eq!(kind(&["1", "x"]), None);
        assert_eq!(kind(&["007"]), Some(Kind::Text));
        assert_eq!(kind(&["2026-01-02"]), Some(Kind::Date));
        assert_eq!(kind(&["2026-01-02 10:00", "2026-01-02T10:00:00Z"]), Some(Kind::Time));
        assert_eq!(kind(&["2026-01-02", "2026-01-02 10:00"]), Some(Kind::Text));
        assert_eq!(kind(&["TRUE", "false"]), Some(Kind::Bool));
        assert_eq!(kind(&[]), Some(Kind::Text));
    }
}
