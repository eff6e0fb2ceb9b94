//! Stored text inside a line of ours: it cannot end the line, close its quotes, reorder what stands
//! beside it or hide in it.

pub(crate) use pdpp_contract::one_line::is_unsafe;
use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK, between_marks, flat};

/// The longest that a clip mark can be.
const ELLIPSIS: char = '…';

/// `1 hit`, `2 hits`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Text as one line: white space runs become one space, unsafe characters go, at most `max_chars`.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    push_line(&mut line, text, max_chars);
    line
}

/// The same between quotes, which the text itself cannot close.
pub(crate) fn quoted(text: &str, max_chars: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_chars) + 5);
    push_quoted(&mut line, text, max_chars);
    line
}

/// Appends text as one line.
pub(crate) fn push_line(out: &mut String, text: &str, max_chars: usize) {
    // Most of what is stored need not be looked at character by character.
    let seen = text.as_bytes().get(..=max_chars).unwrap_or(text.as_bytes());
    if !is_plain(seen) {
        return out.push_str(&clip(flat(text), max_chars));
    }
    let whole = text.len() <= max_chars;
    let kept = if whole { text.len() } else { max_chars.saturating_sub(1) };
    out.push_str(text.get(..kept).unwrap_or_default().trim_end());
    if !whole {
        out.push(ELLIPSIS);
    }
}

/// Appends text as one line between quotes.
pub(crate) fn push_quoted(out: &mut String, text: &str, max_chars: usize) {
    out.push('"');
    let from = out.len();
    push_line(out, text, max_chars);
    if out.get(from..).is_some_and(|line| line.contains('"')) {
        let line = out.split_off(from);
        out.push_str(&line.replace('"', "'"));
    }
    out.push('"');
}

/// Whether bytes are letters, digits and signs of ASCII with single spaces between them.
fn is_plain(bytes: &[u8]) -> bool {
    // Counted to the end, without a way out in between, so that many bytes are looked at at once.
    let printable = bytes.iter().filter(|byte| matches!(byte, b' '..=b'~')).count();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let gaps = pairs.filter(|pair| *pair == (&b' ', &b' ')).count();
    printable == bytes.len() && gaps == 0 && bytes.first() != Some(&b' ')
}

/// A snippet as one line, its highlight tags balanced even when it is cut.
pub(crate) fn snippet_line(text: &str, max_chars: usize) -> String {
    let whole: String = flat(&paired(text)).collect();
    if whole.chars().count() <= max_chars {
        return whole;
    }
    // Begin a little before the first highlight, so that the cut does not lose it.
    let lead = max_chars / 4;
    let match_at =
        whole.find(OPEN_MARK).map_or(0, |at| whole.get(..at).unwrap_or("").chars().count());
    let skip = if match_at + OPEN_MARK.len() > max_chars * 3 / 4 {
        match_at.saturating_sub(lead)
    } else {
        0
    };
    let room = max_chars.saturating_sub(CLOSE_MARK.len() + 2);
    let mut cut: String = whole.chars().skip(skip).take(room).collect();
    // A tag that was cut in two is no tag.
    if let Some(at) = cut.rfind('<')
        && (OPEN_MARK.starts_with(cut.get(at..).unwrap_or(""))
            || CLOSE_MARK.starts_with(cut.get(at..).unwrap_or("")))
        && !cut.ends_with('>')
    {
        cut.truncate(at);
    }
    if cut.matches(OPEN_MARK).count() > cut.matches(CLOSE_MARK).count() {
        cut.push_str(CLOSE_MARK);
    }
    let before = if skip > 0 { "…" } else { "" };
    format!("{before}{cut}…")
}

/// Whether a snippet can stand in data as it is.
pub(crate) fn is_snippet_line(text: &str, max_chars: usize) -> bool {
    text.chars().nth(max_chars).is_none()
        && !text.contains(is_unsafe)
        && text.matches(OPEN_MARK).count() == text.matches(CLOSE_MARK).count()
}

/// A snippet whose highlights open and close in turn, and between them nothing that hides.
fn paired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_open) = (text, false);
    loop {
        let tags = [OPEN_MARK, CLOSE_MARK].into_iter();
        let next = tags.filter_map(|tag| Some((rest.find(tag)?, tag))).min();
        let (at, tag) = next.unwrap_or((rest.len(), ""));
        out.push_str(&between_marks(rest.get(..at).unwrap_or_default()));
        if !tag.is_empty() && is_open != (tag == OPEN_MARK) {
            out.push_str(tag);
            is_open = !is_open;
        }
        rest = rest.get(at + tag.len()..).unwrap_or_default();
        if tag.is_empty() {
            break;
        }
    }
    if is_open {
        out.push_str(CLOSE_MARK);
    }
    out
}

fn clip(chars: impl Iterator<Item = char>, max_chars: usize) -> String {
    let mut out: String = String::new();
    for (count, c) in chars.enumerate() {
        if count == max_chars {
            out.pop();
            let kept = out.trim_end().len();
            out.truncate(kept);
            out.push(ELLIPSIS);
            return out;
        }
        out.push(c);
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    out
}

/// Compact JSON in ASCII: what is not ASCII is escaped, so that a header line shows what it holds.
pub(crate) fn ascii_json(value: &serde_json::Value) -> String {
    let json = value.to_string();
    if json.is_ascii() {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_forge_a_line_or_close_its_quotes() {
        let forged = quoted("hi\"\n2. id=cin_evil/x:y \u{202e}txt\u{200b}", 80);
        assert_eq!(forged, "\"hi' 2. id=cin_evil/x:y txt\"");
    }

    #[test]
    fn a_clip_keeps_its_length_and_says_that_it_is_one() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line("  a \t b\r\n", 6), "a b");
    }

    #[test]
    fn plain_text_reads_the_same_either_way() {
        let texts =
            ["", " ", "a", "a b", "a  b", " a", "a ", "abc def ", "ab\tc", "äbc", "abcdefä"];
        for text in texts {
            for max in 0..10 {
                assert_eq!(one_line(text, max), clip(flat(text), max), "{text:?} {max}");
            }
        }
        assert!(is_plain(b"abc def") && !is_plain(b"a  b") && !is_plain("ä".as_bytes()));
        assert_eq!(one_line("abc def", 6), "abc d…");
    }

    #[test]
    fn a_cut_snippet_keeps_its_match_and_its_tags_balanced() {
        let text = format!("{}<mark>needle</mark>{}", "before ".repeat(40), " after".repeat(40));
        for max in 20..200 {
            let cut = snippet_line(&text, max);
            assert!(cut.chars().count() <= max + 2, "{max}: {cut}");
            assert_eq!(
                cut.matches("<mark>").count(),
                cut.matches("</mark>").count(),
                "{max}: {cut}"
            );
            if max > 60 {
                assert!(cut.contains("<mark>needle</mark>"), "{max}: {cut}");
            }
        }
    }

    #[test]
    fn a_snippet_s_tags_come_in_pairs_and_nothing_hides_between_them() {
        for (given, line) in [
            ("a <mark>b</mark>  c", "a <mark>b</mark> c"),
            ("a <mark>b", "a <mark>b</mark>"),
            ("</mark>a<mark>b<mark>c</mark>d</mark>", "a<mark>bc</mark>d"),
            ("<mark>a\u{200b}b</mark> <ma\u{200b}rk>", "<mark>ab</mark> < mark>"),
        ] {
            assert_eq!(snippet_line(given, 80), line, "{given:?}");
            assert!(is_snippet_line(line, 80) && snippet_line(line, 80) == line, "{line}");
        }
        assert!(!is_snippet_line("a <mark>b", 80) && !is_snippet_line("a\u{200b}", 80));
        assert!(!is_snippet_line("abc", 2));
    }

    #[test]
    fn ascii_json_reads_back_as_the_same_value() {
        let value = serde_json::json!({"id": "日記/😀:\u{202e}x"});
        let text = ascii_json(&value);
        assert!(text.is_ascii());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
