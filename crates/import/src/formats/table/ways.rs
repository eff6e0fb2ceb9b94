//! Which ways of writing fit every cell of a column.

use serde_json::{Value, json};

use super::written::{CellStyle, StyledValue, WAYS};

/// Words in the headings of columns that hold days, in small letters. Only such a column is taken for
/// serial days: they look like any number.
const DAY_WORDS: [&str; 7] = ["date", "datum", "fecha", "day", "tag", "jour", "valuta"];

/// What was seen of one way of writing.
#[derive(Debug, Clone, Copy, Default)]
struct WaySeen {
    failed: bool,
    /// Whole numbers, or days without a time.
    plain: bool,
    /// Numbers with decimals, or days with a time.
    precise: bool,
}

/// The ways that fit all cells so far.
#[derive(Debug, Clone, Default)]
pub struct ColumnWays {
    ways: [WaySeen; 6],
    /// Slashes without leading zeros, as in `9/3/26`.
    bare_slashes: bool,
}

impl ColumnWays {
    /// Looks at a cell that is not empty.
    pub fn see(&mut self, cell: &str) {
        for (seen, way) in self.ways.iter_mut().zip(WAYS) {
            if seen.failed {
                continue;
            }
            match way.read(cell) {
                None => seen.failed = true,
                Some(StyledValue::Number(digits)) if digits.contains('.') => seen.precise = true,
                Some(StyledValue::Number(_) | StyledValue::Day(_)) => seen.plain = true,
                Some(StyledValue::Moment(_)) => seen.precise = true,
            }
        }
        self.bare_slashes |=
            cell.contains('/') && cell.split(['/', ' ']).take(2).any(|part| part.len() == 1);
    }

    /// The way in which the column is written, as a schema that names it. Of several that fit, months
    /// come first only where people write so; and three digits behind a comma are thousands.
    pub fn schema(&self, heading: &str, is_number: bool) -> Option<Value> {
        let fits = |way: CellStyle| self.seen(way).is_some_and(|seen| !seen.failed && seen.any());
        let heading = heading.to_lowercase();
        if is_number {
            let holds_days = DAY_WORDS.iter().any(|word| heading.contains(word));
            let serial = holds_days && fits(CellStyle::SerialDay);
            return serial.then(|| self.described(CellStyle::SerialDay)).flatten();
        }
        let order = if self.bare_slashes {
            [CellStyle::MonthFirst, CellStyle::DayFirst]
        } else {
            [CellStyle::DayFirst, CellStyle::MonthFirst]
        };
        let numbers = [CellStyle::DecimalPoint, CellStyle::DecimalComma];
        let ways = numbers.into_iter().chain(order).chain([CellStyle::YearFirst]);
        ways.into_iter().find(|way| fits(*way)).and_then(|way| self.described(way))
    }

    /// Whole numbers whose points group thousands, if the rest of the table has decimal commas.
    pub fn grouped_by_points(&self) -> Option<Value> {
        let seen = self.seen(CellStyle::DecimalComma)?;
        (!seen.failed && seen.plain && !seen.precise)
            .then(|| self.described(CellStyle::DecimalComma))?
    }

    fn described(&self, way: CellStyle) -> Option<Value> {
        let seen = self.seen(way)?;
        let is_number = matches!(way, CellStyle::DecimalComma | CellStyle::DecimalPoint);
        let name = way.name();
        match (is_number, seen.plain, seen.precise) {
            (true, _, true) => Some(json!({"type": "number", "written_as": name})),
            (true, _, false) => Some(json!({"type": "integer", "written_as": name})),
            (false, true, false) => {
                Some(json!({"type": "string", "format": "date", "written_as": name}))
            }
            (false, false, true) => {
                Some(json!({"type": "string", "format": "date-time", "written_as": name}))
            }
            // Days with and without a time have no type in common, as with other dates; serial days do.
            (false, _, _) if way == CellStyle::SerialDay => {
                Some(json!({"type": "string", "format": "date-time", "written_as": name}))
            }
            (false, _, _) => None,
        }
    }

    fn seen(&self, wanted: CellStyle) -> Option<&WaySeen> {
        WAYS.iter().zip(&self.ways).find(|(way, _)| **way == wanted).map(|(_, seen)| seen)
    }
}

impl WaySeen {
    fn any(self) -> bool {
        self.plain || self.precise
    }
}
