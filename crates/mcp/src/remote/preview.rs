//! Beginnings of long values, cut here for a provider that serves them whole.

use pdpp_contract::limits::INLINE_FIELD_BYTES;
use pdpp_contract::record::{FieldPreview, Record, TextKind};
use pdpp_contract::{Json, hex};
use sha2::{Digest, Sha256};

/// Cuts every long value that the provider did not cut itself; whether there was one.
pub(super) fn cut(record: &mut Record, preview_chars: u32) -> bool {
    let known: Vec<String> = record.previews.iter().map(|preview| preview.field.clone()).collect();
    let Some(data) = &mut record.data else {
        return false;
    };
    let before = record.previews.len();
    for (field, value) in data.iter_mut().filter(|(field, _)| !known.contains(field)) {
        if let Some(preview) = shortened(field, value, preview_chars) {
            record.previews.push(preview);
        }
    }
    record.previews.len() > before
}

/// Replaces a value that is too long by its beginning, and says what it was.
fn shortened(field: &str, value: &mut Json, preview_chars: u32) -> Option<FieldPreview> {
    let (kind, whole) = match value {
        Json::String(text) if text.len() > INLINE_FIELD_BYTES => {
            (TextKind::String, std::mem::take(text))
        }
        Json::Object(_) | Json::Array(_) => {
            let text = value.to_canonical();
            if text.len() <= INLINE_FIELD_BYTES {
                return None;
            }
            (TextKind::Json, text)
        }
        _ => return None,
    };
    let limit = usize::try_from(preview_chars).unwrap_or(usize::MAX);
    let beginning: String = whole.chars().take(limit).collect();
    let count = |text: &str| u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let preview = FieldPreview {
        field: field.to_owned(),
        kind,
        preview_chars: count(&beginning),
        size_chars: count(&whole),
        size_bytes: u64::try_from(whole.len()).unwrap_or(u64::MAX),
        digest: Some(digest(whole.as_bytes())),
    };
    *value = Json::String(beginning);
    Some(preview)
}

/// The digest of a text, in the form that servers of ours use.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(data: &str, previews: &str) -> Record {
        serde_json::from_str(&format!(
            r#"{{"object":"record","id":"n1","stream":"notes","data":{data},"emitted_at":"",
                "connection_id":"cin_1","previews":{previews}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn long_text_and_long_json_become_beginnings_with_their_size() {
        let text = "é".repeat(5_000);
        let mut record = record(&format!(r#"{{"a":"{text}","b":[{text:?}],"c":"short"}}"#), "[]");
        cut(&mut record, 100);
        let data = record.data.as_ref().unwrap();
        assert_eq!(data["a"], Json::String("é".repeat(100)));
        assert_eq!(data["c"], Json::String("short".to_owned()));
        let sizes: Vec<_> = record.previews.iter().map(|p| (p.size_chars, p.size_bytes)).collect();
        assert_eq!(sizes, [(5_000, 10_000), (5_004, 10_004)]);
    }

    #[test]
    fn what_the_provider_cut_stays_as_it_is() {
        let text = "x".repeat(9_000);
        let preview = r#"[{"field":"a","type":"string","preview_chars":9000,"size_chars":99999,
                          "size_bytes":99999,"digest":"sha256:00"}]"#;
        let mut record = record(&format!(r#"{{"a":"{text}"}}"#), preview);
        let before = record.clone();
        cut(&mut record, 10);
        assert_eq!(record, before);
    }
}
