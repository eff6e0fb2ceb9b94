//! Text with its matches, as parts that a template escapes one by one.

use super::plain;

/// A passage in its order.
pub type Passage = Vec<PassagePart>;

/// A piece of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassagePart {
    pub text: String,
    pub is_match: bool,
}

const OPEN: &str = "<mark>";
const CLOSE: &str = "</mark>";

/// Takes a text with `<mark>` around its matches apart; cut after `most` characters.
pub fn marked(text: &str, most: usize) -> Passage {
    let mut parts = Vec::new();
    let (mut rest, mut left) = (text, most);
    let mut add = |text: &str, is_match: bool| {
        if left > 0 && !text.is_empty() {
            // Spaces between two parts are theirs; `line` would take them away.
            let spaced = |found: bool| if found { " " } else { "" };
            let before = spaced(text.starts_with(char::is_whitespace));
            let after = spaced(text.ends_with(char::is_whitespace));
            let line = plain::line(text, left);
            left = left.saturating_sub(line.chars().count() + 1);
            parts.push(PassagePart { text: format!("{before}{line}{after}"), is_match });
        }
    };
    while let Some((before, after)) = rest.split_once(OPEN) {
        add(before, false);
        let Some((inside, after)) = after.split_once(CLOSE) else {
            rest = after;
            break;
        };
        add(inside, true);
        rest = after;
    }
    add(rest, false);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_stand_apart_and_markup_stays_text() {
        let part = |text: &str, is_match| PassagePart { text: text.to_owned(), is_match };
        assert_eq!(
            marked("the <mark>boiler</mark> is <b>hot</b>", 100),
            [part("the ", false), part("boiler", true), part(" is <b>hot</b>", false)]
        );
        assert_eq!(marked("open <mark>end", 100), [part("open ", false), part("end", false)]);
        assert_eq!(marked("abcdef", 3), [part("abc…", false)]);
    }
}
