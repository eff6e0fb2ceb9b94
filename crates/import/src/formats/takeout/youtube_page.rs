//! YouTube's history as a page, which is what Takeout gives unless one chooses otherwise.

use std::convert::Infallible;
use std::io::{BufRead, Read};

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use pdpp_contract::{Json, JsonObject};

use crate::readers::file_name::has_ending;
use crate::sink::{Flow, Sink};

/// How the part of an entry begins that says what it is.
const CELL: &[u8] = b"mdl-cell--6-col mdl-typography--body-1\">";
/// How it ends.
const END: &[u8] = b"</div>";
/// Longest part.
const MAX_CELL_BYTES: usize = 1 << 20;
/// Bytes read at once.
const PIECE_BYTES: u64 = 256 * 1024;
/// Names of zones that such pages have, and their minutes east of Greenwich.
const ZONES: [(&str, i32); 22] = [
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("BST", 60),
    ("CET", 60),
    ("MEZ", 60),
    ("WEST", 60),
    ("CEST", 120),
    ("MESZ", 120),
    ("EET", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("IST", 330),
    ("JST", 540),
    ("EDT", -240),
    ("EST", -300),
    ("CDT", -300),
    ("CST", -360),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether a page is one of YouTube's history. Its folder names YouTube in every language; most of its
/// beginning is style.
pub fn is_page(name: &str, head: &str) -> bool {
    let is_named = name.contains("YouTube")
        || name.ends_with("watch-history.html")
        || name.ends_with("search-history.html");
    has_ending(name, ".html") && is_named && head.contains("mdl-")
}

/// Visits every entry, in the form that it has in JSON. One entry is held at a time.
pub fn each_entry(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
    visit: &mut dyn FnMut(JsonObject, &mut Sink<'_>) -> Flow,
) -> Flow {
    let mut held = Vec::new();
    loop {
        let read = match (&mut *reader).take(PIECE_BYTES).read_to_end(&mut held) {
            Ok(read) => read,
            Err(error) => return sink.unreadable(error),
        };
        let mut from = 0;
        while let Some(start) = find(&held, CELL, from).map(|at| at + CELL.len()) {
            let Some(end) = find(&held, END, start) else { break };
            from = end;
            sink.begin_item();
            let cell = held.get(start..end).unwrap_or_default();
            visit(entry(&String::from_utf8_lossy(cell), sink), sink)?;
        }
        // What may be the beginning of an entry stays.
        let keep =
            find(&held, CELL, from).unwrap_or(held.len().saturating_sub(CELL.len()).max(from));
        held.drain(..keep);
        if read == 0 || held.len() > MAX_CELL_BYTES {
            return match find(&held, CELL, 0) {
                Some(_) => super::reject(JsonObject::new(), "the page ends in the middle", sink),
                None => Ok(()),
            };
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    Some(from + rest.windows(wanted.len()).position(|window| window == wanted)?)
}

/// `Watched <a href=…>Title</a><br><a href=…>Channel</a><br>Jan 5, 2026, 10:00:00 AM CET`
fn entry(html: &str, sink: &Sink<'_>) -> JsonObject {
    let mut cell = Cell::default();
    let see = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        cell.see(&event);
        None
    };
    match Tokenizer::new_with_emitter(html, CallbackEmitter::new(see)).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
    let mut links = cell.links.into_iter();
    let text = |text: &str| Json::String(text.trim().to_owned());
    let mut entry = JsonObject::new();
    let lines: Vec<&str> =
        cell.words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(time) = lines.last().and_then(|line| time(line, sink.zone())) {
        entry.insert("time".to_owned(), Json::String(time));
    }
    let first = links.next();
    if let Some((url, title)) = &first {
        let is_music = url.contains("//music.youtube.com");
        let product = if is_music { "YouTube Music" } else { "YouTube" };
        entry.insert("header".to_owned(), text(product));
        entry.insert("titleUrl".to_owned(), text(url));
        entry.insert("title".to_owned(), text(title));
    } else if lines.len() > 1 {
        // A video that was removed.
        entry.insert("title".to_owned(), text(lines.first().copied().unwrap_or_default()));
    }
    if let Some((url, name)) = links.next() {
        let members = [("name".to_owned(), text(&name)), ("url".to_owned(), text(&url))];
        let channel = Json::Object(members.into_iter().collect());
        entry.insert("subtitles".to_owned(), Json::Array(vec![channel]));
    }
    entry
}

#[derive(Default)]
struct Cell {
    links: Vec<(String, String)>,
    words: String,
    in_link: bool,
    is_address: bool,
}

impl Cell {
    fn see(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.in_link = *name == b"a";
                if self.in_link {
                    self.links.push(Default::default());
                } else if *name == b"br" {
                    self.words.push('\n');
                }
            }
            CallbackEvent::AttributeName { name } => self.is_address = *name == b"href",
            CallbackEvent::AttributeValue { value } if self.in_link && self.is_address => {
                if let Some((url, _)) = self.links.last_mut() {
                    url.push_str(&String::from_utf8_lossy(value));
                }
            }
            CallbackEvent::String { value } => {
                let words = String::from_utf8_lossy(value);
                match self.links.last_mut() {
                    Some((_, title)) if self.in_link => title.push_str(&words),
                    _ => self.words.push_str(&words),
                }
            }
            CallbackEvent::EndTag { name } if *name == b"a" => self.in_link = false,
            _ => {}
        }
    }
}

/// A time in English, or in numbers with the day or the year first.
fn time(text: &str, zone: &TimeZone) -> Option<String> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | '.');
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    let clock_at = words.iter().position(|word| word.contains(':'))?;
    let (date, rest) = words.split_at_checked(clock_at)?;
    let (clock, rest) = rest.split_first()?;
    let date = match date {
        [one, two, year] if is_month(one).is_some() => {
            Date::new(year.parse().ok()?, is_month(one)?, two.parse().ok()?)
        }
        [one, two, year] if is_month(two).is_some() => {
            Date::new(year.parse().ok()?, is_month(two)?, one.parse().ok()?)
        }
        [year, month, day] if year.len() == 4 => {
            Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        }
        // With slashes nobody knows which of them is the day.
        [day, month, year] if year.len() == 4 && !text.contains('/') => {
            Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        }
        _ => return None,
    };
    let mut numbers = clock.split(':').map(|number| number.parse::<i8>().ok());
    let (hour, minute, second) = (numbers.next()??, numbers.next()??, numbers.next().flatten());
    let half = rest.first().map(|word| word.to_ascii_uppercase());
    let hour = match half.as_deref() {
        Some("AM") => hour % 12,
        Some("PM") => hour % 12 + 12,
        _ => hour,
    };
    let time = Time::new(hour, minute, second.unwrap_or(0), 0).ok()?;
    let zone = rest.last().and_then(|name| zone_of(name)).unwrap_or_else(|| zone.clone());
    Some(DateTime::from_parts(date.ok()?, time).to_zoned(zone).ok()?.timestamp().to_string())
}

fn is_month(word: &str) -> Option<i8> {
    let word = word.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| word.starts_with(month))?;
    i8::try_from(at + 1).ok()
}

/// `CET`, `GMT+2`, `UTC-03:30`
fn zone_of(name: &str) -> Option<TimeZone> {
    let minutes = match ZONES.iter().find(|(known, _)| *known == name) {
        Some((_, minutes)) => *minutes,
        None => {
            let shift = name.strip_prefix("GMT").or(name.strip_prefix("UTC"))?;
            let (hours, minutes) = shift.split_once(':').unwrap_or((shift, "0"));
            let sign = if shift.starts_with('-') { -1 } else { 1 };
            hours.parse::<i32>().ok()?.checked_mul(60)? + sign * minutes.parse::<i32>().ok()?
        }
    };
    Some(TimeZone::fixed(Offset::from_seconds(minutes.checked_mul(60)?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_english_and_in_numbers() {
        for (text, wanted) in [
            ("Jan 5, 2026, 10:00:00\u{202f}AM CET", Some("2026-01-05T09:00:00Z")),
            ("5 Sept 2026, 22:00:01 BST", Some("2026-09-05T21:00:01Z")),
            ("05.01.2026, 10:00:00 MEZ", Some("2026-01-05T09:00:00Z")),
            ("2026/01/05 10:00:00 JST", Some("2026-01-05T01:00:00Z")),
            ("Dec 31, 2025, 12:00:00 AM GMT-3", Some("2025-12-31T03:00:00Z")),
            ("01/02/2026, 10:00:00 CET", None),
            ("5 janvier 2026", None),
        ] {
            assert_eq!(time(text, &TimeZone::UTC).as_deref(), wanted, "{text}");
        }
    }
}
