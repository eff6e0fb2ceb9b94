//! `authorization_details`: what a client asks for by name. The owner may give less, never more.

use pdpp_contract::{AccessMode, ConnectionId, FieldName, Instant, StreamGrant, StreamName};
use serde::Deserialize;
use serde_json::Value;

use super::error::{OauthCode, OauthError};

/// The type of details this server knows.
pub const DETAILS_TYPE: &str = "https://pdpp.dev/data-access";
/// Most entries, and streams in one.
const MAX_ENTRIES: usize = 20;
const MAX_STREAMS: usize = 200;
/// Longest text of the client's that is kept.
const MAX_TEXT: usize = 2_000;

/// One source that a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedAccess {
    /// The kind of source, by its declared id.
    pub source_id: String,
    /// What it is for, as an address.
    pub purpose_code: String,
    /// What it is for, in the client's words.
    pub purpose_description: Option<String>,
    /// How long it says it keeps what it reads, in its own spelling.
    pub retention: Option<String>,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// Which streams; empty means any.
    pub streams: Vec<RequestedStream>,
}

/// One stream that a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedStream {
    /// Its name.
    pub name: StreamName,
    /// The client can do without it.
    pub optional: bool,
    /// Only from these connections; empty means any of the source.
    pub connections: Vec<ConnectionId>,
    /// Only these fields; `None` means any.
    pub fields: Option<Vec<FieldName>>,
    /// Nothing before.
    pub since: Option<Instant>,
    /// Nothing from here on.
    pub until: Option<Instant>,
}

#[derive(Deserialize)]
struct RawEntry {
    r#type: String,
    source: RawSource,
    purpose_code: String,
    #[serde(default)]
    purpose_description: Option<String>,
    #[serde(default)]
    retention: Option<RawRetention>,
    access_mode: AccessMode,
    streams: Vec<RawStream>,
}

#[derive(Deserialize)]
struct RawRetention {
    #[serde(default)]
    max_duration: Option<String>,
}

#[derive(Deserialize)]
struct RawSource {
    id: String,
}

#[derive(Deserialize)]
struct RawStream {
    name: String,
    #[serde(default)]
    necessity: Option<String>,
    #[serde(default, rename = "instance_ids")]
    connection_ids: Vec<ConnectionId>,
    #[serde(default)]
    fields: Option<Vec<FieldName>>,
    #[serde(default)]
    time_range: Option<RawRange>,
    #[serde(default)]
    view: Option<Value>,
    #[serde(default)]
    resources: Option<Value>,
}

#[derive(Deserialize)]
struct RawRange {
    #[serde(default)]
    since: Option<String>,
    #[serde(default)]
    until: Option<String>,
}

const fn invalid(description: &'static str) -> OauthError {
    OauthError::new(OauthCode::InvalidAuthorizationDetails, description)
}

/// Reads the details of a request.
pub(super) fn parse(text: &str) -> Result<Vec<RequestedAccess>, OauthError> {
    let entries: Vec<RawEntry> = serde_json::from_str(text)
        .map_err(|_| invalid("authorization_details cannot be read; see the server's metadata"))?;
    if entries.is_empty() || entries.len() > MAX_ENTRIES {
        return Err(invalid("authorization_details must have 1 to 20 entries"));
    }
    let read: Vec<RequestedAccess> =
        entries.into_iter().map(entry).collect::<Result<_, OauthError>>()?;
    let mode = read.first().map(|entry| entry.access_mode);
    if read.iter().any(|entry| Some(entry.access_mode) != mode) {
        return Err(invalid("all entries of one request need the same access_mode"));
    }
    Ok(read)
}

fn entry(raw: RawEntry) -> Result<RequestedAccess, OauthError> {
    if raw.r#type != DETAILS_TYPE {
        return Err(invalid("an entry's type is not one of authorization_details_types_supported"));
    }
    let absolute = raw.purpose_code.contains(':') && raw.purpose_code.len() <= MAX_TEXT;
    if !absolute || raw.source.id.is_empty() || raw.source.id.len() > MAX_TEXT {
        return Err(invalid("an entry needs source.id and an absolute purpose_code"));
    }
    if raw.streams.is_empty() || raw.streams.len() > MAX_STREAMS {
        return Err(invalid("an entry must name its streams"));
    }
    let any = raw.streams.iter().any(|stream| stream.name == "*");
    let streams = if any && raw.streams.len() == 1 {
        if !raw.streams.iter().all(RawStream::is_bare) {
            return Err(invalid("limits beside the stream * mean nothing here; name the streams"));
        }
        Vec::new()
    } else {
        raw.streams.into_iter().map(stream).collect::<Result<_, _>>()?
    };
    let shown = raw.purpose_description.and_then(|text| super::cleaned::cleaned(&text));
    let retention = raw.retention.and_then(|retention| retention.max_duration);
    Ok(RequestedAccess {
        source_id: raw.source.id,
        purpose_code: raw.purpose_code,
        purpose_description: shown,
        retention: retention.and_then(|text| super::cleaned::cleaned(&text)),
        access_mode: raw.access_mode,
        streams,
    })
}

fn stream(raw: RawStream) -> Result<RequestedStream, OauthError> {
    if raw.view.is_some() || raw.resources.is_some() {
        return Err(invalid("name fields; views and single records are not supported here"));
    }
    if raw.fields.as_ref().is_some_and(Vec::is_empty) {
        return Err(invalid("an empty list of fields means none; leave fields out to ask for all"));
    }
    let bound = |text: Option<String>| match text {
        None => Ok(None),
        Some(text) => {
            Instant::parse(&text).map(Some).ok_or(invalid("a time_range holds RFC 3339 times"))
        }
    };
    let range = raw.time_range.unwrap_or(RawRange { since: None, until: None });
    Ok(RequestedStream {
        name: StreamName::new(raw.name).map_err(|_| invalid("a stream has no usable name"))?,
        optional: raw.necessity.as_deref() == Some("optional"),
        connections: raw.connection_ids,
        fields: raw.fields,
        since: bound(range.since)?,
        until: bound(range.until)?,
    })
}

impl RawStream {
    /// Whether it is a name and nothing else.
    fn is_bare(&self) -> bool {
        self.connection_ids.is_empty()
            && self.fields.is_none()
            && self.time_range.is_none()
            && self.view.is_none()
            && self.resources.is_none()
    }
}

impl RequestedAccess {
    /// Whether what is read would train models, which needs a yes of its own.
    pub fn is_for_training(&self) -> bool {
        let name = self.purpose_code.rsplit(['/', '#', ':']).find(|part| !part.is_empty());
        name.is_some_and(|name| name.eq_ignore_ascii_case("ai_training"))
    }

    /// Whether a resolved stream stays within this entry. `keys` are fields that every grant has.
    pub(super) fn covers(&self, granted: &StreamGrant, keys: &[FieldName]) -> bool {
        self.streams.is_empty() || self.streams.iter().any(|asked| asked.covers(granted, keys))
    }
}

impl RequestedStream {
    fn covers(&self, granted: &StreamGrant, keys: &[FieldName]) -> bool {
        let connections =
            |id: &ConnectionId| self.connections.is_empty() || self.connections.contains(id);
        let field = |name: &FieldName| {
            self.fields.as_ref().is_none_or(|asked| asked.contains(name)) || keys.contains(name)
        };
        // A bound that rolls may leave what was asked for on another day.
        let bound = |text: Option<&String>| text.and_then(|text| Instant::parse(text));
        let limit = granted.time_constraint.as_ref();
        let since = bound(limit.and_then(|limit| limit.since.as_ref()));
        let until = bound(limit.and_then(|limit| limit.until.as_ref()));
        granted.name == self.name
            && granted.connection_ids.iter().all(connections)
            && granted.fields.iter().all(field)
            && self.since.is_none_or(|asked| since.is_some_and(|given| given >= asked))
            && self.until.is_none_or(|asked| until.is_some_and(|given| given <= asked))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn details(stream: &str) -> String {
        format!(
            r#"[{{"type":"{DETAILS_TYPE}","source":{{"id":"https://x.test/mail"}},
            "purpose_code":"https://p.test/x","access_mode":"continuous","streams":[{stream}]}}]"#
        )
    }

    fn granted(fields: &[&str], since: Option<&str>) -> StreamGrant {
        let constraint = since.map(|since| serde_json::json!({"field": "at", "since": since}));
        let mut stream =
            serde_json::json!({"name": "s", "instance_ids": ["cin_1"], "fields": fields});
        if let Some(constraint) = constraint {
            stream["time_constraint"] = constraint;
        }
        serde_json::from_value(stream).unwrap()
    }

    #[test]
    fn the_owner_gives_less_and_never_more() {
        let asked = parse(&details(
            r#"{"name":"s","fields":["body"],"instance_ids":["cin_1"],
                "time_range":{"since":"2026-01-01"}}"#,
        ))
        .unwrap();
        let keys = [FieldName::new("id").unwrap()];
        let covers = |fields: &[&str], since| asked[0].covers(&granted(fields, since), &keys);
        assert!(covers(&["id", "body"], Some("2026-01-01")));
        assert!(covers(&["id"], Some("2026-02-01")));
        assert!(!covers(&["id", "subject"], Some("2026-02-01")));
        assert!(!covers(&["id"], Some("2025-12-31")));
        assert!(!covers(&["id"], None));
        let any = parse(&details(r#"{"name":"*"}"#)).unwrap();
        assert!(any[0].covers(&granted(&["x"], None), &keys));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_oauth_s_word() {
        for bad in [
            "",
            "{}",
            "[]",
            "[{}]",
            &details(""),
            &details(r#"{"name":"a/b"}"#),
            &details(r#"{"name":"s","view":"x"}"#),
            &details(r#"{"name":"s","fields":[]}"#),
            &details(r#"{"name":"*","fields":["a"]}"#),
            &details(r#"{"name":"*","instance_ids":["cin_1"]}"#),
            &details(r#"{"name":"*","time_range":{"since":"2026-01-01"}}"#),
            &details(r#"{"name":"s","time_range":{"since":"soon"}}"#),
            &details(r#"{"name":"s"}"#).replace(DETAILS_TYPE, "other"),
        ] {
            let fault = parse(bad).unwrap_err();
            assert_eq!(fault.code, OauthCode::InvalidAuthorizationDetails, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_stumble(stream in "\\PC{0,80}", whole in "[\\[\\]{}\",:a-z0-9]{0,80}") {
            let told = |text: &str| match parse(text) {
                Ok(_) => true,
                Err(fault) => fault.code == OauthCode::InvalidAuthorizationDetails,
            };
            prop_assert!(told(&details(&stream)) && told(&whole));
        }
    }
}
