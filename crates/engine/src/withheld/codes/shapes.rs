//! The shapes of codes, whatever the words around them.

use std::ops::Range;
use std::sync::LazyLock;

use regex_automata::Input;
use regex_automata::meta::Regex;

/// Something that could be a code.
pub(super) struct Candidate {
    pub start: usize,
    pub end: usize,
    /// Nothing else stands on its line.
    pub stands_alone: bool,
    /// What it could be as well.
    pub form: Form,
    digits: usize,
    letters: usize,
    has_small_letters: bool,
}

/// What a candidate could be instead of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Words joined with dashes, or a word in capitals: a code only right after its name.
    Words,
    /// A year of this century or the last.
    Year,
    /// A word with a number at its end, as shops like it: `SUMMER25`.
    Slogan,
    /// Nothing else.
    Code,
}

impl Candidate {
    /// Looks like a code even at some distance from the words that name it.
    pub(super) fn is_likely(&self) -> bool {
        self.digits >= 2 && self.form != Form::Year && !self.has_small_letters
    }

    /// Too long to be a year, a time or a house number.
    pub(super) fn is_long(&self) -> bool {
        self.is_likely() && self.digits + self.letters >= 6
    }

    /// Digits only, and no year.
    pub(super) fn is_number(&self) -> bool {
        self.letters == 0 && self.form != Form::Year
    }

    /// Digits only, too many for a year, a time or a house number.
    pub(super) fn is_long_number(&self) -> bool {
        self.letters == 0 && self.digits >= 6
    }
}

/// Digits in one piece or two, a letter prefix with digits, groups of capitals and digits.
const CODE: &str = "(?-u)\
    [A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){2,7}|\
    [A-Z]{1,3}-[0-9]{4,8}|\
    [A-Z0-9]{3,5}-[A-Z0-9]{3,5}|\
    [0-9]{2}[ -][0-9]{2}[ -][0-9]{2}|\
    [0-9]{2,4}[ -][0-9]{2,4}|\
    [0-9](?: [0-9]){3,7}|\
    [0-9](?:-[0-9]){3,7}|\
    [0-9]{4,8}|\
    [a-z]{3,10}(?:-[a-z]{3,10}){2,4}|\
    [a-z0-9]{4,5}-[a-z0-9]{4,5}|\
    [A-Za-z0-9]{5,10}";

static CODES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CODE).ok());

/// Everything in a text that could be a code.
pub(super) fn candidates(text: &str) -> Vec<Candidate> {
    let Some(codes) = &*CODES else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let ranges = ranges(text).map(|range| Input::new(text).range(range));
    for found_at in ranges.flat_map(|range| codes.find_iter(range)) {
        let (start, end) = (found_at.start(), found_at.end());
        let (Some(before), Some(code), Some(after)) =
            (text.get(..start), text.get(start..end), text.get(end..))
        else {
            continue;
        };
        if is_code_like(code) && stands_free(before, after) {
            found.push(describe(before, code, after));
        }
    }
    found
}

/// The ranges a code can lie in: neighbouring words that have a digit or a dash. No match reaches
/// beyond them, and in most texts they are short.
fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut range: Option<Range<usize>> = None;
        while at < text.len() {
            let start = at;
            let (length, may_hold_code) = word(text.as_bytes().get(start..).unwrap_or_default());
            at += length;
            if may_hold_code {
                range = Some(range.map_or(start, |range| range.start)..at);
            } else if range.is_some() {
                break;
            }
        }
        range
    })
}

/// The length of the word at the beginning, with its space, and whether a code can lie in it.
fn word(text: &[u8]) -> (usize, bool) {
    let (mut marked, mut capitals, mut length) = (false, 0, 0);
    for &byte in text {
        length += 1;
        match byte {
            b' ' => break,
            b'0'..=b'9' | b'-' => marked = true,
            b'A'..=b'Z' => capitals += 1,
            _ => {}
        }
    }
    (length, marked || capitals >= 5)
}

fn describe(before: &str, code: &str, after: &str) -> Candidate {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let letters = code.bytes().filter(u8::is_ascii_alphabetic).count();
    let blank = |char: char| char != '\n' && char.is_whitespace();
    let line_before = before.trim_end_matches(blank);
    let line_after = after.trim_start_matches(blank);
    Candidate {
        start: before.len(),
        end: before.len() + code.len(),
        stands_alone: (line_before.is_empty() || line_before.ends_with('\n'))
            && (line_after.is_empty() || line_after.starts_with('\n')),
        form: form(code, digits),
        digits,
        letters,
        has_small_letters: code.bytes().any(|byte| byte.is_ascii_lowercase()),
    }
}

fn is_code_like(code: &str) -> bool {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let letters = code.bytes().filter(u8::is_ascii_alphabetic).count();
    let grouped = code.contains(['-', ' ']);
    match (digits, letters) {
        (4..=8, 0) => !grouped || digits >= 6 || code.split(' ').count() > 2,
        // A device code such as WDJB-MJHT.
        (0, 6..=10) if grouped && code.bytes().all(|byte| !byte.is_ascii_lowercase()) => true,
        (0, _) if grouped => code.split('-').count() >= 3,
        (0, 5..=8) => code.bytes().all(|byte| byte.is_ascii_uppercase()),
        (1.., 1..) => digits + letters <= 10 || is_grouped_code(code),
        _ => false,
    }
}

/// Three groups of capitals and digits or more, as recovery codes are written.
fn is_grouped_code(code: &str) -> bool {
    code.split('-').count() >= 3 && code.bytes().all(|byte| !byte.is_ascii_lowercase())
}

fn form(code: &str, digits: usize) -> Form {
    let has_capitals = code.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_year = code.len() == 4 && (code.starts_with("19") || code.starts_with("20"));
    match digits {
        0 if !(has_capitals && code.contains('-')) => Form::Words,
        4 if is_year => Form::Year,
        _ if is_slogan(code) => Form::Slogan,
        _ => Form::Code,
    }
}

fn is_slogan(code: &str) -> bool {
    let word = code.trim_end_matches(|char: char| char.is_ascii_digit());
    let number = code.len() - word.len();
    word.len() >= 4 && number <= 4 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Part of an amount, a time, a date, a telephone number, an address or a longer word is no code.
fn stands_free(before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let (last, second) = (back.next(), back.next());
    let joined = |char: char| is_latin(char) || "_/.@#+=&%?~^*€$£¥".contains(char);
    let free_before = match last {
        None => true,
        Some('-' | ',') => second.is_none_or(|char| !char.is_alphanumeric()),
        // A time such as 18:44 has a digit there; a label such as "code:" has a letter.
        Some(':') => second.is_none_or(|char| !char.is_ascii_digit()),
        Some(' ') => second.is_none_or(|char| !char.is_ascii_digit() && !"€$£¥+(".contains(char)),
        Some(char) => !joined(char),
    };
    free_before && free_after(after)
}

fn free_after(after: &str) -> bool {
    const UNITS: [&str; 26] = [
        "kr", "sek", "nok", "dkk", "eur", "usd", "gbp", "chf", "pln", "zł", "euro", "km", "kb",
        "mb", "gb", "kcal", "kwh", "lines", "line", "words", "files", "pages", "people", "steps",
        "rader", "zeilen",
    ];
    let mut next = after.chars();
    match (next.next(), next.next()) {
        (None, _) => true,
        (Some('.' | ',' | ':' | '-'), second) => second.is_none_or(|char| !char.is_alphanumeric()),
        (Some(' '), Some(second)) => {
            let word: String =
                after.trim_start().chars().take_while(|char| char.is_alphabetic()).collect();
            !second.is_ascii_digit()
                && !"€$£¥%".contains(second)
                && !UNITS.contains(&word.to_lowercase().as_str())
        }
        (Some(char), _) => !is_latin(char) && !"_/@%=&€$£¥".contains(char),
    }
}

/// Letters and digits that would make a word of it. Chinese and Japanese write no spaces.
pub(super) fn is_latin(char: char) -> bool {
    char.is_alphanumeric() && u32::from(char) < 0x2e80
}
