//! Field windows as any PDPP server sends them. Numbers that follow from others are computed here:
//! some servers count in other units than they cut in.

use pdpp_contract::envelope::Links;
use pdpp_contract::record::TextKind;
use pdpp_contract::window::{FieldWindow, FieldWindowRequest, FieldWindowTag, Window, WindowField};
use pdpp_contract::{ConnectionId, RecordId, StreamName};
use serde::Deserialize;

use super::records::{WireMeta, named};

/// A window on the wire.
#[derive(Debug, Deserialize)]
pub(in crate::remote) struct WireWindow {
    #[serde(default)]
    connection_id: Option<ConnectionId>,
    #[serde(default)]
    record_id: Option<RecordId>,
    #[serde(default)]
    stream: Option<StreamName>,
    #[serde(default)]
    url: Option<String>,
    field: WireField,
    window: WireSpan,
    #[serde(default)]
    links: Option<Links>,
    #[serde(default)]
    meta: WireMeta,
}

#[derive(Debug, Deserialize)]
struct WireField {
    #[serde(rename = "type", default)]
    kind: Option<TextKind>,
    #[serde(default)]
    mime_type: Option<String>,
    #[serde(default)]
    digest: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WireSpan {
    text: String,
    total_chars: u64,
    start_chars: u64,
    limit_chars: u32,
    #[serde(default)]
    next_cursor: Option<String>,
    #[serde(default)]
    previous_cursor: Option<String>,
    #[serde(default)]
    match_start_chars: Option<u64>,
    #[serde(default)]
    match_end_chars: Option<u64>,
}

impl WireWindow {
    /// The window. `None` when its numbers contradict each other.
    pub(in crate::remote) fn into_window(
        self,
        request: &FieldWindowRequest,
    ) -> Option<FieldWindow> {
        let span = self.window;
        let start = span.start_chars;
        let end = start.checked_add(u64::try_from(span.text.chars().count()).ok()?)?;
        let total = span.total_chars;
        if end > total {
            return None;
        }
        let (has_more, has_previous) = (end < total, start > 0);
        let field = WindowField {
            path: request.field_path.clone(),
            kind: self.field.kind.unwrap_or(TextKind::String),
            mime_type: self.field.mime_type,
            size_chars: total,
            digest: self.field.digest,
        };
        let window = Window {
            total_chars: total,
            start_chars: start,
            end_chars: end,
            limit_chars: span.limit_chars,
            complete: !has_more && !has_previous,
            has_more,
            next_offset_chars: has_more.then_some(end),
            previous_offset_chars: has_previous
                .then(|| start.saturating_sub(span.limit_chars.into())),
            next_cursor: span.next_cursor.filter(|_| has_more),
            previous_cursor: span.previous_cursor.filter(|_| has_previous),
            match_start_chars: span.match_start_chars,
            match_end_chars: span.match_end_chars.map(|at| at.min(end)),
            text: span.text,
        };
        Some(FieldWindow {
            object: FieldWindowTag::FieldWindow,
            stream: self.stream.unwrap_or_else(|| request.stream.clone()),
            record_id: self.record_id.unwrap_or_else(|| request.record_id.clone()),
            connection_id: named(self.connection_id, request.connection_id.as_ref())?,
            url: self.url.unwrap_or_default(),
            field,
            window,
            links: self.links.unwrap_or_default(),
            meta: self.meta.into_meta(),
            number: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use pdpp_contract::window::WindowSelector;

    use super::*;

    fn read(span: &str) -> Option<FieldWindow> {
        let request = FieldWindowRequest {
            stream: StreamName::new("notes").unwrap(),
            record_id: RecordId::new("n1").unwrap(),
            connection_id: ConnectionId::new("cin_1").ok(),
            field_path: "body".to_owned(),
            selector: WindowSelector::Offset(0),
            limit_chars: Some(4),
        };
        let body = format!(
            r#"{{"object":"field_window","stream":"notes","record_id":"n1","url":"/x",
                "field":{{"path":"body","type":"string"}},"window":{span}}}"#
        );
        serde_json::from_str::<WireWindow>(&body).unwrap().into_window(&request)
    }

    #[test]
    fn a_server_that_counts_in_other_units_loses_no_character() {
        let window = read(
            r#"{"text":"🎙🎙🎙🎙","total_chars":12,"start_chars":0,"end_chars":8,"limit_chars":4,
                "complete":false,"has_more":true,"next_offset_chars":8,"previous_offset_chars":null,
                "match_start_chars":null,"match_end_chars":null}"#,
        );
        let window = window.unwrap().window;
        assert_eq!((window.end_chars, window.next_offset_chars), (4, Some(4)));
        assert!(!window.complete && window.has_more);
    }

    #[test]
    fn a_window_that_contradicts_itself_is_none() {
        assert!(
            read(r#"{"text":"abcdef","total_chars":3,"start_chars":0,"limit_chars":9}"#).is_none()
        );
    }
}
