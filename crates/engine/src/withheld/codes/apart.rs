//! Numbers that are set apart: in emphasis, behind a number sign, digit by digit in cells of a table.

use std::borrow::Cow;

/// Marks that put emphasis on what they stand around.
const EMPHASIS: [char; 4] = ['*', '_', '`', '~'];
/// The fewest and the most digits that are taken for one number.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
/// The most blanks, line ends and borders between two of them.
const BORDER: usize = 12;

/// The text without marks of emphasis around words and numbers, and without number signs before digits.
pub(super) fn without_emphasis(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(EMPHASIS) && !text.contains('#') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut last: Option<char> = None;
    let mut rest = &*text;
    while let Some(char) = rest.chars().next() {
        let is_mark = EMPHASIS.contains(&char);
        let run = if is_mark {
            rest.len() - rest.trim_start_matches(char).len()
        } else {
            char.len_utf8()
        };
        let (these, after) = rest.split_at(run);
        let next = after.chars().next();
        let inside = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
        // Chinese, Japanese and Korean write numbers into the text without a blank.
        let in_word = |char: Option<char>| char.is_some_and(super::shapes::is_latin);
        // A mark between two letters is part of a name, one between blanks stands for itself.
        let is_edge = inside(last) != inside(next) || in_word(last) != in_word(next);
        let is_edge = is_edge && run <= 3;
        let is_number_sign =
            char == '#' && !in_word(last) && next.is_some_and(|next| next.is_ascii_digit());
        if !(is_mark && is_edge || is_number_sign) {
            out.push_str(these);
        }
        if !is_mark {
            last = Some(char);
        }
        rest = after;
    }
    Cow::Owned(out)
}

/// The text with single digits that only blanks, line ends or borders part put together.
pub(super) fn join_single_digits(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut joined: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        if !is_single_digit(bytes, at) {
            at += 1;
            continue;
        }
        let (number, end) = single_digits(bytes, at);
        if DIGITS.contains(&number.len()) && !is_counting(&number) {
            let out = joined.get_or_insert_with(|| String::with_capacity(text.len()));
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str(&number);
            copied = end;
        }
        at = end;
    }
    match joined {
        None => text,
        Some(mut out) => {
            out.push_str(text.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// Whether a digit stands here by itself; the first may have an opening mark before it, the last a
/// closing one behind it.
fn is_single_digit(bytes: &[u8], at: usize) -> bool {
    let opens = |byte: u8| is_border(byte) || b":(\"'".contains(&byte) || !byte.is_ascii();
    let closes = |byte: u8| is_border(byte) || b".,;!?)\"'".contains(&byte) || !byte.is_ascii();
    let next = bytes.get(at + 1).copied();
    let is_decimal = next.is_some_and(|byte| b".,".contains(&byte))
        && bytes.get(at + 2).is_some_and(u8::is_ascii_digit);
    bytes.get(at).is_some_and(u8::is_ascii_digit)
        && at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|byte| opens(*byte))
        && next.is_none_or(closes)
        && !is_decimal
}

fn is_border(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'|'
}

/// The digits from here on, and where they end.
fn single_digits(bytes: &[u8], mut at: usize) -> (String, usize) {
    let mut number = String::new();
    loop {
        if let Some(digit) = bytes.get(at) {
            number.push(char::from(*digit));
        }
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let border = rest.iter().take(BORDER + 1).take_while(|byte| is_border(**byte)).count();
        let next = at + 1 + border;
        if border == 0 || border > BORDER || !is_single_digit(bytes, next) {
            return (number, at + 1);
        }
        at = next;
    }
}

/// `1 2 3 4 5`: pages of a list, not a number.
fn is_counting(number: &str) -> bool {
    let bytes = number.as_bytes();
    bytes.windows(2).all(|pair| matches!(pair, [one, two] if one + 1 == *two))
}

#[cfg(test)]
mod tests {
    use super::{join_single_digits, without_emphasis};

    #[test]
    fn emphasis_goes_and_names_stay() {
        let cases = [
            ("code *482913*.", "code 482913."),
            ("code **482913**", "code 482913"),
            ("_482913_ is it", "482913 is it"),
            ("***482913***", "482913"),
            ("`482913`", "482913"),
            ("#482913", "482913"),
            ("a_b snake_case_name 3 * 4", "a_b snake_case_name 3 * 4"),
            ("C# and #tag", "C# and #tag"),
        ];
        for (text, plain) in cases {
            assert_eq!(without_emphasis(text.into()), plain);
        }
    }

    #[test]
    fn digits_in_cells_are_one_number() {
        let cases = [
            ("4\t8\t2\t9\t1\t3", "482913"),
            ("is\n4\n\n8\n\n2\n9\n1\n3\nfor", "is\n482913\nfor"),
            ("| 4 | 8 | 2 | 9 |", "| 4829 |"),
            ("page 1 2 3 4 5 next", "page 1 2 3 4 5 next"),
            ("12 4 8 2", "12 4 8 2"),
            ("code:4\t8\t2\t9.", "code:4829."),
            ("4 8 2 9.5", "4 8 2 9.5"),
        ];
        for (text, plain) in cases {
            assert_eq!(join_single_digits(text.into()), plain);
        }
    }
}
