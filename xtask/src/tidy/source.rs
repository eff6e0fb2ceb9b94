//! Just enough of Rust's grammar to tell code from comments and literals.
//!
//! Rules look for words; a word in a doc comment or in a test's sample text breaks no rule.

/// The same text with comments, strings and characters blanked; line breaks stay.
pub fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let length = literal_or_comment(rest, previous).unwrap_or(0);
        if length == 0 {
            code.push(first);
            previous = first;
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (blanked, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        code.extend(blanked.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        previous = ' ';
        rest = after;
    }
    code
}

/// The line of a test module that closes the file, numbered from one.
pub fn tests_begin(text: &str) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let after_marker = |pair: &[&str]| match pair {
        [marker, module] => *marker == "#[cfg(test)]" && module.starts_with("mod "),
        _ => false,
    };
    let marker = lines.windows(2).rposition(after_marker)?;
    let opens_here = lines.get(marker + 1)?.ends_with('{');
    opens_here.then_some(marker + 1)
}

/// How many bytes at the start of `rest` are a comment or a literal.
fn literal_or_comment(rest: &str, previous: char) -> Option<usize> {
    let in_a_word = previous.is_alphanumeric() || previous == '_';
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    if rest.starts_with('"') {
        return Some(quoted(rest, 1, '"'));
    }
    if rest.starts_with('\'') {
        return character(rest);
    }
    if in_a_word {
        return None;
    }
    let prefix = ["b\"", "c\"", "b'"].into_iter().find(|p| rest.starts_with(p));
    if let Some(prefix) = prefix {
        return Some(quoted(rest, prefix.len(), prefix.chars().last()?));
    }
    raw_string(rest)
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(here) = rest.get(at..).filter(|here| !here.is_empty()) {
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// Bytes up to and including the closing quote; a backslash hides what follows it.
fn quoted(rest: &str, from: usize, quote: char) -> usize {
    let mut hidden = false;
    for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < from) {
        if hidden {
            hidden = false;
        } else if c == '\\' {
            hidden = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    rest.len()
}

/// A character, and not a lifetime: `'a'` or `'\n'`, never `'a`.
fn character(rest: &str) -> Option<usize> {
    let mut following = rest.chars().skip(1);
    let first = following.next()?;
    let closes = first == '\\' || following.next() == Some('\'');
    closes.then(|| quoted(rest, 1, '\''))
}

/// `r"…"`, `r#"…"#` and their byte forms end at a quote with as many hashes.
fn raw_string(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r')?;
    let after_hashes = body.trim_start_matches('#');
    let hashes = body.len() - after_hashes.len();
    let text = after_hashes.strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let opening = rest.len() - text.len();
    let length = text.find(&closing).map(|at| at + closing.len());
    Some(opening + length.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked() {
        let text = "let a = \"word\\\" word\"; // word\n/* word /* word */ word */ let b = 'w';";
        let code = code_only(text);
        assert!(!code.contains("word"), "{code}");
        assert!(code.contains("let a =") && code.contains("let b ="), "{code}");
        assert_eq!(code.lines().count(), 2);
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        assert_eq!(code_only(r##"r#"a"b"# + c"##).trim(), "+ c");
        assert_eq!(code_only(r#"br"a\" + c"#).trim(), "+ c");
    }

    #[test]
    fn lifetimes_and_raw_names_are_code() {
        let text = "fn f<'a>(r#type: &'a str, q: char) -> &'a str { g('\\'', '\"') + h }";
        let code = code_only(text);
        assert!(code.contains("<'a>(r#type: &'a str"), "{code}");
        assert!(code.contains("+ h }"), "{code}");
    }

    #[test]
    fn a_closing_test_module_is_found() {
        let text = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(tests_begin(text), Some(3));
        assert_eq!(tests_begin("#[cfg(test)]\nmod tests;\n"), None);
        assert_eq!(tests_begin("fn f() {}\n"), None);
    }
}
