//! Record lines: the text form of a record, read where it enters and written for quarantine.

use super::record::{
    ImportRecord, LineText, MAX_LINE_KEPT_BYTES, check_time, malformed, record_key, stream_name,
};
use crate::error::ErrorCode;
use crate::ids::StreamName;
use crate::import::Rejected;
use crate::json::{Json, JsonFault, JsonObject, write_object, write_string};
use crate::key::RecordKey;
use crate::record::RecordOp;

const MEMBERS: &[&str] = &["type", "stream", "key", "data", "emitted_at", "op"];
/// Members that a record line has and other people's objects seldom do.
const TELLING: &[&str] = &["stream", "data", "emitted_at", "op"];
/// What to do with a file of plain objects.
const PLAIN_OBJECT: &str = r#"this is a plain object; wrap it as {"type":"RECORD","stream":"…","key":"…","data":{…},"emitted_at":"…"}: see docs/declarations.md"#;

impl ImportRecord {
    /// Reads a record line. `path_stream` is the stream that a route already named.
    pub fn parse(line: Vec<u8>, path_stream: Option<&StreamName>) -> Result<Self, Rejected> {
        let size_bytes = line.len();
        let text = match String::from_utf8(line) {
            Ok(text) => text,
            Err(error) => {
                let why = "the line is not valid UTF-8";
                let rejected = Rejected::because(ErrorCode::InvalidText, why);
                return Err(rejected.with_item(kept(error.into_bytes())));
            }
        };
        let json = match Json::parse(&text) {
            Ok(json) => json,
            Err(fault) => return Err(unreadable(&fault, &text).with_item(kept(text.into_bytes()))),
        };
        // The line is as large as the record: a long one must not live on beside it.
        let line = kept(text.into_bytes());
        match Envelope::new(json).and_then(|envelope| envelope.record(path_stream)) {
            Ok(mut record) => {
                let is_kept = size_bytes <= MAX_LINE_KEPT_BYTES;
                record.line =
                    if is_kept { LineText::Read(line) } else { LineText::Released { size_bytes } };
                Ok(record)
            }
            Err(rejected) => Err(rejected.with_item(line)),
        }
    }
}

/// What quarantine keeps of a line: all of it, or nothing when it is too long.
fn kept(line: Vec<u8>) -> Vec<u8> {
    if line.len() <= MAX_LINE_KEPT_BYTES { line } else { Vec::new() }
}

/// The text of a record that an importer made.
pub(super) fn written_line(
    stream: &str,
    key: &[&str],
    emitted_at: &str,
    data: Option<&JsonObject>,
) -> Vec<u8> {
    let mut line = String::from("{\"type\":\"RECORD\",\"stream\":");
    write_string(stream, &mut line);
    line.push_str(",\"key\":");
    match key {
        [key] => write_string(key, &mut line),
        parts => {
            let parts = parts.iter().map(|part| Json::String((*part).to_owned()));
            Json::Array(parts.collect()).write_canonical(&mut line);
        }
    }
    line.push_str(",\"emitted_at\":");
    write_string(emitted_at, &mut line);
    match data {
        Some(data) => {
            line.push_str(",\"data\":");
            write_object(data, &mut line);
        }
        None => line.push_str(",\"op\":\"delete\""),
    }
    line.push('}');
    kept(line.into_bytes())
}

/// The members of a record line.
struct Envelope {
    members: JsonObject,
    data: Option<Json>,
}

impl Envelope {
    fn new(json: Json) -> Result<Self, Rejected> {
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

    fn record(self, path_stream: Option<&StreamName>) -> Result<ImportRecord, Rejected> {
        let stream = self.stream(path_stream)?;
        let key = self.members.get("key").ok_or_else(|| malformed("key is missing"))?;
        let (key, id) = record_key(RecordKey::from_json(key))?;
        let emitted_at = self.text("emitted_at")?;
        let emitted_at = emitted_at.ok_or_else(|| malformed("emitted_at is missing"))?.to_owned();
        check_time(&emitted_at)?;
        let data = match (self.op()?, self.data) {
            (RecordOp::Delete, _) => None,
            (RecordOp::Upsert, Some(Json::Object(data))) => Some(data),
            (RecordOp::Upsert, _) => return Err(malformed("data must be an object")),
        };
        let line = LineText::Unwritten { size_bytes: 0 };
        Ok(ImportRecord { stream, key, id, emitted_at, data, former_key: None, line })
    }

    fn text(&self, name: &str) -> Result<Option<&str>, Rejected> {
        match self.members.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(&format!("{name} must be a string"))),
        }
    }

    fn stream(&self, path_stream: Option<&StreamName>) -> Result<StreamName, Rejected> {
        if self.text("type")?.is_some_and(|kind| kind != "RECORD") {
            return Err(malformed("type must be RECORD"));
        }
        match (self.text("stream")?, path_stream) {
            (Some(own), Some(path)) if own != path.as_str() => {
                Err(malformed("stream disagrees with the address of the call"))
            }
            (_, Some(path)) => Ok(path.clone()),
            (Some(own), None) => stream_name(own),
            (None, None) => Err(malformed("stream is missing")),
        }
    }

    fn op(&self) -> Result<RecordOp, Rejected> {
        match self.text("op")? {
            None | Some("upsert") => Ok(RecordOp::Upsert),
            Some("delete") => Ok(RecordOp::Delete),
            Some(_) => Err(malformed("op must be upsert or delete")),
        }
    }
}

fn unreadable(fault: &JsonFault, text: &str) -> Rejected {
    match fault {
        JsonFault::Malformed(_) if has_lone_surrogate(text) => {
            Rejected::because(ErrorCode::InvalidText, "a string holds half of a surrogate pair")
        }
        fault => malformed(&fault.to_string()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(data: &str) -> String {
        format!(
            r#"{{"type":"RECORD","stream":"a","key":"k","emitted_at":"2026-01-01","data":{data}}}"#
        )
    }

    fn parse(line: &str) -> Result<ImportRecord, Rejected> {
        ImportRecord::parse(line.as_bytes().to_vec(), None)
    }

    fn object(text: &str) -> JsonObject {
        let Ok(Json::Object(object)) = Json::parse(text) else { panic!("{text} is no object") };
        object
    }

    #[test]
    fn a_record_of_values_is_the_record_of_its_line() {
        let data = r#"{"a":1.10,"b":[{"c":"\ud83d\ude00 \n"},null],"big":12345678901234567890123}"#;
        let made = ImportRecord::new("a", &["k"], "2026-01-01", object(data)).unwrap();
        let text = made.clone().reject(malformed("no")).item;
        let read = ImportRecord::parse(text.clone(), None).unwrap();
        assert_eq!((&read.stream, &read.key, &read.id), (&made.stream, &made.key, &made.id));
        assert_eq!((&read.data, &read.emitted_at), (&made.data, &made.emitted_at));
        assert!(String::from_utf8(text).unwrap().contains(r#""a":1.10,"#), "numbers as written");
        let parts = ImportRecord::new("a", &["k", "l"], "2026-01-01", object(data)).unwrap();
        assert_eq!(parts.id.as_str(), r#"["k","l"]"#);
        let read = ImportRecord::parse(parts.clone().reject(malformed("no")).item, None).unwrap();
        assert_eq!(read.key, parts.key);
    }

    #[test]
    fn values_are_rejected_for_what_their_line_would_be_rejected_for() {
        let deep =
            |levels: usize| format!(r#"{{"d":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
        let limit = (1..110).find(|levels| parse(&line(&deep(*levels))).is_err()).unwrap();
        let new = |stream, key: &[&str], time, data: &str| {
            ImportRecord::new(stream, key, time, object(data))
        };
        assert!(new("a", &["k"], "2026-01-01", &deep(limit - 1)).is_ok());
        for (made, code) in [
            (new("a", &["k"], "2026-01-01", &deep(limit)), ErrorCode::MalformedRecord),
            (new("a", &[""], "2026-01-01", "{}"), ErrorCode::MalformedRecord),
            (new("a", &["k"], "today", "{}"), ErrorCode::MalformedRecord),
            (new("", &["k"], "2026-01-01", "{}"), ErrorCode::MalformedRecord),
            (new("a", &["\u{0}"], "2026-01-01", "{}"), ErrorCode::InvalidText),
            (new("a", &[&"k".repeat(600)], "2026-01-01", "{}"), ErrorCode::KeyTooLong),
        ] {
            let made = made.unwrap_err();
            assert_eq!(made.code, code);
            let read = ImportRecord::parse(made.item.clone(), None).unwrap_err();
            assert_eq!((read.code, &read.message), (code, &made.message));
        }
    }

    #[test]
    fn a_line_is_kept_as_it_was_written() {
        let spaced = line("{ \"b\" : 1,  \"a\":2 }");
        let record = parse(&spaced).unwrap();
        assert_eq!(record.size_bytes(), spaced.len());
        assert_eq!(record.clone().reject(malformed("no")).item, spaced.as_bytes());
        let mut changed = record;
        changed.change_data().unwrap().insert("c".to_owned(), Json::Null);
        let rewritten = String::from_utf8(changed.reject(malformed("no")).item).unwrap();
        assert!(rewritten.ends_with(r#""data":{"a":2,"b":1,"c":null}}"#), "{rewritten}");
        let long = line(&format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_LINE_KEPT_BYTES)));
        let record = parse(&long).unwrap();
        assert_eq!(record.size_bytes(), long.len());
        assert!(record.reject(malformed("no")).item.is_empty(), "it would be in memory twice");
    }

    #[test]
    fn only_half_a_surrogate_pair_is_invalid_text() {
        for (text, code) in [
            (r"\ud83d", ErrorCode::InvalidText),
            (r"\ud83dx", ErrorCode::InvalidText),
            (r"\ude00", ErrorCode::InvalidText),
            (r"\ud83d\ude00\ud83d\u0041", ErrorCode::InvalidText),
            (r"\ud83d\ude00", ErrorCode::MalformedRecord),
            (r"C:\\ud83d", ErrorCode::MalformedRecord),
            (r"\é\u00e9\u12", ErrorCode::MalformedRecord),
        ] {
            let rejected = parse(&line(&format!(r#"{{"a":"{text}",,}}"#))).unwrap_err();
            assert_eq!(rejected.code, code, "{text}");
        }
    }
}
