//! The calendar: events from a sheet and from weekly habits, attendees under a compound key.

mod appointments;
mod habits;

use super::day::Day;
use super::line::{Object, record};
use super::people;
use super::sheet;

const SYNCED_AT: &str = "2026-11-16T06:30:00Z";

/// One event before it becomes records.
struct Event {
    id: String,
    day: Day,
    /// `09:00-10:00`, or empty for a whole day.
    hours: String,
    title: String,
    location: Option<String>,
    /// Person keys, each with a sign: `+` accepted, `?` tentative, `-` declined, `.` no answer yet.
    guests: Vec<String>,
    /// An offset other than Gothenburg's.
    offset: Option<String>,
    cancelled: bool,
    description: String,
}

/// Every record of the calendar.
pub fn records() -> Vec<String> {
    let mut events = Vec::new();
    for entry in sheet::entries(appointments::EVENTS) {
        events.push(Event {
            id: entry.cell(0).to_owned(),
            day: Day::parse(entry.cell(1)),
            hours: entry.given(2).unwrap_or_default().to_owned(),
            title: entry.cell(3).to_owned(),
            location: entry.given(4).map(str::to_owned),
            guests: entry.list(5).into_iter().map(str::to_owned).collect(),
            offset: entry.given(6).map(str::to_owned),
            cancelled: entry.cell(7) == "cancelled",
            description: entry.body,
        });
    }
    events.extend(habits::events());
    let mut lines = Vec::new();
    for event in &events {
        let (starts_at, ends_at) = bounds(event);
        lines.push(event_line(event, &starts_at, &ends_at));
        lines.extend(event.guests.iter().filter_map(|guest| guest_line(event, guest, &starts_at)));
    }
    lines
}

fn bounds(event: &Event) -> (String, String) {
    let Some((start, end)) = event.hours.split_once('-') else {
        return (event.day.at("00:00"), event.day.plus(1).at("00:00"));
    };
    match &event.offset {
        Some(offset) => {
            let day = event.day;
            (format!("{day}T{start}:00{offset}"), format!("{day}T{end}:00{offset}"))
        }
        None => (event.day.at(start), event.day.at(end)),
    }
}

fn event_line(event: &Event, starts_at: &str, ends_at: &str) -> String {
    let status = if event.cancelled { "cancelled" } else { "confirmed" };
    let data = Object::default()
        .text("event_id", &event.id)
        .text("title", &event.title)
        .text("date", &event.day.to_string())
        .text("starts_at", starts_at)
        .text("ends_at", ends_at)
        .flag("all_day", event.hours.is_empty())
        .text_or_null("location", event.location.as_deref())
        .text("description", &event.description)
        .text("status", status)
        .number("attendee_count", event.guests.len());
    record("events", &[&event.id], &data, SYNCED_AT)
}

fn guest_line(event: &Event, guest: &str, starts_at: &str) -> Option<String> {
    let sign = guest.chars().last()?;
    let person = people::find(guest.trim_end_matches(sign));
    let response = match sign {
        '+' => "accepted",
        '?' => "tentative",
        '-' => "declined",
        _ => "needs_action",
    };
    let data = Object::default()
        .text("event_id", &event.id)
        .text("email", person.address)
        .text("name", person.name)
        .text("response", response)
        .flag("is_owner", person.key.starts_with("maya"))
        .text("event_starts_at", starts_at);
    Some(record("attendees", &[&event.id, person.address], &data, SYNCED_AT))
}
