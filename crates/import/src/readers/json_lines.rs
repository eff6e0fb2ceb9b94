//! The objects of a file that has one on each line. A broken line is one rejected item.

use std::io::BufRead;

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};

use super::lines::{TextLine, read_text_line};
use crate::sink::{Flow, Sink};

/// Longest line that is read.
const MAX_LINE_BYTES: usize = 128 << 20;

/// Visits the object of every line; blank lines are passed over.
pub fn each_line(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    loop {
        sink.begin_item();
        let line = match read_text_line(reader, MAX_LINE_BYTES) {
            Ok(None) => return Ok(()),
            Ok(Some(line)) => line,
            Err(error) => return sink.unreadable(error),
        };
        match line {
            TextLine::Whole(text) if text.trim().is_empty() => {}
            TextLine::Whole(text) => match Json::parse(text.trim_start_matches('\u{feff}')) {
                Ok(Json::Object(object)) => visit(object, sink)?,
                Ok(_) => sink.reject(malformed("not a JSON object", text.as_bytes()))?,
                Err(fault) => sink.reject(malformed(&fault.to_string(), text.as_bytes()))?,
            },
            TextLine::NotText(bytes) => {
                let why = "not valid UTF-8";
                sink.reject(Rejected::new(ErrorCode::InvalidText, why, &bytes))?;
            }
            TextLine::TooLong(head) => {
                let why = format!("the line is longer than {} MiB", MAX_LINE_BYTES >> 20);
                sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &head))?;
            }
        }
    }
}

fn malformed(why: &str, item: &[u8]) -> Rejected {
    Rejected::new(ErrorCode::MalformedRecord, why, item)
}
