//! Tables for people: aligned columns, two spaces apart, nothing else.

pub use pdpp_contract::grouped::grouped;
use unicode_width::UnicodeWidthStr;

use crate::output::{Output, Style, plain};

/// A table under construction.
pub struct TextTable {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns. A head that begins with `#` is a number: its column is flush right.
    pub fn new(heads: &[&'static str]) -> Self {
        Self { heads: heads.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; cells beyond the last column are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells = cells.into_iter().take(self.heads.len());
        self.rows.push(cells.map(|cell| plain(&cell)).collect());
    }

    /// The finished text, one line per row.
    pub fn render(&self, output: &Output) -> String {
        let heads: Vec<String> =
            self.heads.iter().map(|head| head.trim_start_matches('#').to_uppercase()).collect();
        let widths = self.widths(&heads);
        let mut text = output.styled(Style::Faint, &self.line(&heads, &widths));
        for row in &self.rows {
            text.push('\n');
            text.push_str(&self.line(row, &widths));
        }
        text.push('\n');
        text
    }

    fn widths(&self, heads: &[String]) -> Vec<usize> {
        let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = width(cell).max(*widest);
            }
        }
        widths
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, wanted), head) in cells.iter().zip(widths).zip(&self.heads) {
            let padding = " ".repeat(wanted.saturating_sub(width(cell)));
            if !line.is_empty() {
                line.push_str("  ");
            }
            if head.starts_with('#') {
                line.push_str(&padding);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&padding);
            }
        }
        line.trim_end().to_owned()
    }
}

/// A time in a cell, to the second.
pub fn time_or_never(at: Option<jiff::Timestamp>) -> String {
    at.map_or_else(|| "never".to_owned(), |at| format!("{at:.0}"))
}

/// How many columns a terminal gives it: some characters take two, some none.
fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// `1 record`, `2 records`, `12,345 records`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_do_not_trail() {
        let mut table = TextTable::new(&["name", "#records", "source"]);
        table.row(["work-mail".into(), "1,204".into(), "gmail".into()]);
        table.row(["é\n".into(), "7".into(), String::new()]);
        let text = table.render(&Output::new(true, true));
        assert_eq!(
            text,
            "NAME       RECORDS  SOURCE\nwork-mail    1,204  gmail\né\u{fffd}               7\n"
        );
    }

    #[test]
    fn wide_characters_take_the_room_they_need() {
        let mut table = TextTable::new(&["name", "x"]);
        table.row(["日記".into(), "1".into()]);
        table.row(["🎈 talk".into(), "2".into()]);
        assert_eq!(table.render(&Output::new(true, true)), "NAME     X\n日記     1\n🎈 talk  2\n");
    }

    #[test]
    fn a_count_has_its_unit() {
        assert_eq!(counted(1, "record", "records"), "1 record");
        assert_eq!(counted(2_000, "record", "records"), "2,000 records");
    }
}
