//! The provider's field windows, the plain way: every character counted.

use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::record::TextKind;
use pdpp_contract::window::{
    FieldWindow, FieldWindowRequest, FieldWindowTag, Window, WindowField, WindowSelector,
};
use pdpp_contract::{ApiError, ErrorCode, Json};

use super::Provider;
use super::reading::find;

/// A range: where it begins, how long it is, the limit it was asked with, and the match inside.
struct TextRange {
    start: usize,
    length: usize,
    limit: u32,
    found: Option<(u64, u64)>,
}

pub fn window(provider: &Provider, request: &FieldWindowRequest) -> Result<FieldWindow, ApiError> {
    if provider.without_windows {
        return Err(ApiError::new(ErrorCode::FieldWindowUnsupported, "no field windows here"));
    }
    let connection = request.connection_id.as_ref().map(AsRef::as_ref);
    provider.check(&request.stream, request.connection_id.as_ref())?;
    provider.check_field(&request.field_path, "field")?;
    let record = find(provider, request.stream.as_str(), request.record_id.as_str(), connection)?;
    let (text, kind) = match record.data.as_ref().unwrap().get(&request.field_path) {
        Some(Json::String(text)) => (text.clone(), TextKind::String),
        Some(json @ (Json::Object(_) | Json::Array(_))) => (json.to_canonical(), TextKind::Json),
        _ => return Err(ApiError::new(ErrorCode::FieldNotFound, "no such field").param("field")),
    };
    let digest = format!("sha256:{:016x}", fnv(&text));
    let range = range(request, &text, &digest)?;
    let known = (!provider.without_cursors).then_some(digest);
    Ok(FieldWindow {
        object: FieldWindowTag::FieldWindow,
        stream: request.stream.clone(),
        record_id: request.record_id.clone(),
        connection_id: record.connection_id.clone(),
        url: String::new(),
        field: WindowField {
            path: request.field_path.clone(),
            kind,
            mime_type: (kind == TextKind::Json).then(|| "application/json".to_owned()),
            size_chars: text.chars().count() as u64,
            digest: known.clone(),
        },
        window: cut(&text, &range, known.as_deref()),
        links: Links::default(),
        meta: Meta::default(),
        number: None,
    })
}

fn range(request: &FieldWindowRequest, text: &str, digest: &str) -> Result<TextRange, ApiError> {
    let asked = request.limit_chars;
    let plain =
        |start: usize, limit: u32| TextRange { start, length: limit as usize, limit, found: None };
    match &request.selector {
        WindowSelector::Offset(start) => {
            Ok(plain(usize::try_from(*start).unwrap(), asked.unwrap_or(4096)))
        }
        WindowSelector::Cursor(cursor) => {
            let refuse = |code| ApiError::new(code, "cursor of record and field").param("cursor");
            let parts: Vec<&str> = cursor.split('-').collect();
            let [ahead, at, old, mark] = parts.as_slice() else {
                return Err(refuse(ErrorCode::InvalidCursor));
            };
            if *mark != &digest[7..] {
                return Err(refuse(ErrorCode::StaleCursor));
            }
            let at: usize = at.parse().unwrap();
            let limit = asked.unwrap_or_else(|| old.parse().unwrap());
            if *ahead == "next" {
                return Ok(plain(at, limit));
            }
            let length = (limit as usize).min(at);
            Ok(TextRange { start: at - length, length, limit, found: None })
        }
        WindowSelector::Match { q, before_chars, after_chars } => {
            let at = text.to_lowercase().find(&q.to_lowercase());
            let at =
                at.ok_or_else(|| ApiError::new(ErrorCode::QueryNotFound, "no match").param("q"))?;
            let at = text[..at].chars().count();
            let end = at + q.chars().count();
            // The match is whole, whatever the limit; context takes what is left.
            let spare = (asked.unwrap_or(16_384) as usize).saturating_sub(end - at);
            let before = (before_chars.unwrap() as usize).min(spare);
            let after = (after_chars.unwrap() as usize).min(spare - before);
            let start = at.saturating_sub(before);
            let length = end + after - start;
            let limit = asked.unwrap_or(4096).max(u32::try_from(length).unwrap());
            Ok(TextRange { start, length, limit, found: Some((at as u64, end as u64)) })
        }
    }
}

fn cut(text: &str, range: &TextRange, digest: Option<&str>) -> Window {
    let chars: Vec<char> = text.chars().collect();
    let total = chars.len();
    let start = range.start.min(total);
    let end = (start + range.length).min(total);
    let limit = range.limit;
    let cursor = |ahead: &str, at: usize| Some(format!("{ahead}-{at}-{limit}-{}", &digest?[7..]));
    Window {
        text: chars[start..end].iter().collect(),
        total_chars: total as u64,
        start_chars: start as u64,
        end_chars: end as u64,
        limit_chars: limit,
        complete: start == 0 && end == total,
        has_more: end < total,
        next_offset_chars: (end < total).then_some(end as u64),
        previous_offset_chars: (start > 0).then(|| start.saturating_sub(limit as usize) as u64),
        next_cursor: if end < total { cursor("next", end) } else { None },
        previous_cursor: if start > 0 { cursor("back", start) } else { None },
        match_start_chars: range.found.map(|(start, _)| start),
        match_end_chars: range.found.map(|(_, end)| end),
    }
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
