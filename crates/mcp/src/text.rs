//! The text view: whole lines within a budget, shared fairly between rows.

/// Bytes of a text with rows.
pub(crate) const TEXT_BYTES: usize = 1_800;
/// What a row gets beside its handle before another row is shown: some of a title, and a time.
const ROW_BYTES: usize = 72;
/// A bare word up to this long keeps its place behind a long one that is clipped for it.
const SHORT_WORD_BYTES: usize = 40;

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
    order.sort_by_cached_key(|&at| rows.get(at).map_or(0, Row::natural));
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
        let next = row.words.get(at + 1).filter(|next| is_short(next));
        let both = next.map(|next| word.len() + 1 + next.len());
        let room = |words| end.saturating_sub(out.len() + 1 + note_bytes(left - words));
        if both.map_or(word.len() <= room(1), |both| both <= room(2)) {
            out.push(' ');
            out.push_str(word);
            continue;
        }
        let mut missing = left;
        let beside = next
            .and_then(|next| Some((clipped(word, room(2).checked_sub(next.len() + 1)?)?, next)));
        if let Some((clipped, next)) = beside {
            out.push_str(&format!(" {clipped} {next}"));
            missing -= 2;
        } else if word.len() <= room(1) {
            out.push(' ');
            out.push_str(word);
            continue;
        } else if let Some(clipped) = clipped(word, room(1)) {
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

/// Room for the note that says how many words are missing.
fn note_bytes(missing: usize) -> usize {
    if missing > 0 { 12 } else { 0 }
}

fn is_short(word: &str) -> bool {
    word.len() <= SHORT_WORD_BYTES && !word.contains('"')
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
    let whole = word.get(open..close)?;
    let mut inside = whole.get(..whole.floor_char_boundary(room))?.to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(words: &[&str]) -> Row {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Row { head: "1. id=r_1".to_owned(), words }
    }

    #[test]
    fn a_time_keeps_its_place_behind_a_title_that_is_clipped() {
        let row = row(&["subject=\"a letter with a long name\"", "sent_at=2026-01-05", "to=x"]);
        assert_eq!(
            line(&row, 60),
            "1. id=r_1 subject=\"a letter with a…\" sent_at=2026-01-05 +1 more"
        );
        assert_eq!(line(&row, 40), "1. id=r_1 subject=\"a letter with…\" +2 more");
        assert_eq!(line(&row, 0), "1. id=r_1");
    }

    #[test]
    fn rows_share_what_they_do_not_need() {
        let rows = [row(&["a=1"]), row(&["b=\"a long word that wants more than its part\""])];
        let (count, spare) = share(&rows, 90);
        assert_eq!(count, 2);
        let lines = lines(&rows, count, spare);
        assert_eq!(lines.first().map(String::as_str), Some("1. id=r_1 a=1"));
        assert!(lines.iter().map(|line| line.len() + 1).sum::<usize>() <= 90, "{lines:?}");
    }
}
