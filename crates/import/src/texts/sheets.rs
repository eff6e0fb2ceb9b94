//! Tables of Excel and LibreOffice: a line for each row, cells apart by tabs.

use std::io::Cursor;

use calamine::{Data, Reader, open_workbook_auto_from_rs};

use super::TextRefused;
use super::limits::{MAX_CELLS, MAX_TEXT_BYTES};

/// All sheets, each under its name.
pub fn text(file: &[u8]) -> Result<String, TextRefused> {
    let mut book = open_workbook_auto_from_rs(Cursor::new(file)).map_err(|_| TextRefused)?;
    let mut text = String::new();
    let mut cells = 0;
    for name in book.sheet_names() {
        let Ok(range) = book.worksheet_range(&name) else { continue };
        if range.is_empty() {
            continue;
        }
        text.push_str(&name);
        text.push('\n');
        for row in range.rows() {
            cells += row.len();
            // One byte more than what is kept tells that there was more.
            if cells > MAX_CELLS || text.len() > MAX_TEXT_BYTES {
                return Ok(text);
            }
            let words: Vec<String> = row.iter().map(words).collect();
            text.push_str(words.join("\t").trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    Ok(text)
}

fn words(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        Data::DateTime(time) if time.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            match (hour, minute, second) {
                (0, 0, 0) => date,
                _ => format!("{date} {hour:02}:{minute:02}:{second:02}"),
            }
        }
        other => other.to_string().replace(['\n', '\t'], " "),
    }
}
