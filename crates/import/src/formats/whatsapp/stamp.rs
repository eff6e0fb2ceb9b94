//! The date and time at the beginning of a line, as phones of many languages write them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::date_order::DateOrder;

/// Words for the two halves of a day, in small letters.
const BEFORE_NOON: [&str; 8] = ["a. m.", "a.m.", "am", "vorm.", "午前", "上午", "오전", "ص"];
const AFTER_NOON: [&str; 8] = ["p. m.", "p.m.", "pm", "nachm.", "午後", "下午", "오후", "م"];

/// A date and time whose order of day, month and year is not decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The three numbers of the date as written.
    pub date: [i16; 3],
    /// Whether the first of them is a year.
    pub year_first: bool,
    /// Whether the time names a half of the day.
    pub has_half: bool,
    /// Whether the numbers are separated by slashes.
    pub slashes: bool,
    clock: [i8; 3],
}

/// The stamp of a line and what stands after it; `None` when the line begins otherwise.
pub fn read_stamp(line: &str) -> Option<(Stamp, &str)> {
    let mut at = Cursor(line);
    at.skip(is_mark);
    let bracket = at.eat("[");
    let (first, digits) = at.number(4)?;
    let separator = at.separator()?;
    let (second, _) = at.number(2)?;
    at.separator().filter(|other| *other == separator)?;
    let (third, _) = at.number(4)?;
    at.eat(".");
    at.skip(|c| matches!(c, ',' | '،' | ' ' | '\u{a0}' | '\u{202f}') || is_mark(c));
    let mut half = at.half();
    at.skip(is_space);
    let (hour, _) = at.number(2)?;
    let minute = at.clock_part()?;
    let second_of_minute = at.clock_part().unwrap_or(0);
    at.skip(is_space);
    half = half.or_else(|| at.half());
    if bracket {
        at.eat("]").then_some(())?;
    } else {
        at.skip(is_space);
        (at.eat("- ") || at.eat("– ") || at.eat("-\u{a0}")).then_some(())?;
    }
    at.skip(|c| is_space(c) || is_mark(c));
    let hour = i8::try_from(hour).ok()?;
    let hour = match half {
        None => hour,
        Some(false) => {
            if hour == 12 {
                0
            } else {
                hour
            }
        }
        Some(true) => {
            if hour < 12 {
                hour + 12
            } else {
                hour
            }
        }
    };
    let stamp = Stamp {
        date: [first, second, third],
        year_first: digits == 4,
        has_half: half.is_some(),
        slashes: separator == '/',
        clock: [hour, minute, second_of_minute],
    };
    Some((stamp, at.0))
}

impl Stamp {
    /// The date's year, month and day by an order.
    pub fn civil(&self, order: DateOrder) -> [i16; 3] {
        let [first, second, third] = self.date;
        let order = if self.year_first { DateOrder::YearFirst } else { order };
        let [year, month, day] = match order {
            DateOrder::YearFirst => [first, second, third],
            DateOrder::DayFirst => [third, second, first],
            DateOrder::MonthFirst => [third, first, second],
        };
        let year = match year {
            0..=99 => 2000 + year,
            // The Buddhist calendar of Thai phones.
            2400.. => year - 543,
            _ => year,
        };
        [year, month, day]
    }

    /// The instant, when the date exists. Phones write the time of their place.
    pub fn instant(&self, order: DateOrder, zone: &TimeZone) -> Option<String> {
        let [year, month, day] = self.civil(order);
        let [hour, minute, second] = self.clock;
        let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        let time = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
        Some(time.to_zoned(zone.clone()).ok()?.timestamp().to_string())
    }
}

/// Marks for the direction of writing, and the byte order mark.
pub fn is_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}')
}

/// The rest of a line.
struct Cursor<'l>(&'l str);

impl Cursor<'_> {
    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(what);
    }

    fn eat(&mut self, what: &str) -> bool {
        match self.0.strip_prefix(what) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// A number of at most so many digits, and how many it has.
    fn number(&mut self, max_digits: usize) -> Option<(i16, usize)> {
        let mut value: i16 = 0;
        let mut count = 0;
        while let Some(digit) = self.0.chars().next().and_then(digit) {
            if count == max_digits {
                return None;
            }
            value = value * 10 + digit;
            count += 1;
            self.0 = self.0.get(self.0.chars().next()?.len_utf8()..)?;
        }
        (count > 0).then_some((value, count))
    }

    fn separator(&mut self) -> Option<char> {
        self.skip(is_mark);
        let separator = self.0.chars().next().filter(|c| matches!(c, '/' | '.' | '-'))?;
        self.0 = self.0.get(1..)?;
        self.skip(|c| is_space(c) || is_mark(c));
        Some(separator)
    }

    /// `:45` or `.45`
    fn clock_part(&mut self) -> Option<i8> {
        let before = self.0;
        if !(self.eat(":") || self.eat(".")) {
            return None;
        }
        match self.number(2) {
            Some((value, 2)) => i8::try_from(value).ok(),
            _ => {
                self.0 = before;
                None
            }
        }
    }

    /// Whether it is after noon, when a word says so.
    fn half(&mut self) -> Option<bool> {
        let head: String = self.0.chars().take(8).collect();
        let head = head.replace(['\u{a0}', '\u{202f}'], " ").to_lowercase();
        let words = BEFORE_NOON.map(|word| (word, false)).into_iter();
        let mut words = words.chain(AFTER_NOON.map(|word| (word, true)));
        let (word, after_noon) = words.find(|(word, _)| head.starts_with(word))?;
        let length: usize = self.0.chars().take(word.chars().count()).map(char::len_utf8).sum();
        self.0 = self.0.get(length..).unwrap_or_default();
        Some(after_noon)
    }
}

/// A digit, also in the scripts of Arabic and Persian phones.
fn digit(c: char) -> Option<i16> {
    let value = match c {
        '0'..='9' => u32::from(c) - u32::from('0'),
        '\u{660}'..='\u{669}' => u32::from(c) - 0x660,
        '\u{6f0}'..='\u{6f9}' => u32::from(c) - 0x6f0,
        _ => return None,
    };
    i16::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn phones_of_many_languages_are_read() {
        for (line, order) in [
            ("15/06/2018, 13:45 - Ann: hi", DateOrder::DayFirst),
            ("[15.06.18, 13:45:00] Ann: hi", DateOrder::DayFirst),
            ("\u{200e}[15/06/2018, 13:45:00] Ann: hi", DateOrder::DayFirst),
            ("6/15/18, 1:45 PM - Ann: hi", DateOrder::MonthFirst),
            ("[6/15/18, 1:45:00\u{202f}PM] Ann: hi", DateOrder::MonthFirst),
            ("2018-06-15, 1:45 p.m. - Ann: hi", DateOrder::DayFirst),
            ("[2018-06-15, 13:45:00] Ann: hi", DateOrder::DayFirst),
            ("15.6.2018, 13.45 - Ann: hi", DateOrder::DayFirst),
            ("[2018/6/15 下午1:45:00] Ann: hi", DateOrder::YearFirst),
            ("2018. 6. 15. 오후 1:45 - Ann: hi", DateOrder::YearFirst),
            ("15-06-18 13:45 - Ann: hi", DateOrder::DayFirst),
            ("15/6/18 1:45 p. m. - Ann: hi", DateOrder::DayFirst),
            ("١٥/٠٦/٢٠١٨، ١٣:٤٥ - Ann: hi", DateOrder::DayFirst),
            ("15/6/2561 13:45 - Ann: hi", DateOrder::DayFirst),
        ] {
            let (stamp, rest) = read_stamp(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(rest, "Ann: hi", "{line}");
            let instant = stamp.instant(order, &TimeZone::UTC);
            assert_eq!(instant.as_deref(), Some("2018-06-15T13:45:00Z"), "{line}");
        }
    }

    #[test]
    fn other_lines_have_no_stamp() {
        for line in [
            "",
            "hello",
            "12/06",
            "[1] first",
            "12/06/2018 is a day",
            "1.2.3 - x",
            "[12/6/18, 10:00",
        ] {
            assert_eq!(read_stamp(line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in ".{0,60}") {
            let _ = read_stamp(&line);
        }

        #[test]
        fn any_line_like_a_stamp_is_read(line in "\\[?[0-9٠-٩/. ,:-]{5,25}(PM|오후|م)?[]: -]{0,3}x") {
            if let Some((stamp, _)) = read_stamp(&line) {
                let _ = stamp.instant(DateOrder::MonthFirst, &TimeZone::UTC);
            }
        }
    }
}
