//! The whole text of a field, piece by piece: one of hundreds of megabytes is never in memory.

use pdpp_contract::record::{FieldPreview, Record, TextKind};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{Json, ReadApi};
use pdpp_engine::GrantedReader;

use crate::failure::{Exit, Failure};

/// A field that is being read.
pub struct FieldText<'a> {
    reader: &'a GrantedReader,
    record: &'a Record,
    field: &'a str,
    state: State<'a>,
}

enum State<'a> {
    /// It stands in the record.
    Here(&'a Json),
    /// It stands outside; the next piece begins at this character.
    Outside {
        preview: &'a FieldPreview,
        at: u64,
        digest: Option<String>,
    },
    Done,
}

impl<'a> FieldText<'a> {
    /// A field of a record; `None` when the record has no such value.
    pub fn of(reader: &'a GrantedReader, record: &'a Record, field: &'a str) -> Option<Self> {
        let value = record.data.as_ref()?.get(field)?;
        let state = match preview(record, field) {
            Some(preview) => State::Outside { preview, at: 0, digest: preview.digest.clone() },
            None if matches!(value, Json::Null) => return None,
            None => State::Here(value),
        };
        Some(Self { reader, record, field, state })
    }

    /// The next piece; `None` after the last one. Objects and arrays come as JSON.
    pub async fn next(&mut self) -> Result<Option<String>, Failure> {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Done => Ok(None),
            State::Here(Json::String(text)) => Ok(Some(text.clone())),
            State::Here(other) => Ok(Some(other.to_canonical())),
            State::Outside { preview, at, digest } => {
                let request = FieldWindowRequest {
                    stream: self.record.stream.clone(),
                    record_id: self.record.id.clone(),
                    connection_id: Some(self.record.connection_id.clone()),
                    field_path: self.field.to_owned(),
                    selector: WindowSelector::Offset(at),
                    limit_chars: Some(pdpp_contract::limits::MAX_WINDOW_CHARS),
                };
                let answer = self.reader.field_window(request).await?;
                let changed = digest.is_some() && answer.field.digest != digest;
                if changed || answer.window.total_chars != preview.size_chars {
                    let message = "a record changed while it was exported; run it again";
                    return Err(Failure::new(Exit::Other, "changed_meanwhile", message));
                }
                if let Some(at) = answer.window.next_offset_chars {
                    self.state = State::Outside { preview, at, digest: answer.field.digest };
                }
                Ok(Some(answer.window.text))
            }
        }
    }

    /// The whole text, for fields of formats that keep one on a line.
    pub async fn whole(mut self) -> Result<String, Failure> {
        let mut text = String::new();
        while let Some(piece) = self.next().await? {
            text.push_str(&piece);
        }
        Ok(text)
    }
}

/// What a record says of a field that stands outside of it.
pub fn preview<'a>(record: &'a Record, field: &str) -> Option<&'a FieldPreview> {
    record.previews.iter().find(|preview| preview.field == field)
}

/// Whether a field is text rather than an object or array.
pub fn is_string(record: &Record, field: &str, value: &Json) -> bool {
    match preview(record, field) {
        Some(preview) => preview.kind == TextKind::String,
        None => matches!(value, Json::String(_)),
    }
}
