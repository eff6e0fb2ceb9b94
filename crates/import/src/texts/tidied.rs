//! The same text with one kind of line end, without control characters and long gaps.

/// Most line ends in a row.
const MAX_LINE_ENDS: usize = 2;

/// Tidies a text.
pub fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_ends = 0;
    let lines = text.split(['\n', '\r', '\u{b}', '\u{c}', '\u{2028}', '\u{2029}']);
    for line in lines {
        let kept: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let kept = kept.trim_end();
        if kept.trim_start().is_empty() {
            line_ends += 1;
            continue;
        }
        if !out.is_empty() {
            (0..(line_ends + 1).min(MAX_LINE_ENDS)).for_each(|_| out.push('\n'));
        }
        out.push_str(kept);
        line_ends = 0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::tidied;

    #[test]
    fn gaps_and_control_characters_go() {
        assert_eq!(tidied("\n a\u{0}b \r\n\n\n\n\tc\u{c}\n"), " ab\n\n\tc");
        assert_eq!(tidied(" \n\t\n"), "");
    }
}
