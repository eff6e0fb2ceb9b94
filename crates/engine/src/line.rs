//! One line of an import or ingest call, from bytes to a record ready to be written.

use std::collections::HashMap;

use pdpp_contract::json::JsonFault;
use pdpp_contract::key::key_part;
use pdpp_contract::limits::MAX_FIELD_BYTES;
use pdpp_contract::record::RecordOp;
use pdpp_contract::{
    ApiError, ErrorCode, FieldName, Instant, Json, JsonObject, RecordId, RecordKey,
    SourceDeclaration, StreamName,
};
use pdpp_store::hashing::HashKey;
use pdpp_store::prepare::{PreparedRecord, RecordWrite, prepare};

use crate::judging::judge;
use crate::validate::CheckedStream;

/// Why a line was refused; the words never repeat its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineFault {
    pub code: ErrorCode,
    pub message: String,
}

impl LineFault {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Checks lines against one source's declaration.
pub(crate) struct LineChecker {
    streams: HashMap<StreamName, CheckedStream>,
    hash_key: HashKey,
}

impl LineChecker {
    pub(crate) fn new(
        declaration: &SourceDeclaration,
        hash_key: HashKey,
    ) -> Result<Self, ApiError> {
        let mut streams = HashMap::new();
        for stream in &declaration.streams {
            streams.insert(stream.name.clone(), CheckedStream::new(declaration, stream)?);
        }
        Ok(Self { streams, hash_key })
    }

    /// Checks one line. `path_stream` is the stream a route already named.
    pub(crate) fn check(
        &self,
        line: Vec<u8>,
        path_stream: Option<&StreamName>,
    ) -> Result<PreparedRecord, LineFault> {
        let envelope = Envelope::parse(line)?;
        let stream = envelope.stream(path_stream)?;
        let Some(checked) = self.streams.get(&stream) else {
            return Err(self.unknown_stream());
        };
        let (key, id) = envelope.key()?;
        let emitted_at = envelope.emitted_at()?;
        let data = match envelope.op()? {
            RecordOp::Delete => None,
            RecordOp::Upsert => Some(checked_data(checked, &key, envelope.data)?),
        };
        let carries = data.as_ref().map(judge).unwrap_or_default();
        let key_order = key.sort_bytes();
        let write = RecordWrite { id, key_order, emitted_at, data, carries };
        Ok(prepare(&checked.shape, &self.hash_key, write))
    }
}

impl LineChecker {
    /// Names what is declared: the slip is usually a letter away.
    fn unknown_stream(&self) -> LineFault {
        let mut names: Vec<&str> = self.streams.keys().map(StreamName::as_str).collect();
        names.sort_unstable();
        let more = names.len().saturating_sub(NAMED_STREAMS);
        names.truncate(NAMED_STREAMS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names.join(", ");
        let message = format!("the declaration has no stream of this name; it has {names}{more}");
        LineFault::new(ErrorCode::InvalidRecord, message)
    }
}

/// The members of a record line.
struct Envelope {
    members: JsonObject,
    data: Option<Json>,
}

const MEMBERS: &[&str] = &["type", "stream", "key", "data", "emitted_at", "op"];
/// Members that a record line has and other people's objects seldom do.
const TELLING: &[&str] = &["stream", "data", "emitted_at", "op"];
/// What to do with a file of plain objects.
const PLAIN_OBJECT: &str = r#"this is a plain object; wrap it as {"type":"RECORD","stream":"…","key":"…","data":{…},"emitted_at":"…"}: see docs/declarations.md"#;
/// Streams named in a refusal.
const NAMED_STREAMS: usize = 10;

impl Envelope {
    fn parse(line: Vec<u8>) -> Result<Self, LineFault> {
        let text = String::from_utf8(line)
            .map_err(|_| LineFault::new(ErrorCode::InvalidText, "the line is not valid UTF-8"))?;
        let json = Json::parse(&text).map_err(|fault| match fault {
            JsonFault::Malformed(_) if has_lone_surrogate(&text) => {
                LineFault::new(ErrorCode::InvalidText, "a string holds half of a surrogate pair")
            }
            fault => LineFault::new(ErrorCode::MalformedRecord, fault.to_string()),
        })?;
        // The line is as large as the record; it must not live on beside it.
        drop(text);
        let Json::Object(mut members) = json else {
            return Err(malformed("the line is not a JSON object"));
        };
        if !members.keys().any(|name| TELLING.contains(&name.as_str())) {
            return Err(malformed(PLAIN_OBJECT));
        }
        if let Some(unknown) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            let shown: String = unknown.chars().filter(|c| !c.is_control()).take(40).collect();
            return Err(malformed(&format!(
                "unknown member {shown:?}; a record line has {}",
                MEMBERS.join(", ")
            )));
        }
        let data = members.remove("data");
        Ok(Self { members, data })
    }

    fn text(&self, name: &str) -> Result<Option<&str>, LineFault> {
        match self.members.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(&format!("{name} must be a string"))),
        }
    }

    fn stream(&self, path_stream: Option<&StreamName>) -> Result<StreamName, LineFault> {
        if self.text("type")?.is_some_and(|kind| kind != "RECORD") {
            return Err(malformed("type must be RECORD"));
        }
        match (self.text("stream")?, path_stream) {
            (Some(own), Some(path)) if own != path.as_str() => {
                Err(malformed("stream disagrees with the address of the call"))
            }
            (_, Some(path)) => Ok(path.clone()),
            (Some(own), None) => StreamName::new(own).map_err(|fault| {
                let long = own.len() > pdpp_contract::limits::MAX_NAME_BYTES;
                let code = if long { ErrorCode::KeyTooLong } else { ErrorCode::MalformedRecord };
                LineFault::new(code, fault.to_string())
            }),
            (None, None) => Err(malformed("stream is missing")),
        }
    }

    fn key(&self) -> Result<(RecordKey, RecordId), LineFault> {
        let key = self.members.get("key").ok_or_else(|| malformed("key is missing"))?;
        let key = RecordKey::from_json(key)
            .ok_or_else(|| malformed("key must be a string or an array of strings"))?;
        if key.parts().iter().any(|part| part.contains('\0')) {
            return Err(LineFault::new(ErrorCode::InvalidText, "key must not contain U+0000"));
        }
        let id =
            key.id().map_err(|fault| LineFault::new(ErrorCode::KeyTooLong, fault.to_string()))?;
        Ok((key, id))
    }

    fn emitted_at(&self) -> Result<String, LineFault> {
        let text = self.text("emitted_at")?.ok_or_else(|| malformed("emitted_at is missing"))?;
        match Instant::parse(text) {
            Some(_) => Ok(text.to_owned()),
            None => {
                Err(malformed("emitted_at must be an RFC 3339 time such as 2026-04-01T09:00:00Z"))
            }
        }
    }

    fn op(&self) -> Result<RecordOp, LineFault> {
        match self.text("op")? {
            None | Some("upsert") => Ok(RecordOp::Upsert),
            Some("delete") => Ok(RecordOp::Delete),
            Some(_) => Err(malformed("op must be upsert or delete")),
        }
    }
}

fn checked_data(
    checked: &CheckedStream,
    key: &RecordKey,
    data: Option<Json>,
) -> Result<JsonObject, LineFault> {
    let Some(Json::Object(mut data)) = data else {
        return Err(LineFault::new(ErrorCode::MalformedRecord, "data must be an object"));
    };
    if let Some(name) = data.keys().find(|name| FieldName::new(name.as_str()).is_err()) {
        let long = name.len() > pdpp_contract::limits::MAX_NAME_BYTES;
        let code = if long { ErrorCode::KeyTooLong } else { ErrorCode::InvalidText };
        return Err(LineFault::new(
            code,
            "a field name is empty, too long or has control characters",
        ));
    }
    if data.values().any(|value| value.as_str().is_some_and(|text| text.len() > MAX_FIELD_BYTES)) {
        return Err(LineFault::new(ErrorCode::FieldTooLarge, "a field is larger than 512 MiB"));
    }
    check_identity(&checked.primary_key, key, &data)?;
    match checked.fault(&mut data) {
        None => Ok(data),
        Some(fault) => Err(LineFault::new(ErrorCode::InvalidRecord, fault)),
    }
}

/// The key must say what the key fields say, part by part.
fn check_identity(
    primary_key: &[FieldName],
    key: &RecordKey,
    data: &JsonObject,
) -> Result<(), LineFault> {
    let refuse = |message: String| Err(LineFault::new(ErrorCode::InvalidRecordIdentity, message));
    if key.parts().len() != primary_key.len() {
        let (wanted, given) = (primary_key.len(), key.parts().len());
        return refuse(format!("key has {given} parts, the stream's key has {wanted}"));
    }
    for (field, part) in primary_key.iter().zip(key.parts()) {
        let value = data.get(field.as_str()).and_then(key_part);
        if value.as_deref() != Some(part.as_str()) {
            return refuse(format!("key disagrees with the field {field}"));
        }
    }
    Ok(())
}

/// Whether a string of the text holds half of a surrogate pair, to name the fault better.
fn has_lone_surrogate(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once('\\') {
        rest = match escaped_unit(tail) {
            Some((0xD800..=0xDBFF, after)) => {
                let low = after.strip_prefix('\\').and_then(escaped_unit);
                let Some((0xDC00..=0xDFFF, after)) = low else { return true };
                after
            }
            Some((0xDC00..=0xDFFF, _)) => return true,
            Some((_, after)) => after,
            // Whatever is escaped is passed over, above all a second backslash.
            None => tail.strip_prefix(|_: char| true).unwrap_or_default(),
        };
    }
    false
}

/// The code unit of `uXXXX`, and what follows it.
fn escaped_unit(tail: &str) -> Option<(u16, &str)> {
    let (digits, after) = tail.strip_prefix('u')?.split_at_checked(4)?;
    Some((u16::from_str_radix(digits, 16).ok()?, after))
}

fn malformed(message: &str) -> LineFault {
    LineFault::new(ErrorCode::MalformedRecord, message)
}
