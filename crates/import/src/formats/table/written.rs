//! How people write numbers and dates: decimal commas, days or months first, serial days of a sheet.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};

/// How the cells of a column are written. A declaration names it as `written_as`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellStyle {
    /// `1.234,56`
    DecimalComma,
    /// `1,234.56`
    DecimalPoint,
    /// `24.10.26`
    DayFirst,
    /// `10/24/26`
    MonthFirst,
    /// `2026/10/24`
    YearFirst,
    /// Days since the end of 1899, as spreadsheets count them.
    SerialDay,
}

/// Every way, in the order of preference.
pub const WAYS: [CellStyle; 6] = [
    CellStyle::DecimalPoint,
    CellStyle::DecimalComma,
    CellStyle::DayFirst,
    CellStyle::MonthFirst,
    CellStyle::YearFirst,
    CellStyle::SerialDay,
];

/// What a cell says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StyledValue {
    /// A number as JSON writes it.
    Number(String),
    /// A day.
    Day(Date),
    /// A day and a time of an unnamed zone.
    Moment(DateTime),
}

impl CellStyle {
    /// The name in a declaration.
    pub fn name(self) -> &'static str {
        match self {
            Self::DecimalComma => "decimal-comma",
            Self::DecimalPoint => "decimal-point",
            Self::DayFirst => "day-first",
            Self::MonthFirst => "month-first",
            Self::YearFirst => "year-first",
            Self::SerialDay => "serial-day",
        }
    }

    /// The way of this name.
    pub fn find(name: &str) -> Option<Self> {
        WAYS.into_iter().find(|way| way.name() == name)
    }

    /// What the cell says if it is written this way.
    pub fn read(self, cell: &str) -> Option<StyledValue> {
        match self {
            Self::DecimalComma => number(cell, ',', '.').map(StyledValue::Number),
            Self::DecimalPoint => number(cell, '.', ',').map(StyledValue::Number),
            Self::DayFirst | Self::MonthFirst | Self::YearFirst => self.date(cell),
            Self::SerialDay => serial_day(cell),
        }
    }

    fn date(self, cell: &str) -> Option<StyledValue> {
        let end = cell.find([' ', 'T', ',']).unwrap_or(cell.len());
        let (day, time) = cell.split_at_checked(end)?;
        let separator = day.chars().find(|c| !c.is_ascii_digit())?;
        if !['.', '/', '-'].contains(&separator) {
            return None;
        }
        let parts: Vec<&str> = day.trim_end_matches('.').split(separator).collect();
        let &[first, second, third] = parts.as_slice() else { return None };
        let (year, month, day) = match self {
            Self::DayFirst => (third, second, first),
            Self::MonthFirst => (third, first, second),
            _ => (first, second, third),
        };
        let digits = |text: &str, count: &[usize]| {
            count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let year_digits: &[usize] = if self == Self::YearFirst { &[4] } else { &[2, 4] };
        if !digits(year, year_digits) || !digits(month, &[1, 2]) || !digits(day, &[1, 2]) {
            return None;
        }
        let (number, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        let century: i16 = match (year.len(), number) {
            (2, 70..) => 1900,
            (2, _) => 2000,
            _ => 0,
        };
        let date = Date::new(century + number, month, day).ok()?;
        let time = time.trim_start_matches([' ', 'T', ',']).trim();
        if time.is_empty() {
            return Some(StyledValue::Day(date));
        }
        Some(StyledValue::Moment(date.to_datetime(clock(time)?)))
    }
}

/// Digits with one kind of decimal sign; thousands are grouped by the other sign, a space or an apostrophe.
fn number(cell: &str, decimal: char, other: char) -> Option<String> {
    let (negative, digits) = match (cell.strip_prefix(['-', '\u{2212}']), cell.strip_suffix('-')) {
        (Some(digits), _) | (None, Some(digits)) => (true, digits),
        (None, None) => (false, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let (whole, fraction) = match digits.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let groupings = [other, ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];
    let groups: Vec<&str> = whole.split(groupings).collect();
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = groups.split_first().is_some_and(|(first, rest)| {
        rest.is_empty() || (first.len() <= 3 && rest.iter().all(|group| group.len() == 3))
    });
    let whole = groups.concat();
    let sound = grouped && are_digits(&whole) && fraction.is_none_or(are_digits);
    if !sound || (whole.len() > 1 && whole.starts_with('0')) || cell.len() > 30 {
        return None;
    }
    let sign = if negative { "-" } else { "" };
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    Some(format!("{sign}{whole}{fraction}"))
}

/// `13:45`, `13:45:10`, `1:45 PM`
fn clock(text: &str) -> Option<Time> {
    let small = text.to_ascii_lowercase();
    let (clock, half) = match (small.strip_suffix("am"), small.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim_end(), Some(false)),
        (None, Some(clock)) => (clock.trim_end(), Some(true)),
        (None, None) => (small.as_str(), None),
    };
    let parts: Option<Vec<i8>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let (hour, minute, second) = match parts?.as_slice() {
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let hour = match half {
        Some(after_noon) if (1..=12).contains(&hour) => hour % 12 + if after_noon { 12 } else { 0 },
        Some(_) => return None,
        None => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// Days that spreadsheets of our time contain: 1970 to 2099.
fn serial_day(cell: &str) -> Option<StyledValue> {
    let (days, fraction) = cell.split_once('.').unwrap_or((cell, ""));
    let days: i32 = days.parse().ok().filter(|days| (25_569..=73_050).contains(days))?;
    let date = Date::constant(1899, 12, 30).checked_add(days.days()).ok()?;
    if fraction.is_empty() {
        return Some(StyledValue::Day(date));
    }
    let part: f64 = format!("0.{fraction}").parse().ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a fraction of a day has at most 86,400 seconds"
    )]
    let seconds = (part * 86_400.0).round() as i64;
    Some(StyledValue::Moment(date.at(0, 0, 0, 0).checked_add(seconds.seconds()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_read_as_they_are_written() {
        let number = |text: &str| Some(StyledValue::Number(text.to_owned()));
        assert_eq!(CellStyle::DecimalComma.read("-1.299,00"), number("-1299.00"));
        assert_eq!(CellStyle::DecimalComma.read("1 299,5"), number("1299.5"));
        assert_eq!(CellStyle::DecimalPoint.read("1,299.00"), number("1299.00"));
        assert_eq!(CellStyle::DecimalPoint.read("12-"), number("-12"));
        for bad in ["1.29,00", "007,1", "1,2,3", "", "-", "12,50 EUR"] {
            assert_eq!(CellStyle::DecimalComma.read(bad), None, "{bad}");
        }
        let day = |text: &str| Some(StyledValue::Day(text.parse().unwrap()));
        assert_eq!(CellStyle::DayFirst.read("24.10.26"), day("2026-10-24"));
        assert_eq!(CellStyle::MonthFirst.read("9/3/26"), day("2026-09-03"));
        assert_eq!(CellStyle::MonthFirst.read("24.10.26"), None);
        assert_eq!(CellStyle::DayFirst.read("31.12.99"), day("1999-12-31"));
        assert_eq!(CellStyle::SerialDay.read("46319"), day("2026-10-24"));
        let moment = Some(StyledValue::Moment("2026-10-24T13:45:00".parse().unwrap()));
        assert_eq!(CellStyle::DayFirst.read("24/10/2026 1:45 PM"), moment);
        assert_eq!(CellStyle::YearFirst.read("2026/10/24 13:45"), moment);
    }

    proptest::proptest! {
        #[test]
        fn any_cell_is_read(cell in "[-+0-9.,/: 'TAPMé]{0,24}") {
            for way in WAYS {
                let _ = way.read(&cell);
            }
        }
    }
}
