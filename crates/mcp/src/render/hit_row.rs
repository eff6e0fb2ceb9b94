//! A hit as one line: its handle, where it is from, when, who, what, and the passage that helps.

use std::borrow::Cow;

use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK};
use pdpp_contract::roles::by_author;
use pdpp_contract::search::{SearchHit, Snippet};

use crate::ids::unnamed::is_named;
use crate::ids::{RECORD_URI, printed};
use crate::render::one_line::{one_line, quoted};
use crate::render::page_rows::PageRow;
use crate::render::text::Row;

/// The most of a label, of an author and of a title in a row.
const LABEL_CHARS: usize = 24;
const AUTHOR_CHARS: usize = 40;
const TITLE_CHARS: usize = 60;
/// The most of a title in a row that is short.
const SHORT_TITLE_CHARS: usize = 28;
/// The longest passage.
const PASSAGE_CHARS: usize = 480;
/// A row with as much of its passage can be read.
pub(crate) const READABLE_CHARS: usize = 164;

/// The row of a hit.
pub(crate) fn hit_row(number: usize, id: &str, hit: &SearchHit) -> PageRow {
    let mut head = format!("{number}. id={}", printed(id));
    let is_handle = id.starts_with(RECORD_URI);
    if is_handle && is_named(&hit.connection_id) {
        head.push_str(&format!(" connection_id={}", printed(hit.connection_id.as_str())));
    }
    let source = source(hit, is_handle);
    let mut words = vec![source.clone()];
    if is_handle {
        words.push(format!("key={}", quoted(hit.record_key.as_str(), 60)));
    }
    // The day is what people ask for; the instant is in the data.
    words.extend(hit.authored_at.as_deref().and_then(|at| at.get(..10)).map(one_word));
    words.extend(hit.author.as_deref().map(|name| format!("by={}", quoted(name, AUTHOR_CHARS))));
    let title = own_title(hit);
    // A text that is no more than the title is not said twice.
    let tells = |passage: &&Snippet| title.is_none_or(|title| plain(passage) != title);
    let snippet = hit.snippet.as_ref().filter(tells);
    let passage = hit.passage.as_ref().filter(tells).or(snippet);
    let text = passage.map(|passage| plain(passage).into_owned());
    let with = |passage: Option<&Snippet>, title_chars: usize| {
        let mut words = words.clone();
        words.extend(title.map(|title| format!("title={}", quoted(title, title_chars))));
        words.extend(passage.map(word));
        Row { head: head.clone(), words }
    };
    let row = with(passage, TITLE_CHARS);
    let bytes = |passage: &&Snippet| passage.text.len();
    let shortest = snippet.into_iter().chain(passage).min_by_key(bytes);
    let short = Some(with(shortest, SHORT_TITLE_CHARS));
    let short = short.filter(|short| short.natural() < row.natural());
    let last = short.as_ref().unwrap_or(&row).words.last().filter(|_| passage.is_some());
    let least = short.as_ref().unwrap_or(&row).natural() - last.map_or(0, |word| beyond(word));
    let title = title.map(str::to_owned).or(text);
    PageRow { row, short, least, source, title }
}

/// A passage as a word of a row.
fn word(passage: &Snippet) -> String {
    format!("{}={}", place(passage), quoted(&plain(passage), PASSAGE_CHARS))
}

/// Bytes of a passage that a row can do without.
fn beyond(word: &str) -> usize {
    let frame = word.find('"').map_or(0, |at| word.get(..=at).unwrap_or_default().chars().count());
    let kept: usize = word.chars().take(frame + READABLE_CHARS).map(char::len_utf8).sum();
    word.len().saturating_sub(kept + 1 + '…'.len_utf8())
}

/// `gmail "Work mail"`; the id has the stream, unless it is a handle.
fn source(hit: &SearchHit, is_handle: bool) -> String {
    let mut source = one_word(hit.connector_key.as_str());
    if is_handle {
        source = one_word(&format!("{source}/{}", hit.stream));
    }
    if let Some(name) = &hit.display_name {
        source.push_str(&format!(" {}", quoted(name, LABEL_CHARS)));
    }
    source
}

/// What the record is called, unless that is only who wrote it and when.
fn own_title(hit: &SearchHit) -> Option<&str> {
    let made = hit.author.as_deref().zip(hit.authored_at.as_deref());
    let made = made.map(|(author, time)| by_author(author, time));
    hit.title.as_deref().filter(|title| made.as_deref() != Some(*title))
}

/// A passage without its highlights.
fn plain(passage: &Snippet) -> Cow<'_, str> {
    let text = passage.text.as_str();
    if !text.contains(OPEN_MARK) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(OPEN_MARK, "").replace(CLOSE_MARK, ""))
}

/// The field, and the range of it that is shown, unless it is shown whole.
fn place(passage: &Snippet) -> String {
    let field = one_word(&passage.field);
    match (passage.start_chars.zip(passage.end_chars), passage.match_start_chars) {
        _ if passage.complete => field,
        (Some((start, end)), _) => format!("{field}@{start}-{end}"),
        (None, Some(start)) => format!("{field}@{start}"),
        (None, None) => field,
    }
}

/// Text as one word.
pub(crate) fn one_word(text: &str) -> String {
    one_line(text, 60).replace(' ', "_")
}
