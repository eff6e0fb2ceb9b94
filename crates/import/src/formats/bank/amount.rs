//! Amounts and times as statements write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use pdpp_contract::Json;

/// An amount as a JSON number: with a point, without a plus sign. Some banks write a comma.
pub fn amount(text: &str, is_negative: bool) -> Option<Json> {
    let text = text.trim().trim_start_matches('+');
    let text = match text.rsplit_once(',') {
        Some((whole, cents)) if !cents.contains('.') => {
            format!("{}.{cents}", whole.replace(['.', '\''], ""))
        }
        _ => text.replace([',', '\''], ""),
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    // `.50` and `007.5` are no JSON numbers.
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() || digits.starts_with('.') {
        format!("0{digits}")
    } else {
        digits.to_owned()
    };
    let digits = digits.trim_end_matches('.');
    let sign = if sign == is_negative { "" } else { "-" };
    match Json::parse(&format!("{sign}{digits}")) {
        Ok(number @ Json::Number(_)) => Some(number),
        _ => None,
    }
}

/// `20260131`, `20260131120000`, `20260131120000.000[-5:EST]`: without a zone it is Greenwich's.
pub fn ofx_time(text: &str) -> Option<String> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i16>().ok();
    let small = |from, to| number(from, to).and_then(|number| i8::try_from(number).ok());
    let date = Date::new(number(0, 4)?, small(4, 6)?, small(6, 8)?).ok()?;
    let time = match (small(8, 10), small(10, 12)) {
        (Some(hour), Some(minute)) => {
            Time::new(hour, minute, small(12, 14).unwrap_or(0), 0).ok()?
        }
        _ => Time::midnight(),
    };
    let offset = text.split_once('[').and_then(|(_, zone)| {
        let hours: f64 = zone.split([':', ']']).next()?.parse().ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "it is within a day, or no offset")]
        let seconds = (hours * 3600.0).clamp(-90_000.0, 90_000.0) as i32;
        Offset::from_seconds(seconds).ok()
    });
    let zone = offset.map_or(TimeZone::UTC, TimeZone::fixed);
    Some(DateTime::from_parts(date, time).to_zoned(zone).ok()?.timestamp().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_times_are_read_as_banks_write_them() {
        for (text, number) in [
            ("-12.50", "-12.50"),
            ("+3", "3"),
            (".5", "0.5"),
            ("1.234,56", "1234.56"),
            ("1,234.56", "1234.56"),
            ("-,10", "-0.10"),
            ("0", "0"),
            ("007.10", "7.10"),
        ] {
            assert_eq!(amount(text, false).unwrap().to_canonical(), number, "{text}");
        }
        assert_eq!(amount("12.50", true).unwrap().to_canonical(), "-12.50");
        assert_eq!(amount("twelve", false), None);
        for (text, time) in [
            ("20260131", "2026-01-31T00:00:00Z"),
            ("20260131120000.000[-5:EST]", "2026-01-31T17:00:00Z"),
            ("20260131120000[+5.5:IST]", "2026-01-31T06:30:00Z"),
        ] {
            assert_eq!(ofx_time(text).as_deref(), Some(time));
        }
        assert_eq!(ofx_time("2026"), None);
    }
}
