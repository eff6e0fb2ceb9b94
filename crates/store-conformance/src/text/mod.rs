//! Spans of text: exact at every border, in every script, and nothing outside the scope.

mod answers;
mod matching;
mod nested;
mod windows;

use std::sync::Arc;

use pdpp_contract::Json;

use super::sample::{Account, record_id};
use super::{CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::field_path::FieldPath;
use pdpp_store::scope::ReadScope;
use pdpp_store::text::{TextAnswer, TextRead, TextWindow};

pub(super) const CASES: CaseTable = cases![
    windows::windows_around_chunk_borders_are_exact,
    windows::neighbouring_windows_give_the_text_back,
    windows::a_window_at_the_end_is_short_and_beyond_it_empty,
    windows::a_text_of_whole_chunks_has_no_extra_one,
    windows::short_texts_have_the_same_windows,
    windows::a_changed_text_has_a_new_digest,
    windows::control_characters_and_nul_survive,
    matching::the_first_match_is_found_wherever_it_lies,
    matching::a_match_across_a_chunk_border_is_found,
    matching::case_is_ignored_by_simple_folding,
    matching::positions_are_of_the_original,
    matching::context_is_trimmed_and_the_match_kept,
    matching::overlapping_prefixes_do_not_hide_a_match,
    matching::an_absent_text_is_no_match,
    matching::signs_of_patterns_are_plain_text,
    matching::a_query_can_be_longer_than_a_chunk_overlap,
    nested::nested_text_is_read_in_short_containers,
    nested::nested_text_is_read_in_long_containers,
    nested::escaped_segments_name_odd_members,
    nested::missing_segments_are_no_field,
    nested::numbers_beside_the_path_can_be_of_any_size,
    nested::a_container_is_its_canonical_text,
    answers::numbers_booleans_and_null_are_not_text,
    answers::a_hidden_field_is_no_field,
    answers::a_key_in_two_connections_is_ambiguous,
    answers::text_of_a_record_that_left_is_gone,
    answers::an_emptied_field_is_empty_text,
];

/// The same text short enough to stay in the record and long enough to live outside it.
const SCRIPTS: [(&str, &str); 6] = [
    ("ascii", "abcdefghij"),
    ("emoji", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽x"),
    ("marks", "e\u{301}a\u{308}\u{304}o "),
    ("cjk", "漢字かな交じり文。"),
    ("crlf", "line\r\n\tnext\n\r"),
    ("mixed", "a\u{1F600}é\u{10FFFF}\u{80}z"),
];

/// A text of `chars` characters in a script.
fn long(pattern: &str, chars: usize) -> String {
    pattern.chars().cycle().take(chars).collect()
}

/// The span by counting characters.
fn expected(text: &str, start: usize, limit: usize) -> String {
    text.chars().skip(start).take(limit).collect()
}

/// Writes a note with one text and gives its scope.
async fn with_body(store: &Arc<dyn Store>, name: &str, body: &str) -> ReadScope {
    let account = Account::open(store, name).await;
    account.put("notes", &[note(body)]).await;
    account.scope("notes")
}

/// A note whose body is this text.
fn note(body: &str) -> String {
    let text = |text: &str| Json::String(text.to_owned());
    Json::Object([("id".to_owned(), text("n")), ("body".to_owned(), text(body))].into())
        .to_canonical()
}

/// Reads a span: from a character, at most so many.
pub(super) async fn window(
    store: &Arc<dyn Store>,
    scope: &ReadScope,
    id: &str,
    path: &str,
    (start, limit): (u64, u32),
) -> TextAnswer {
    read(store, scope, id, path, TextRead::Range { start, limit }).await
}

/// Looks for a text in the note's body, with little context.
async fn find(store: &Arc<dyn Store>, scope: &ReadScope, q: &str) -> TextAnswer {
    let read_match = TextRead::Match { q: q.to_owned(), before: 3, after: 3, limit: 16_384 };
    read(store, scope, "n", "body", read_match).await
}

async fn read(
    store: &Arc<dyn Store>,
    scope: &ReadScope,
    id: &str,
    path: &str,
    read: TextRead,
) -> TextAnswer {
    let path = FieldPath::parse(path).unwrap();
    store.read_text(scope, &record_id(id), &path, read).await.unwrap()
}

/// The span that must be there.
fn text(answer: TextAnswer) -> TextWindow {
    match answer {
        TextAnswer::Text(window) => window,
        other => panic!("no text: {other:?}"),
    }
}
