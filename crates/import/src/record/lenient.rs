//! Looking into JSON whose shape nobody promised: what is not there or not of its kind is absent.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use pdpp_contract::{Instant, Json, JsonObject};

/// A text that is not empty.
pub fn text<'j>(object: &'j JsonObject, name: &str) -> Option<&'j str> {
    object.get(name).and_then(Json::as_str).filter(|text| !text.is_empty())
}

/// An object.
pub fn object<'j>(object: &'j JsonObject, name: &str) -> Option<&'j JsonObject> {
    object.get(name).and_then(Json::as_object)
}

/// The items of a list; none when there is no list.
pub fn list<'j>(object: &'j JsonObject, name: &str) -> &'j [Json] {
    match object.get(name) {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

/// The objects in a list.
pub fn objects<'j>(object: &'j JsonObject, name: &str) -> impl Iterator<Item = &'j JsonObject> {
    list(object, name).iter().filter_map(Json::as_object)
}

/// Yes or no.
pub fn flag(object: &JsonObject, name: &str) -> Option<bool> {
    match object.get(name) {
        Some(Json::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// A whole number, also when it is written as text.
pub fn whole(object: &JsonObject, name: &str) -> Option<i64> {
    match object.get(name) {
        Some(Json::Number(digits) | Json::String(digits)) => digits.parse().ok(),
        _ => None,
    }
}

/// A time: RFC 3339 as it is, or seconds since 1970 with any number of decimals.
pub fn time(object: &JsonObject, name: &str) -> Option<String> {
    match object.get(name)? {
        Json::String(text) => instant(text).or_else(|| epoch(text)),
        Json::Number(digits) => epoch(digits),
        _ => None,
    }
}

/// A time in milliseconds since 1970.
pub fn millis(object: &JsonObject, name: &str) -> Option<String> {
    Some(Timestamp::from_millisecond(whole(object, name)?).ok()?.to_string())
}

/// A time in microseconds since 1970.
pub fn micros(object: &JsonObject, name: &str) -> Option<String> {
    from_micros(whole(object, name).filter(|micros| *micros > 0)?)
}

/// Microseconds since 1970 as RFC 3339.
pub fn from_micros(micros: i64) -> Option<String> {
    Some(Timestamp::from_microsecond(micros).ok()?.to_string())
}

/// A date or a time as people write it: an instant, or local to a zone. A day begins at midnight.
pub fn local_time(text: &str, zone: &TimeZone) -> Option<String> {
    let text = text.trim();
    let is_day = text.len() == 10;
    if let Some(instant) = instant(text).filter(|_| !is_day) {
        return Some(instant);
    }
    let time = match text.parse::<DateTime>() {
        Ok(time) => time,
        Err(_) => text.replacen(' ', "T", 1).parse::<DateTime>().ok()?,
    };
    Some(time.to_zoned(zone.clone()).ok()?.timestamp().to_string())
}

/// The text, when it is an instant; a missing `T` between date and time is mended.
pub fn instant(text: &str) -> Option<String> {
    let text = text.trim();
    if Instant::parse(text).is_some() {
        return Some(text.to_owned());
    }
    let mended = text.replacen(' ', "T", 1).replace(" UTC", "Z");
    Instant::parse(&mended).map(|_| mended)
}

/// Seconds since 1970 as RFC 3339, cut to microseconds so that a float's last digits do not matter.
pub fn epoch(digits: &str) -> Option<String> {
    if digits.contains(['e', 'E']) {
        // A float in scientific notation; whole seconds are enough.
        let seconds = digits.parse::<f64>().ok().filter(|number| number.abs() < 1e12)?;
        return epoch(&format!("{seconds:.0}"));
    }
    let (seconds, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let seconds: i64 = seconds.parse().ok()?;
    let micros: String = fraction.chars().take_while(char::is_ascii_digit).take(6).collect();
    let micros: i64 = format!("{micros:0<6}").parse().ok()?;
    // Earlier than 1970 the fraction would count backwards, and no export goes there.
    let micros = if seconds < 0 { 0 } else { micros };
    let micros = seconds.checked_mul(1_000_000)?.checked_add(micros)?;
    Some(Timestamp::from_microsecond(micros).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_a_time() {
        assert_eq!(epoch("1700000000.123456789").unwrap(), "2023-11-14T22:13:20.123456Z");
        assert_eq!(epoch("1700000000").unwrap(), "2023-11-14T22:13:20Z");
        assert_eq!(epoch("1.7e9").unwrap(), "2023-11-14T22:13:20Z");
        for bad in ["", "x", "1e99", "99999999999999999999"] {
            assert_eq!(epoch(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_time_may_lack_its_t() {
        assert_eq!(instant("2023-11-14 22:13:20 UTC").unwrap(), "2023-11-14T22:13:20Z");
        assert_eq!(instant("2023-11-14T22:13:20+02:00").unwrap(), "2023-11-14T22:13:20+02:00");
        assert_eq!(instant("soon"), None);
    }
}
