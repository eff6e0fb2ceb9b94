//! How many items a file holds, where counting is much cheaper than reading.

use std::io::{BufRead, BufReader, Read};

use super::candidate::{ListedFile, Listing};

/// Bytes that are read for counting in one survey. Beyond, sizes must do.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Longest line that is looked at as one.
const LINE_BYTES: u64 = 64 * 1024;

/// How the items of a format are counted.
#[derive(Debug, Clone, Copy)]
pub struct ItemCount {
    /// What is counted, as one and as many.
    pub what: (&'static str, &'static str),
    /// How.
    pub by: CountBy,
}

/// How items are counted.
#[derive(Debug, Clone, Copy)]
pub enum CountBy {
    /// Each file is one.
    Files,
    /// Each line that begins so is one.
    LinesThatBegin(&'static str),
    /// Each line that is not blank is one.
    Lines,
}

/// What may still be read for counting.
pub struct CountBudget(u64);

impl Default for CountBudget {
    fn default() -> Self {
        Self(MAX_BYTES)
    }
}

impl CountBudget {
    /// The items of a file; `None` when counting would cost too much or fails.
    pub fn count(
        &mut self,
        counts: ItemCount,
        file: &ListedFile,
        listing: &Listing<'_>,
    ) -> Option<u64> {
        let begins = match counts.by {
            CountBy::Files => return Some(1),
            CountBy::LinesThatBegin(begins) => begins,
            CountBy::Lines => "",
        };
        self.0 = self.0.checked_sub(file.size_bytes)?;
        listing.read(file, |content| lines(content, begins)).ok()
    }
}

fn lines(content: &mut dyn Read, begins: &str) -> std::io::Result<u64> {
    let mut reader = BufReader::new(content);
    let (mut line, mut count, mut at_start) = (Vec::new(), 0, true);
    loop {
        line.clear();
        if (&mut reader).take(LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(count);
        }
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        if at_start && !is_blank && line.starts_with(begins.as_bytes()) {
            count += 1;
        }
        at_start = line.last() == Some(&b'\n');
    }
}
