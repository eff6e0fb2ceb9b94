//! `singer`: the messages of any Singer tap, which describes its streams before it sends records.

use std::collections::BTreeMap;
use std::io;

use pdpp_contract::{ErrorCode, FieldName, Json, JsonObject, SourceDeclaration};
use serde_json::{Value, json};

use super::caps::Caps;
use super::declare::{FoundField, FoundStream, declaration};
use super::row::{Repeats, put};
use super::{Inferred, scan};
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::json_list::each_object;
use crate::record::lenient;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::{Candidate, Claim};
use pdpp_contract::import::Rejected;

/// The messages of a Singer tap.
pub static SINGER: Format = Format {
    name: "singer",
    help: "Read the output of a Singer tap: tap-… | pdpp import singer - --connection NAME",
    reads: "the output of any Singer tap: `tap-x \\| pdpp import singer - --connection x`",
    recognise: Recognise { rank: 15, claims, beside: None, counts: None },
    importer: Importer::Inferred { infer, import, streams: "as the tap says", takes_stream: false },
};

/// Reads the schemas and the last state; the records come in the second round.
fn infer(export: &Export, _: Option<&str>) -> io::Result<Inferred> {
    let mut streams: BTreeMap<String, FoundStream> = BTreeMap::new();
    let (mut state, mut records_before) = (None, false);
    let mut caps = Caps::default();
    let fault = scan(|sink| {
        each_object(export, sink, &|_| true, &mut |_, message, _| {
            match lenient::text(&message, "type") {
                Some("SCHEMA") => {
                    if let Some(found) = found_stream(&message) {
                        let (name, fields) = (found.name.clone(), found.fields.len());
                        streams.insert(name.clone(), found);
                        if !caps.allow_fields(&name, fields) || !caps.allow_tables(streams.len()) {
                            return Err(Stop::Cancelled);
                        }
                    }
                }
                Some("RECORD") => records_before |= streams.is_empty(),
                Some("STATE") => state = message.get("value").map(Json::to_canonical),
                _ => {}
            }
            Ok(())
        })
    })?;
    let no_schema = || "records came without a SCHEMA message before them".to_owned();
    let fault = fault.or_else(|| records_before.then(no_schema));
    let streams = streams.into_values().collect();
    let declaration = declaration("singer", "Singer tap", streams);
    Ok(Inferred { declaration, state, fault, too_much: caps.reached })
}

fn claims(file: &Candidate<'_>) -> Option<Claim> {
    let first = file.first_line();
    let is_schema = first.contains("\"type\"") && first.contains("\"SCHEMA\"");
    (first.starts_with(['{', '[']) && is_schema).then(Claim::file)
}

fn found_stream(message: &JsonObject) -> Option<FoundStream> {
    let name = lenient::text(message, "stream")?.to_owned();
    let schema = lenient::object(message, "schema")?;
    let properties = lenient::object(schema, "properties")?;
    let sound = properties.iter().filter(|(name, _)| FieldName::new(name.as_str()).is_ok());
    let fields: Vec<FoundField> = sound
        .map(|(name, property)| FoundField {
            name: name.clone(),
            heading: None,
            schema: simple_schema(property),
            groups: true,
        })
        .collect();
    let key: Vec<String> = lenient::list(message, "key_properties")
        .iter()
        .filter_map(|key| key.as_str().map(str::to_owned))
        .collect();
    // A key that is no plain field cannot name a record; the row then does.
    let scalar = |name: &String| {
        fields.iter().any(|field| {
            let kinds = field.schema.get("type").map(Value::to_string).unwrap_or_default();
            field.name == *name && !kinds.contains("object") && !kinds.contains("array")
        })
    };
    let key = if key.iter().all(scalar) { key } else { Vec::new() };
    Some(FoundStream { name, fields, key })
}

/// Type and time format: what else a tap writes may be of another draft of JSON Schema.
#[expect(clippy::indexing_slicing, reason = "a member of an object that was just made")]
fn simple_schema(property: &Json) -> Value {
    let Some(property) = property.as_object() else { return json!({}) };
    let mut schema = json!({});
    let known = |name: &str| {
        ["array", "boolean", "integer", "null", "number", "object", "string"].contains(&name)
    };
    match property.get("type") {
        Some(Json::String(name)) if known(name) => schema["type"] = json!(name),
        Some(Json::Array(names)) => {
            let names: Vec<&str> =
                names.iter().filter_map(Json::as_str).filter(|name| known(name)).collect();
            if !names.is_empty() {
                schema["type"] = json!(names);
            }
        }
        _ => {}
    }
    if let Some(format @ ("date" | "date-time")) = lenient::text(property, "format") {
        schema["format"] = json!(format);
    }
    schema
}

/// Reads the records of every stream.
fn import(export: &Export, source: &SourceDeclaration, sink: &mut Sink<'_>) -> Flow {
    let mut repeats = Repeats::default();
    each_object(export, sink, &|_| true, &mut |_, mut message, sink| {
        let reject = |why: &str, message: &JsonObject| {
            let item = Json::Object(message.clone()).to_canonical();
            Rejected::new(ErrorCode::MalformedRecord, why, item.as_bytes())
        };
        match lenient::text(&message, "type") {
            Some("RECORD") => {}
            Some("SCHEMA" | "STATE" | "ACTIVATE_VERSION") => return Ok(()),
            _ => return sink.reject(reject("not a Singer message that is known", &message)),
        }
        let stream = lenient::text(&message, "stream").and_then(|name| source.stream(name));
        let Some(stream) = stream else {
            return sink.reject(reject("no schema came for this stream", &message));
        };
        match message.remove("record") {
            Some(Json::Object(mut data)) => {
                data.retain(|name, _| stream.has_field(name));
                put(stream, data, &mut repeats, sink)
            }
            _ => sink.reject(reject("the message has no record", &message)),
        }
    })
}
