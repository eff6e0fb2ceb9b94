//! A JSON document of any size, walked member by member: only one element is held at a time.

use std::io::{self, BufRead, Write};

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};
use struson::reader::{JsonReader, JsonStreamReader, ReaderError, ReaderSettings, ValueType};
use struson::writer::{JsonStreamWriter, JsonWriter, WriterSettings};

use crate::sink::{Flow, Sink, Stop};

/// Largest element that is read.
const MAX_ELEMENT_BYTES: usize = 128 << 20;

/// Why reading a document ends early.
#[derive(Debug)]
pub enum DocumentEnd {
    /// The import stops.
    Stop(Stop),
    /// The document cannot be read on.
    Broken(String),
}

/// What reading a part of a document gives.
pub type DocumentPart<T = ()> = Result<T, DocumentEnd>;

impl From<Stop> for DocumentEnd {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<ReaderError> for DocumentEnd {
    fn from(error: ReaderError) -> Self {
        Self::Broken(error.to_string())
    }
}

/// What is done with a member: its value must be read or skipped.
pub type VisitMember<'v> =
    dyn FnMut(&str, &mut JsonDocument<'_>, &mut Sink<'_>) -> DocumentPart + 'v;
/// What is done with an element of a list.
pub type VisitObject<'v> = dyn FnMut(JsonObject, &mut Sink<'_>) -> Flow + 'v;

/// A document while it is read.
pub struct JsonDocument<'r> {
    json: JsonStreamReader<&'r mut (dyn BufRead + 'r)>,
}

/// Reads one document. Where it is broken, one item says so and nothing more of it is read.
pub fn read_document(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
    read: &mut dyn FnMut(&mut JsonDocument<'_>, &mut Sink<'_>) -> DocumentPart,
) -> Flow {
    let settings = ReaderSettings { restrict_number_values: false, ..ReaderSettings::default() };
    let mut document = JsonDocument { json: JsonStreamReader::new_custom(reader, settings) };
    match read(&mut document, sink) {
        Ok(()) => Ok(()),
        Err(DocumentEnd::Stop(stop)) => Err(stop),
        Err(DocumentEnd::Broken(why)) => {
            let why = format!("cannot be read on: {why}");
            sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]))
        }
    }
}

impl JsonDocument<'_> {
    /// Whether a list follows.
    pub fn is_list(&mut self) -> DocumentPart<bool> {
        Ok(self.json.peek()? == ValueType::Array)
    }

    /// Visits the members of an object. What is no object is skipped.
    pub fn each_member(
        &mut self,
        sink: &mut Sink<'_>,
        visit: &mut VisitMember<'_>,
    ) -> DocumentPart {
        if self.json.peek()? != ValueType::Object {
            return self.skip();
        }
        self.json.begin_object()?;
        while self.json.has_next()? {
            let name = self.json.next_name_owned()?;
            visit(&name, self, sink)?;
        }
        Ok(self.json.end_object()?)
    }

    /// Visits the elements of a list, each where it stands. What is no list is skipped.
    pub fn each_element(
        &mut self,
        sink: &mut Sink<'_>,
        visit: &mut dyn FnMut(&mut Self, &mut Sink<'_>) -> DocumentPart,
    ) -> DocumentPart {
        if self.json.peek()? != ValueType::Array {
            return self.skip();
        }
        self.json.begin_array()?;
        while self.json.has_next()? {
            sink.begin_item();
            visit(self, sink)?;
        }
        Ok(self.json.end_array()?)
    }

    /// Visits the objects of a list; an element that is none is rejected.
    pub fn each_object(
        &mut self,
        sink: &mut Sink<'_>,
        visit: &mut VisitObject<'_>,
    ) -> DocumentPart {
        self.each_element(sink, &mut |document, sink| {
            match document.value()? {
                Json::Object(object) => visit(object, sink)?,
                other => {
                    let item = other.to_canonical();
                    let (code, why) = (ErrorCode::MalformedRecord, "not a JSON object");
                    sink.reject(Rejected::new(code, why, item.as_bytes()))?;
                }
            }
            Ok(())
        })
    }

    /// The value that follows.
    pub fn value(&mut self) -> DocumentPart<Json> {
        let mut bytes = LimitedBytes(Vec::new());
        let settings = WriterSettings { escape_all_control_chars: true, ..Default::default() };
        let mut writer = JsonStreamWriter::new_custom(&mut bytes, settings);
        let broken = |error: &dyn std::fmt::Display| DocumentEnd::Broken(error.to_string());
        self.json.transfer_to(&mut writer).map_err(|error| broken(&error))?;
        writer.finish_document().map_err(|error| broken(&error))?;
        let text = String::from_utf8(bytes.0).map_err(|error| broken(&error))?;
        Json::parse(&text).map_err(|fault| broken(&fault))
    }

    /// Passes over the value that follows.
    pub fn skip(&mut self) -> DocumentPart {
        Ok(self.json.skip_value()?)
    }
}

/// Bytes up to a limit.
struct LimitedBytes(Vec<u8>);

impl Write for LimitedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_ELEMENT_BYTES {
            let why = format!("an item is larger than {} MiB", MAX_ELEMENT_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::DiscardBlobs;
    use crate::sink::ImportSetting;

    fn lists(text: &str) -> (Vec<String>, usize) {
        let mut setting = ImportSetting {
            emitted_at: "2026-01-01T00:00:00Z".to_owned(),
            zone: jiff::tz::TimeZone::UTC,
            blobs: Box::new(DiscardBlobs),
            texts: Box::new(crate::texts::reader::NoTexts),
        };
        let (mut found, mut rejected) = (Vec::new(), 0);
        let mut out = |_| {
            rejected += 1;
            Ok(())
        };
        let mut sink = Sink::new(&mut setting, &mut out);
        read_document(&mut text.as_bytes(), &mut sink, &mut |document, sink| {
            document.each_member(sink, &mut |name, document, sink| match name {
                "wanted" => document.each_object(sink, &mut |object, _| {
                    found.push(Json::Object(object).to_canonical());
                    Ok(())
                }),
                _ => document.skip(),
            })
        })
        .unwrap();
        (found, rejected)
    }

    #[test]
    fn objects_of_an_inner_list_are_found_and_what_is_broken_says_so() {
        let text =
            r#"{"a":[1,{"wanted":[{}]}],"wanted":[{"n":1.50e3,"s":"é\n"},2,{"b":[null]}],"z":0}"#;
        let (found, rejected) = lists(text);
        assert_eq!(found, [r#"{"n":1.50e3,"s":"é\n"}"#, r#"{"b":[null]}"#]);
        assert_eq!(rejected, 1, "the number");
        let (found, rejected) = lists(r#"{"wanted":[{"a":1},{"b":"#);
        assert_eq!((found.len(), rejected), (1, 1));
        assert_eq!(lists("[1]"), (Vec::new(), 0));
    }
}
