//! Windows: every start and length around the borders of chunks.

use std::sync::Arc;

use pdpp_contract::limits::CHUNK_CHARS;
use pdpp_contract::record::TextKind;

use super::super::sample::Account;
use super::{SCRIPTS, expected, long, note, text, window, with_body};
use pdpp_store::Store;
use pdpp_store::hashing::TextDigest;
use pdpp_store::text::TextAnswer;

const CHUNK: usize = 4_000;

pub(super) async fn windows_around_chunk_borders_are_exact(store: Arc<dyn Store>) {
    assert_eq!(CHUNK_CHARS, 4_000, "the borders below are where chunks end");
    for (name, pattern) in SCRIPTS {
        let body = long(pattern, 3 * CHUNK + 1_234);
        let scope = with_body(&store, name, &body).await;
        for border in [0, CHUNK, 2 * CHUNK, 3 * CHUNK, 3 * CHUNK + 1_234] {
            for start in border.saturating_sub(2)..=border + 2 {
                for limit in [0, 1, 2, 3, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1] {
                    let answer =
                        window(&store, &scope, "n", "body", (start as u64, limit as u32)).await;
                    let found = text(answer);
                    let at = format!("{name}, {limit} characters from {start}");
                    assert_eq!(found.text, expected(&body, start, limit), "{at}");
                    assert_eq!(found.start, start.min(3 * CHUNK + 1_234) as u64, "{at}");
                    assert_eq!(found.total_chars, 3 * CHUNK as u64 + 1_234, "{at}");
                    assert_eq!(found.digest, TextDigest::of(&body), "{at}");
                    assert_eq!((found.kind, found.matched), (TextKind::String, None), "{at}");
                }
            }
        }
    }
}

pub(super) async fn neighbouring_windows_give_the_text_back(store: Arc<dyn Store>) {
    for (name, pattern) in SCRIPTS {
        let body = long(pattern, 2 * CHUNK + 777);
        let scope = with_body(&store, name, &body).await;
        for limit in [333, 1_999, 4_000, 4_096, 16_384] {
            let (mut joined, mut start) = (String::new(), 0);
            while start < 2 * CHUNK as u64 + 777 {
                let found = text(window(&store, &scope, "n", "body", (start, limit)).await);
                assert!(!found.text.is_empty(), "{name}: nothing at {start}");
                start += found.text.chars().count() as u64;
                joined.push_str(&found.text);
            }
            assert_eq!(joined, body, "{name}, {limit} characters at a time");
        }
    }
}

pub(super) async fn a_window_at_the_end_is_short_and_beyond_it_empty(store: Arc<dyn Store>) {
    let body = long("é😀x", 9_001);
    let scope = with_body(&store, "a", &body).await;
    for (start, length) in [(9_000, 1), (9_001, 0), (9_002, 0), (u64::MAX, 0)] {
        let found = text(window(&store, &scope, "n", "body", (start, u32::MAX)).await);
        assert_eq!(found.text.chars().count(), length, "from {start}");
        assert_eq!(found.start, start.min(9_001));
        assert_eq!(found.total_chars, 9_001);
    }
}

pub(super) async fn a_text_of_whole_chunks_has_no_extra_one(store: Arc<dyn Store>) {
    let body = long("日本語", 3 * CHUNK);
    let scope = with_body(&store, "a", &body).await;
    let whole = text(window(&store, &scope, "n", "body", (0, u32::MAX)).await);
    assert_eq!(whole.text, body);
    let end = text(window(&store, &scope, "n", "body", (3 * CHUNK as u64, 10)).await);
    assert_eq!((end.text.as_str(), end.start), ("", 3 * CHUNK as u64));
}

pub(super) async fn short_texts_have_the_same_windows(store: Arc<dyn Store>) {
    for (name, pattern) in SCRIPTS {
        let body = long(pattern, 40);
        let scope = with_body(&store, name, &body).await;
        for start in 0..=41 {
            for limit in [0, 1, 7, 100] {
                let found = text(window(&store, &scope, "n", "body", (start, limit)).await);
                assert_eq!(found.text, expected(&body, start as usize, limit as usize), "{name}");
                assert_eq!((found.start, found.total_chars), (start.min(40), 40));
                assert_eq!(found.digest, TextDigest::of(&body));
            }
        }
    }
}

pub(super) async fn a_changed_text_has_a_new_digest(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = account.scope("notes");
    let texts = [long("a", 9_000), long("b", 9_000), "short".to_owned(), long("a", 12_000)];
    let mut digests = Vec::new();
    for body in &texts {
        account.put("notes", &[note(body)]).await;
        let found = text(window(&store, &scope, "n", "body", (0, u32::MAX)).await);
        assert_eq!(found.text, *body, "nothing of the text before is left");
        assert_eq!(found.total_chars, body.chars().count() as u64);
        assert!(!digests.contains(&found.digest.0));
        digests.push(found.digest.0);
    }
    account.put("notes", &[r#"{"id":"n"}"#]).await;
    assert_eq!(window(&store, &scope, "n", "body", (0, 1)).await, TextAnswer::NoField);
}

pub(super) async fn control_characters_and_nul_survive(store: Arc<dyn Store>) {
    let body = long("\0a\u{1}\u{7f}\u{feff}\u{200b}\u{202e}\"\\\u{2028}", 2 * CHUNK + 5);
    let scope = with_body(&store, "a", &body).await;
    let whole = text(window(&store, &scope, "n", "body", (0, u32::MAX)).await);
    assert_eq!(whole.text, body);
    let middle = text(window(&store, &scope, "n", "body", (3_990, 20)).await);
    assert_eq!(middle.text, expected(&body, 3_990, 20));
}
