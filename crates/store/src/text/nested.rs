//! A value inside a container that lives in chunks: found by reading along, never held whole.

use std::io::Read;

use pdpp_contract::{FieldName, Json, JsonObject};
use struson::reader::{JsonReader, JsonStreamReader, ReaderSettings, ValueType};

use crate::text::field_path::{array_index, push_segment};

/// Why the container could not be read as JSON.
pub(crate) type ReaderFault = Box<dyn std::error::Error>;

/// The pointer of a top-level field.
pub(crate) fn top_pointer(field: &FieldName) -> String {
    let mut pointer = String::new();
    push_segment(&mut pointer, field.as_str());
    pointer
}

/// Walks down the path, skipping everything beside it. `None` when the path leads nowhere.
pub(crate) fn find_nested(
    container: impl Read,
    segments: &[String],
) -> Result<Option<Json>, ReaderFault> {
    // Numbers are kept as written, however long; the nesting was checked when they came in.
    let settings = ReaderSettings {
        restrict_number_values: false,
        max_nesting_depth: None,
        ..ReaderSettings::default()
    };
    let mut json = JsonStreamReader::new_custom(container, settings);
    for segment in segments {
        let found = match json.peek()? {
            ValueType::Object => enter_member(&mut json, segment)?,
            ValueType::Array => enter_item(&mut json, segment)?,
            _ => false,
        };
        if !found {
            return Ok(None);
        }
    }
    whole_value(&mut json).map(Some)
}

fn enter_member(json: &mut JsonStreamReader<impl Read>, wanted: &str) -> Result<bool, ReaderFault> {
    json.begin_object()?;
    while json.has_next()? {
        if json.next_name()? == wanted {
            return Ok(true);
        }
        json.skip_value()?;
    }
    Ok(false)
}

fn enter_item(json: &mut JsonStreamReader<impl Read>, wanted: &str) -> Result<bool, ReaderFault> {
    let Some(wanted) = array_index(wanted) else {
        return Ok(false);
    };
    json.begin_array()?;
    let mut at = 0;
    while json.has_next()? {
        if at == wanted {
            return Ok(true);
        }
        json.skip_value()?;
        at += 1;
    }
    Ok(false)
}

/// The value under the reader as a tree.
fn whole_value(json: &mut JsonStreamReader<impl Read>) -> Result<Json, ReaderFault> {
    Ok(match json.peek()? {
        ValueType::Null => {
            json.next_null()?;
            Json::Null
        }
        ValueType::Boolean => Json::Bool(json.next_bool()?),
        ValueType::Number => Json::Number(json.next_number_as_string()?),
        ValueType::String => Json::String(json.next_string()?),
        ValueType::Array => {
            json.begin_array()?;
            let mut items = Vec::new();
            while json.has_next()? {
                items.push(whole_value(json)?);
            }
            json.end_array()?;
            Json::Array(items)
        }
        ValueType::Object => {
            json.begin_object()?;
            let mut members = JsonObject::new();
            while json.has_next()? {
                let name = json.next_name_owned()?;
                members.insert(name, whole_value(json)?);
            }
            json.end_object()?;
            Json::Object(members)
        }
    })
}
