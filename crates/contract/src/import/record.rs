//! One record on its way in, as checked values.

use crate::error::ErrorCode;
use crate::ids::StreamName;
use crate::import::Rejected;
use crate::instant::Instant;
use crate::json::{Json, JsonFault, JsonObject};
use crate::key::{RecordId, RecordKey};
use crate::limits::{MAX_JSON_DEPTH, MAX_NAME_BYTES};

use super::line::written_line;

/// A record line longer than this is not kept for quarantine: it would be in memory twice.
pub const MAX_LINE_KEPT_BYTES: usize = 1024 * 1024;

/// A record whose envelope is sound; whether its data fits is for its stream to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRecord {
    /// The stream it belongs to.
    pub stream: StreamName,
    /// Its key.
    pub key: RecordKey,
    /// The canonical id of that key.
    pub id: RecordId,
    /// When the producer processed it, as written.
    pub emitted_at: String,
    /// Its fields, numbers as written; `None` takes the record out of the stream.
    pub data: Option<JsonObject>,
    /// The key that an earlier version of the importer gave the same item, if it was another one. A
    /// record that is stored under it goes on there.
    pub former_key: Option<RecordKey>,
    pub(super) line: LineText,
}

/// The text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineText {
    /// The record was never text, or is not what the text said any more.
    Unwritten {
        /// About as many bytes as the record would have as text.
        size_bytes: usize,
    },
    /// It was read from this line.
    Read(Vec<u8>),
    /// It was read from a line of this length, which is too long to be kept.
    Released {
        /// Bytes of the line.
        size_bytes: usize,
    },
}

impl ImportRecord {
    /// A record that an importer has made; `key` has one part for each field of the primary key.
    pub fn new(
        stream: &str,
        key: &[&str],
        emitted_at: &str,
        data: JsonObject,
    ) -> Result<Self, Rejected> {
        let size = Size::of(&data);
        let checked = || {
            if size.depth > MAX_JSON_DEPTH {
                return Err(malformed(&JsonFault::TooDeep.to_string()));
            }
            let stream = stream_name(stream)?;
            let parts = key.iter().map(|part| (*part).to_owned()).collect();
            let (key, id) = record_key(RecordKey::new(parts))?;
            check_time(emitted_at)?;
            Ok((stream, key, id))
        };
        match checked() {
            Ok((stream, key, id)) => {
                let (emitted_at, data) = (emitted_at.to_owned(), Some(data));
                let line = LineText::Unwritten { size_bytes: size.bytes };
                Ok(Self { stream, key, id, emitted_at, data, former_key: None, line })
            }
            Err(rejected) => {
                Err(rejected.with_item(written_line(stream, key, emitted_at, Some(&data))))
            }
        }
    }

    /// Takes a record out of its stream.
    pub fn deletion(stream: &str, key: &[&str], emitted_at: &str) -> Result<Self, Rejected> {
        let stream = stream_name(stream)?;
        let parts = key.iter().map(|part| (*part).to_owned()).collect();
        let (key, id) = record_key(RecordKey::new(parts))?;
        check_time(emitted_at)?;
        let line = LineText::Unwritten { size_bytes: 0 };
        let emitted_at = emitted_at.to_owned();
        Ok(Self { stream, key, id, emitted_at, data: None, former_key: None, line })
    }

    /// About as many bytes as the record has as text.
    pub fn size_bytes(&self) -> usize {
        match &self.line {
            LineText::Read(line) => line.len(),
            LineText::Unwritten { size_bytes } | LineText::Released { size_bytes } => *size_bytes,
        }
    }

    /// The fields, to be changed: the line that they were read from does not say them any more.
    pub fn change_data(&mut self) -> Option<&mut JsonObject> {
        self.line = LineText::Unwritten { size_bytes: self.size_bytes() };
        self.data.as_mut()
    }

    /// Gives the record its former key, also in the field that holds the key. `false` when there is
    /// none, or none that can be used.
    pub fn take_former_key(&mut self, key_field: &str) -> bool {
        let Some(former) = self.former_key.take() else { return false };
        let (Ok(id), [part]) = (former.id(), former.parts()) else { return false };
        let value = Json::String(part.clone());
        let Some(data) = self.change_data() else { return false };
        data.insert(key_field.to_owned(), value);
        (self.key, self.id) = (former, id);
        true
    }

    /// Rejects the record, of which the line is kept.
    #[must_use]
    pub fn reject(self, rejected: Rejected) -> Rejected {
        let line = match self.line {
            LineText::Read(line) => line,
            LineText::Released { .. } => Vec::new(),
            LineText::Unwritten { .. } => {
                let key: Vec<&str> = self.key.parts().iter().map(String::as_str).collect();
                written_line(self.stream.as_str(), &key, &self.emitted_at, self.data.as_ref())
            }
        };
        rejected.with_item(line)
    }
}

pub(super) fn stream_name(name: &str) -> Result<StreamName, Rejected> {
    StreamName::new(name).map_err(|fault| {
        let too_long = name.len() > MAX_NAME_BYTES;
        let code = if too_long { ErrorCode::KeyTooLong } else { ErrorCode::MalformedRecord };
        Rejected::because(code, fault.to_string())
    })
}

pub(super) fn record_key(key: Option<RecordKey>) -> Result<(RecordKey, RecordId), Rejected> {
    let key = key.ok_or_else(|| malformed("key must be a string or an array of strings"))?;
    if key.parts().iter().any(|part| part.contains('\0')) {
        return Err(Rejected::because(ErrorCode::InvalidText, "key must not contain U+0000"));
    }
    let id = key.id().map_err(|fault| Rejected::because(ErrorCode::KeyTooLong, fault.to_string()));
    Ok((key, id?))
}

pub(super) fn check_time(emitted_at: &str) -> Result<(), Rejected> {
    match Instant::parse(emitted_at) {
        Some(_) => Ok(()),
        None => Err(malformed("emitted_at must be an RFC 3339 time such as 2026-04-01T09:00:00Z")),
    }
}

pub(super) fn malformed(message: &str) -> Rejected {
    Rejected::because(ErrorCode::MalformedRecord, message)
}

/// How large data is as text, about, and how deeply it is nested in its line.
#[derive(Default)]
struct Size {
    bytes: usize,
    depth: usize,
}

impl Size {
    fn of(data: &JsonObject) -> Self {
        let mut size = Self::default();
        size.add_object(data, 1);
        size
    }

    fn add_object(&mut self, members: &JsonObject, depth: usize) {
        self.depth = self.depth.max(depth);
        for (name, value) in members {
            self.bytes += name.len() + 4;
            self.add(value, depth + 1);
        }
    }

    fn add(&mut self, json: &Json, depth: usize) {
        self.depth = self.depth.max(depth);
        match json {
            Json::Null | Json::Bool(_) => self.bytes += 5,
            Json::Number(text) | Json::String(text) => self.bytes += text.len() + 2,
            Json::Array(items) => items.iter().for_each(|item| self.add(item, depth + 1)),
            Json::Object(members) => self.add_object(members, depth),
        }
    }
}
