//! `Range`: which bytes of a body a caller wants.

use std::ops::Range;

use axum::http::{HeaderMap, header};

/// What of a body to send.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Everything.
    All,
    /// One range, not empty.
    Part(Range<u64>),
    /// A range that does not exist.
    Nothing,
}

/// Reads `Range` and `If-Range`. What cannot be read, and several ranges at once, mean everything.
pub fn wanted(headers: &HeaderMap, etag: &str, size: u64) -> Wanted {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if text(header::IF_RANGE).is_some_and(|known| known.trim() != etag) {
        return Wanted::All;
    }
    let range = text(header::RANGE).and_then(|text| text.trim().strip_prefix("bytes="));
    match range.and_then(|range| parse(range.trim(), size)) {
        None => Wanted::All,
        Some(range) if range.is_empty() => Wanted::Nothing,
        Some(range) => Wanted::Part(range),
    }
}

fn parse(text: &str, size: u64) -> Option<Range<u64>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match text.split_once('-')? {
        ("", last) => Some(size.saturating_sub(number(last)?)..size),
        (first, "") => Some(number(first)?.min(size)..size),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then(|| first.min(size)..last.saturating_add(1).min(size))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(range: &str) -> Wanted {
        let headers = HeaderMap::from_iter([(header::RANGE, range.parse().unwrap())]);
        wanted(&headers, "\"tag\"", 100)
    }

    #[test]
    fn one_range_is_served_and_nonsense_means_everything() {
        assert_eq!(ask("bytes=0-9"), Wanted::Part(0..10));
        assert_eq!(ask("bytes=90-"), Wanted::Part(90..100));
        assert_eq!(ask("bytes=-7"), Wanted::Part(93..100));
        assert_eq!(ask("bytes=-700"), Wanted::Part(0..100));
        assert_eq!(ask("bytes=95-99999999999999999999"), Wanted::Part(95..100));
        for nothing in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(ask(nothing), Wanted::Nothing, "{nothing}");
        }
        for all in ["bytes=9-0", "bytes=0-1,5-6", "lines=0-1", "bytes=x-", "bytes=-", "bytes"] {
            assert_eq!(ask(all), Wanted::All, "{all}");
        }
    }

    #[test]
    fn a_range_of_another_version_is_not_served() {
        let ask = |known: &str| {
            let known = (header::IF_RANGE, known.parse().unwrap());
            let range = (header::RANGE, "bytes=0-9".parse().unwrap());
            wanted(&HeaderMap::from_iter([known, range]), "\"tag\"", 100)
        };
        assert_eq!(ask("\"tag\""), Wanted::Part(0..10));
        assert_eq!(ask("\"other\""), Wanted::All);
        assert_eq!(ask("W/\"tag\""), Wanted::All);
    }
}
