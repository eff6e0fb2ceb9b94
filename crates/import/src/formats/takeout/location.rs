//! `location`: Google's location history: raw positions and the timeline, in every form it had.

use pdpp_contract::{Json, JsonObject};

use super::timeline;
use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::has_ending;
use crate::readers::json_document::{DocumentPart, JsonDocument, read_document};
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/location.json");

/// Google's location history.
pub static FORMAT: Format = Format {
    name: "location",
    help: "Read Google's location history (Takeout, or exported from a phone)",
    reads: "Google's location history: `Records.json`, months of the timeline, and \
            `Timeline.json` or `location-history.json` from a phone",
    recognise: Recognise {
        rank: 81,
        claims: |file| {
            let has = |mark: &str| file.head().contains(mark);
            let is_own = file.ends_with(&[".json"])
                && (has("\"latitudeE7\"") && (has("\"locations\"") || has("\"timelineObjects\""))
                    || has("\"semanticSegments\"")
                    || has("\"rawSignals\"")
                    || has("\"geo:") && has("\"startTime\""));
            is_own.then(Claim::file)
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    export.each(sink, &|name| has_ending(name, ".json"), &mut |_, reader, sink| {
        read_document(reader, sink, &mut read)
    })
}

/// An iPhone writes a list, everything else an object with lists.
fn read(document: &mut JsonDocument<'_>, sink: &mut Sink<'_>) -> DocumentPart {
    if document.is_list()? {
        return document
            .each_object(sink, &mut |segment, sink| timeline::put_segment(&segment, sink));
    }
    let mut any = false;
    document.each_member(sink, &mut |name, document, sink| {
        any |= ["locations", "timelineObjects", "semanticSegments", "rawSignals"].contains(&name);
        match name {
            "locations" => document.each_object(sink, &mut put_location),
            "timelineObjects" => document.each_object(sink, &mut timeline::put_object),
            "semanticSegments" => document
                .each_object(sink, &mut |segment, sink| timeline::put_segment(&segment, sink)),
            "rawSignals" => document.each_object(sink, &mut put_signal),
            _ => document.skip(),
        }
    })?;
    if any { Ok(()) } else { Ok(super::reject(JsonObject::new(), "no location history", sink)?) }
}

/// A position of `Records.json`.
fn put_location(location: JsonObject, sink: &mut Sink<'_>) -> Flow {
    let time =
        lenient::time(&location, "timestamp").or_else(|| lenient::millis(&location, "timestampMs"));
    let (Some(time), Some((latitude, longitude))) = (time, timeline::e7(&location)) else {
        return super::reject(location, "not a position: no time or no place", sink);
    };
    let number = |name| match location.get(name) {
        Some(Json::Number(number)) => Some(Json::Number(number.clone())),
        _ => None,
    };
    let activity = lenient::objects(&location, "activity").next();
    let activity = activity.and_then(|activity| lenient::objects(activity, "activity").next());
    let activity = activity.and_then(|activity| lenient::text(activity, "type"));
    let device = number("deviceTag").map(|device| device.to_canonical());
    let id = content_key(&[
        time.as_bytes(),
        latitude.as_bytes(),
        longitude.as_bytes(),
        device.as_deref().unwrap_or_default().as_bytes(),
    ]);
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("recorded_at", time)
        .json("latitude", Json::Number(latitude))
        .json("longitude", Json::Number(longitude))
        .maybe("activity", activity.map(str::to_ascii_lowercase))
        .maybe("source", lenient::text(&location, "source"))
        .maybe("device", device);
    for (field, member) in [
        ("accuracy_meters", "accuracy"),
        ("altitude_meters", "altitude"),
        ("speed_meters_per_second", "velocity"),
    ] {
        if let Some(value) = number(member) {
            data = data.json(field, value);
        }
    }
    sink.record("points", &id, data)
}

/// A position among the raw signals of a phone. The others, such as lists of networks, are no places.
fn put_signal(signal: JsonObject, sink: &mut Sink<'_>) -> Flow {
    let Some(position) = lenient::object(&signal, "position") else {
        sink.note("signals of a phone that are no positions are left out");
        return Ok(());
    };
    let place = lenient::text(position, "LatLng").or(lenient::text(position, "latLng"));
    let place = place.and_then(timeline::point);
    let (Some(time), Some((latitude, longitude))) = (lenient::time(position, "timestamp"), place)
    else {
        return super::reject(signal, "not a position: no time or no place", sink);
    };
    let id = content_key(&[time.as_bytes(), latitude.as_bytes(), longitude.as_bytes(), b""]);
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("recorded_at", time)
        .json("latitude", Json::Number(latitude))
        .json("longitude", Json::Number(longitude))
        .maybe("source", lenient::text(position, "source"));
    for (field, member) in [
        ("accuracy_meters", "accuracyMeters"),
        ("altitude_meters", "altitudeMeters"),
        ("speed_meters_per_second", "speedMetersPerSecond"),
    ] {
        if let Some(Json::Number(value)) = position.get(member) {
            data = data.json(field, Json::Number(value.clone()));
        }
    }
    sink.record("points", &id, data)
}
