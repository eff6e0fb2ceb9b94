//! Previews: what a record shows of its long fields, and what it leaves out.

use pdpp_contract::Json;
use pdpp_contract::record::{FieldPreview, Record, TextKind};

/// Characters of a long text that stand in a list.
pub(crate) const PREVIEW_CHARS: u32 = 240;
/// An object or array whose JSON is longer than this many bytes reads as text.
const LONGEST_JSON: usize = 2 * 1024;
/// Text without a space that is at least this long may be encoded bytes.
const ENCODED_CHARS: usize = 200;

/// What a field that is not shown whole holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A string.
    Text,
    /// An object or array, read as JSON.
    Json,
    /// Bytes written as text; not shown, but readable as text on request.
    Encoded,
    /// A reference to bytes that live elsewhere.
    Blob,
}

/// One field of a record that is not shown whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    pub path: String,
    pub holds: Holds,
    pub mime_type: Option<String>,
    /// Characters that are shown.
    pub shown_chars: u64,
    pub size_chars: Option<u64>,
    pub size_bytes: Option<u64>,
    pub digest: Option<String>,
}

/// Cuts a record's long values to `max_chars` and says what was cut, by field name.
///
/// A provider may have cut some already; those stay as they are unless they are still too long.
pub(crate) fn cut(record: &mut Record, max_chars: usize) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let Some(data) = record.data.as_mut() else {
        return cuts;
    };
    for (name, value) in data.iter_mut() {
        let known = record.previews.iter_mut().find(|preview| preview.field == *name);
        if let Some(preview) = known {
            let Json::String(text) = value else { continue };
            *text = shown(text, max_chars);
            preview.preview_chars = chars(text);
            cuts.push(from_preview(preview));
        } else if let Some((preview, holds)) = shorten(name, value, max_chars) {
            cuts.push(Cut { holds, ..from_preview(&preview) });
            record.previews.push(preview);
        } else if let Some(blob) = blob(name, value) {
            cuts.push(blob);
        }
    }
    cuts
}

/// Cuts one value if it is long.
fn shorten(name: &str, value: &mut Json, max_chars: usize) -> Option<(FieldPreview, Holds)> {
    let (kind, text) = match value {
        Json::String(text) if text.chars().nth(max_chars).is_some() || is_encoded(text) => {
            (TextKind::String, std::mem::take(text))
        }
        Json::Object(_) | Json::Array(_) => {
            let longest = LONGEST_JSON.min(max_chars.saturating_mul(16));
            if most_bytes(value) <= longest {
                return None;
            }
            let text = value.to_canonical();
            if text.len() <= longest {
                return None;
            }
            (TextKind::Json, text)
        }
        _ => return None,
    };
    let start = shown(&text, max_chars);
    let holds = match kind {
        TextKind::Json => Holds::Json,
        TextKind::String if start.is_empty() => Holds::Encoded,
        TextKind::String => Holds::Text,
    };
    let preview = FieldPreview {
        field: name.to_owned(),
        kind,
        preview_chars: chars(&start),
        size_chars: chars(&text),
        size_bytes: u64::try_from(text.len()).unwrap_or(u64::MAX),
        digest: None,
    };
    *value = Json::String(start);
    Some((preview, holds))
}

/// Bytes that a value's JSON cannot exceed, without writing it down: a byte becomes six at most.
fn most_bytes(value: &Json) -> usize {
    match value {
        Json::Null | Json::Bool(_) => 6,
        Json::Number(text) => text.len() + 1,
        Json::String(text) => 6 * text.len() + 3,
        Json::Array(items) => 3 + items.iter().map(most_bytes).sum::<usize>(),
        Json::Object(members) => {
            let each = |(name, value): (&String, &Json)| 6 * name.len() + 3 + most_bytes(value);
            3 + members.iter().map(each).sum::<usize>()
        }
    }
}

fn from_preview(preview: &FieldPreview) -> Cut {
    let json = preview.kind == TextKind::Json;
    let holds = match (json, preview.preview_chars) {
        (true, _) => Holds::Json,
        (false, 0) => Holds::Encoded,
        (false, _) => Holds::Text,
    };
    Cut {
        path: preview.field.clone(),
        holds,
        mime_type: json.then(|| "application/json".to_owned()),
        shown_chars: preview.preview_chars,
        size_chars: Some(preview.size_chars),
        size_bytes: Some(preview.size_bytes),
        digest: preview.digest.clone(),
    }
}

/// A reference to stored bytes, as PDPP records write it.
fn blob(name: &str, value: &Json) -> Option<Cut> {
    let members = value.as_object()?;
    members.get("blob_id")?.as_str()?;
    let text = |name: &str| members.get(name).and_then(Json::as_str).map(str::to_owned);
    let size_bytes = match members.get("size_bytes") {
        Some(Json::Number(number)) => number.parse().ok(),
        _ => None,
    };
    Some(Cut {
        path: name.to_owned(),
        holds: Holds::Blob,
        mime_type: text("mime_type"),
        shown_chars: 0,
        size_chars: None,
        size_bytes,
        digest: text("sha256").map(|hex| format!("sha256:{hex}")),
    })
}

/// The beginning of a text; nothing of it when it looks like encoded bytes.
fn shown(text: &str, max_chars: usize) -> String {
    let start: String = text.chars().take(max_chars).collect();
    if is_encoded(&start) { String::new() } else { start }
}

/// Whether text is bytes in base64: long, without a space, in that alphabet and of mixed letters.
fn is_encoded(text: &str) -> bool {
    let body = text.split_once("base64,").map_or(text, |(_, body)| body);
    let body = body.trim_end_matches('=');
    body.len() >= ENCODED_CHARS.min(PREVIEW_CHARS as usize)
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_'))
        && body.bytes().any(|b| b.is_ascii_digit())
        && body.bytes().any(|b| b.is_ascii_uppercase())
        && body.bytes().any(|b| b.is_ascii_lowercase())
}

fn chars(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}
