//! One event, task or journal entry.

use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarParameterName,
    ICalendarParameterValue, ICalendarProperty as Property, ICalendarValue,
};
use jiff::tz::TimeZone;
use pdpp_contract::ErrorCode;

use super::CalendarContext;
use super::occurrences::Expansion;
use super::when::{EventTime, Zones};
use crate::blobs::content_key;
use crate::readers::catch_panic::catch_panic;
use crate::readers::readable::push_readable;
use crate::record::distinct_keys::DistinctKeys;
use crate::record::fields::RecordFields;
use pdpp_contract::import::Rejected;

/// A component as records.
pub struct CalendarItem {
    /// Its key.
    pub id: String,
    /// Its fields.
    pub data: RecordFields,
    /// Who was invited, by key.
    pub attendees: Vec<(String, RecordFields)>,
    /// Its further occurrences, by key.
    pub occurrences: Vec<(String, RecordFields)>,
}

/// Reads a component for its stream.
pub(crate) fn read(
    stream: &str,
    text: &str,
    around: &CalendarContext,
    (zone, keys, expansion): (&TimeZone, &mut DistinctKeys, &mut Expansion),
) -> Result<CalendarItem, Rejected> {
    catch_panic(text.as_bytes(), || {
        let whole = format!("BEGIN:VCALENDAR\r\n{}{text}\r\nEND:VCALENDAR\r\n", around.zones);
        let reject = || {
            let why = "not a calendar component that can be read";
            Rejected::new(ErrorCode::MalformedRecord, why, text.as_bytes())
        };
        let calendar = ICalendar::parse(&whole).map_err(|_| reject())?;
        let component = calendar.components.iter().find(|component| {
            matches!(
                component.component_type,
                ICalendarComponentType::VEvent
                    | ICalendarComponentType::VTodo
                    | ICalendarComponentType::VJournal
            )
        });
        let component = component.ok_or_else(reject)?;
        let zones = Zones::new(&calendar, &around.zones, zone);
        let source = Source { component, zones: &zones, around };
        let id = key(text, &source);
        let found = |id| found(stream, text, &source, id);
        // Not its text: the zones around it are part of what it says.
        let first = found(id.clone());
        let twin = keys.key(id, &format!("{:?}", (&first.data, &first.attendees)));
        let mut item = if twin == first.id { first } else { found(twin) };
        if stream == "events" {
            item.occurrences = occurrences(&calendar, &source, &item, expansion);
        }
        Ok(item)
    })
}

/// Remembers which occurrence of a series the component replaces, if it does.
pub(crate) fn remember_changed(
    text: &str,
    around: &CalendarContext,
    zone: &TimeZone,
    expansion: &mut Expansion,
) {
    if raw_value(text, "RECURRENCE-ID").is_none() {
        return;
    }
    let read = catch_panic(text.as_bytes(), || {
        let whole = format!("BEGIN:VCALENDAR\r\n{}{text}\r\nEND:VCALENDAR\r\n", around.zones);
        let calendar = ICalendar::parse(&whole).ok();
        let found = calendar.as_ref().and_then(|calendar| {
            let component = calendar
                .components
                .iter()
                .find(|component| component.component_type == ICalendarComponentType::VEvent)?;
            let zones = Zones::new(calendar, &around.zones, zone);
            let source = Source { component, zones: &zones, around };
            let moment = source.moment(&Property::RecurrenceId)?.timestamp;
            Some((source.text(&Property::Uid)?.to_owned(), moment))
        });
        Ok(found)
    });
    // What cannot be read is rejected when it is imported.
    if let Ok(Some((uid, moment))) = read {
        expansion.remember_changed(&uid, moment);
    }
}

/// The further occurrences of a series. The series itself stands for the first one.
fn occurrences(
    calendar: &ICalendar,
    source: &Source<'_>,
    series: &CalendarItem,
    expansion: &mut Expansion,
) -> Vec<(String, RecordFields)> {
    let component = source.component;
    let repeats = [Property::Rrule, Property::Rdate];
    let start = component.property(&Property::Dtstart);
    let is_series = repeats.iter().any(|property| component.property(property).is_some());
    let (true, Some(start)) = (is_series, start) else { return Vec::new() };
    let Some(first) = source.zones.moment(start) else { return Vec::new() };
    let lasts_seconds =
        source.ends(Some(&first)).map(|end| end.as_second() - first.timestamp.as_second());
    let at = |time| source.zones.moment_at(start, time).map(|moment| moment.timestamp);
    let uid = source.text(&Property::Uid).unwrap_or(&series.id);
    let moments = expansion.moments((calendar, uid), first.timestamp, &at);
    let occurrence = |(time, moment): (jiff::civil::DateTime, jiff::Timestamp)| {
        let when = source.zones.moment_at(start, time)?;
        let id = content_key(&[series.id.as_bytes(), b"occurrence", moment.to_string().as_bytes()]);
        let ends_at = lasts_seconds.and_then(|seconds| when.later_by_seconds(seconds));
        let data = series
            .data
            .clone()
            .text("id", &*id)
            .text("series_id", &*series.id)
            .text("starts_at", when.instant)
            .maybe("ends_at", ends_at);
        Some((id, data))
    };
    moments.into_iter().filter_map(occurrence).collect()
}

struct Source<'c> {
    component: &'c ICalendarComponent,
    zones: &'c Zones<'c>,
    around: &'c CalendarContext,
}

impl Source<'_> {
    fn text(&self, property: &Property) -> Option<&str> {
        let value = self.component.property(property)?.values.first()?.as_text()?;
        Some(value.trim()).filter(|text| !text.is_empty())
    }

    fn moment(&self, property: &Property) -> Option<EventTime> {
        self.zones.moment(self.component.property(property)?)
    }

    /// When it ends: as it says, or by how long it lasts.
    fn ends(&self, starts: Option<&EventTime>) -> Option<jiff::Timestamp> {
        if let Some(end) = self.moment(&Property::Dtend) {
            return Some(end.timestamp);
        }
        let duration = self.component.property(&Property::Duration)?.values.first()?;
        let ICalendarValue::Duration(duration) = duration else { return None };
        let lasts = jiff::SignedDuration::from_secs(duration.as_seconds());
        starts?.timestamp.checked_add(lasts).ok()
    }

    fn instant(&self, property: &Property) -> Option<String> {
        self.moment(property).map(|moment| moment.instant)
    }
}

/// The calendar, the id and the occurrence; the content where there is no id.
fn key(text: &str, source: &Source<'_>) -> String {
    let recurrence_id = raw_value(text, "RECURRENCE-ID");
    let calendar = source.around.calendar.as_deref().unwrap_or_default();
    match source.text(&Property::Uid) {
        Some(uid) => content_key(&[
            calendar.as_bytes(),
            uid.as_bytes(),
            recurrence_id.as_deref().unwrap_or_default().as_bytes(),
        ]),
        None => content_key(&[calendar.as_bytes(), text.as_bytes()]),
    }
}

fn found(stream: &str, text: &str, source: &Source<'_>, id: String) -> CalendarItem {
    let title = source.text(&Property::Summary).unwrap_or("Untitled");
    let data = RecordFields::default()
        .text("id", &*id)
        .maybe("uid", source.text(&Property::Uid))
        .text("title", title)
        .maybe("description", source.text(&Property::Description).map(plain_text))
        .maybe("status", source.text(&Property::Status).map(str::to_lowercase))
        .texts("categories", texts(source.component.properties(&Property::Categories)))
        .maybe("created_at", source.instant(&Property::Created))
        .maybe("updated_at", source.instant(&Property::LastModified))
        .maybe("calendar", source.around.calendar.clone())
        .maybe("starts_at", source.instant(&Property::Dtstart));
    match stream {
        "events" => event(text, source, id, data),
        "tasks" => CalendarItem {
            data: task(text, source, data),
            id,
            attendees: Vec::new(),
            occurrences: Vec::new(),
        },
        _ => CalendarItem { id, data, attendees: Vec::new(), occurrences: Vec::new() },
    }
}

fn event(text: &str, source: &Source<'_>, id: String, data: RecordFields) -> CalendarItem {
    let starts = source.moment(&Property::Dtstart);
    let ends = || source.ends(starts.as_ref()).map(|end| end.to_string());
    let ends_at = source.instant(&Property::Dtend).or_else(ends);
    let starts_at = starts.as_ref().map(|moment| moment.instant.clone());
    let attendees: Vec<(String, RecordFields)> = source
        .component
        .properties(&Property::Attendee)
        .enumerate()
        .map(|(number, entry)| attendee(&id, number, entry, starts_at.as_deref()))
        .collect();
    let organizer = source.component.property(&Property::Organizer);
    let data = data
        .maybe("location", source.text(&Property::Location))
        .maybe("ends_at", ends_at)
        .flag("all_day", starts.as_ref().is_some_and(|moment| moment.all_day))
        .maybe("time_zone", starts.and_then(|moment| moment.zone))
        .maybe("recurrence", raw_value(text, "RRULE"))
        .maybe("recurrence_id", raw_value(text, "RECURRENCE-ID"))
        .maybe("organizer", organizer.and_then(address))
        .maybe("url", source.text(&Property::Url))
        .count("attendee_count", attendees.len());
    CalendarItem { id, data, attendees, occurrences: Vec::new() }
}

fn task(text: &str, source: &Source<'_>, data: RecordFields) -> RecordFields {
    let data = data
        .maybe("due_at", source.instant(&Property::Due))
        .maybe("completed_at", source.instant(&Property::Completed))
        .maybe("recurrence", raw_value(text, "RRULE"));
    let priority = source.component.property(&Property::Priority);
    match priority.and_then(|entry| entry.values.first()?.as_integer()) {
        Some(priority) => data.number("priority", priority),
        None => data,
    }
}

fn attendee(
    event_id: &str,
    number: usize,
    entry: &ICalendarEntry,
    starts_at: Option<&str>,
) -> (String, RecordFields) {
    let parameter = |name| entry.parameter(&name).and_then(ICalendarParameterValue::as_text);
    let id = format!("{event_id}-{}", number + 1);
    let answer = parameter(ICalendarParameterName::Partstat).unwrap_or("needs-action");
    let data = RecordFields::default()
        .text("id", &*id)
        .text("event_id", event_id)
        .maybe("name", parameter(ICalendarParameterName::Cn))
        .maybe("address", address(entry))
        .maybe("role", parameter(ICalendarParameterName::Role).map(str::to_lowercase))
        .text("answer", answer.to_lowercase())
        .maybe("starts_at", starts_at);
    (id, data)
}

/// An address without its `mailto:`.
fn address(entry: &ICalendarEntry) -> Option<String> {
    let address = entry.values.first()?.as_text()?.trim();
    let mail = address.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let address = if mail.is_some() { address.get(7..)? } else { address };
    (!address.is_empty()).then(|| address.to_owned())
}

fn texts<'e>(entries: impl Iterator<Item = &'e ICalendarEntry>) -> Vec<String> {
    let values = entries.flat_map(|entry| &entry.values);
    let texts = values.filter_map(|value| value.as_text().map(|text| text.trim().to_owned()));
    texts.filter(|text| !text.is_empty()).collect()
}

/// A description without the tags that calendars on the web put into it.
fn plain_text(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    let is_html = ["</", "<br", "<p>", "<html"].iter().any(|tag| small.contains(tag));
    if !is_html {
        return text.to_owned();
    }
    let mut plain = String::new();
    push_readable(text, &mut plain);
    plain
}

/// The value of a property as it is written, its folded lines joined.
fn raw_value(text: &str, name: &str) -> Option<String> {
    let unfolded = text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    let line = unfolded.lines().find(|line| {
        let head = line.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        head && line.get(name.len()..).is_some_and(|rest| rest.starts_with([':', ';']))
    })?;
    let value = line.split_once(':')?.1.trim();
    (!value.is_empty()).then(|| value.to_owned())
}
