//! Where the table stands in a file: encoding, separator, headings, and what is no row of it.

use std::collections::{HashMap, VecDeque};
use std::io;

use csv::StringRecord;
use encoding_rs::{Encoding, UTF_8};

use super::comma::is_table;
use super::encoding::detect_encoding;
use super::rows::rows;
use super::written::{CellStyle, StyledValue, WAYS};
use super::{names, scan};
use crate::export::Export;

/// Rows in which the headings are looked for.
const HEAD_ROWS: usize = 60;
/// Rows at the end that can be a footer.
const FOOTER_ROWS: usize = 5;
/// Fewest columns of a table around which a bank writes other things.
const MIN_WIDTH: usize = 3;

/// Parts of headings that tables of bank transactions have, one of each list.
const BANK_HEADINGS: [&[&str]; 3] = [
    &["date", "datum", "buchungstag", "fecha", "valuta"],
    &["amount", "betrag", "umsatz", "importe", "montant", "importo", "debit", "soll"],
    &["iban", "saldo", "balance", "verwendungszweck", "payee", "empfänger", "buchungstext", "bic"],
];

/// How one file is laid out.
#[derive(Debug, Clone)]
pub struct TableLayout {
    /// Its encoding.
    pub encoding: &'static Encoding,
    /// Rows above the headings.
    pub preamble: u64,
    /// The row, from 0, with which the footer begins.
    pub footer: Option<u64>,
    /// Rows of the footer.
    pub footer_rows: u64,
    /// The stream, where the headings say what the table is.
    pub kind: Option<&'static str>,
}

impl Default for TableLayout {
    fn default() -> Self {
        Self { encoding: UTF_8, preamble: 0, footer: None, footer_rows: 0, kind: None }
    }
}

/// The layouts of an export's files.
#[derive(Default)]
pub struct Layouts(HashMap<String, TableLayout>);

impl Layouts {
    /// Looks at every file: once for its encoding, once for its rows.
    pub fn of(export: &Export) -> io::Result<Self> {
        let mut found = Self::default();
        scan(|sink| {
            export.each(sink, &is_table, &mut |name, reader, sink| {
                // A file that cannot be read is rejected when its rows are.
                let encoding = detect_encoding(reader).unwrap_or(UTF_8);
                let layout = TableLayout { encoding, ..TableLayout::default() };
                found.0.insert(place(sink.root(), name), layout);
                Ok(())
            })
        })?;
        scan(|sink| {
            export.each(sink, &is_table, &mut |name, reader, sink| {
                let place = place(sink.root(), name);
                let encoded = found.0.get(&place).cloned().unwrap_or_default();
                let mut outline = Outline::default();
                rows(reader, &encoded, sink, &mut |row, _| {
                    outline.see(row);
                    Ok(())
                })?;
                found.0.insert(place, outline.layout(encoded.encoding));
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// The layout of a file.
    pub fn find(&self, root: &str, name: &str) -> TableLayout {
        self.0.get(&place(root, name)).cloned().unwrap_or_default()
    }
}

fn place(root: &str, name: &str) -> String {
    format!("{root}/{name}")
}

/// What the rows of a file look like from afar.
#[derive(Default)]
struct Outline {
    head: Vec<HeadRow>,
    /// Cells with content and whether one of them is a day, for the last rows.
    last: VecDeque<(usize, bool)>,
    count: u64,
    has_days: bool,
}

struct HeadRow {
    width: usize,
    filled: usize,
    /// Its cells, if each of them is a text of its own.
    headings: Option<Vec<String>>,
}

impl Outline {
    fn see(&mut self, row: &StringRecord) {
        let cells: Vec<&str> = row.iter().map(str::trim).collect();
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let width = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        let has_day = cells.iter().any(|cell| is_day(cell));
        self.has_days |= has_day;
        if self.head.len() < HEAD_ROWS {
            let is_plain = |cell: &&str| WAYS.iter().all(|way| way.read(cell).is_none());
            let is_heading = filled == width && cells.iter().take(width).all(is_plain);
            let headings = is_heading
                .then(|| cells.iter().take(width).map(|cell| names::plain(cell)).collect());
            self.head.push(HeadRow { width, filled, headings });
        }
        self.last.push_back((filled, has_day));
        if self.last.len() > FOOTER_ROWS {
            self.last.pop_front();
        }
        self.count += 1;
    }

    fn layout(&self, encoding: &'static Encoding) -> TableLayout {
        let width = self.usual_width();
        let begins = self.head.first().is_none_or(|first| first.filled * 2 > width);
        let fits = |row: &HeadRow| row.width == width && row.headings.is_some();
        let at = if begins || width < MIN_WIDTH { None } else { self.head.iter().position(fits) };
        let at = at.unwrap_or(0);
        let is_footer = |(filled, has_day): &&(usize, bool)| filled * 2 <= width && !has_day;
        let can_end = self.has_days && width >= MIN_WIDTH;
        let footer_rows =
            if can_end { self.last.iter().rev().take_while(is_footer).count() } else { 0 };
        let preamble = u64::try_from(at).unwrap_or(0);
        let footer_rows = u64::try_from(footer_rows).unwrap_or(0);
        let footer = self.count.checked_sub(footer_rows);
        let footer = footer.filter(|from| footer_rows > 0 && *from > preamble + 1);
        let headings = self.head.get(at).and_then(|row| row.headings.as_ref());
        let is_bank = headings.is_some_and(|headings| {
            BANK_HEADINGS.iter().all(|parts| {
                headings.iter().any(|heading| parts.iter().any(|part| heading.contains(part)))
            })
        });
        let footer_rows = if footer.is_some() { footer_rows } else { 0 };
        let kind = is_bank.then_some("transactions");
        TableLayout { encoding, preamble, footer, footer_rows, kind }
    }

    /// The width that most of the first rows have; of several, the largest.
    fn usual_width(&self) -> usize {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for row in &self.head {
            *counts.entry(row.width).or_default() += 1;
        }
        counts
            .into_iter()
            .max_by_key(|(width, count)| (*count, *width))
            .map_or(0, |(width, _)| width)
    }
}

fn is_day(cell: &str) -> bool {
    let ways = [CellStyle::DayFirst, CellStyle::MonthFirst, CellStyle::YearFirst];
    let is_day = |way: CellStyle| {
        matches!(way.read(cell), Some(StyledValue::Day(_) | StyledValue::Moment(_)))
    };
    ways.into_iter().any(is_day)
}
