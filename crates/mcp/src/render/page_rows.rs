//! The rows of a page: the first ones readable, the others below them by source, as ids with as much
//! title as there is room for. Text and data hold the same rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::render::one_line::quoted;
use crate::render::text::{Row, line};

/// Bytes of a text with rows, unless more of them were asked for.
const TEXT_BYTES: usize = 1_800;
/// Rows for which that is meant.
const FEW_ROWS: usize = 5;
/// Bytes for each row beyond those.
const MORE_BYTES: usize = 300;
/// The most that a text with rows takes.
const MOST_BYTES: usize = 6_000;
/// A title of fewer bytes says nothing.
const LEAST_TITLE_BYTES: usize = 8;
/// What the title of a row that cannot be read gets before the others are made whole.
const TITLE_BYTES: usize = 18;
/// The most of a title in a row that is an id and a title.
const TITLE_CHARS: usize = 80;

/// Bytes of the text for a call with this limit.
pub(crate) fn text_bytes(limit: Option<u32>) -> usize {
    let rows = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(FEW_ROWS);
    (TEXT_BYTES + MORE_BYTES * rows.saturating_sub(FEW_ROWS)).min(MOST_BYTES)
}

/// A row of a page, which can be read or, where room is short, only be found.
pub(crate) struct PageRow {
    /// The whole of it.
    pub row: Row,
    /// The same with a shorter passage.
    pub short: Option<Row>,
    /// Bytes beyond its head with which it can be read.
    pub least: usize,
    /// Where it is from, as it stands above several.
    pub source: String,
    /// What it is called.
    pub title: Option<String>,
}

impl PageRow {
    /// Bytes beyond the head with which it can be read.
    fn least(&self) -> usize {
        self.least.min(self.row.natural())
    }

    /// How much of so much room a row takes, and in which form.
    fn within(&self, room: usize) -> (usize, bool) {
        let (whole, short) = (self.row.natural(), self.form(true).natural());
        if whole <= room { (whole, false) } else { (short.min(room), true) }
    }

    fn form(&self, short: bool) -> &Row {
        self.short.as_ref().filter(|_| short).unwrap_or(&self.row)
    }
}

/// How a page is shown.
pub(crate) struct PagePlan {
    /// Bytes beyond the head of each row that can be read, and whether its passage is the short one.
    readable: Vec<(usize, bool)>,
    /// Bytes that are left for titles of the others.
    spare: usize,
}

impl PagePlan {
    /// Lays a page out in so many bytes; `None` when not even its ids fit below a first row that can
    /// be read.
    pub(crate) fn new(rows: &[PageRow], bytes: usize) -> Option<Self> {
        let rest = rest_bytes(rows);
        let (mut used, mut count) = (0, 0);
        for (row, below) in rows.iter().zip(rest.iter().skip(1)) {
            let more = row.row.head.len() + 1 + row.least();
            if used + more + below > bytes {
                break;
            }
            used += more;
            count += 1;
        }
        if count == 0 && !rows.is_empty() {
            return None;
        }
        let below = rest.get(count).copied().unwrap_or_default();
        let mut spare = bytes.saturating_sub(used + below);
        // What is left makes the first rows whole; some of it is for titles of the others.
        let mut room = spare.saturating_sub(TITLE_BYTES * (rows.len() - count));
        let mut readable = Vec::with_capacity(count);
        for row in rows.iter().take(count) {
            let given = row.within(row.least() + room);
            let more = given.0.saturating_sub(row.least());
            (room, spare) = (room.saturating_sub(more), spare.saturating_sub(more));
            readable.push(given);
        }
        Some(Self { readable, spare })
    }

    /// How many rows of a page fit, the first one readable; at least one.
    pub(crate) fn fitting(rows: &[PageRow], bytes: usize) -> usize {
        let Some((first, others)) = rows.split_first() else { return 1 };
        let mut used = first.row.head.len() + 1 + first.least();
        let mut sources = BTreeSet::new();
        let fits = others.iter().take_while(|row| {
            used += row.row.head.len() + 1;
            if sources.insert(row.source.as_str()) {
                used += row.source.len() + 2;
            }
            used <= bytes
        });
        1 + fits.count()
    }

    /// What a page shows whose only row has no room to be read: as much of it as there is.
    pub(crate) fn of_one(row: &PageRow, bytes: usize) -> Self {
        let bytes = bytes.saturating_sub(row.row.head.len() + 1);
        Self { readable: vec![(bytes, bytes < row.row.natural())], spare: 0 }
    }

    /// Whether every row is shown whole.
    pub(crate) fn is_whole(&self, rows: &[PageRow]) -> bool {
        let whole = |(row, (bytes, _)): (&PageRow, &(usize, bool))| row.row.natural() <= *bytes;
        self.readable.len() == rows.len() && rows.iter().zip(&self.readable).all(whole)
    }

    /// The lines of the page.
    pub(crate) fn lines(&self, rows: &[PageRow]) -> Vec<String> {
        let shown = rows.iter().zip(&self.readable);
        let mut lines: Vec<String> =
            shown.map(|(row, (bytes, short))| line(row.form(*short), *bytes)).collect();
        let rest = rows.get(self.readable.len()..).unwrap_or_default();
        let mut sources: BTreeMap<&str, usize> = BTreeMap::new();
        let mut groups: Vec<(&str, Vec<&PageRow>)> = Vec::new();
        for row in rest {
            let at = *sources.entry(&row.source).or_insert(groups.len());
            match groups.get_mut(at) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((&row.source, vec![row])),
            }
        }
        let (mut spare, mut left) = (self.spare, rest.len());
        for (source, rows) in groups {
            lines.push(format!("{source}:"));
            for row in rows {
                let title = row.title.as_deref().and_then(|title| fitting(title, spare / left));
                let title = title.unwrap_or_default();
                spare -= title.len();
                left -= 1;
                lines.push(format!("{}{title}", row.row.head));
            }
        }
        lines
    }
}

/// Bytes of the rows from each place on as ids alone, with what stands above them.
fn rest_bytes(rows: &[PageRow]) -> Vec<usize> {
    let mut sources = BTreeSet::new();
    let mut bytes = vec![0];
    for row in rows.iter().rev() {
        let mut more = row.row.head.len() + 1;
        if sources.insert(row.source.as_str()) {
            more += row.source.len() + 2;
        }
        bytes.push(bytes.last().copied().unwrap_or_default() + more);
    }
    bytes.reverse();
    bytes
}

/// A title between quotes after a space, within so many bytes.
fn fitting(title: &str, bytes: usize) -> Option<String> {
    let whole = quoted(title, TITLE_CHARS);
    if whole.len() < bytes {
        return Some(format!(" {whole}"));
    }
    let room = bytes.checked_sub(3 + '…'.len_utf8()).filter(|room| *room >= LEAST_TITLE_BYTES)?;
    let inside = whole.get(1..whole.len() - 1)?;
    let kept = inside.get(..inside.floor_char_boundary(room))?.trim_end();
    Some(format!(" \"{kept}…\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(at: usize, source: &str, body: &str) -> PageRow {
        let words = vec![source.to_owned(), format!("body=\"{body}\"")];
        let row = Row { head: format!("{at}. id=cin_1/messages:m{at}"), words };
        let (least, title) = (row.natural().min(60), Some(format!("Letter {at}")));
        PageRow { row, short: None, least, source: source.to_owned(), title }
    }

    fn page() -> Vec<PageRow> {
        let source = |at: usize| if at.is_multiple_of(2) { "chat" } else { "mail" };
        (1..=8).map(|at| row(at, source(at), &"words ".repeat(20))).collect()
    }

    #[test]
    fn every_row_of_a_page_stands_in_the_text_and_the_first_ones_can_be_read() {
        let rows = page();
        for bytes in [300, 400, 600, 1_000, 3_000] {
            let plan = PagePlan::new(&rows, bytes).unwrap();
            let lines = plan.lines(&rows);
            let used: usize = lines.iter().map(|line| line.len() + 1).sum();
            assert!(used <= bytes, "{used} of {bytes}");
            for row in &rows {
                let found = lines.iter().filter(|line| line.starts_with(&row.row.head)).count();
                assert_eq!(found, 1, "{}: {lines:?}", row.row.head);
            }
            assert!(lines[0].contains("body=\"words words"), "{}", lines[0]);
        }
        let all = PagePlan::new(&rows, 3_000).unwrap();
        assert_eq!(all.lines(&rows).len(), 8, "nothing stands below");
    }

    #[test]
    fn rows_that_cannot_be_read_stand_under_their_source_with_their_title() {
        let rows = page();
        let below = |bytes: usize| -> Vec<String> {
            let lines = PagePlan::new(&rows, bytes).unwrap().lines(&rows);
            lines.into_iter().skip_while(|line| !line.ends_with(':')).collect()
        };
        let headings = below(560).iter().filter(|line| line.ends_with(':')).count();
        assert_eq!(headings, 2, "{:?}", below(560));
        let titled = |bytes: usize| below(bytes).iter().any(|line| line.contains(" \"Letter "));
        assert!((300..900).step_by(10).any(titled));
    }

    #[test]
    fn a_page_whose_ids_do_not_fit_is_made_smaller_and_never_empty() {
        let rows = page();
        assert!(PagePlan::new(&rows, 200).is_none());
        let fits = PagePlan::fitting(&rows, 200);
        assert!((1..8).contains(&fits));
        assert!(PagePlan::new(&rows[..fits], 200).is_some());
        assert_eq!(PagePlan::fitting(&rows, 10), 1);
    }

    #[test]
    fn the_text_grows_with_the_limit_up_to_its_most() {
        let bytes =
            [None, Some(1), Some(5), Some(6), Some(10), Some(19), Some(100)].map(text_bytes);
        assert_eq!(bytes, [1_800, 1_800, 1_800, 2_100, 3_300, 6_000, 6_000]);
    }
}
