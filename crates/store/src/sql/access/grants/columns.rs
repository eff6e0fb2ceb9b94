//! Values in columns: times in one sortable form, and names that passed their check.

use std::str::FromStr;

use jiff::Timestamp;

use super::backend::errors::corrupt;
use crate::error::StoreResult;

/// A time with all nine fraction digits, so that text order is time order.
pub(crate) fn written(at: Timestamp) -> String {
    format!("{at:.9}")
}

/// Reads a checked value back. What no longer passes its check was changed behind our back.
pub(crate) fn cell<T: FromStr>(
    text: &str,
    table: &'static str,
    column: &'static str,
    row: i64,
) -> StoreResult<T> {
    text.parse().map_err(|_| corrupt(table, column, row))
}

/// The same for a column that may be empty.
pub(crate) fn optional_cell<T: FromStr>(
    text: Option<&str>,
    table: &'static str,
    column: &'static str,
    row: i64,
) -> StoreResult<Option<T>> {
    text.map(|text| cell(text, table, column, row)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_written_times_is_the_order_of_times() {
        let times = [
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.000000001Z",
            "2026-01-01T00:00:00.5Z",
            "2026-01-01T00:00:01Z",
        ];
        let times = times.map(|text| text.parse::<Timestamp>().unwrap());
        let texts = times.map(written);
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(texts[0], "2026-01-01T00:00:00.000000000Z");
        for (time, text) in times.into_iter().zip(&texts) {
            assert_eq!(cell::<Timestamp>(text, "t", "c", 1).unwrap(), time);
        }
    }
}
