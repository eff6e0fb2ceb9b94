//! The one reading of time: RFC 3339 date-times and plain dates become comparable instants.

use jiff::Timestamp;

/// Longest text that is read as a time. Nobody writes so many decimals, and every place that keeps
/// times has room for this many characters.
const MAX_CHARS: usize = 64;

/// A point in time with nanosecond precision. A plain date is midnight UTC at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Timestamp);

impl Instant {
    /// Reads an RFC 3339 date-time (`2026-04-01T09:00:00+02:00`) or a date (`2026-04-01`).
    ///
    /// `None` for anything else: a date-time without an offset names no instant, and a guess would
    /// make visibility depend on where the server runs.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() > MAX_CHARS {
            return None;
        }
        if bytes.len() == 10 {
            check_digits(bytes, "####-##-##")?;
            return format!("{text}T00:00:00Z").parse().ok().map(Self);
        }
        check_digits(bytes.get(..19)?, "####-##-##T##:##:##")?;
        let rest = text.get(19..)?;
        let (fraction, offset) = split_fraction(rest)?;
        check_offset(offset)?;
        // More digits than nanoseconds are cut, not rounded: order and equality stay stable.
        let fraction = fraction.get(..fraction.len().min(10))?;
        let stem = text.get(..19)?.to_ascii_uppercase();
        format!("{stem}{fraction}{}", offset.to_ascii_uppercase()).parse().ok().map(Self)
    }

    /// Seconds since the Unix epoch, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.0.as_nanosecond().div_euclid(1_000_000_000).try_into().unwrap_or(i64::MIN)
    }

    /// Nanoseconds after [`Self::unix_seconds`], always below one second.
    pub fn nanos(self) -> u32 {
        self.0.as_nanosecond().rem_euclid(1_000_000_000).try_into().unwrap_or(0)
    }

    /// The same instant as a jiff timestamp.
    pub fn timestamp(self) -> Timestamp {
        self.0
    }
}

impl From<Timestamp> for Instant {
    fn from(value: Timestamp) -> Self {
        Self(value)
    }
}

impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// `#` stands for a digit, `T` for either case of itself or a space is not allowed.
fn check_digits(bytes: &[u8], shape: &str) -> Option<()> {
    if bytes.len() != shape.len() {
        return None;
    }
    let fits = bytes.iter().zip(shape.bytes()).all(|(&byte, wanted)| match wanted {
        b'#' => byte.is_ascii_digit(),
        b'T' => byte.eq_ignore_ascii_case(&b'T'),
        other => byte == other,
    });
    fits.then_some(())
}

/// Splits `.123+02:00` into `.123` and `+02:00`.
fn split_fraction(rest: &str) -> Option<(&str, &str)> {
    let Some(digits) = rest.strip_prefix('.') else {
        return Some(("", rest));
    };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| rest.split_at(length + 1))
}

fn check_offset(offset: &str) -> Option<()> {
    if offset.eq_ignore_ascii_case("z") {
        return Some(());
    }
    let sign = offset.as_bytes().first()?;
    if !matches!(sign, b'+' | b'-') {
        return None;
    }
    check_digits(offset.as_bytes().get(1..)?, "##:##")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_name_the_same_instant() {
        let utc = Instant::parse("2026-04-01T07:00:00Z").unwrap();
        assert_eq!(Instant::parse("2026-04-01T09:00:00+02:00"), Some(utc));
        assert_eq!(Instant::parse("2026-04-01t07:00:00z"), Some(utc));
        assert!(Instant::parse("2026-04-01T09:30:00+02:00").unwrap() > utc);
    }

    #[test]
    fn a_date_is_midnight_utc() {
        assert_eq!(Instant::parse("2026-04-01"), Instant::parse("2026-04-01T00:00:00Z"));
        assert_eq!(Instant::parse("1969-12-31").unwrap().unix_seconds(), -86_400);
    }

    #[test]
    fn long_fractions_are_cut_not_refused() {
        let cut = Instant::parse("2026-04-01T07:00:00.123456789999Z").unwrap();
        assert_eq!(cut.nanos(), 123_456_789);
    }

    #[test]
    fn what_is_not_rfc_3339_names_no_instant() {
        for bad in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-30",
            "2026-04-01T07:00:00",
            "2026-04-01 07:00:00Z",
            "2026-04-01T07:00:00+0200",
            "2026-04-01T07:00Z",
            "2026-04-01T07:00:00.Z",
            "Jan 1 2026",
            "20260401",
            "2026-04-01T25:00:00Z",
            "2026-04-01T07:00:00Z[UTC]",
            "２０２６-04-01",
        ] {
            assert_eq!(Instant::parse(bad), None, "{bad:?} was read as a time");
        }
    }

    #[test]
    fn a_text_without_end_names_no_instant() {
        let zeros = |count| format!("2026-04-01T07:00:00.{}Z", "0".repeat(count));
        assert!(Instant::parse(&zeros(40)).is_some());
        assert_eq!(Instant::parse(&zeros(9_000)), None);
    }
}
