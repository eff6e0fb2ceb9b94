//! The timeline: stays at places and ways between them, as Takeout and as phones write them.

use jiff::Timestamp;
use pdpp_contract::{Instant, Json, JsonObject};

use crate::blobs::content_key;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};

/// A latitude and a longitude as JSON numbers.
pub type Degrees = (String, String);

/// A place in tens of millionths of degrees.
pub fn e7(place: &JsonObject) -> Option<Degrees> {
    let degrees = |name| {
        let whole = lenient::whole(place, name)?;
        // Old exports wrote some numbers beyond the end of a 32-bit one.
        let whole = if whole > 1_800_000_000 { whole - 4_294_967_296 } else { whole };
        let sign = if whole < 0 { "-" } else { "" };
        let (before, after) =
            (whole.unsigned_abs() / 10_000_000, whole.unsigned_abs() % 10_000_000);
        Some(format!("{sign}{before}.{after:07}"))
    };
    Some((degrees("latitudeE7")?, degrees("longitudeE7")?))
}

/// `48.1234567°, 11.7654321°`, or `geo:48.123457,11.765432`
pub fn point(text: &str) -> Option<Degrees> {
    let text = text.strip_prefix("geo:").unwrap_or(text);
    let (latitude, longitude) = text.split_once(',')?;
    let number = |text: &str| {
        let text = text.trim().trim_end_matches('°').trim();
        let is_number = matches!(Json::parse(text), Ok(Json::Number(_)));
        is_number.then(|| text.to_owned())
    };
    Some((number(latitude)?, number(longitude)?))
}

/// Where a stay or a way was, and when.
#[derive(Default)]
struct Span {
    started_at: Option<String>,
    ended_at: Option<String>,
}

impl Span {
    fn of(object: &JsonObject, names: [[&str; 2]; 2]) -> Self {
        let [started_at, ended_at] = names.map(|[name, in_millis]| {
            lenient::time(object, name).or_else(|| lenient::millis(object, in_millis))
        });
        Self { started_at, ended_at }
    }

    fn seconds(&self) -> Option<i64> {
        let time = |text: &Option<String>| text.as_deref().and_then(Instant::parse);
        let seconds = time(&self.ended_at)?.unix_seconds() - time(&self.started_at)?.unix_seconds();
        (seconds >= 0).then_some(seconds)
    }

    fn describe(self, data: RecordFields) -> RecordFields {
        let seconds = self.seconds();
        let data = data.maybe("started_at", self.started_at).maybe("ended_at", self.ended_at);
        match seconds {
            Some(seconds) => data.number("duration_seconds", seconds),
            None => data,
        }
    }
}

fn place(
    data: RecordFields,
    degrees: Option<Degrees>,
    [latitude, longitude]: [&str; 2],
) -> RecordFields {
    match degrees {
        Some((north, east)) => {
            data.json(latitude, Json::Number(north)).json(longitude, Json::Number(east))
        }
        None => data,
    }
}

fn number(data: RecordFields, field: &str, value: Option<&Json>) -> RecordFields {
    match value {
        Some(Json::Number(text) | Json::String(text)) => match Json::parse(text) {
            Ok(number @ Json::Number(_)) => data.json(field, number),
            _ => data,
        },
        _ => data,
    }
}

/// An element of a month of Takeout: a stay or a way.
pub fn put_object(object: JsonObject, sink: &mut Sink<'_>) -> Flow {
    let times = [["startTimestamp", "startTimestampMs"], ["endTimestamp", "endTimestampMs"]];
    let span = |part: &JsonObject| {
        lenient::object(part, "duration")
            .map(|duration| Span::of(duration, times))
            .unwrap_or_default()
    };
    if let Some(visit) = lenient::object(&object, "placeVisit") {
        let empty = JsonObject::new();
        let location = lenient::object(visit, "location").unwrap_or(&empty);
        let stay = Stay {
            place_id: lenient::text(location, "placeId"),
            name: lenient::text(location, "name"),
            address: lenient::text(location, "address"),
            semantic_type: lenient::text(location, "semanticType"),
            degrees: e7(location),
            confidence: visit.get("visitConfidence"),
        };
        return stay.put(span(visit), sink);
    }
    if let Some(way) = lenient::object(&object, "activitySegment") {
        let end = |name| lenient::object(way, name).and_then(e7);
        let points = ["waypointPath", "simplifiedRawPath"].iter().find_map(|name| {
            let path = lenient::object(way, name)?;
            let count = ["waypoints", "points"].map(|name| lenient::list(path, name).len());
            count.into_iter().max().filter(|count| *count > 0)
        });
        let trip = Trip {
            activity: lenient::text(way, "activityType"),
            distance: way.get("distance"),
            ends: [end("startLocation"), end("endLocation")],
            points,
        };
        return trip.put(span(way), sink);
    }
    super::reject(object, "neither a stay nor a way", sink)
}

/// A segment of the timeline that a phone exported.
pub fn put_segment(segment: &JsonObject, sink: &mut Sink<'_>) -> Flow {
    let span = Span::of(segment, [["startTime", ""], ["endTime", ""]]);
    let degrees = |value: Option<&Json>| match value {
        Some(Json::String(text)) => point(text),
        Some(Json::Object(place)) => lenient::text(place, "latLng").and_then(point),
        _ => None,
    };
    if let Some(visit) = lenient::object(segment, "visit") {
        let empty = JsonObject::new();
        let likely = lenient::object(visit, "topCandidate").unwrap_or(&empty);
        let kind = lenient::text(likely, "semanticType");
        let stay = Stay {
            place_id: lenient::text(likely, "placeId").or(lenient::text(likely, "placeID")),
            name: None,
            address: None,
            semantic_type: kind.filter(|kind| !kind.eq_ignore_ascii_case("unknown")),
            degrees: degrees(likely.get("placeLocation")),
            confidence: visit.get("probability"),
        };
        return stay.put(span, sink);
    }
    if let Some(way) = lenient::object(segment, "activity") {
        let likely = lenient::object(way, "topCandidate");
        let trip = Trip {
            activity: likely.and_then(|likely| lenient::text(likely, "type")),
            distance: way.get("distanceMeters"),
            ends: [degrees(way.get("start")), degrees(way.get("end"))],
            points: None,
        };
        return trip.put(span, sink);
    }
    let path = lenient::list(segment, "timelinePath");
    if path.is_empty() {
        sink.note("parts of the timeline that are no stays, ways or positions are left out");
        return Ok(());
    }
    for step in path.iter().filter_map(Json::as_object) {
        let Some((latitude, longitude)) = lenient::text(step, "point").and_then(point) else {
            super::reject(step.clone(), "a position without a place", sink)?;
            continue;
        };
        let time = lenient::time(step, "time").or_else(|| after(&span, step));
        let when = time.as_deref().unwrap_or_default();
        let id =
            content_key(&[when.as_bytes(), latitude.as_bytes(), longitude.as_bytes(), b"path"]);
        let data = RecordFields::default().text("id", &*id).maybe("recorded_at", time.as_deref());
        let data = place(data, Some((latitude, longitude)), ["latitude", "longitude"]);
        sink.record("points", &id, data.text("source", "timeline"))?;
    }
    Ok(())
}

/// An iPhone counts the minutes since the segment began.
fn after(span: &Span, step: &JsonObject) -> Option<String> {
    let minutes = lenient::whole(step, "durationMinutesOffsetFromStartTime")?;
    let start = Instant::parse(span.started_at.as_deref()?)?.unix_seconds();
    let second = start.checked_add(minutes.checked_mul(60)?)?;
    Some(Timestamp::from_second(second).ok()?.to_string())
}

struct Stay<'s> {
    place_id: Option<&'s str>,
    name: Option<&'s str>,
    address: Option<&'s str>,
    semantic_type: Option<&'s str>,
    degrees: Option<Degrees>,
    confidence: Option<&'s Json>,
}

impl Stay<'_> {
    fn put(self, span: Span, sink: &mut Sink<'_>) -> Flow {
        let kind = self.semantic_type.map(|kind| kind.trim_start_matches("TYPE_").to_lowercase());
        let started = span.started_at.clone().unwrap_or_default();
        let spot = self.place_id.or(self.name).unwrap_or_default();
        let (north, east) = self.degrees.clone().unwrap_or_default();
        let id = content_key(&[
            b"stay",
            started.as_bytes(),
            spot.as_bytes(),
            if spot.is_empty() { north.as_bytes() } else { b"" },
            if spot.is_empty() { east.as_bytes() } else { b"" },
        ]);
        let title = self.name.or(kind.as_deref()).or(self.address).unwrap_or("Unknown place");
        let data = RecordFields::default()
            .text("id", &*id)
            .text("title", title)
            .maybe("name", self.name)
            .maybe("address", self.address)
            .maybe("semantic_type", kind.as_deref())
            .maybe("place_id", self.place_id);
        let data = place(data, self.degrees, ["latitude", "longitude"]);
        let data = number(data, "confidence", self.confidence);
        sink.record("visits", &id, span.describe(data))
    }
}

struct Trip<'t> {
    activity: Option<&'t str>,
    distance: Option<&'t Json>,
    ends: [Option<Degrees>; 2],
    points: Option<usize>,
}

impl Trip<'_> {
    fn put(self, span: Span, sink: &mut Sink<'_>) -> Flow {
        let activity = self.activity.map(str::to_lowercase);
        let started = span.started_at.clone().unwrap_or_default();
        let ended = span.ended_at.clone().unwrap_or_default();
        let id = content_key(&[b"trip", started.as_bytes(), ended.as_bytes()]);
        let title = activity.as_deref().unwrap_or("trip").replace('_', " ");
        let data = RecordFields::default()
            .text("id", &*id)
            .text("title", title)
            .maybe("activity", activity.as_deref());
        let [start, end] = self.ends;
        let data = place(data, start, ["start_latitude", "start_longitude"]);
        let data = place(data, end, ["end_latitude", "end_longitude"]);
        let mut data = number(data, "distance_meters", self.distance);
        if let Some(points) = self.points {
            data = data.count("point_count", points);
        }
        sink.record("trips", &id, span.describe(data))
    }
}
