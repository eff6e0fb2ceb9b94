//! The promise about matches: the first place, by simple case folding, in characters of the
//! original text; the same table for every backend.

use pdpp_contract::record::TextKind;
use pdpp_store::ReadScope;
use pdpp_store::text::{TextAnswer, TextRead};

use crate::backend::{Backend, id, note, notes, path, read, text};

const CHARS: usize = 20_500;

/// Where something stands, what stands there, and what is asked for.
const FOUND: &[(usize, &str, &str)] = &[
    (0, "Anfang", "anfang"),
    (3_997, "GRENZE", "grenze"),
    (4_500, "a.b*(c)", "A.B*(C)"),
    (5_000, "zwei", "ZWEI"),
    (6_000, "ZWEI", "zwei"),
    (7_999, "👍🏽", "👍🏽"),
    (9_000, "ΟΔΟΣ", "οδος"),
    (9_100, "οδος mit ς", "ΟΔΟΣ MIT Σ"),
    (10_000, "20 \u{212A}m", "20 km"),
    (10_100, "fluſs", "FLUSS"),
    (10_200, "GRO\u{1E9E}", "groß"),
    (11_999, "e\u{301}x", "E\u{301}X"),
    (15_998, "日本語👍é", "日本語👍É"),
    (20_497, "aus", "AUS"),
];

/// What the text does not hold: folding maps one character to one, and a pattern is no pattern.
const ABSENT: &[&str] = &["gross", "groSS", "a+b", ".*", "\u{130}", "anfangs", "ausx"];

pub async fn are_exact(backend: &dyn Backend) {
    let filler = "·–ü ".chars().cycle();
    let mut chars: Vec<char> = filler.take(CHARS).collect();
    for (at, needle, _) in FOUND {
        chars.splice(at..&(at + needle.chars().count()), needle.chars());
    }
    assert_eq!(chars.len(), CHARS);
    let body: String = chars.iter().collect();
    backend.put("a", note("matches", &[("body", text(&body))], false)).await;

    for (at, needle, q) in FOUND.iter().filter(|(_, needle, _)| *needle != "ZWEI") {
        is_found(backend, &chars, (*at, needle.chars().count()), q).await;
    }
    for q in ABSENT {
        is_absent(backend, q).await;
    }
}

async fn is_found(backend: &dyn Backend, chars: &[char], (at, length): (usize, usize), q: &str) {
    for (before, after, limit) in [(5, 7, 100), (2_048, 2_048, 4_096), (0, 0, 16_384)] {
        let asked = TextRead::Match { q: q.to_owned(), before, after, limit };
        let window = read(backend, "matches", "body", asked).await;
        let start = u64::try_from(at).unwrap();
        let matched = (start, start + u64::try_from(length).unwrap());
        assert_eq!(window.matched, Some(matched), "{q}");
        assert_eq!(window.kind, TextKind::String);
        let from = usize::try_from(window.start).unwrap();
        let to = from + window.text.chars().count();
        let expected: String = chars[from..to].iter().collect();
        assert_eq!(window.text, expected, "{q}");
        assert!(from <= at && at + length <= to, "{q}: the window holds its match");
        assert!(to - from <= usize::try_from(limit).unwrap(), "{q}: the window has a limit");
    }
}

async fn is_absent(backend: &dyn Backend, q: &str) {
    let scope = ReadScope::new(vec![notes("a", &["body"])]);
    let asked = TextRead::Match { q: q.to_owned(), before: 5, after: 5, limit: 100 };
    let answer = backend.reader().read_text(&scope, &id("matches"), &path("body"), asked).await;
    assert_eq!(answer.unwrap(), TextAnswer::NoMatch, "{q}");
}
