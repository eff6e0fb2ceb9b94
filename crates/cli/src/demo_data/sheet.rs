//! Sheets: hand-written tables in plain text. A line `@ a | b | c` opens an entry, what follows is its body.

/// One entry of a sheet.
pub struct Entry<'a> {
    cells: Vec<&'a str>,
    /// The lines under the head, without the blank lines around them.
    pub body: String,
}

impl<'a> Entry<'a> {
    /// The cell at that place; empty when the head is shorter.
    pub fn cell(&self, place: usize) -> &'a str {
        self.cells.get(place).copied().unwrap_or_default()
    }

    /// The cell, unless it is empty or a lone `-`.
    pub fn given(&self, place: usize) -> Option<&'a str> {
        Some(self.cell(place)).filter(|cell| !matches!(*cell, "" | "-"))
    }

    /// A comma-separated cell.
    pub fn list(&self, place: usize) -> Vec<&'a str> {
        self.cell(place).split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
    }
}

/// Reads a sheet; lines before the first head are its remarks.
pub fn entries(sheet: &str) -> Vec<Entry<'_>> {
    let mut found: Vec<Entry<'_>> = Vec::new();
    for text in sheet.lines() {
        if let Some(head) = text.strip_prefix("@ ") {
            found.push(Entry { cells: row(head), body: String::new() });
        } else if let Some(entry) = found.last_mut() {
            entry.body.push_str(text);
            entry.body.push('\n');
        }
    }
    for entry in &mut found {
        entry.body = entry.body.trim_matches('\n').to_owned();
    }
    found
}

/// The cells of one line.
pub fn row(text: &str) -> Vec<&str> {
    text.split(" | ").map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_sheet_is_heads_and_bodies() {
        let found = super::entries("remark\n@ a | - | x, y\n\none\n\ntwo\n\n@ b\n");
        let first: Vec<_> =
            found.iter().map(|one| (one.cell(0), one.given(1), one.list(2))).collect();
        assert_eq!(first, [("a", None, vec!["x", "y"]), ("b", None, vec![])]);
        assert_eq!(found.first().map(|one| one.body.as_str()), Some("one\n\ntwo"));
    }
}
