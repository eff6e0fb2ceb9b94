//! Stored text on one line: which characters may stand there. Titles, labels and snippets are made of
//! these; bodies are not touched.

/// What stands before a highlight in a snippet.
pub const OPEN_MARK: &str = "<mark>";
/// What stands after it.
pub const CLOSE_MARK: &str = "</mark>";

/// Whether a character could change how the text around it is read: control, direction, invisible and
/// tag characters. The two selectors that choose between a picture and a letter form stay.
pub fn is_unsafe(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || c.is_control()
}

/// A character as it stands on a line: an unsafe one is a space where it broke the line, and nothing
/// where it was not seen.
pub fn on_line(c: char) -> Option<char> {
    if !is_unsafe(c) {
        return Some(c);
    }
    (c.is_control() || c.is_whitespace()).then_some(' ')
}

/// Text that stands between highlights: on one line and without highlights of its own, also none that
/// would appear once what hides in it is gone.
pub fn between_marks(text: &str) -> String {
    let line: String = text.chars().filter_map(on_line).collect();
    line.replace(OPEN_MARK, "<\u{200a}mark>").replace(CLOSE_MARK, "<\u{200a}/mark>")
}

/// The characters of a text as one line: no unsafe ones, one space for each run of white space, none
/// at the beginning.
pub fn flat(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut space = true;
    text.chars().filter_map(on_line).filter_map(move |c| {
        if c.is_whitespace() {
            let first = !space;
            space = true;
            return first.then_some(' ');
        }
        space = false;
        Some(c)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_has_no_breaks_and_nothing_that_hides() {
        let line: String =
            flat(" a\r\n\u{2028}b\u{202e}c\u{200b}d\u{e0041}\u{7}\u{85}e\u{a0} ").collect();
        assert_eq!(line, "a bcd e ");
        assert_eq!(flat("🎙️ naïve 日記").collect::<String>(), "🎙️ naïve 日記");
        assert_eq!(on_line('\u{a0}'), Some('\u{a0}'), "it is seen, and breaks nothing");
    }

    #[test]
    fn a_mark_that_hides_in_a_text_is_broken_up() {
        for mark in
            ["<mark>", "<ma\u{200b}rk>", "\u{202e}<mark\u{e0041}>", "</mark>", "<\u{ad}/mark>"]
        {
            let text = between_marks(mark);
            assert!(!text.contains(OPEN_MARK) && !text.contains(CLOSE_MARK), "{text:?}");
        }
        assert_eq!(between_marks("two  spaces\nand <b>"), "two  spaces and <b>");
    }

    proptest! {
        #[test]
        fn a_line_is_a_line_already(text in any::<String>()) {
            let line: String = flat(&text).collect();
            prop_assert!(!line.contains(is_unsafe));
            prop_assert_eq!(flat(&line).collect::<String>(), line);
        }
    }
}
