//! A text as its reader sees it: one spelling for spaces, dashes and digits, nothing invisible, no markup.
//!
//! Emphasis around words and numbers goes (`apart`), and so do the borders between single digits.

use std::borrow::Cow;

use super::apart::{join_single_digits, without_emphasis};

/// A longer range in angle brackets is no tag.
const TAG_BYTES: usize = 4_096;
/// Markup that does not part words.
const INLINE: [&str; 11] =
    ["b", "strong", "span", "em", "i", "u", "font", "wbr", "small", "big", "code"];

/// The text without disguise.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let unmarked = if text.contains("</") || text.contains("/>") || text.contains('&') {
        Cow::Owned(without_markup(text))
    } else {
        Cow::Borrowed(text)
    };
    let respelt = if unmarked.bytes().any(may_be_respelt) {
        Cow::Owned(unmarked.chars().filter_map(spell).collect())
    } else {
        unmarked
    };
    join_single_digits(without_emphasis(respelt))
}

/// Whether a character that `spell` changes can begin with this byte; most letters do not.
fn may_be_respelt(byte: u8) -> bool {
    matches!(byte, b'\t' | 0xc2 | 0xcd | 0xd8 | 0xd9 | 0xdb | 0xe1..=0xe3 | 0xef | 0xf3)
}

/// The plain spelling of a character; none for one that nobody sees.
fn spell(char: char) -> Option<char> {
    match char {
        '\t' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(' ')
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{2018}' | '\u{2019}' => Some('\''),
        '：' => Some(':'),
        '０'..='９' => digit(char, '０'),
        '\u{660}'..='\u{669}' => digit(char, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(char, '\u{6f0}'),
        unseen if is_invisible(unseen) => None,
        other => Some(other),
    }
}

/// The digit that stands so far behind the zero of its script.
fn digit(char: char, zero: char) -> Option<char> {
    char::from_u32(u32::from(char) - u32::from(zero) + u32::from('0'))
}

/// Joiners, marks of direction, soft hyphens, selectors and tags.
fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e01ef}'
    )
}

/// Tags become nothing, a line end, or the links they hold; the usual references become characters.
fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        rest = match tag(from) {
            Some((tag, after)) => {
                push_tag(&mut out, tag);
                skip_hidden(tag, after)
            }
            None => push_reference(&mut out, from),
        };
    }
    out.push_str(rest);
    out
}

/// A tag's inside and what follows it.
fn tag(from: &str) -> Option<(&str, &str)> {
    let inside = from.strip_prefix('<')?;
    if !inside.starts_with(|first: char| first.is_ascii_alphabetic() || "/!".contains(first)) {
        return None;
    }
    let end = inside.bytes().take(TAG_BYTES).position(|byte| matches!(byte, b'<' | b'>'))?;
    Some((inside.get(..end)?, inside.get(end..)?.strip_prefix('>')?))
}

fn push_tag(out: &mut String, tag: &str) {
    if let Some((before, after)) = tag.split_once("://") {
        let scheme =
            before.rsplit(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or_default();
        let link = after.split(['"', '\'', ' ', '\n']).next().unwrap_or_default();
        out.extend([" ", scheme, "://", link, " "]);
    } else if tag.starts_with("!--") {
        out.push_str(tag);
    } else if !INLINE.contains(&name(tag).as_str()) {
        out.push('\n');
    }
}

fn name(tag: &str) -> String {
    let name = tag.trim_start_matches('/');
    name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// Past the contents of a style sheet or a script, which nobody reads.
fn skip_hidden<'a>(tag: &str, after: &'a str) -> &'a str {
    let end = match name(tag).as_str() {
        "style" if !tag.starts_with('/') => after.find("</style"),
        "script" if !tag.starts_with('/') => after.find("</script"),
        _ => None,
    };
    end.and_then(|end| after.get(end..)).unwrap_or(after)
}

fn push_reference<'a>(out: &mut String, from: &'a str) -> &'a str {
    const REFERENCES: [(&str, &str); 14] = [
        ("&nbsp;", " "),
        ("&#160;", " "),
        ("&#xa0;", " "),
        ("&amp;", "&"),
        ("&shy;", ""),
        ("&zwnj;", ""),
        ("&zwj;", ""),
        ("&#8203;", ""),
        ("&#8204;", ""),
        ("&#847;", ""),
        ("&#39;", "'"),
        ("&#58;", ":"),
        ("&ndash;", "-"),
        ("&mdash;", "-"),
    ];
    for (written, meant) in REFERENCES {
        if let Some(after) = from.strip_prefix(written) {
            out.push_str(meant);
            return after;
        }
    }
    if let Some((char, after)) = numeric_reference(from) {
        out.push(char);
        return after;
    }
    let mut chars = from.chars();
    out.extend(chars.next());
    chars.as_str()
}

/// `&#52;` or `&#x34;`.
fn numeric_reference(from: &str) -> Option<(char, &str)> {
    let body = from.strip_prefix("&#")?;
    let end = body.bytes().take(8).position(|byte| byte == b';')?;
    let (number, after) = (body.get(..end)?, body.get(end + 1..)?);
    let value = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    Some((char::from_u32(value.ok()?)?, after))
}

#[cfg(test)]
mod tests {
    use super::{may_be_respelt, plain, spell};

    #[test]
    fn no_change_of_spelling_is_overlooked() {
        for char in ('\0'..=char::MAX).filter(|&char| spell(char) != Some(char)) {
            let first = char.to_string().bytes().next();
            assert!(first.is_some_and(may_be_respelt), "{char:?}");
        }
    }

    #[test]
    fn markup_and_invisible_characters_vanish() {
        let cases = [
            ("veri\u{200b}fication", "verification"),
            ("<b>Your</b> co<wbr/>de&nbsp;is", "Your code is"),
            ("<td style=\"color:#112233\">4&#56;2913</td>", "\n482913\n"),
            ("<a href=\"https://a.example/x?y=1\">in</a>", " https://a.example/x?y=1 in\n"),
            ("<style>.a{width:4829px}</style>x", "\n\nx"),
            ("a < b & c </", "a < b & c </"),
            ("４８２９：", "4829:"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected);
        }
    }
}
