//! `ics`: calendars, with events, their attendees, tasks and journal entries.

mod component;
mod occurrences;
mod own_zone;
mod when;

use std::io::BufRead;

use pdpp_contract::ErrorCode;

use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::components::{ComponentPart, Components};
use crate::record::distinct_keys::DistinctKeys;
use crate::sink::{Flow, Sink};
use crate::survey::{Claim, CountBy, ItemCount};
use occurrences::Expansion;
use pdpp_contract::import::Rejected;

/// What calendars look like.
const DECLARATION: &str = include_str!("../declarations/calendar.json");
/// Calendars.
pub static FORMAT: Format = Format {
    name: "ics",
    help: "Read calendars",
    reads: "calendars",
    recognise: Recognise {
        rank: 40,
        claims: |file| {
            if is_calendar(file.name()) {
                return Some(Claim::file());
            }
            let is_own = file.first_line().eq_ignore_ascii_case("BEGIN:VCALENDAR");
            is_own.then(Claim::file_of_any_name)
        },
        beside: None,
        counts: Some(ItemCount {
            what: ("event", "events"),
            by: CountBy::LinesThatBegin("BEGIN:VEVENT"),
        }),
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Most bytes of time zones that are kept for the events after them.
const MAX_ZONE_BYTES: usize = 4 * 1024 * 1024;

/// Reads every calendar.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut state = ImportState {
        keys: DistinctKeys::default(),
        expansion: Expansion::from(sink.emitted_at()),
    };
    // Changed occurrences may stand before or after their series, and in another file.
    export.each(sink, &is_calendar, &mut |_, reader, sink| {
        find_changed(reader, &mut state.expansion, sink);
        Ok(())
    })?;
    export
        .each(sink, &is_calendar, &mut |_, reader, sink| read_calendar(reader, &mut state, sink))?;
    if state.expansion.is_full() {
        sink.note("the calendars repeat too often; some occurrences were left out");
    }
    Ok(())
}

/// What is known over all files.
struct ImportState {
    keys: DistinctKeys,
    expansion: Expansion,
}

/// Remembers the occurrences that stand in a file themselves. What cannot be read is rejected later.
fn find_changed(reader: &mut dyn BufRead, expansion: &mut Expansion, sink: &Sink<'_>) {
    let mut around = CalendarContext::default();
    let mut parts = Components::new(reader, &["VCALENDAR"]);
    while let Ok(Some(part)) = parts.next_part() {
        match part {
            ComponentPart::Component(name, text) if name == "VTIMEZONE" => around.add_zone(&text),
            ComponentPart::Component(name, text) if name == "VEVENT" => {
                component::remember_changed(&text, &around, sink.zone(), expansion);
            }
            _ => {}
        }
    }
}

/// Whether the file's name says that it is a calendar.
fn is_calendar(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".ics", ".ical", ".ifb", ".icalendar"].iter().any(|ending| name.ends_with(ending))
}

/// What events need from the file they stand in.
#[derive(Default)]
pub(crate) struct CalendarContext {
    /// The calendar's name.
    pub calendar: Option<String>,
    /// The definitions of time zones.
    pub zones: String,
}

impl CalendarContext {
    fn add_zone(&mut self, text: &str) {
        if self.zones.len() + text.len() <= MAX_ZONE_BYTES {
            self.zones.push_str(text);
        }
    }
}

fn read_calendar(reader: &mut dyn BufRead, state: &mut ImportState, sink: &mut Sink<'_>) -> Flow {
    let mut around = CalendarContext::default();
    let mut frame = Frame::default();
    let mut parts = Components::new(reader, &["VCALENDAR"]);
    loop {
        let part = match parts.next_part() {
            Ok(Some(part)) => part,
            Ok(None) => return frame.fault().map_or(Ok(()), |why| reject_frame(why, sink)),
            Err(error) => {
                sink.begin_item();
                return sink.unreadable(error);
            }
        };
        frame.see(&part);
        match part {
            ComponentPart::Component(name, text) if name == "VTIMEZONE" => around.add_zone(&text),
            ComponentPart::Component(name, text) => {
                sink.begin_item();
                put_component(&Named { name, text }, &around, state, sink)?;
            }
            ComponentPart::Line(line) => {
                let (name, value) = line.split_once(':').unwrap_or_default();
                if name.eq_ignore_ascii_case("X-WR-CALNAME") {
                    around.calendar = Some(value.trim().to_owned());
                }
                // A new calendar in the same file brings its own zones and name.
                if line.trim().eq_ignore_ascii_case("END:VCALENDAR") {
                    around = CalendarContext::default();
                }
            }
            ComponentPart::Rejected(rejected) => {
                sink.begin_item();
                sink.reject(rejected)?;
            }
        }
    }
}

/// Whether a file is a calendar from its beginning to its end.
#[derive(Default)]
struct Frame {
    beginning: Beginning,
    open: bool,
    /// The last part was rejected, which says already that something is missing.
    rejected: bool,
}

/// How far a file has shown to be a calendar.
#[derive(Default, PartialEq, Eq)]
enum Beginning {
    #[default]
    Empty,
    /// Lines that are none of a calendar.
    Lines,
    Calendar,
}

impl Frame {
    fn see(&mut self, part: &ComponentPart) {
        self.rejected = matches!(part, ComponentPart::Rejected(_));
        if !matches!(part, ComponentPart::Line(_)) {
            self.beginning = Beginning::Calendar;
        } else if self.beginning == Beginning::Empty {
            self.beginning = Beginning::Lines;
        }
        if let ComponentPart::Line(line) = part {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.eq_ignore_ascii_case("BEGIN:VCALENDAR") {
                (self.beginning, self.open) = (Beginning::Calendar, true);
            } else if line.eq_ignore_ascii_case("END:VCALENDAR") {
                self.open = false;
            }
        }
    }

    /// What is missing at the end of the file.
    fn fault(&self) -> Option<&'static str> {
        if self.beginning == Beginning::Lines {
            return Some("no calendar was found in the file");
        }
        (self.open && !self.rejected).then_some("the calendar has no end; the file may be cut")
    }
}

fn reject_frame(why: &str, sink: &mut Sink<'_>) -> Flow {
    sink.begin_item();
    sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]))
}

/// A component of a file, by its name.
struct Named {
    name: String,
    text: String,
}

fn put_component(
    found: &Named,
    around: &CalendarContext,
    state: &mut ImportState,
    sink: &mut Sink<'_>,
) -> Flow {
    let text = &found.text;
    let stream = match found.name.as_str() {
        "VEVENT" => "events",
        "VTODO" => "tasks",
        "VJOURNAL" => "journal",
        _ => {
            let why = "only events, tasks and journal entries are imported";
            let rejected = Rejected::new(ErrorCode::InvalidRecord, why, text.as_bytes());
            return sink.reject(rejected);
        }
    };
    let ImportState { keys, expansion } = state;
    match component::read(stream, text, around, (sink.zone(), keys, expansion)) {
        Ok(found) => {
            sink.record(stream, &found.id, found.data)?;
            for (id, attendee) in found.attendees {
                sink.record("attendees", &id, attendee)?;
            }
            for (id, occurrence) in found.occurrences {
                sink.record(stream, &id, occurrence)?;
            }
            Ok(())
        }
        Err(rejected) => sink.reject(rejected),
    }
}
