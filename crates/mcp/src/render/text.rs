//! The text view: whole lines within a budget, shared fairly between rows.

use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK};

/// What a clipped word shows at least, and at most for the sake of its highlight.
const LEAST_BYTES: usize = 12;
const MOST_MARKED_BYTES: usize = 64;

/// A row: its handle, which stays whole, and words about it, as many as fit.
pub(crate) struct Row {
    pub head: String,
    /// Each word with a form to fall back to when it does not fit.
    pub words: Vec<String>,
}

impl Row {
    /// Bytes beyond the head when every word is whole.
    pub(crate) fn natural(&self) -> usize {
        self.words.iter().map(|word| word.len() + 1).sum()
    }
}

/// One row within its allowance: as many words as can say something, the longest ones clipped alike.
pub(crate) fn line(row: &Row, bytes: usize) -> String {
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
    let note = format!(" +{missing} fields");
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
    if missing > 0 { 10 + missing.ilog10() as usize } else { 0 }
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
        assert_eq!(line(&row, 44), "1. id=r_1 subject=\"a letter with a long…\" +2 fields");
        assert_eq!(line(&row, 40), "1. id=r_1 subject=\"a letter with a…\" +2 fields");
        assert_eq!(line(&row, 0), "1. id=r_1");
    }

    #[test]
    fn what_fits_is_never_clipped() {
        let row = row(&["day=2026-04-01", "txt=\"zebra words\"", "x=y"]);
        let whole = "1. id=r_1 day=2026-04-01 txt=\"zebra words\" x=y";
        assert_eq!(line(&row, whole.len() - row.head.len()), whole);
        assert!(line(&row, whole.len() - row.head.len() - 1).ends_with(" fields"));
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
}
