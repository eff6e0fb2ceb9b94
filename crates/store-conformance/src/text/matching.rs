//! Matches: the first one, ignoring case, with positions in the original text.

use std::sync::Arc;

use super::super::sample::Account;
use super::{expected, find, long, note, read, text, with_body};
use pdpp_store::Store;
use pdpp_store::text::{TextAnswer, TextRead};

/// Where the match lies and what stands around it.
async fn matched(store: &Arc<dyn Store>, body: &str, q: &str) -> Option<((u64, u64), String)> {
    let scope = with_body(store, "a", body).await;
    match find(store, &scope, q).await {
        TextAnswer::NoMatch => None,
        answer => {
            let found = text(answer);
            let (start, end) = found.matched.expect("a match has a place");
            let length = usize::try_from(end - start).unwrap();
            assert_eq!(length, q.chars().count(), "simple folding keeps the length");
            assert_eq!(found.start, start.saturating_sub(3), "three characters before the match");
            let shown = length + 3 + usize::try_from(start - found.start).unwrap();
            let around = expected(body, usize::try_from(found.start).unwrap(), shown);
            assert_eq!(found.text, around);
            Some(((start, end), expected(body, usize::try_from(start).unwrap(), length)))
        }
    }
}

/// The match in a short text and in the same text as part of a long one.
async fn matched_twice(
    store: &Arc<dyn Store>,
    body: &str,
    q: &str,
) -> Option<((u64, u64), String)> {
    let short = matched(store, body, q).await;
    let longer = format!("{body}{}", "~".repeat(9_000));
    assert_eq!(matched(store, &longer, q).await, short, "long and short texts agree");
    short
}

pub(super) async fn the_first_match_is_found_wherever_it_lies(store: Arc<dyn Store>) {
    for place in [0, 1, 3_999, 4_000, 4_001, 7_999, 8_000, 11_000, 12_345] {
        let body = format!("{}needle{} needle", long("é.", place), long("漢", 12_345 - place));
        let at = place as u64;
        let found = matched(&store, &body, "needle").await;
        assert_eq!(found, Some(((at, at + 6), "needle".to_owned())), "at {place}");
    }
    let end = format!("{}needle", long("x", 12_000 - 6));
    assert_eq!(matched(&store, &end, "needle").await.unwrap().0, (11_994, 12_000));
    assert_eq!(matched_twice(&store, "only", "only").await.unwrap().0, (0, 4));
}

pub(super) async fn a_match_across_a_chunk_border_is_found(store: Arc<dyn Store>) {
    for border in [4_000_u64, 8_000] {
        for into in 1..6 {
            let start = border - into;
            let body = format!("{}😀needle😀{}", long("é", start as usize - 1), long("e", 9_000));
            let found = matched(&store, &body, "NEEDLE").await;
            assert_eq!(
                found,
                Some(((start, start + 6), "needle".to_owned())),
                "{into} before {border}"
            );
        }
    }
    // An earlier match inside a chunk wins over one across the border, and the other way round.
    let both = format!("{}ab{}ab{}", long("x", 3_000), long("x", 997), long("x", 9_000));
    assert_eq!(matched(&store, &both, "ab").await.unwrap().0, (3_000, 3_002));
    let border_first = format!("{}ab{}ab{}", long("x", 3_999), long("x", 50), long("x", 9_000));
    assert_eq!(matched(&store, &border_first, "ab").await.unwrap().0, (3_999, 4_001));
}

pub(super) async fn case_is_ignored_by_simple_folding(store: Arc<dyn Store>) {
    let pairs = [
        ("ÉCOLE", "école"),
        ("straße", "STRAßE"),
        ("\u{212A}elvin", "kelvin"),
        ("ΣΑΣ", "σας"),
        ("\u{17F}pace", "SPACE"),
        ("Жук", "жУК"),
        ("Ǆ", "ǆ"),
        ("ẞ", "ß"),
    ];
    for (body, q) in pairs {
        let found = matched_twice(&store, body, q).await;
        assert_eq!(found.map(|(_, text)| text).as_deref(), Some(body), "{q:?} in {body:?}");
    }
    for (body, q) in
        [("straße", "strasse"), ("ﬁn", "fin"), ("é", "e"), ("e\u{301}", "é"), ("İ", "i")]
    {
        assert_eq!(matched_twice(&store, body, q).await, None, "{q:?} in {body:?}");
    }
}

pub(super) async fn positions_are_of_the_original(store: Arc<dyn Store>) {
    // Lower-casing İ or upper-casing ß changes the length; positions must not move with it.
    let body = "İİİ ßßß 👩‍👩‍👧 target";
    let start = body.chars().position(|char| char == 't').unwrap() as u64;
    let found = matched_twice(&store, body, "TARGET").await;
    assert_eq!(found, Some(((start, start + 6), "target".to_owned())));
}

pub(super) async fn context_is_trimmed_and_the_match_kept(store: Arc<dyn Store>) {
    for scale in [1, 500] {
        let body = format!("{}match{}", long("b", 20 * scale), long("a", 20 * scale));
        let scope = with_body(&store, "a", &body).await;
        let start = 20 * scale as u64;
        // (before, after, limit) and the expected (start, length).
        let asks = [
            ((4, 6, 100), (start - 4, 15)),
            ((0, 0, 100), (start, 5)),
            ((u32::MAX, 0, 105), (start.saturating_sub(100), 5 + start.min(100))),
            ((10, 10, 15), (start - 5, 15)),
            ((0, 30_000, 12), (start, 12)),
            ((5, 5, 5), (start, 5)),
            ((5, 5, 3), (start, 5)),
        ];
        for ((before, after, limit), (from, length)) in asks {
            let ask = TextRead::Match { q: "MATCH".to_owned(), before, after, limit };
            let found = text(read(&store, &scope, "n", "body", ask).await);
            let shown = (found.start, found.text.chars().count() as u64);
            assert_eq!(shown, (from, length), "{before} before, {after} after, {limit} in all");
            assert_eq!(found.matched, Some((start, start + 5)));
            assert_eq!(found.text, expected(&body, from as usize, length as usize));
        }
    }
}

pub(super) async fn overlapping_prefixes_do_not_hide_a_match(store: Arc<dyn Store>) {
    assert_eq!(matched_twice(&store, "aaaaab", "aaab").await.unwrap().0, (2, 6));
    assert_eq!(matched_twice(&store, "abababac", "ababac").await.unwrap().0, (2, 8));
    for before in [3_996_usize, 3_997, 3_998, 3_999, 4_000] {
        let body = format!("{}aaab{}", long("a", before), long("c", 6_000));
        assert_eq!(matched(&store, &body, "AAAB").await.unwrap().0.0, before as u64);
    }
}

pub(super) async fn an_absent_text_is_no_match(store: Arc<dyn Store>) {
    assert_eq!(matched_twice(&store, "some text", "other").await, None);
    assert_eq!(matched_twice(&store, "", "x").await, None);
    assert_eq!(matched(&store, &long("ab", 9_000), "aab").await, None);
    let split = format!("{}nee{}dle", long("x", 3_997), long("x", 9_000));
    assert_eq!(matched(&store, &split, "needle").await, None);
    let account = Account::open(&store, "a").await;
    account.put("notes", &[note(&long("b", 9_000))]).await;
    let answer = find(&store, &account.scope("notes"), &long("b", 9_001)).await;
    assert_eq!(answer, TextAnswer::NoMatch, "longer than the text");
}

pub(super) async fn signs_of_patterns_are_plain_text(store: Arc<dyn Store>) {
    for q in [".*", "(a+b)?", "[x]", "a|b", "^$", "\\d{2}", "a-b~c&d#e", " \t\n", "{}", "%_'\""] {
        let body = format!("xxab11{q}yy");
        let found = matched_twice(&store, &body, q).await;
        assert_eq!(found.map(|(at, _)| at.0), Some(6), "{q:?}");
        assert_eq!(matched_twice(&store, "xxab11yy", q).await, None, "{q:?} is no pattern");
    }
}

pub(super) async fn a_query_can_be_longer_than_a_chunk_overlap(store: Arc<dyn Store>) {
    let q: String =
        (0..1_000).map(|n| char::from(b'a' + u8::try_from(n * n % 26).unwrap())).collect();
    for before in [0_usize, 3_000, 3_001, 3_500, 3_999, 4_000, 7_777] {
        let body = format!("{}{q}{}", long("-", before), long("-", 5_000));
        let found = matched(&store, &body, &q.to_uppercase()).await;
        assert_eq!(found.map(|(at, _)| at.0), Some(before as u64), "after {before}");
    }
    // Longer than two chunks, so that it can only lie across several borders.
    let huge = long("abcdefghijk", 9_500);
    let body = format!("{}{huge}{}", long("-", 2_222), long("-", 3_000));
    assert_eq!(matched(&store, &body, &huge).await.unwrap().0, (2_222, 11_722));
}
