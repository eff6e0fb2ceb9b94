//! Windows and matches against counting characters.

use pdpp_contract::Json;
use pdpp_store::ReadScope;
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead, TextWindow};
use pdpp_store_conformance::sample::record_id;
use proptest::prelude::*;

use super::desk::{Desk, runner};

/// Texts from empty to four chunks, with characters of one to four bytes.
fn text() -> impl Strategy<Value = String> {
    let unit = "[a-cA-CéÉ漢😀\n]{1,9}";
    let size = prop_oneof![0_usize..60, 3_900_usize..4_100, 7_950_usize..8_050, 0_usize..16_500];
    (unit, "[a-cé]{0,30}", size).prop_map(|(unit, tail, size)| {
        let body: String = unit.chars().cycle().take(size).collect();
        body + &tail
    })
}

async fn open(desk: &Desk, body: &str) -> ReadScope {
    let account = desk.account().await;
    let string = |text: &str| Json::String(text.to_owned());
    let record = [("id".to_owned(), string("n")), ("body".to_owned(), string(body))].into();
    account.put("notes", &[Json::Object(record).to_canonical()]).await;
    account.scope("notes")
}

async fn read(desk: &Desk, scope: &ReadScope, read: TextRead) -> Option<TextWindow> {
    let path = FieldPath::parse("body").unwrap();
    match desk.store.read_text(scope, &record_id("n"), &path, read).await.unwrap() {
        TextAnswer::Text(window) => Some(window),
        TextAnswer::NoMatch => None,
        other => panic!("{other:?}"),
    }
}

fn cut(text: &str, start: usize, limit: usize) -> String {
    text.chars().skip(start).take(limit).collect()
}

#[test]
fn windows_agree_with_counting_characters() {
    let desk = Desk::new();
    let place = prop_oneof![0_usize..20, 3_995_usize..4_005, 7_995_usize..8_005, 0_usize..17_000];
    let windows = proptest::collection::vec((place.clone(), place), 12);
    runner(40)
        .run(&(text(), windows), |(body, windows)| {
            desk.runtime.block_on(async {
                let scope = open(&desk, &body).await;
                let total = body.chars().count();
                for (start, limit) in windows {
                    let asked = TextRead::Range {
                        start: start as u64,
                        limit: u32::try_from(limit).unwrap(),
                    };
                    let found = read(&desk, &scope, asked).await.unwrap();
                    prop_assert_eq!(found.text, cut(&body, start, limit));
                    prop_assert_eq!(found.start, start.min(total) as u64);
                    prop_assert_eq!(found.total_chars, total as u64);
                }
                Ok(())
            })
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    desk.is_sound();
}

/// The first place where `q` occurs, comparing lower-cased characters one by one.
fn first(body: &[char], q: &[char]) -> Option<usize> {
    let lower = |char: &char| char.to_lowercase().next();
    body.windows(q.len()).position(|part| part.iter().map(lower).eq(q.iter().map(lower)))
}

/// A text with a word put into it that occurs nowhere else, mostly across the border of chunks.
fn text_with_word() -> impl Strategy<Value = (String, String)> {
    let border = prop_oneof![Just(4_000_usize), Just(8_000), Just(12_000), 0_usize..16_500];
    (text(), "[x-zω]{1,9}", border, 0_usize..10).prop_map(|(body, word, border, back)| {
        let place = border.saturating_sub(back);
        let (before, after) = (cut(&body, 0, place), cut(&body, place, usize::MAX));
        (before + &word + &after, word)
    })
}

#[test]
fn matches_agree_with_comparing_characters() {
    let desk = Desk::new();
    let queries = proptest::collection::vec("[a-cA-CéÉ漢😀\n]{1,6}", 4);
    runner(100)
        .run(&(text_with_word(), queries), |((body, word), mut queries)| {
            queries.extend([word.to_uppercase(), word]);
            desk.runtime.block_on(async {
                let scope = open(&desk, &body).await;
                for q in queries {
                    check_match(&desk, &scope, &body, &q).await?;
                }
                Ok(())
            })
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    desk.is_sound();
}

async fn check_match(
    desk: &Desk,
    scope: &ReadScope,
    body: &str,
    q: &str,
) -> Result<(), TestCaseError> {
    let asked = TextRead::Match { q: q.to_owned(), before: 5, after: 5, limit: 16_384 };
    let found = read(desk, scope, asked).await;
    let chars: Vec<char> = body.chars().collect();
    let length = q.chars().count();
    let place = first(&chars, &q.chars().collect::<Vec<char>>());
    let matched = found.as_ref().and_then(|window| window.matched);
    prop_assert_eq!(matched, place.map(|at| (at as u64, (at + length) as u64)), "{:?}", q);
    if let (Some(window), Some(at)) = (found, place) {
        let from = at.saturating_sub(5);
        prop_assert_eq!(window.text, cut(body, from, at - from + length + 5));
    }
    Ok(())
}
