//! Stored and foreign text as one harmless line: escaped by the template, and made plain here.

use pdpp_contract::grouped::grouped_by;

/// One line of at most `most` characters: no control, direction or invisible characters, so that a
/// name cannot pretend to be something else on the page.
pub fn line(text: &str, most: usize) -> String {
    let shown = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let shown = shown.filter(|c| !is_hidden(*c));
    let mut out = String::new();
    let (mut chars, mut spaced) = (0, true);
    for c in shown {
        if c == ' ' && spaced {
            continue;
        }
        spaced = c == ' ';
        if chars == most {
            out.truncate(out.trim_end().len());
            out.push('…');
            return out;
        }
        out.push(c);
        chars += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

/// Characters that change how others are shown, or show nothing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A fragment as a sentence.
pub fn sentence(fragment: &str) -> String {
    let mut chars = fragment.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

/// A name from a schema as words: `from_name` is "from name".
pub fn words(name: &str) -> String {
    line(&name.replace(['_', '-'], " "), 80)
}

/// The same with a capital at the beginning.
pub fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// Stored text in its lines: without what turns or hides, and no wall of empty lines.
pub fn paragraphs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines() {
        let line: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !is_hidden(*c))
            .collect();
        empty = if line.trim().is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// A number with its unit and spaces between thousands.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Bytes as people read them: `14.2 MB`.
pub fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return counted(bytes, "byte", "bytes");
    }
    let (mut unit, mut scale) = (0, 1_000_u64);
    while bytes / scale >= 1_000 && unit + 1 < units.len() {
        unit += 1;
        scale *= 1_000;
    }
    let name = units.get(unit).copied().unwrap_or_default();
    let (whole, tenth) = (bytes / scale, bytes % scale * 10 / scale);
    let digits = if whole < 10 { format!("{whole}.{tenth}") } else { grouped(whole) };
    format!("{digits}\u{202f}{name}")
}

/// A number with thin spaces between thousands.
pub fn grouped(number: u64) -> String {
    grouped_by(number, '\u{202f}')
}

/// `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cannot_turn_hide_or_break() {
        let text = "a\u{202e}b\u{200b}c\n\n  d\u{e0041}\u{7}e";
        assert_eq!(line(text, 50), "abc de");
        assert_eq!(line("  one   two  ", 50), "one two");
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line("ab cdef", 3), "ab…");
    }

    #[test]
    fn paragraphs_keep_their_lines() {
        assert_eq!(paragraphs("a\u{202e} b \r\n\n\n\nc\td\n\n"), "a b\n\nc d");
        assert_eq!(first_upper("rows"), "Rows");
    }

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(counted(1, "mail", "mails"), "1 mail");
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&items), "a, b and c");
        assert_eq!(sentence("no such thing"), "No such thing.");
        let sizes = [(7, "7 bytes"), (1_234, "1.2\u{202f}kB"), (14_900_000, "14\u{202f}MB")];
        for (bytes, words) in sizes {
            assert_eq!(size(bytes), words);
        }
    }
}
