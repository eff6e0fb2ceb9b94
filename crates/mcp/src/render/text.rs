//! The text view: whole lines within a budget, shared fairly between rows.

use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK};

/// Bytes of a text with rows.
pub(crate) const TEXT_BYTES: usize = 1_800;
/// What a row gets beside its handle before another row is shown: some of a title, and a time.
pub(crate) const ROW_BYTES: usize = 72;
/// What a clipped word shows at least, and at most for the sake of its highlight.
const LEAST_BYTES: usize = 12;
const MOST_MARKED_BYTES: usize = 64;

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

/// Bytes of rows that are shown whole.
pub(crate) fn natural(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.head.len() + 1 + row.natural()).sum()
}

/// How many rows fit into so many bytes, each with so many beyond its head if it needs them, and what
/// all of them may use beyond their heads.
pub(crate) fn share(rows: &[Row], bytes: usize, each: usize) -> (usize, usize) {
    let mut used = 0;
    let mut count = 0;
    for row in rows {
        let cost = row.head.len() + 1 + row.natural().min(each);
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

/// One row within its allowance: as many words as can say something, the longest ones clipped alike.
fn line(row: &Row, bytes: usize) -> String {
    let mut out = row.head.clone();
    if row.natural() <= bytes {
        row.words.iter().for_each(|word| out.extend([" ", word]));
        return out;
    }
    let (kept, mut spare) = keep(&row.words, bytes);
    let words = row.words.get(..kept).unwrap_or_default();
    // Those that lack little get it all; what they leave belongs to the others.
    let mut order: Vec<usize> = (0..kept).collect();
    let lacks = |at: usize| words.get(at).map_or(0, |word| word.len() - least(word));
    order.sort_by_key(|&at| lacks(at));
    let mut given = vec![0; kept];
    for (done, at) in order.into_iter().enumerate() {
        let more = lacks(at).min(spare / (kept - done).max(1));
        spare -= more;
        if let Some(slot) = given.get_mut(at) {
            *slot = more;
        }
    }
    for (word, more) in words.iter().zip(given) {
        let room = least(word) + more;
        let clip = (room < word.len()).then(|| clipped(word, room)).flatten();
        out.extend([" ", clip.as_deref().unwrap_or(word)]);
    }
    let missing = row.words.len() - kept;
    let note = format!(" +{missing} more");
    if missing > 0 && out.len() + note.len() <= row.head.len() + bytes {
        out.push_str(&note);
    }
    out
}

/// How many of the words have room, clipped if need be, and the bytes that are left over.
fn keep(words: &[String], bytes: usize) -> (usize, usize) {
    let (mut kept, mut used) = (0, 0);
    for word in words {
        let more = used + 1 + least(word);
        if more + note_bytes(words.len() - kept - 1) > bytes {
            break;
        }
        (kept, used) = (kept + 1, more);
    }
    (kept, bytes.saturating_sub(used + note_bytes(words.len() - kept)))
}

/// Room for the note that says how many words are missing.
fn note_bytes(missing: usize) -> usize {
    if missing > 0 { 9 + missing.ilog10() as usize } else { 0 }
}

/// The fewest bytes in which a word still says something: the beginning of what it quotes, up to
/// its highlight.
fn least(word: &str) -> usize {
    let Some((open, close)) = quotes(word) else { return word.len() };
    let inside = word.get(open..close).unwrap_or_default();
    let wanted = inside.find(CLOSE_MARK).map_or(LEAST_BYTES, |at| at + CLOSE_MARK.len());
    let frame = word.len() - inside.len();
    word.len().min(frame + wanted.min(MOST_MARKED_BYTES) + '…'.len_utf8())
}

/// Where the quoted part of a word begins and ends.
fn quotes(word: &str) -> Option<(usize, usize)> {
    let open = word.find('"')? + 1;
    let close = word.rfind('"').filter(|&close| close >= open)?;
    Some((open, close))
}

/// `name="text"` cut inside its quotes; what follows the quotes stays.
fn clipped(word: &str, bytes: usize) -> Option<String> {
    let (open, close) = quotes(word)?;
    let (before, after) = (word.get(..open)?, word.get(close..)?);
    let room = bytes.checked_sub(before.len() + after.len() + '…'.len_utf8())?;
    let whole = word.get(open..close)?;
    let mut inside = whole.get(..whole.floor_char_boundary(room))?.to_owned();
    // A highlight that lost its end gets one; one that was cut in two goes.
    if let Some(at) = inside.rfind('<')
        && !inside.get(at..)?.contains('>')
    {
        inside.truncate(at);
    }
    if inside.matches(OPEN_MARK).count() > inside.matches(CLOSE_MARK).count() {
        let at = inside.rfind(OPEN_MARK)?;
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
            line(&row, 56),
            "1. id=r_1 subject=\"a letter with a lo…\" sent_at=2026-01-05 to=x"
        );
        assert_eq!(line(&row, 44), "1. id=r_1 subject=\"a letter with a long…\" +2 more");
        assert_eq!(line(&row, 40), "1. id=r_1 subject=\"a letter with a l…\" +2 more");
        assert_eq!(line(&row, 0), "1. id=r_1");
    }

    #[test]
    fn what_fits_is_never_clipped() {
        let row = row(&["day=2026-04-01", "txt=\"zebra words\"", "x=y"]);
        let whole = "1. id=r_1 day=2026-04-01 txt=\"zebra words\" x=y";
        assert_eq!(line(&row, whole.len() - row.head.len()), whole);
        assert!(line(&row, whole.len() - row.head.len() - 1).ends_with(" more"));
    }

    #[test]
    fn a_clipped_row_keeps_its_highlight_and_something_of_each_word() {
        let snippet = format!("snippet=\"…to the <mark>boiler</mark> {}\"", "and ".repeat(20));
        let row =
            row(&["source=\"Work mail of the office\"", "title=\"About the boiler\"", &snippet]);
        assert_eq!(
            line(&row, 92),
            "1. id=r_1 source=\"Work mail of…\" title=\"About the bo…\" snippet=\"…to the <mark>boiler</mark>…\""
        );
    }

    #[test]
    fn rows_share_what_they_do_not_need() {
        let rows = [row(&["a=1"]), row(&["b=\"a long word that wants more than its part\""])];
        let (count, spare) = share(&rows, 90, ROW_BYTES);
        assert_eq!(count, 2);
        let lines = lines(&rows, count, spare);
        assert_eq!(lines.first().map(String::as_str), Some("1. id=r_1 a=1"));
        assert!(lines.iter().map(|line| line.len() + 1).sum::<usize>() <= 90, "{lines:?}");
    }
}
