//! Addresses to cite: where a person can find a record again.

use pdpp_contract::handles::{Handle, Handles, RecordRef};
use pdpp_contract::{Json, JsonObject};

use crate::ids::RECORD_URI;
use crate::ids::unnamed::is_named;

/// Fields in which sources keep a record's own address.
const URL_FIELDS: [&str; 6] = ["url", "permalink", "html_url", "source_url", "link", "href"];
/// Longest address that is taken from a record.
const LONGEST_URL: usize = 1_024;

/// A record's own web address, from the fields that are shown.
pub(crate) fn own_url(data: &JsonObject) -> Option<String> {
    let plain = |url: &&str| {
        (url.starts_with("https://") || url.starts_with("http://"))
            && url.len() <= LONGEST_URL
            && url.chars().all(|c| c.is_ascii_graphic())
    };
    URL_FIELDS
        .iter()
        .filter_map(|name| data.get(*name).and_then(Json::as_str))
        .find(plain)
        .map(str::to_owned)
}

/// Where the record is served: over HTTP when it is, else by its handle.
pub(crate) fn served_at(
    record: &RecordRef,
    base_url: Option<&str>,
    handles: &dyn Handles,
) -> String {
    match base_url {
        Some(base) => {
            let mut out = format!("{}/v1/streams/", base.trim_end_matches('/'));
            encode(record.stream.as_str(), &mut out);
            out.push_str("/records/");
            encode(record.record_id.as_str(), &mut out);
            if is_named(&record.connection_id) {
                out.push_str("?connection_id=");
                encode(record.connection_id.as_str(), &mut out);
            }
            out
        }
        None => match handles.seal(&Handle::Record(record.clone())) {
            Some(handle) => format!("{RECORD_URI}{handle}"),
            None => format!("{RECORD_URI}unknown"),
        },
    }
}

/// Percent-encodes everything but the unreserved characters; a segment of dots only would be a path.
fn encode(text: &str, out: &mut String) {
    let dots = text.bytes().all(|byte| byte == b'.');
    for byte in text.bytes() {
        match byte {
            b'.' if dots => out.push_str("%2E"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
}
