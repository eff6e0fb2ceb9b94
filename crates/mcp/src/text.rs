//! The text view: whole lines within a budget, shared fairly between rows.

/// Bytes of a text with rows.
pub(crate) const TEXT_BYTES: usize = 1_800;
/// What a row gets beside its handle before another row is shown.
const ROW_BYTES: usize = 44;

/// A text that never grows beyond its budget, except for what must stand in it.
pub(crate) struct Text {
    out: String,
    budget: usize,
}

impl Text {
    pub(crate) fn new(budget: usize) -> Self {
        Self { out: String::new(), budget }
    }

    /// A line that must be there: handles and counts.
    pub(crate) fn must(&mut self, line: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(line);
    }

    /// A line, if it fits.
    pub(crate) fn line(&mut self, line: &str) -> bool {
        let fits = line.len() < self.left();
        if fits {
            self.must(line);
        }
        fits
    }

    /// Bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.budget.saturating_sub(self.out.len())
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// A row: its handle, which stays whole, and words about it, as many as fit.
pub(crate) struct Row {
    pub head: String,
    /// Each word with a form to fall back to when it does not fit.
    pub words: Vec<String>,
}

/// How many rows fit into so many bytes, and what each may use beyond its head.
pub(crate) fn share(rows: &[Row], bytes: usize) -> (usize, usize) {
    let mut used = 0;
    let mut count = 0;
    for row in rows {
        let cost = row.head.len() + 1 + row.natural().min(ROW_BYTES);
        if used + cost > bytes {
            break;
        }
        used += cost;
        count += 1;
    }
    let heads: usize = rows.iter().take(count).map(|row| row.head.len() + 1).sum();
    (count, bytes.saturating_sub(heads))
}

impl Row {
    fn natural(&self) -> usize {
        self.words.iter().map(|word| word.len() + 1).sum()
    }
}

/// The lines of the first rows, the bytes beyond their heads shared so that no row starves another.
pub(crate) fn lines(rows: &[Row], count: usize, mut spare: usize) -> Vec<String> {
    let rows = rows.get(..count).unwrap_or(rows);
    // Short rows first: what they leave over belongs to the long ones.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| rows.get(at).map_or(0, Row::natural));
    let mut allowance = vec![0; rows.len()];
    for (done, at) in order.into_iter().enumerate() {
        let each = spare / (rows.len() - done).max(1);
        let natural = rows.get(at).map_or(0, Row::natural);
        let given = natural.min(each);
        spare -= given;
        if let Some(slot) = allowance.get_mut(at) {
            *slot = given;
        }
    }
    rows.iter().zip(allowance).map(|(row, bytes)| line(row, bytes)).collect()
}

/// One row within its allowance; words that do not fit are clipped or counted.
fn line(row: &Row, bytes: usize) -> String {
    let mut out = row.head.clone();
    let end = out.len() + bytes;
    for (at, word) in row.words.iter().enumerate() {
        let left = row.words.len() - at;
        // Room for the note that says how many words are missing.
        let note = if left > 1 { 12 } else { 0 };
        if out.len() + 1 + word.len() + note <= end {
            out.push(' ');
            out.push_str(word);
            continue;
        }
        let mut missing = left;
        if let Some(clipped) =
            clipped(word, (end.saturating_sub(out.len())).saturating_sub(1 + note))
        {
            out.push(' ');
            out.push_str(&clipped);
            missing -= 1;
        }
        let note = format!(" +{missing} more");
        if missing > 0 && out.len() + note.len() <= end {
            out.push_str(&note);
        }
        break;
    }
    out
}

/// `name="text"` cut inside its quotes; what follows the quotes stays.
fn clipped(word: &str, bytes: usize) -> Option<String> {
    let open = word.find('"')? + 1;
    let close = word.rfind('"').filter(|&close| close >= open)?;
    let (before, after) = (word.get(..open)?, word.get(close..)?);
    let room = bytes.checked_sub(before.len() + after.len() + '…'.len_utf8())?;
    if room < 8 {
        return None;
    }
    let mut inside = String::new();
    for c in word.get(open..close)?.chars() {
        if inside.len() + c.len_utf8() > room {
            break;
        }
        inside.push(c);
    }
    // A highlight that lost its end gets one; one that was cut in two goes.
    if let Some(at) = inside.rfind('<')
        && !inside.get(at..)?.contains('>')
    {
        inside.truncate(at);
    }
    if inside.matches("<mark>").count() > inside.matches("</mark>").count() {
        let at = inside.rfind("<mark>")?;
        inside.truncate(at);
    }
    let kept = inside.trim_end().trim_end_matches('…').len();
    inside.truncate(kept);
    Some(format!("{before}{inside}…{after}"))
}
