//! The first place where a text occurs, ignoring case, without holding the whole field.

use pdpp_contract::limits::CHUNK_CHARS;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use rusqlite::Connection;

use super::errors::{corrupt, from_sqlite};
use super::text::ChunkedText;
use super::write_text::CHUNK_BITS;
use crate::error::StoreResult;

const EACH_CHUNK: &str = "
    SELECT chunk_no, text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no";

/// Where `q` first occurs in a text: first character, first after.
pub(super) fn first_in(text: &str, q: &str) -> Option<(u64, u64)> {
    let found = finder(q)?.find(text)?;
    let start = count(text.get(..found.start())?);
    Some((start, start + count(q)))
}

/// Where `q` first occurs in a chunked text. Chunks are looked at one by one; a match across a
/// border is found in the joint of the two.
pub(super) fn first_in_chunks(
    db: &Connection,
    text: &ChunkedText,
    q: &str,
) -> StoreResult<Option<(u64, u64)>> {
    let Some(finder) = finder(q) else {
        return Ok(None);
    };
    let length = count(q);
    let overlap = usize::try_from(length.saturating_sub(1)).unwrap_or(usize::MAX);
    let base = text.text_no << CHUNK_BITS;
    let mut read = db.prepare_cached(EACH_CHUNK).map_err(from_sqlite)?;
    let mut rows = read.query([base, base + (1 << CHUNK_BITS)]).map_err(from_sqlite)?;
    let mut tail = String::new();
    while let Some(row) = rows.next().map_err(from_sqlite)? {
        let chunk_no: i64 = row.get(0).map_err(from_sqlite)?;
        let chunk = row.get_ref(1).map_err(from_sqlite)?;
        let chunk = chunk.as_str().map_err(|_| corrupt("text_chunks", "text", chunk_no))?;
        let chunk_start = u64::try_from(chunk_no - base).unwrap_or(0) * CHUNK_CHARS;

        let tail_chars = count(&tail);
        tail.push_str(first_chars(chunk, overlap));
        if let Some(found) = finder.find(&tail) {
            let start = chunk_start - tail_chars + count(tail.get(..found.start()).unwrap_or(""));
            return Ok(Some((start, start + length)));
        }
        if let Some(found) = finder.find(chunk) {
            let start = chunk_start + count(chunk.get(..found.start()).unwrap_or(""));
            return Ok(Some((start, start + length)));
        }
        if chunk.len() >= overlap * 4 {
            tail.clear();
            tail.push_str(last_chars(chunk, overlap));
        } else {
            // A query longer than a chunk: the joint grows over several chunks.
            tail = joint_tail(&tail, chunk, overlap);
        }
    }
    Ok(None)
}

/// Simple Unicode case folding maps one character to one, so a match has as many as `q`.
fn finder(q: &str) -> Option<Regex> {
    let pattern = regex_syntax_escape(q);
    Regex::builder()
        .syntax(syntax::Config::new().case_insensitive(true).unicode(true))
        .build(&pattern)
        .ok()
}

/// Escapes what a pattern would read as an operator.
fn regex_syntax_escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(char) {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

fn count(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

fn first_chars(text: &str, chars: usize) -> &str {
    let end = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn last_chars(text: &str, chars: usize) -> &str {
    if chars == 0 {
        return "";
    }
    let start = text.char_indices().nth_back(chars - 1).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

/// The last characters of everything before the next chunk. `joint` already ends with the beginning
/// of `chunk`.
fn joint_tail(joint: &str, chunk: &str, overlap: usize) -> String {
    let mut whole = joint.to_owned();
    whole.push_str(chunk.get(first_chars(chunk, overlap).len()..).unwrap_or_default());
    last_chars(&whole, overlap).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_folding_is_unicode_and_positions_are_of_the_original() {
        assert_eq!(first_in("ÀÉÎ straße", "éî"), Some((1, 3)));
        assert_eq!(first_in("200 \u{212A}m", "km"), Some((4, 6)), "the Kelvin sign folds to k");
        assert_eq!(first_in("a.b", "a+b"), None);
        assert_eq!(first_in("x (a+b)*", "(A+B)*"), Some((2, 8)));
    }
}
