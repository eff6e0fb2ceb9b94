//! The grant's own limits, so that nobody takes what it shows for all there is.

use pdpp_contract::read_api::StreamLimits;
use serde_json::{Map, Value, json};

use crate::ids::printed;
use crate::render::one_line::one_line;

/// Lines about limits; more of them are counted.
const MOST_LINES: usize = 12;
/// Streams that a line names.
const MOST_STREAMS: usize = 4;

/// A limit, and the streams that have it.
pub(crate) struct SharedLimit<'a> {
    limit: &'a StreamLimits,
    streams: Vec<&'a StreamLimits>,
}

/// Streams with equal limits, together.
pub(crate) fn grouped(limits: &[StreamLimits]) -> Vec<SharedLimit<'_>> {
    let mut groups: Vec<SharedLimit<'_>> = Vec::new();
    for limit in limits {
        match groups.iter_mut().find(|group| is_alike(group.limit, limit)) {
            Some(group) => group.streams.push(limit),
            None => groups.push(SharedLimit { limit, streams: vec![limit] }),
        }
    }
    groups
}

fn is_alike(a: &StreamLimits, b: &StreamLimits) -> bool {
    (&a.since, &a.until, a.fields, a.records, &a.expires_at)
        == (&b.since, &b.until, b.fields, b.records, &b.expires_at)
}

/// A line per limit.
pub(crate) fn lines(groups: &[SharedLimit<'_>]) -> String {
    let mut out = "\nThis grant shows a part only:".to_owned();
    for group in groups.iter().take(MOST_LINES) {
        out.push_str(&format!("\n  {}: {}", streams(group), words(group.limit)));
    }
    let more = groups.len().saturating_sub(MOST_LINES);
    if more > 0 {
        out.push_str(&format!("\n  {more} more limits: schema with a connection_id names its own"));
    }
    out
}

fn streams(group: &SharedLimit<'_>) -> String {
    let name = |one: &&StreamLimits| printed(&format!("{}/{}", one.connection_id, one.stream));
    let named: Vec<String> = group.streams.iter().take(MOST_STREAMS).map(name).collect();
    let more = group.streams.len().saturating_sub(MOST_STREAMS);
    let more = if more > 0 { format!(" and {more} more streams") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

fn words(limit: &StreamLimits) -> String {
    let mut words = Vec::new();
    let bound = |word: &str, bound: &Option<String>| {
        bound.as_ref().map(|bound| format!("{word} {}", one_line(bound, 40)))
    };
    let period: Vec<String> =
        bound("from", &limit.since).into_iter().chain(bound("before", &limit.until)).collect();
    if !period.is_empty() {
        words.push(format!("records {}", period.join(" and ")));
    }
    words.extend(limit.fields.map(|count| format!("{count} of its fields")));
    words.extend(limit.records.map(|count| format!("{count} named records")));
    words.extend(bound("until", &limit.expires_at));
    words.join(", ")
}

/// The same as data.
pub(crate) fn data(groups: &[SharedLimit<'_>]) -> Value {
    let entry = |group: &SharedLimit<'_>| {
        let limit = group.limit;
        let mut out = Map::new();
        let streams = group.streams.iter().take(MOST_STREAMS);
        let streams =
            streams.map(|one| json!({"connection_id": one.connection_id, "stream": one.stream}));
        out.insert("streams".to_owned(), streams.collect());
        out.insert("stream_count".to_owned(), json!(group.streams.len()));
        for (name, bound) in
            [("since", &limit.since), ("until", &limit.until), ("expires_at", &limit.expires_at)]
        {
            out.extend(bound.as_ref().map(|bound| (name.to_owned(), json!(bound))));
        }
        for (name, count) in [("field_count", limit.fields), ("record_count", limit.records)] {
            out.extend(count.map(|count| (name.to_owned(), json!(count))));
        }
        Value::Object(out)
    };
    groups.iter().take(MOST_LINES).map(entry).collect()
}
