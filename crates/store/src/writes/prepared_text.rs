//! Long texts leave their record's document and are kept in chunks beside it.

use std::collections::BTreeMap;

use pdpp_contract::limits::{
    CHUNK_CHARS, INLINE_FIELD_BYTES, INLINE_RECORD_BYTES, MAX_FIELD_PATH_BYTES,
};
use pdpp_contract::record::TextKind;
use pdpp_contract::{Json, JsonObject};

use crate::text::field_path::push_segment;
use crate::writes::hashing::TextDigest;

/// A text that lives outside its record.
#[derive(Debug, Clone)]
pub struct PreparedText {
    /// JSON pointer from the record's top.
    pub path: String,
    /// A string, or canonical JSON.
    pub kind: TextKind,
    /// Characters.
    pub chars: u64,
    /// Digest of the whole.
    pub digest: TextDigest,
    /// The whole text; cut into chunks when it is written.
    pub text: String,
}

/// A text this short always stays: outside it would take more room, and what scopes compare (times,
/// for the most part) is at hand in every record however wide it is.
const ALWAYS_INLINE_BYTES: usize = 64;

/// Takes long fields out of the record: each one over its limit, then the largest until the rest fits.
pub(crate) fn move_out(data: &mut JsonObject, sizes: BTreeMap<String, usize>) -> Vec<PreparedText> {
    let mut texts = Vec::new();
    let mut left: usize = sizes.values().sum();
    let mut by_size: Vec<(String, usize)> = sizes.into_iter().collect();
    by_size.sort_by(|(name_a, a), (name_b, b)| b.cmp(a).then_with(|| name_a.cmp(name_b)));
    for (name, size) in by_size {
        let fits = size <= INLINE_FIELD_BYTES && left <= INLINE_RECORD_BYTES;
        if fits || size <= ALWAYS_INLINE_BYTES || !data.get(&name).is_some_and(is_text_like) {
            continue;
        }
        if let Some(value) = data.remove(&name) {
            left -= size;
            let mut path = String::new();
            push_segment(&mut path, &name);
            outside(path, value, &mut texts);
        }
    }
    texts
}

/// Numbers and booleans have no windows, so they always stay.
fn is_text_like(value: &Json) -> bool {
    matches!(value, Json::String(_) | Json::Array(_) | Json::Object(_))
}

fn outside(path: String, value: Json, texts: &mut Vec<PreparedText>) {
    match value {
        Json::String(text) => texts.push(PreparedText::new(path, TextKind::String, text)),
        container => {
            let whole = container.to_canonical();
            nested_strings(&path, container, texts);
            texts.push(PreparedText::new(path, TextKind::Json, whole));
        }
    }
}

/// Long strings inside a container are kept a second time on their own, so that a window into one
/// does not have to read its way through the container.
fn nested_strings(path: &str, value: Json, texts: &mut Vec<PreparedText>) {
    let deeper = |segment: &str| {
        let mut deeper = path.to_owned();
        push_segment(&mut deeper, segment);
        deeper
    };
    match value {
        Json::String(text)
            if text.len() > INLINE_FIELD_BYTES && path.len() <= MAX_FIELD_PATH_BYTES =>
        {
            texts.push(PreparedText::new(path.to_owned(), TextKind::String, text));
        }
        Json::Array(items) => {
            for (index, item) in items.into_iter().enumerate() {
                nested_strings(&deeper(&index.to_string()), item, texts);
            }
        }
        Json::Object(members) => {
            for (name, member) in members {
                nested_strings(&deeper(&name), member, texts);
            }
        }
        _ => {}
    }
}

impl PreparedText {
    fn new(path: String, kind: TextKind, text: String) -> Self {
        let chars = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        Self { path, kind, chars, digest: TextDigest::of(&text), text }
    }

    /// The text in chunks of equally many characters.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let chunk_chars = usize::try_from(CHUNK_CHARS).unwrap_or(usize::MAX);
            let end = rest.char_indices().nth(chunk_chars).map_or(rest.len(), |(at, _)| at);
            let (chunk, tail) = rest.split_at(end);
            rest = tail;
            Some(chunk)
        })
    }
}
