//! Windows and matches against counting characters.

use pdpp_contract::Json;
use pdpp_store::ReadScope;
use pdpp_store::conformance::sample::record_id;
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead, TextWindow};
use proptest::prelude::*;

use super::{Desk, runner};

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
                    let asked = TextRead::Range { start: start as u64, limit: limit as u32 };
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

#[test]
fn matches_agree_with_comparing_characters() {
    let desk = Desk::new();
    let queries =
        proptest::collection::vec(("[a-cA-CéÉ漢😀\n]{1,6}", 0_usize..16_500, 1_usize..60), 8);
    runner(40)
        .run(&(text(), queries), |(body, queries)| {
            desk.runtime.block_on(async {
                let scope = open(&desk, &body).await;
                let chars: Vec<char> = body.chars().collect();
                for (drawn, start, length) in queries {
                    let own = cut(&body, start, length).to_uppercase();
                    for q in [drawn, own].into_iter().filter(|q| !q.is_empty()) {
                        let asked =
                            TextRead::Match { q: q.clone(), before: 5, after: 5, limit: 16_384 };
                        let found = read(&desk, &scope, asked).await;
                        let place = first(&chars, &q.chars().collect::<Vec<char>>());
                        let matched = found.as_ref().and_then(|window| window.matched);
                        let expected = place.map(|at| (at as u64, (at + q.chars().count()) as u64));
                        prop_assert_eq!(matched, expected, "{:?}", q);
                        if let (Some(window), Some(at)) = (found, place) {
                            let from = at.saturating_sub(5);
                            let length = at - from + q.chars().count() + 5;
                            prop_assert_eq!(window.text, cut(&body, from, length));
                        }
                    }
                }
                Ok(())
            })
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    desk.is_sound();
}
