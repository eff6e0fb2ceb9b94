//! The shapes of codes and of links that bear a secret, whatever the words around them.

use std::borrow::Cow;
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
    digits: usize,
    letters: usize,
    is_year: bool,
    mixed_case: bool,
}

impl Candidate {
    /// Looks like a code even at some distance from the words that name it.
    pub(super) fn is_likely(&self) -> bool {
        self.digits >= 2 && !self.is_year && !self.mixed_case
    }

    /// Too long to be a year, a time or a house number.
    pub(super) fn is_long(&self) -> bool {
        self.is_likely() && self.digits + self.letters >= 6
    }
}

/// Digits in one piece or two, a letter prefix with digits, groups of capitals and digits.
const CODE: &str = "(?-u)\
    [A-Z]{1,3}-[0-9]{4,8}|\
    [A-Z0-9]{3,5}-[A-Z0-9]{3,5}|\
    [0-9]{2,4}[ -][0-9]{2,4}|\
    [0-9](?: [0-9]){3,7}|\
    [0-9]{4,8}|\
    [A-Za-z0-9]{5,10}|\
    [A-Z]{4}-[A-Z]{4}";
const LINK: &str = r#"(?i)https?://[^\s<>"')\]]{4,2000}"#;

static CODES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CODE).ok());
static LINKS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(LINK).ok());

/// The text with one spelling for spaces, dashes and digits.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let plain = |char: char| match char {
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '０'..='９' => {
            char::from_u32(u32::from(char) - u32::from('０') + u32::from('0')).unwrap_or(char)
        }
        other => other,
    };
    if text.is_ascii() || text.chars().all(|char| plain(char) == char) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(plain).collect())
}

/// Everything in a text that could be a code.
pub(super) fn candidates(text: &str) -> Vec<Candidate> {
    let Some(codes) = &*CODES else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let stretches = stretches(text).map(|stretch| Input::new(text).range(stretch));
    for found_at in stretches.flat_map(|stretch| codes.find_iter(stretch)) {
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

/// The stretches a code can lie in: neighbouring words that have a digit or a dash. No match reaches
/// beyond them, and in most texts they are short.
fn stretches(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut stretch: Option<Range<usize>> = None;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let end = at + rest.find(' ').map_or(rest.len(), |space| space + 1);
            let word = text.get(at..end).unwrap_or_default();
            let start = std::mem::replace(&mut at, end);
            if word.bytes().any(|byte| byte.is_ascii_digit() || byte == b'-') {
                stretch = Some(stretch.map_or(start, |stretch| stretch.start)..end);
            } else if stretch.is_some() {
                break;
            }
        }
        stretch
    })
}

fn describe(before: &str, code: &str, after: &str) -> Candidate {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let letters = code.bytes().filter(u8::is_ascii_alphabetic).count();
    let line_before = before.rsplit('\n').next().unwrap_or_default();
    let line_after = after.split('\n').next().unwrap_or_default();
    Candidate {
        start: before.len(),
        end: before.len() + code.len(),
        stands_alone: line_before.trim().is_empty() && line_after.trim().is_empty(),
        digits,
        letters,
        is_year: code.len() == 4 && (code.starts_with("19") || code.starts_with("20")),
        mixed_case: code.bytes().any(|byte| byte.is_ascii_lowercase()),
    }
}

fn is_code_like(code: &str) -> bool {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let letters = code.bytes().filter(u8::is_ascii_alphabetic).count();
    let grouped = code.contains(['-', ' ']);
    match (digits, letters) {
        (4..=8, 0) => !grouped || digits >= 6 || code.split(' ').count() > 2,
        // A device code such as WDJB-MJHT.
        (0, 8) => grouped,
        (1.., 1..) => digits + letters <= 10,
        _ => false,
    }
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
    const UNITS: [&str; 14] = [
        "kr", "sek", "nok", "dkk", "eur", "usd", "gbp", "chf", "km", "kb", "mb", "gb", "kcal",
        "kwh",
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
fn is_latin(char: char) -> bool {
    char.is_alphanumeric() && u32::from(char) < 0x2e80
}

/// Where links begin that bear something only their receiver should know.
pub(super) fn secret_links(text: &str) -> Vec<usize> {
    if !text.contains("://") {
        return Vec::new();
    }
    let Some(links) = &*LINKS else {
        return Vec::new();
    };
    let secret = |found: &regex_automata::Match| {
        text.get(found.start()..found.end()).is_some_and(bears_secret)
    };
    links.find_iter(text).filter(secret).map(|found| found.start()).collect()
}

fn bears_secret(link: &str) -> bool {
    let Some((_, rest)) = link.split_once("://") else {
        return false;
    };
    let Some((host, path)) = rest.split_once(['/', '?']) else {
        return false;
    };
    let pages = ["help", "support", "docs", "blog", "news", "wiki", "faq"];
    let is_page = |part: &str| pages.contains(&part.to_ascii_lowercase().as_str());
    if host.split('.').any(is_page) || path.split('/').take(2).any(is_page) {
        return false;
    }
    path.split(['/', '?', '&', '=', '#', '.', ';']).any(is_secret)
}

/// Letters and digits mixed, or a long number: nobody types such a part.
fn is_secret(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    // Words with a number, as in `10-tips-for-spring`, read as words.
    let wordy = part.split(['-', '_']).filter(|word| word.len() > 2).all(|word| {
        word.bytes().all(|byte| byte.is_ascii_lowercase())
            || word.bytes().all(|byte| byte.is_ascii_digit())
    });
    match (digits, letters) {
        (1.., 1..) => part.len() >= 7 && (!wordy || digits >= 4),
        (6.., 0) => true,
        (0, 20..) => !part.contains(['-', '_']),
        _ => false,
    }
}
